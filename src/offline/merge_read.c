// SPDX-License-Identifier: Apache-2.0
#include "offline/merge_read.h"

#include "common/base/lp_assert.h"
#include "engine/read/view.h"
#include "offline/crew.h"

#include <uv.h>

typedef struct reader {
    const inputs *in;
    const policy *rules;
    compact_merge *merge;
    uv_mutex_t lock; // of the following
    uv_cond_t changed;
    size_t next;            // the first chunk that no thread has begun
    size_t added;           // so many chunks were added, or cannot be read
    compact_schema *schema; // of the last chunk that was added
    lp_err err;
} reader;

// add adds the chunk that is next. err is that of reading it. Called with the lock.
static void
add(reader *r, const input_chunk *chunk, lp_err err, const compact_view *view)
{
    if (err == LP_OK && r->err == LP_OK) {
        err = compact_merge_add(r->merge, chunk->session, view);
        compact_schema_release(r->schema);
        r->schema = compact_schema_hold(view->schema);
    }
    r->err = r->err == LP_OK && err == LP_ENOMEM ? LP_ENOMEM : r->err;
    r->added++;
}

// read_next reads the next chunk and adds it in its turn. Called with the lock, which it releases
// meanwhile.
static void
read_next(reader *r)
{
    size_t index = r->next++;
    const input_chunk *chunk = &r->in->chunks.items[index];
    compact_schema *like = compact_schema_hold(r->schema);
    uv_mutex_unlock(&r->lock);
    compact_view view = {0};
    lp_err err = compact_view_open_enumerations(&view, chunk->bytes, r->rules, like);
    compact_schema_release(like);
    uv_mutex_lock(&r->lock);
    while (r->added != index) {
        uv_cond_wait(&r->changed, &r->lock);
    }
    add(r, chunk, err, &view);
    uv_cond_broadcast(&r->changed);
    uv_mutex_unlock(&r->lock);
    compact_view_close(&view);
    recording_file_release(chunk->file, chunk->bytes);
    uv_mutex_lock(&r->lock);
}

static void
work(void *arg)
{
    reader *r = arg;
    uv_mutex_lock(&r->lock);
    while (r->err == LP_OK && r->next < r->in->chunks.count) {
        read_next(r);
    }
    uv_mutex_unlock(&r->lock);
}

lp_err
merge_read(const inputs *in, const policy *rules, unsigned threads, compact_merge *merge)
{
    reader r = {.in = in, .rules = rules, .merge = merge};
    LP_ASSERT(uv_mutex_init(&r.lock) == 0 && uv_cond_init(&r.changed) == 0);
    crew_run(threads, in->chunks.count, work, &r);
    compact_schema_release(r.schema);
    uv_cond_destroy(&r.changed);
    uv_mutex_destroy(&r.lock);
    return r.err;
}
