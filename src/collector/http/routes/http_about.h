// SPDX-License-Identifier: Apache-2.0
// http_about: GET /api/v1/collector: what the collector says of itself.
//
//   {"version": "1.2.3", "agents": "tcp://127.0.0.1:7411", "start": "2026-01-02T03:04:05.1..Z",
//    "start_ns": "1767...", "now": .., "now_ns": .., "data_start": .., "data_start_ns": ..,
//    "takes_files": false, "trace_link": null, "source_link": null}
//
// agents is the address that is listened on for agents, null before that; data_start is when the
// first recording that is stored started, null where there is none, and for who may not read all;
// takes_files is whether the page can send files (http_upload.h); the links are templates
// (http_links.h).
//
// Threads: the thread that handles the connection.
// Tests:   tests/unit/collector/http/test_http.c

#ifndef LP_COLLECTOR_HTTP_HTTP_ABOUT_H
#define LP_COLLECTOR_HTTP_HTTP_ABOUT_H

#include "collector/access/access_caller.h"
#include "collector/http/routes/http_catalog.h"
#include "collector/http/wire/http_links.h"

#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>

// What the server knows of itself. All texts are borrowed.
typedef struct http_about {
    const char *agents_url; // NULL: not yet
    int64_t start_wall_ns;
    bool takes_files;
    const http_links *links;
} http_about;

// http_about_reply answers.
enum MHD_Result http_about_reply(struct MHD_Connection *connection, http_catalog *store,
    const access_caller *caller, const http_about *about);

#endif // LP_COLLECTOR_HTTP_HTTP_ABOUT_H
