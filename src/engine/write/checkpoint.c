// SPDX-License-Identifier: Apache-2.0
#include "engine/write/checkpoint.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_event.h"
#include "common/jfr/rewrite/jfr_pools_mark.h"
#include "common/jfr/rewrite/jfr_printable.h"

enum { PIECE_BYTES_MIN = 4096 }; // from so many bytes on, a piece costs less than a copy

static bool
has_pool(const compact_writer *w, uint32_t type)
{
    return w->view->pools.pools[type].marked_count > 0;
}

// A pool that is written.
typedef struct written_pool {
    const compact_writer *w;
    const jfr_pool *pool;
    uint32_t type;
    bool keeps_keys;   // the output has the input's keys
    bool keeps_values; // and the input's values, but for nulls
    bool is_trace;     // of stack traces
    jfr_printable_trace trace;
} written_pool;

static written_pool
written_pool_of(const compact_writer *w, uint32_t type)
{
    // Texts mean the same everywhere.
    bool is_text = jfr_layout_is_text(&w->view->schema->layout, type) &&
                   !jfr_pools_may_refer(&w->view->pools, type);
    bool has_own_terms = w->frame->source->merge != NULL;
    written_pool p = {
        .w = w,
        .pool = &w->view->pools.pools[type],
        .type = type,
        .keeps_keys = !has_own_terms,
        .keeps_values = !has_own_terms || is_text,
    };
    const compact_schema *schema = w->view->schema;
    p.is_trace = jfr_printable_find_trace(&schema->metadata, &schema->layout, type, &p.trace);
    p.keeps_values &= !p.is_trace || p.trace.pool != JFR_NONE;
    return p;
}

// keeps_value returns whether the value of a constant with this mark is that of the input.
static bool
keeps_value(const written_pool *p, uint8_t mark)
{
    return p->keeps_values && (mark & JFR_MARK_HAS_NULL) == 0;
}

// append_trace appends a stack trace without the frames that cannot be printed.
static void
append_trace(const written_pool *p, const jfr_constant *constant, lp_buf *payload)
{
    const compact_writer *w = p->w;
    const uint8_t *value = w->view->chunk.ptr + constant->offset;
    const jfr_cursor cursor = {value, value + constant->size_bytes};
    uint64_t bytes;
    uint64_t left_out = jfr_printable_append_trace(&w->rewrite, &p->trace, cursor, payload, &bytes);
    if (left_out > 0) {
        lp_problem problem;
        (void)lp_problem_at(&problem, LP_ECORRUPT, constant->offset,
            "a stack trace has frames without a method: %llu", (unsigned long long)left_out);
        compact_damage_add_unprintable(&w->view->damage, &problem, bytes);
    }
}

// append_constant appends key and value of the constant at index.
static void
append_constant(const written_pool *p, size_t index, lp_buf *payload)
{
    const compact_writer *w = p->w;
    const jfr_constant *constant = &p->pool->constants.items[index];
    const uint8_t *value = w->view->chunk.ptr + constant->offset;
    uint8_t mark = p->pool->marks[index];
    jfr_varint_append(payload, jfr_rewrite_defined_key(&w->rewrite, p->type, constant->key));
    if (keeps_value(p, mark)) {
        lp_buf_append(payload, value, constant->size_bytes);
        return;
    }
    bool has_nulls = (mark & JFR_MARK_HAS_NULL) != 0;
    if (p->is_trace && (has_nulls || p->trace.pool == JFR_NONE)) {
        append_trace(p, constant, payload);
        return;
    }
    jfr_program program = w->view->schema->layout.types.items[p->type];
    jfr_cursor cursor = {value, value + constant->size_bytes};
    bool is_whole = jfr_rewrite_value(&w->rewrite, program, has_nulls, &cursor, payload);
    LP_ASSERT(is_whole); // it was when it was added
}

// count_run returns how many constants, from the one at index on, stay as they are and lie one
// behind the other, each key in its shortest form between them.
static size_t
count_run(const written_pool *p, size_t index)
{
    const jfr_pool *pool = p->pool;
    size_t end = index;
    uint64_t offset = pool->constants.items[index].offset;
    while (p->keeps_keys && end < pool->constants.count &&
           (pool->marks[end] & JFR_MARK_NEEDED) != 0 && keeps_value(p, pool->marks[end]) &&
           pool->constants.items[end].offset == offset) {
        offset += pool->constants.items[end].size_bytes;
        end++;
        offset += end < pool->constants.count ? jfr_varint_size(pool->constants.items[end].key) : 0;
    }
    return end - index;
}

