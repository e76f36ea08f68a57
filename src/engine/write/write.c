// SPDX-License-Identifier: Apache-2.0
#include "engine/write/write.h"

#include "common/base/lp_assert.h"
#include "common/context/ctx_type.h"
#include "common/jfr/jfr_event.h"
#include "common/jfr/jfr_name.h"
#include "common/jfr/jfr_rewrite.h"
#include "common/jfr/jfr_string.h"
#include "engine/carry/threads.h"
#include "engine/contexts/value.h"
#include "engine/read/index.h"
#include "engine/read/text.h"
#include "engine/write/account.h"
#include "engine/write/settings.h"
#include "engine/write/types.h"

#include <stdlib.h>
#include <string.h>

// A part whose thread and type are known.
typedef struct ready_part {
    const compact_part *part;
    const compact_context *context;
    size_t type; // indexes in->types
    uint64_t thread_key;
} ready_part;

// What is put behind the last field of an event.
typedef enum tail {
    TAIL_THREAD = 1, // eventThread
    TAIL_STYLE = 2,  // what compact_style_append_tail appends
} tail;

typedef struct writer {
    const compact_write_input *in;
    compact_view *view;
    compact_output *out;
    jfr_rewrite rewrite;
    compact_types types;
    LP_VEC(ready_part) parts;
    uint64_t *context_type_ids; // parallel to in->types; 0: not used
    uint8_t *tails;             // parallel to the types of view: a set of tail
    lp_buf scratch;
} writer;

// --- The terms of the output

// start_rewriting prepares w->rewrite.
static lp_err
start_rewriting(writer *w, lp_problem *problem)
{
    const compact_write_input *in = w->in;
    const compact_schema *schema = w->view->schema;
    w->rewrite = (jfr_rewrite){
        .metadata = &schema->metadata,
        .layout = &schema->layout,
        .pools = &w->view->pools,
        .thread_type = schema->thread_type,
    };
    if (in->merge == NULL) {
        return LP_OK;
    }
    w->rewrite.source_count = compact_merge_source_count(in->merge);
    w->rewrite.source = in->merge_source;
    w->rewrite.clock =
        (jfr_clock){in->clock.start_wall_ns, in->clock.start_ticks, in->clock.ticks_per_s};
    w->rewrite.zero_wall_ns = compact_merge_zero_wall_ns(in->merge);
    w->rewrite.type_ids = compact_merge_find_ids(in->merge, in->merge_source, schema);
    return w->rewrite.type_ids != NULL
               ? LP_OK
               : lp_problem_set(problem, LP_ECORRUPT, "the input was changed while it was read");
}

static uint64_t
id_in_output(const void *arg, uint64_t id)
{
    return jfr_rewrite_type_id(arg, id);
}

static lp_err
start_types(writer *w)
{
    lp_err err = compact_types_init(&w->types, &w->view->schema->metadata, w->in->merge);
    return err == LP_OK && w->in->merge != NULL
               ? jfr_metadata_renumber(&w->types.metadata, id_in_output, &w->rewrite)
               : err;
}

static uint64_t
type_id_of(const writer *w, uint32_t type)
{
    return w->types.metadata.types.items[type].id;
}

// is_rewritten says whether events and constants differ from the input's, as far as is known when
// the constants of an event are marked: it must not be asked before.
static bool
is_rewritten(const writer *w)
{
    return w->in->merge != NULL || w->view->pools.missed_count > 0;
}

// append_whole appends a value of type that lies at cursor, and nothing that follows it.
static void
append_whole(const writer *w, uint32_t type, jfr_cursor cursor, lp_buf *out)
{
    const jfr_layout *layout = &w->view->schema->layout;
    jfr_program program = layout->types.items[type];
    const uint8_t *begin = cursor.at;
    bool is_whole = is_rewritten(w) ? jfr_rewrite_value(&w->rewrite, program, &cursor, out)
                                    : jfr_layout_walk(layout, program, &cursor);
    LP_ASSERT(is_whole); // it was when its constants were marked
    if (!is_rewritten(w)) {
        lp_buf_append(out, begin, (size_t)(cursor.at - begin));
    }
}

