// SPDX-License-Identifier: Apache-2.0
#include "engine/job/chunk_times.h"

#include "common/base/lp_assert.h"
#include "engine/carry/carry.h"
#include "engine/contexts/contexts.h"
#include "engine/job/reach.h"
#include "engine/read/view.h"

static const int64_t NS_PER_S = 1000000000;

// At least this much is known after the end of a chunk if the policy samples.
static const int64_t SAMPLED_NS =
    (COMPACT_REACH_SAMPLES_MS - COMPACT_LATENESS_MS) * (int64_t)1000000;

// end_of_chunk returns the last tick in the chunk: of its header, its events and its contexts.
static int64_t
end_of_chunk(const compact_frame *f)
{
    const jfr_chunk_info *info = &f->view->info;
    __int128 duration = (__int128)info->duration_ns * info->ticks_per_s / 1000000000;
    __int128 header_end = info->start_ticks + duration;
    int64_t end = f->view->commit_max;
    if (header_end > end && header_end < INT64_MAX / 2) {
        end = (int64_t)header_end;
    }
    for (size_t i = 0; i < f->contexts->items.count; i++) {
        const compact_context *context = &f->contexts->items.items[i];
        int64_t last = context->end == COMPACT_OPEN_END ? context->begin : context->end;
        end = last > end ? last : end;
    }
    return end;
}

// ticks_add saturates: absurd times must not wrap around.
static int64_t
ticks_add(int64_t a, int64_t b)
{
    int64_t sum;
    if (__builtin_add_overflow(a, b, &sum)) {
        return b < 0 ? INT64_MIN : INT64_MAX;
    }
    return sum;
}

// next_of returns the next chunk; NULL if none is known.
static const compact_view *
next_of(const compact_frame *f)
{
    return f->ahead_count > 0 ? f->aheads[0].view : NULL;
}

static compact_window
window_of(const compact_frame *f)
{
    const compact_view *next = next_of(f);
    compact_window window = {
        .lo = f->carry == NULL ? INT64_MIN : f->carry->border_ticks,
        .hi = next != NULL ? next->info.start_ticks : ticks_add(end_of_chunk(f), 1),
    };
    if (window.hi < window.lo) {
        window.hi = window.lo;
    }
    if (window.hi == INT64_MIN) { // hi - 1 must exist
        window.hi++;
    }
    return window;
}

// ticks_of returns ms in ticks, INT64_MAX at most.
static int64_t
ticks_of(const compact_frame *f, int64_t ms)
{
    __int128 ticks = (__int128)ms * f->view->info.ticks_per_s / 1000;
    return ticks < INT64_MAX ? (int64_t)ticks : INT64_MAX;
}

static int64_t
second_of(int64_t wall_ns)
{
    return wall_ns / NS_PER_S - (wall_ns % NS_PER_S < 0);
}

static int64_t
ns_of(int64_t second)
{
    int64_t ns;
    return __builtin_mul_overflow(second, NS_PER_S, &ns) ? (second < 0 ? INT64_MIN : INT64_MAX)
                                                         : ns;
}

// decided_until returns end_ns, the wall time up to which the previous chunk decided with known_ns
// after its end. If that is further after the start of this chunk, in seconds, a time was wrong, as
// no event is stored long before it is committed; then the start is returned, because nothing would
// be sampled until end_ns.
static int64_t
decided_until(const compact_clock *clock, int64_t start_ticks, int64_t known_ns, int64_t end_ns)
{
    int64_t start = second_of(compact_clock_wall_ns(clock, start_ticks));
    return end_ns <= ns_of(start + known_ns / NS_PER_S + 1) ? end_ns : ns_of(start);
}

// window_between returns the ticks from from_ns to *end_ns, which it moves to from_ns at least.
static compact_window
window_between(const compact_clock *clock, bool is_first, int64_t from_ns, int64_t *end_ns)
{
    if (!is_first && *end_ns < from_ns) {
        *end_ns = from_ns;
    }
    return (compact_window){
        .lo = is_first ? INT64_MIN : compact_clock_ticks(clock, from_ns),
        .hi = compact_clock_ticks(clock, *end_ns),
    };
}

// context-throttle decides all seconds that are wholly known.
compact_window
compact_frame_judged(const compact_clock *clock, bool is_first, int64_t start_ticks, int64_t border,
    int64_t known_ns, int64_t *end_ns)
{
    known_ns = known_ns > SAMPLED_NS ? known_ns : SAMPLED_NS;
    int64_t from_ns = is_first ? 0 : decided_until(clock, start_ticks, known_ns, *end_ns);
    __int128 known = border + (__int128)known_ns * clock->ticks_per_s / NS_PER_S;
    int64_t known_ticks = known < INT64_MAX ? (int64_t)known : INT64_MAX;
    *end_ns = ns_of(second_of(compact_clock_wall_ns(clock, known_ticks)));
    return window_between(clock, is_first, from_ns, end_ns);
}

