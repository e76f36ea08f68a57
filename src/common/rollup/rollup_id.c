// SPDX-License-Identifier: Apache-2.0
#include "common/rollup/rollup_id.h"

#include "common/base/lp_hash.h"

// lower returns a letter of ASCII in lower case, and anything else as it is.
static uint8_t
lower(uint8_t byte)
{
    return byte >= 'A' && byte <= 'Z' ? (uint8_t)(byte + ('a' - 'A')) : byte;
}

// is_called returns whether a name is these letters, apart from case and from what joins words.
static bool
is_called(const char *name, const char *letters)
{
    for (; *name != '\0'; name++) {
        if (*name == '_' || *name == '-' || *name == '.' || *name == ' ') {
            continue;
        }
        if (*letters == '\0' || lower((uint8_t)*name) != (uint8_t)*letters) {
            return false;
        }
        letters++;
    }
    return *letters == '\0';
}

bool
rollup_id_is_trace(const char *attribute_name)
{
    return is_called(attribute_name, "traceid");
}

bool
rollup_id_is_span(const char *attribute_name)
{
    return is_called(attribute_name, "spanid");
}

bool
rollup_id_hash(lp_slice text, uint64_t *out_hash)
{
    uint8_t letters[ROLLUP_ID_BYTES_MAX];
    if (text.len == 0 || text.len > sizeof(letters)) {
        return false;
    }
    for (size_t i = 0; i < text.len; i++) {
        letters[i] = lower(text.ptr[i]);
    }
    *out_hash = lp_hash_bytes(LP_HASH_FIXED, (lp_slice){letters, text.len});
    return true;
}