// --- Which contexts can be written

// lose_part notes that a part of a context cannot be written.
static void
lose_part(writer *w, const compact_context *context)
{
    size_t type = ctx_type_find(w->in->types, w->in->type_count, context->type_id);
    w->out->unwritable_parts++;
    w->out->lost_contexts[type] += !context->is_written; // the last is for those of unknown types
}

static lp_err
ready_parts(writer *w, const lp_map *threads)
{
    for (size_t i = 0; i < w->in->parts->count; i++) {
        const compact_part *part = &w->in->parts->items[i];
        const compact_context *context = &w->in->contexts->items.items[part->context];
        uint32_t thread = lp_map_find(threads, compact_identity_java(context->thread_id));
        size_t type = ctx_type_find(w->in->types, w->in->type_count, context->type_id);
        if (thread == LP_MAP_NONE || type == w->in->type_count) {
            lose_part(w, context);
            continue;
        }
        ready_part *ready = LP_VEC_PUSH(&w->parts);
        if (ready == NULL) {
            return LP_ENOMEM;
        }
        *ready = (ready_part){
            .part = part,
            .context = context,
            .type = type,
            .thread_key = w->view->threads.items[thread].key,
        };
    }
    return LP_OK;
}

static bool
has_values(const compact_write_input *in, const compact_context *context, const ctx_type *type)
{
    compact_values values = compact_contexts_values(in->contexts, context);
    compact_value value;
    for (size_t i = 0; i < type->attribute_count; i++) {
        if (!compact_values_read(&values, type->attributes[i].kind, &value)) {
            return false;
        }
    }
    return true;
}

// count_parts counts parts that are not written as events.
static void
count_parts(writer *w)
{
    for (size_t i = 0; i < w->in->parts->count; i++) {
        uint32_t index = w->in->parts->items[i].context;
        const compact_context *context = &w->in->contexts->items.items[index];
        size_t type = ctx_type_find(w->in->types, w->in->type_count, context->type_id);
        if (type < w->in->type_count && has_values(w->in, context, &w->in->types[type])) {
            w->out->by_context[type].events += !context->is_written;
        } else {
            lose_part(w, context);
        }
    }
}

static lp_err
find_parts(writer *w)
{
    if (w->in->style != NULL) {
        count_parts(w);
        return LP_OK;
    }
    if (w->in->parts->count == 0) {
        return LP_OK;
    }
    lp_map threads = {0};
    lp_err err = compact_threads_map(w->in->view, w->in->identities, &threads);
    if (err == LP_OK) {
        err = ready_parts(w, &threads);
    }
    lp_map_fini(&threads);
    return err;
}

// --- What kept events need

static lp_err
mark_parts(writer *w)
{
    for (size_t i = 0; i < w->parts.count; i++) {
        const ready_part *ready = &w->parts.items[i];
        uint64_t *id = &w->context_type_ids[ready->type];
        jfr_pools_mark(&w->view->pools, w->view->schema->thread_type, ready->thread_key);
        if (*id != 0) {
            continue;
        }
        lp_err err = compact_types_add_context(&w->types, &w->in->types[ready->type], id);
        if (err != LP_OK) {
            return err;
        }
    }
    return LP_OK;
}

// find_tails says what events get behind their last fields.
static void
find_tails(writer *w)
{
    const compact_schema *schema = w->view->schema;
    for (uint32_t i = 0; i < schema->metadata.types.count; i++) {
        bool is_styled = w->in->style != NULL && compact_style_extends(w->in->style, i);
        w->tails[i] = (uint8_t)((w->in->has_sample_contexts && compact_schema_is_sample(schema, i)
                                        ? TAIL_THREAD
                                        : 0) |
                                (is_styled ? TAIL_STYLE : 0));
    }
}

