// SPDX-License-Identifier: Apache-2.0
#include "common/context/ctx_ref.h"

#include "common/base/lp_hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

ctx_ref
ctx_ref_make(int64_t begin, const char *type_name, uint64_t thread)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < sizeof(bytes); i++) { // the same on every machine
        bytes[i] = (uint8_t)(thread >> (8 * i));
    }
    uint64_t hash =
        lp_hash_bytes(lp_hash_text(LP_HASH_FIXED, type_name), (lp_slice){bytes, sizeof(bytes)});
    return (ctx_ref){.begin = begin, .hash = (uint32_t)hash};
}

void
ctx_ref_format(ctx_ref ref, char out_text[CTX_REF_BYTES])
{
    (void)snprintf(
        out_text, CTX_REF_BYTES, "%" PRIx64 "-%08" PRIx32, (uint64_t)ref.begin, ref.hash);
}

// read_hex reads digits in lower case; false where there are none, or others.
static bool
read_hex(const char *text, size_t count, uint64_t *out_number)
{
    *out_number = 0;
    for (size_t i = 0; i < count; i++) {
        static const char digits[] = "0123456789abcdef";
        const char *digit = text[i] == '\0' ? NULL : strchr(digits, text[i]);
        if (digit == NULL) {
            return false;
        }
        *out_number = *out_number << 4 | (uint64_t)(digit - digits);
    }
    return count > 0;
}

bool
ctx_ref_parse(const char *text, ctx_ref *out_ref)
{
    const char *dash = strchr(text, '-');
    uint64_t begin;
    uint64_t hash;
    if (dash == NULL || dash - text > 16 || (text[0] == '0' && dash - text != 1) ||
        !read_hex(text, (size_t)(dash - text), &begin) || strlen(dash + 1) != 8 ||
        !read_hex(dash + 1, 8, &hash)) {
        return false;
    }
    *out_ref = (ctx_ref){.begin = (int64_t)begin, .hash = (uint32_t)hash};
    return true;
}
