// SPDX-License-Identifier: Apache-2.0

// lp_ranges: a set of numbers, stored as disjoint ranges: "0-4,9" holds six numbers. {0} is the
// empty set. Up to two ranges, as most sets have, need no allocation.
//
// A set holds at most LP_RANGES_MAX ranges, or fewer if memory runs out. A set that would exceed
// this limit drops its highest range. So a set may lack numbers that were added, but never has
// others. Numbers below the first gap are always complete. lp_ranges_count_left_out counts dropped
// ranges.
//
// Threads: one thread at a time for each set.
// Tests:   tests/unit/common/base/test_lp_ranges.c

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LP_RANGES_MAX = 128, // a session has about five
    LP_RANGES_FEW = 2,
};

typedef struct lp_range {
    uint64_t begin;
    uint64_t end; // the number behind the last; above begin
} lp_range;

typedef struct lp_ranges {
    size_t count;
    size_t capacity; // of `more`
    lp_range *more;  // the ranges, in order; NULL: they are in `few`
    lp_range few[LP_RANGES_FEW];
} lp_ranges;

// lp_ranges_fini leaves the set empty.
void lp_ranges_fini(lp_ranges *set);

// Adds (removes) the numbers in [begin, end), if end is above begin.
void lp_ranges_add(lp_ranges *set, uint64_t begin, uint64_t end);
void lp_ranges_remove(lp_ranges *set, uint64_t begin, uint64_t end);

// lp_ranges_unite adds the numbers of other, lp_ranges_subtract removes them, and
// lp_ranges_intersect removes the numbers that other lacks. set and other must differ.
void lp_ranges_unite(lp_ranges *set, const lp_ranges *other);
void lp_ranges_subtract(lp_ranges *set, const lp_ranges *other);
void lp_ranges_intersect(lp_ranges *set, const lp_ranges *other);

// lp_ranges_copy returns a copy, which the caller ends. If memory runs out, the copy lacks the
// highest ranges.
lp_ranges lp_ranges_copy(const lp_ranges *set);

bool lp_ranges_is_empty(const lp_ranges *set);

// Return the number of elements, in all or in [begin, end).
uint64_t lp_ranges_count(const lp_ranges *set);
uint64_t lp_ranges_count_in(const lp_ranges *set, uint64_t begin, uint64_t end);

// lp_ranges_overlaps returns whether the set has a number in [begin, end).
bool lp_ranges_overlaps(const lp_ranges *set, uint64_t begin, uint64_t end);

// lp_ranges_first returns the lowest number, or `none`. lp_ranges_end returns the highest plus one,
// or 0. lp_ranges_first_gap returns the lowest number from `from` on that is not in the set.
uint64_t lp_ranges_first(const lp_ranges *set, uint64_t none);
uint64_t lp_ranges_end(const lp_ranges *set);
uint64_t lp_ranges_first_gap(const lp_ranges *set, uint64_t from);

// lp_ranges_format writes a set as text. It ends with ",..." if the set does not fit. text_bytes is
// at least 64.
void lp_ranges_format(const lp_ranges *set, char *out_text, size_t text_bytes);

// lp_ranges_bytes lends a set as bytes until it changes: for each range, in order, begin and end as
// 8 bytes each, the lowest byte first. lp_ranges_read reads such bytes into a set, which the caller
// ends. If they hold more than LP_RANGES_MAX ranges, it drops the highest.
// Errors: LP_ECORRUPT if bytes have another format; *out_set is then empty
lp_slice lp_ranges_bytes(const lp_ranges *set);
LP_MUST_USE lp_err lp_ranges_read(lp_slice bytes, lp_ranges *out_set);

// lp_ranges_count_left_out returns the number of ranges that this process dropped. Any thread.
uint64_t lp_ranges_count_left_out(void);
