// SPDX-License-Identifier: Apache-2.0
#include "engine/show/shown_contexts.h"

#include "common/context/ctx_type.h"
#include "common/jfr/jfr_string.h"
#include "engine/contexts/kind_record.h"
#include "engine/read/kind_values.h"
#include "engine/show/survey.h"

#include <stdlib.h>

enum {
    NONE = COMPACT_CONTEXT_STACKS_NONE,
    INLINE_BYTES_MAX = 18, // of a text; what is longer is a constant, as in a JVM
};

_Static_assert(
    (int)COMPACT_KINDS_MAX <= (int)COMPACT_CONTEXT_STACKS_TYPES_MAX, "kinds are its types");

// --- Kinds, and what the next chunk has

// list_kinds lists the kinds that events may show: all those of the file, where they are known.
static lp_err
list_kinds(compact_shown_contexts *s, const compact_options *options, const compact_schema *schema)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < s->type_count && err == LP_OK; i++) { // they are few, and come first
        err = compact_kinds_add_context(&s->kinds, &s->types[i]);
    }
    const compact_kinds *all = options->survey == NULL ? NULL : &options->survey->kinds;
    for (size_t i = 0; all != NULL && i < all->items.count && err == LP_OK; i++) {
        err = compact_kinds_add_copy(&s->kinds, &all->items.items[i]);
    }
    for (uint32_t i = 0; all == NULL && i < schema->metadata.types.count && err == LP_OK; i++) {
        if (compact_survey_may_have(schema, i)) {
            err = compact_kinds_add_event(&s->kinds, &schema->metadata, i);
        }
    }
    compact_kinds_sort(&s->kinds);
    for (size_t i = 0; i < s->type_count; i++) {
        s->api_kinds[i] = compact_kinds_find(&s->kinds, s->types[i].name);
    }
    return err == LP_OK ? compact_columns_init(&s->columns, &s->kinds, &schema->metadata) : err;
}

static lp_err
take_ahead(compact_shown_contexts *s, compact_reader *r, const compact_span *span, uint32_t thread)
{
    uint32_t kind;
    lp_err err = compact_reader_find(r, span->offset, &kind);
    if (err != LP_OK || kind == COMPACT_KINDS_MAX) {
        return err;
    }
    size_t begin = s->values.len;
    err = compact_reader_append(r, span->offset, &s->values);
    if (err != LP_OK || !LP_VEC_ROOM(&s->ahead)) {
        return LP_ENOMEM;
    }
    s->ahead.items[s->ahead.count++] = (struct compact_shown_contexts_ahead){
        .interval = {span->begin, span->commit, thread, kind},
        .values = begin,
        .size_bytes = (uint32_t)(s->values.len - begin),
    };
    return LP_OK;
}

// is_known_ahead says whether a context of the next chunk is kept if it applies to an event that
// is: what is stored later than recent_min may come when that event has been forgotten.
static bool
is_known_ahead(const compact_frame *frame, const compact_decided *decided, size_t index)
{
    const compact_span *span = &frame->ahead->spans.items[index];
    bool matters = decided->ahead_is_ignored == NULL || !decided->ahead_is_ignored[index];
    return matters && span->thread != COMPACT_NO_THREAD && span->fate != COMPACT_DROPPED &&
           span->begin <= frame->view->commit_max && span->begin <= span->commit &&
           span->commit >= frame->recent_min;
}

static lp_err
collect_ahead(compact_shown_contexts *s, const compact_frame *frame, const compact_decided *decided)
{
    compact_reader r;
    lp_err err = compact_reader_init(&r, &s->kinds, frame->ahead, frame->view);
    for (size_t i = 0; i < frame->ahead->spans.count && err == LP_OK; i++) {
        const compact_span *span = &frame->ahead->spans.items[i];
        if (!is_known_ahead(frame, decided, i) || !compact_view_fits(frame->ahead, span->offset)) {
            continue;
        }
        uint32_t thread = lp_map_find(&s->threads, frame->ahead_identities[span->thread]);
        if (thread != LP_MAP_NONE) {
            err = take_ahead(s, &r, span, thread);
        }
    }
    compact_reader_fini(&r);
    return err;
}