// use_types uses the types of the events that are written, or all event types.
static lp_err
use_types(writer *w)
{
    lp_err err = LP_OK;
    for (uint32_t i = 0; i < w->view->schema->metadata.types.count && err == LP_OK; i++) {
        bool is_event = w->view->schema->metadata.types.items[i].is_event;
        if (!w->view->keeps[i] && !(w->in->has_all_types && is_event)) {
            continue;
        }
        err = compact_types_use(&w->types, i);
        if (err == LP_OK && (w->tails[i] & TAIL_THREAD) != 0) {
            err = compact_types_add_event_thread(&w->types, i);
        }
    }
    return err == LP_OK && w->in->style != NULL ? compact_style_add_types(w->in->style, &w->types)
                                                : err;
}

// --- Writing

// duration_of makes the chunk end where the next one starts, if it did so: that is how chunks of
// one JVM are known by their headers, and starts have been moved. Where ticks are no whole
// nanoseconds the next start is not known yet.
static int64_t
duration_of(const writer *w, const jfr_chunk_info *moved)
{
    const compact_write_input *in = w->in;
    __int128 duration = moved->duration_ns;
    if (in->is_met && in->merge != NULL) {
        duration =
            (__int128)jfr_rewrite_time(&w->rewrite, in->next_start_ticks) - moved->start_ticks;
    } else if (in->is_met && 1000000000 % moved->ticks_per_s == 0) {
        duration = ((__int128)in->next_start_ticks - moved->start_ticks) *
                   (1000000000 / moved->ticks_per_s);
    }
    bool is_sane = duration >= 0 && duration <= INT64_MAX;
    return is_sane ? (int64_t)duration : moved->duration_ns;
}

static jfr_chunk_info
header_of(const writer *w)
{
    jfr_chunk_info info = w->view->info;
    info.state = JFR_CHUNK_STATE_FINISHED;
    info.is_last = false;
    if (w->in->merge != NULL) {
        info.start_ticks = jfr_rewrite_time(&w->rewrite, info.start_ticks);
        info.start_wall_ns =
            (int64_t)((uint64_t)info.start_ticks + (uint64_t)w->rewrite.zero_wall_ns);
        info.ticks_per_s = 1000000000;
    } else {
        info.start_ticks = w->in->start.start_ticks;
        info.start_wall_ns = w->in->start.start_wall_ns;
    }
    info.duration_ns = duration_of(w, &info);
    return info;
}

// added_count says how many constants the style adds to the pool of a type of view.
static size_t
added_count(const writer *w, uint32_t type)
{
    bool is_text = type == w->view->schema->layout.string_type;
    return is_text && w->in->style != NULL ? compact_style_text_count(w->in->style) : 0;
}

static bool
has_pool(const writer *w, uint32_t type)
{
    return w->view->pools.pools[type].marked_count + added_count(w, type) > 0;
}

static void
append_pool(const writer *w, uint32_t type, lp_buf *payload)
{
    const jfr_pool *pool = &w->view->pools.pools[type];
    size_t added = added_count(w, type);
    jfr_varint_append(payload, type_id_of(w, type));
    jfr_varint_append(payload, pool->marked_count + added);
    for (size_t i = 0; i < pool->constants.count; i++) {
        const jfr_constant *constant = &pool->constants.items[i];
        if (!constant->is_marked) {
            continue;
        }
        jfr_varint_append(payload, jfr_rewrite_key(&w->rewrite, type, constant->key));
        const uint8_t *value = w->view->chunk.ptr + constant->offset;
        if (is_rewritten(w)) {
            append_whole(w, type, (jfr_cursor){value, value + constant->size_bytes}, payload);
        } else {
            lp_buf_append(payload, value, constant->size_bytes);
        }
    }
    if (added > 0) {
        compact_style_append_texts(w->in->style, payload);
    }
}

