// SPDX-License-Identifier: Apache-2.0
// http_login: logging in to the page, and out:
//
//   GET     who asks, and whether somebody has to log in
//   POST    with a token as any request has it, Authorization: Bearer: begins a session, whose
//           cookie (http_cookie.h) is as good as the token. There is no form that a page of
//           elsewhere could have sent
//   DELETE  ends it
//
// Threads: the thread that handles the connection.
// Tests:   tests/unit/collector/http/routes/test_http_login.c

#ifndef LP_COLLECTOR_HTTP_HTTP_LOGIN_H
#define LP_COLLECTOR_HTTP_HTTP_LOGIN_H

#include "collector/access/access_attempts.h"
#include "collector/http/routes/http_access.h"
#include "collector/http/routes/http_audit.h"
#include "collector/http/wire/http_route.h"

#include <microhttpd.h>

typedef struct http_login {
    http_access *access;
    http_audit *audit;
    access_attempts attempts;
} http_login;

// http_login_reply answers a request for the route.
enum MHD_Result http_login_reply(http_login *login, struct MHD_Connection *connection,
    const http_route *route, const char *method);

#endif // LP_COLLECTOR_HTTP_HTTP_LOGIN_H
