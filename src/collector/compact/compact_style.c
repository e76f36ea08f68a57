// SPDX-License-Identifier: Apache-2.0
#include "collector/compact/compact_style.h"

#include "collector/compact/compact_applied.h"
#include "collector/compact/compact_columns.h"
#include "collector/compact/compact_constants.h"
#include "collector/compact/compact_kinds.h"
#include "collector/compact/compact_reader.h"
#include "collector/compact/compact_survey.h"
#include "collector/compact/compact_threads.h"
#include "common/context/ctx_type.h"
#include "common/jfr/jfr_string.h"

#include <stdlib.h>
#include <string.h>

enum {
    NONE = COMPACT_APPLIED_NONE,
    REF_DEPTH_MAX = 64,               // of parents: readers resolve them by recursion
    FIELDS_DEPTH_MAX = INT32_MAX - 1, // the innermost of each type are all that fields show
    INLINE_BYTES_MAX = 18,            // of a text; what is longer is a constant, as in a JVM
};

_Static_assert((int)COMPACT_KINDS_MAX <= (int)COMPACT_APPLIED_TYPES_MAX, "kinds are its types");

// Where a context comes from.
typedef enum origin {
    ORIGIN_SPAN,  // a contextual event of the chunk
    ORIGIN_AHEAD, // one of the next chunk
    ORIGIN_API,
} origin;

typedef struct context {
    origin origin;
    uint32_t index;      // into kept_spans of view, into ahead, or into items of contexts
    bool is_rendered;    // what follows is known
    size_t values;       // offset into style->values
    uint32_t size_bytes; // of them
} context;

// A contextual event of the next chunk.
typedef struct ahead_context {
    compact_applied_context interval;
    size_t values;
    uint32_t size_bytes;
} ahead_context;

struct compact_style {
    compact_context_style how;
    const uint64_t *identities; // parallel to view->threads
    const compact_contexts *contexts;
    int64_t horizon; // where the chunk's time ends
    lp_map threads;  // compact_threads_map
    compact_kinds kinds;
    compact_columns columns;
    uint32_t *api_kinds; // parallel to the context types
    LP_VEC(ahead_context) ahead;
    lp_buf values;
    // From here on compact_style_apply makes it.
    const compact_view *view;
    const jfr_rewrite *rewrite; // or NULL
    LP_VEC(compact_applied_context) intervals;
    LP_VEC(context) items; // parallel to intervals
    compact_applied applied;
    uint32_t *plain_moments; // parallel to view->plain
    uint32_t *span_moments;  // parallel to view->kept_spans, for those that are no contexts
    uint32_t *span_items;    // parallel to view->kept_spans: index of items, or NONE
    compact_reader reader;
    bool *is_used;            // parallel to applied.states
    compact_constants texts;  // of type java.lang.String
    compact_constants states; // of type loupe.Context
    uint64_t *state_keys;     // parallel to applied.states
    uint64_t state_type;      // the id of loupe.Context
};

// --- What the next chunk has

// list_kinds lists the kinds that events may show: all those of the file, where they are known.
static lp_err
list_kinds(compact_style *s, const compact_options *options, const compact_schema *schema,
    const ctx_type *types, size_t type_count)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < type_count && err == LP_OK; i++) { // they are few, and come first
        err = compact_kinds_add_context(&s->kinds, &types[i]);
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
    for (size_t i = 0; i < type_count; i++) {
        s->api_kinds[i] = compact_kinds_find(&s->kinds, types[i].name);
    }
    return err == LP_OK ? compact_columns_init(&s->columns, &s->kinds, &schema->metadata) : err;
}

// fits says whether an event fits its type; else it is not written.
static bool
fits(const compact_view *view, uint32_t offset)
{
    compact_event event = compact_view_event(view, offset);
    const jfr_layout *layout = &view->schema->layout;
    return jfr_layout_walk(layout, layout->types.items[event.type], &event.payload);
}

static lp_err
take_ahead(compact_style *s, compact_reader *r, const compact_span *span, uint32_t thread)
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
    s->ahead.items[s->ahead.count++] = (ahead_context){
        .interval = {span->begin, span->commit, thread, kind},
        .values = begin,
        .size_bytes = (uint32_t)(s->values.len - begin),
    };
    return LP_OK;
}

