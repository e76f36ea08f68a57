// SPDX-License-Identifier: Apache-2.0
#include "engine/show/style.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "common/jfr/jfr_string.h"
#include "engine/read/kind_values.h"
#include "engine/show/constants.h"
#include "engine/show/context_stacks.h"
#include "engine/show/survey.h"

#include <stdlib.h>
#include <string.h>

enum {
    NONE = COMPACT_CONTEXT_STACKS_NONE,
    REF_DEPTH_MAX = 64,               // of parents: readers resolve them by recursion
    FIELDS_DEPTH_MAX = INT32_MAX - 1, // the innermost of each type are all that fields show
};

struct compact_style {
    lp_arena arena; // owns the arrays here and in shown
    compact_context_style how;
    const compact_aware *aware;
    compact_aware own_aware; // without a survey: of the chunk
    compact_shown_contexts shown;
    // Set by compact_style_apply:
    const compact_view *view;
    const jfr_rewrite *rewrite;
    compact_context_stacks applied; // of shown.intervals
    uint32_t *plain_moments;        // parallel to view->plain
    uint32_t *span_moments;         // parallel to view->kept_spans, for spans that are no contexts
    bool *is_extended;              // parallel to the types of view: has a place for contexts
    bool *is_shown;                 // parallel to the types of view: shows contexts
    bool is_selective;              // some types with a thread show none
    bool *is_used;                  // parallel to applied.states
    compact_constants states;       // of type loupe.Context
    uint64_t *state_keys;           // parallel to applied.states
};

static void
style_check(const compact_style *s)
{
    LP_ASSERT(s->how != COMPACT_STYLE_EVENTS && s->aware != NULL && s->shown.arena == &s->arena);
}

lp_err
compact_style_begin(
    const compact_frame *frame, const compact_decided *decided, compact_style **out_style)
{
    LP_ASSERT(compact_frame_is_open(frame));
    LP_ASSERT(frame->options->style != COMPACT_STYLE_EVENTS);
    compact_style *s = calloc(1, sizeof(*s));
    LP_REQUIRE(s != NULL, LP_ENOMEM);
    s->how = frame->options->style;
    if (frame->options->survey != NULL) {
        s->aware = &frame->options->survey->aware;
    } else {
        compact_aware_add(&s->own_aware, &s->arena, frame->view->schema);
        s->aware = &s->own_aware;
    }
    compact_shown_contexts_begin(&s->shown, &s->arena, frame, decided);
    lp_err err = compact_shown_contexts_err(&s->shown);
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
    compact_shown_contexts_fini(&style->shown);
    compact_context_stacks_fini(&style->applied);
    compact_constants_fini(&style->states);
    compact_aware_fini(&style->own_aware);
    lp_arena_fini(&style->arena);
    free(style);
}

// --- What applies to which event

static void
find_extended(compact_style *s)
{
    style_check(s);
    const compact_schema *schema = s->view->schema;
    size_t shown =
        s->how == COMPACT_STYLE_REF ? s->shown.kinds.items.count : s->shown.columns.count;
    compact_aware_choice choice = compact_aware_choose(s->aware, schema);
    s->is_extended = LP_ARENA_ARRAY(&s->arena, bool, schema->metadata.types.count);
    s->is_shown = LP_ARENA_ARRAY(&s->arena, bool, schema->metadata.types.count);
    for (uint32_t i = 0; i < schema->metadata.types.count && s->is_shown != NULL; i++) {
        bool may_show = shown > 0 && schema->metadata.types.items[i].is_event &&
                        schema->plans[i].thread_field != COMPACT_THREAD_NONE &&
                        !schema->plans[i].is_part;
        s->is_extended[i] = may_show && compact_aware_has_place(s->aware, schema, i);
        s->is_shown[i] = may_show && compact_aware_shows(choice, schema, i);
        s->is_selective |= may_show && !s->is_shown[i];
    }
}

