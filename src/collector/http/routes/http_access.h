// SPDX-License-Identifier: Apache-2.0

// http_access: who may make a request.
//
// With tokens (access_file.h) the caller needs a token or a session (http_callers.h). Without
// tokens every caller may do everything, except that only callers on this machine may remove
// recordings. The Host header must name this machine for such a removal, and for all requests if
// the collector serves only its own machine: otherwise a foreign page could reach the collector
// under the page's own name (DNS rebinding).
//
//   401  no token, an unknown token, or an ended session
//   403  the token lacks the right; another page uses the session; a page of another site makes
//        the request, also without tokens (http_access_is_foreign); a removal without tokens from
//        another machine; a request to a path of HTTP_RIGHT_NODE without the key
//   404  a recording that the caller may not read, as if it did not exist
//   421  the Host header names another machine
//
// Threads: the thread that handles the connection.
// Tests:   tests/unit/collector/http/routes/test_http_access.c,
//          tests/unit/collector/http/wire/test_http_site.c

#pragma once

#include "collector/http/routes/http_call.h"

#include <microhttpd.h>
#include <stdbool.h>

enum { HTTP_ACCESS_LOG_MS = 1000 }; // lowest interval between log lines about refused requests

// http_access_check checks whether the caller may use the call's route, and sets call->caller.
// Returns false with the answer if not.
bool http_access_check(http_call *call, enum MHD_Result *out_result);

// http_access_check_place checks two rights that do not depend on tokens, once the method is known:
// HTTP_RIGHT_NODE, and without tokens HTTP_RIGHT_REMOVE and HTTP_RIGHT_PIN. Returns false with the
// answer if refused.
bool http_access_check_place(const http_call *call, enum MHD_Result *out_result);

// http_access_refuse answers a caller that is not known. It audits unknown tokens and sessions used
// by another page, but no ended session, and no request without token and cookie.
enum MHD_Result http_access_refuse(http_call *call, http_callers_finding finding);

// http_access_reply_forbidden answers 403: the caller's token does not allow `what`.
enum MHD_Result http_access_reply_forbidden(
    http_call *call, const access_caller *caller, const char *what);

// http_access_is_default_policy returns whether service is the name of the default policy. Whoever
// may read at least one service may read the default policy.
bool http_access_is_default_policy(const char *service);

// http_access_is_host_local returns whether a Host header, with or without a port, names this
// machine. address: where the server listens.
bool http_access_is_host_local(const char *host, const char *address);

// --- Pages of other origins

// Headers of a request that say which page made it; NULL: not sent.
typedef struct http_access_origin {
    const char *method;
    const char *site; // Sec-Fetch-Site
    const char *mode; // Sec-Fetch-Mode
    const char *dest; // Sec-Fetch-Dest
    const char *origin;
    const char *host;    // Host, with its port
    bool has_own_header; // Authorization or Loupe-Page
} http_access_origin;

// http_access_is_foreign returns whether a browser sends a request on behalf of a page of another
// origin. Such a page may link here: the browser opens the link as a document, which the page
// cannot read. It may not fetch, embed or post. Programs are not affected: they send neither
// Sec-Fetch headers nor Origin.
//
//   Sec-Fetch-Site   "same-origin" and "none" (a typed address) are allowed. All other values are
//                    foreign, including "same-site": another port, or another name of the same site
//   Sec-Fetch-Mode, Sec-Fetch-Dest   "navigate" and "document": a link was followed
//   Origin           counts without Sec-Fetch-Site, which browsers leave out over plain HTTP to
//                    other machines. Requests with Authorization or Loupe-Page are allowed then: no
//                    page can send these to another origin, and a proxy may have changed Host
bool http_access_is_foreign(const http_access_origin *from);
