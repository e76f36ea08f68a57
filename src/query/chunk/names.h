// SPDX-License-Identifier: Apache-2.0
// names: the texts of a query (types, threads, frames). Each text has one number. Each chunk has
// its own keys for texts, but rows (rows.h) of all chunks have these numbers.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/run/test_run.c
// Memory:  QUERY_NAMES_BYTES_MAX of texts, and about 50 bytes for each text.

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_names.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    QUERY_NAMES_MAX = 1 << 20,
    QUERY_NAMES_BYTES_MAX = 64 << 20,
    QUERY_NAME_NONE = 0, // the number of ""
};

// {0} is empty.
typedef struct query_names {
    lp_arena arena;
    lp_names names;
    uint64_t bytes;
    bool is_truncated; // a limit was reached: further names become ""
} query_names;

void query_names_fini(query_names *names);

// query_names_add returns the number of a name. If memory runs out, names->arena fails.
uint32_t query_names_add(query_names *names, const char *name);

// query_names_text returns a name, valid until query_names_fini.
const char *query_names_text(const query_names *names, uint32_t number);
