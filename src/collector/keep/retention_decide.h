// SPDX-License-Identifier: Apache-2.0

// retention_decide: decides which chunks expire, and which files that were put aside.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/keep/test_retention_decide.c

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A chunk, or a file that was put aside, that may expire.
typedef struct retention_candidate {
    size_t service; // index in services
    int64_t start_wall_ns;
    int64_t end_wall_ns;
    uint64_t bytes;
    bool has_more; // its service has later chunks that are no candidates
    bool is_aside;
    size_t source; // only for the caller: index of the chunk or file
    size_t number; // set by the caller: orders equal starts
    bool goes;     // the decision: it expires
} retention_candidate;

typedef struct retention_service {
    uint64_t bytes;     // of all its chunks; after the decision, of the remaining ones
    int64_t age_ns_max; // INT64_MAX: any
    uint64_t bytes_max; // UINT64_MAX: any
} retention_service;

// retention_decide sets `goes` of each candidate. The candidates are sorted by start, and a
// service's candidates are its first chunks. bytes_max limits all services together. Returns the
// number of candidates that expire.
size_t retention_decide(retention_candidate *candidates, size_t count, retention_service *services,
    size_t service_count, uint64_t bytes_max, int64_t now_wall_ns);
