// SPDX-License-Identifier: Apache-2.0

// peers: who has how much of what all share, sessions or connections of agents and of HTTP, so that
// nobody takes all of it. A peer is a number: of an address (peers_of_address), or of the name of a
// token.
//
// Each may have so many at a time. Where there is a rate, each may also begin only so many at once,
// and then so many a second.
//
// Threads: one at a time; functions of addresses any thread.
// Tests:   tests/unit/collector/base/test_peers.c

#ifndef LP_COLLECTOR_BASE_PEERS_H
#define LP_COLLECTOR_BASE_PEERS_H

#include "common/base/lp_err.h"
#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

enum {
    PEERS_NONE = 0,           // nobody: has nothing, and no limit
    PEERS_ADDRESS_BYTES = 80, // of the text: one of IPv6 with the name of an interface
};

typedef struct peers_one {
    uint64_t id;
    uint64_t held;   // that it has now
    uint64_t due_ms; // when it will have begun none for so long that it may begin begin_max again
} peers_one;

// {.held_max = n} knows nobody, and has no rate.
typedef struct peers {
    uint64_t held_max;  // of one peer
    uint64_t begin_max; // at once, of one peer; 0: there is no rate
    uint64_t begin_ms;  // after which it may begin another one
    lp_map by_id;       // to items
    LP_VEC(peers_one) items;
} peers;

void peers_fini(peers *all);

// peers_of_address returns the number of an address: that of a host in IPv4, of a network of 64
// bits in IPv6, and of this machine for everything else.
uint64_t peers_of_address(const struct sockaddr *address);

// peers_format_address writes an address, without a port, for people. NULL: it is not known.
void peers_format_address(const struct sockaddr *address, char out_text[PEERS_ADDRESS_BYTES]);

// peers_find_address returns whether the other side of a connection is still there, and its
// address.
bool peers_find_address(int fd, struct sockaddr_storage *out_address);

// peers_of_name returns that of the name of a token; PEERS_NONE for "".
uint64_t peers_of_name(const char *name);

// peers_get_held returns how many a peer has.
uint64_t peers_get_held(const peers *all, uint64_t id);

// peers_has_room returns whether a peer may have one more.
bool peers_has_room(const peers *all, uint64_t id);

// peers_may_begin returns whether a peer may begin a new one now.
bool peers_may_begin(const peers *all, uint64_t id, uint64_t now_ms);

// peers_note_begin counts one that was begun.
void peers_note_begin(peers *all, uint64_t id, uint64_t now_ms);

// peers_hold notes that a peer has one more, over the limit as well. Where memory is short it is
// not counted, and peers_release does nothing. peers_release notes that it has one less.
void peers_hold(peers *all, uint64_t id);
void peers_release(peers *all, uint64_t id);

// peers_move has what *held has be to's. Either may be PEERS_NONE.
void peers_move(peers *all, uint64_t *held, uint64_t to);

// peers_forget forgets peers of which there is nothing to know any more. Now and then.
void peers_forget(peers *all, uint64_t now_ms);

#endif // LP_COLLECTOR_BASE_PEERS_H