static lp_err
want_moments(compact_style *s)
{
    style_check(s);
    for (size_t i = 0; i < s->view->plain.count; i++) {
        const compact_plain *row = &s->view->plain.items[i];
        bool is_asked = row->thread != COMPACT_NO_THREAD && row->fate != COMPACT_UNDECIDED &&
                        (row->fate == COMPACT_KEPT || compact_view_fits(s->view, row->offset)) &&
                        (!s->is_selective || s->is_shown[compact_view_type(s->view, row)]);
        s->plain_moments[i] =
            is_asked ? compact_context_stacks_want(&s->applied,
                           compact_shown_contexts_thread(&s->shown, row->thread), row->commit)
                     : (uint32_t)NONE;
    }
    for (size_t i = 0; i < s->view->kept_spans.count; i++) {
        const compact_span *span = &s->view->kept_spans.items[i];
        s->span_moments[i] = NONE;
        if (s->is_selective && !s->is_shown[compact_view_event(s->view, span->offset).type]) {
            continue;
        }
        if (s->shown.span_items[i] != NONE) {
            compact_context_stacks_want_own(&s->applied, s->shown.span_items[i]);
        } else if (span->thread != COMPACT_NO_THREAD && compact_view_fits(s->view, span->offset)) {
            s->span_moments[i] = compact_context_stacks_want(
                &s->applied, compact_shown_contexts_thread(&s->shown, span->thread), span->commit);
        }
    }
    return compact_context_stacks_build(&s->applied);
}

uint32_t
compact_style_of_plain(const compact_style *style, size_t row)
{
    return compact_context_stacks_at(&style->applied, style->plain_moments[row]);
}

uint32_t
compact_style_of_span(const compact_style *style, size_t row)
{
    uint32_t item = style->shown.span_items[row];
    return item == NONE ? compact_context_stacks_at(&style->applied, style->span_moments[row])
                        : compact_context_stacks_own(&style->applied, item);
}

// --- Which of them are shown

static void
mark_used(const compact_style *s, uint32_t state)
{
    if (state != NONE) {
        s->is_used[state] = true;
    }
}

static void
note_used(compact_style *s)
{
    style_check(s);
    for (size_t i = 0; i < s->view->plain.count; i++) {
        mark_used(s, compact_style_of_plain(s, i));
    }
    for (size_t i = 0; i < s->view->kept_spans.count; i++) {
        mark_used(s, compact_style_of_span(s, i));
    }
    for (size_t i = s->applied.states.count; s->how == COMPACT_STYLE_REF && i > 0; i--) {
        if (s->is_used[i - 1]) { // a parent comes before its children
            mark_used(s, s->applied.states.items[i - 1].parent);
        }
    }
}

static void
render_used(compact_style *s, jfr_pools *pools)
{
    style_check(s);
    for (size_t i = 0; i < s->applied.states.count; i++) {
        const compact_context_stacks_state *state = &s->applied.states.items[i];
        uint64_t left = s->is_used[i] ? state->types & s->shown.columns.kinds : 0;
        for (; left != 0; left &= left - 1) {
            uint32_t index =
                compact_context_stacks_latest(&s->applied, state, (uint32_t)__builtin_ctzll(left));
            compact_shown_contexts_render(&s->shown, index, pools);
        }
    }
}

// append_columns appends the values of all columns in a state; NONE: nulls.
static void
append_columns(const compact_style *s, uint32_t state, lp_buf *out)
{
    style_check(s);
    const compact_context_stacks_state *applied =
        state == NONE ? NULL : &s->applied.states.items[state];
    for (uint64_t left = s->shown.columns.kinds; left != 0; left &= left - 1) {
        uint32_t kind = (uint32_t)__builtin_ctzll(left);
        if (applied == NULL || (applied->types >> kind & 1) == 0) {
            compact_kind_append_nulls(&s->shown.kinds.items.items[kind], out);
        } else {
            lp_slice values = compact_shown_contexts_values(
                &s->shown, compact_context_stacks_latest(&s->applied, applied, kind));
            lp_buf_append(out, values.ptr, values.len);
        }
    }
}

// --- States as constants

static uint64_t
make_state(compact_style *s, uint32_t state, lp_buf *scratch)
{
    style_check(s);
    const compact_context_stacks_state *applied = &s->applied.states.items[state];
    const compact_stack_moments_context *interval = &s->shown.intervals.items[applied->context];
    const char *type = s->shown.kinds.items.items[interval->type].name;
    LP_ASSERT(applied->parent == NONE || applied->parent < state); // it has a key
    lp_buf_clear(scratch);
    jfr_string_append(scratch, (lp_slice){(const uint8_t *)type, strlen(type)});
    jfr_varint_append(scratch, (uint64_t)jfr_rewrite_time(s->rewrite, interval->begin));
    append_columns(s, state, scratch);
    jfr_varint_append(scratch, applied->parent == NONE ? 0 : s->state_keys[applied->parent]);
    lp_buf_append(scratch, &(uint8_t){applied->is_cut}, 1);
    if (scratch->is_failed) {
        lp_arena_fail(&s->arena);
        return 0;
    }
    return compact_constants_add(&s->states, lp_buf_slice(scratch));
}

