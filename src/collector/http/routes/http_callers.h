// SPDX-License-Identifier: Apache-2.0
// http_callers: the caller of a request, from its token (`Authorization: Bearer TOKEN`) or else
// from the cookie of a session of the page (http_cookie.h).
//
// Threads: the thread that handles the connection.
// Tests:   tests/unit/collector/http/routes/test_http_access.c, test_http_login.c

#pragma once

#include "collector/access/access_caller.h"
#include "collector/access/access_file.h"
#include "collector/access/access_logins.h"
#include "collector/http/wire/http_cookie.h"

#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct http_callers {
    access_file *access;   // NULL: no tokens
    access_logins *logins; // NULL if access is NULL
    http_cookie cookie;
} http_callers;

typedef enum http_callers_finding {
    HTTP_CALLERS_KNOWN,
    HTTP_CALLERS_SILENT,   // neither token nor cookie, or no tokens on this collector
    HTTP_CALLERS_STRANGE,  // an unknown token
    HTTP_CALLERS_OVER,     // the session has ended
    HTTP_CALLERS_ELSEWHERE // a cookie, but in a request of another page
} http_callers_finding;

// http_callers_find finds the caller of a request. changes: the request changes something. End
// *out_caller with access_caller_fini; it is {0} if the caller is not known.
http_callers_finding http_callers_find(const http_callers *callers,
    struct MHD_Connection *connection, bool changes, access_caller *out_caller);

// http_callers_end_session ends the first live session in a request's cookies. Returns whether
// there was one; then end *out_owner with access_caller_fini.
bool http_callers_end_session(
    const http_callers *callers, struct MHD_Connection *connection, access_caller *out_owner);

// http_callers_find_token lends the token of a request until it is answered. ptr NULL: none.
lp_slice http_callers_find_token(struct MHD_Connection *connection);

// http_callers_now_ns is the clock of sessions, CLOCK_BOOTTIME: it also runs while the machine
// sleeps.
int64_t http_callers_now_ns(void);
