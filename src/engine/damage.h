// SPDX-License-Identifier: Apache-2.0
// damage: what of a chunk could not be read, and why.
//
// Threads: one thread at a time.

#ifndef LP_ENGINE_DAMAGE_H
#define LP_ENGINE_DAMAGE_H

#include "common/base/lp_err.h"

#include <stddef.h>
#include <stdint.h>

enum { COMPACT_DAMAGE_NOTES_MAX = 16 }; // a chunk of garbage would have no end of them

// A place that could not be read.
typedef struct compact_damage_note {
    lp_problem problem;     // with an offset into the chunk
    uint64_t skipped_bytes; // from there on
} compact_damage_note;

typedef struct compact_damage {
    struct {
        size_t count;
        compact_damage_note items[COMPACT_DAMAGE_NOTES_MAX];
    } notes;                // the first of them
    uint64_t place_count;   // all of them
    uint64_t skipped_bytes; // all of them
} compact_damage;

// compact_damage_add notes that skipped_bytes from problem->offset on were left out.
void compact_damage_add(compact_damage *damage, const lp_problem *problem, uint64_t skipped_bytes);

// compact_damage_append adds what other has.
void compact_damage_append(compact_damage *damage, const compact_damage *other);

#endif // LP_ENGINE_DAMAGE_H
