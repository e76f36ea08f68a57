// SPDX-License-Identifier: Apache-2.0
#include "collector/http/wire/http_range.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_err.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static const char unit[] = "bytes=";

// take_number reads digits; values above UINT64_MAX become UINT64_MAX.
static bool
take_number(const char **text, uint64_t *out_value)
{
    LP_ASSERT(*text != NULL);
    uint64_t value = 0;
    const char *begin = *text;
    for (; **text >= '0' && **text <= '9'; (*text)++) {
        uint64_t digit = (uint64_t)(**text - '0');
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, digit, &value)) {
            value = UINT64_MAX; // and overflows again with every further digit
        }
    }
    *out_value = value;
    return *text != begin;
}

static const char *
skip_space(const char *text)
{
    return text + strspn(text, " \t");
}

http_range
http_range_parse(const char *header, uint64_t size_bytes)
{
    http_range whole = {.kind = HTTP_RANGE_WHOLE, .begin = 0, .end = size_bytes};
    LP_REQUIRE(header != NULL && strncasecmp(header, unit, sizeof(unit) - 1) == 0, whole);
    const char *text = skip_space(header + sizeof(unit) - 1);
    uint64_t first = 0;
    uint64_t last = UINT64_MAX;
    bool has_first = take_number(&text, &first);
    LP_REQUIRE(*text == '-', whole);
    text++;
    bool has_last = take_number(&text, &last);
    text = skip_space(text);
    if (*text != '\0' || (!has_first && !has_last) || (has_first && has_last && last < first)) {
        return whole;
    }
    http_range part = {.kind = HTTP_RANGE_PART, .end = size_bytes};
    if (!has_first) { // "-N": the last N bytes
        part.begin = last < size_bytes ? size_bytes - last : 0;
    } else {
        part.begin = first;
        if (has_last && last < size_bytes) {
            part.end = last + 1;
        }
    }
    if (part.begin >= size_bytes) {
        part.kind = HTTP_RANGE_UNSATISFIABLE;
    }
    LP_ASSERT(part.end <= size_bytes);
    LP_ASSERT(part.kind != HTTP_RANGE_PART || part.begin < part.end);
    return part;
}

bool
http_range_matches_any(const char *header, const char *etag)
{
    LP_ASSERT(etag[0] == '"');
    size_t etag_len = strlen(etag);
    if (strcmp(skip_space(header), "*") == 0) {
        return true;
    }
    // "x", W/"y": weak tags match as well, as 304 does not combine contents.
    for (const char *quote = strchr(header, '"'); quote != NULL;) {
        const char *end = strchr(quote + 1, '"');
        LP_REQUIRE(end != NULL, false);
        if ((size_t)(end - quote) + 1 == etag_len && memcmp(quote, etag, etag_len) == 0) {
            return true;
        }
        quote = strchr(end + 1, '"');
    }
    return false;
}