static lp_err
append_checkpoint(writer *w, int64_t start_ticks)
{
    lp_buf *payload = &w->scratch;
    uint64_t pool_count = 0;
    for (uint32_t i = 0; i < w->view->pools.pool_count; i++) {
        pool_count += has_pool(w, i);
    }
    if (w->in->style != NULL) {
        pool_count += compact_style_pool_count(w->in->style);
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
    if (w->in->style != NULL) {
        compact_style_append_pools(w->in->style, payload);
    }
    jfr_event_append(&w->out->jfr, JFR_TYPE_ID_CHECKPOINT, lp_buf_slice(payload));
    return lp_buf_check(payload);
}

static void
append_be(lp_buf *out, uint64_t bits, unsigned count)
{
    for (unsigned i = count; i > 0; i--) {
        uint8_t byte = (uint8_t)(bits >> (8 * (i - 1)));
        lp_buf_append(out, &byte, 1);
    }
}

static void
append_text(lp_buf *out, const compact_value *value)
{
    if (value->is_null) {
        const uint8_t encoding = JFR_STRING_NULL;
        lp_buf_append(out, &encoding, 1);
        return;
    }
    lp_buf utf8 = {0};
    compact_value_append_utf8(value, &utf8);
    jfr_string_append(out, lp_buf_slice(&utf8));
    out->is_failed |= utf8.is_failed;
    lp_buf_fini(&utf8);
}

static void
append_hex(lp_buf *out, uint64_t bits)
{
    lp_buf digits = {0};
    compact_text_append_hex(&digits, bits);
    jfr_string_append(out, lp_buf_slice(&digits));
    out->is_failed |= digits.is_failed;
    lp_buf_fini(&digits);
}

// append_value converts one attribute from its form in a context record to that of an event. False
// if its value is damaged.
static bool
append_value(lp_buf *out, ctx_kind kind, compact_values *values)
{
    compact_value value;
    if (!compact_values_read(values, kind, &value)) {
        return false;
    }
    switch (kind) {
    case CTX_BOOLEAN:
    case CTX_BYTE:
        append_be(out, value.bits, 1);
        break;
    case CTX_CHAR:
    case CTX_SHORT:
        jfr_varint_append(out, (uint16_t)value.bits);
        break;
    case CTX_INT:
        jfr_varint_append(out, (uint32_t)value.bits);
        break;
    case CTX_FLOAT:
        append_be(out, value.bits, 4);
        break;
    case CTX_DOUBLE:
        append_be(out, value.bits, 8);
        break;
    case CTX_LONG:
        jfr_varint_append(out, value.bits);
        break;
    case CTX_STRING:
        append_text(out, &value);
        break;
    case CTX_HEX:
        append_hex(out, value.bits);
        break;
    }
    return true;
}

static lp_err
append_part(writer *w, const ready_part *ready)
{
    const ctx_type *type = &w->in->types[ready->type];
    compact_values values = compact_contexts_values(w->in->contexts, ready->context);
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
            return LP_OK;
        }
    }
    jfr_event_append(&w->out->jfr, w->context_type_ids[ready->type], lp_buf_slice(payload));

    compact_amount *written = &w->out->by_context[ready->type];
    written->events += !ready->context->is_written;
    written->bytes += w->out->jfr.len - before;
    return lp_buf_check(payload);
}

static lp_err
append_parts(writer *w)
{
    for (size_t i = 0; i < w->parts.count; i++) {
        lp_err err = append_part(w, &w->parts.items[i]);
        if (err != LP_OK) {
            return err;
        }
    }
    return LP_OK;
}

