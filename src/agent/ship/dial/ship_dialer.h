// SPDX-License-Identifier: Apache-2.0
// ship_dialer: keeps a connection to the collector, and replaces it when it is lost.
//
// Design notes. NNG's dialer usually reconnects by itself when a connection ends. But NNG 1.5.2 has
// a defect: if a connection is closed between two reads or two writes of one message, the reaper
// thread, which frees connections, blocks forever. Then no dialer that had a connection ever dials
// again; a new dialer works. So a step that finds a closed connection while an answer is owed gives
// the reaper something to free. If the reaper does not free it within a second, the step replaces
// the dialer. It replaces an open but silent connection without this test.
//
// While the reaper is stuck, each attempt to connect leaks a descriptor of the application's
// process. So after a replacement an unreachable collector is dialled ever more rarely, until the
// reaper answers.
//
// NNG sleeps for a random part of the pause before the next connection. Only a new dialer ends that
// sleep: ship_dialer_hurry creates one at the end of the JVM.
//
// A hostile collector may close connections in a way that blocks the reaper. So replacements are
// limited (SHIP_DIALER_REPLACEMENTS).
//
// A move to another address also replaces the dialer: NNG's dialer knows one address for good, and
// does not report that it cannot connect.
//
// Threads: the thread that owns it; NNG's own threads run the callbacks.
// Tests:   tests/unit/agent/ship/test_ship_link.c

#pragma once

#include "agent/ship/dial/ship_endpoints.h"
#include "agent/ship/dial/ship_tls.h"
#include "agent/ship/ship_allowance.h"

#include <nng/nng.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

// --- ship_pace
//
// Determines how long an agent waits before it replaces a connection that ended. It has no clock
// and no network: the owner reports connections and answers.
//
//   ship_pace_note_connected(&pace, now_ms);
//   ship_pace_note_taken(&pace); // each time that an answer is OK
//   ship_pace_get_ms(&pace)      // when the connection has ended
//
// Design notes. A collector may close each connection at once, because it is broken or hostile.
// Each time that a connection did not last, the pause before the next connection doubles. The pause
// has two limits:
//
//   the collector accepted a request over this connection        SHIP_PACE_TAKEN_MS_MAX
//   it accepted none over this connection and those before it    SHIP_PACE_VAIN_MS_MAX
//
// A collector that often restarts accepts requests each time, and gets its agents back within a
// second; if an agent dials while it is down, another pause follows. Only useless connections since
// the last OK count for the second limit. So if a collector restarts several times in a row, and
// one restart hits an agent before it got an OK, the agent still comes back soon.

enum {
    SHIP_PACE_MS_MIN = 100,
    SHIP_PACE_TAKEN_MS_MAX = 500,
    SHIP_PACE_VAIN_MS_MAX = 60 * 1000,
    SHIP_PACE_LASTING_MS = 10 * 1000, // a connection lasted if the next one begins at least this
                                      // plus the pause after it
};

// Zeroed: there was no connection.
typedef struct ship_pace {
    int64_t connected_ms; // time of the last connection, if was_connected
    bool was_connected;
    unsigned short_count; // connections in a row that did not last, before the last one
    unsigned vain_count;  // the same, but only since the last OK
} ship_pace;

// Notes a new connection at now_ms (monotonic).
void ship_pace_note_connected(ship_pace *pace, int64_t now_ms);

// Notes that the collector accepted a request over the last connection.
void ship_pace_note_taken(ship_pace *pace);

// Returns the longest wait before the next connection, in milliseconds.
int64_t ship_pace_get_ms(const ship_pace *pace);

enum {
    SHIP_DIALER_REPLACEMENT = 60, // cost of a replacement in the limit below
    SHIP_DIALER_CHECK_MS = 250,   // between checks of a connection about which NNG reports nothing
};

// Limits replacements while the reaper may be stuck, because each leaks a descriptor: 20, plus one
// an hour.
static const ship_allowance_limit SHIP_DIALER_REPLACEMENTS = {
    .what = "connections that NNG does not free are replaced once an hour",
    .at_once = (int64_t)20 * SHIP_DIALER_REPLACEMENT,
    .per_minute = 1,
};

