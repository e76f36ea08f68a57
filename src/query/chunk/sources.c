// SPDX-License-Identifier: Apache-2.0
#include "query/chunk/sources.h"

#include "common/base/lp_assert.h"

static bool
is_at_hand(const query_sources *sources, size_t source)
{
    return sources->open == NULL || sources->items[source].bytes.ptr != NULL;
}

static lp_err
open_source(const query_sources *sources, size_t source, query_names *names, compact_schema *like,
    bool is_chained, query_chunk *out_chunk, lp_problem *out_problem)
{
    LP_ASSERT(source < sources->count);
    lp_slice bytes = sources->items[source].bytes;
    *out_problem = (lp_problem){.text = ""};
    if (!is_at_hand(sources, source)) {
        LP_TRY(sources->open(sources->arg, source, &bytes, out_problem));
    }
    lp_err err = query_chunk_open_again(out_chunk, bytes, names, like, is_chained);
    if (err != LP_OK) {
        if (!is_at_hand(sources, source)) {
            sources->release(sources->arg, source, bytes);
        }
        return lp_problem_set(out_problem, err, "%s", lp_err_text(err));
    }
    return LP_OK;
}

lp_err
query_sources_open(const query_sources *sources, size_t source, query_names *names,
    query_chunk *out_chunk, lp_problem *out_problem)
{
    return open_source(sources, source, names, NULL, false, out_chunk, out_problem);
}

lp_err
query_sources_next(const query_sources *sources, size_t source, query_names *names, bool is_chained,
    compact_schema **like, query_chunk *out_chunk, bool *out_is_open, lp_problem *out_problem)
{
    lp_err err = open_source(sources, source, names, *like, is_chained, out_chunk, out_problem);
    *out_is_open = err == LP_OK;
    if (*out_is_open) {
        compact_schema *schema = compact_schema_hold(out_chunk->view.schema);
        compact_schema_release(*like);
        *like = schema;
    }
    return err == LP_ENOMEM || err == LP_ECLOSED ? err : LP_OK;
}

void
query_sources_close(const query_sources *sources, size_t source, query_chunk *chunk)
{
    LP_ASSERT(source < sources->count);
    LP_ASSERT(chunk->names != NULL); // it is open
    lp_slice bytes = chunk->view.chunk;
    query_chunk_close(chunk);
    if (!is_at_hand(sources, source)) {
        sources->release(sources->arg, source, bytes);
    }
}

// --- Which are needed

static const query_source_times unknown = {INT64_MIN, INT64_MAX, INT64_MIN};

static const query_source_times *
times_of(const query_source *source)
{
    return source->has_times && source->clock != NULL ? &source->times : &unknown;
}

typedef struct range {
    int64_t from; // the first wall time at which they begin
    int64_t last;
    int64_t end; // the first at which they end
} range;

// add saturates.
static int64_t
add(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? (b < 0 ? INT64_MIN : INT64_MAX) : sum;
}

static range
range_of(const query_source *source, const query_selection *selection)
{
    range r = {selection->from_wall_ns,
        selection->to_wall_ns == INT64_MAX ? INT64_MAX : selection->to_wall_ns - 1,
        selection->ended_wall_ns};
    if (selection->has_id && source->clock != NULL) {
        int64_t begin_ns = jfr_clock_wall_ns(source->clock, selection->id.begin);
        int64_t from_ns = add(begin_ns, source->drift.min_ns);
        int64_t last_ns = add(begin_ns, source->drift.max_ns);
        r.from = from_ns > r.from ? from_ns : r.from;
        r.last = last_ns < r.last ? last_ns : r.last;
    }
    r.end = r.end > r.from ? r.end : r.from;
    return r;
}

static bool
is_of(const query_source *source, uint8_t in)
{
    return source->in == 0 || (source->in & in) != 0;
}

// has_begins returns whether contexts with an event in a source may begin by a time.
static bool
has_begins(const query_source_times *times, int64_t last)
{
    return times->begin_min_wall_ns <= last && times->begin_min_wall_ns != INT64_MAX;
}