// end_event puts what belongs behind the last field of an event behind its payload, w->scratch, and
// writes it. state is what applies to it (compact_style_of_plain), where there is a style.
static void
end_event(writer *w, uint32_t type, uint32_t thread, uint32_t state)
{
    uint8_t tails = w->tails[type];
    if ((tails & TAIL_THREAD) != 0) {
        uint64_t key = thread == COMPACT_NO_THREAD ? 0 : w->view->threads.items[thread].key;
        jfr_varint_append(
            &w->scratch, jfr_rewrite_key(&w->rewrite, w->view->schema->thread_type, key));
    }
    if ((tails & TAIL_STYLE) != 0) {
        compact_style_append_tail(w->in->style, state, &w->scratch);
    }
    jfr_event_append(&w->out->jfr, type_id_of(w, type), lp_buf_slice(&w->scratch));
    w->out->jfr.is_failed |= w->scratch.is_failed;
}

// append_rewritten writes an event in other words than the input has, or with a tail.
static void
append_rewritten(writer *w, const compact_event *event, uint32_t thread, uint32_t state)
{
    lp_buf_clear(&w->scratch);
    append_whole(w, event->type, event->payload, &w->scratch);
    end_event(w, event->type, thread, state);
}

// is_changed says whether an event is other than in the input. It looks at the event itself: of the
// others, some are marked before this one is written and some behind it, and that must not show.
static bool
is_changed(writer *w, const compact_event *event)
{
    bool is_other = w->tails[event->type] != 0 || w->in->merge != NULL;
    if (is_other || !is_rewritten(w)) {
        return is_other;
    }
    lp_buf_clear(&w->scratch);
    append_whole(w, event->type, event->payload, &w->scratch);
    // What is written is no longer than the payload: if keys change, they become 0.
    lp_slice own = lp_buf_slice(&w->scratch);
    return w->scratch.is_failed ||
           (own.len > 0 && memcmp(own.ptr, event->payload.at, own.len) != 0);
}

static void
append_event(writer *w, const compact_event *event, uint32_t thread, uint32_t state)
{
    compact_amount *written = &w->out->by_type[event->type];
    size_t before = w->out->jfr.len;
    if (is_changed(w, event)) {
        append_rewritten(w, event, thread, state);
    } else {
        lp_buf_append(&w->out->jfr, event->bytes.ptr, event->bytes.len);
    }
    written->events++;
    written->bytes += w->out->jfr.len - before;
}

// How many rows ahead the bytes of an event are asked for.
enum { FETCH_ROWS = 12 };

static lp_err
append_spans(writer *w)
{
    const compact_view *view = w->view;
    const compact_style *style = w->in->style;
    lp_err err = LP_OK;
    for (size_t i = 0; i < view->kept_spans.count && err == LP_OK; i++) {
        const compact_span *span = &view->kept_spans.items[i];
        if (i + FETCH_ROWS < view->kept_spans.count) {
            compact_view_fetch(view, span[FETCH_ROWS].offset);
        }
        compact_event event = compact_view_event(view, span->offset);
        if (compact_index_mark(w->view, event.type, event.payload)) {
            uint32_t state = style == NULL ? 0 : compact_style_of_span(style, i);
            append_event(w, &event, span->thread, state);
        } else {
            err = compact_index_note_misfit(w->view, event.type, event.bytes);
        }
    }
    return err;
}

// append_sample writes the sample that is made of an event.
static void
append_sample(
    writer *w, const compact_event *event, uint64_t weight, uint32_t thread, uint32_t state)
{
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
    is_whole = is_whole && jfr_rewrite_value(&w->rewrite, sampled, &cursor, &w->scratch);
    LP_ASSERT(is_whole); // as the event was
    jfr_varint_append(&w->scratch, weight);
    end_event(w, type, thread, state);
    written->events++;
    written->bytes += w->out->jfr.len - before;
}

