// SPDX-License-Identifier: Apache-2.0
// jfr_tails: finds values with the same ending as an earlier one, such as stack traces that share
// their callers. Results for the shared bytes can be reused.
//
// Values are looked up by hashes of their last 64 bytes, 128, 192 and so on. The caller compares
// the value with the longest matching end byte by byte (jfr_tails_shared), so a collision only
// costs time.
//
// Threads: one thread at a time.
// Memory:  64 KiB.

#pragma once

#include "common/base/lp_slice.h"

#include <stddef.h>
#include <stdint.h>

enum {
    JFR_TAILS_NONE = UINT32_MAX, // not a value's number
    JFR_TAILS_SLOT_BITS = 13,
};

// {0} is empty.
typedef struct jfr_tails {
    struct jfr_tails_slot {
        uint32_t hash;
        uint32_t number; // 1 + the number of the value; 0: the slot is free
    } slots[1 << JFR_TAILS_SLOT_BITS];
} jfr_tails;

// jfr_tails_add adds a value under a number below JFR_TAILS_NONE. Returns the number of an earlier
// value that probably has the same ending, or JFR_TAILS_NONE.
uint32_t jfr_tails_add(jfr_tails *tails, lp_slice value, uint32_t number);

// jfr_tails_shared returns the number of equal bytes at the end of a and b.
size_t jfr_tails_shared(lp_slice a, lp_slice b);
