// SPDX-License-Identifier: Apache-2.0
// ship_endpoints: decides which of several collectors an agent uses, and when it moves from one to
// another. It has no clock and no network: the owner passes the time and the state of the
// connection, and dials the returned address.
//
//   ship_endpoints_set(&at, addresses, count); // and again when names have other addresses
//   ship_reason why = ship_endpoints_look(&at, &connection, now_ms);
//   if (why != SHIP_STAYS && (to = ship_endpoints_find(&at, why, now_ms)) != NULL) {
//       ... dial *to
//       ship_endpoints_note_dialled(&at, to, why, now_ms);
//   }
//
// Design notes. Each agent has its own order of the addresses, by a hash of the address and the
// agent's session. So agents are spread evenly over the collectors, and if one fails, its agents
// over the others. An agent always has the same order, independent of the order in which a name
// resolves. Addresses of the family that the system prefers come before the others.
//
// If there is another address, an agent avoids an address for a minute after the address failed or
// its collector asked the agent to leave. If all addresses fail, the agent tries them in turn, and
// stays longer with each round: otherwise slow collectors would keep their agents moving forever.
// Moves because of silence count until a collector was well for SHIP_ENDPOINTS_WELL_MS, moves
// because of refused connections until the next answer. So if one of two collectors is down for
// good and the other restarts now and then, the waits do not grow. The time between two looks
// counts for at most SHIP_ENDPOINTS_LOOK_MS_MAX: a suspended JVM has not waited for its collector.
//
// Threads: one thread at a time.
// Tests:   tests/unit/agent/ship/test_ship_endpoints.c

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SHIP_ADDRESSES_MAX = 64,          // of all collectors; further ones are ignored
    SHIP_ADDRESS_BYTES = 96,          // tls+tcp6://[ADDRESS]:PORT
    SHIP_ENDPOINTS_CONNECT_MS = 1000, // without a connection, before the next address
    SHIP_ENDPOINTS_SILENT_MS = 5000,  // of waiting for an answer, before the next address
    SHIP_ENDPOINTS_HURRY_MS = 2000,   // instead of SHIP_ENDPOINTS_SILENT_MS at the end of the JVM
    SHIP_ENDPOINTS_ROUNDS_MAX = 3,    // after which the times above do not double any more
    SHIP_ENDPOINTS_AVOID_MS = 60 * 1000,
    SHIP_ENDPOINTS_WELL_MS = 10 * 60 * 1000, // at one collector, until silences are reset
    SHIP_ENDPOINTS_LOOK_MS_MAX = 1000,
};

// A collector's address.
typedef struct ship_address {
    const char *endpoint;             // the configured URL. Borrowed
    char numeric[SHIP_ADDRESS_BYTES]; // the URL with an address for the name; "": no name
    unsigned preference;              // lower ones first
} ship_address;

// Returns the URL for NNG.
const char *ship_address_get_url(const ship_address *address);

typedef enum ship_reason {
    SHIP_STAYS,
    SHIP_BEGINS,      // nothing was dialled yet
    SHIP_UNCONNECTED, // there is no connection
    SHIP_SILENT,      // there is a connection, but no answer
    SHIP_DRAINED,     // the collector asks the agent to leave
    SHIP_REASON_COUNT,
} ship_reason;

// Returns the reason as the end of a sentence.
const char *ship_reason_text(ship_reason reason);

typedef struct ship_connection {
    bool is_there;   // there is a connection, as far as is known
    bool is_owing;   // the collector owes an answer
    bool is_hurried; // the end of the JVM waits
} ship_connection;

typedef struct ship_endpoint {
    ship_address address;
    uint64_t rank; // in the agent's own order
    int64_t avoided_until_ms;
} ship_endpoint;

// seed is the agent's own, and all other members are zeroed: no addresses, and nothing was dialled.
typedef struct ship_endpoints {
    uint64_t seed;
    ship_endpoint items[SHIP_ADDRESSES_MAX]; // in the agent's own order
    size_t count;
    ship_endpoint current; // the dialled one; items may lack it by now
    bool has_current;
    bool is_drained;        // the last answer asks the agent to leave
    unsigned silences;      // moves because of silence, see SHIP_ENDPOINTS_WELL_MS
    unsigned refusals;      // moves without a connection since the last answer
    int64_t dialled_ms;     // when current was dialled
    bool has_looked;        // since dialled_ms
    int64_t looked_ms;      // time of the last look
    int64_t unconnected_ms; // time without a connection
    int64_t silent_ms;      // how long an answer has been owed
} ship_endpoints;

// Replaces the addresses, at most SHIP_ADDRESSES_MAX. Addresses that remain keep their state.
void ship_endpoints_set(ship_endpoints *endpoints, const ship_address *addresses, size_t count);

// Notes an answer, and whether it asks the agent to leave.
void ship_endpoints_note_answer(ship_endpoints *endpoints, bool go_elsewhere, int64_t now_ms);

// Returns why the agent should leave its collector if there is another address; SHIP_STAYS if it
// should stay.
ship_reason ship_endpoints_look(
    ship_endpoints *endpoints, const ship_connection *connection, int64_t now_ms);

// Returns the address to move to for this reason; NULL: stay. The result is borrowed until the next
// ship_endpoints_set.
const ship_address *ship_endpoints_find(
    const ship_endpoints *endpoints, ship_reason reason, int64_t now_ms);

// Notes that the agent moved to an address that ship_endpoints_find returned.
void ship_endpoints_note_dialled(
    ship_endpoints *endpoints, const ship_address *to, ship_reason reason, int64_t now_ms);

// Returns how many times all addresses have failed since the failures were reset.
unsigned ship_endpoints_get_rounds(const ship_endpoints *endpoints);
