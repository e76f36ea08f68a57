// SPDX-License-Identifier: Apache-2.0
// Tests:   tests/unit/engine/write/test_output.c
#include "common/base/lp_assert.h"
#include "common/jfr/jfr_event.h"
#include "common/jfr/rewrite/jfr_pools_mark.h"
#include "engine/read/index.h"
#include "engine/write/writer.h"

#include <string.h>

void
compact_kept_events_find_tails(compact_writer *w)
{
    compact_writer_check(w);
    const compact_schema *schema = w->view->schema;
    for (uint32_t i = 0; i < schema->metadata.types.count; i++) {
        bool is_styled = w->style != NULL && compact_style_extends(w->style, i);
        w->tails[i] =
            (uint8_t)((w->frame->options->has_sample_contexts && compact_schema_is_sample(schema, i)
                              ? COMPACT_TAIL_THREAD
                              : 0) |
                      (is_styled ? COMPACT_TAIL_STYLE : 0));
    }
}

// append_tail appends the tail of an event to out. state is that of its contexts
// (compact_style_of_plain).
static void
append_tail(compact_writer *w, uint32_t type, uint32_t thread, uint32_t state, lp_buf *out)
{
    uint8_t tails = w->tails[type];
    if ((tails & COMPACT_TAIL_THREAD) != 0) {
        uint64_t key = thread == COMPACT_NO_THREAD ? 0 : w->view->threads.items[thread].key;
        jfr_varint_append(out, jfr_rewrite_key(&w->rewrite, w->view->schema->thread_type, key));
    }
    if ((tails & COMPACT_TAIL_STYLE) != 0) {
        compact_style_append_tail(w->style, state, out);
    }
}

// is_changed returns whether an event differs from the input. It tests the event itself,
// independent of the marks of other events, some of which come later.
static bool
is_changed(compact_writer *w, const compact_event *event)
{
    bool is_other = w->tails[event->type] != 0 || w->frame->source->merge != NULL;
    if (is_other || !compact_writer_is_rewriting(w)) {
        return is_other;
    }
    lp_buf_clear(&w->scratch);
    compact_writer_append_value(w, event->type, event->payload, &w->scratch);
    // The output is no longer than the payload: changed keys become 0.
    lp_slice own = lp_buf_slice(&w->scratch);
    return w->scratch.is_failed ||
           (own.len > 0 && memcmp(own.ptr, event->payload.at, own.len) != 0);
}

static void
append_event(compact_writer *w, const compact_event *event, uint32_t thread, uint32_t state)
{
    compact_amount *written = &w->out->by_type[event->type];
    lp_buf *out = &w->out->jfr;
    size_t before = out->len;
    if (is_changed(w, event)) {
        jfr_event_open open = jfr_event_begin(
            out, compact_writer_type_id(w, event->type), jfr_cursor_left(&event->payload));
        compact_writer_append_value(w, event->type, event->payload, out);
        append_tail(w, event->type, thread, state, out);
        jfr_event_end(out, open);
    } else {
        lp_buf_append(out, event->bytes.ptr, event->bytes.len);
    }
    written->events++;
    written->bytes += out->len - before;
}

// Rows to prefetch ahead.
enum { FETCH_ROWS = 32 };

// start_copies sets w->copies if all marked events are copied unchanged, and counts them then.
static void
start_copies(compact_writer *w)
{
    const compact_view *view = w->view;
    size_t count = view->schema->metadata.types.count;
    w->copies = !compact_writer_is_rewriting(w);
    for (size_t i = 0; i < count; i++) {
        w->copies &= w->tails[i] == 0;
    }
    for (size_t i = 0; i < count && w->copies; i++) {
        w->out->by_type[i].events += view->marked_amounts[i].events;
        w->out->by_type[i].bytes += view->marked_amounts[i].bytes;
    }
}

// Events up to this size, as most are, are copied without a branch on their size.
enum { SHORT_BYTES = 64 };

