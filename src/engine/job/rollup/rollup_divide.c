// SPDX-License-Identifier: Apache-2.0
// rollup_divide: divides the time of kept contexts and requests by category.
//
// Tests: tests/unit/engine/job/rollup/test_rollup_make.c, tests/prop/test_rollup_prop.c

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_order.h"
#include "common/base/lp_sort.h"
#include "common/rollup/time_split.h"
#include "engine/carry/identities.h"
#include "engine/job/rollup/rollup_make.h"
#include "engine/job/rollup/sample_periods.h"
#include "engine/read/context_columns.h"
#include "engine/read/context_sums.h"
#include "engine/read/kind_values.h"
#include "engine/read/methods.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct run {
    size_t first;
    size_t count;
} run;

typedef enum context_kind {
    CONTEXT_EVENT,
    CONTEXT_PART, // of a context of the Loupe API
    CONTEXT_STAY, // of a request
} context_kind;

// A context whose time is divided.
typedef struct context {
    int64_t begin; // ticks
    int64_t end;
    uint32_t thread; // number
    uint32_t index;  // of kept_spans, of sums->divided, or of the stays of requests
    context_kind kind;
    uint32_t for_each; // how many stays this one stands for
    run on_thread;     // rows that were committed in it, once all are listed
    run pauses;
} context;

// A kept event that may count in a context, or a pause.
typedef struct row {
    int64_t begin; // ticks
    int64_t commit;
    int64_t period_ns; // of samples
    uint32_t thread;
    uint32_t order; // in the chunk
    uint8_t category;
    bool has_own_period;
} row;

typedef struct interval {
    int64_t begin; // ticks; both ends belong to it
    int64_t end;
} interval;

enum {
    MARKS = 1 << 18,      // bits
    MARKED_MAX = 1 << 13, // of them, or fewer
};
static_assert(
    (int)MARKED_MAX >= 2 * 4 * (int)COMPACT_ROLLUP_DIVIDED_MAX, "for each kind of contexts");

typedef LP_VEC(row) rows;
typedef LP_VEC(time_span) spans;

// An event type, known once one of its events was found.
typedef struct known_type {
    bool is_setting; // jdk.ActiveSetting
    bool is_pause;
    bool takes_time; // events of it may count
    time_category_of of;
    compact_kind kind; // of the fields that are read of its events
    compact_reading reading;
    compact_traced traced;
} known_type;

typedef struct divider {
    const compact_frame *frame;
    const compact_view *view;
    compact_sums *sums;
    const compact_decided *decided;
    const compact_requests *requests; // of decided; NULL: none
    rollup *out;                      // of the times of requests
    size_t stride;                    // every n-th context is divided
    lp_arena arena;
    jfr_clock clock;
    lp_map threads;           // identity to the first number of a thread
    uint32_t *first_number;   // by number: the first of the same thread
    known_type **types;       // parallel to the metadata's
    LP_VEC(context) contexts; // by thread and begin
    uint32_t *first;          // of contexts, by thread; one more for the end
    rows on_threads;          // by thread and commit
    rows pauses;              // by commit
    bool has_own_periods;     // some samples have a period of their own
    interval *covered;        // by the contexts of a thread
    uint32_t *covered_first;  // as first
    uint64_t *marks;      // bits by hash of a thread and a slice of time: a context may be there
    int64_t marks_begin;  // ticks
    unsigned marks_shift; // a slice has 2^marks_shift ticks
    rows thread_room;     // of the divided context, in the order of time_split.h
    rows pause_room;
    spans thread_spans;
    spans pause_spans;
    lp_buf method; // name of the last traced method
} divider;

static void
divider_check(const divider *d)
{
    LP_ASSERT(d->view == d->frame->view && d->sums == d->view->sums);
    compact_sums_check(d->sums);
}

LP_SORT_BY(
    sort_contexts, context, x->thread != y->thread ? x->thread < y->thread : x->begin < y->begin)
LP_SORT_BY(sort_rows, row, x->thread != y->thread ? x->thread < y->thread : x->commit < y->commit)

// By the order of time_split.h: by begins, the inner one later.
LP_SORT_BY(sort_going_on, row,
    (LP_ORDER(x->begin, y->begin) ?: LP_ORDER(y->commit, x->commit)
             ?: LP_ORDER(y->order, x->order)) < 0)

// --- Contexts

