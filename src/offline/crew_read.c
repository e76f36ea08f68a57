// SPDX-License-Identifier: Apache-2.0
#include "offline/crew_read.h"

#include "common/base/lp_assert.h"
#include "engine/read/view.h"
#include "offline/crew.h"

#include <uv.h>

typedef struct reading {
    const crew_reader *reader;
    uv_mutex_t lock; // of the following
    uv_cond_t changed;
    size_t next;            // the first chunk that no thread has started
    size_t added;           // number of added chunks
    compact_schema *schema; // of the last readable chunk that was added
    lp_err err;
} reading;

// add adds the chunk at index, which is next. err is that of reading it. Called with the lock.
static void
add(reading *r, size_t index, lp_err err, compact_view *view)
{
    r->err = r->err == LP_OK && err == LP_ENOMEM ? LP_ENOMEM : r->err;
    if (r->err == LP_OK) {
        r->err = r->reader->add(r->reader->arg, index, err == LP_OK ? view : NULL);
    }
    if (err == LP_OK) {
        compact_schema_release(r->schema);
        r->schema = compact_schema_hold(view->schema);
    }
    r->added++;
}

// read_next reads the next chunk and adds it in its turn. Called with the lock, which it releases
// meanwhile.
static void
read_next(reading *r)
{
    const crew_reader *reader = r->reader;
    size_t index = r->next++;
    compact_schema *like = compact_schema_hold(r->schema);
    uv_mutex_unlock(&r->lock);
    compact_view view = {0};
    lp_err err = reader->read(reader->arg, index, like, &view);
    compact_schema_release(like);
    uv_mutex_lock(&r->lock);
    while (r->added != index) {
        uv_cond_wait(&r->changed, &r->lock);
    }
    add(r, index, err, &view);
    uv_cond_broadcast(&r->changed);
    uv_mutex_unlock(&r->lock);
    compact_view_close(&view);
    reader->release(reader->arg, index);
    uv_mutex_lock(&r->lock);
}

static void
work(void *arg)
{
    reading *r = arg;
    uv_mutex_lock(&r->lock);
    while (r->err == LP_OK && r->next < r->reader->count) {
        read_next(r);
    }
    uv_mutex_unlock(&r->lock);
}

lp_err
crew_read(const crew_reader *reader, unsigned threads)
{
    reading r = {.reader = reader};
    LP_ASSERT(uv_mutex_init(&r.lock) == 0 && uv_cond_init(&r.changed) == 0);
    crew_run(threads, reader->count, work, &r);
    compact_schema_release(r.schema);
    uv_cond_destroy(&r.changed);
    uv_mutex_destroy(&r.lock);
    return r.err;
}
