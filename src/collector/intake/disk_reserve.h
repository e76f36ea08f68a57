// SPDX-License-Identifier: Apache-2.0

// disk_reserve: keeps some of the file system free, by putting batches off while there is less:
// what was accepted can be compacted, committed and read then, which needs room itself, and frees
// some.
//
// It begins where less than the reserve is free, and ends where an eighth more than that is. A
// reserve is at most an eighth of the file system. With one there is another of inodes: a file
// system that has no room for another file is as full as one without bytes.
//
// Threads: the loop that owns it; disk_reserve_explain any thread.
// Tests:   tests/unit/collector/intake/test_disk_reserve.c, tests/e2e/full_disk.py

#ifndef LP_COLLECTOR_SERVER_DISK_RESERVE_H
#define LP_COLLECTOR_SERVER_DISK_RESERVE_H

#include "common/base/lp_err.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    DISK_RESERVE_LOOK_BYTES = 1 << 20, // are written between two looks at most
    DISK_RESERVE_FILES = 256,          // inodes that are to stay free
};

// {.path, .bytes} is one that has not looked yet.
typedef struct disk_reserve {
    const char *path; // of the data directory; borrowed
    uint64_t bytes;   // that are to stay free; 0: none
    uint64_t written_bytes;
    atomic_bool is_short;
    atomic_bool is_of_files;   // inodes are short, or were until now, and not bytes
    atomic_uint_fast64_t free; // of that at the last look; orders nothing
} disk_reserve;

// disk_reserve_decide returns whether batches are put off, for bytes as for inodes. was_short:
// whether they were until now.
bool disk_reserve_decide(uint64_t reserve, uint64_t all, uint64_t free, bool was_short);

// disk_reserve_look looks at the file system, and logs where that changes something.
void disk_reserve_look(disk_reserve *reserve);

// disk_reserve_admit returns whether so many bytes may be journaled, which it counts.
bool disk_reserve_admit(disk_reserve *reserve, uint64_t bytes);

// disk_reserve_explain returns whether batches are put off, and then what to say about it to
// anybody: the path is in the log alone.
bool disk_reserve_explain(const disk_reserve *reserve, lp_problem *out_problem);

#endif // LP_COLLECTOR_SERVER_DISK_RESERVE_H