static void
list_spans(divider *d)
{
    divider_check(d);
    const compact_view *view = d->view;
    size_t stride = compact_rollup_spans_stride(view);
    for (size_t i = 0; i < view->kept_spans.count; i += stride) {
        const compact_span *span = &view->kept_spans.items[i];
        if (compact_span_is_kept(span) && span->thread != COMPACT_NO_THREAD) {
            const context made = {.begin = span->begin,
                .end = span->commit,
                .thread = d->first_number[span->thread],
                .index = (uint32_t)i,
                .kind = CONTEXT_EVENT};
            LP_ARENA_PUSH_BESIDE(&d->arena, &d->contexts, made);
        }
    }
}

// list_on_thread lists a context that is no event. If its thread is unknown, it cannot be written.
static void
list_on_thread(divider *d, uint64_t thread, context made)
{
    made.thread = lp_map_find(&d->threads, thread);
    if (made.thread != LP_MAP_NONE) {
        LP_ARENA_PUSH_BESIDE(&d->arena, &d->contexts, made);
    }
}

static void
list_parts(divider *d)
{
    for (size_t i = 0; i < d->sums->divided.count; i++) {
        const compact_divided *part = &d->sums->divided.items[i];
        const context made = {
            .begin = part->begin, .end = part->end, .index = (uint32_t)i, .kind = CONTEXT_PART};
        list_on_thread(d, part->thread, made);
    }
}

static bool
is_tallied(const divider *d, const compact_stay *stay)
{
    return d->decided->are_tallied != NULL && d->decided->are_tallied[stay->request];
}

// is_other returns whether a stay is of a kept request that is not in the tally.
static bool
is_other(const divider *d, const compact_stay *stay)
{
    return d->requests->items.items[stay->request].is_kept && !is_tallied(d, stay);
}

// stride_of_others returns n: every n-th stay of the others is divided.
static size_t
stride_of_others(const divider *d)
{
    size_t count = 0;
    for (size_t i = 0; i < d->requests->stays.count; i++) {
        count += is_other(d, &d->requests->stays.items[i]);
    }
    return compact_rollup_stride(count);
}

static void
list_stays(divider *d)
{
    divider_check(d);
    size_t stride = stride_of_others(d);
    size_t others = 0;
    for (size_t i = 0; i < d->requests->stays.count; i++) {
        const compact_stay *stay = &d->requests->stays.items[i];
        bool has_tally = is_tallied(d, stay);
        if (has_tally || (is_other(d, stay) && others++ % stride == 0)) {
            const context made = {.begin = stay->begin,
                .end = stay->end,
                .index = (uint32_t)i,
                .kind = CONTEXT_STAY,
                .for_each = (uint32_t)(has_tally ? compact_rollup_spans_stride(d->view) : stride)};
            list_on_thread(d, stay->thread, made);
        }
    }
}

// number_threads finds the first number of each thread: a thread with several keys has several.
static void
number_threads(divider *d)
{
    divider_check(d);
    size_t count = d->view->threads.count;
    compact_identities_map(d->view, d->frame->identities, &d->arena, &d->threads);
    d->first_number = LP_ARENA_ARRAY(&d->arena, uint32_t, count);
    for (size_t i = 0; i < count && !d->arena.is_failed; i++) {
        d->first_number[i] = lp_map_find(&d->threads, d->frame->identities[i]);
    }
}

static void
list_contexts(divider *d)
{
    divider_check(d);
    number_threads(d);
    if (d->arena.is_failed) {
        return;
    }
    list_spans(d);
    list_parts(d);
    if (d->requests != NULL) {
        list_stays(d);
    }
    size_t count = d->contexts.count;
    size_t threads = d->view->threads.count;
    context *spare = LP_ARENA_ARRAY(&d->arena, context, count / 2 + 1);
    d->first = LP_ARENA_ARRAY(&d->arena, uint32_t, threads + 1);
    if (d->arena.is_failed) {
        return;
    }
    sort_contexts(d->contexts.items, count, spare);
    for (size_t i = 0; i < count; i++) {
        d->first[d->contexts.items[i].thread + 1]++;
    }
    for (size_t i = 0; i < threads; i++) {
        d->first[i + 1] += d->first[i];
    }
}

// --- Types and fields

