// SPDX-License-Identifier: Apache-2.0
// damage: the unreadable places of a chunk, and why they are unreadable.
//
// Threads: one thread at a time.

#pragma once

#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COMPACT_DAMAGE_NOTES_MAX = 16 }; // a chunk of garbage has any number of damaged places

// A place that could not be read, or a constant that readers cannot print.
typedef struct compact_damage_note {
    lp_problem problem;     // with an offset into the chunk
    uint64_t skipped_bytes; // from the offset on
    bool is_unprintable;    // a constant that refers to a missing one (jfr_printable.h)
} compact_damage_note;

typedef struct compact_damage {
    struct {
        size_t count;
        compact_damage_note items[COMPACT_DAMAGE_NOTES_MAX];
    } notes; // of the first places
    uint64_t place_count;
    uint64_t unprintable_count; // included in place_count
    uint64_t skipped_bytes;
} compact_damage;

// compact_damage_add notes that skipped_bytes were left out from problem->offset on.
void compact_damage_add(compact_damage *damage, const lp_problem *problem, uint64_t skipped_bytes);

// compact_damage_add_unprintable does the same for constants that were left out as unprintable.
void compact_damage_add_unprintable(
    compact_damage *damage, const lp_problem *problem, uint64_t skipped_bytes);

// Which damage makes a chunk an error.
typedef enum compact_refused {
    COMPACT_REFUSED_NONE,       // damaged places are left out
    COMPACT_REFUSED_UNREADABLE, // all damage except unprintable constants, which are left out
    COMPACT_REFUSED_ALL,
} compact_refused;

// compact_damage_refuse returns LP_ECORRUPT if some damage is refused, and sets *problem to the
// first such place; LP_OK otherwise. problem may be NULL.
LP_MUST_USE lp_err compact_damage_refuse(
    const compact_damage *damage, compact_refused refused, lp_problem *problem);

// compact_damage_append adds all damage of other to damage.
void compact_damage_append(compact_damage *damage, const compact_damage *other);