static lp_err
append_plain(writer *w)
{
    const compact_view *view = w->view;
    const compact_style *style = w->in->style;
    const compact_weight *weight = view->weights.items;
    lp_err err = LP_OK;
    for (size_t i = 0; i < view->plain.count && err == LP_OK; i++) {
        const compact_plain *row = &view->plain.items[i];
        if (i + FETCH_ROWS < view->plain.count) {
            compact_view_fetch(view, row[FETCH_ROWS].offset);
        }
        if (row->fate == COMPACT_UNDECIDED) {
            continue;
        }
        compact_event event = compact_view_event(view, row->offset);
        uint32_t state = style == NULL ? 0 : compact_style_of_plain(style, i);
        bool is_marked = row->fate == COMPACT_KEPT;
        if (row->is_sample) {
            LP_ASSERT(weight->row == i);
            append_sample(w, &event, weight->bytes, row->thread, state);
            weight++;
        } else if (is_marked || compact_index_mark(w->view, event.type, event.payload)) {
            append_event(w, &event, row->thread, state);
        } else {
            err = compact_index_note_misfit(w->view, event.type, event.bytes);
        }
    }
    return err;
}

static lp_err
append_events(writer *w)
{
    // Contexts come first: the JDK's printer must have met a context before what happened in it.
    lp_err err = append_spans(w);
    if (err == LP_OK) {
        err = append_parts(w);
    }
    return err == LP_OK ? append_plain(w) : err;
}

// --- What was dropped

static uint64_t
account_duration_ticks(const jfr_chunk_info *info)
{
    __int128 ticks = (__int128)info->duration_ns * info->ticks_per_s / 1000000000;
    bool is_sane =
        ticks >= 0 && ticks <= INT64_MAX - (info->start_ticks > 0 ? info->start_ticks : 0);
    return is_sane ? (uint64_t)ticks : 0;
}

static lp_err
append_account(writer *w, const jfr_chunk_info *info, const compact_account *account)
{
    uint64_t type_id;
    lp_err err = compact_types_add_accounting(&w->types, &type_id);
    if (err != LP_OK) {
        return err;
    }
    lp_buf *payload = &w->scratch;
    lp_buf_clear(payload);
    jfr_varint_append(payload, (uint64_t)info->start_ticks);
    jfr_varint_append(payload, account_duration_ticks(info));
    jfr_varint_append(payload, account->kept + compact_dropped_sum(&account->dropped));
    jfr_varint_append(payload, account->kept);
    for (size_t i = 0; i < COMPACT_REASON_COUNT; i++) {
        jfr_varint_append(payload, account->dropped.by[i]);
    }
    jfr_string_append(payload, lp_buf_slice(&account->types));
    jfr_event_append(&w->out->jfr, type_id, lp_buf_slice(payload));
    return lp_buf_check(payload);
}

static lp_err
add_contexts(const writer *w, size_t type, compact_account *account)
{
    const compact_dropped dropped =
        compact_account_of_contexts(&w->in->contexts_gone[type], w->out->lost_contexts[type]);
    lp_buf name = {0}; // as compact_types_add_context names it
    jfr_type_name_append(&name, w->in->types[type].name);
    lp_buf_append(&name, "", 1);
    lp_err err = lp_buf_check(&name);
    if (err == LP_OK) {
        compact_account_add(
            account, (const char *)name.ptr, w->out->by_context[type].events, &dropped);
    }
    lp_buf_fini(&name);
    return err;
}

static lp_err
add_types(const writer *w, compact_account *account)
{
    const compact_view *view = w->view;
    const jfr_metadata *metadata = &view->schema->metadata;
    for (uint32_t i = 0; i < metadata->types.count; i++) {
        const compact_dropped dropped = compact_account_of_type(view, i, &w->out->by_type[i]);
        compact_account_add(account, jfr_metadata_text(metadata, metadata->types.items[i].name),
            w->out->by_type[i].events, &dropped);
    }
    lp_err err = LP_OK;
    for (size_t i = 0; i < w->in->type_count && err == LP_OK; i++) {
        err = add_contexts(w, i, account);
    }
    return err == LP_OK ? lp_buf_check(&account->types) : err;
}

