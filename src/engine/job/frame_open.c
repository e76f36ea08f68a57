// SPDX-License-Identifier: Apache-2.0
#include "engine/job/frame_open.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/context/ctx_type.h"
#include "engine/carry/identities.h"
#include "engine/job/chunk_times.h"

typedef struct opener {
    compact_frame *frame;
    compact_carry *new_carry;
    compact_opened *made;
    lp_arena *arena; // has all errors that no function returns
} opener;

static void
opener_check(const opener *o)
{
    LP_ASSERT(o->new_carry != o->frame->carry && o->made->recorded.arena == o->arena);
    compact_carry_check(o->new_carry);
}

// --- Contexts

static lp_err
take_carry(opener *o)
{
    opener_check(o);
    const compact_carry *from = o->frame->carry;
    compact_carry *to = o->new_carry;
    if (from == NULL) {
        return LP_OK;
    }
    compact_recordings_copy(&from->recordings, &to->recordings);
    compact_filters_copy(&from->filters, &to->filters);
    compact_contexts_copy(&from->contexts, INT64_MIN, &to->contexts);
    lp_arena_note(o->arena, compact_throttles_copy(&from->throttles, &to->throttles));
    to->pending_bytes = from->pending_bytes;
    lp_arena_note(o->arena, compact_throttles_copy(&from->quotas, &to->quotas));
    lp_err err = compact_carry_add_types(to, from->types.items, from->types.count);
    LP_THEN(err, compact_carry_add_types(to, from->completing.items, from->completing.count));
    return err == LP_OK ? compact_contexts_err(&to->contexts) : err;
}

static void
count_contexts(opener *o, size_t first)
{
    opener_check(o);
    const compact_carry *carry = o->new_carry;
    compact_amount *counts = LP_ARENA_ARRAY(o->arena, compact_amount, carry->types.count + 1);
    for (size_t i = first; counts != NULL && i < carry->contexts.items.count; i++) {
        const compact_context *context = &carry->contexts.items.items[i];
        size_t type = ctx_type_find(carry->types.items, carry->types.count, context->type_id);
        counts[type].events++; // the last count is for unknown types
        counts[type].bytes += CTX_RECORD_HEADER_BYTES + context->values_bytes;
    }
    o->made->contexts_in = counts;
}

static void
add_maps(opener *o, const compact_source *source)
{
    opener_check(o);
    for (size_t i = 0; i < source->recording_count; i++) {
        compact_recordings_add(&o->new_carry->recordings, &source->recordings[i], false);
    }
    for (size_t i = 0; i < source->filter_count; i++) {
        compact_filters_add(&o->new_carry->filters, &source->filters[i]);
    }
}

static void
add_keys(opener *o)
{
    opener_check(o);
    const compact_source *source = o->frame->source;
    for (size_t i = 0; i < source->recording_count; i++) {
        const ctx_recording *map = &source->recordings[i];
        for (size_t k = 0; k < map->entry_count; k++) {
            compact_recordings_add_key(&o->new_carry->recordings, map->entries[k].key);
        }
    }
}

// feed applies records to contexts, with the types known so far.
static lp_err
feed(const opener *o, compact_contexts *contexts, lp_slice records,
    compact_completions *completions, lp_problem *problem)
{
    opener_check(o);
    const compact_carry *carry = o->new_carry;
    completions->types = carry->completing.items;
    completions->type_count = carry->completing.count;
    lp_err err = compact_contexts_feed(contexts, records, completions, problem);
    compact_completions_apply(completions, carry->types.items, carry->types.count, contexts);
    return err == LP_OK ? compact_contexts_err(contexts) : err;
}

// read_next_records adds the records of a later chunk. Damage in them is an error only when that
// chunk is decided.
static lp_err
read_next_records(opener *o, const compact_source *next, compact_completions *completions)
{
    opener_check(o);
    lp_err err = compact_carry_add_types(o->new_carry, next->types, next->type_count);
    if (err == LP_OK || err == LP_ELIMIT) {
        add_maps(o, next);
        err = feed(o, &o->made->contexts, next->records, completions, NULL);
    }
    return err == LP_ECORRUPT || err == LP_ELIMIT ? LP_OK : err;
}

