// SPDX-License-Identifier: Apache-2.0

// memory_room: so many bytes for jobs, and a queue of those that wait for theirs.
//
// Who takes room says beforehand how much. It is an estimate: nothing measures what a job really
// takes. Jobs get room in the order in which they ask, also where a later one would fit sooner, so
// that none waits for ever.
//
// There are three ranks of jobs: narrow ones, for which somebody waits who asked for little, then
// compactions, then wide ones. Each rank has a queue of its own, which goes before those of the
// later ones. Wide ones have no more than half of the room, and with compactions no more than three
// quarters, so that room is left for whoever comes before them. A narrow job and a compaction that
// are the only ones of their rank wait for nobody, so that no rank waits for ever but the last.
//
// A job that needs more than its rank may have, or comes in where there is not enough, has to find
// another place for what it needs (lp_large.h).
//
// Threads: the loop that owns it.
// Tests:   tests/unit/collector/base/test_memory_room.c

#ifndef LP_COLLECTOR_BASE_MEMORY_ROOM_H
#define LP_COLLECTOR_BASE_MEMORY_ROOM_H

#include <stdbool.h>
#include <stdint.h>

typedef enum memory_room_rank {
    MEMORY_ROOM_NARROW,
    MEMORY_ROOM_COMPACTION,
    MEMORY_ROOM_WIDE,
    MEMORY_ROOM_RANK_COUNT
} memory_room_rank;

// One job; embedded in it. The last member is the room's own.
typedef struct memory_room_user {
    uint64_t bytes; // at least 1; the room makes it what the rank may have at most
    memory_room_rank rank;
    void (*on_room)(void *arg);
    void *arg;
    struct memory_room_user *next;
} memory_room_user;

// The jobs of a rank.
typedef struct memory_room_queue {
    uint64_t bytes; // that are taken
    memory_room_user *first;
    memory_room_user *last;
} memory_room_queue;

// The room. {.bytes_max = n} is an empty one.
typedef struct memory_room {
    uint64_t bytes_max;
    uint64_t bytes; // that are taken
    bool is_admitting;
    memory_room_queue ranks[MEMORY_ROOM_RANK_COUNT];
} memory_room;

// memory_room_ask takes user->bytes, and calls on_room once they are there, possibly before it
// returns. Borrows user until then.
void memory_room_ask(memory_room *room, memory_room_user *user);

// memory_room_suffices returns whether the room that a user has got is enough for bytes, which may
// have become more since it asked; where there is room for them it has that, too. Else it has to
// find another place for them. on_room calls it.
bool memory_room_suffices(memory_room *room, memory_room_user *user, uint64_t bytes);

// memory_room_leave gives the bytes of a user back that has had its room. Others may get theirs
// before it returns.
void memory_room_leave(memory_room *room, const memory_room_user *user);

#endif // LP_COLLECTOR_BASE_MEMORY_ROOM_H
