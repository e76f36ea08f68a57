// SPDX-License-Identifier: Apache-2.0
// ship_link: sends one session's requests to the collector, in a window, until they are answered.
// If there are several collectors and the current one does not answer, it moves to another
// (ship_endpoints.h).
//
// Design notes. NNG's REQ socket resends unanswered requests on a new connection (ship_dialer.h)
// and after RESEND_MS, and drops duplicate answers. The window (ship_window.h) decides which
// request to send when, and handles answers. Once a request is sent, the callback starts to
// receive its answer. When that has come, the callback unpacks it, marks the request as done and
// wakes the owner; ship_link_step does the rest on the owner's thread. While the window has room,
// an OK for a batch wakes nobody: the owner takes it with its next step, STEP_MS later at most.
//
// Before the link moves to another collector, it cancels all requests in NNG: otherwise NNG would
// resend them to the new collector. From then on the link ignores the results of these requests,
// even an answer in flight. The window resends each of them after Hello.
//
// A link that has sent something is never closed: in NNG 1.5.2, closing a REQ socket with requests
// in flight hangs. The process is about to end anyway.
//
// Threads: the thread that owns it; NNG's own threads run the callbacks.
// Tests:   tests/unit/agent/ship/test_ship_link.c, test_ship.c

#pragma once

#include "agent/ship/dial/ship_tls.h"
#include "agent/ship/link/ship_window.h"
#include "common/base/lp_err.h"
#include "common/wire/wire.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ship_link ship_link;

// Begins to dial one of the collectors at urls (1 to SHIP_NAMES_MAX), with the files of tls (NULL:
// no TLS); copies both. Borrows hello for good. Each Hello is packed from it, with the
// next_sequence of that moment. Writes to wake_fd, an eventfd, whenever a step is due.
// Errors: LP_ECORRUPT for an invalid URL; as ship_tls_read; LP_ENOMEM, LP_EIO
LP_MUST_USE lp_err ship_link_open(const char *const *urls, size_t url_count, const ship_tls *tls,
    const Loupe__Wire__Hello *hello, int wake_fd, ship_link **out_link, lp_problem *out_problem);

// Closes the connection for good: nothing is sent from then on, and no step may follow. The link's
// memory is not freed, because NNG still has requests that refer to it.
void ship_link_hang_up(ship_link *link);

// Frees a link that was never stepped.
void ship_link_close(ship_link *link);

// Handles answers and sends the requests that are due at now_ms (monotonic).
void ship_link_step(ship_link *link, int64_t now_ms);

// Returns the window, borrowed. The owner adds batches to it.
ship_window *ship_link_get_window(ship_link *link);

// Sends the requests that are due at now_ms.
void ship_link_send(ship_link *link, int64_t now_ms);

// For the end of the JVM, which waits. Dials at once if there is no connection. From then on the
// link leaves a silent collector sooner, and sends postponed requests at now_ms.
void ship_link_hurry(ship_link *link, int64_t now_ms);

// Returns the number of known collector addresses.
size_t ship_link_count_addresses(const ship_link *link);

// Returns whether there ever was a connection to a collector.
bool ship_link_was_connected(const ship_link *link);

// Returns the time of the last answer with OK; 0: none.
int64_t ship_link_get_taken_ms(const ship_link *link);

// Returns the time of the next step; INT64_MAX: the link wakes the owner. The owner calls this
// right before it waits: the link then decides which answers wake it.
int64_t ship_link_get_due_ms(ship_link *link);
