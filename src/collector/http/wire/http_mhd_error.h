// SPDX-License-Identifier: Apache-2.0

// http_mhd_error: answers some bad requests before libmicrohttpd 0.9 does, which sends the head of
// its answer twice if it has read the whole head of the request: for a Content-Length that is no
// number (400) or too large (413), and for cookies that do not fit into its memory (431).
//
// libmicrohttpd does not call our handler for these requests. But it writes a line to its log
// before it answers. At that moment the request is the only one on its thread whose head is
// complete and has not reached our handler.
//
// Threads: those of libmicrohttpd; each has connections of its own.
// Tests:   tests/unit/collector/http/wire/test_http_strict.c

#ifndef LP_COLLECTOR_HTTP_HTTP_MHD_ERROR_H
#define LP_COLLECTOR_HTTP_HTTP_MHD_ERROR_H

#include <microhttpd.h>
#include <stdbool.h>

// A connection; {0} is not reading a head.
typedef struct http_mhd_error {
    struct http_mhd_error *previous; // on the same thread
    struct http_mhd_error *next;
    struct MHD_Connection *connection; // NULL: it is not reading a head
} http_mhd_error;

// http_mhd_error_begin notes that a connection is reading the head of a request, until
// http_mhd_error_end, which may be called at any time.
void http_mhd_error_begin(http_mhd_error *self, struct MHD_Connection *connection);
void http_mhd_error_end(http_mhd_error *self);

// http_mhd_error_answer answers the request that libmicrohttpd is about to refuse, and ends its
// connection, if libmicrohttpd would send the head twice. line is the line of its log.
void http_mhd_error_answer(const char *line);

#endif // LP_COLLECTOR_HTTP_HTTP_MHD_ERROR_H
