// SPDX-License-Identifier: Apache-2.0
// http_callers: who makes a request: by its token (`Authorization: Bearer TOKEN`), or else by the
// cookie of a session of the page (http_cookie.h).
//
// Threads: the thread that handles the connection.
// Tests:   tests/unit/collector/http/routes/test_http_access.c, test_http_login.c

#ifndef LP_COLLECTOR_HTTP_HTTP_CALLERS_H
#define LP_COLLECTOR_HTTP_HTTP_CALLERS_H

#include "collector/access/access_caller.h"
#include "collector/access/access_file.h"
#include "collector/access/access_logins.h"
#include "collector/http/wire/http_cookie.h"

#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct http_callers {
    access_file *access;   // NULL: nobody is asked
    access_logins *logins; // NULL where access is
    http_cookie cookie;
} http_callers;

typedef enum http_callers_finding {
    HTTP_CALLERS_KNOWN,
    HTTP_CALLERS_SILENT,   // there is neither token nor cookie, or nobody is asked
    HTTP_CALLERS_STRANGE,  // nobody knows the token
    HTTP_CALLERS_OVER,     // the session is over
    HTTP_CALLERS_ELSEWHERE // there is a session, but it is another page that asks
} http_callers_finding;

// http_callers_find finds out who asks. changes: for something to be changed. *out_caller is the
// caller's to end with access_caller_fini; {0} where nobody is known.
http_callers_finding http_callers_find(const http_callers *callers,
    struct MHD_Connection *connection, bool changes, access_caller *out_caller);

// http_callers_end_session ends the first session that is alive of those in a request's cookies,
// whatever its token is. Returns whether there was one; *out_owner is the caller's to end then.
bool http_callers_end_session(
    const http_callers *callers, struct MHD_Connection *connection, access_caller *out_owner);

// http_callers_find_token returns the token of a request, borrowed as long as that is answered; ptr
// NULL: it has none.
lp_slice http_callers_find_token(struct MHD_Connection *connection);

// http_callers_now_ns is the clock of sessions, which goes on while the machine sleeps.
int64_t http_callers_now_ns(void);

#endif // LP_COLLECTOR_HTTP_HTTP_CALLERS_H