static __attribute__((noinline)) known_type *
learn_type(divider *d, uint32_t type)
{
    divider_check(d);
    const jfr_metadata *metadata = &d->view->schema->metadata;
    const char *name = jfr_metadata_type_name(metadata, type);
    known_type *known = LP_ARENA_NEW(&d->arena, known_type);
    LP_REQUIRE(known != NULL, NULL);
    known->of = time_category_find(name);
    known->is_setting = time_category_is_setting(name);
    known->is_pause = known->of.scope == TIME_IN_JVM;
    known->takes_time =
        known->of.category != TIME_OTHER || d->view->schema->plans[type].has_duration;
    if (known->of.only_if != NULL || known->of.period != NULL) {
        known->kind = (compact_kind){.attribute_count = 1,
            .attributes = {
                {.name = known->of.only_if != NULL ? known->of.only_if : known->of.period}}};
    }
    known->traced = compact_traced_find(d->view, type, known->of.method);
    known->reading = compact_reading_make(&known->kind, metadata, type, &d->view->pools);
    d->types[type] = known;
    return known;
}

static void
read_fields(
    divider *d, const known_type *type, const compact_event *event, compact_field_texts *out)
{
    compact_field_texts_read(d->sums, &type->kind, &type->reading, event->payload, out);
    lp_arena_note(&d->arena, lp_arena_err(&d->sums->arena));
}

static int64_t
own_period(divider *d, const known_type *type, const compact_event *event)
{
    compact_field_texts texts;
    char *rest;
    const jfr_metadata *metadata = &d->view->schema->metadata;
    read_fields(d, type, event, &texts);
    int64_t length = strtoll(texts.of[0], &rest, 10);
    if (rest == texts.of[0] || *rest != '\0' || length < 0) {
        return 0;
    }
    uint32_t at =
        jfr_metadata_find_field(metadata, &metadata->types.items[event->type], type->of.period);
    bool is_ticks = at != JFR_NONE && metadata->fields.items[at].ticks == JFR_TICKS_LENGTH;
    return is_ticks ? jfr_clock_length_ns(&d->clock, length) : length;
}

// --- Events

static void
cover(divider *d)
{
    size_t threads = d->view->threads.count;
    d->covered = LP_ARENA_ARRAY(&d->arena, interval, d->contexts.count);
    d->covered_first = LP_ARENA_ARRAY(&d->arena, uint32_t, threads + 1);
    uint32_t count = 0;
    for (size_t t = 0; t < threads && !d->arena.is_failed; t++) {
        d->covered_first[t] = count;
        for (uint32_t i = d->first[t]; i < d->first[t + 1]; i++) {
            const context *c = &d->contexts.items[i];
            interval *last = count > d->covered_first[t] ? &d->covered[count - 1] : NULL;
            if (last == NULL || c->begin > last->end) {
                d->covered[count++] = (interval){c->begin, c->end};
            } else if (c->end > last->end) {
                last->end = c->end;
            }
        }
        d->covered_first[t + 1] = count;
    }
}

// slice_of returns the slice of time at ticks, which are at marks_begin or later.
static inline uint64_t
slice_of(const divider *d, int64_t ticks)
{
    return ((uint64_t)ticks - (uint64_t)d->marks_begin) >> d->marks_shift;
}

static inline uint64_t
hash_slice(uint32_t thread, uint64_t slice)
{
    return (slice + thread * UINT64_C(0x9e3779b97f4a7c15)) % MARKS;
}

// marks_are_few returns whether slices of this length make at most MARKED_MAX marks.
static bool
marks_are_few(const divider *d)
{
    divider_check(d);
    uint64_t slices = 0;
    uint32_t count = d->covered_first[d->view->threads.count];
    for (uint32_t i = 0; i < count && slices <= MARKED_MAX; i++) {
        const interval *at = &d->covered[i];
        if (at->begin <= at->end) { // else nothing lies in it
            uint64_t further = slice_of(d, at->end) - slice_of(d, at->begin);
            slices += further < MARKED_MAX ? further + 1 : (uint64_t)MARKED_MAX + 1;
        }
    }
    return slices <= MARKED_MAX;
}

static void
mark(divider *d, uint32_t thread, const interval *covered)
{
    if (covered->begin > covered->end) {
        return;
    }
    uint64_t last = slice_of(d, covered->end);
    for (uint64_t at = slice_of(d, covered->begin); at <= last; at++) {
        uint64_t hash = hash_slice(thread, at);
        d->marks[hash / 64] |= UINT64_C(1) << hash % 64;
    }
}

