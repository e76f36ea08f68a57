// SPDX-License-Identifier: Apache-2.0
// ship_link: one session's requests to the collector, in a window, resent until they are answered;
// to another collector where there are several and the one does not answer (ship_endpoints.h).
//
// Design notes. NNG's REQ socket sends unanswered requests again on a new connection
// (ship_dialer.h) and after RESEND_MS, and drops answers that come twice. What is sent when, and
// what an answer changes, is the window's business (ship_window.h). NNG's callbacks only mark their
// request as done and wake the owner up; ship_link_step does the rest on the owner's thread.
//
// Before a move to another collector all requests are taken back from NNG, which would send them
// again to that one. What comes of them from then on, also an answer that was on its way to us,
// counts for nothing: the window has each sent again, after Hello.
//
// Once it has sent something a link is never closed: closing a REQ socket with requests in flight
// hangs in NNG 1.5.2, and the only reason to end is the end of the process.
//
// Threads: the thread that owns it; NNG's own threads run the callbacks.
// Tests: tests/unit/agent/ship/test_ship_link.c, test_ship.c

#ifndef LP_AGENT_SHIP_LINK_SHIP_LINK_H
#define LP_AGENT_SHIP_LINK_SHIP_LINK_H

#include "agent/ship/dial/ship_tls.h"
#include "agent/ship/link/ship_window.h"
#include "common/base/lp_err.h"
#include "common/wire/wire.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ship_link ship_link;

// ship_link_open begins to dial one of the collectors at urls (1 to SHIP_NAMES_MAX), with the files
// of tls (NULL: no TLS); both are copied. hello is packed again for each Hello, with its
// next_sequence filled in; it is borrowed for good. wake_fd, an eventfd, is written whenever a step
// is due.
// Errors: LP_ECORRUPT for a URL that NNG does not understand; as ship_tls_read; LP_ENOMEM, LP_EIO
LP_MUST_USE lp_err ship_link_open(const char *const *urls, size_t url_count, const ship_tls *tls,
    const Loupe__Wire__Hello *hello, int wake_fd, ship_link **out_link, lp_problem *out_problem);

// ship_link_hang_up ends the connection, and no other comes about: nothing is sent from then on.
// The link must not be stepped after that, and its memory stays, as NNG still has requests of it.
void ship_link_hang_up(ship_link *link);

// ship_link_close ends a link that was never stepped. After the first step a link is never closed.
void ship_link_close(ship_link *link);

// ship_link_step takes the answers that have come and sends what is due at now_ms (monotonic).
void ship_link_step(ship_link *link, int64_t now_ms);

// ship_link_get_window lends the window, to which the owner gives batches.
ship_window *ship_link_get_window(ship_link *link);

// ship_link_send sends what is due at now_ms.
void ship_link_send(ship_link *link, int64_t now_ms);

// ship_link_hurry is for the end of the JVM, which waits. Without a connection it dials at once.
// From then on a silent collector is left sooner, and requests that were put off are sent at
// now_ms.
void ship_link_hurry(ship_link *link, int64_t now_ms);

// ship_link_count_addresses returns how many addresses of collectors are known.
size_t ship_link_count_addresses(const ship_link *link);

// ship_link_was_connected returns whether there ever was a connection to the collector.
bool ship_link_was_connected(const ship_link *link);

// ship_link_get_taken_ms returns when the collector last took something; 0: never.
int64_t ship_link_get_taken_ms(const ship_link *link);

// ship_link_get_due_ms returns when the next step is due by the clock; INT64_MAX: when woken up.
int64_t ship_link_get_due_ms(const ship_link *link);

#endif // LP_AGENT_SHIP_LINK_SHIP_LINK_H