// is_known_ahead says whether a context of the next chunk is kept if it applies to an event that
// is: what is stored later than recent_min may come when that event has been forgotten.
static bool
is_known_ahead(const compact_decide_input *in, const compact_span *span)
{
    return span->thread != COMPACT_NO_THREAD && span->fate != COMPACT_DROPPED &&
           span->begin <= in->view->commit_max && span->begin <= span->commit &&
           span->commit >= in->recent_min;
}

static lp_err
collect_ahead(compact_style *s, const compact_decide_input *in)
{
    compact_reader r;
    lp_err err = compact_reader_init(&r, &s->kinds, in->ahead, in->view);
    for (size_t i = 0; i < in->ahead->spans.count && err == LP_OK; i++) {
        const compact_span *span = &in->ahead->spans.items[i];
        if (!is_known_ahead(in, span) || !fits(in->ahead, span->offset)) {
            continue;
        }
        uint32_t thread = lp_map_find(&s->threads, in->ahead_identities[span->thread]);
        if (thread != LP_MAP_NONE) {
            err = take_ahead(s, &r, span, thread);
        }
    }
    compact_reader_fini(&r);
    return err;
}

lp_err
compact_style_begin(const compact_options *options, const compact_decide_input *in,
    const ctx_type *types, size_t type_count, compact_style **out_style)
{
    compact_style *s = calloc(1, sizeof(*s));
    if (s == NULL) {
        return LP_ENOMEM;
    }
    s->how = options->style;
    s->identities = in->identities;
    s->contexts = in->contexts;
    s->horizon = in->window.hi;
    s->api_kinds = calloc(type_count + 1, sizeof(*s->api_kinds));
    lp_err err = s->api_kinds == NULL ? LP_ENOMEM
                                      : compact_threads_map(in->view, in->identities, &s->threads);
    if (err == LP_OK) {
        err = list_kinds(s, options, in->view->schema, types, type_count);
    }
    if (err == LP_OK && in->ahead != NULL) {
        err = collect_ahead(s, in);
    }
    if (err != LP_OK) {
        compact_style_destroy(s);
        return err;
    }
    *out_style = s;
    return LP_OK;
}

void
compact_style_destroy(compact_style *style)
{
    if (style == NULL) {
        return;
    }
    lp_map_fini(&style->threads);
    compact_kinds_fini(&style->kinds);
    compact_columns_fini(&style->columns);
    free(style->api_kinds);
    LP_VEC_FINI(&style->ahead);
    lp_buf_fini(&style->values);
    LP_VEC_FINI(&style->intervals);
    LP_VEC_FINI(&style->items);
    compact_applied_fini(&style->applied);
    free(style->plain_moments);
    free(style->span_moments);
    free(style->span_items);
    compact_reader_fini(&style->reader);
    free(style->is_used);
    compact_constants_fini(&style->texts);
    compact_constants_fini(&style->states);
    free(style->state_keys);
    free(style);
}

// --- All contexts

static lp_err
add_item(compact_style *s, compact_applied_context interval, context item)
{
    if (!LP_VEC_ROOM(&s->intervals) || !LP_VEC_ROOM(&s->items)) {
        return LP_ENOMEM;
    }
    s->intervals.items[s->intervals.count++] = interval;
    s->items.items[s->items.count++] = item;
    return LP_OK;
}

static const compact_span *
kept_span(const compact_style *s, size_t index)
{
    return &s->view->kept_spans.items[index];
}

static bool
is_plain_written(const compact_style *s, const compact_plain *row)
{
    return row->fate == COMPACT_KEPT ||
           (row->fate == COMPACT_KEPT_BY_CONTEXT && fits(s->view, row->offset));
}

static uint32_t
thread_of(const compact_style *s, uint32_t thread)
{
    return lp_map_find(&s->threads, s->identities[thread]);
}