lp_err
compact_shown_contexts_begin(
    compact_shown_contexts *s, const compact_frame *frame, const compact_decided *decided)
{
    *s = (compact_shown_contexts){
        .identities = frame->identities,
        .contexts = frame->contexts,
        .types = decided->types,
        .type_count = frame->type_count,
        .horizon = frame->window.hi,
        .api_kinds = calloc(frame->type_count + 1, sizeof(*s->api_kinds)),
    };
    lp_err err = s->api_kinds == NULL
                     ? LP_ENOMEM
                     : compact_identities_map(frame->view, frame->identities, &s->threads);
    if (err == LP_OK) {
        err = list_kinds(s, frame->options, frame->view->schema);
    }
    return err == LP_OK && frame->ahead != NULL ? collect_ahead(s, frame, decided) : err;
}

void
compact_shown_contexts_fini(compact_shown_contexts *shown)
{
    lp_map_fini(&shown->threads);
    compact_kinds_fini(&shown->kinds);
    compact_columns_fini(&shown->columns);
    free(shown->api_kinds);
    LP_VEC_FINI(&shown->ahead);
    lp_buf_fini(&shown->values);
    lp_buf_fini(&shown->scratch);
    LP_VEC_FINI(&shown->intervals);
    LP_VEC_FINI(&shown->items);
    free(shown->span_items);
    compact_reader_fini(&shown->reader);
    compact_constants_fini(&shown->texts);
    *shown = (compact_shown_contexts){0};
}

// --- All contexts

static lp_err
add_item(compact_shown_contexts *s, compact_stack_moments_context interval,
    struct compact_shown_contexts_item item)
{
    if (!LP_VEC_ROOM(&s->intervals) || !LP_VEC_ROOM(&s->items)) {
        return LP_ENOMEM;
    }
    s->intervals.items[s->intervals.count++] = interval;
    s->items.items[s->items.count++] = item;
    return LP_OK;
}

static lp_err
add_spans(compact_shown_contexts *s)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < s->view->kept_spans.count && err == LP_OK; i++) {
        const compact_span *span = &s->view->kept_spans.items[i];
        s->span_items[i] = NONE;
        if (span->thread == COMPACT_NO_THREAD || span->begin > span->commit ||
            !compact_view_fits(s->view, span->offset)) {
            continue;
        }
        uint32_t kind;
        err = compact_reader_find(&s->reader, span->offset, &kind);
        if (err != LP_OK || kind == COMPACT_KINDS_MAX) {
            continue;
        }
        s->span_items[i] = (uint32_t)s->items.count;
        const compact_stack_moments_context interval = {
            span->begin, span->commit, compact_shown_contexts_thread(s, span->thread), kind};
        err = add_item(s, interval,
            (struct compact_shown_contexts_item){
                .origin = COMPACT_SHOWN_CONTEXTS_SPAN, .index = (uint32_t)i});
    }
    return err;
}

static lp_err
add_ahead(compact_shown_contexts *s)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < s->ahead.count && err == LP_OK; i++) {
        const struct compact_shown_contexts_ahead *ahead = &s->ahead.items[i];
        err = add_item(s, ahead->interval,
            (struct compact_shown_contexts_item){
                .origin = COMPACT_SHOWN_CONTEXTS_AHEAD, .index = (uint32_t)i});
    }
    return err;
}

// visible_end gives COMPACT_OPEN_END for an end that lies behind the chunk. Whether that is known
// yet depends on where the records of later chunks are cut.
static int64_t
visible_end(const compact_shown_contexts *s, int64_t end)
{
    return end < s->horizon || end <= s->view->commit_max ? end : COMPACT_OPEN_END;
}

static lp_err
add_api(compact_shown_contexts *s)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < s->contexts->items.count && err == LP_OK; i++) {
        const compact_context *c = &s->contexts->items.items[i];
        uint32_t thread = lp_map_find(&s->threads, compact_identity_java(c->thread_id));
        size_t type = ctx_type_find(s->types, s->type_count, c->type_id);
        if (c->is_ignored || thread == LP_MAP_NONE || type == s->type_count || c->begin > c->end ||
            c->begin > s->view->commit_max || s->api_kinds[type] == COMPACT_KINDS_MAX) {
            continue;
        }
        const compact_stack_moments_context interval = {
            c->begin, visible_end(s, c->end), thread, s->api_kinds[type]};
        err = add_item(s, interval,
            (struct compact_shown_contexts_item){
                .origin = COMPACT_SHOWN_CONTEXTS_API, .index = (uint32_t)i});
    }
    return err;
}

