// SPDX-License-Identifier: Apache-2.0
// jfr_turns: in which order the JDK's reader makes the parsers of a chunk's types. It takes them
// from a hash table, by their ids, and with each the types of its fields that are in place, not by
// key. A simple type is the exception: it waits for its own turn, and a type that needs it before
// that makes the reader refuse the file ("Unknown primitive type"). So it is the ids that decide
// whether such a type may be in place in another.
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/common/jfr/rewrite/test_jfr_legible.c

#ifndef LP_COMMON_JFR_JFR_TURNS_H
#define LP_COMMON_JFR_JFR_TURNS_H

#include "common/base/lp_err.h"
#include "common/jfr/jfr_metadata.h"

#include <stdbool.h>
#include <stdint.h>

// jfr_turns_hash returns the hash of a type's id. The place in the table is its top bits.
static inline uint64_t
jfr_turns_hash(uint64_t id)
{
    return id * UINT64_C(0x9e3779b97f4a7c15); // jdk.jfr.internal.LongMap
}

// jfr_turns_is_simple returns whether a type (an index) has the attribute simpleType.
bool jfr_turns_is_simple(const jfr_metadata *metadata, uint32_t type);

// jfr_turns_find_late sets out_is_late for those of the simple types whose turn comes after that of
// a type they are in place in, and clears it for all others. If those are not called simple, the
// reader comes to all in time. is_gone is for types that the reader does not get to see. All of
// them are parallel to metadata->types.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err jfr_turns_find_late(
    const jfr_metadata *metadata, const bool *is_gone, const bool *is_simple, bool *out_is_late);

#endif // LP_COMMON_JFR_JFR_TURNS_H
