// SPDX-License-Identifier: Apache-2.0
#include "query/graph/profile.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_find_or_add.h"
#include "query/frames/stack_filter.h"
#include "query/run/sums.h"

#include <stdio.h>
#include <string.h>

enum { SELECTION, BASE };

// --- Measures

static const struct {
    const char *name;
    const char *unit;
    bool is_time; // amounts are parts of the divided time
} measures[QUERY_MEASURES] = {
    [QUERY_MEASURE_TIME] = {"time", "ns", true},
    [QUERY_MEASURE_CPU] = {"cpu", "ns", false},
    [QUERY_MEASURE_ALLOC] = {"alloc", "bytes", false},
    [QUERY_MEASURE_LOCK] = {"lock", "ns", true},
    [QUERY_MEASURE_PARK] = {"park", "ns", true},
    [QUERY_MEASURE_IO] = {"io", "ns", true},
    [QUERY_MEASURE_COUNT] = {"count", "events", false},
    [QUERY_MEASURE_ALLOCS] = {"allocs", "events", false},
    [QUERY_MEASURE_LOCKS] = {"locks", "events", false},
    [QUERY_MEASURE_PARKS] = {"parks", "events", false},
};

const char *
query_measure_name(query_measure measure)
{
    LP_ASSERT(measure < QUERY_MEASURES);
    return measures[measure].name;
}

bool
query_measure_is_count(query_measure measure)
{
    LP_ASSERT(measure < QUERY_MEASURES);
    return measure >= QUERY_MEASURE_COUNT;
}

const char *
query_measure_unit(query_measure measure)
{
    LP_ASSERT(measure < QUERY_MEASURES);
    return measures[measure].unit;
}

// --- Life

query_profile
query_profile_begin(query_measure measure, query_names *names)
{
    LP_ASSERT(measure < QUERY_MEASURES);
    LP_ASSERT(names != NULL);
    return (query_profile){.measure = measure, .names = names, .leaves = query_leaves_begin(names)};
}

void
query_profile_fini(query_profile *profile)
{
    query_stacks_fini(&profile->stacks);
    LP_VEC_FINI(&profile->cells);
    lp_map_fini(&profile->cell_of);
    query_leaves_fini(&profile->leaves);
    *profile = (query_profile){0};
}

static void
profile_check(const query_profile *profile)
{
    LP_ASSERT(profile->measure < QUERY_MEASURES);
    LP_ASSERT(profile->names != NULL);
    LP_ASSERT(profile->cell_of.count <= profile->cells.count);
}

unsigned
query_profile_kind(const query_profile *profile, uint32_t name)
{
    LP_DEBUG_ASSERT(profile->measure < QUERY_MEASURES);
    return query_leaves_kind(&profile->leaves, name);
}

// --- Adding

static lp_err
add_to_cell(
    query_profile *profile, unsigned side, uint32_t group, uint32_t stack, query_amount amount)
{
    uint32_t index;
    LP_TRY(LP_FIND_OR_ADD(&profile->cells, &profile->cell_of, (uint64_t)group << 32 | stack,
        LP_MAP_NONE, &profile->is_truncated, &index, (query_cell){.group = group, .stack = stack}));
    query_amount *sum = &profile->cells.items[index].sides[side];
    query_sum_add(&sum->value, amount.value);
    sum->events += amount.events;
    return LP_OK;
}

// add_to_leaf adds an amount at the leaf of a kind beside all stack traces. That always has room.
static lp_err
add_to_leaf(
    query_profile *profile, unsigned side, uint32_t group, unsigned kind, query_amount amount)
{
    uint32_t node;
    lp_err err = query_stacks_add_spare(&profile->stacks, profile->leaves.of[kind], &node);
    return err == LP_OK ? add_to_cell(profile, side, group, node, amount) : err;
}

// add_below adds an amount at the leaf below a stack trace; without room for it, at the leaf beside
// all stack traces.
static lp_err
add_below(query_profile *profile, unsigned side, uint32_t group, const query_row *row,
    query_amount amount)
{
    uint32_t node;
    LP_TRY(query_leaves_add_below(&profile->leaves, &profile->stacks, row->stack,
        (time_category)row->category, row->type, &node));
    return add_to_cell(profile, side, group, node, amount);
}

