// SPDX-License-Identifier: Apache-2.0

// http_rewriter: two threads that rewrite downloads (http_download_rewrite), so that neither the
// threads of connections nor the compaction waits for this work. Further downloads wait in a queue,
// which http_rewriter_reserve limits.
//
// Threads: any thread; start and stop on one.
// Tests:   tests/unit/collector/http/routes/test_http_rewriter.c

#pragma once

#include "collector/http/routes/http_download.h"
#include "common/base/lp_err.h"

// http_rewriter_start starts the threads. They keep blocks of large_bytes and more in files beside
// the chunks (lp_large.h). Borrows files until http_rewriter_stop. Errors: LP_ENOMEM, also for
// threads
LP_MUST_USE lp_err http_rewriter_start(
    blobs *files, size_t large_bytes, http_rewriter **out_rewriter);

// http_rewriter_reserve is http_download_reserve for this rewriter. Destroy the download before
// http_rewriter_stop. Errors: LP_ELIMIT
LP_MUST_USE lp_err http_rewriter_reserve(http_rewriter *rewriter, http_download *download);

// http_rewriter_push takes ownership of download, which is reserved, and rewrites it. It passes the
// download, or NULL if memory ran out, to on_rewritten, which owns it. on_rewritten is called
// exactly once, on a thread of the rewriter, possibly before this function returns, and must not
// block. Once *is_unwanted is true, the rewriting stops before the next chunk. *is_unwanted must
// live until on_rewritten is called, and orders nothing.
void http_rewriter_push(http_rewriter *rewriter, http_download *download,
    const atomic_bool *is_unwanted, void (*on_rewritten)(void *arg, http_download *download),
    void *arg);

// http_rewriter_stop stops the present rewritings after their present chunk, and drops the queue.
// Each download is passed to its on_rewritten, with LP_ECLOSED, before this function returns.
void http_rewriter_stop(http_rewriter *rewriter);
