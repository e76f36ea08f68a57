// SPDX-License-Identifier: Apache-2.0
// http_cookie: the cookie by which the page's browser is known (access_logins.h). No script sees
// it (HttpOnly), no other site has it sent (SameSite), and over TLS it goes nowhere else (Secure,
// __Host-). Browsers send it to any port of the machine, so its name has the port: two collectors
// have two. Where a proxy shows the collector under a path it is sent below that alone, and is
// called __Secure-: what is called __Host- is sent everywhere.
//
// Threads: the thread that handles the connection.
// Tests:   tests/unit/collector/http/routes/test_http_login.c

#ifndef LP_COLLECTOR_HTTP_HTTP_COOKIE_H
#define LP_COLLECTOR_HTTP_HTTP_COOKIE_H

#include "collector/access/access_logins.h"
#include "collector/http/wire/http_base.h"

#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    HTTP_COOKIE_NAME_BYTES = sizeof("__Secure-loupe-65535"),
    HTTP_COOKIE_BYTES = 160 + ACCESS_LOGIN_ID_CHARS + HTTP_BASE_BYTES, // as it is set
};

// What the page sends with requests that change something. A page of another origin cannot, as its
// browser asks the collector first, which does not answer that.
#define HTTP_COOKIE_PAGE_HEADER "Loupe-Page"

typedef struct http_cookie {
    char name[HTTP_COOKIE_NAME_BYTES];
    bool is_secure; // TLS is spoken
} http_cookie;

// http_cookie_make: has_base is whether there may be a base path.
http_cookie http_cookie_make(uint16_t port, bool is_secure, bool has_base);

// An id of a request's cookies, on loan while that is handled. Returns whether to go on.
typedef bool (*http_cookie_visit)(void *arg, const char *id);

// http_cookie_visit_ids visits the ids of the cookies with this name: others of the domain can set
// some as well, which a browser may send first.
void http_cookie_visit_ids(const http_cookie *cookie, struct MHD_Connection *connection,
    http_cookie_visit visit, void *arg);

// http_cookie_format writes the header that sets the cookie; NULL takes it away.
void http_cookie_format(const http_cookie *cookie, const http_base *base, const char *id,
    char out_header[HTTP_COOKIE_BYTES]);

// http_cookie_is_of_page returns whether a request is one of the collector's own page, or of
// somebody who follows a link: a page of another port of the machine is of the same site, and has
// the cookie sent as well. changes: it changes something.
bool http_cookie_is_of_page(struct MHD_Connection *connection, bool changes);

#endif // LP_COLLECTOR_HTTP_HTTP_COOKIE_H
