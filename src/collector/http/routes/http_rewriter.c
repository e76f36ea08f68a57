// SPDX-License-Identifier: Apache-2.0
#include "collector/http/routes/http_rewriter.h"

#include "collector/base/workers.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_large.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { THREAD_COUNT = 2 };

typedef struct rewriting {
    const http_rewriter *rewriter;
    http_download *download;
    const atomic_bool *is_unwanted;
    void (*on_rewritten)(void *arg, http_download *download);
    void *arg;
} rewriting;

struct http_rewriter {
    workers *workers;
    blobs *files;
    size_t large_bytes;
    http_rewritten rewritten;
};

static void
rewrite(void *arg, const atomic_bool *is_stopping)
{
    rewriting *next = arg;
    const http_rewriter *self = next->rewriter;
    lp_large_begin(blobs_get_directory(self->files), self->large_bytes);
    http_download_rewrite(next->download, is_stopping, next->is_unwanted);
    lp_large_end();
    next->on_rewritten(next->arg, next->download);
    free(next);
}

lp_err
http_rewriter_start(blobs *files, size_t large_bytes, http_rewriter **out_rewriter)
{
    LP_ASSERT(files != NULL);
    http_rewriter *self = calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, LP_ENOMEM);
    self->files = files;
    self->large_bytes = large_bytes;
    lp_err err = workers_start(
        "loupe-rewrite", WORKERS_NORMAL, THREAD_COUNT, HTTP_REWRITTEN_MAX, &self->workers);
    if (err != LP_OK) {
        free(self);
        return err;
    }
    *out_rewriter = self;
    return LP_OK;
}

lp_err
http_rewriter_reserve(http_rewriter *self, http_download *download)
{
    LP_ASSERT(download != NULL);
    return http_download_reserve(download, &self->rewritten);
}

void
http_rewriter_push(http_rewriter *self, http_download *download, const atomic_bool *is_unwanted,
    void (*on_rewritten)(void *arg, http_download *download), void *arg)
{
    LP_ASSERT(download != NULL && on_rewritten != NULL);
    rewriting *pushed = malloc(sizeof(*pushed));
    if (pushed == NULL) {
        http_download_destroy(download);
        on_rewritten(arg, NULL);
        return;
    }
    *pushed = (rewriting){.rewriter = self,
        .download = download,
        .is_unwanted = is_unwanted,
        .on_rewritten = on_rewritten,
        .arg = arg};
    lp_err err = workers_push(self->workers, rewrite, pushed);
    LP_ASSERT(err == LP_OK); // each of them is reserved
}

void
http_rewriter_stop(http_rewriter *self)
{
    if (self != NULL) {
        workers_stop(self->workers);
        free(self);
    }
}
