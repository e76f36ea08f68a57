// SPDX-License-Identifier: Apache-2.0

// disk_reserve: defers batches while too little space of the file system is free. The reserved
// space serves to compact, commit and read accepted batches.
//
// Deferring begins when less than the reserve is free, and ends when nine eighths of the reserve
// are free. The reserve is at most an eighth of the file system. Inodes have a reserve, too.
//
// Threads: the loop that owns it; disk_reserve_explain on any thread.
// Tests:   tests/unit/collector/intake/test_disk_reserve.c, tests/e2e/full_disk.py

#pragma once

#include "common/base/lp_err.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    DISK_RESERVE_LOOK_BYTES = 1 << 20, // the most bytes written between two looks
    DISK_RESERVE_FILES = 256,          // inodes to keep free
};

// Initialize with {.path, .bytes}, and relieve and its arg if there are such files.
typedef struct disk_reserve {
    const char *path; // of the data directory; borrowed
    uint64_t bytes;   // to keep free; 0: none
    uint64_t written_bytes;
    atomic_bool is_short;
    atomic_bool is_of_files;   // the last shortage was of inodes, not of bytes
    atomic_uint_fast64_t free; // bytes or inodes at the last look; relaxed
    // Deletes files that can be spared, before any batch is deferred. Returns false if there are
    // none. NULL: never
    bool (*relieve)(void *arg);
    void *arg;
} disk_reserve;

// disk_reserve_decide returns whether batches are deferred, by bytes or by inodes. was_short: they
// are deferred now.
bool disk_reserve_decide(uint64_t reserve, uint64_t all, uint64_t free, bool was_short);

// disk_reserve_look measures the free space, relieves the disk if it is short, and logs a change.
void disk_reserve_look(disk_reserve *reserve);

// disk_reserve_admit counts bytes to be journaled, and returns whether they may be.
bool disk_reserve_admit(disk_reserve *reserve, uint64_t bytes);

// disk_reserve_explain returns whether batches are deferred. If so, it sets *out_problem, without
// the path: agents see it.
bool disk_reserve_explain(const disk_reserve *reserve, lp_problem *out_problem);
