// SPDX-License-Identifier: Apache-2.0
// http_upload: a file that the page sends: POST /api/v1/uploads?name=NAME, with the file as its
// body and a header Loupe-Page. The answer says where its recordings are, once they are there:
//
//   {"service": "checkout", "from_ns": "1767...", "to_ns": "1767..."}
//
// Only a collector that was given uploads takes files: that of `loupe open`. A body is written to a
// file as it comes, of HTTP_UPLOAD_BYTES_MAX at most; one of which nothing comes for as long as a
// body may take (http_gate.h) is cut off. Both are counted (loupe_uploads_refused_total).
//
// Threads: the thread that handles the connection.
// Tests:   tests/unit/collector/http/test_http_upload.c

#ifndef LP_COLLECTOR_HTTP_HTTP_UPLOAD_H
#define LP_COLLECTOR_HTTP_HTTP_UPLOAD_H

#include "collector/base/uploads.h"

#include <microhttpd.h>
#include <stddef.h>
#include <stdint.h>

static const uint64_t HTTP_UPLOAD_BYTES_MAX = UINT64_C(4) << 30;

typedef struct http_upload http_upload;

// http_upload_begin begins a file. NULL: *out_result is the answer that refuses it.
http_upload *http_upload_begin(
    const uploads *to, struct MHD_Connection *connection, enum MHD_Result *out_result);

// http_upload_add takes bytes of it. What fails is the answer at the end.
void http_upload_add(http_upload *upload, const char *bytes, size_t count);

// http_upload_reply shows what has come, and answers.
enum MHD_Result http_upload_reply(http_upload *upload, struct MHD_Connection *connection);

// http_upload_end removes the file. NULL is fine.
void http_upload_end(http_upload *upload);

#endif // LP_COLLECTOR_HTTP_HTTP_UPLOAD_H
