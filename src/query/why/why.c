// SPDX-License-Identifier: Apache-2.0
#include "query/why/why.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_find_or_add.h"
#include "common/base/lp_order.h"
#include "query/run/sums.h"

#include <string.h>

void
query_why_fini(query_why *why)
{
    LP_VEC_FINI(&why->slices);
    LP_VEC_FINI(&why->frames);
    LP_VEC_FINI(&why->here);
    LP_VEC_FINI(&why->vias);
    lp_map_fini(&why->slice_of_type);
    lp_map_fini(&why->frame_of);
    lp_map_fini(&why->via_of);
    *why = (query_why){0};
}

static void
why_check(const query_why *why)
{
    LP_ASSERT(why->slices.count <= QUERY_WHY_SLICES_MAX);
    LP_ASSERT(why->frames.count <= QUERY_WHY_FRAMES_MAX);
    LP_ASSERT(why->vias.count <= QUERY_WHY_FRAMES_MAX);
    LP_ASSERT(why->here.count <= why->frames.count);
    LP_ASSERT(why->repeat_count <= QUERY_WHY_REPEATS);
}

// --- Adding

static bool
is_counted(const query_row *row)
{
    return row->counted != QUERY_NAME_NONE;
}

static uint64_t
key_of_type(const query_row *row)
{
    return is_counted(row) ? (uint64_t)1 << 32 | row->counted : row->type;
}

static lp_err
add_slice(query_why *why, const query_row *row, uint32_t *out_index)
{
    LP_ASSERT(why->slices.count < QUERY_WHY_SLICES_MAX);
    query_why_slice *slice = LP_VEC_PUSH(&why->slices);
    LP_REQUIRE(slice != NULL, LP_ENOMEM);
    slice->category = (time_category)row->category;
    *out_index = (uint32_t)why->slices.count - 1;
    if (slice->category == TIME_OTHER) {
        slice->is_count = is_counted(row);
        slice->type = slice->is_count ? row->counted : row->type;
        return lp_map_put(&why->slice_of_type, key_of_type(row), *out_index);
    }
    why->slice_of[slice->category] = *out_index + 1;
    return LP_OK;
}

// find_slice finds or adds the row of an event. *out_index is LP_MAP_NONE if there is no room.
static lp_err
find_slice(query_why *why, const query_row *row, uint32_t *out_index)
{
    LP_ASSERT(row->category < TIME_CATEGORY_COUNT);
    if (row->category != TIME_OTHER && why->slice_of[row->category] != 0) {
        *out_index = why->slice_of[row->category] - 1;
        return LP_OK;
    }
    *out_index = row->category == TIME_OTHER ? lp_map_find(&why->slice_of_type, key_of_type(row))
                                             : (uint32_t)LP_MAP_NONE;
    if (*out_index != LP_MAP_NONE) {
        return LP_OK;
    }
    if (why->slices.count == QUERY_WHY_SLICES_MAX) {
        why->is_truncated = true;
        return LP_OK;
    }
    return add_slice(why, row, out_index);
}

static void
add_amount(query_why_frame *frame, int64_t ns)
{
    query_sum_add(&frame->total_ns, ns);
    frame->events++;
}

// find_frame finds or adds a frame of a row. *out_index is LP_MAP_NONE if there is no room.
static lp_err
find_frame(query_why *why, uint32_t slice, uint32_t frame, uint32_t *out_index)
{
    const struct query_why_counted counted = {.slice = slice, .frame.frame = frame};
    return LP_FIND_OR_ADD(&why->frames, &why->frame_of, (uint64_t)slice << 32 | frame,
        QUERY_WHY_FRAMES_MAX, &why->is_truncated, out_index, counted);
}

static lp_err
add_via(query_why *why, uint32_t counted, uint32_t via, int64_t ns)
{
    LP_ASSERT(counted < why->frames.count);
    uint32_t index;
    const struct query_why_via added = {.counted = counted, .frame.frame = via};
    lp_err err = LP_FIND_OR_ADD(&why->vias, &why->via_of, (uint64_t)counted << 32 | via,
        QUERY_WHY_FRAMES_MAX, &why->is_truncated, &index, added);
    if (err == LP_OK && index != LP_MAP_NONE) {
        add_amount(&why->vias.items[index].frame, ns);
    }
    return err;
}

static lp_err
add_here(query_why *why, uint32_t index, int64_t ns)
{
    LP_ASSERT(index < why->frames.count);
    struct query_why_counted *counted = &why->frames.items[index];
    if (counted->here_events == 0) {
        LP_TRY(LP_VEC_ADD(&why->here, index));
    }
    counted->here_events++;
    query_sum_add(&counted->here_ns, ns);
    return LP_OK;
}

