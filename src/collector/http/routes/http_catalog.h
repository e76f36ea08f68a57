// SPDX-License-Identifier: Apache-2.0
// http_catalog: the catalog that all threads of the HTTP server share, and the answer where it has
// none.
//
// Threads: any thread, which locks it for queries, which are short, and not while their outcome is
//          written or sent.
// Tests:   tests/unit/collector/http/test_http.c

#ifndef LP_COLLECTOR_HTTP_HTTP_CATALOG_H
#define LP_COLLECTOR_HTTP_HTTP_CATALOG_H

#include "collector/base/presence.h"
#include "collector/store/catalog/catalog.h"
#include "common/base/lp_err.h"

#include <microhttpd.h>
#include <pthread.h>
#include <stdbool.h>

typedef struct http_catalog {
    pthread_mutex_t mutex;
    catalog *catalog;
    presence *presence; // which sessions are connected to this collector; NULL: nobody knows
    bool is_shared;     // other collectors have sessions in it, too
} http_catalog;

// http_catalog_reply_failure answers a request for recordings that failed with err, LP_ENOENT
// included; what is the work that failed.
enum MHD_Result http_catalog_reply_failure(
    struct MHD_Connection *connection, lp_err err, const char *what);

#endif // LP_COLLECTOR_HTTP_HTTP_CATALOG_H
