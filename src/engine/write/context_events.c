// SPDX-License-Identifier: Apache-2.0
// Tests:   tests/unit/engine/contexts/test_contexts.c
#include "common/base/lp_assert.h"
#include "common/context/ctx_type.h"
#include "common/jfr/jfr_string.h"
#include "common/jfr/rewrite/jfr_pools_mark.h"
#include "engine/carry/identities.h"
#include "engine/contexts/value.h"
#include "engine/read/kind_values.h"
#include "engine/read/text.h"
#include "engine/write/describe.h"
#include "engine/write/writer.h"

// --- Finding parts

static void
lose_part(compact_writer *w, const compact_context *context)
{
    size_t type = ctx_type_find(w->decided->types, w->frame->type_count, context->type_id);
    w->out->unwritable_parts++;
    w->out->lost_contexts[type] += !context->is_written; // the last is for unknown types
}

static void
ready_parts(compact_context_events *events, compact_writer *w, const lp_map *threads)
{
    LP_ASSERT(w->style == NULL);
    const compact_parts *parts = &w->decided->parts;
    events->parts = LP_ARENA_ARRAY(w->arena, compact_ready_part, parts->count);
    for (size_t i = 0; i < parts->count && events->parts != NULL; i++) {
        const compact_part *part = &parts->items[i];
        LP_ASSERT(part->begin <= part->end);
        LP_ASSERT(part->context < w->frame->contexts->items.count);
        LP_ASSERT(i == 0 || part->context > part[-1].context); // a context has one part in a chunk
        const compact_context *context = &w->frame->contexts->items.items[part->context];
        uint32_t thread = lp_map_find(threads, compact_identity_java(context->thread_id));
        size_t type = ctx_type_find(w->decided->types, w->frame->type_count, context->type_id);
        if (thread == LP_MAP_NONE || type == w->frame->type_count) {
            lose_part(w, context);
            continue;
        }
        events->parts[events->part_count++] = (compact_ready_part){
            .part = part,
            .context = context,
            .type = type,
            .thread_key = w->view->threads.items[thread].key,
        };
    }
}

static bool
has_values(const compact_frame *frame, const compact_context *context, const ctx_type *type)
{
    compact_values values = compact_contexts_values(frame->contexts, context);
    compact_value value;
    for (size_t i = 0; i < type->attribute_count; i++) {
        LP_REQUIRE(compact_values_read(&values, type->attributes[i].kind, &value), false);
    }
    return true;
}

static void
count_parts(compact_writer *w)
{
    LP_ASSERT(w->style != NULL);
    for (size_t i = 0; i < w->decided->parts.count; i++) {
        uint32_t index = w->decided->parts.items[i].context;
        const compact_context *context = &w->frame->contexts->items.items[index];
        size_t type = ctx_type_find(w->decided->types, w->frame->type_count, context->type_id);
        if (type < w->frame->type_count &&
            has_values(w->frame, context, &w->decided->types[type])) {
            w->out->by_context[type].events += !context->is_written;
        } else {
            lose_part(w, context);
        }
    }
}

static void
find_parts(compact_context_events *events, compact_writer *w)
{
    if (w->style != NULL) {
        count_parts(w);
        return;
    }
    if (w->decided->parts.count == 0) {
        return;
    }
    lp_map threads = {0};
    compact_identities_map(w->view, w->frame->identities, w->arena, &threads);
    ready_parts(events, w, &threads);
    lp_map_fini(&threads);
}

static void
mark_parts(compact_context_events *events, compact_writer *w)
{
    for (size_t i = 0; i < events->part_count; i++) {
        const compact_ready_part *ready = &events->parts[i];
        uint64_t *id = &events->type_ids[ready->type];
        jfr_pools_mark(&w->view->pools, w->view->schema->thread_type, ready->thread_key);
        if (*id == 0) {
            *id = compact_context_class_add(&w->classes, &w->decided->types[ready->type]);
        }
    }
}

void
compact_context_events_init(compact_context_events *events, compact_writer *w)
{
    compact_writer_check(w);
    LP_ASSERT(compact_frame_is_open(w->frame));
    *events = (compact_context_events){
        .type_ids = LP_ARENA_ARRAY(w->arena, uint64_t, w->frame->type_count),
    };
    if (events->type_ids != NULL) {
        find_parts(events, w);
        mark_parts(events, w);
    }
}

// --- Writing

static void
append_text(lp_buf *out, const compact_value *value)
{
    if (value->is_null) {
        compact_kind_append_null(out);
        return;
    }
    lp_buf utf8 = {0};
    compact_value_append_utf8(value, &utf8);
    jfr_string_append(out, lp_buf_slice(&utf8));
    out->is_failed |= utf8.is_failed;
    lp_buf_fini(&utf8);
}

// append_value converts an attribute from a context record. Returns false if it is damaged.
static bool
append_value(lp_buf *out, ctx_kind kind, compact_values *values)
{
    compact_value value;
    LP_REQUIRE(compact_values_read(values, kind, &value), false);
    if (kind == CTX_STRING) {
        append_text(out, &value);
    } else if (kind == CTX_HEX) {
        compact_text_append_hex_string(out, value.bits);
    } else {
        compact_kind_append_primitive(kind, value.bits, out);
    }
    return true;
}

static void
append_part(
    const compact_context_events *events, compact_writer *w, const compact_ready_part *ready)
{
    LP_ASSERT(events->type_ids[ready->type] != 0); // by mark_parts
    const ctx_type *type = &w->decided->types[ready->type];
    compact_values values = compact_contexts_values(w->frame->contexts, ready->context);
    lp_buf *payload = &w->scratch;
    size_t before = w->out->jfr.len;

    lp_buf_clear(payload);
    uint64_t begin = (uint64_t)jfr_rewrite_time(&w->rewrite, ready->part->begin);
    jfr_varint_append(payload, begin);
    jfr_varint_append(payload, (uint64_t)jfr_rewrite_time(&w->rewrite, ready->part->end) - begin);
    jfr_varint_append(
        payload, jfr_rewrite_key(&w->rewrite, w->view->schema->thread_type, ready->thread_key));
    jfr_varint_append(payload, jfr_rewrite_context_id(&w->rewrite, ready->context->id));
    for (size_t i = 0; i < type->attribute_count; i++) {
        if (!append_value(payload, type->attributes[i].kind, &values)) {
            lose_part(w, ready->context);
            return;
        }
    }
    compact_writer_end_event(w, events->type_ids[ready->type]);

    compact_amount *written = &w->out->by_context[ready->type];
    written->events += !ready->context->is_written;
    written->bytes += w->out->jfr.len - before;
}

void
compact_context_events_append(const compact_context_events *events, compact_writer *w)
{
    compact_writer_check(w);
    for (size_t i = 0; i < events->part_count; i++) {
        append_part(events, w, &events->parts[i]);
    }
}
