// SPDX-License-Identifier: Apache-2.0
// ship_absence: logs that the collector does not answer, and that it answers again. A
// wrong address looks just like a collector that is away, so the address is probed for HTTP then.
// So does a collector whose certificate is refused, or that refuses the agent's: by TLS it is a
// handshake that says what is wrong.
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
    const ship_address *at; // the collector's, as is dialled; borrowed for good
    const ship_tls *tls;    // the same; NULL: no TLS
    int wake_fd;
    int64_t begun_ms;     // when the first step was taken
    int64_t answered_ms;  // when the last answer came, was not owed, or the first step was taken
    bool is_absent;       // no answer for so long that it was logged
    ship_probe probe;     // while there was never a connection; without TLS
    ship_handshake shake; // by TLS
    int64_t probe_at_ms;
    bool is_http_logged;
    lp_problem refused; // what was logged last of TLS; no text: nothing since the last answer
} ship_absence;

// ship_absence_init begins to watch over the collector at an address, which the owner may set to
// another one's; where none is known yet, its endpoint is that of a URL. wake_fd, an eventfd, is
// written whenever a step is due. Once stepped, *absence stays where it is, for good.
void ship_absence_init(
    ship_absence *absence, const ship_address *at, const ship_tls *tls, int wake_fd);

// ship_absence_note_answer notes that an answer came at now_ms (monotonic).
void ship_absence_note_answer(ship_absence *absence, int64_t now_ms);

// ship_absence_note_rest notes that the collector has nothing to answer at now_ms.
void ship_absence_note_rest(ship_absence *absence, int64_t now_ms);

// ship_absence_step writes to the log what is due at now_ms. is_owed: the collector has something
// to answer; was_connected: there was a connection to it at least once. Returns true where a
// handshake is as it should be and yet there is no answer: whoever dials has older files.
bool ship_absence_step(ship_absence *absence, bool is_owed, bool was_connected, int64_t now_ms);

#endif // LP_AGENT_SHIP_DIAL_SHIP_ABSENCE_H
