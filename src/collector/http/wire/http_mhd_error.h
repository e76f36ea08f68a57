// SPDX-License-Identifier: Apache-2.0

// http_mhd_error: answers some bad requests before libmicrohttpd 0.9 does. After reading a whole
// head, 0.9 sends the head of its own error answer twice: for a Content-Length that is not a number
// (400) or too large (413), and for cookies that do not fit into its memory (431).
//
// libmicrohttpd does not call our handler for these requests, but it logs a line before it answers.
// At that moment the request is the only one on its thread whose head is complete and has not
// reached our handler.
//
// Threads: those of libmicrohttpd; each has connections of its own.
// Tests:   tests/unit/collector/http/wire/test_http_strict.c

#pragma once

#include <microhttpd.h>
#include <sys/queue.h>

// A connection.
typedef struct http_mhd_error {
    LIST_ENTRY(http_mhd_error) listed; // in the list of its thread
    struct MHD_Connection *connection; // NULL: not reading a head
} http_mhd_error;

// http_mhd_error_begin notes that a connection is reading a head, until http_mhd_error_end, which
// may be called at any time.
void http_mhd_error_begin(http_mhd_error *self, struct MHD_Connection *connection);
void http_mhd_error_end(http_mhd_error *self);

// http_mhd_error_answer takes a line of libmicrohttpd's log. If the line announces a refusal
// with a double head, the function answers the request and closes the connection.
void http_mhd_error_answer(const char *line);