// Must not move once it has started.
typedef struct ship_dialer {
    nng_socket socket;
    nng_dialer dialer; // if has_dialer
    bool has_dialer;
    ship_address to;     // what it dials
    const ship_tls *tls; // its files; NULL: no TLS
    int wake_fd;
    // Written by NNG's threads, relaxed.
    atomic_bool was_connected;
    // is_hung_up and pipe_id are sequentially consistent: one thread stores is_hung_up and then
    // loads pipe_id, the other stores pipe_id and then loads is_hung_up. So one of them sees the
    // connection and closes it.
    atomic_bool is_hung_up;
    atomic_uint pipe_id;    // of the last connection; 0: none since dialling
    atomic_bool is_reaping; // the reaper has answered
    atomic_bool is_changed; // a connection was made or ended since the last check
    unsigned watched_id;    // the connection (pipe_id) that alive_ms is about
    int64_t alive_ms;       // when it last connected, got an answer, or sent a request while no
                            // answer was owed
    int64_t watch_at_ms;
    bool is_there; // there was a connection at the last check
    int64_t check_at_ms;
    ship_pace pace;
    int64_t pause_ms; // as set in NNG
    bool is_asking;   // the reaper owes an answer
    int64_t asked_ms; // since when, if is_asking
    ship_allowance replacements;
} ship_dialer;

// Prepares to dial for socket, with the files of tls (NULL: no TLS), borrowed for good. Writes to
// wake_fd, an eventfd, when a connection is made or ends. Errors: LP_ENOMEM, LP_EIO
LP_MUST_USE lp_err ship_dialer_init(ship_dialer *dialer, nng_socket socket, const ship_tls *tls,
    int wake_fd, lp_problem *out_problem);

// Checks without dialling whether an address is usable. Errors: LP_ECORRUPT for an invalid URL; as
// ship_tls_read; LP_EIO
LP_MUST_USE lp_err ship_dialer_check(
    const ship_dialer *dialer, const ship_address *to, lp_problem *out_problem);

// Begins to dial the first address. Errors: as ship_dialer_check
LP_MUST_USE lp_err ship_dialer_start(
    ship_dialer *dialer, const ship_address *to, lp_problem *out_problem);

// Returns whether the limit on replacements allows another one now.
bool ship_dialer_can_replace(ship_dialer *dialer, int64_t now_ms);

// Closes the current connection and dials an address, which may be the same. Returns false, and
// changes nothing, if it cannot make a dialer for the address.
bool ship_dialer_move(ship_dialer *dialer, const ship_address *to, int64_t now_ms);

// Closes the connection for good. No step may follow.
void ship_dialer_hang_up(ship_dialer *dialer);

// Notes at now_ms (monotonic) that an answer came, or that a request was sent while no answer was
// owed. The connection's silence is measured from then on.
void ship_dialer_note_alive(ship_dialer *dialer, int64_t now_ms);

// Notes an answer with OK.
void ship_dialer_note_taken(ship_dialer *dialer);

// For the end of the JVM, which waits. Dials at once if there is no connection, and uses the
// shortest pauses from then on.
void ship_dialer_hurry(ship_dialer *dialer, int64_t now_ms);

// Replaces the connection if it is lost. is_owing: the collector owes an answer.
void ship_dialer_step(ship_dialer *dialer, bool is_owing, int64_t now_ms);

// Closes the current connection and dials again, with the current TLS files. Unanswered requests
// are sent again. Does nothing if the limit on replacements is reached.
void ship_dialer_redial(ship_dialer *dialer, int64_t now_ms);

// Returns whether there is a connection, as far as the dialer knows.
bool ship_dialer_is_connected(const ship_dialer *dialer);

// Returns the same as of the last step, or up to SHIP_DIALER_CHECK_MS earlier if NNG has reported
// nothing since.
bool ship_dialer_was_there(const ship_dialer *dialer);

// Returns whether there ever was a connection.
bool ship_dialer_was_connected(const ship_dialer *dialer);
