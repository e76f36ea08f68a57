// SPDX-License-Identifier: Apache-2.0
// ship_absence: logs that the collector does not answer, and that it answers again. A wrong address
// looks like an unreachable collector, so the address is then probed for HTTP. With TLS a test
// handshake finds out whether one side rejects the other's certificate.
//
// Threads: the thread that owns it.
// Tests: tests/unit/agent/ship/test_ship.c, tests/e2e/attach.py (case address)

#ifndef LP_AGENT_SHIP_DIAL_SHIP_ABSENCE_H
#define LP_AGENT_SHIP_DIAL_SHIP_ABSENCE_H

#include "agent/ship/dial/ship_endpoints.h"
#include "agent/ship/dial/ship_handshake.h"
#include "agent/ship/dial/ship_probe.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ship_absence {
    const ship_address *at; // the dialled address; borrowed for good
    const ship_tls *tls;    // borrowed for good; NULL: no TLS
    int wake_fd;
    int64_t begun_ms;     // time of the first step
    int64_t answered_ms;  // when an answer last came or was not owed; else begun_ms
    bool is_absent;       // the missing answer was logged
    ship_probe probe;     // without TLS, until the first connection
    ship_handshake shake; // with TLS
    int64_t probe_at_ms;
    bool is_http_logged;
    lp_problem refused; // the last logged TLS problem; no text: none since the last answer
} ship_absence;

// Watches the collector at an address, which the owner may change; while no address is known, its
// endpoint is a URL. Writes to wake_fd, an eventfd, whenever a step is due. After the first step
// *absence must not move.
void ship_absence_init(
    ship_absence *absence, const ship_address *at, const ship_tls *tls, int wake_fd);

// Notes that an answer came at now_ms (monotonic).
void ship_absence_note_answer(ship_absence *absence, int64_t now_ms);

// Notes that the collector has nothing to answer at now_ms.
void ship_absence_note_rest(ship_absence *absence, int64_t now_ms);

// Logs what is due at now_ms. is_owed: the collector owes an answer; was_connected: there was a
// connection to it at least once. Returns true if a test handshake succeeded although there is no
// answer: then the dialer has older files.
bool ship_absence_step(ship_absence *absence, bool is_owed, bool was_connected, int64_t now_ms);

#endif // LP_AGENT_SHIP_DIAL_SHIP_ABSENCE_H
