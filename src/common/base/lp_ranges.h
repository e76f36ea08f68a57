// SPDX-License-Identifier: Apache-2.0

// lp_ranges: a set of numbers, as ranges that lie apart: "0-4,9" has six of them. A zeroed one is
// the empty set. What has two ranges or one, as nearly all have, takes no memory besides.
//
// A set has LP_RANGES_MAX ranges at most, or as many as there is memory for. Where it would get one
// more it leaves out its highest: it may then lack numbers, and never has one that was not added.
// What lies below the first gap is always right. lp_ranges_count_left_out counts these ranges.
//
// Threads: one thread at a time for each set.
// Tests:   tests/unit/common/base/test_lp_ranges.c

#ifndef LP_COMMON_BASE_LP_RANGES_H
#define LP_COMMON_BASE_LP_RANGES_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LP_RANGES_MAX = 128, // of a set; those of a session have a handful
    LP_RANGES_FEW = 2,
};

typedef struct lp_range {
    uint64_t begin;
    uint64_t end; // the number behind the last; above begin
} lp_range;

typedef struct lp_ranges {
    size_t count;
    size_t capacity; // of more
    lp_range *more;  // they are there, in order; NULL: in few
    lp_range few[LP_RANGES_FEW];
} lp_ranges;

// lp_ranges_fini leaves the set empty.
void lp_ranges_fini(lp_ranges *set);

// Adds (removes) the numbers in [begin, end): none where end is not above begin.
void lp_ranges_add(lp_ranges *set, uint64_t begin, uint64_t end);
void lp_ranges_remove(lp_ranges *set, uint64_t begin, uint64_t end);

// lp_ranges_unite adds the numbers of other, lp_ranges_subtract removes them, and
// lp_ranges_intersect removes all others. other is not set itself.
void lp_ranges_unite(lp_ranges *set, const lp_ranges *other);
void lp_ranges_subtract(lp_ranges *set, const lp_ranges *other);
void lp_ranges_intersect(lp_ranges *set, const lp_ranges *other);

// lp_ranges_copy returns a copy, for the caller to end. It lacks the highest ranges where memory is
// short, as with lp_ranges_add.
lp_ranges lp_ranges_copy(const lp_ranges *set);

bool lp_ranges_is_empty(const lp_ranges *set);

// Counts the numbers; those in [begin, end), none where end is not above begin.
uint64_t lp_ranges_count(const lp_ranges *set);
uint64_t lp_ranges_count_in(const lp_ranges *set, uint64_t begin, uint64_t end);

// lp_ranges_overlaps returns whether there is a number in [begin, end).
bool lp_ranges_overlaps(const lp_ranges *set, uint64_t begin, uint64_t end);

// lp_ranges_first returns the lowest number, `none` where there is none; lp_ranges_end the one
// behind the highest, 0 where there is none; lp_ranges_first_gap the lowest from a
// number on that is not there.
uint64_t lp_ranges_first(const lp_ranges *set, uint64_t none);
uint64_t lp_ranges_end(const lp_ranges *set);
uint64_t lp_ranges_first_gap(const lp_ranges *set, uint64_t from);

// lp_ranges_format writes a set as text, as above, and ends with ",..." where there is no room for
// all of it. text_bytes has to be 64 at least.
void lp_ranges_format(const lp_ranges *set, char *out_text, size_t text_bytes);

// lp_ranges_bytes lends a set's bytes, until it changes: its ranges in order, of each begin and end
// as 8 bytes, the lowest first. lp_ranges_read makes a set of them, for the caller to end: of more
// than LP_RANGES_MAX, the lowest.
// Errors: LP_ECORRUPT they are none; the set is empty
lp_slice lp_ranges_bytes(const lp_ranges *set);
LP_MUST_USE lp_err lp_ranges_read(lp_slice bytes, lp_ranges *out_set);

// lp_ranges_count_left_out returns how many ranges the sets of this process have left out so far.
// Any thread may ask.
uint64_t lp_ranges_count_left_out(void);

#endif // LP_COMMON_BASE_LP_RANGES_H
