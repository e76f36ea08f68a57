// SPDX-License-Identifier: Apache-2.0
// jfr_turns: the order in which the JDK's reader makes the parsers of a chunk's types. The reader
// iterates over a hash table by type id. With each type it makes the parsers of the types of the
// inline fields. A simple type is the exception: it waits for its own turn, and a type that needs
// it earlier makes the reader reject the file ("Unknown primitive type"). So the ids decide whether
// such a type may be inline in another.
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/common/jfr/rewrite/test_jfr_legible.c

#pragma once

#include "common/base/lp_err.h"
#include "common/jfr/jfr_metadata.h"

#include <stdbool.h>
#include <stdint.h>

// jfr_turns_hash returns the hash of a type id. Its top bits are the place in the table.
static inline uint64_t
jfr_turns_hash(uint64_t id)
{
    return id * UINT64_C(0x9e3779b97f4a7c15); // jdk.jfr.internal.LongMap
}

// jfr_turns_is_simple returns whether a type (an index) has the attribute simpleType.
bool jfr_turns_is_simple(const jfr_metadata *metadata, uint32_t type);

// jfr_turns_find_late sets out_is_late for each simple type whose turn comes after the turn of a
// type with an inline field of it, and clears out_is_late for all other types. Once the late types
// lose simpleType, the reader makes all parsers in time. is_gone marks types that the reader will
// not see. All arrays are parallel to metadata->types.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err jfr_turns_find_late(
    const jfr_metadata *metadata, const bool *is_gone, const bool *is_simple, bool *out_is_late);
