// SPDX-License-Identifier: Apache-2.0

// enumerations: the enumerations (jfr_enumeration.h) of the JVMs of a file, and which of the JVMs
// may share them.
//
// An enumeration keeps its keys in a file of several JVMs. Readers take a constant of the same type
// and key from the chunk before, so JVMs share the type only where they agree: a key that two of
// them have means the same in both, and key 0, which would else be null, is defined by both or by
// none. Those that do not agree are of different variants, and get a type each (jfr_union_part).
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/write/test_merge.c
// Memory:  some 40 bytes for each constant, 30 KB for a JVM.

#ifndef LP_ENGINE_WRITE_ENUMERATIONS_H
#define LP_ENGINE_WRITE_ENUMERATIONS_H

#include "common/base/lp_arena.h"
#include "common/base/lp_err.h"
#include "common/base/lp_map.h"
#include "common/base/lp_names.h"
#include "common/base/lp_vec.h"
#include "engine/read/view.h"
#include "engine/show/constants.h"

#include <stddef.h>
#include <stdint.h>

// A zeroed one is empty.
typedef struct compact_enumerations {
    lp_arena arena;
    LP_VEC(struct compact_enumeration {
        uint32_t name; // of the type, in names
        uint32_t source;
        LP_VEC(struct compact_enumeration_constant {
            uint64_t key;
            uint32_t text; // indexes texts
        })
        constants;
        lp_map by_key; // key to text
        uint32_t variant;
    })
    items;
    lp_map places;           // name and source to a place in items
    lp_names names;          // of types, in arena
    compact_constants texts; // each one once
} compact_enumerations;

void compact_enumerations_fini(compact_enumerations *enumerations);

// compact_enumerations_add adds the enumerations of a chunk of source. Where a key is defined
// twice, the first definition counts.
void compact_enumerations_add(
    compact_enumerations *enumerations, uint32_t source, const compact_view *view);

// compact_enumerations_compare finds the variants, once all chunks are added.
void compact_enumerations_compare(compact_enumerations *enumerations);

// compact_enumerations_err returns LP_ENOMEM if memory ran out in any function here.
LP_MUST_USE lp_err compact_enumerations_err(const compact_enumerations *enumerations);

// compact_enumerations_variant returns the variant of the enumerations of this name in source.
uint32_t compact_enumerations_variant(
    const compact_enumerations *enumerations, const char *name, uint32_t source);

#endif // LP_ENGINE_WRITE_ENUMERATIONS_H
