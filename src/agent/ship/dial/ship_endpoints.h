// SPDX-License-Identifier: Apache-2.0
// ship_endpoints: which of several collectors an agent is at, when it leaves that, and where it
// goes then. It has no clock and no network: the owner says what time it is and how the connection
// is, and dials what it is told to.
//
//   ship_endpoints_set(&at, addresses, count); // and again when names have other addresses
//   ship_reason why = ship_endpoints_look(&at, &connection, now_ms);
//   if (why != SHIP_STAYS && (to = ship_endpoints_find(&at, why, now_ms)) != NULL) {
//       ... dial *to
//       ship_endpoints_note_dialled(&at, to, why, now_ms);
//   }
//
// Design notes. Each agent has the addresses in an order of its own, by a hash of the address with
// its session. So agents are spread evenly, those of a collector that fails as well, and one agent
// always has the same order, whatever order a name's addresses come in. Addresses of a family that
// the system prefers for the name come before the others.
//
// An address that failed, or asked to go elsewhere, is avoided for a minute where there is another.
// Where all fail they are tried in turn, and with each round for longer: collectors that are all
// slow would otherwise have their agents go around for ever. Silence counts until one collector was
// well for SHIP_ENDPOINTS_WELL_MS, a refused connection until the next answer. So if one of two
// collectors is away for good and the other restarts now and then, the agent does not wait ever
// longer for the one that is away. A stretch between two looks counts for
// SHIP_ENDPOINTS_LOOK_MS_MAX at most: a JVM that was stopped has not waited for its collector.
//
// Threads: one thread at a time.
// Tests: tests/unit/agent/ship/test_ship_endpoints.c

#ifndef LP_AGENT_SHIP_DIAL_SHIP_ENDPOINTS_H
#define LP_AGENT_SHIP_DIAL_SHIP_ENDPOINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SHIP_ADDRESSES_MAX = 64,          // of all collectors together; further ones are not dialled
    SHIP_ADDRESS_BYTES = 96,          // tls+tcp6://[ADDRESS]:PORT
    SHIP_ENDPOINTS_CONNECT_MS = 1000, // without a connection, until the next one is tried
    SHIP_ENDPOINTS_SILENT_MS = 5000,  // without an answer that is owed, the same
    SHIP_ENDPOINTS_HURRY_MS = 2000,   // the same at the end of the JVM
    SHIP_ENDPOINTS_ROUNDS_MAX = 3,    // after which these do not double any more
    SHIP_ENDPOINTS_AVOID_MS = 60 * 1000,
    SHIP_ENDPOINTS_WELL_MS = 10 * 60 * 1000, // at one collector, until silence is forgotten
    SHIP_ENDPOINTS_LOOK_MS_MAX = 1000,
};

// Something to dial.
typedef struct ship_address {
    const char *endpoint;             // the collector's URL, as the agent was given it. Borrowed
    char numeric[SHIP_ADDRESS_BYTES]; // the URL with an address for the name; "": without a name
    unsigned preference;              // lower ones first
} ship_address;

// ship_address_get_url returns what NNG dials.
const char *ship_address_get_url(const ship_address *address);

typedef enum ship_reason {
    SHIP_STAYS,
    SHIP_BEGINS,      // nothing was dialled yet
    SHIP_UNCONNECTED, // there is no connection
    SHIP_SILENT,      // there is one, and no answer
    SHIP_DRAINED,     // the collector asks to go elsewhere
    SHIP_REASON_COUNT,
} ship_reason;

// ship_reason_text returns the reason as the end of a sentence.
const char *ship_reason_text(ship_reason reason);

// How the connection is.
typedef struct ship_connection {
    bool is_there;   // as far as is known
    bool is_owing;   // something was sent and is not answered
    bool is_hurried; // the JVM ends, and waits for it
} ship_connection;

typedef struct ship_endpoint {
    ship_address address;
    uint64_t rank; // in the agent's own order
    int64_t avoided_until_ms;
} ship_endpoint;

// Zeroed but for seed, which is the agent's own, nothing is known and nothing was dialled.
typedef struct ship_endpoints {
    uint64_t seed;
    ship_endpoint items[SHIP_ADDRESSES_MAX]; // in the agent's own order
    size_t count;
    ship_endpoint current; // was dialled; it need not be among the items any more
    bool has_current;
    bool is_drained;        // as the last answer says
    unsigned silences;      // moves for silence, since all was well
    unsigned refusals;      // moves for want of a connection, since the last answer
    int64_t dialled_ms;     // when the current one was
    bool has_looked;        // since then
    int64_t looked_ms;      // when the last look was
    int64_t unconnected_ms; // for how long there is no connection
    int64_t silent_ms;      // for how long an answer is owed
} ship_endpoints;

// ship_endpoints_set replaces the addresses that there are. What is known of those that stay is
// kept. Those over SHIP_ADDRESSES_MAX are left out.
void ship_endpoints_set(ship_endpoints *endpoints, const ship_address *addresses, size_t count);

// ship_endpoints_note_answer notes that an answer came, and whether it asks to go elsewhere.
void ship_endpoints_note_answer(ship_endpoints *endpoints, bool go_elsewhere, int64_t now_ms);

// ship_endpoints_look returns why the agent leaves where it is, if there is another address.
ship_reason ship_endpoints_look(
    ship_endpoints *endpoints, const ship_connection *connection, int64_t now_ms);

// ship_endpoints_find returns where the agent goes for a reason; NULL: it stays. Borrowed until the
// next ship_endpoints_set.
const ship_address *ship_endpoints_find(
    const ship_endpoints *endpoints, ship_reason reason, int64_t now_ms);

// ship_endpoints_note_dialled notes that the agent went to an address that
// ship_endpoints_find returned.
void ship_endpoints_note_dialled(
    ship_endpoints *endpoints, const ship_address *to, ship_reason reason, int64_t now_ms);

// ship_endpoints_get_rounds returns how often all addresses have failed, of the failures that
// count.
unsigned ship_endpoints_get_rounds(const ship_endpoints *endpoints);

#endif // LP_AGENT_SHIP_DIAL_SHIP_ENDPOINTS_H
