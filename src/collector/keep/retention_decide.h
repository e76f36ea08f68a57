// SPDX-License-Identifier: Apache-2.0

// retention_decide: which chunks, and which files that were put aside, are not kept any longer.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/keep/test_retention_decide.c

#ifndef LP_COLLECTOR_SERVER_RETENTION_DECIDE_H
#define LP_COLLECTOR_SERVER_RETENTION_DECIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A chunk, or a file that was put aside, that may go.
typedef struct retention_candidate {
    size_t service; // index
    int64_t start_wall_ns;
    int64_t end_wall_ns;
    uint64_t bytes;
    bool has_more; // its service has later ones that are no candidates
    size_t aside;  // 0: it is a chunk; else 1 + which of the files
    bool goes;     // the decision
} retention_candidate;

typedef struct retention_service {
    uint64_t bytes;     // of all its chunks; after the decision, of those that stay
    int64_t age_ns_max; // INT64_MAX: any
    uint64_t bytes_max; // UINT64_MAX: any
} retention_service;

// retention_decide decides which of the candidates go. They are in the order of their starts, and
// those of a service are its first. bytes_max is of all services together. Returns how many go.
size_t retention_decide(retention_candidate *candidates, size_t count, retention_service *services,
    size_t service_count, uint64_t bytes_max, int64_t now_wall_ns);

#endif // LP_COLLECTOR_SERVER_RETENTION_DECIDE_H
