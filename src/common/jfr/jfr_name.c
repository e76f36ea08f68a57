// SPDX-License-Identifier: Apache-2.0
#include "common/jfr/jfr_name.h"

#include "common/base/lp_find.h"

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
is_continuation(uint8_t c) // of a UTF-8 sequence: one '_' is enough for all of its bytes
{
    return (c & 0xc0) == 0x80;
}

// is_word returns whether a part has the characters of a word. Stray bytes count as nothing.
static bool
is_word(const char *word, const uint8_t *part, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (!is_continuation(part[i]) && part[i] != (uint8_t)*word++) {
            return false;
        }
    }
    return *word == '\0';
}

static bool
is_reserved(const uint8_t *part, size_t length)
{
    return LP_ANY(reserved_words, LP_COUNT(reserved_words), is_word(*at, part, length));
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

// A speller lends the characters of a name as a Java class name has them, part by part.
typedef struct speller {
    const uint8_t *at;  // the next byte of the part
    const uint8_t *end; // of the part
    bool has_head;      // a '_' comes before its characters
    unsigned tail;      // the number of '_' behind them
} speller;

// count_tail returns how many '_' a part needs behind its characters: "_" alone is reserved.
static unsigned
count_tail(const uint8_t *part, size_t length)
{
    size_t characters = 0;
    uint8_t last = 0;
    for (size_t i = 0; i < length; i++) {
        if (!is_continuation(part[i])) {
            characters++;
            last = part[i];
        }
    }
    if (characters == 0) {
        return 2;
    }
    bool is_underscore = characters == 1 && !is_letter(last) && !is_digit(last);
    return is_underscore || is_reserved(part, length) ? 1 : 0;
}

static speller
spell_part(const uint8_t *part, size_t length)
{
    return (speller){
        .at = part,
        .end = part + length,
        .has_head = length > 0 && is_digit(part[0]),
        .tail = count_tail(part, length),
    };
}

static speller
spell_type(const char *name)
{
    return spell_part((const uint8_t *)name, strcspn(name, "."));
}

// next_of_part returns the next character of the part; '\0' behind the last.
static char
next_of_part(speller *s)
{
    if (s->has_head) {
        s->has_head = false;
        return '_';
    }
    while (s->at < s->end && is_continuation(*s->at)) {
        s->at++;
    }
    if (s->at < s->end) {
        uint8_t c = *s->at++;
        return is_letter(c) || is_digit(c) ? (char)c : '_';
    }
    if (s->tail > 0) {
        s->tail--;
        return '_';
    }
    return '\0';
}

// next_of_type does the same for a type's name, which has to stay where it is.
static char
next_of_type(speller *s)
{
    char c = next_of_part(s);
    if (c == '\0' && *s->end == '.') {
        *s = spell_type((const char *)s->end + 1);
        return '.';
    }
    return c;
}

void
jfr_type_name_append(lp_buf *out, const char *name)
{
    speller s = spell_type(name);
    for (char c; (c = next_of_type(&s)) != '\0';) {
        lp_buf_append(out, &c, 1);
    }
}

void
jfr_type_name_copy(char *out, size_t size, const char *name)
{
    speller s = spell_type(name);
    size_t length = 0;
    for (char c; length + 1 < size && (c = next_of_type(&s)) != '\0';) {
        out[length++] = c;
    }
    out[length] = '\0';
}

void
jfr_field_name_append(lp_buf *out, const char *name)
{
    speller s = spell_part((const uint8_t *)name, strlen(name));
    for (char c; (c = next_of_part(&s)) != '\0';) {
        lp_buf_append(out, &c, 1);
    }
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
    const struct letters *found =
        bsearch(&c, letters, LP_COUNT(letters), sizeof(letters[0]), compare_letters);
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
        LP_REQUIRE(is_identifier((const uint8_t *)name, (size_t)(end - name)), false);
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
