// SPDX-License-Identifier: Apache-2.0
// jfr_tails: which values end like one before, as stack traces do, most of which have their callers
// in common with others. What is known of the bytes they share need not be found again.
//
// Values are known by what they end with: 64 bytes, 128, and so on, each of which has a hash. The
// one that was met with the longest such end is compared byte by byte, so a hash that two ends
// share costs time, but not more.
//
// Threads: one thread at a time.
// Memory:  64 KiB.

#ifndef LP_COMMON_JFR_JFR_TAILS_H
#define LP_COMMON_JFR_JFR_TAILS_H

#include "common/base/lp_slice.h"

#include <stddef.h>
#include <stdint.h>

enum {
    JFR_TAILS_NONE = UINT32_MAX, // not a value's number
    JFR_TAILS_SLOT_BITS = 13,
};

// {0} knows of no value.
typedef struct jfr_tails {
    struct jfr_tails_slot {
        uint32_t hash;
        uint32_t number; // of the value, and 1; 0: the slot is free
    } slots[1 << JFR_TAILS_SLOT_BITS];
} jfr_tails;

// jfr_tails_add notes a value under a number below JFR_TAILS_NONE. Returns the number of another
// one that probably ends like it, JFR_TAILS_NONE if none is known.
uint32_t jfr_tails_add(jfr_tails *tails, lp_slice value, uint32_t number);

// jfr_tails_shared returns how many bytes at the end of a and of b are the same.
size_t jfr_tails_shared(lp_slice a, lp_slice b);

#endif // LP_COMMON_JFR_JFR_TAILS_H
