// SPDX-License-Identifier: Apache-2.0
#include "common/rollup/rollup_id.h"

#include "common/base/lp_hash.h"
#include "common/base/lp_order.h"

#include <endian.h>
#include <string.h>

void
rollup_ids_fini(rollup_ids *ids)
{
    LP_VEC_FINI(&ids->kept);
    LP_VEC_FINI(&ids->dropped);
    LP_VEC_FINI(&ids->traces);
    LP_VEC_FINI(&ids->before);
}

LP_COMPARE(compare_hashes, uint64_t, LP_ORDER(*one, *other))

// order puts hashes in order, each once, and returns how many are left.
static size_t
order(uint64_t *hashes, size_t count)
{
    size_t left = 0;
    LP_QSORT(hashes, count, compare_hashes);
    for (size_t i = 0; i < count; i++) {
        if (left == 0 || hashes[left - 1] != hashes[i]) {
            hashes[left++] = hashes[i];
        }
    }
    return left;
}

void
rollup_ids_tidy(rollup_ids *ids)
{
    size_t left = 0;
    size_t at = 0; // the first of the kept ones that is not below the dropped one at hand
    ids->kept.count = order(ids->kept.items, ids->kept.count);
    ids->dropped.count = order(ids->dropped.items, ids->dropped.count);
    ids->traces.count = order(ids->traces.items, ids->traces.count);
    ids->before.count = order(ids->before.items, ids->before.count);
    for (size_t i = 0; i < ids->dropped.count; i++) {
        uint64_t hash = ids->dropped.items[i];
        while (at < ids->kept.count && ids->kept.items[at] < hash) {
            at++;
        }
        if (at == ids->kept.count || ids->kept.items[at] != hash) {
            ids->dropped.items[left++] = hash;
        }
    }
    ids->dropped.count = left;
}

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

// lower_word returns eight bytes with the letters of ASCII among them in lower case.
static inline uint64_t
lower_word(uint64_t word)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t low = word & 0x7f * ones;
    uint64_t from_a = low + (0x80 - 'A') * ones; // the high bit of each byte that is 'A' or above
    uint64_t above_z = low + (0x7f - 'Z') * ones;
    uint64_t upper = (from_a ^ above_z) & ~word & 0x80 * ones;
    return word | upper >> 2;
}

static inline uint64_t
add_word(uint64_t hash, uint64_t word)
{
    return lp_hash_number(LP_HASH_FIXED_NUMBER, hash ^ lower_word(le64toh(word)));
}

bool
rollup_id_hash(lp_slice text, uint64_t *out_hash)
{
    LP_REQUIRE(text.len != 0 && text.len <= ROLLUP_ID_BYTES_MAX, false);
    uint64_t hash = lp_hash_number(LP_HASH_FIXED_NUMBER, text.len);
    const uint8_t *at = text.ptr;
    const uint8_t *end = at + text.len;
    uint64_t word;
    for (; end - at >= (ptrdiff_t)sizeof(word); at += sizeof(word)) {
        memcpy(&word, at, sizeof(word));
        hash = add_word(hash, word);
    }
    if (at < end) {
        word = 0;
        memcpy(&word, at, (size_t)(end - at));
        hash = add_word(hash, word);
    }
    *out_hash = hash;
    return true;
}