static bool
is_of_allocations(query_measure measure)
{
    return measure == QUERY_MEASURE_ALLOC || measure == QUERY_MEASURE_ALLOCS;
}

static lp_err
add_event(
    query_profile *profile, unsigned side, uint32_t group, const query_row *row, int64_t value)
{
    const query_amount amount = {value, 1};
    bool is_alloc = is_of_allocations(profile->measure);
    bool is_plain = is_alloc || row->category == TIME_CPU; // counts at the topmost frame
    if (profile->cells.count >= QUERY_PROFILE_CELLS_MAX) {
        profile->is_truncated = true;
        return add_to_leaf(profile, side, 0, is_alloc ? QUERY_KIND_ALLOC : row->category, amount);
    }
    if (is_plain && row->stack != QUERY_STACK_ROOT) {
        return add_to_cell(profile, side, group, row->stack, amount);
    }
    return is_plain
               ? add_to_leaf(profile, side, group, is_alloc ? QUERY_KIND_ALLOC : TIME_CPU, amount)
               : add_below(profile, side, group, row, amount);
}

// COUNTS defines the function that returns whether a row counts for a measure.
#define COUNTS(measure, condition)                                                                 \
    static bool counts_##measure(const query_row *row)                                             \
    {                                                                                              \
        return (condition);                                                                        \
    }

COUNTS(time, row->has_duration || row->category != TIME_OTHER)
COUNTS(cpu, row->category == TIME_CPU)
COUNTS(alloc, row->category != TIME_CPU && row->bytes > 0)
COUNTS(lock, row->category == TIME_LOCK)
COUNTS(park, row->category == TIME_PARK)
COUNTS(io, row->category == TIME_IO)
COUNTS(all, row != NULL)

static bool (*const counts[QUERY_MEASURES])(const query_row *row) = {
    [QUERY_MEASURE_TIME] = counts_time,
    [QUERY_MEASURE_CPU] = counts_cpu,
    [QUERY_MEASURE_ALLOC] = counts_alloc,
    [QUERY_MEASURE_LOCK] = counts_lock,
    [QUERY_MEASURE_PARK] = counts_park,
    [QUERY_MEASURE_IO] = counts_io,
    [QUERY_MEASURE_COUNT] = counts_all,
    [QUERY_MEASURE_ALLOCS] = counts_alloc,
    [QUERY_MEASURE_LOCKS] = counts_lock,
    [QUERY_MEASURE_PARKS] = counts_park,
};

void
query_profile_prepare(query_profile *profile, query_question *question)
{
    profile_check(profile);
    LP_ASSERT(profile->cells.count == 0);
    bool is_time = measures[profile->measure].is_time;
    question->stacks = &profile->stacks;
    question->wants_row = is_time ? NULL : counts[profile->measure];
    question->wants_stack = counts[profile->measure];
    question->wants_bytes = is_of_allocations(profile->measure);
}

static int64_t
value_of(query_measure measure, const query_row *row, const time_span *span)
{
    if (query_measure_is_count(measure)) {
        return 1;
    }
    if (measure == QUERY_MEASURE_ALLOC) {
        return row->bytes;
    }
    return row->category == TIME_CPU ? row->period_ns : span->own_ns;
}

static lp_err
add_side(query_profile *profile, unsigned side, const query_answer *answer, uint32_t group)
{
    lp_err err = LP_OK;
    profile->totals[side].requests++;
    query_sum_add(&profile->totals[side].left_ns, answer->left_ns);
    for (size_t i = 0; i < answer->row_count && err == LP_OK; i++) {
        const time_span *span = &answer->spans[i];
        const query_row *row = &answer->rows[span->event];
        bool is_overlapped =
            profile->measure == QUERY_MEASURE_TIME && row->category == TIME_CPU && !span->is_left;
        if (counts[profile->measure](row) && !is_overlapped) {
            err = add_event(profile, side, group, row, value_of(profile->measure, row, span));
        }
    }
    bool has_pauses =
        profile->measure == QUERY_MEASURE_TIME || profile->measure == QUERY_MEASURE_COUNT;
    size_t pause_count = has_pauses ? answer->pause_count : 0;
    for (size_t i = 0; i < pause_count && err == LP_OK; i++) {
        const time_span *span = &answer->pauses[i];
        const query_row *row = &answer->pause_rows[span->event];
        err = add_event(profile, side, group, row, value_of(profile->measure, row, span));
    }
    return err;
}

