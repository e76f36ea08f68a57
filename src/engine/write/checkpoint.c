// SPDX-License-Identifier: Apache-2.0
#include "engine/write/checkpoint.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_event.h"

// added_count returns how many constants the style adds to the pool of a type of view.
static size_t
added_count(const compact_writer *w, uint32_t type)
{
    bool is_text = type == w->view->schema->layout.string_type;
    return is_text && w->style != NULL ? compact_style_text_count(w->style) : 0;
}

static bool
has_pool(const compact_writer *w, uint32_t type)
{
    return w->view->pools.pools[type].marked_count + added_count(w, type) > 0;
}

// is_copied returns whether a constant is in the output as it is in the input, its key apart.
static bool
is_copied(const compact_writer *w, uint8_t mark)
{
    return w->frame->source->merge == NULL && (mark & JFR_MARK_HAS_NULL) == 0;
}

// append_constant appends key and value of the constant at index of a pool.
static void
append_constant(const compact_writer *w, uint32_t type, size_t index, lp_buf *payload)
{
    const jfr_pool *pool = &w->view->pools.pools[type];
    const jfr_constant *constant = &pool->constants.items[index];
    const uint8_t *value = w->view->chunk.ptr + constant->offset;
    jfr_varint_append(payload, jfr_rewrite_key(&w->rewrite, type, constant->key));
    if (is_copied(w, pool->marks[index])) {
        lp_buf_append(payload, value, constant->size_bytes);
        return;
    }
    jfr_cursor cursor = {value, value + constant->size_bytes};
    bool is_whole =
        jfr_rewrite_value(&w->rewrite, w->view->schema->layout.types.items[type], &cursor, payload);
    LP_ASSERT(is_whole); // it was when it was added
}

// count_run returns how many constants, from the one at index on, are copied and lie one behind the
// other, each key in its shortest form between them.
static size_t
count_run(const compact_writer *w, const jfr_pool *pool, size_t index)
{
    size_t end = index;
    uint64_t offset = pool->constants.items[index].offset;
    while (end < pool->constants.count && pool->marks[end] != 0 && is_copied(w, pool->marks[end]) &&
           pool->constants.items[end].offset == offset) {
        offset += pool->constants.items[end].size_bytes;
        end++;
        offset += end < pool->constants.count ? jfr_varint_size(pool->constants.items[end].key) : 0;
    }
    return end - index;
}

// append_run appends count constants as they lie in the chunk.
static void
append_run(
    const compact_writer *w, const jfr_constant *first, const jfr_constant *last, lp_buf *payload)
{
    const uint8_t *begin = w->view->chunk.ptr + first->offset;
    const uint8_t *end = w->view->chunk.ptr + last->offset + last->size_bytes;
    jfr_varint_append(payload, first->key);
    lp_buf_append(payload, begin, (size_t)(end - begin));
}

static void
append_pool(const compact_writer *w, uint32_t type, lp_buf *payload)
{
    const jfr_pool *pool = &w->view->pools.pools[type];
    size_t added = added_count(w, type);
    jfr_varint_append(payload, compact_writer_type_id(w, type));
    jfr_varint_append(payload, pool->marked_count + added);
    for (size_t i = 0; i < pool->constants.count; i++) {
        if (pool->marks[i] == 0) {
            continue;
        }
        size_t run = count_run(w, pool, i);
        if (run > 1) {
            const jfr_constant *first = &pool->constants.items[i];
            append_run(w, first, first + run - 1, payload);
            i += run - 1;
        } else {
            append_constant(w, type, i, payload);
        }
    }
    if (added > 0) {
        compact_style_append_texts(w->style, payload);
    }
}

void
compact_checkpoint_append(compact_writer *w, int64_t start_ticks)
{
    lp_buf *payload = &w->scratch;
    uint64_t pool_count = 0;
    for (uint32_t i = 0; i < w->view->pools.pool_count; i++) {
        pool_count += has_pool(w, i);
    }
    if (w->style != NULL) {
        pool_count += compact_style_pool_count(w->style);
    }
    lp_buf_clear(payload);
    jfr_varint_append(payload, (uint64_t)start_ticks);
    jfr_varint_append(payload, 0); // duration
    jfr_varint_append(payload, 0); // no checkpoint before this one
    lp_buf_append(payload, "", 1); // flags
    jfr_varint_append(payload, pool_count);
    for (uint32_t i = 0; i < w->view->pools.pool_count; i++) {
        if (has_pool(w, i)) {
            append_pool(w, i, payload);
        }
    }
    if (w->style != NULL) {
        compact_style_append_pools(w->style, w->state_type, payload);
    }
    compact_writer_end_event(w, JFR_TYPE_ID_CHECKPOINT);
}
