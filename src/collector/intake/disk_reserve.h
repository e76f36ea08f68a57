// SPDX-License-Identifier: Apache-2.0

// disk_reserve: puts batches off while too little of the file system is free. The reserve is for
// compacting, committing and reading accepted batches.
//
// It begins when less than the reserve is free, and ends when an eighth more than the reserve is. A
// reserve is at most an eighth of the file system. There is also a reserve of inodes.
//
// Threads: the loop that owns it; disk_reserve_explain any thread.
// Tests:   tests/unit/collector/intake/test_disk_reserve.c, tests/e2e/full_disk.py

#pragma once

#include "common/base/lp_err.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    DISK_RESERVE_LOOK_BYTES = 1 << 20, // written between two looks, at most
    DISK_RESERVE_FILES = 256,          // inodes to keep free
};

// {.path, .bytes} has not looked yet.
typedef struct disk_reserve {
    const char *path; // of the data directory; borrowed
    uint64_t bytes;   // to keep free; 0: none
    uint64_t written_bytes;
    atomic_bool is_short;
    atomic_bool is_of_files;   // inodes are short, or were last, and bytes are not
    atomic_uint_fast64_t free; // bytes or inodes at the last look; relaxed
} disk_reserve;

// disk_reserve_decide returns whether batches are put off, by bytes or by inodes. was_short: they
// are now.
bool disk_reserve_decide(uint64_t reserve, uint64_t all, uint64_t free, bool was_short);

// disk_reserve_look measures the free space, and logs a change.
void disk_reserve_look(disk_reserve *reserve);

// disk_reserve_admit counts bytes, and returns whether they may be journaled.
bool disk_reserve_admit(disk_reserve *reserve, uint64_t bytes);

// disk_reserve_explain returns whether batches are put off, and sets out_problem then, without the
// path: agents see it.
bool disk_reserve_explain(const disk_reserve *reserve, lp_problem *out_problem);