// mark_covered makes the marks. Most events lie in no divided context, and one bit shows that.
static void
mark_covered(divider *d)
{
    divider_check(d);
    d->marks = LP_ARENA_ARRAY(&d->arena, uint64_t, MARKS / 64);
    d->marks_begin = d->covered[0].begin;
    for (uint32_t i = 0; i < d->covered_first[d->view->threads.count]; i++) {
        int64_t begin = d->covered[i].begin;
        d->marks_begin = begin < d->marks_begin ? begin : d->marks_begin;
    }
    while (!marks_are_few(d)) { // ends: a context meets at most two of the longest slices
        d->marks_shift++;
        LP_ASSERT(d->marks_shift < 64);
    }
    for (size_t t = 0; t < d->view->threads.count && !d->arena.is_failed; t++) {
        for (uint32_t i = d->covered_first[t]; i < d->covered_first[t + 1]; i++) {
            mark(d, (uint32_t)t, &d->covered[i]);
        }
    }
}

// may_be_within returns false for most events that lie in no divided context.
static inline bool
may_be_within(const divider *d, uint32_t thread, int64_t commit)
{
    uint64_t hash = hash_slice(thread, slice_of(d, commit));
    return (d->marks[hash / 64] >> hash % 64 & 1) != 0;
}

static bool
is_within(const divider *d, uint32_t thread, int64_t commit)
{
    uint32_t end = d->covered_first[thread + 1];
    size_t first = LP_BISECT(d->covered, d->covered_first[thread], end, at->end < commit);
    return first < end && d->covered[first].begin <= commit;
}

static time_category
category_of(divider *d, const known_type *type, const compact_event *event)
{
    if (type->of.method == NULL) {
        return type->of.category;
    }
    time_category category =
        compact_traced_category(d->view, &type->traced, event->payload, &d->method);
    lp_arena_note(&d->arena, lp_buf_check(&d->method));
    return category;
}

static bool
make_row(divider *d, const known_type *type, const compact_plain *plain, const compact_event *event,
    uint32_t thread, row *out)
{
    const compact_plan *plan = &d->view->schema->plans[event->type];
    jfr_cursor cursor = event->payload;
    uint64_t begin = (uint64_t)plain->commit;
    if (plan->has_time && plan->has_duration && !jfr_varint_read(&cursor, &begin)) {
        return false;
    }
    *out = (row){
        .begin = (int64_t)begin < plain->commit ? (int64_t)begin : plain->commit,
        .commit = plain->commit,
        .thread = thread,
        .order = plain->offset,
        .category = (uint8_t)category_of(d, type, event),
    };
    if (type->of.category == TIME_CPU) {
        out->period_ns = type->of.period != NULL ? own_period(d, type, event) : 0;
        d->has_own_periods |= type->of.period != NULL;
        out->has_own_period = type->of.period != NULL;
    }
    if (type->of.only_if != NULL) {
        compact_field_texts texts;
        read_fields(d, type, event, &texts);
        return strcmp(texts.of[0], "true") == 0;
    }
    return true;
}

static inline const known_type *
known_at(divider *d, uint32_t offset)
{
    uint32_t index = compact_view_type_at(d->view, offset);
    return d->types[index] != NULL ? d->types[index] : learn_type(d, index);
}

// take_event lists an event that lies in a context, if it takes time there.
static __attribute__((noinline)) void
take_event(divider *d, const compact_plain *plain, uint32_t thread)
{
    if (!is_within(d, thread, plain->commit)) {
        return;
    }
    const known_type *type = known_at(d, plain->offset);
    row made;
    if (type == NULL || type->is_pause || type->is_setting || !type->takes_time) {
        return;
    }
    const compact_event event = compact_view_event(d->view, plain->offset);
    if (make_row(d, type, plain, &event, thread, &made)) {
        LP_ARENA_PUSH_BESIDE(&d->arena, &d->on_threads, made);
    }
}

static void
take_noted(divider *d, const compact_plain *plain)
{
    divider_check(d);
    const known_type *type = known_at(d, plain->offset);
    const compact_event event = compact_view_event(d->view, plain->offset);
    row made;
    if (type != NULL && !type->is_setting && make_row(d, type, plain, &event, 0, &made)) {
        LP_ARENA_PUSH_BESIDE(&d->arena, &d->pauses, made);
    }
}

static void
sort(divider *d)
{
    divider_check(d);
    size_t most = d->on_threads.count > d->pauses.count ? d->on_threads.count : d->pauses.count;
    row *spare = lp_large_alloc((most / 2 + 1) * sizeof(*spare));
    if (spare == NULL) {
        lp_arena_fail(&d->arena);
    } else {
        sort_rows(d->on_threads.items, d->on_threads.count, spare);
        sort_rows(d->pauses.items, d->pauses.count, spare);
    }
    lp_large_free(spare);
}

