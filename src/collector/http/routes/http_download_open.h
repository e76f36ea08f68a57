// SPDX-License-Identifier: Apache-2.0
// http_download_open: the download that a request asks for, from the catalog, the stored chunks and
// a snapshot of the part that is not compacted yet.
//
// Threads: the thread that handles the connection.
// Tests:   tests/unit/collector/http/routes/test_http_download.c

#ifndef LP_COLLECTOR_HTTP_HTTP_DOWNLOAD_OPEN_H
#define LP_COLLECTOR_HTTP_HTTP_DOWNLOAD_OPEN_H

#include "collector/base/snapshot.h"
#include "collector/http/routes/http_catalog.h"
#include "collector/http/routes/http_download.h"
#include "collector/store/chunks/blobs.h"

#include <microhttpd.h>

// http_download_open makes the download that GET and HEAD of /api/v1/recordings/{id}.jfr ask for;
// the caller owns it. Where it cannot, it answers with the reason, and *out_download is not
// written. The download shares snapshot.
enum MHD_Result http_download_open(struct MHD_Connection *connection, http_catalog *store,
    blobs *blobs, const char *session_id, snapshot *snapshot, http_download **out_download);

#endif // LP_COLLECTOR_HTTP_HTTP_DOWNLOAD_OPEN_H
