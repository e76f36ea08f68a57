// SPDX-License-Identifier: Apache-2.0

// memory_plan: the division of the collector's memory (--memory) into parts with their own limits,
// so that no part takes memory from, or waits for, another. The last quarter is for everything
// small or bounded by itself: sessions, the index of ids, the catalog's pages, connections,
// answers, and free memory that malloc keeps.
//
// Threads: any thread; pure.
// Tests:   tests/unit/collector/base/test_memory_room.c

#pragma once

#include <stdint.h>

enum {
    MEMORY_PLAN_BYTES_LEAST = 128 << 20,
    MEMORY_PLAN_KEPT_MAX = 4 << 20, // bytes, of malloc_kept
};

typedef struct memory_plan {
    uint64_t jobs;      // compactions and snapshots, by their estimates (memory_room.h)
    uint64_t snapshots; // finished ones that are being read (snapshot.h)
    // Queries and rewritten downloads put blocks of at least this size into files (lp_large.h).
    uint64_t question_block;
    uint64_t received; // incoming messages of agents; messages that wait to be sent to a log take
                       // as much again, from the last quarter
    uint64_t policies; // of chunks, each once (policy_cache.h)
    uint64_t early;    // batches received before one with a lower number
    // The number of agents' TLS connections, in the last quarter. Each takes some 11 KB, and 17 KB
    // more while it has received part of a record.
    uint64_t tls_connections;
    // The free memory that malloc keeps for each thread, in the last quarter.
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
