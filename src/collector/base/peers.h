// SPDX-License-Identifier: Apache-2.0

// peers: limits for each peer on sessions and on connections of agents and of HTTP, so that no peer
// takes all of them. A peer is a number made of an address (peers_of_address) or a token's name.
//
// A peer may hold held_max at a time. If there is a rate (begin_max is not 0), a peer may begin
// begin_max at once, and then one every begin_ms.
//
// Threads: one at a time; functions of addresses any thread.
// Tests:   tests/unit/collector/base/test_peers.c

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

enum {
    PEERS_NONE = 0,           // no peer: holds nothing, has no limit
    PEERS_ADDRESS_BYTES = 80, // of the text: IPv6 with the name of an interface
};

typedef struct peers_one {
    uint64_t id;
    uint64_t held;   // now
    uint64_t due_ms; // when it may begin begin_max at once again
} peers_one;

// {.held_max = n} has no peers and no rate.
typedef struct peers {
    uint64_t held_max;  // of one peer
    uint64_t begin_max; // at once, of one peer; 0: no rate
    uint64_t begin_ms;  // between two begins
    lp_map by_id;       // id to index in items
    LP_VEC(peers_one) items;
} peers;

void peers_fini(peers *all);

// peers_of_address returns the number of a host in IPv4, of a network of 64 bits in IPv6, or of
// this machine for all other addresses.
uint64_t peers_of_address(const struct sockaddr *address);

// peers_format_address writes an address without its port, for messages. NULL: unknown.
void peers_format_address(const struct sockaddr *address, char out_text[PEERS_ADDRESS_BYTES]);

// peers_find_address writes the address of the other side. False if the connection is closed.
bool peers_find_address(int fd, struct sockaddr_storage *out_address);

// peers_of_name returns the number of a token's name; PEERS_NONE for "".
uint64_t peers_of_name(const char *name);

uint64_t peers_get_held(const peers *all, uint64_t id);

// peers_has_room returns whether a peer may hold another session or connection.
bool peers_has_room(const peers *all, uint64_t id);

// peers_may_begin returns whether the rate lets a peer begin another session or connection now.
bool peers_may_begin(const peers *all, uint64_t id, uint64_t now_ms);

void peers_note_begin(peers *all, uint64_t id, uint64_t now_ms);

// peers_hold adds one to what a peer holds, even beyond its limit, and peers_release subtracts one.
// If memory runs out neither counts.
void peers_hold(peers *all, uint64_t id);
void peers_release(peers *all, uint64_t id);

// peers_move moves one session or connection from the peer *held to the peer `to`, and sets *held.
// Either peer may be PEERS_NONE.
void peers_move(peers *all, uint64_t *held, uint64_t to);

// peers_forget removes the peers that hold nothing and may begin begin_max. Call it now and then.
void peers_forget(peers *all, uint64_t now_ms);