static void
make_states(compact_style *s)
{
    style_check(s);
    s->state_keys = LP_ARENA_ARRAY(&s->arena, uint64_t, s->applied.states.count);
    if (s->state_keys == NULL) {
        return;
    }
    for (size_t i = 0; i < s->shown.columns.count; i++) {
        const compact_column *column = &s->shown.columns.items[i];
        const uint8_t values = (uint8_t)column->values;
        compact_constants_salt(
            &s->states, (lp_slice){(const uint8_t *)column->name, strlen(column->name) + 1});
        compact_constants_salt(&s->states, (lp_slice){&values, 1});
    }
    lp_buf scratch = {0};
    for (uint32_t i = 0; i < s->applied.states.count; i++) {
        if (s->is_used[i]) {
            s->state_keys[i] = make_state(s, i, &scratch);
        }
    }
    lp_buf_fini(&scratch);
}

// --- All of it

static lp_err
show(compact_style *s, jfr_pools *pools)
{
    style_check(s);
    s->is_used = LP_ARENA_ARRAY(&s->arena, bool, s->applied.states.count);
    LP_REQUIRE(s->is_used != NULL, LP_ENOMEM);
    note_used(s);
    render_used(s, pools);
    lp_err err = compact_shown_contexts_err(&s->shown);
    if (err == LP_OK && s->how == COMPACT_STYLE_REF) {
        make_states(s);
        err = compact_constants_check(&s->states);
    }
    return err == LP_OK ? lp_arena_err(&s->arena) : err;
}

lp_err
compact_style_apply(compact_style *style, compact_view *view, const jfr_rewrite *rewrite)
{
    style_check(style);
    LP_ASSERT(rewrite != NULL);
    style->view = view;
    style->rewrite = rewrite;
    style->plain_moments = LP_ARENA_ARRAY(&style->arena, uint32_t, view->plain.count);
    style->span_moments = LP_ARENA_ARRAY(&style->arena, uint32_t, view->kept_spans.count);
    style->states.salt = LP_HASH_FIXED;
    find_extended(style);
    lp_err err = compact_shown_contexts_list(&style->shown, view, rewrite);
    LP_THEN(err, compact_context_stacks_init(&style->applied, style->shown.intervals.items,
                     style->shown.intervals.count, view->threads.count,
                     style->how == COMPACT_STYLE_REF ? REF_DEPTH_MAX : FIELDS_DEPTH_MAX));
    LP_THEN(err, want_moments(style));
    return err == LP_OK ? show(style, &view->pools) : err;
}

// --- Into the output

const compact_columns *
compact_style_columns(const compact_style *style)
{
    style_check(style);
    return &style->shown.columns;
}

bool
compact_style_has_references(const compact_style *style)
{
    return style->how == COMPACT_STYLE_REF;
}

bool
compact_style_extends(const compact_style *style, uint32_t type)
{
    return style->is_extended[type];
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

static bool
has_pool(const compact_constants *constants, uint64_t type)
{
    return type != 0 && constants->items.count > 0;
}

size_t
compact_style_pool_count(const compact_style *style, const compact_style_types *types)
{
    style_check(style);
    size_t count = has_pool(&style->states, types->state);
    for (size_t i = 0; i < COMPACT_SHOWN_CONTEXTS_POOLS; i++) {
        count += has_pool(&style->shown.constants[i], types->values[i]);
    }
    return count;
}

static void
append_pool(const compact_constants *constants, uint64_t type, lp_buf *out)
{
    if (has_pool(constants, type)) {
        jfr_varint_append(out, type);
        jfr_varint_append(out, constants->items.count);
        compact_constants_append(constants, out);
    }
}

void
compact_style_append_pools(
    const compact_style *style, const compact_style_types *types, lp_buf *out)
{
    style_check(style);
    for (size_t i = 0; i < COMPACT_SHOWN_CONTEXTS_POOLS; i++) {
        append_pool(&style->shown.constants[i], types->values[i], out);
    }
    append_pool(&style->states, types->state, out);
}