static void
list_events(divider *d)
{
    divider_check(d);
    const compact_view *view = d->view;
    for (size_t i = 0; i < d->sums->noted.count && !d->arena.is_failed; i++) {
        const compact_plain *plain = &view->plain.items[d->sums->noted.items[i]];
        if (plain->fate != COMPACT_UNDECIDED) {
            take_noted(d, plain);
        }
    }
    for (size_t i = 0; i < view->plain.count && !d->arena.is_failed; i++) {
        const compact_plain *plain = &view->plain.items[i];
        if (plain->fate == COMPACT_UNDECIDED || plain->thread == COMPACT_NO_THREAD) {
            continue;
        }
        uint32_t thread = d->first_number[plain->thread];
        if (may_be_within(d, thread, plain->commit) && !plain->is_sample) {
            take_event(d, plain, thread);
        }
    }
    sort(d);
}

// --- Dividing

// find_first returns the first row of a thread that was committed at or after commit.
static size_t
find_first(const rows *list, uint32_t thread, int64_t commit)
{
    return LP_BISECT(list->items, 0, list->count,
        at->thread < thread || (at->thread == thread && at->commit < commit));
}

static run
find_rows(const rows *list, uint32_t thread, const context *c)
{
    size_t first = find_first(list, thread, c->begin);
    size_t end = c->end < INT64_MAX ? find_first(list, thread, c->end + 1)
                                    : find_first(list, thread + 1, INT64_MIN);
    return (run){first, end > first ? end - first : 0};
}

// find_stride finds the rows of all contexts. Returns n: every n-th context is divided, so that
// their rows are at most about COMPACT_ROLLUP_ROWS_MAX.
static size_t
find_stride(divider *d)
{
    divider_check(d);
    size_t sum = 0;
    for (size_t i = 0; i < d->contexts.count; i++) {
        context *c = &d->contexts.items[i];
        c->on_thread = find_rows(&d->on_threads, c->thread, c);
        c->pauses = find_rows(&d->pauses, 0, c);
        sum += c->on_thread.count + c->pauses.count;
    }
    return sum / COMPACT_ROLLUP_ROWS_MAX + (sum % COMPACT_ROLLUP_ROWS_MAX != 0 || sum == 0);
}

// make_spans makes the spans of a run of rows in the order of time_split.h. room gets the rows in
// the same order.
static void
make_spans(divider *d, const rows *list, run some, rows *room, spans *out)
{
    divider_check(d);
    size_t count = some.count;
    room->count = 0;
    out->count = 0;
    if (count == 0) {
        return;
    }
    if (!LP_VEC_RESERVE(room, count + count / 2 + 1) || !LP_VEC_RESERVE(out, count + 1)) {
        lp_arena_fail(&d->arena);
        return;
    }
    memcpy(room->items, &list->items[some.first], count * sizeof(row));
    sort_going_on(room->items, count, room->items + count);
    for (size_t i = 0; i < count; i++) {
        out->items[i] = (time_span){
            .begin_ns = jfr_clock_wall_ns(&d->clock, room->items[i].begin),
            .end_ns = jfr_clock_wall_ns(&d->clock, room->items[i].commit),
            .event = (uint32_t)i,
            .category = (time_category)room->items[i].category,
        };
    }
    room->count = count;
    out->count = count;
}

static void
add_times(
    const divider *d, const rows *list, const spans *counted, uint64_t time_ns[TIME_CATEGORY_COUNT])
{
    divider_check(d);
    for (size_t i = 0; i < counted->count; i++) {
        const time_span *span = &counted->items[i];
        const row *event = &list->items[span->event];
        if (event->category != TIME_CPU) {
            rollup_add_ns(&time_ns[event->category], (uint64_t)span->own_ns);
        } else if (span->is_left && (event->has_own_period || !d->has_own_periods)) {
            int64_t ns = event->has_own_period ? event->period_ns
                                               : compact_sample_periods_at(d->sums, event->commit);
            rollup_add_ns(&time_ns[TIME_CPU], (uint64_t)ns);
        }
    }
}

