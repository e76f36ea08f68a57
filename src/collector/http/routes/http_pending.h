// SPDX-License-Identifier: Apache-2.0
// http_pending: what another collector, of those that share a catalog, is told of a session that
// this one has: GET /internal/v1/pending/ID, or /ID/wide for a question about many sessions. It is
// for nobody else: who asks shows the key that the catalog has of this collector, as a bearer
// token.
//
// Threads: any thread.
// Tests:   tests/e2e/cluster.py

#ifndef LP_COLLECTOR_HTTP_HTTP_PENDING_H
#define LP_COLLECTOR_HTTP_HTTP_PENDING_H

#include "collector/base/snapshot.h"

#include <microhttpd.h>
#include <stdbool.h>

// http_pending_knows returns whether a request shows the key. NULL: nobody shares the catalog, and
// nobody is known.
bool http_pending_knows(struct MHD_Connection *connection, const char *key);

// http_pending_reply answers with a snapshot, which it references as long as it needs it.
enum MHD_Result http_pending_reply(struct MHD_Connection *connection, snapshot *pending);

#endif // LP_COLLECTOR_HTTP_HTTP_PENDING_H
