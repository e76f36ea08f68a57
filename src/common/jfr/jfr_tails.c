// SPDX-License-Identifier: Apache-2.0
#include "common/jfr/jfr_tails.h"

#include "common/base/lp_hash.h"
#include "common/jfr/jfr_varint.h"

#include <stdbool.h>

enum { WORD_BYTES = 8, STEP_WORDS = 8, STEP_BYTES = STEP_WORDS * WORD_BYTES };

// hash_step returns the hash of the bytes at at and of what follows them, whose hash is known. The
// products do not wait for each other.
static inline uint64_t
hash_step(const uint8_t *at, uint64_t behind)
{
    uint64_t sum = behind;
    uint64_t factor = LP_HASH_FIXED_NUMBER;
#pragma GCC unroll 8
    for (size_t i = 0; i < STEP_WORDS; i++) {
        sum += jfr_varint_word(at + i * WORD_BYTES) * factor;
        factor *= LP_HASH_FIXED_NUMBER;
    }
    return lp_hash_number(LP_HASH_FIXED_NUMBER, sum);
}

uint32_t
jfr_tails_add(jfr_tails *tails, lp_slice value, uint32_t number)
{
    uint32_t found = 0;
    uint64_t hash = 0;
    for (size_t left = value.len; left >= STEP_BYTES; left -= STEP_BYTES) {
        hash = hash_step(value.ptr + left - STEP_BYTES, hash);
        struct jfr_tails_slot *slot = &tails->slots[hash >> (64 - JFR_TAILS_SLOT_BITS)];
        bool is_own = slot->number == number + 1; // two of its ends may have one hash
        if (slot->hash == (uint32_t)hash && slot->number != 0 && !is_own) {
            found = slot->number;
        } else {
            *slot = (struct jfr_tails_slot){(uint32_t)hash, number + 1};
        }
    }
    return found - 1; // of 0: JFR_TAILS_NONE
}

size_t
jfr_tails_shared(lp_slice a, lp_slice b)
{
    size_t most = a.len < b.len ? a.len : b.len;
    const uint8_t *a_end = a.ptr + a.len;
    const uint8_t *b_end = b.ptr + b.len;
    size_t shared = 0;
    for (; most - shared >= WORD_BYTES; shared += WORD_BYTES) {
        uint64_t differ = jfr_varint_word(a_end - shared - WORD_BYTES) ^
                          jfr_varint_word(b_end - shared - WORD_BYTES);
        if (differ != 0) { // the highest byte is the last
            return shared + (size_t)__builtin_clzll(differ) / 8;
        }
    }
    while (shared < most && a_end[-1 - (ptrdiff_t)shared] == b_end[-1 - (ptrdiff_t)shared]) {
        shared++;
    }
    return shared;
}
