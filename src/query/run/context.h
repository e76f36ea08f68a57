// SPDX-License-Identifier: Apache-2.0
// context: a context of a session, and the order and nesting of a session's contexts.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/run/test_run.c

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    QUERY_NESTING_MAX = 64,        // open contexts that are considered as parents
    QUERY_NO_CONTEXT = UINT32_MAX, // not an index
};

typedef struct query_context {
    int64_t begin;        // ticks; begin and end are inclusive
    int64_t end;          // ticks
    uint64_t thread;      // identity
    uint64_t thread_key;  // in the chunk
    uint64_t id;          // of all its parts; 0: it has one part
    int64_t end_max;      // the latest end of its thread's contexts up to this one
    uint32_t chunk;       // index in the session of the chunk with its (last) event
    uint32_t offset;      // of that event
    uint32_t begin_chunk; // with its first event; begin is on this chunk's clock
    uint32_t type;        // in names
    union {
        uint32_t parent;  // index of the innermost selected context around it, or QUERY_NO_CONTEXT
        uint32_t request; // index of the request of a stay or part
    };
    uint32_t base_parent; // index of the innermost base context around it, or QUERY_NO_CONTEXT
    uint32_t attributes;  // index of the first (attributes.h), if the question wants them
    uint32_t thread_name; // in names, if the question wants them
    uint8_t attribute_count;
    uint8_t in; // QUERY_IN_.. bits of the selections that want it
} query_context;

typedef LP_VEC(query_context) query_context_list;

// query_context_sort sorts by thread, then begin, outer ones first. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_context_sort(query_context_list *contexts);

// query_context_find_end_max sets end_max of sorted contexts.
void query_context_find_end_max(query_context_list *contexts);

// query_context_nest finds among sorted contexts the parents of those with bit, QUERY_IN_SELECTION
// or QUERY_IN_BASE, that have the bit, too. Returns false if there were more than QUERY_NESTING_MAX
// open contexts: then some parents are unknown.
bool query_context_nest(query_context_list *contexts, uint8_t bit);
