// SPDX-License-Identifier: Apache-2.0
#include "engine/show/style.h"

#include "common/jfr/jfr_string.h"
#include "engine/read/kind_values.h"
#include "engine/show/context_stacks.h"
#include "engine/show/shown_contexts.h"

#include <stdlib.h>
#include <string.h>

enum {
    NONE = COMPACT_CONTEXT_STACKS_NONE,
    REF_DEPTH_MAX = 64,               // of parents: readers resolve them by recursion
    FIELDS_DEPTH_MAX = INT32_MAX - 1, // the innermost of each type are all that fields show
};

struct compact_style {
    compact_context_style how;
    compact_shown_contexts shown;
    // From here on compact_style_apply makes it.
    const compact_view *view;
    const jfr_rewrite *rewrite;
    compact_context_stacks applied; // of shown.intervals
    uint32_t *plain_moments;        // parallel to view->plain
    uint32_t *span_moments;         // parallel to view->kept_spans, for those that are no contexts
    bool *is_used;                  // parallel to applied.states
    compact_constants states;       // of type loupe.Context
    uint64_t *state_keys;           // parallel to applied.states
};

lp_err
compact_style_begin(
    const compact_frame *frame, const compact_decided *decided, compact_style **out_style)
{
    compact_style *s = calloc(1, sizeof(*s));
    if (s == NULL) {
        return LP_ENOMEM;
    }
    s->how = frame->options->style;
    lp_err err = compact_shown_contexts_begin(&s->shown, frame, decided);
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
    free(style->plain_moments);
    free(style->span_moments);
    free(style->is_used);
    compact_constants_fini(&style->states);
    free(style->state_keys);
    free(style);
}

// --- What applies to which event

static bool
is_plain_written(const compact_style *s, const compact_plain *row)
{
    return row->fate == COMPACT_KEPT ||
           (row->fate == COMPACT_KEPT_BY_CONTEXT && compact_view_fits(s->view, row->offset));
}

static lp_err
want_moments(compact_style *s)
{
    for (size_t i = 0; i < s->view->plain.count; i++) {
        const compact_plain *row = &s->view->plain.items[i];
        bool is_asked = row->thread != COMPACT_NO_THREAD && is_plain_written(s, row);
        s->plain_moments[i] =
            is_asked ? compact_context_stacks_want(&s->applied,
                           compact_shown_contexts_thread(&s->shown, row->thread), row->commit)
                     : (uint32_t)NONE;
    }
    for (size_t i = 0; i < s->view->kept_spans.count; i++) {
        const compact_span *span = &s->view->kept_spans.items[i];
        s->span_moments[i] = NONE;
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

// render_used makes the values of all contexts that are shown.
static lp_err
render_used(compact_style *s, jfr_pools *pools)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < s->applied.states.count; i++) {
        const compact_context_stacks_state *state = &s->applied.states.items[i];
        uint64_t left = s->is_used[i] ? state->types & s->shown.columns.kinds : 0;
        for (; left != 0 && err == LP_OK; left &= left - 1) {
            uint32_t index =
                compact_context_stacks_latest(&s->applied, state, (uint32_t)__builtin_ctzll(left));
            err = compact_shown_contexts_render(&s->shown, index, pools);
        }
    }
    return err;
}

// append_columns appends all columns as state has them.
static void
append_columns(const compact_style *s, uint32_t state, lp_buf *out)
{
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

// make_state appends a constant of type loupe.Context (compact_shown_fields_add).
static lp_err
make_state(compact_style *s, uint32_t state, lp_buf *scratch)
{
    const compact_context_stacks_state *applied = &s->applied.states.items[state];
    const compact_stack_moments_context *interval = &s->shown.intervals.items[applied->context];
    const char *type = s->shown.kinds.items.items[interval->type].name;
    lp_buf_clear(scratch);
    jfr_string_append(scratch, (lp_slice){(const uint8_t *)type, strlen(type)});
    jfr_varint_append(scratch, (uint64_t)jfr_rewrite_time(s->rewrite, interval->begin));
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
    for (size_t i = 0; i < s->shown.columns.count; i++) {
        const char *name = s->shown.columns.items[i].name;
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
apply(compact_style *s, jfr_pools *pools)
{
    lp_err err =
        compact_context_stacks_init(&s->applied, s->shown.intervals.items, s->shown.intervals.count,
            s->view->threads.count, s->how == COMPACT_STYLE_REF ? REF_DEPTH_MAX : FIELDS_DEPTH_MAX);
    if (err == LP_OK) {
        err = want_moments(s);
    }
    if (err == LP_OK) {
        s->is_used = calloc(s->applied.states.count + 1, sizeof(*s->is_used));
        err = s->is_used == NULL ? LP_ENOMEM : LP_OK;
    }
    if (err == LP_OK) {
        note_used(s);
        err = render_used(s, pools);
    }
    return err == LP_OK && s->how == COMPACT_STYLE_REF ? make_states(s) : err;
}

lp_err
compact_style_apply(compact_style *style, compact_view *view, const jfr_rewrite *rewrite)
{
    style->view = view;
    style->rewrite = rewrite;
    style->plain_moments = calloc(view->plain.count + 1, sizeof(*style->plain_moments));
    style->span_moments = calloc(view->kept_spans.count + 1, sizeof(*style->span_moments));
    if (style->plain_moments == NULL || style->span_moments == NULL) {
        return LP_ENOMEM;
    }
    compact_constants_init(&style->states, NULL, JFR_NONE);
    lp_err err = compact_shown_contexts_list(&style->shown, view, rewrite);
    return err == LP_OK ? apply(style, &view->pools) : err;
}

// --- Into the output

const compact_columns *
compact_style_columns(const compact_style *style)
{
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
    const compact_schema *schema = style->view->schema;
    size_t shown = style->how == COMPACT_STYLE_REF ? style->shown.kinds.items.count
                                                   : style->shown.columns.count;
    return shown > 0 && schema->metadata.types.items[type].is_event &&
           schema->plans[type].thread_field != COMPACT_THREAD_NONE && !schema->plans[type].is_part;
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
    return style->shown.texts.items.count;
}

void
compact_style_append_texts(const compact_style *style, lp_buf *out)
{
    compact_constants_append(&style->shown.texts, out);
}

size_t
compact_style_pool_count(const compact_style *style)
{
    return style->states.items.count > 0;
}

void
compact_style_append_pools(const compact_style *style, uint64_t state_type, lp_buf *out)
{
    if (compact_style_pool_count(style) > 0) {
        jfr_varint_append(out, state_type);
        jfr_varint_append(out, style->states.items.count);
        compact_constants_append(&style->states, out);
    }
}
