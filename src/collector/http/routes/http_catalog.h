// SPDX-License-Identifier: Apache-2.0
// http_catalog: the catalog that the threads of the HTTP server share, and the answer if it fails.
//
// Threads: any thread; lock the mutex for a query, not while its result is formatted or sent.
// Tests:   tests/unit/collector/http/test_http.c

#pragma once

#include "collector/base/presence.h"
#include "collector/store/catalog/catalog.h"
#include "common/base/lp_err.h"

#include <microhttpd.h>
#include <pthread.h>
#include <stdbool.h>

typedef struct http_catalog {
    pthread_mutex_t mutex;
    catalog *catalog;
    presence *presence; // sessions connected to this collector; NULL: unknown
    bool is_shared;     // other collectors write the catalog, too
} http_catalog;

// http_catalog_reply_failure answers a request for recordings that failed with err. what: the work
// that failed.
enum MHD_Result http_catalog_reply_failure(
    struct MHD_Connection *connection, lp_err err, const char *what);