static inline __attribute__((always_inline)) void
copy_event(compact_writer *w, uint32_t offset)
{
    lp_buf *out = &w->out->jfr;
    const uint8_t *begin = w->view->chunk.ptr + offset;
    const uint8_t *end = w->view->chunk.ptr + w->view->chunk.len;
    size_t size = jfr_event_size(begin, end);
    if (size <= SHORT_BYTES && end - begin >= SHORT_BYTES &&
        out->capacity - out->len >= SHORT_BYTES && !out->is_failed) {
        memcpy(out->ptr + out->len, begin, SHORT_BYTES);
        out->len += size;
    } else {
        lp_buf_append(out, begin, size);
    }
}

static void
append_span(compact_writer *w, size_t index)
{
    const compact_span *span = &w->view->kept_spans.items[index];
    compact_event event = compact_view_event(w->view, span->offset);
    if (span->is_marked || compact_index_mark(w->view, event.type, event.payload)) {
        uint32_t state = w->style == NULL ? 0 : compact_style_of_span(w->style, index);
        append_event(w, &event, span->thread, state);
    } else {
        compact_index_note_misfit(w->view, event.type, event.bytes);
        w->view->kept_spans.items[index].fate = COMPACT_DROPPED;
    }
}

void
compact_kept_events_append_spans(compact_writer *w)
{
    compact_writer_check(w);
    const compact_view *view = w->view;
    start_copies(w);
    for (size_t i = 0; i < view->kept_spans.count; i++) {
        const compact_span *span = &view->kept_spans.items[i];
        if (i + FETCH_ROWS < view->kept_spans.count) {
            compact_view_fetch(view, span[FETCH_ROWS].offset);
        }
        if (w->copies && span->is_marked) {
            copy_event(w, span->offset);
        } else {
            append_span(w, i);
        }
    }
}

static void
append_sample(
    compact_writer *w, const compact_event *event, uint64_t weight, uint32_t thread, uint32_t state)
{
    LP_ASSERT(w->view->schema->sample_type != JFR_NONE);
    compact_view *view = w->view;
    uint32_t type = view->schema->sample_type;
    jfr_program sampled = view->schema->plans[event->type].sampled;
    compact_amount *written = &w->out->by_type[type];
    size_t before = w->out->jfr.len;
    jfr_cursor cursor = event->payload;
    bool is_whole = jfr_pools_mark_value(&view->pools, sampled, &cursor);
    view->keeps[type] = true;

    cursor = event->payload;
    lp_buf_clear(&w->scratch);
    is_whole = is_whole && jfr_rewrite_value(&w->rewrite, sampled, true, &cursor, &w->scratch);
    LP_ASSERT(is_whole); // as the event was
    jfr_varint_append(&w->scratch, weight);
    append_tail(w, type, thread, state, &w->scratch);
    compact_writer_end_event(w, compact_writer_type_id(w, type));
    written->events++;
    written->bytes += w->out->jfr.len - before;
}

// append_plain writes the event or sample of a row. *weight is the next sample's.
static void
append_plain(compact_writer *w, size_t index, const compact_weight **weight)
{
    const compact_plain *row = &w->view->plain.items[index];
    compact_event event = compact_view_event(w->view, row->offset);
    uint32_t state = w->style == NULL ? 0 : compact_style_of_plain(w->style, index);
    bool is_marked = row->fate == COMPACT_KEPT;
    if (row->is_sample) {
        LP_ASSERT((*weight)->row == index);
        append_sample(w, &event, (*weight)->bytes, row->thread, state);
        (*weight)++;
    } else if (is_marked || compact_index_mark(w->view, event.type, event.payload)) {
        append_event(w, &event, row->thread, state);
    } else {
        compact_index_note_misfit(w->view, event.type, event.bytes);
    }
}

void
compact_kept_events_append_plain(compact_writer *w)
{
    compact_writer_check(w);
    const compact_view *view = w->view;
    const compact_weight *weight = view->weights.items;
    for (size_t i = 0; i < view->plain.count; i++) {
        const compact_plain *row = &view->plain.items[i];
        if (i + FETCH_ROWS < view->plain.count) {
            compact_view_fetch(view, row[FETCH_ROWS].offset);
        }
        if (w->copies && row->fate == COMPACT_KEPT) {
            copy_event(w, row->offset);
        } else if (row->fate != COMPACT_UNDECIDED) {
            append_plain(w, i, &weight);
        }
    }
}