lp_err
query_profile_add(query_profile *profile, const query_answer *answer, uint32_t group)
{
    profile_check(profile);
    LP_ASSERT(group < UINT32_MAX);
    const query_context *context = answer->context;
    lp_err err = LP_OK;
    if ((answer->in & QUERY_IN_SELECTION) != 0 && context->parent == QUERY_NO_CONTEXT) {
        err = add_side(profile, SELECTION, answer, group);
    }
    if (err == LP_OK && (answer->in & QUERY_IN_BASE) != 0 &&
        context->base_parent == QUERY_NO_CONTEXT) {
        err = add_side(profile, BASE, answer, group);
    }
    return err;
}

// --- Finishing

static bool
is_cpu(const query_profile *profile, const query_cell *cell)
{
    unsigned kind = query_profile_kind(profile, profile->stacks.nodes.items[cell->stack].name);
    return cell->stack != QUERY_STACK_ROOT && (kind == QUERY_KIND_FRAME || kind == TIME_CPU);
}

static int64_t
sum_samples(const query_profile *profile, unsigned side)
{
    int64_t sum = 0;
    for (size_t i = 0; i < profile->cells.count; i++) {
        const query_cell *cell = &profile->cells.items[i];
        query_sum_add(&sum, is_cpu(profile, cell) ? cell->sides[side].value : 0);
    }
    return sum;
}

// fit_samples scales the samples down to the rest of the time, and adds the unaccounted time.
static lp_err
fit_samples(query_profile *profile, unsigned side)
{
    profile_check(profile);
    int64_t left_ns = profile->totals[side].left_ns;
    int64_t sampled_ns = sum_samples(profile, side);
    int64_t fitted_ns = 0;
    lp_err err = LP_OK;
    if (sampled_ns > left_ns) {
        for (size_t i = 0; i < profile->cells.count; i++) {
            query_cell *cell = &profile->cells.items[i];
            if (is_cpu(profile, cell)) {
                int64_t *ns = &cell->sides[side].value;
                *ns = (int64_t)((__int128)*ns * left_ns / sampled_ns);
                fitted_ns += *ns;
            }
        }
        err = add_to_leaf(profile, side, 0, TIME_CPU, (query_amount){.value = left_ns - fitted_ns});
        sampled_ns = left_ns;
    }
    return err == LP_OK ? add_to_leaf(profile, side, 0, QUERY_KIND_UNACCOUNTED,
                              (query_amount){.value = left_ns - sampled_ns})
                        : err;
}

// leave_matching drops the cells whose stack traces do not match.
static lp_err
leave_matching(query_profile *profile, query_frame_filter *frame)
{
    profile_check(profile);
    query_stack_filter filter = {frame, &profile->stacks, profile->names};
    lp_err err = LP_OK;
    size_t count = 0;
    for (size_t i = 0; i < profile->cells.count && err == LP_OK; i++) {
        bool matches;
        err = query_stack_filter_match(&filter, profile->cells.items[i].stack, &matches);
        if (err == LP_OK && matches) {
            profile->cells.items[count++] = profile->cells.items[i];
        }
    }
    profile->cells.count = err == LP_OK ? count : profile->cells.count;
    query_stack_filter_fini(&filter);
    return err;
}

lp_err
query_profile_finish(query_profile *profile, query_frame_filter *filter)
{
    profile_check(profile);
    LP_ASSERT(profile->totals[SELECTION].value == 0 && profile->totals[BASE].value == 0); // once
    lp_err err = LP_OK;
    for (unsigned side = 0; side < QUERY_SIDES && err == LP_OK; side++) {
        if (profile->measure == QUERY_MEASURE_TIME) {
            err = fit_samples(profile, side);
        }
    }
    LP_THEN(err, filter != NULL ? leave_matching(profile, filter) : LP_OK);
    for (size_t i = 0; i < profile->cells.count; i++) {
        for (unsigned side = 0; side < QUERY_SIDES; side++) {
            query_sum_add(&profile->totals[side].value, profile->cells.items[i].sides[side].value);
        }
    }
    profile->is_truncated |= profile->stacks.is_truncated || profile->names->is_truncated;
    lp_map_fini(&profile->cell_of); // leave_matching has moved cells
    return err;
}