// find_sampled sets the ticks that throttles decide with the chunk: up to the end of the second of
// the last event, unless its time is impossibly late. context-throttle decides at least as much.
static void
find_sampled(compact_frame *f)
{
    bool is_first = f->carry == NULL;
    int64_t start = f->view->info.start_ticks;
    int64_t from_ns =
        is_first ? 0 : decided_until(&f->clock, start, SAMPLED_NS, f->carry->sampled_end_ns);
    int64_t last = ticks_add(f->window.hi, f->lateness_ticks);
    last = f->limit_ticks < last ? f->limit_ticks : last;
    f->sampled_end_ns = ns_of(second_of(compact_clock_wall_ns(&f->clock, last)) + 1);
    f->sampled = window_between(&f->clock, is_first, from_ns, &f->sampled_end_ns);
    f->judged_end_ns = is_first ? 0 : f->carry->judged_end_ns;
    f->judged = compact_frame_judged(
        &f->clock, is_first, start, f->window.hi, f->options->known_ns, &f->judged_end_ns);
    if (f->judged_end_ns < f->sampled_end_ns) { // where times are absurd
        f->judged_end_ns = f->sampled_end_ns;
        f->judged.hi = f->sampled.hi;
    }
}

int64_t
compact_frame_known_from(const compact_frame *frame, int64_t border)
{
    if (frame->options->known_ns == 0) {
        return INT64_MAX;
    }
    __int128 known =
        (__int128)frame->options->known_ns * frame->view->info.ticks_per_s / 1000000000;
    return known > INT64_MAX ? INT64_MAX : ticks_add(border, (int64_t)known);
}

static compact_clock
own_line(const jfr_chunk_info *info)
{
    return (compact_clock){info->start_wall_ns, info->start_ticks, info->ticks_per_s};
}

compact_clock
compact_frame_merged_line(const compact_clock *clock, const jfr_chunk_info *info)
{
    if (info->ticks_per_s != clock->ticks_per_s) {
        return own_line(info);
    }
    __int128 drift = (__int128)compact_clock_wall_ns(clock, info->start_ticks);
    drift -= info->start_wall_ns;
    bool is_near = drift >= -COMPACT_MERGE_DRIFT_NS && drift <= COMPACT_MERGE_DRIFT_NS;
    return is_near ? *clock : own_line(info);
}

void
compact_frame_meet_next(compact_frame *frame, const jfr_chunk_info *next)
{
    const jfr_chunk_info *info = &frame->view->info;
    int64_t end;
    frame->is_met = next->ticks_per_s == info->ticks_per_s &&
                    !__builtin_add_overflow(info->start_wall_ns, info->duration_ns, &end) &&
                    end == next->start_wall_ns;
    if (!frame->is_met) {
        return;
    }
    if (frame->source->merge != NULL) {
        compact_clock line = compact_frame_merged_line(&frame->clock, next);
        const jfr_clock clock = compact_clock_of_jfr(&line);
        frame->next_start_ns = jfr_clock_wall_ns(&clock, next->start_ticks);
    } else {
        jfr_chunk_info start = *next;
        (void)jfr_chunk_start_behind(&start, frame->shown.start_wall_ns);
        frame->next_start_ns = start.start_wall_ns;
    }
}

void
compact_frame_find_clock(compact_frame *frame)
{
    jfr_chunk_info start = frame->view->info;
    if (frame->source->merge == NULL && frame->carry != NULL) {
        // JMC skips the second of two chunks that start at the same time.
        (void)jfr_chunk_start_behind(&start, frame->carry->start_wall_ns);
    }
    bool goes_on = frame->carry != NULL && frame->carry->clock.ticks_per_s == start.ticks_per_s;
    frame->clock = goes_on ? frame->carry->clock : own_line(&frame->view->info);
    frame->shown = frame->source->merge == NULL ? own_line(&start)
                                                : compact_frame_merged_line(&frame->clock, &start);
    frame->metadata_salt =
        (uint64_t)frame->shown.start_wall_ns * 31 + (uint64_t)frame->shown.start_ticks;
}

void
compact_frame_find_times(compact_frame *frame)
{
    frame->lateness_ticks = ticks_of(frame, COMPACT_LATENESS_MS);
    frame->window = window_of(frame);
    LP_ASSERT(frame->window.lo <= frame->window.hi && frame->window.hi > INT64_MIN);
    frame->limit_ticks =
        frame->view->commit_max > frame->window.hi ? frame->view->commit_max : frame->window.hi;
    frame->known_ticks = compact_frame_known_from(frame, frame->window.hi);
    frame->recent_min = ticks_add(frame->window.hi, -frame->lateness_ticks);
    compact_frame_find_clock(frame);
    find_sampled(frame);
    if (next_of(frame) != NULL) {
        compact_frame_meet_next(frame, &next_of(frame)->info);
    }
}
