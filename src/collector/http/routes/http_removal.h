// SPDX-License-Identifier: Apache-2.0
// http_removal: DELETE of a recording: who may, and the answer. Nobody has a name here yet, so it
// is the machine that says who may.
//
// Threads: the thread that handles the connection.
// Tests:   tests/unit/collector/http/test_http.c, tests/e2e/retention.py

#ifndef LP_COLLECTOR_HTTP_HTTP_REMOVAL_H
#define LP_COLLECTOR_HTTP_HTTP_REMOVAL_H

#include "collector/base/snapshot.h"

#include <microhttpd.h>
#include <stdbool.h>

// http_removal_is_local returns whether the client is on this machine.
bool http_removal_is_local(struct MHD_Connection *connection);

// http_removal_reply answers how a removal went (SNAPSHOT_REMOVE).
enum MHD_Result http_removal_reply(struct MHD_Connection *connection, const snapshot *done);

#endif // LP_COLLECTOR_HTTP_HTTP_REMOVAL_H