static void
add_to_event(const divider *d, const context *c, const uint64_t time_ns[TIME_CATEGORY_COUNT],
    uint64_t left_ns)
{
    const compact_event event =
        compact_view_event(d->view, d->view->kept_spans.items[c->index].offset);
    compact_sums_values values;
    compact_type_sums *type = compact_columns_find(d->sums, &event, &values);
    if (type != NULL) {
        compact_sums_add_time(type, &values, time_ns, left_ns);
    }
}

static uint64_t
times(uint64_t ns, uint64_t count)
{
    uint64_t product;
    return __builtin_mul_overflow(ns, count, &product) ? UINT64_MAX : product;
}

static void
add_to_request(const divider *d, const context *c, const uint64_t time_ns[TIME_CATEGORY_COUNT],
    uint64_t left_ns)
{
    const compact_request *request =
        &d->requests->items.items[d->requests->stays.items[c->index].request];
    uint64_t stands_for = (uint64_t)c->for_each * d->stride;
    rollup_numbers numbers = {.left_ns = times(left_ns, stands_for)};
    for (size_t i = 0; i < TIME_CATEGORY_COUNT; i++) {
        numbers.time_ns[i] = times(time_ns[i], stands_for);
    }
    (void)compact_rollup_requests_add(d->out, request, &numbers);
}

static void
add_result(const divider *d, const context *c, const uint64_t time_ns[TIME_CATEGORY_COUNT],
    uint64_t left_ns)
{
    divider_check(d);
    switch (c->kind) {
    case CONTEXT_EVENT:
        add_to_event(d, c, time_ns, left_ns);
        break;
    case CONTEXT_PART: {
        const compact_divided *part = &d->sums->divided.items[c->index];
        compact_sums_add_time(part->type, &part->values, time_ns, left_ns);
        break;
    }
    case CONTEXT_STAY:
        add_to_request(d, c, time_ns, left_ns);
        break;
    }
}

static void
divide(divider *d, const context *c)
{
    divider_check(d);
    make_spans(d, &d->on_threads, c->on_thread, &d->thread_room, &d->thread_spans);
    make_spans(d, &d->pauses, c->pauses, &d->pause_room, &d->pause_spans);
    int64_t begin_ns = jfr_clock_wall_ns(&d->clock, c->begin);
    int64_t end_ns = jfr_clock_wall_ns(&d->clock, c->end);
    int64_t duration_ns;
    if (d->arena.is_failed || __builtin_sub_overflow(end_ns, begin_ns, &duration_ns) ||
        duration_ns < 0) {
        return; // absurd times
    }
    int64_t left_ns = time_split(begin_ns, end_ns, d->thread_spans.items, d->thread_spans.count,
        d->pause_spans.items, d->pause_spans.count);
    uint64_t time_ns[TIME_CATEGORY_COUNT] = {0};
    add_times(d, &d->thread_room, &d->thread_spans, time_ns);
    add_times(d, &d->pause_room, &d->pause_spans, time_ns);
    add_result(d, c, time_ns, (uint64_t)left_ns);
}

void
compact_rollup_divide(const compact_frame *frame, const compact_decided *decided, rollup *out)
{
    LP_ASSERT(compact_frame_is_open(frame));
    LP_ASSERT(frame->view->sums != NULL);
    const compact_view *view = frame->view;
    divider d = {
        .frame = frame,
        .view = view,
        .sums = view->sums,
        .decided = decided,
        .requests = decided->requests,
        .out = out,
        .clock = compact_clock_of_jfr(&frame->shown),
    };
    d.types = LP_ARENA_ARRAY(&d.arena, known_type *, view->schema->metadata.types.count);
    list_contexts(&d);
    if (d.contexts.count > 0 && !d.arena.is_failed) {
        cover(&d);
    }
    if (d.contexts.count > 0 && !d.arena.is_failed) {
        mark_covered(&d);
        list_events(&d);
    }
    d.stride = find_stride(&d);
    for (size_t i = 0; i < d.contexts.count && !d.arena.is_failed; i += d.stride) {
        divide(&d, &d.contexts.items[i]);
    }
    lp_arena_note(&view->sums->arena, lp_arena_err(&d.arena));
    lp_map_fini(&d.threads);
    LP_VEC_FINI(&d.contexts);
    LP_VEC_FINI(&d.on_threads);
    LP_VEC_FINI(&d.pauses);
    LP_VEC_FINI(&d.thread_room);
    LP_VEC_FINI(&d.pause_room);
    LP_VEC_FINI(&d.thread_spans);
    LP_VEC_FINI(&d.pause_spans);
    lp_buf_fini(&d.method);
    lp_arena_fini(&d.arena);
}
