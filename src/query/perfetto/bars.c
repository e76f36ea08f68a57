// SPDX-License-Identifier: Apache-2.0
#include "query/perfetto/bars.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_order.h"
#include "common/base/lp_vec.h"

static const uint32_t NONE = UINT32_MAX; // not an index

// Outer bars come first. Of contexts with the same times, the outer one was written last.
LP_COMPARE(compare_bars, query_bar,
    LP_ORDER(one->track, other->track)
        ?: LP_ORDER(one->begin, other->begin)
        ?: LP_ORDER(other->end, one->end)
        ?: LP_ORDER(one->kind, other->kind)
        ?: LP_ORDER(other->place, one->place))

// is_shown returns whether a bar is needed. next is the one after it in the order.
static bool
is_shown(const query_bar *bar, const query_bar *next)
{
    bool is_same = bar->track == next->track && bar->begin == next->begin && bar->end == next->end;
    bool is_there_twice = bar->kind == next->kind && bar->place == next->place;
    bool is_context = bar->kind == QUERY_BAR_STAY && next->kind == QUERY_BAR_CONTEXT;
    return !is_same || !(is_there_twice || is_context);
}

size_t
query_bars_order(query_bar *bars, size_t count)
{
    size_t kept = 0;
    LP_QSORT(bars, count, compare_bars);
    for (size_t i = 0; i < count; i++) {
        if (i + 1 == count || is_shown(&bars[i], &bars[i + 1])) {
            bars[kept++] = bars[i];
        }
    }
    return kept;
}

typedef struct lane {
    uint32_t top; // index of its innermost open bar, or NONE
    int64_t end;  // of that bar
    int64_t last_ns;
} lane;

typedef struct walk {
    query_bar *bars;
    bool is_flat;
    LP_VEC(lane) lanes;
    uint64_t lanes_seen; // since the last look
    const query_bars_receiver *to;
} walk;

// take_step takes a begin or an end, never earlier than the previous one on its lane.
static lp_err
take_step(walk *w, uint32_t index, const query_bar *bar, query_bar_step step, int64_t wall_ns)
{
    lane *on = &w->lanes.items[index];
    on->last_ns = wall_ns > on->last_ns ? wall_ns : on->last_ns;
    return w->to->on_step(w->to->arg, bar, index, step, on->last_ns);
}

// is_over returns whether an open bar ends before the next one begins.
static bool
is_over(const query_bar *open, const query_bar *next)
{
    return open->end < next->begin || (open->end == next->begin && next->end > next->begin);
}

static void
set_top(walk *w, uint32_t index, uint32_t top)
{
    LP_ASSERT(index < w->lanes.count && (top == NONE || w->bars[top].begin <= w->bars[top].end));
    w->lanes.items[index].top = top;
    w->lanes.items[index].end = top == NONE ? INT64_MIN : w->bars[top].end;
}

// end_bars ends the bars of a lane that are over when next begins; all of them if it is NULL.
static lp_err
end_bars(walk *w, uint32_t index, const query_bar *next)
{
    for (uint32_t top = w->lanes.items[index].top;
         top != NONE && (next == NULL || is_over(&w->bars[top], next));
         top = w->lanes.items[index].top) {
        set_top(w, index, w->bars[top].around);
        LP_TRY(take_step(w, index, &w->bars[top], QUERY_BAR_ENDS, w->bars[top].end_ns));
    }
    return LP_OK;
}

// How well a lane suits a bar; the highest counts.
typedef enum fit {
    FIT_NOT,
    FIT_ALONE,  // no bar around it
    FIT_INSIDE, // of another owner's
    FIT_OWN,    // inside a bar of its owner
} fit;

static fit
fit_of(const walk *w, uint32_t top, const query_bar *bar)
{
    if (top == NONE) {
        return FIT_ALONE;
    }
    if (w->is_flat || bar->end > w->bars[top].end) {
        return FIT_NOT;
    }
    return w->bars[top].owner == bar->owner ? FIT_OWN : FIT_INSIDE;
}

// crosses returns whether the innermost bar of a lane, which goes on, has no room for another one.
static bool
crosses(const walk *w, const lane *on, const query_bar *bar)
{
    return on->end > bar->begin && (w->is_flat || bar->end > on->end);
}

// find_lane finds the lane of a bar: the first that suits it best. NONE: all lanes are taken.
static lp_err
find_lane(walk *w, const query_bar *bar, uint32_t *out_lane)
{
    fit best = FIT_NOT;
    *out_lane = NONE;
    for (uint32_t i = 0; i < w->lanes.count && best < (w->is_flat ? FIT_ALONE : FIT_OWN); i++) {
        if (crosses(w, &w->lanes.items[i], bar)) {
            continue;
        }
        LP_TRY(end_bars(w, i, bar));
        fit found = fit_of(w, w->lanes.items[i].top, bar);
        if (found > best) {
            best = found;
            *out_lane = i;
        }
    }
    if (best == FIT_NOT && w->lanes.count < QUERY_BAR_LANES_MAX) {
        *out_lane = (uint32_t)w->lanes.count;
        return LP_VEC_ADD(&w->lanes, (lane){.top = NONE, .end = INT64_MIN, .last_ns = INT64_MIN});
    }
    return LP_OK;
}

static lp_err
look(walk *w)
{
    w->lanes_seen += w->lanes.count + 1;
    LP_REQUIRE(w->lanes_seen >= QUERY_BARS_LOOK_LANES, LP_OK);
    w->lanes_seen = 0;
    return w->to->look(w->to->arg);
}

static lp_err
draw(walk *w, uint32_t index, uint64_t *left_out)
{
    query_bar *bar = &w->bars[index];
    uint32_t on;
    LP_ASSERT(bar->begin <= bar->end);
    LP_TRY(look(w));
    LP_TRY(find_lane(w, bar, &on));
    if (on == NONE) {
        (*left_out)++;
        return LP_OK;
    }
    if (bar->begin == bar->end) {
        return w->to->on_step(w->to->arg, bar, on, QUERY_BAR_INSTANT, bar->begin_ns);
    }
    bar->around = w->lanes.items[on].top;
    set_top(w, on, index);
    return take_step(w, on, bar, QUERY_BAR_BEGINS, bar->begin_ns);
}

lp_err
query_bars_walk(
    query_bar *bars, size_t count, bool is_flat, const query_bars_receiver *to, uint64_t *left_out)
{
    LP_ASSERT(count < NONE && to->on_step != NULL && to->look != NULL);
    walk w = {.bars = bars, .is_flat = is_flat, .to = to};
    lp_err err = LP_OK;
    for (uint32_t i = 0; i < count && err == LP_OK; i++) {
        err = draw(&w, i, left_out);
    }
    for (uint32_t i = 0; i < w.lanes.count && err == LP_OK; i++) {
        err = end_bars(&w, i, NULL);
    }
    LP_VEC_FINI(&w.lanes);
    return err;
}
