// SPDX-License-Identifier: Apache-2.0
// http_recordings: the list of recordings, and one of them as JSON, from the catalog and a snapshot
// of the part that is not compacted yet.
//
// Threads: the thread that handles the connection.
// Tests:   tests/unit/collector/http/test_http.c

#ifndef LP_COLLECTOR_HTTP_HTTP_RECORDINGS_H
#define LP_COLLECTOR_HTTP_HTTP_RECORDINGS_H

#include "collector/access/access_caller.h"
#include "collector/base/snapshot.h"
#include "collector/http/routes/http_catalog.h"

#include <microhttpd.h>

enum { HTTP_RECORDINGS_LISTED_MAX = 1000 };

// http_recordings_list answers GET /api/v1/recordings with those that caller may read.
enum MHD_Result http_recordings_list(
    struct MHD_Connection *connection, http_catalog *store, const access_caller *caller);

// http_recordings_show answers GET /api/v1/recordings/{id}. snapshot is borrowed.
enum MHD_Result http_recordings_show(struct MHD_Connection *connection, http_catalog *store,
    const char *session_id, const snapshot *snapshot);

#endif // LP_COLLECTOR_HTTP_HTTP_RECORDINGS_H
