// SPDX-License-Identifier: Apache-2.0
#include "engine/job/rollup/rollup_make.h"

#include "common/base/lp_assert.h"
#include "common/context/ctx_ref.h"
#include "engine/contexts/contexts.h"
#include "engine/read/context_columns.h"

#include <string.h>

// --- Kept events and contexts

// note_begin notes the begin of a context. Answers show it by the clock of the chunk in which it
// began: between the session's first clock and this chunk's, if clocks drift.
static void
note_begin(const compact_frame *frame, int64_t ticks, rollup *out)
{
    const jfr_clock first = compact_clock_of_jfr(&frame->clock);
    const jfr_clock own = compact_clock_of_jfr(&frame->shown);
    rollup_note_begin(out, jfr_clock_wall_ns(&first, ticks));
    rollup_note_begin(out, jfr_clock_wall_ns(&own, ticks));
}

// keep_spans counts the contextual events that were kept after they were read, and notes the times
// of all kept ones.
static void
keep_spans(const compact_frame *frame, rollup *out)
{
    compact_sums_check(frame->view->sums);
    const compact_view *view = frame->view;
    const jfr_clock clock = compact_clock_of_jfr(&frame->shown);
    int64_t longest = -1;
    int64_t begin_min = INT64_MAX;
    int64_t commit_min = INT64_MAX;
    int64_t commit_max = INT64_MIN;
    for (size_t i = 0; i < view->kept_spans.count; i++) {
        const compact_span *span = &view->kept_spans.items[i];
        if (!compact_span_is_kept(span)) {
            continue; // it could not be written
        }
        if (!span->is_marked) {
            const compact_event event = compact_view_event(view, span->offset);
            compact_columns_keep(view->sums, &event, span->begin, span->commit, span->thread);
        }
        longest = compact_rollup_longer(longest, span->begin, span->commit);
        begin_min = span->begin < begin_min ? span->begin : begin_min;
        commit_min = span->commit < commit_min ? span->commit : commit_min;
        commit_max = span->commit > commit_max ? span->commit : commit_max;
    }
    compact_rollup_note_length(frame, ROLLUP_CONTEXTS, longest, out);
    if (begin_min != INT64_MAX) {
        note_begin(frame, begin_min, out);
        rollup_note_commits(
            out, jfr_clock_wall_ns(&clock, commit_min), jfr_clock_wall_ns(&clock, commit_max));
    }
}

// note_parts notes the times of parts. A part counts from the begin of its context, even in an
// earlier chunk: a search by begin must find all parts.
static void
note_parts(const compact_frame *frame, const compact_parts *parts, rollup *out)
{
    const jfr_clock clock = compact_clock_of_jfr(&frame->shown);
    int64_t longest = -1;
    for (size_t i = 0; i < parts->count; i++) {
        int64_t end_ns = jfr_clock_wall_ns(&clock, parts->items[i].end);
        const compact_context *context = &frame->contexts->items.items[parts->items[i].context];
        note_begin(frame, context->begin, out);
        rollup_note_commits(out, end_ns, end_ns);
        longest = compact_rollup_longer(longest, context->begin, parts->items[i].end);
    }
    compact_rollup_note_length(frame, ROLLUP_CONTEXTS, longest, out);
}

static void
note_plain(const compact_frame *frame, rollup *out)
{
    const compact_view *view = frame->view;
    const jfr_clock clock = compact_clock_of_jfr(&frame->shown);
    int64_t min = INT64_MAX;
    int64_t max = INT64_MIN;
    for (size_t i = 0; i < view->plain.count; i++) {
        const compact_plain *row = &view->plain.items[i];
        if (row->fate != COMPACT_UNDECIDED) {
            min = row->commit < min ? row->commit : min;
            max = row->commit > max ? row->commit : max;
        }
    }
    if (min <= max) {
        rollup_note_commits(out, jfr_clock_wall_ns(&clock, min), jfr_clock_wall_ns(&clock, max));
    }
}

// --- The rollup

// add_to_bucket adds nothing for a count of 0, because buckets take memory.
static void
add_to_bucket(rollup *out, histogram *to, int bucket, uint64_t count)
{
    if (count != 0) {
        histogram_add_counts(to, &out->arena, bucket, count);
    }
}

static void
add_lengths(rollup *out, histogram *to, const compact_lengths *lengths)
{
    for (int i = 0; i <= HISTOGRAM_BUCKETS; i++) {
        add_to_bucket(out, to, i + HISTOGRAM_ZERO, lengths->counts[i]);
    }
    rollup_add_ns(&to->sum_ns, lengths->ns);
    rollup_add_ns(
        &to->sum_ns, lengths->long_ns < UINT64_MAX ? (uint64_t)lengths->long_ns : UINT64_MAX);
}

