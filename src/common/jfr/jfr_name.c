// SPDX-License-Identifier: Apache-2.0
#include "common/jfr/jfr_name.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Java Language Specification 3.9, and the literals of 3.10.
static const char *const reserved_words[] = {
    "_",
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extends",
    "false",
    "final",
    "finally",
    "float",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "transient",
    "true",
    "try",
    "void",
    "volatile",
    "while",
};

static bool
is_reserved(const uint8_t *part, size_t length)
{
    for (size_t i = 0; i < sizeof(reserved_words) / sizeof(reserved_words[0]); i++) {
        if (strlen(reserved_words[i]) == length && memcmp(reserved_words[i], part, length) == 0) {
            return true;
        }
    }
    return false;
}

static bool
is_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

static bool
is_letter(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

static void
append_part(lp_buf *out, const uint8_t *part, size_t length)
{
    size_t begin = out->len;
    if (length > 0 && is_digit(part[0])) {
        lp_buf_append(out, "_", 1);
    }
    for (size_t i = 0; i < length; i++) {
        bool is_continuation = (part[i] & 0xc0) == 0x80; // of a UTF-8 sequence: one '_' is enough
        if (!is_continuation) {
            lp_buf_append(
                out, is_letter(part[i]) || is_digit(part[i]) ? &part[i] : (const uint8_t *)"_", 1);
        }
    }
    bool is_empty = out->len == begin;
    if (!out->is_failed && (is_empty || is_reserved(out->ptr + begin, out->len - begin))) {
        lp_buf_append(out, "__", is_empty ? 2 : 1); // "_" alone is reserved
    }
}

void
jfr_type_name_append(lp_buf *out, const char *name)
{
    const char *part = name;
    for (;;) {
        const char *end = strchrnul(part, '.');
        append_part(out, (const uint8_t *)part, (size_t)(end - part));
        if (*end == '\0') {
            return;
        }
        lp_buf_append(out, ".", 1);
        part = end + 1;
    }
}

void
jfr_field_name_append(lp_buf *out, const char *name)
{
    append_part(out, (const uint8_t *)name, strlen(name));
}

// --- Names

static const struct letters {
    uint16_t first;
    uint16_t last;
    bool is_start; // a name may begin with them
} letters[] = {
#define LETTERS(first, last) {first, last, true},
#define MARKS(first, last)   {first, last, false},
#include "common/jfr/jfr_name_letters.def"
#undef LETTERS
#undef MARKS
};

static int
compare_letters(const void *key, const void *row)
{
    uint32_t c = *(const uint32_t *)key;
    const struct letters *range = row;
    return c < range->first ? -1 : c > range->last ? 1 : 0;
}

// next_character reads one character of valid UTF-8.
static uint32_t
next_character(const uint8_t **at)
{
    uint32_t c = *(*at)++;
    int more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : c >= 0xc0 ? 1 : 0;
    c &= more == 0 ? 0x7f : 0x3fu >> more;
    for (; more > 0 && (**at & 0xc0) == 0x80; more--) {
        c = c << 6 | (*(*at)++ & 0x3f);
    }
    return c;
}

// may_stand returns whether c may stand in an identifier. The control characters that Java ignores
// in one are none here.
static bool
may_stand(uint32_t c, bool is_first)
{
    if (c < 0x80) {
        return is_letter((uint8_t)c) || (!is_first && is_digit((uint8_t)c));
    }
    const struct letters *found = bsearch(
        &c, letters, sizeof(letters) / sizeof(letters[0]), sizeof(letters[0]), compare_letters);
    return found != NULL && (found->is_start || !is_first);
}

static bool
is_identifier(const uint8_t *part, size_t length)
{
    const uint8_t *end = part + length;
    bool is_name = length > 0 && !is_reserved(part, length);
    for (bool is_first = true; is_name && part < end; is_first = false) {
        is_name = may_stand(next_character(&part), is_first);
    }
    return is_name;
}

bool
jfr_type_name_is_class(const char *name)
{
    for (;;) {
        const char *end = strchrnul(name, '.');
        if (!is_identifier((const uint8_t *)name, (size_t)(end - name))) {
            return false;
        }
        if (*end == '\0') {
            return true;
        }
        name = end + 1;
    }
}

bool
jfr_type_name_is_read(const char *name)
{
    const uint8_t *at = (const uint8_t *)name;
    bool is_read = *at != '\0';
    for (bool is_first = true; is_read && *at != '\0'; is_first = false) {
        uint32_t c = next_character(&at);
        is_read = may_stand(c, is_first) || (c == '.' && !is_first);
    }
    return is_read;
}
