// SPDX-License-Identifier: Apache-2.0
#include "common/jfr/jfr_name.h"

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