// note_decided notes the decisions of an earlier chunk about the contexts from first on: whether it
// has a part of one, and its standing.
static void
note_decided(const opener *o, compact_contexts *contexts, size_t first)
{
    opener_check(o);
    const compact_carry *before = o->frame->carry;
    size_t written = 0; // all lists ascend
    size_t standing = 0;
    for (size_t i = first; before != NULL && i < contexts->items.count; i++) {
        compact_context *context = &contexts->items.items[i];
        written = LP_BISECT(
            before->written_ahead.items, written, before->written_ahead.count, *at < context->id);
        context->is_written = written < before->written_ahead.count &&
                              before->written_ahead.items[written] == context->id;
        standing = LP_BISECT(before->standings_ahead.items, standing, before->standings_ahead.count,
            at->id < context->id);
        if (standing < before->standings_ahead.count &&
            before->standings_ahead.items[standing].id == context->id) {
            context->standing = before->standings_ahead.items[standing].standing;
        }
    }
}

static lp_err
read_own_records(opener *o, compact_completions *completions, lp_problem *problem)
{
    opener_check(o);
    const compact_source *source = o->frame->source;
    compact_contexts *known = &o->new_carry->contexts;
    size_t carried = known->items.count;
    lp_err err = compact_carry_add_types(o->new_carry, source->types, source->type_count);
    if (err == LP_OK) {
        add_maps(o, source);
        o->new_carry->recordings.own_count = o->new_carry->recordings.items.count;
        add_keys(o);
        err = feed(o, known, source->records, completions, problem);
    }
    LP_REQUIRE(err == LP_OK, err);
    o->made->completions_lost = completions->damaged_count;
    o->made->own_sign_count = completions->signs.count;
    o->new_carry->next_sign = completions->next_sign;
    for (size_t i = 0; i < source->recordings_ended_count; i++) {
        compact_recordings_end(&o->new_carry->recordings, source->recordings_ended[i]);
    }
    note_decided(o, known, carried);
    compact_contexts_copy(known, INT64_MIN, &o->made->contexts);
    return compact_contexts_err(&o->made->contexts);
}

// known_until returns up to where the records of later chunks count.
static int64_t
known_until(const compact_frame *frame)
{
    for (size_t i = 0; i < frame->ahead_count; i++) {
        const compact_view *view = frame->aheads[i].view;
        if (view != NULL) {
            return compact_frame_known_from(frame, view->info.start_ticks);
        }
    }
    return INT64_MAX;
}

static void
take_signs(const opener *o, compact_completions *completions)
{
    opener_check(o);
    const compact_carry *from = o->frame->carry;
    if (from == NULL) {
        return;
    }
    completions->next_sign = from->next_sign;
    for (size_t i = 0; i < from->signs.count; i++) {
        LP_ARENA_PUSH(o->arena, &completions->signs, from->signs.items[i]);
    }
}

static lp_err
read_records(opener *o, lp_problem *problem)
{
    opener_check(o);
    size_t carried = o->new_carry->contexts.items.count;
    compact_completions completions = {.arena = o->arena, .next_sign = 1};
    take_signs(o, &completions);
    lp_err err = read_own_records(o, &completions, problem);
    size_t own = o->made->contexts.items.count;
    o->made->contexts.until = known_until(o->frame);
    for (size_t i = 0; i < o->frame->ahead_count && err == LP_OK; i++) {
        err = read_next_records(o, o->frame->aheads[i].source, &completions);
    }
    if (err == LP_OK) {
        note_decided(o, &o->made->contexts, own);
        count_contexts(o, carried);
    }
    LP_ASSERT(o->made->own_sign_count <= completions.signs.count);
    o->made->signs = completions.signs;
    compact_completions_fini(&completions);
    return err;
}

static void
set_borrowed(const opener *o)
{
    opener_check(o);
    compact_frame *frame = o->frame;
    frame->types = o->new_carry->types.items;
    frame->type_count = o->new_carry->types.count;
    frame->contexts = &o->made->contexts;
    frame->recordings = &o->new_carry->recordings;
    frame->recorded = &o->made->recorded;
    frame->filters = &o->new_carry->filters;
}

// --- Threads

// take_aheads drops the later chunks that cannot be read, and returns the others.
static compact_ahead *
take_aheads(opener *o)
{
    opener_check(o);
    compact_frame *frame = o->frame;
    compact_ahead *aheads = LP_ARENA_ARRAY(o->arena, compact_ahead, frame->ahead_count);
    size_t left = 0;
    for (size_t i = 0; aheads != NULL && i < frame->ahead_count; i++) {
        if (frame->aheads[i].view != NULL) {
            aheads[left++] = frame->aheads[i];
        }
    }
    frame->aheads = aheads;
    frame->ahead_count = left;
    return aheads;
}