static lp_err
add_spans(compact_style *s)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < s->view->kept_spans.count && err == LP_OK; i++) {
        const compact_span *span = kept_span(s, i);
        s->span_items[i] = NONE;
        if (span->thread == COMPACT_NO_THREAD || span->begin > span->commit ||
            !fits(s->view, span->offset)) {
            continue;
        }
        uint32_t kind;
        err = compact_reader_find(&s->reader, span->offset, &kind);
        if (err != LP_OK || kind == COMPACT_KINDS_MAX) {
            continue;
        }
        s->span_items[i] = (uint32_t)s->items.count;
        const compact_applied_context interval = {
            span->begin, span->commit, thread_of(s, span->thread), kind};
        err = add_item(s, interval, (context){.origin = ORIGIN_SPAN, .index = (uint32_t)i});
    }
    return err;
}

static lp_err
add_ahead(compact_style *s)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < s->ahead.count && err == LP_OK; i++) {
        const ahead_context *ahead = &s->ahead.items[i];
        err = add_item(s, ahead->interval, (context){.origin = ORIGIN_AHEAD, .index = (uint32_t)i});
    }
    return err;
}

// visible_end gives COMPACT_OPEN_END for an end that lies behind the chunk. Whether that is known
// yet depends on where the records of later chunks are cut.
static int64_t
visible_end(const compact_style *s, int64_t end)
{
    return end < s->horizon || end <= s->view->commit_max ? end : COMPACT_OPEN_END;
}

static lp_err
add_api(compact_style *s, const ctx_type *types, size_t type_count)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < s->contexts->items.count && err == LP_OK; i++) {
        const compact_context *c = &s->contexts->items.items[i];
        uint32_t thread = lp_map_find(&s->threads, compact_identity_java(c->thread_id));
        size_t type = ctx_type_find(types, type_count, c->type_id);
        if (thread == LP_MAP_NONE || type == type_count || c->begin > c->end ||
            c->begin > s->view->commit_max || s->api_kinds[type] == COMPACT_KINDS_MAX) {
            continue;
        }
        const compact_applied_context interval = {
            c->begin, visible_end(s, c->end), thread, s->api_kinds[type]};
        err = add_item(s, interval, (context){.origin = ORIGIN_API, .index = (uint32_t)i});
    }
    return err;
}

// --- What applies to which event

static lp_err
want_moments(compact_style *s)
{
    for (size_t i = 0; i < s->view->plain.count; i++) {
        const compact_plain *row = &s->view->plain.items[i];
        bool is_asked = row->thread != COMPACT_NO_THREAD && is_plain_written(s, row);
        s->plain_moments[i] =
            is_asked ? compact_applied_want(&s->applied, thread_of(s, row->thread), row->commit)
                     : (uint32_t)NONE;
    }
    for (size_t i = 0; i < s->view->kept_spans.count; i++) {
        const compact_span *span = kept_span(s, i);
        s->span_moments[i] = NONE;
        if (s->span_items[i] != NONE) {
            compact_applied_want_own(&s->applied, s->span_items[i]);
        } else if (span->thread != COMPACT_NO_THREAD && fits(s->view, span->offset)) {
            s->span_moments[i] =
                compact_applied_want(&s->applied, thread_of(s, span->thread), span->commit);
        }
    }
    return compact_applied_build(&s->applied);
}

uint32_t
compact_style_of_plain(const compact_style *style, size_t row)
{
    return style->plain_moments == NULL
               ? (uint32_t)NONE
               : compact_applied_at(&style->applied, style->plain_moments[row]);
}

uint32_t
compact_style_of_span(const compact_style *style, size_t row)
{
    if (style->span_items == NULL) {
        return NONE;
    }
    uint32_t item = style->span_items[row];
    return item == NONE ? compact_applied_at(&style->applied, style->span_moments[row])
                        : compact_applied_own(&style->applied, item);
}

// --- Values

// note_used says which states are shown: those of kept events, and what they refer to.
static void
note_used(compact_style *s)
{
    for (size_t i = 0; i < s->view->plain.count; i++) {
        uint32_t state = compact_style_of_plain(s, i);
        if (state != NONE) {
            s->is_used[state] = true;
        }
    }
    for (size_t i = 0; i < s->view->kept_spans.count; i++) {
        uint32_t state = compact_style_of_span(s, i);
        if (state != NONE) {
            s->is_used[state] = true;
        }
    }
    for (size_t i = s->applied.states.count; s->how == COMPACT_STYLE_REF && i > 0; i--) {
        uint32_t parent = s->applied.states.items[i - 1].parent; // it comes before its children
        if (s->is_used[i - 1] && parent != NONE) {
            s->is_used[parent] = true;
        }
    }
}

