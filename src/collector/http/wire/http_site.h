// SPDX-License-Identifier: Apache-2.0

// http_site: whether a browser sends a request on behalf of a page of another origin. Such a page
// may link here: the browser opens the link as a document, which the page cannot read. It may not
// fetch, embed or post. Programs are not affected: they send neither Sec-Fetch headers nor Origin.
//
//   Sec-Fetch-Site   "same-origin" and "none" (a typed address) are allowed. All other values are
//                    foreign, including "same-site": another port, or another name of the same site
//   Sec-Fetch-Mode, Sec-Fetch-Dest   "navigate" and "document": a link was followed
//   Origin           counts without Sec-Fetch-Site, which browsers leave out over plain HTTP to
//                    other machines. Requests with Authorization or Loupe-Page are allowed then: no
//                    page can send these to another origin, and a proxy may have changed Host
//
// Threads: any thread; pure.
// Tests:   tests/unit/collector/http/wire/test_http_site.c

#pragma once

#include <stdbool.h>

// Headers of a request; NULL: not sent.
typedef struct http_site_head {
    const char *method;
    const char *site; // Sec-Fetch-Site
    const char *mode; // Sec-Fetch-Mode
    const char *dest; // Sec-Fetch-Dest
    const char *origin;
    const char *host;    // Host, with its port
    bool has_own_header; // Authorization or Loupe-Page
} http_site_head;

// http_site_is_foreign returns whether a page of another origin made the request, other than by
// navigation.
bool http_site_is_foreign(const http_site_head *head);
