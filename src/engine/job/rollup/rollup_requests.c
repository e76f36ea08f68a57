// SPDX-License-Identifier: Apache-2.0
// Tests:   tests/unit/engine/job/rollup/test_rollup_requests.c, tests/prop/test_rollup_prop.c
#include "common/base/lp_assert.h"
#include "common/rollup/rollup_id.h"
#include "engine/job/rollup/rollup_make.h"
#include "engine/job/rollup/rollup_tally.h"
#include "engine/read/context_sums.h"
#include "engine/read/view.h"

rollup_type *
compact_rollup_requests_add(
    rollup *out, const compact_request *request, const rollup_numbers *numbers)
{
    const char *name = request->type != NULL ? request->type : COMPACT_REQUEST_UNKNOWN_TYPE;
    rollup_type *type = rollup_add_type_of(out, ROLLUP_REQUESTS, name);
    LP_REQUIRE(type != NULL, NULL);
    rollup_numbers_add(out, &type->numbers, numbers);
    for (size_t i = 0; i < request->attribute_count; i++) {
        const compact_request_attribute *from = &request->attributes[i];
        rollup_attribute *attribute = rollup_add_attribute(out, type, from->name);
        rollup_value *value =
            attribute == NULL ? NULL : rollup_add_value(out, attribute, from->text);
        if (value != NULL) {
            rollup_numbers_add(out, &value->numbers, numbers);
        }
    }
    return type;
}

static void
add_to_slice(const compact_frame *frame, const compact_request *request, int bucket, rollup *out,
    rollup_type *type)
{
    size_t index = compact_sums_slice(frame->view->sums, request->begin);
    rollup_slice *slice = compact_rollup_add_slice(frame, out, type, index);
    if (slice != NULL) {
        histogram_add_counts(&slice->all, &out->arena, bucket, 1);
    }
    if (slice != NULL && request->is_kept) {
        histogram_add_counts(&slice->kept, &out->arena, bucket, 1);
    }
}

static void
add_waits(const compact_sums *sums, const compact_request *request, int64_t duration_ns,
    rollup_numbers *numbers)
{
    int64_t queued_ns = jfr_clock_length_ns(&sums->clock, request->queued_ticks);
    int64_t busy_ns = jfr_clock_length_ns(&sums->clock, request->busy_ticks);
    int64_t rest_ns = duration_ns - (busy_ns < duration_ns ? busy_ns : duration_ns);
    queued_ns = queued_ns < rest_ns ? queued_ns : rest_ns;
    numbers->time_ns[TIME_QUEUED] = (uint64_t)queued_ns;
    numbers->time_ns[TIME_ELSEWHERE] = (uint64_t)(rest_ns - queued_ns);
}

static void
add_exemplar(const compact_frame *frame, const compact_request *request, int64_t duration_ns,
    rollup *out, rollup_type *type)
{
    const jfr_clock clock = compact_clock_of_jfr(&frame->shown);
    rollup_exemplar exemplar = {
        .duration_ns = duration_ns,
        .begin_wall_ns = jfr_clock_wall_ns(&clock, request->begin),
        .request = request->id,
    };
    for (size_t i = 0; i < request->attribute_count && exemplar.trace[0] == '\0'; i++) {
        if (rollup_id_is_trace(request->attributes[i].name)) {
            compact_longest_set_trace(exemplar.trace, request->attributes[i].text);
        }
    }
    rollup_add_exemplar(out, type, &exemplar);
}

static void
count(const compact_frame *frame, const compact_request *request, rollup *out)
{
    const compact_sums *sums = frame->view->sums;
    int64_t duration_ns = compact_sums_duration_ns(sums, request->begin, request->end);
    int bucket = histogram_bucket(duration_ns);
    uint64_t one = 1;
    const histogram length = {
        .sum_ns = (uint64_t)duration_ns,
        .zero_count = bucket == HISTOGRAM_ZERO,
        .counts = &one,
        .first = bucket == HISTOGRAM_ZERO ? 0 : (uint32_t)bucket,
        .bucket_count = bucket != HISTOGRAM_ZERO,
    };
    rollup_numbers numbers = {.all = length};
    if (request->is_kept) {
        numbers.kept = length;
        add_waits(sums, request, duration_ns, &numbers);
    }
    rollup_type *type = compact_rollup_requests_add(out, request, &numbers);
    if (type == NULL) {
        rollup_leave_out(out, ROLLUP_REQUESTS, 1);
        return;
    }
    add_to_slice(frame, request, bucket, out, type);
    if (request->is_kept) {
        add_exemplar(frame, request, duration_ns, out, type);
    }
}

// note_lengths notes the lengths of the requests that the output has events of (request_events.c).
static void
note_lengths(const compact_frame *frame, const compact_decided *decided, rollup *out)
{
    const compact_requests *requests = decided->requests;
    int64_t longest = -1;
    for (size_t i = 0; i < requests->locals.count; i++) {
        const compact_local_request *local = &requests->locals.items[i];
        longest = compact_rollup_longer(longest, local->begin, local->end);
    }
    for (size_t i = 0; i < requests->stays.count; i++) {
        uint32_t request = requests->stays.items[i].request;
        const compact_request *of = &requests->items.items[request];
        if (compact_decided_writes(decided, request)) {
            longest = compact_rollup_longer(longest, of->begin, of->end);
        }
    }
    for (size_t i = 0; i < requests->items.count; i++) {
        const compact_request *of = &requests->items.items[i];
        if (compact_decided_writes(decided, i) && of->is_over && !of->was_over) {
            longest = compact_rollup_longer(longest, of->begin, of->end);
        }
    }
    compact_rollup_note_length(frame, ROLLUP_REQUESTS, longest, out);
}

void
compact_rollup_requests_count(
    const compact_frame *frame, const compact_decided *decided, rollup *out)
{
    LP_ASSERT(frame->view->sums != NULL);
    const compact_requests *requests = decided->requests;
    note_lengths(frame, decided, out);
    for (size_t i = 0; i < requests->items.count && !out->arena.is_failed; i++) {
        bool is_tallied = decided->are_tallied != NULL && decided->are_tallied[i];
        if (!is_tallied && compact_request_counts_here(&requests->items.items[i])) {
            count(frame, &requests->items.items[i], out);
        }
    }
    if (decided->tally != NULL) {
        compact_rollup_tally_add(decided->tally, out);
    }
}