static uint64_t
key_of(const compact_style *s, uint32_t type, uint64_t key)
{
    return s->rewrite == NULL ? key : jfr_rewrite_key(s->rewrite, type, key);
}

// take_text appends a text: short ones as they are, others as constants. key is that of one which
// is a constant.
static lp_err
take_text(compact_style *s, lp_slice text, uint64_t key, jfr_pools *pools)
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
        key = key_of(s, type, key);
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
take_values(compact_style *s, uint32_t kind, lp_slice values, jfr_pools *pools)
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
            jfr_varint_append(&s->values, key_of(s, pool, key));
        }
    }
    return err == LP_OK ? lp_buf_check(&s->values) : err;
}

// append_raw appends the values of a context as they were recorded.
static lp_err
append_raw(
    const compact_style *s, uint32_t index, const ctx_type *types, size_t type_count, lp_buf *out)
{
    const context *item = &s->items.items[index];
    if (item->origin == ORIGIN_SPAN) {
        uint32_t offset = kept_span(s, item->index)->offset;
        return compact_reader_append(&s->reader, offset, out);
    }
    if (item->origin == ORIGIN_AHEAD) {
        const ahead_context *ahead = &s->ahead.items[item->index];
        lp_buf_append(out, s->values.ptr + ahead->values, ahead->size_bytes);
        return lp_buf_check(out);
    }
    const compact_kind *kind = &s->kinds.items.items[s->intervals.items[index].type];
    const compact_context *c = &s->contexts->items.items[item->index];
    const ctx_type *type = &types[ctx_type_find(types, type_count, c->type_id)];
    const lp_slice record = {compact_contexts_values(s->contexts, c), c->values_bytes};
    // Where it is damaged, the values are nulls; whoever counts parts counts that.
    (void)compact_kind_append_record(kind, type, record, out);
    return lp_buf_check(out);
}

static lp_err
render(compact_style *s, uint32_t index, const ctx_type *types, size_t type_count, jfr_pools *pools,
    lp_buf *scratch)
{
    context *item = &s->items.items[index];
    lp_buf_clear(scratch);
    lp_err err = append_raw(s, index, types, type_count, scratch);
    item->values = s->values.len;
    if (err == LP_OK) {
        err = take_values(s, s->intervals.items[index].type, lp_buf_slice(scratch), pools);
    }
    item->size_bytes = (uint32_t)(s->values.len - item->values);
    item->is_rendered = true;
    return err;
}

static lp_slice
values_of(const compact_style *s, uint32_t index)
{
    const context *item = &s->items.items[index];
    return (lp_slice){s->values.ptr + item->values, item->size_bytes};
}

// render_used makes the values of all contexts that are shown.
static lp_err
render_used(compact_style *s, const ctx_type *types, size_t type_count, jfr_pools *pools)
{
    lp_buf scratch = {0};
    lp_err err = LP_OK;
    for (size_t i = 0; i < s->applied.states.count; i++) {
        const compact_applied_state *state = &s->applied.states.items[i];
        uint64_t left = s->is_used[i] ? state->types & s->columns.kinds : 0;
        for (; left != 0 && err == LP_OK; left &= left - 1) {
            uint32_t index =
                compact_applied_latest(&s->applied, state, (uint32_t)__builtin_ctzll(left));
            if (!s->items.items[index].is_rendered) {
                err = render(s, index, types, type_count, pools, &scratch);
            }
        }
    }
    lp_buf_fini(&scratch);
    return err;
}

