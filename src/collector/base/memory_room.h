// SPDX-License-Identifier: Apache-2.0

// memory_room: a limit on the memory of jobs, and a queue of the jobs that wait for theirs.
//
// A job reserves an estimate before it starts; its real use is not measured. Jobs of a rank are
// admitted in the order in which they ask, even if a later job would fit sooner: small jobs cannot
// starve a large one.
//
// Jobs have three ranks: narrow (snapshots of one session, for a reader), then compactions, then
// wide (snapshots of many sessions). Each rank has its own queue; earlier ranks are admitted first.
// Wide jobs get at most half of the room, and wide jobs and compactions together three quarters.
// A narrow job or a compaction is admitted at once if it is the only one of its rank, so that only
// wide jobs can starve.
//
// A job that needs more than its reservation uses files instead (lp_large.h).
//
// Threads: the loop that owns it.
// Tests:   tests/unit/collector/base/test_memory_room.c

#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum memory_room_rank {
    MEMORY_ROOM_NARROW,
    MEMORY_ROOM_COMPACTION,
    MEMORY_ROOM_WIDE,
    MEMORY_ROOM_RANK_COUNT
} memory_room_rank;

// A job's place in the room, embedded in the job. next belongs to the room.
typedef struct memory_room_user {
    uint64_t bytes; // at least 1; the room lowers it to the limit of the rank
    memory_room_rank rank;
    void (*on_room)(void *arg);
    void *arg;
    struct memory_room_user *next;
} memory_room_user;

typedef struct memory_room_queue {
    uint64_t bytes; // taken by jobs of the rank
    memory_room_user *first;
    memory_room_user *last;
} memory_room_queue;

// {.bytes_max = n} is an empty room.
typedef struct memory_room {
    uint64_t bytes_max;
    uint64_t bytes; // taken
    bool is_admitting;
    memory_room_queue ranks[MEMORY_ROOM_RANK_COUNT];
} memory_room;

// memory_room_ask calls on_room once user->bytes are reserved, possibly before it returns. Borrows
// user until on_room is called.
void memory_room_ask(memory_room *room, memory_room_user *user);

// memory_room_suffices raises the user's reservation to bytes if there is room. It returns false if
// the reservation is still smaller, or if all reservations together exceed the room: then the job
// has to use files. on_room calls it.
bool memory_room_suffices(memory_room *room, memory_room_user *user, uint64_t bytes);

// memory_room_leave releases the reservation of an admitted user. Before it returns, it may admit
// other users.
void memory_room_leave(memory_room *room, const memory_room_user *user);
