// SPDX-License-Identifier: Apache-2.0
// completions: attribute values that become known after their contexts have begun.
//
// A context type that completes another one (ctx_record.h) begins no contexts. Each of its records
// has a key and a text: every known context of the completed type with this key gets the text,
// whatever the context's thread and begin.
//
// Types of hand-overs and of roots begin no contexts, either. Their records are signs: they
// describe requests, and no context depends on them.
//
// Threads: one thread at a time.

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_buf.h"
#include "common/context/ctx_record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct compact_completion {
    uint64_t key;
    uint32_t text_offset; // into texts, which has the bytes of the record
    uint32_t text_bytes;
    uint16_t type_id; // of the type that completes
} compact_completion;

// A record of hand-overs or of roots.
typedef struct compact_sign {
    uint64_t number; // counts the signs of a session in the order of their records, from 1
    int64_t ticks;
    int64_t thread_id;
    uint64_t values[2]; // of the record
    uint16_t type_id;
} compact_sign;

typedef LP_VEC(compact_sign) compact_signs;

// Empty if only arena is set.
typedef struct compact_completions {
    lp_arena *arena;       // owns items; fails if memory runs out
    const ctx_type *types; // the types that begin no contexts; borrowed, set by the caller
    size_t type_count;
    LP_VEC(compact_completion) items; // in the order of their records
    compact_signs signs;              // in the order of their records
    uint64_t next_sign;               // number of the next sign
    lp_buf texts;
    uint64_t damaged_count; // records without a key or a text, and signs without their values
} compact_completions;

void compact_completions_fini(compact_completions *completions);

// compact_completions_has returns whether records of the type with this id begin no contexts.
bool compact_completions_has(const compact_completions *completions, uint16_t type_id);

// compact_completions_add adds the completion or the sign in a record that begins no context, or
// counts the record as damaged. values are the bytes after the header. Returns false and adds
// nothing if the texts would exceed 4 GiB.
bool compact_completions_add(
    compact_completions *completions, const ctx_record_header *header, lp_slice values);

// compact_completions_skip counts a skipped record if it is a sign, and ignores all other records.
void compact_completions_skip(compact_completions *completions, uint16_t type_id);
