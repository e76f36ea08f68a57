// SPDX-License-Identifier: Apache-2.0
#include "engine/write/checkpoint.h"

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

static void
append_pool(const compact_writer *w, uint32_t type, lp_buf *payload)
{
    const jfr_pool *pool = &w->view->pools.pools[type];
    size_t added = added_count(w, type);
    jfr_varint_append(payload, compact_writer_type_id(w, type));
    jfr_varint_append(payload, pool->marked_count + added);
    for (size_t i = 0; i < pool->constants.count; i++) {
        const jfr_constant *constant = &pool->constants.items[i];
        if (!constant->is_marked) {
            continue;
        }
        jfr_varint_append(payload, jfr_rewrite_key(&w->rewrite, type, constant->key));
        const uint8_t *value = w->view->chunk.ptr + constant->offset;
        if (compact_writer_is_rewriting(w)) {
            compact_writer_append_value(
                w, type, (jfr_cursor){value, value + constant->size_bytes}, payload);
        } else {
            lp_buf_append(payload, value, constant->size_bytes);
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