static void
find_by_commits(const query_source *sources, size_t count, const range *wanted, int64_t last,
    uint8_t in, bool *out_is_needed)
{
    for (size_t i = 0; i < count; i++) {
        const query_source_times *times = times_of(&sources[i]);
        out_is_needed[i] |= is_of(&sources[i], in) && wanted->from <= wanted->last &&
                            times->commit_max_wall_ns >= wanted->from &&
                            times->commit_min_wall_ns <= last;
    }
}

void
query_needed_find(const query_source *sources, size_t count, const query_selection *selection,
    uint8_t in, bool *out_is_needed)
{
    LP_ASSERT(count > 0);
    LP_ASSERT(in != 0);
    range wanted = range_of(&sources[0], selection);
    if (selection->unit != QUERY_UNIT_CONTEXTS) {
        // An event of a request that began in time may be in any later source.
        int64_t last = selection->unit == QUERY_UNIT_REQUESTS ? INT64_MAX : wanted.last;
        find_by_commits(sources, count, &wanted, last, in, out_is_needed);
        return;
    }
    int64_t since = wanted.end; // chunks without events from then on are not needed
    for (size_t i = 0; i < count; i++) {
        const query_source_times *times = times_of(&sources[i]);
        if (is_of(&sources[i], in) && times->commit_max_wall_ns >= wanted.end &&
            has_begins(times, wanted.last) && times->begin_min_wall_ns < since) {
            since = times->begin_min_wall_ns;
        }
    }
    for (size_t i = 0; i < count; i++) {
        const query_source_times *times = times_of(&sources[i]);
        out_is_needed[i] |= is_of(&sources[i], in) && wanted.from <= wanted.last &&
                            times->commit_max_wall_ns >= since && has_begins(times, wanted.last);
    }
}

// --- Which have the period of samples

// may_count returns whether an event of a source may lie in a context that begins at `from` or
// later.
static bool
may_count(const query_source *source, int64_t from)
{
    const query_source_times *times = times_of(source);
    return times->commit_max_wall_ns >= from &&
           times->commit_min_wall_ns <= times->commit_max_wall_ns;
}

void
query_needed_find_periods(const query_source *sources, size_t count,
    const query_selection *selection, uint8_t in, bool *is_needed)
{
    LP_ASSERT(count > 0);
    LP_ASSERT(in != 0);
    int64_t from = range_of(&sources[0], selection).from;
    bool is_any = false;
    for (size_t i = 0; i < count && !is_any; i++) {
        is_any = is_needed[i];
    }
    bool is_wanted = false; // by a later chunk
    for (size_t i = count; i > 0 && is_any; i--) {
        const query_source *source = &sources[i - 1];
        if (source->has_period) {
            is_needed[i - 1] |= is_wanted;
            is_wanted = false;
        } else if (is_of(source, in) && (is_needed[i - 1] || may_count(source, from))) {
            is_wanted = true;
        }
    }
}

// --- Times in ticks

// ticks_of converts a wall time, rounded down or up (direction -1 or 1) by as much as it may be
// off: nanoseconds are truncated, clocks compute with doubles, and clocks drift.
static int64_t
ticks_of(const query_source *source, int64_t wall_ns, int direction)
{
    LP_ASSERT(direction == -1 || direction == 1);
    const jfr_clock *clock = source->clock;
    int64_t drift_ns = direction < 0 ? source->drift.max_ns : source->drift.min_ns;
    __int128 ns = (__int128)wall_ns - drift_ns - clock->start_wall_ns;
    __int128 slack_ns = 1 + ((ns < 0 ? -ns : ns) >> 50);
    __int128 ticks = (ns + direction * slack_ns) * clock->ticks_per_s / 1000000000;
    ticks += clock->start_ticks + direction;
    return ticks < INT64_MIN ? INT64_MIN : ticks > INT64_MAX ? INT64_MAX : (int64_t)ticks;
}

query_chunk_times
query_needed_times(const query_source *source)
{
    const query_source_times *times = times_of(source);
    query_chunk_times ticks = {INT64_MIN, INT64_MAX};
    if (times->commit_min_wall_ns != INT64_MIN) {
        ticks.commit_min = ticks_of(source, times->commit_min_wall_ns, -1);
    }
    if (times->commit_max_wall_ns != INT64_MAX) {
        ticks.commit_max = ticks_of(source, times->commit_max_wall_ns, 1);
    }
    return ticks;
}