// append_columns appends all columns as state has them.
static void
append_columns(const compact_style *s, uint32_t state, lp_buf *out)
{
    const compact_applied_state *applied = state == NONE ? NULL : &s->applied.states.items[state];
    for (uint64_t left = s->columns.kinds; left != 0; left &= left - 1) {
        uint32_t kind = (uint32_t)__builtin_ctzll(left);
        if (applied == NULL || (applied->types >> kind & 1) == 0) {
            compact_kind_append_nulls(&s->kinds.items.items[kind], out);
        } else {
            lp_slice values = values_of(s, compact_applied_latest(&s->applied, applied, kind));
            lp_buf_append(out, values.ptr, values.len);
        }
    }
}

// --- States as constants

static int64_t
time_of(const compact_style *s, int64_t ticks)
{
    return s->rewrite == NULL ? ticks : jfr_rewrite_time(s->rewrite, ticks);
}

// make_state appends a constant of type loupe.Context (compact_types_add_state).
static lp_err
make_state(compact_style *s, uint32_t state, lp_buf *scratch)
{
    const compact_applied_state *applied = &s->applied.states.items[state];
    const compact_applied_context *interval = &s->intervals.items[applied->context];
    const char *type = s->kinds.items.items[interval->type].name;
    lp_buf_clear(scratch);
    jfr_string_append(scratch, (lp_slice){(const uint8_t *)type, strlen(type)});
    jfr_varint_append(scratch, (uint64_t)time_of(s, interval->begin));
    append_columns(s, state, scratch);
    jfr_varint_append(scratch, applied->parent == NONE ? 0 : s->state_keys[applied->parent]);
    lp_buf_append(scratch, &(uint8_t){applied->is_cut}, 1);
    lp_err err = lp_buf_check(scratch);
    return err != LP_OK
               ? err
               : compact_constants_add(&s->states, lp_buf_slice(scratch), &s->state_keys[state]);
}

static lp_err
make_states(compact_style *s)
{
    s->state_keys = calloc(s->applied.states.count + 1, sizeof(*s->state_keys));
    if (s->state_keys == NULL) {
        return LP_ENOMEM;
    }
    for (size_t i = 0; i < s->columns.count; i++) {
        const char *name = s->columns.items[i].name;
        compact_constants_salt(&s->states, (lp_slice){(const uint8_t *)name, strlen(name) + 1});
    }
    lp_buf scratch = {0};
    lp_err err = LP_OK;
    for (uint32_t i = 0; i < s->applied.states.count && err == LP_OK; i++) {
        err = s->is_used[i] ? make_state(s, i, &scratch) : LP_OK; // parents come first
    }
    lp_buf_fini(&scratch);
    return err;
}

// --- All of it

static lp_err
allocate(compact_style *s)
{
    s->plain_moments = calloc(s->view->plain.count + 1, sizeof(*s->plain_moments));
    s->span_moments = calloc(s->view->kept_spans.count + 1, sizeof(*s->span_moments));
    s->span_items = calloc(s->view->kept_spans.count + 1, sizeof(*s->span_items));
    return s->plain_moments == NULL || s->span_moments == NULL || s->span_items == NULL ? LP_ENOMEM
                                                                                        : LP_OK;
}

static lp_err
apply(compact_style *s, compact_view *view, const ctx_type *types, size_t type_count)
{
    lp_err err = add_spans(s);
    if (err == LP_OK) {
        err = add_ahead(s);
    }
    if (err == LP_OK) {
        err = add_api(s, types, type_count);
    }
    if (err == LP_OK) {
        err = compact_applied_init(&s->applied, s->intervals.items, s->intervals.count,
            view->threads.count, s->how == COMPACT_STYLE_REF ? REF_DEPTH_MAX : FIELDS_DEPTH_MAX);
    }
    if (err == LP_OK) {
        err = want_moments(s);
    }
    if (err == LP_OK) {
        s->is_used = calloc(s->applied.states.count + 1, sizeof(*s->is_used));
        err = s->is_used == NULL ? LP_ENOMEM : LP_OK;
    }
    if (err == LP_OK) {
        note_used(s);
        err = render_used(s, types, type_count, &view->pools);
    }
    return err == LP_OK && s->how == COMPACT_STYLE_REF ? make_states(s) : err;
}

