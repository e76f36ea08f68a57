// SPDX-License-Identifier: Apache-2.0
// http_recordings: the answers about recordings, from the catalog and a snapshot of the part that
// is not compacted yet.
//
// Threads: the thread that handles the connection.
// Tests:   tests/unit/collector/http/test_http.c

#ifndef LP_COLLECTOR_HTTP_HTTP_RECORDINGS_H
#define LP_COLLECTOR_HTTP_HTTP_RECORDINGS_H

#include "collector/base/snapshot.h"
#include "collector/http/http_download.h"
#include "collector/store/blobs.h"
#include "collector/store/catalog.h"

#include <microhttpd.h>
#include <pthread.h>

enum { HTTP_RECORDINGS_LISTED_MAX = 1000 };

// One catalog for all threads. It is locked for queries, which are short, and not while their
// outcome is written or sent.
typedef struct http_catalog {
    pthread_mutex_t mutex;
    catalog *catalog;
} http_catalog;

// http_recordings_list answers GET /api/v1/recordings.
enum MHD_Result http_recordings_list(struct MHD_Connection *connection, http_catalog *store);

// http_recordings_show answers GET /api/v1/recordings/{id}. snapshot is borrowed.
enum MHD_Result http_recordings_show(struct MHD_Connection *connection, http_catalog *store,
    const char *session_id, const snapshot *snapshot);

// http_recordings_open_download makes the download that GET and HEAD of /api/v1/recordings/{id}.jfr
// ask for; the caller owns it. Where it cannot, it answers with the reason, and *out_download is
// not written. snapshot is borrowed, its jfr taken.
enum MHD_Result http_recordings_open_download(struct MHD_Connection *connection,
    http_catalog *store, blobs *blobs, const char *session_id, snapshot *snapshot,
    http_download **out_download);

#endif // LP_COLLECTOR_HTTP_HTTP_RECORDINGS_H
