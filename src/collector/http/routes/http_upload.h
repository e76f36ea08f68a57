// SPDX-License-Identifier: Apache-2.0
// http_upload: a file from the page: POST /api/v1/uploads?name=NAME, with the file as its body and
// a header Loupe-Page. The answer says where its recordings are and what they lack:
//
//   {"service": "checkout", "from_ns": "1767...", "to_ns": "1767...",
//    "notes": ["offset 7: ..."], "note_count": 1}
//
// Only the collector of `loupe open` takes uploads, one at a time. From the head of an upload to
// its answer, a second upload gets 503. The connection's thread writes the body to a file of at
// most HTTP_UPLOAD_BYTES_MAX. A thread of http_uploads then reads the file while the connection is
// suspended. If a client sends less than HTTP_UPLOAD_STEP_BYTES within the time limit of a body
// (http_gate.h), its connection is closed. Each upload that fails is counted once
// (loupe_uploads_refused_total).
//
// Threads: the thread that handles the connection; http_uploads_start and _stop on one thread.
// Tests:   tests/unit/collector/http/routes/test_http_upload.c

#pragma once

#include "collector/base/uploads.h"
#include "collector/http/routes/http_call.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static const uint64_t HTTP_UPLOAD_BYTES_MAX = UINT64_C(4) << 30;

enum { HTTP_UPLOAD_STEP_BYTES = 64 * 1024 };

// http_uploads_start starts the thread that reads files for `to`, which it borrows.
// Errors: LP_ENOMEM, also for the thread
LP_MUST_USE lp_err http_uploads_start(const uploads *to, http_uploads **out_uploads);

// http_uploads_stop waits until no file is being read. By then all uploads must have ended. NULL is
// fine.
void http_uploads_stop(http_uploads *uploads);

// http_upload_refuse counts a file refused before http_upload_begin.
void http_upload_refuse(void);

// http_upload_add appends bytes to the file. A failure is kept for the answer. Returns whether
// another HTTP_UPLOAD_STEP_BYTES have arrived.
bool http_upload_add(http_upload *upload, const char *bytes, size_t count);

// http_upload_push reads the complete file and calls on_shown with arg: exactly once, on the thread
// of the uploads. upload must live until then. http_upload_reply answers after that.
void http_upload_push(http_upload *upload, void (*on_shown)(void *arg), void *arg);

// http_upload_end deletes the file and frees the upload's place. NULL is fine.
void http_upload_end(http_upload *upload);