static lp_err
add_frame(query_why *why, uint32_t slice, const query_row *row, int64_t ns)
{
    uint32_t index;
    if (row->frame == QUERY_NAME_NONE) {
        return LP_OK;
    }
    lp_err err = find_frame(why, slice, row->frame, &index);
    if (err != LP_OK || index == LP_MAP_NONE) {
        return err;
    }
    add_amount(&why->frames.items[index].frame, ns);
    if (row->category != TIME_CPU && !is_counted(row)) {
        err = add_here(why, index, ns);
    }
    return err == LP_OK && row->via != QUERY_NAME_NONE ? add_via(why, index, row->via, ns) : err;
}

// add_event adds an event with its time and the part of this time in which the JVM was stopped.
static lp_err
add_event(query_why *why, const query_row *row, int64_t ns, int64_t stopped_ns)
{
    uint32_t slice;
    LP_TRY(find_slice(why, row, &slice));
    if (slice == LP_MAP_NONE) { // the unexplained time has that of samples already
        query_sum_add(&why->unaccounted_ns, row->category == TIME_CPU ? 0 : ns);
        return LP_OK;
    }
    query_sum_add(&why->slices.items[slice].total_ns, ns);
    query_sum_add(&why->slices.items[slice].stopped_ns, stopped_ns);
    why->slices.items[slice].events++;
    return add_frame(why, slice, row, ns);
}

static void
add_other(query_why *why, int64_t *sum_ns, int64_t ns)
{
    query_sum_add(sum_ns, ns);
    why->other_events++;
}

static void
add_other_row(query_why *why, const query_row *row, const time_span *span)
{
    if (row->category == TIME_CPU) {
        if (span->is_left) {
            add_other(why, &why->other_sampled_ns, row->period_ns);
        }
    } else if (!is_counted(row) && (row->has_duration || row->category != TIME_OTHER)) {
        add_other(why, &why->other_ns, span->own_ns);
    }
}

static lp_err
add_row(query_why *why, const query_answer *answer, const time_span *span)
{
    const query_row *row = &answer->rows[span->event];
    bool matches = true;
    lp_err err =
        why->filter == NULL ? LP_OK : query_stack_filter_match(why->filter, row->stack, &matches);
    if (err != LP_OK || !matches) {
        add_other_row(why, row, span);
        return err;
    }
    if (row->category == TIME_CPU) {
        return span->is_left ? add_event(why, row, row->period_ns, 0) : LP_OK;
    }
    return row->has_duration || row->category != TIME_OTHER || is_counted(row)
               ? add_event(why, row, span->own_ns,
                     time_category_outlasts_pauses(span->category) ? span->stopped_ns : 0)
               : LP_OK;
}

// end_context records the repetitions in the context at hand.
static void
end_context(query_why *why)
{
    for (size_t i = 0; i < why->here.count; i++) {
        struct query_why_counted *counted = &why->frames.items[why->here.items[i]];
        if (counted->here_events > QUERY_WHY_ONCE_MAX) {
            counted->repeat_requests++;
            counted->repeat_events += counted->here_events;
            query_sum_add(&counted->repeat_ns, counted->here_ns);
        }
        counted->here_events = 0;
        counted->here_ns = 0;
    }
    why->here.count = 0;
}

static lp_err
add_context(query_why *why, const query_answer *answer)
{
    why_check(why);
    LP_ASSERT(why->repeat_count == 0); // not finished
    why->requests++;
    query_sum_add(&why->total_ns, answer->duration_ns);
    query_sum_add(&why->unaccounted_ns, answer->left_ns);
    lp_err err = LP_OK;
    for (size_t i = 0; i < answer->row_count && err == LP_OK; i++) {
        err = add_row(why, answer, &answer->spans[i]);
    }
    for (size_t i = 0; i < answer->pause_count && err == LP_OK; i++) {
        const time_span *span = &answer->pauses[i];
        if (why->filter != NULL) { // a pause has no stack trace
            add_other(why, &why->other_ns, span->own_ns);
        } else {
            err = add_event(why, &answer->pause_rows[span->event], span->own_ns, 0);
        }
    }
    end_context(why);
    return err;
}

lp_err
query_why_add(query_why *why, const query_answer *answer)
{
    return query_answer_is_inner(answer, QUERY_IN_SELECTION) ? LP_OK : add_context(why, answer);
}

lp_err
query_why_add_base(query_why *why, const query_answer *answer)
{
    return query_answer_is_inner(answer, QUERY_IN_BASE) ? LP_OK : add_context(why, answer);
}

// --- Finishing

static void
fit_frames(query_why *why, uint32_t cpu, int64_t part_ns, int64_t whole_ns)
{
    LP_ASSERT(whole_ns > 0);
    for (size_t i = 0; i < why->frames.count; i++) {
        struct query_why_counted *counted = &why->frames.items[i];
        if (counted->slice == cpu) {
            counted->frame.total_ns =
                (int64_t)((__int128)counted->frame.total_ns * part_ns / whole_ns);
        }
    }
}