// append_run appends the constants from first to last as they lie in the chunk.
static void
append_run(const compact_writer *w, const jfr_constant *first, const jfr_constant *last)
{
    const uint8_t *begin = w->view->chunk.ptr + first->offset;
    const uint8_t *end = w->view->chunk.ptr + last->offset + last->size_bytes;
    const lp_slice values = {begin, (size_t)(end - begin)};
    jfr_varint_append(&w->out->jfr, first->key);
    if (w->frame->is_in_pieces && values.len >= PIECE_BYTES_MIN) {
        compact_output_borrow(w->out, values);
    } else {
        lp_buf_append(&w->out->jfr, values.ptr, values.len);
    }
}

static void
append_pool(const compact_writer *w, uint32_t type)
{
    lp_buf *payload = &w->out->jfr;
    const written_pool p = written_pool_of(w, type);
    const jfr_pool *pool = p.pool;
    jfr_varint_append(payload, compact_writer_type_id(w, type));
    jfr_varint_append(payload, pool->marked_count);
    for (size_t i = 0; i < pool->constants.count; i++) {
        if ((pool->marks[i] & JFR_MARK_NEEDED) == 0) {
            continue;
        }
        size_t run = count_run(&p, i);
        if (run > 1) {
            const jfr_constant *first = &pool->constants.items[i];
            append_run(w, first, first + run - 1);
            i += run - 1;
        } else {
            append_constant(&p, i, payload);
        }
    }
}

// note_unprintable notes the constants that were left out because they cannot be printed.
static void
note_unprintable(const compact_writer *w)
{
    const jfr_metadata *metadata = &w->view->schema->metadata;
    for (uint32_t i = 0; i < w->view->pools.pool_count; i++) {
        const jfr_pool *pool = &w->view->pools.pools[i];
        for (size_t k = 0; k < pool->unprintable.count; k++) {
            const jfr_constant *constant = &pool->unprintable.items[k];
            lp_problem problem;
            (void)lp_problem_at(&problem, LP_ECORRUPT, constant->offset,
                "a constant of type %s: its name or what it refers to is missing or malformed",
                jfr_metadata_text(metadata, metadata->types.items[i].name));
            compact_damage_add_unprintable(&w->view->damage, &problem, constant->size_bytes);
        }
    }
}

void
compact_checkpoint_append(compact_writer *w, int64_t start_ticks)
{
    LP_ASSERT(w->view == w->frame->view);
    LP_ASSERT(w->out != NULL);
    note_unprintable(w);
    lp_buf *jfr = &w->out->jfr;
    uint64_t pool_count = 0;
    for (uint32_t i = 0; i < w->view->pools.pool_count; i++) {
        pool_count += has_pool(w, i);
    }
    if (w->style != NULL) {
        pool_count += compact_style_pool_count(w->style, &w->style_types);
    }
    jfr_event_open event = jfr_event_begin(jfr, JFR_TYPE_ID_CHECKPOINT, w->view->pools.bytes);
    jfr_varint_append(jfr, (uint64_t)start_ticks);
    jfr_varint_append(jfr, 0); // duration
    jfr_varint_append(jfr, 0); // no checkpoint before this one
    lp_buf_append(jfr, "", 1); // flags
    jfr_varint_append(jfr, pool_count);
    for (uint32_t i = 0; i < w->view->pools.pool_count; i++) {
        if (has_pool(w, i)) {
            append_pool(w, i);
        }
    }
    if (w->style != NULL) {
        compact_style_append_pools(w->style, &w->style_types, jfr);
    }
    size_t moved = jfr->len;
    event.bytes_elsewhere = w->out->borrowed_bytes;
    jfr_event_end(jfr, event);
    moved = jfr->len - moved; // the head may be longer or shorter than it was likely to be
    for (size_t i = 0; i < w->out->borrowed.count; i++) {
        w->out->borrowed.items[i].at += moved;
    }
}
