// SPDX-License-Identifier: Apache-2.0
// http_cookie: the cookie with the id of the page's session (access_logins.h). It is HttpOnly,
// SameSite=Strict and, with TLS, Secure. Browsers send a cookie to every port of a host, so its
// name has the port: two collectors on one host have two cookies. With TLS its prefix is __Host-;
// under a base path it is __Secure-, as __Host- requires Path=/.
//
// Threads: the thread that handles the connection.
// Tests:   tests/unit/collector/http/routes/test_http_login.c

#pragma once

#include "collector/access/access_logins.h"
#include "collector/http/wire/http_base.h"

#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    HTTP_COOKIE_NAME_BYTES = sizeof("__Secure-loupe-65535"),
    HTTP_COOKIE_BYTES = 160 + ACCESS_LOGIN_ID_CHARS + HTTP_BASE_BYTES, // of Set-Cookie's value
};

// The header of the page's requests that change something. A page of another origin cannot send it:
// its browser would first need a preflight answer, which the collector does not give.
#define HTTP_COOKIE_PAGE_HEADER "Loupe-Page"

typedef struct http_cookie {
    char name[HTTP_COOKIE_NAME_BYTES];
    bool is_secure; // the server speaks TLS
} http_cookie;

// http_cookie_make returns the cookie of a server. has_base: the server may have a base path.
http_cookie http_cookie_make(uint16_t port, bool is_secure, bool has_base);

// Gets the id in a cookie, lent while the request is handled. Returns whether to continue.
typedef bool (*http_cookie_visit)(void *arg, const char *id);

// http_cookie_visit_ids visits every cookie with this name: other hosts of the domain can set such
// a cookie, too, and a browser may send theirs first.
void http_cookie_visit_ids(const http_cookie *cookie, struct MHD_Connection *connection,
    http_cookie_visit visit, void *arg);

// http_cookie_format writes the value of Set-Cookie. id NULL: delete the cookie.
void http_cookie_format(const http_cookie *cookie, const http_base *base, const char *id,
    char out_header[HTTP_COOKIE_BYTES]);

// http_cookie_is_of_page returns whether a request comes from the collector's own page or, if it
// does not change anything, from a typed address or a bookmark. A request without Sec-Fetch-Site
// counts as a request of the page. A request that changes something needs HTTP_COOKIE_PAGE_HEADER.
// SameSite is not enough: a page on another port of the host is of the same site, and its requests
// have the cookie.
bool http_cookie_is_of_page(struct MHD_Connection *connection, bool changes);
