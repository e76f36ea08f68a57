// SPDX-License-Identifier: Apache-2.0

// memory_room: so many bytes for jobs, and a queue of those that wait for theirs.
//
// Who takes room says beforehand how much. It is an estimate: nothing measures what a job really
// takes. Jobs get room in the order in which they ask, also where a later one would fit sooner, so
// that none waits for ever.
//
// Wide jobs come after all others: they wait in a queue of their own, until no other one does, and
// together they have no more than half of the room. So others have the other half at all times, as
// if there were no wide ones. One that needs more than there is gets its room when no other but
// wide ones have any, a wide one when it is the only one of them; it has to find another place for
// what it needs then (lp_large.h).
//
// Threads: the loop that owns it.
// Tests:   tests/unit/collector/base/test_memory_room.c

#ifndef LP_COLLECTOR_BASE_MEMORY_ROOM_H
#define LP_COLLECTOR_BASE_MEMORY_ROOM_H

#include <stdbool.h>
#include <stdint.h>

// One job; embedded in it. The last member is the room's own.
typedef struct memory_room_user {
    uint64_t bytes; // at least 1; of a wide one the room makes it half of all at most
    bool is_wide;
    void (*on_room)(void *arg);
    void *arg;
    struct memory_room_user *next;
} memory_room_user;

typedef struct memory_room_queue {
    memory_room_user *first;
    memory_room_user *last;
} memory_room_queue;

// The room. {.bytes_max = n} is an empty one.
typedef struct memory_room {
    uint64_t bytes_max;
    uint64_t bytes;      // that are taken
    uint64_t wide_bytes; // of these, by wide ones
    bool is_admitting;
    memory_room_queue wide;
    memory_room_queue others;
} memory_room;

// memory_room_ask takes user->bytes, and calls on_room once they are there, possibly before it
// returns. Borrows user until then.
void memory_room_ask(memory_room *room, memory_room_user *user);

// memory_room_suffices returns whether the room that a user has got is enough for bytes, which may
// have become more since it asked; where there is room for them it has that, too. Else it has to
// find another place for them. To be called from on_room.
bool memory_room_suffices(memory_room *room, memory_room_user *user, uint64_t bytes);

// memory_room_leave gives the bytes of a user back that has had its room. Others may get theirs
// before it returns.
void memory_room_leave(memory_room *room, const memory_room_user *user);

#endif // LP_COLLECTOR_BASE_MEMORY_ROOM_H