static void
identify(opener *o)
{
    opener_check(o);
    compact_frame *frame = o->frame;
    compact_ahead *aheads = take_aheads(o);
    size_t count = frame->ahead_count + 1;
    const compact_view **views = LP_ARENA_ARRAY(o->arena, const compact_view *, count);
    if (views == NULL) { // else aheads are there, as the arena is sticky
        return;
    }
    views[0] = frame->view;
    for (size_t i = 1; i < count; i++) {
        views[i] = aheads[i - 1].view;
    }
    frame->identities = compact_identities_identify(o->arena, views, count, 0, frame->carry);
    for (size_t i = 1; i < count; i++) {
        aheads[i - 1].identities =
            compact_identities_identify(o->arena, views, count, i, frame->carry);
    }
}

static void
read_recorded(opener *o)
{
    opener_check(o);
    const compact_frame *frame = o->frame;
    compact_recorded *recorded = &o->made->recorded;
    if (frame->carry != NULL) {
        compact_recorded_copy(&frame->carry->recorded, INT64_MIN, recorded);
    }
    compact_recorded_read(frame->view, frame->identities, recorded);
    compact_recorded_copy(recorded, frame->recent_min, &o->new_carry->recorded);
    for (size_t i = 0; i < frame->ahead_count; i++) {
        compact_recorded_read(frame->aheads[i].view, frame->aheads[i].identities, recorded);
    }
}

static bool
is_open(const compact_frame *frame, int64_t begin, int64_t end)
{
    return begin < frame->window.hi && end >= frame->window.hi;
}

// list_open lists the contextual events of later chunks that are open at the end of the window:
// their chunks may be decided while this one still needs them.
static void
list_open(const opener *o)
{
    opener_check(o);
    const compact_frame *frame = o->frame;
    for (size_t i = 0; i < frame->ahead_count; i++) {
        const compact_view *view = frame->aheads[i].view;
        for (size_t k = 0; k < view->spans.count; k++) {
            const compact_span *span = &view->spans.items[k];
            if (span->thread != COMPACT_NO_THREAD && is_open(frame, span->begin, span->commit)) {
                const compact_later_span later = {&frame->aheads[i], *span};
                LP_ARENA_PUSH(o->arena, &o->made->open_spans, later);
            }
        }
    }
    for (size_t i = 0; i < frame->far_count; i++) {
        if (is_open(frame, frame->far[i].begin, frame->far[i].end)) {
            LP_ARENA_PUSH(o->arena, &o->made->open_far, frame->far[i]);
        }
    }
}

static bool
is_ascending(const compact_contexts *contexts)
{
    for (size_t i = 1; i < contexts->items.count; i++) {
        LP_REQUIRE(contexts->items.items[i].id > contexts->items.items[i - 1].id, false);
    }
    return true;
}

lp_err
compact_frame_open(compact_frame *frame, compact_carry *new_carry, lp_arena *arena,
    compact_opened *out_opened, lp_problem *out_problem)
{
    LP_ASSERT(new_carry->contexts.items.count == 0 && new_carry->types.count == 0);
    opener o = {.frame = frame, .new_carry = new_carry, .made = out_opened, .arena = arena};
    *out_opened = (compact_opened){0};
    compact_contexts_init(&out_opened->contexts, arena);
    out_opened->recorded.arena = arena;
    frame->is_first = frame->carry == NULL;
    frame->is_last = frame->ahead_count == 0 && !frame->is_followed;
    lp_err err = take_carry(&o);
    LP_THEN(err, read_records(&o, out_problem));
    LP_REQUIRE(err == LP_OK && !arena->is_failed, err != LP_OK ? err : LP_ENOMEM);
    set_borrowed(&o);
    identify(&o);
    frame->is_last |= frame->options->has_ended && frame->ahead_count == 0;
    if (!arena->is_failed) {
        compact_frame_find_times(frame);
        read_recorded(&o);
        if (frame->options->has_requests) {
            list_open(&o);
        }
    }
    lp_arena_note(arena, lp_arena_err(&new_carry->arena));
    LP_ASSERT(arena->is_failed || compact_frame_is_open(frame));
    LP_DEBUG_ASSERT(is_ascending(frame->contexts));
    return lp_arena_err(arena);
}

void
compact_opened_fini(compact_opened *opened)
{
    compact_contexts_fini(&opened->contexts);
    *opened = (compact_opened){0};
}
