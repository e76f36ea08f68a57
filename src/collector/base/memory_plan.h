// SPDX-License-Identifier: Apache-2.0

// memory_plan: how the memory that the collector may take (--memory) is divided. Each part has its
// own limit, so that none can take another's, and no part waits for another. The last quarter is
// for everything that is small or bounded by itself: sessions, the index of ids, the catalog's
// pages, connections, answers, and what malloc holds back.
//
// Threads: any thread; pure.
// Tests:   tests/unit/collector/base/test_memory_room.c

#ifndef LP_COLLECTOR_BASE_MEMORY_PLAN_H
#define LP_COLLECTOR_BASE_MEMORY_PLAN_H

#include <stdint.h>

enum {
    MEMORY_PLAN_BYTES_LEAST = 128 << 20,
    MEMORY_PLAN_KEPT_MAX = 4 << 20, // bytes
};

typedef struct memory_plan {
    uint64_t jobs;      // compactions and snapshots, by their estimates (memory_room.h)
    uint64_t snapshots; // what was made for few readers, and is read (snapshot.h)
    // Questions, and rewritings of downloads: there are few at once, and their blocks of so many
    // bytes and more are in files (lp_large.h).
    uint64_t question_block;
    uint64_t received; // messages of agents that are coming in; with a log in front, what waits to
                       // be sent there has as much of the last quarter
    uint64_t policies; // of chunks, each once (policy_cache.h).
    uint64_t early;    // batches that came before one with a lower number
    // How many connections agents may have by TLS: of the last quarter. One takes some 11 KB, and
    // 17 KB more while a record of it has come in part.
    uint64_t tls_connections;
    // What malloc may keep at the end of each thread's arena for what it allocates next: of the
    // last quarter, too.
    uint32_t malloc_kept;
} memory_plan;

static inline memory_plan
memory_plan_make(uint64_t bytes)
{
    return (memory_plan){
        .jobs = bytes / 2,
        .snapshots = bytes / 32,
        .question_block = bytes / 128,
        .received = bytes / 16,
        .early = bytes / 16,
        .policies = bytes / 32,
        .tls_connections = bytes / (128 << 10),
        .malloc_kept =
            (uint32_t)(bytes / 128 < MEMORY_PLAN_KEPT_MAX ? bytes / 128 : MEMORY_PLAN_KEPT_MAX),
    };
}

#endif // LP_COLLECTOR_BASE_MEMORY_PLAN_H