static void
add_counts(rollup *out, rollup_numbers *numbers, const compact_counts *counts)
{
    add_lengths(out, &numbers->all, &counts->of[COMPACT_COUNT_DROPPED]);
    add_lengths(out, &numbers->all, &counts->of[COMPACT_COUNT_KEPT]);
    add_lengths(out, &numbers->kept, &counts->of[COMPACT_COUNT_KEPT]);
    for (size_t i = 0; i < TIME_CATEGORY_COUNT; i++) {
        rollup_add_ns(&numbers->time_ns[i], counts->time_ns[i]);
    }
    rollup_add_ns(&numbers->left_ns, counts->left_ns);
}

static void
add_attribute(rollup *out, rollup_type *type, const compact_attribute_sums *sums)
{
    rollup_attribute *attribute = rollup_add_attribute(out, type, sums->name);
    if (attribute != NULL && sums->has_too_many) {
        rollup_attribute_drop(attribute);
    }
    for (uint32_t i = 0; attribute != NULL && !sums->has_too_many && i < sums->value_count; i++) {
        rollup_value *value = rollup_add_value(out, attribute, sums->texts[i]);
        if (value != NULL) {
            add_counts(out, &value->numbers, sums->counts[i]);
        }
    }
}

static void
add_exemplars(
    const compact_frame *frame, rollup *out, rollup_type *type, const compact_type_sums *sums)
{
    compact_sums_check(frame->view->sums);
    const jfr_clock clock = compact_clock_of_jfr(&frame->shown);
    bool is_event = sums->of_events != NULL;
    for (size_t i = 0; sums->longest != NULL && i <= HISTOGRAM_BUCKETS; i++) {
        const compact_longest *longest = &sums->longest[i];
        if (longest->duration_ns < 0 || (is_event && longest->thread == COMPACT_NO_THREAD)) {
            continue; // answers show none without a thread
        }
        uint64_t thread = is_event ? frame->identities[longest->thread] : longest->thread;
        rollup_exemplar exemplar = {
            .duration_ns = longest->duration_ns,
            .begin_wall_ns = jfr_clock_wall_ns(&clock, longest->begin),
            .ref = ctx_ref_make(longest->begin, sums->name, thread),
        };
        memcpy(exemplar.trace, longest->trace, sizeof(exemplar.trace));
        rollup_add_exemplar(out, type, &exemplar);
    }
}

static void
add_slices(
    const compact_frame *frame, rollup *out, rollup_type *type, const compact_type_sums *sums)
{
    compact_sums_check(frame->view->sums);
    for (size_t i = 0; i < ROLLUP_SLICES_MAX; i++) {
        const compact_slice *from = sums->slices[i];
        rollup_slice *slice = from == NULL ? NULL : compact_rollup_add_slice(frame, out, type, i);
        for (int k = 0; slice != NULL && k <= HISTOGRAM_BUCKETS; k++) {
            uint64_t all = (uint64_t)from->counts[0][k] + from->counts[1][k];
            add_to_bucket(out, &slice->all, k + HISTOGRAM_ZERO, all);
            add_to_bucket(out, &slice->kept, k + HISTOGRAM_ZERO, from->counts[1][k]);
        }
    }
}

static uint64_t
count_all(const compact_counts *counts)
{
    uint64_t all = 0;
    for (size_t i = 0; i <= HISTOGRAM_BUCKETS; i++) {
        all += (uint64_t)counts->of[0].counts[i] + counts->of[1].counts[i];
    }
    return all;
}

static void
add_type(const compact_frame *frame, rollup *out, const compact_type_sums *sums)
{
    rollup_type *type = rollup_add_type(out, sums->name);
    if (type == NULL) {
        rollup_add_ns(&out->contexts_left_out, count_all(&sums->counts));
        return;
    }
    type->has_more_attributes |= sums->has_more_attributes;
    add_counts(out, &type->numbers, &sums->counts);
    for (size_t i = 0; i < sums->attributes.count; i++) {
        add_attribute(out, type, sums->attributes.items[i]);
    }
    add_exemplars(frame, out, type, sums);
    add_slices(frame, out, type, sums);
}

lp_err
compact_rollup_make(const compact_frame *frame, const compact_decided *decided, rollup *out)
{
    LP_ASSERT(compact_frame_is_open(frame));
    LP_ASSERT(frame->view->sums != NULL);
    compact_sums *sums = frame->view->sums;
    keep_spans(frame, out);
    compact_columns_end(sums);
    note_parts(frame, &decided->parts, out);
    note_plain(frame, out);
    out->slice_ns = sums->slice_ns;
    out->has_period = sums->periods.count > 0;
    compact_rollup_divide(frame, decided, out);
    rollup_add_ns(&out->contexts_left_out, sums->contexts_left_out);
    for (size_t i = 0; i < sums->types.count && !sums->arena.is_failed; i++) {
        add_type(frame, out, sums->types.items[i]);
    }
    if (decided->requests != NULL) {
        compact_rollup_requests_count(frame, decided, out);
    }
    lp_err err = lp_arena_err(&sums->arena);
    return err == LP_OK ? rollup_err(out) : err;
}