lp_err
compact_shown_contexts_list(
    compact_shown_contexts *shown, compact_view *view, const jfr_rewrite *rewrite)
{
    shown->view = view;
    shown->rewrite = rewrite;
    shown->span_items = calloc(view->kept_spans.count + 1, sizeof(*shown->span_items));
    compact_constants_init(&shown->texts, &view->pools, view->schema->layout.string_type);
    lp_err err = compact_reader_init(&shown->reader, &shown->kinds, view, view);
    if (err == LP_OK && shown->span_items == NULL) {
        err = LP_ENOMEM;
    }
    if (err == LP_OK) {
        err = add_spans(shown);
    }
    if (err == LP_OK) {
        err = add_ahead(shown);
    }
    return err == LP_OK ? add_api(shown) : err;
}

// --- Values

// take_text appends a text: short ones as they are, others as constants. key is that of one which
// is a constant.
static lp_err
take_text(compact_shown_contexts *s, lp_slice text, uint64_t key, jfr_pools *pools)
{
    uint32_t type = pools->layout->string_type;
    bool is_constant = text.ptr[0] == JFR_STRING_CONSTANT;
    if (!is_constant && (text.len <= INLINE_BYTES_MAX || type == JFR_NONE)) {
        lp_buf_append(&s->values, text.ptr, text.len);
        return lp_buf_check(&s->values);
    }
    lp_err err = LP_OK;
    if (is_constant) {
        jfr_pools_mark(pools, type, key);
        key = jfr_rewrite_key(s->rewrite, type, key);
    } else {
        err = compact_constants_add(&s->texts, text, &key);
    }
    const uint8_t encoding = JFR_STRING_CONSTANT;
    lp_buf_append(&s->values, &encoding, 1);
    jfr_varint_append(&s->values, key);
    return err == LP_OK ? lp_buf_check(&s->values) : err;
}

// take_values appends the values of a context of this kind in the terms of the output, and marks
// what they refer to.
static lp_err
take_values(compact_shown_contexts *s, uint32_t kind, lp_slice values, jfr_pools *pools)
{
    jfr_cursor cursor = jfr_cursor_over(values);
    lp_err err = LP_OK;
    for (size_t i = 0; i < s->kinds.items.items[kind].attribute_count && err == LP_OK; i++) {
        uint32_t pool = s->columns.items[s->columns.first[kind] + i].pool;
        const compact_attribute *attribute = &s->kinds.items.items[kind].attributes[i];
        uint64_t key;
        lp_slice value = compact_kind_next_value(attribute, &cursor, &key);
        if (attribute->reference == NULL) {
            err = take_text(s, value, key, pools);
        } else if (pool == JFR_NONE) { // the column is a text that is always null
            lp_buf_append(&s->values, "", 1);
        } else {
            jfr_pools_mark(pools, pool, key);
            jfr_varint_append(&s->values, jfr_rewrite_key(s->rewrite, pool, key));
        }
    }
    return err == LP_OK ? lp_buf_check(&s->values) : err;
}

// append_raw appends the values of a context as they were recorded.
static lp_err
append_raw(const compact_shown_contexts *s, uint32_t index, lp_buf *out)
{
    const struct compact_shown_contexts_item *item = &s->items.items[index];
    if (item->origin == COMPACT_SHOWN_CONTEXTS_SPAN) {
        uint32_t offset = s->view->kept_spans.items[item->index].offset;
        return compact_reader_append(&s->reader, offset, out);
    }
    if (item->origin == COMPACT_SHOWN_CONTEXTS_AHEAD) {
        const struct compact_shown_contexts_ahead *ahead = &s->ahead.items[item->index];
        lp_buf_append(out, s->values.ptr + ahead->values, ahead->size_bytes);
        return lp_buf_check(out);
    }
    const compact_kind *kind = &s->kinds.items.items[s->intervals.items[index].type];
    const compact_context *c = &s->contexts->items.items[item->index];
    const ctx_type *type = &s->types[ctx_type_find(s->types, s->type_count, c->type_id)];
    // Where it is damaged, the values are nulls; whoever counts parts counts that.
    (void)compact_kind_append_record(kind, type, compact_contexts_values(s->contexts, c), out);
    return lp_buf_check(out);
}

lp_err
compact_shown_contexts_render(compact_shown_contexts *shown, uint32_t context, jfr_pools *pools)
{
    struct compact_shown_contexts_item *item = &shown->items.items[context];
    if (item->is_rendered) {
        return LP_OK;
    }
    lp_buf_clear(&shown->scratch);
    lp_err err = append_raw(shown, context, &shown->scratch);
    item->values = shown->values.len;
    if (err == LP_OK) {
        err = take_values(
            shown, shown->intervals.items[context].type, lp_buf_slice(&shown->scratch), pools);
    }
    item->size_bytes = (uint32_t)(shown->values.len - item->values);
    item->is_rendered = true;
    return err;
}
