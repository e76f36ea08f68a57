// SPDX-License-Identifier: Apache-2.0

// http_access: who asks, and what it may have. Where the collector has tokens (access_file.h), who
// shows one, or a session (http_callers.h); where it has none and serves this machine alone,
// everybody whose browser was sent here by name: a page of elsewhere can have its own name lead to
// this machine, and would be asked for by that (DNS rebinding).
//
//   401  no token, or one that nobody knows; a session that is over
//   403  the token is not for this; a session that another page used; a page of another site asks,
//        with tokens and without (http_site.h)
//   404  of a recording that may not be read, as if it were not there
//   421  the Host header names another machine
//
// Threads: the thread that handles the connection.
// Tests:   tests/unit/collector/http/routes/test_http_access.c

#ifndef LP_COLLECTOR_HTTP_HTTP_ACCESS_H
#define LP_COLLECTOR_HTTP_HTTP_ACCESS_H

#include "collector/http/routes/http_call.h"

#include <microhttpd.h>
#include <stdbool.h>

enum { HTTP_ACCESS_LOG_MS = 1000 }; // at least, between two lines about requests that were refused

// http_access_check finds out who asks for what the call's route says, and whether it may. Where it
// may, call->caller is who. Where it may not it answers, and returns false.
bool http_access_check(http_call *call, enum MHD_Result *out_result);

// http_access_check_place looks at what no token says, once the method is known to be one of the
// route's: whether another collector asks, or a client on this machine. The same where it may not.
bool http_access_check_place(const http_call *call, enum MHD_Result *out_result);

// http_access_refuse answers where nobody is known, and notes it where that is no browser's first
// request.
enum MHD_Result http_access_refuse(http_call *call, http_callers_finding finding);

// http_access_reply_forbidden answers 403, as the caller's token is not for what.
enum MHD_Result http_access_reply_forbidden(
    http_call *call, const access_caller *caller, const char *what);

// http_access_is_default_policy returns whether it is the name of what services have that have no
// policy of their own: who may read anything may read it.
bool http_access_is_default_policy(const char *service);

// http_access_is_host_local returns whether a Host header, which may have a port, names this
// machine; address is what is listened on.
bool http_access_is_host_local(const char *host, const char *address);

#endif // LP_COLLECTOR_HTTP_HTTP_ACCESS_H