lp_err
compact_style_apply(compact_style *style, compact_view *view, const jfr_rewrite *rewrite,
    const ctx_type *types, size_t type_count)
{
    style->view = view;
    style->rewrite = rewrite;
    compact_constants_init(&style->texts, &view->pools, view->schema->layout.string_type);
    compact_constants_init(&style->states, NULL, JFR_NONE);
    lp_err err = compact_reader_init(&style->reader, &style->kinds, view, view);
    if (err == LP_OK) {
        err = allocate(style);
    }
    return err == LP_OK ? apply(style, view, types, type_count) : err;
}

// --- Into the output

static compact_types_field
field_of(const compact_style *s, const compact_types *types, size_t column)
{
    const compact_column *c = &s->columns.items[column];
    return (compact_types_field){
        .name = c->name,
        .label = c->label,
        .description = c->description,
        .pool = c->pool == JFR_NONE ? 0 : types->metadata.types.items[c->pool].id,
    };
}

// add_field gives an event type a field, under another name where it has one of that name.
static lp_err
add_field(compact_style *s, compact_types *types, uint32_t type, compact_types_field field)
{
    const jfr_metadata *metadata = &s->view->schema->metadata;
    char *name =
        compact_columns_name_for(&s->columns, field.name, metadata, &metadata->types.items[type]);
    if (name == NULL) {
        return LP_ENOMEM;
    }
    field.name = name;
    lp_err err = compact_types_add_field(types, type, &field);
    free(name);
    return err;
}

static lp_err
add_fields(compact_style *s, compact_types *types, uint32_t type)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < s->columns.count && err == LP_OK; i++) {
        err = add_field(s, types, type, field_of(s, types, i));
    }
    return err;
}

static lp_err
add_state_type(compact_style *s, compact_types *types)
{
    compact_types_field fields[COMPACT_COLUMNS_MAX];
    for (size_t i = 0; i < s->columns.count; i++) {
        fields[i] = field_of(s, types, i);
    }
    return compact_types_add_state(types, fields, s->columns.count, &s->state_type);
}

// add_extension gives an event type its fields. The type of what they refer to is made for the
// first.
static lp_err
add_extension(compact_style *s, compact_types *types, uint32_t type)
{
    if (s->how != COMPACT_STYLE_REF) {
        return add_fields(s, types, type);
    }
    lp_err err = s->state_type == 0 ? add_state_type(s, types) : LP_OK;
    const compact_types_field reference = {
        .name = "context", .label = "Context", .description = "", .pool = s->state_type};
    return err == LP_OK ? add_field(s, types, type, reference) : err;
}

lp_err
compact_style_add_types(compact_style *style, compact_types *types)
{
    lp_err err = LP_OK;
    for (uint32_t i = 0; i < style->view->schema->metadata.types.count && err == LP_OK; i++) {
        if (types->is_used[i] && compact_style_extends(style, i)) {
            err = add_extension(style, types, i);
        }
    }
    return err;
}

bool
compact_style_extends(const compact_style *style, uint32_t type)
{
    const compact_schema *schema = style->view->schema;
    size_t shown =
        style->how == COMPACT_STYLE_REF ? style->kinds.items.count : style->columns.count;
    return shown > 0 && schema->metadata.types.items[type].is_event &&
           schema->plans[type].thread_field != COMPACT_THREAD_NONE;
}

void
compact_style_append_tail(const compact_style *style, uint32_t state, lp_buf *out)
{
    if (style->how == COMPACT_STYLE_REF) {
        jfr_varint_append(out, state == NONE ? 0 : style->state_keys[state]);
    } else {
        append_columns(style, state, out);
    }
}

size_t
compact_style_text_count(const compact_style *style)
{
    return style->texts.items.count;
}

void
compact_style_append_texts(const compact_style *style, lp_buf *out)
{
    compact_constants_append(&style->texts, out);
}

size_t
compact_style_pool_count(const compact_style *style)
{
    return style->states.items.count > 0;
}

void
compact_style_append_pools(const compact_style *style, lp_buf *out)
{
    if (compact_style_pool_count(style) > 0) {
        jfr_varint_append(out, style->state_type);
        jfr_varint_append(out, style->states.items.count);
        compact_constants_append(&style->states, out);
    }
}
