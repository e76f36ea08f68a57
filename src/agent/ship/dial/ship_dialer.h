// SPDX-License-Identifier: Apache-2.0
// ship_dialer: has a connection to the collector, and another one when that is lost.
//
// Design notes. NNG's dialer connects again by itself when a connection ends. Not always, though:
// in NNG 1.5.2, when a connection is closed between two reads or two writes of one message, the
// thread that takes down connections waits for good, and no dialer that had a connection ever dials
// again. A new dialer does so without that thread. So a step that finds a connection closed,
// although an answer is owed, asks that thread: it gets something to take down. If that is not done
// within a second, the step replaces the dialer. A connection that is open and silent is replaced
// without a question.
//
// While that thread waits, each attempt to connect keeps its descriptor for good. The process is
// somebody else's, so after a replacement a collector that stays away is dialled ever more rarely,
// until that thread answers.
//
// NNG sleeps for a random part of the pause before the next connection (ship_pace.h), and nothing
// cuts that sleep but another dialer. The end of the JVM does: ship_dialer_hurry.
//
// A collector may end connections just so that NNG's thread waits. So no more than so many are
// replaced (SHIP_DIALER_REPLACEMENTS).
//
// A move to another address is a replacement, too. NNG's dialer knows one address for good, and
// tells nobody that it cannot connect.
//
// Threads: the thread that owns it; NNG's own threads run the callbacks.
// Tests: tests/unit/agent/ship/test_ship_link.c

#ifndef LP_AGENT_SHIP_DIAL_SHIP_DIALER_H
#define LP_AGENT_SHIP_DIAL_SHIP_DIALER_H

#include "agent/ship/dial/ship_endpoints.h"
#include "agent/ship/dial/ship_pace.h"
#include "agent/ship/dial/ship_tls.h"
#include "agent/ship/ship_allowance.h"

#include <nng/nng.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { SHIP_DIALER_REPLACEMENT = 60 }; // what one takes of SHIP_DIALER_REPLACEMENTS

// Connections that are replaced while that thread is not known to be well, each of which keeps a
// descriptor: 20, and one an hour.
static const ship_allowance_limit SHIP_DIALER_REPLACEMENTS = {
    .what = "connections that NNG does not take down are replaced once an hour",
    .at_once = (int64_t)20 * SHIP_DIALER_REPLACEMENT,
    .per_minute = 1,
};

// Once it has started it stays where it is, for good.
typedef struct ship_dialer {
    nng_socket socket;
    nng_dialer dialer; // where has_dialer is true
    bool has_dialer;
    ship_address to;     // what it dials
    const ship_tls *tls; // its files; NULL: no TLS
    int wake_fd;
    // From NNG's threads; plain facts, they order nothing.
    atomic_bool was_connected;
    // Stored before pipe_id is read, read after pipe_id was stored (both sequentially consistent):
    // so one of the two threads sees the connection and closes it.
    atomic_bool is_hung_up;
    atomic_uint pipe_id;    // of the last connection; 0: none since we dialled
    atomic_bool is_reaping; // NNG's thread that takes things down did so
    unsigned watched_id;    // of the connection that alive_ms is about
    int64_t alive_ms; // when that came about, or an answer came, or a request when none was owed
    int64_t watch_at_ms;
    ship_pace pace;
    int64_t pause_ms; // as NNG has it
    bool is_asking;   // NNG's thread has a question that it has not answered, since
    int64_t asked_ms; // then
    ship_allowance replacements;
} ship_dialer;

// ship_dialer_init prepares to dial for socket, with the files of tls (NULL: none), which are
// borrowed for good. wake_fd, an eventfd, is written when there is a connection.
// Errors: LP_ENOMEM, LP_EIO
LP_MUST_USE lp_err ship_dialer_init(ship_dialer *dialer, nng_socket socket, const ship_tls *tls,
    int wake_fd, lp_problem *out_problem);

// ship_dialer_check checks that an address could be dialled, as far as can be said without.
// Errors: LP_ECORRUPT for a URL that NNG does not understand; as ship_tls_read; LP_EIO
LP_MUST_USE lp_err ship_dialer_check(
    const ship_dialer *dialer, const ship_address *to, lp_problem *out_problem);

// ship_dialer_start begins to dial the first address. Errors: as ship_dialer_check
LP_MUST_USE lp_err ship_dialer_start(
    ship_dialer *dialer, const ship_address *to, lp_problem *out_problem);

// ship_dialer_can_replace returns whether another connection may be dialled now, or too many were
// lately.
bool ship_dialer_can_replace(ship_dialer *dialer, int64_t now_ms);

// ship_dialer_move dials another address, or the same anew. A connection that there is ends. False:
// all is as before.
bool ship_dialer_move(ship_dialer *dialer, const ship_address *to, int64_t now_ms);

// ship_dialer_hang_up ends the connection, and no other comes about.
// Threads: the thread that owns it, after which it takes no step any more
void ship_dialer_hang_up(ship_dialer *dialer);

// ship_dialer_note_alive notes at now_ms (monotonic) that an answer came, or that a request was
// sent when no answer was owed: from now on the connection is silent.
void ship_dialer_note_alive(ship_dialer *dialer, int64_t now_ms);

// ship_dialer_note_taken notes that the collector took something: an answer was OK.
void ship_dialer_note_taken(ship_dialer *dialer);

// ship_dialer_hurry dials at once where there is no connection, and after the shortest pauses from
// then on: the end of the JVM waits.
void ship_dialer_hurry(ship_dialer *dialer, int64_t now_ms);

// ship_dialer_step replaces the connection if it is lost. is_owing: the collector has a request to
// take or to answer.
void ship_dialer_step(ship_dialer *dialer, bool is_owing, int64_t now_ms);

// ship_dialer_redial dials anew, with the files of TLS as they are now. A connection that there is
// ends; requests that were sent over it are sent again. Nothing is done where too many were
// replaced lately.
void ship_dialer_redial(ship_dialer *dialer, int64_t now_ms);

// ship_dialer_is_connected returns whether there is a connection, as far as is known.
bool ship_dialer_is_connected(const ship_dialer *dialer);

// ship_dialer_was_connected returns whether there ever was a connection.
bool ship_dialer_was_connected(const ship_dialer *dialer);

// ship_dialer_get_due_ms returns when the next step is due while an answer is owed.
int64_t ship_dialer_get_due_ms(const ship_dialer *dialer);

#endif // LP_AGENT_SHIP_DIAL_SHIP_DIALER_H
