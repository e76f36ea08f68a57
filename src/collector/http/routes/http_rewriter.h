// SPDX-License-Identifier: Apache-2.0

// http_rewriter: threads that rewrite the contents of downloads (http_download_rewrite), two at a
// time, so that neither the threads of connections nor the compaction of what arrives waits for
// that. Further downloads wait in a queue, which http_rewriter_reserve limits.
//
// Threads: any thread; start and stop on one.
// Tests:   tests/unit/collector/http/routes/test_http_rewriter.c

#ifndef LP_COLLECTOR_HTTP_HTTP_REWRITER_H
#define LP_COLLECTOR_HTTP_HTTP_REWRITER_H

#include "collector/http/routes/http_download.h"
#include "common/base/lp_err.h"

// http_rewriter_start starts the threads, which have blocks of large_bytes and more in files beside
// the chunks (lp_large.h), and borrows files until http_rewriter_stop.
// Errors: LP_ENOMEM, for threads as well
LP_MUST_USE lp_err http_rewriter_start(
    blobs *files, size_t large_bytes, http_rewriter **out_rewriter);

// http_rewriter_reserve is http_download_reserve for the downloads of this rewriter, each of which
// is destroyed before http_rewriter_stop returns. Errors: LP_ELIMIT
LP_MUST_USE lp_err http_rewriter_reserve(http_rewriter *rewriter, http_download *download);

// http_rewriter_push takes download, which is reserved, has it rewritten and passes it to
// on_rewritten, which owns it: exactly once, on a thread of the rewriter's, possibly before this
// function returns. on_rewritten must not block. NULL if memory ran out. Once *is_unwanted, which
// stays until then and orders nothing, it is given up before the next chunk.
void http_rewriter_push(http_rewriter *rewriter, http_download *download,
    const atomic_bool *is_unwanted, void (*on_rewritten)(void *arg, http_download *download),
    void *arg);

// http_rewriter_stop gives up the downloads in work, each after its present chunk, and those that
// wait. It returns when each has been passed to its on_rewritten, with LP_ECLOSED.
void http_rewriter_stop(http_rewriter *rewriter);

#endif // LP_COLLECTOR_HTTP_HTTP_REWRITER_H
