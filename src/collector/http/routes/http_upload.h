// SPDX-License-Identifier: Apache-2.0
// http_upload: a file that the page sends: POST /api/v1/uploads?name=NAME, with the file as its
// body and a header Loupe-Page. The answer says where its recordings are, once they are there, and
// what of the file they lack:
//
//   {"service": "checkout", "from_ns": "1767...", "to_ns": "1767...",
//    "notes": ["offset 7: ..."], "note_count": 1}
//
// Only the collector of `loupe open` has uploads. It takes one file at a time, from its head until
// its answer; a second one gets 503. The thread of the connection writes the body to a file, of
// HTTP_UPLOAD_BYTES_MAX at most. A thread of the uploads' own reads that file, while the connection
// is suspended. A client that sends less than HTTP_UPLOAD_STEP_BYTES in the time that a body may
// take (http_gate.h) is cut off. Every file that is not shown is counted, once
// (loupe_uploads_refused_total).
//
// Threads: the thread that handles the connection; http_uploads_start and _stop on one.
// Tests:   tests/unit/collector/http/routes/test_http_upload.c

#ifndef LP_COLLECTOR_HTTP_HTTP_UPLOAD_H
#define LP_COLLECTOR_HTTP_HTTP_UPLOAD_H

#include "collector/base/uploads.h"
#include "collector/http/routes/http_call.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static const uint64_t HTTP_UPLOAD_BYTES_MAX = UINT64_C(4) << 30;

enum { HTTP_UPLOAD_STEP_BYTES = 64 * 1024 };

// http_uploads_start starts the thread that reads files for `to`, which it borrows.
// Errors: LP_ENOMEM, for the thread as well
LP_MUST_USE lp_err http_uploads_start(const uploads *to, http_uploads **out_uploads);

// http_uploads_stop returns when no file is being read. Each upload has ended then, or does so with
// that. NULL is fine.
void http_uploads_stop(http_uploads *uploads);

// http_upload_refuse counts a file that was refused before http_upload_begin.
void http_upload_refuse(void);

// http_upload_add takes bytes of it. What fails is the answer at the end. Returns whether
// HTTP_UPLOAD_STEP_BYTES more have come.
bool http_upload_add(http_upload *upload, const char *bytes, size_t count);

// http_upload_push has what has come shown, and then calls on_shown with arg: exactly once, on the
// thread of the uploads. upload has to stay until then; then http_upload_reply answers.
void http_upload_push(http_upload *upload, void (*on_shown)(void *arg), void *arg);

// http_upload_end removes the file, and leaves its place to another one. NULL is fine.
void http_upload_end(http_upload *upload);

#endif // LP_COLLECTOR_HTTP_HTTP_UPLOAD_H
