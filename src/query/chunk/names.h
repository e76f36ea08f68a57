// SPDX-License-Identifier: Apache-2.0
// names: the texts of a query (types, threads, frames), each of which is there once and has a
// number. Chunks have keys of their own for the same names; rows of all chunks have these numbers.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/run/test_run.c
// Memory:  QUERY_NAMES_BYTES_MAX of texts, and some 50 bytes for each.

#ifndef LP_QUERY_NAMES_H
#define LP_QUERY_NAMES_H

#include "common/base/lp_arena.h"
#include "common/base/lp_names.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    QUERY_NAMES_MAX = 1 << 20,
    QUERY_NAMES_BYTES_MAX = 64 << 20,
    QUERY_NAME_NONE = 0, // the number of ""
};

// {0} has no names yet.
typedef struct query_names {
    lp_arena arena;
    lp_names names;
    uint64_t bytes;
    bool is_truncated; // there were more: these are ""
} query_names;

void query_names_fini(query_names *names);

// query_names_add returns the number of a name. Where memory runs out, names->arena fails.
uint32_t query_names_add(query_names *names, const char *name);

// query_names_text returns a name, lent until query_names_fini.
const char *query_names_text(const query_names *names, uint32_t number);

#endif // LP_QUERY_NAMES_H