// fit_samples limits the time of samples to the unexplained time.
static void
fit_samples(query_why *why)
{
    int64_t none_ns = 0;
    uint32_t cpu = why->slice_of[TIME_CPU] - 1; // if there is one
    int64_t *cpu_ns = why->slice_of[TIME_CPU] == 0 ? &none_ns : &why->slices.items[cpu].total_ns;
    int64_t sampled_ns = *cpu_ns;
    query_sum_add(&sampled_ns, why->other_sampled_ns);
    if (sampled_ns > why->unaccounted_ns) {
        int64_t before_ns = *cpu_ns;
        *cpu_ns = (int64_t)((__int128)before_ns * why->unaccounted_ns / sampled_ns);
        why->other_sampled_ns = why->unaccounted_ns - *cpu_ns;
        if (before_ns > 0) {
            fit_frames(why, cpu, *cpu_ns, before_ns);
        }
    }
    why->unaccounted_ns -= *cpu_ns + why->other_sampled_ns;
    query_sum_add(&why->other_ns, why->other_sampled_ns);
    why->other_sampled_ns = 0;
}

// is_above sorts by time, events, then name.
static bool
is_above(const query_why_frame *a, const query_why_frame *b, const query_names *names)
{
    int order =
        LP_ORDER(b->total_ns, a->total_ns)
            ?: LP_ORDER(b->events, a->events)
            ?: strcmp(query_names_text(names, a->frame), query_names_text(names, b->frame));
    return order < 0;
}

// find_vias sets each frame's via: the frame on top of it with most time.
static void
find_vias(query_why *why, const query_names *names)
{
    for (uint32_t i = 0; i < why->vias.count; i++) {
        LP_ASSERT(why->vias.items[i].counted < why->frames.count);
        const query_why_frame *via = &why->vias.items[i].frame;
        struct query_why_counted *counted = &why->frames.items[why->vias.items[i].counted];
        if (counted->via == 0 || is_above(via, &why->vias.items[counted->via - 1].frame, names)) {
            counted->via = i + 1;
            counted->frame.via = via->frame;
        }
    }
}

// PUT_IN_TOP puts *item into a sorted list of at most max items, whose last one may fall out.
#define PUT_IN_TOP(top, count, max, item, is_before)                                               \
    do {                                                                                           \
        LP_ASSERT(*(count) <= (max));                                                              \
        size_t top_at = *(count);                                                                  \
        while (top_at > 0 && is_before(item, &(top)[top_at - 1], names)) {                         \
            top_at--;                                                                              \
        }                                                                                          \
        if (top_at < (max)) {                                                                      \
            size_t top_moved = *(count)-top_at - (*(count) == (max));                              \
            memmove(&(top)[top_at + 1], &(top)[top_at], top_moved * sizeof(*(item)));              \
            (top)[top_at] = *(item);                                                               \
            *(count) += *(count) < (max);                                                          \
        }                                                                                          \
    } while (0)

static bool
repeat_is_above(const query_why_repeat *a, const query_why_repeat *b, const query_names *names)
{
    const query_why_frame one = {a->frame, a->via, a->total_ns, a->events};
    const query_why_frame other = {b->frame, b->via, b->total_ns, b->events};
    return is_above(&one, &other, names);
}

static void
put_frame(query_why *why, const struct query_why_counted *counted, const query_names *names)
{
    LP_ASSERT(counted->slice < why->slices.count);
    query_why_slice *slice = &why->slices.items[counted->slice];
    PUT_IN_TOP(slice->top, &slice->top_count, QUERY_WHY_TOP, &counted->frame, is_above);
    if (counted->repeat_requests > 0) {
        const query_why_repeat repeat = {.category = slice->category,
            .type = slice->type,
            .frame = counted->frame.frame,
            .via = counted->frame.via,
            .requests = counted->repeat_requests,
            .events = counted->repeat_events,
            .total_ns = counted->repeat_ns};
        PUT_IN_TOP(why->repeats, &why->repeat_count, QUERY_WHY_REPEATS, &repeat, repeat_is_above);
    }
}

static int
compare_slices(const void *a, const void *b, void *arg)
{
    const query_why_slice *one = a;
    const query_why_slice *other = b;
    return LP_ORDER(other->total_ns, one->total_ns)
               ?: LP_ORDER(one->category, other->category)
               ?: strcmp(query_names_text(arg, one->type), query_names_text(arg, other->type));
}

void
query_why_finish(query_why *why, const query_names *names)
{
    why_check(why);
    LP_ASSERT(why->repeat_count == 0);
    fit_samples(why);
    find_vias(why, names);
    for (size_t i = 0; i < why->frames.count; i++) {
        put_frame(why, &why->frames.items[i], names);
    }
    LP_VEC_SORT(&why->slices, compare_slices, (void *)(uintptr_t)names);
}