// append_what_was_dropped is called when everything else is written but constants and metadata:
// what is damaged may turn out as late as that.
static lp_err
append_what_was_dropped(writer *w, const jfr_chunk_info *info)
{
    compact_account account = {0};
    lp_err err = add_types(w, &account);
    if (err == LP_OK && account.types.len > 0) {
        err = append_account(w, info, &account);
    }
    compact_account_fini(&account);
    return err;
}

// append_chunk writes constants and metadata behind the events, as JVMs do: what is needed of them
// is known then.
static lp_err
append_chunk(writer *w)
{
    lp_buf *jfr = &w->out->jfr;
    jfr_chunk_info info = header_of(w);
    if (lp_buf_extend(jfr, JFR_CHUNK_HEADER_SIZE) == NULL) {
        return LP_ENOMEM;
    }
    lp_err err = append_events(w);
    if (err == LP_OK && w->in->has_settings) {
        compact_settings_append(w->view, w->in->rules, info.start_ticks, jfr);
    }
    if (err == LP_OK) {
        err = append_what_was_dropped(w, &info);
    }
    if (err == LP_OK) {
        err = jfr_pools_mark_reachable(&w->view->pools);
    }
    if (err == LP_OK) {
        err = use_types(w);
    }
    info.metadata_offset = jfr->len;
    uint64_t salt = w->in->merge == NULL ? w->in->metadata_salt : (uint64_t)w->rewrite.zero_wall_ns;
    if (err == LP_OK) {
        err = compact_types_append(&w->types, info.start_ticks, salt, jfr);
    }
    info.checkpoint_offset = jfr->len;
    if (err == LP_OK) {
        err = append_checkpoint(w, info.start_ticks);
    }
    if (err != LP_OK || jfr->is_failed) {
        return err != LP_OK ? err : LP_ENOMEM;
    }
    info.size_bytes = jfr->len;
    jfr_chunk_encode(&info, jfr->ptr);
    return LP_OK;
}

static lp_err
run(writer *w, lp_problem *problem)
{
    size_t type_count = w->view->schema->metadata.types.count;
    w->context_type_ids = calloc(w->in->type_count + 1, sizeof(*w->context_type_ids));
    w->tails = calloc(type_count + 1, sizeof(*w->tails));
    w->out->by_type = calloc(type_count + 1, sizeof(*w->out->by_type));
    w->out->by_context = calloc(w->in->type_count + 1, sizeof(*w->out->by_context));
    w->out->lost_contexts = calloc(w->in->type_count + 1, sizeof(*w->out->lost_contexts));
    if (w->context_type_ids == NULL || w->tails == NULL || w->out->by_type == NULL ||
        w->out->by_context == NULL || w->out->lost_contexts == NULL) {
        return LP_ENOMEM;
    }
    lp_err err = start_rewriting(w, problem);
    if (err == LP_OK) {
        err = start_types(w);
    }
    if (err == LP_OK) {
        err = find_parts(w);
    }
    if (err == LP_OK) {
        err = mark_parts(w);
    }
    if (err == LP_OK && w->in->style != NULL) {
        err = compact_style_apply(w->in->style, w->view, &w->rewrite);
    }
    if (err == LP_OK) {
        find_tails(w);
        err = append_chunk(w);
    }
    return err;
}

lp_err
compact_write(const compact_write_input *in, compact_output *out, lp_problem *out_problem)
{
    *out = (compact_output){0};
    writer w = {.in = in, .view = in->view, .out = out};
    lp_err err = run(&w, out_problem);
    compact_types_fini(&w.types);
    LP_VEC_FINI(&w.parts);
    free(w.context_type_ids);
    free(w.tails);
    lp_buf_fini(&w.scratch);
    return err;
}

void
compact_output_fini(compact_output *output)
{
    lp_buf_fini(&output->jfr);
    free(output->by_type);
    free(output->by_context);
    free(output->lost_contexts);
    *output = (compact_output){0};
}
