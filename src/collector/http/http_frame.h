// SPDX-License-Identifier: Apache-2.0
// http_frame: what is the same for all requests, around their handlers: who may ask, the methods,
// the waits that the table of routes says (http_routes.def), and the audit of what is read.
//
// Threads: the thread that handles the connection.
// Tests:   tests/unit/collector/http/test_http.c

#ifndef LP_COLLECTOR_HTTP_HTTP_FRAME_H
#define LP_COLLECTOR_HTTP_HTTP_FRAME_H

#include "collector/http/http_request.h"

// http_frame_begin begins to take a file, if that is what the request brings. Returns false with
// the answer where it may not.
bool http_frame_begin(http_request *request, enum MHD_Result *out_result);

// http_frame_go_on goes on with a request that is whole, or whose wait has ended: it answers, or
// waits for what its handler needs, and is called again then.
enum MHD_Result http_frame_go_on(http_request *request);

// http_frame_note_closed audits a removal that goes on though its request waits no more, as the
// collector stops: nobody waits for how it ends.
// Threads: that of http_request_close_waiting
void http_frame_note_closed(const http_call *call);

#endif // LP_COLLECTOR_HTTP_HTTP_FRAME_H
