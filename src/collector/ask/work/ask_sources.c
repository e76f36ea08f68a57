// SPDX-License-Identifier: Apache-2.0

#include "collector/ask/work/ask_sources.h"

#include "collector/ask/work/ask_hits.h"
#include "collector/ask/work/ask_pending.h"
#include "collector/base/metrics.h"
#include "collector/store/catalog/catalog.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_log.h"
#include "common/base/lp_order.h"
#include "common/base/lp_time.h"
#include "common/jfr/jfr_chunk.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const int64_t NS_PER_S = 1000000000;

typedef struct search {
    ask_sources *sources;
    const ask_query *query;
    ask_hits *hits;
    const query_selection *selection; // whose recordings are listed
    uint8_t in;                       // its QUERY_IN_.. bit
    size_t listed;                    // recordings of it
    // Of the recording whose chunks are listed:
    uint32_t recording;
    int64_t first_wall_ns; // chunks that ended before are skipped
    int64_t last_wall_ns;  // chunks that began later are skipped
    uint32_t chunk_end;    // chunks from here on are skipped
    int64_t end_wall_ns;   // of the last stored chunk
    bool has_first;
    ask_chunk first; // the first stored chunk
    ask_chunk last;  // the last stored chunk, if has_first
    bool has_period;
    ask_chunk period; // the last chunk before the listed ones that has the sampling period
} search;

typedef LP_VEC(ask_pending) wanted_list;

// --- Recordings

void
ask_sources_add_recording(ask_sources *sources, const catalog_session *row, uint8_t in)
{
    ask_recording found = {
        .service = lp_arena_text(&sources->arena, row->service),
        .instance = lp_arena_text(&sources->arena, row->instance),
        .version = lp_arena_text(&sources->arena, row->version),
        .jvm_name = lp_arena_text(&sources->arena, row->jvm_name),
        .jvm_version = lp_arena_text(&sources->arena, row->jvm_version),
        .pid = row->pid,
        .start_wall_ns = row->start_wall_ns,
        .in = in,
        .is_running = !row->is_ended,
    };
    memcpy(found.id, row->id, sizeof(found.id));
    LP_ARENA_PUSH_BESIDE(&sources->arena, &sources->recordings, found);
}

static void
note_recording(void *arg, const catalog_session *row)
{
    search *s = arg;
    ask_sources *sources = s->sources;
    if (!ask_query_selects(s->selection, row) || !ask_query_may_read(s->query, row->service)) {
        return;
    }
    if (s->hits->is_known && row->is_ended && !ask_hits_has_recording(s->hits, row->id)) {
        return;
    }
    if (s->listed++ == ASK_RECORDINGS_MAX) {
        sources->is_truncated = true;
        return;
    }
    ask_sources_add_recording(sources, row, s->in);
}

static lp_err
list_recordings(search *s, catalog *from, const query_selection *selection, uint8_t in)
{
    s->selection = selection;
    s->in = in;
    s->listed = 0;
    if (selection->recording != NULL) {
        lp_err err = catalog_find(from, selection->recording, note_recording, s);
        return err == LP_ENOENT ? LP_OK : err;
    }
    const catalog_query query = {
        .service = selection->service,
        .instance = selection->instance,
        .version = selection->version,
        .from_wall_ns = selection->from_wall_ns == INT64_MIN ? 0 : selection->from_wall_ns,
        .to_wall_ns = selection->to_wall_ns == INT64_MAX ? 0 : selection->to_wall_ns,
        .now_wall_ns = lp_time_now(),
        // All, if some of the newest may not be hits, or not be readable.
        .count_max =
            s->hits->is_known || !ask_query_may_read(s->query, NULL) ? 0 : ASK_RECORDINGS_MAX + 1,
    };
    return catalog_list(from, &query, note_recording, s);
}

LP_COMPARE(compare_recordings, ask_recording,
    LP_ORDER(one->start_wall_ns, other->start_wall_ns) ?: strcmp(one->id, other->id))

// order_recordings sorts the recordings and merges duplicates.
static void
order_recordings(ask_sources *sources)
{
    ask_recording *items = sources->recordings.items;
    size_t count = sources->recordings.count;
    if (count == 0) {
        return;
    }
    qsort(items, count, sizeof(*items), compare_recordings);
    size_t last = 0;
    for (size_t i = 1; i < count; i++) {
        if (strcmp(items[i].id, items[last].id) == 0) {
            items[last].in |= items[i].in;
        } else {
            items[++last] = items[i];
        }
    }
    sources->recordings.count = last + 1;
}

static lp_err
find_recordings(search *s, catalog *from, const query_comparison *asked)
{
    lp_err err = list_recordings(s, from, &asked->selection, QUERY_IN_SELECTION);
    LP_THEN(err, asked->has_base ? list_recordings(s, from, &asked->base, QUERY_IN_BASE) : LP_OK);
    order_recordings(s->sources);
    return err == LP_OK ? lp_arena_err(&s->sources->arena) : err;
}

// --- Chunks

void
ask_sources_add_chunk(ask_sources *sources, ask_chunk chunk)
{
    LP_ASSERT(sources->chunks.count <= ASK_CHUNKS_MAX);
    if (sources->chunks.count == ASK_CHUNKS_MAX) {
        sources->is_truncated = true;
        return;
    }
    LP_ARENA_PUSH_BESIDE(&sources->arena, &sources->chunks, chunk);
}

// times_of returns the bounds of a chunk with some slack: rounding makes clocks differ by a
// nanosecond or two.
static query_source_times
times_of(const catalog_bounds *bounds)
{
    const int64_t slack_ns = 1000;
    query_source_times times = {INT64_MIN, INT64_MAX, bounds->context_begin_min_ns};
    if (bounds->commit_min_ns > INT64_MIN + slack_ns &&
        bounds->commit_max_ns < INT64_MAX - slack_ns) {
        times.commit_min_wall_ns = bounds->commit_min_ns - slack_ns;
        times.commit_max_wall_ns = bounds->commit_max_ns + slack_ns;
    }
    if (times.begin_min_wall_ns != INT64_MAX && times.begin_min_wall_ns > INT64_MIN + slack_ns) {
        times.begin_min_wall_ns -= slack_ns;
    }
    return times;
}

// exclude_contexts makes a chunk a source without wanted contexts.
static void
exclude_contexts(ask_chunk *chunk)
{
    if (!chunk->has_times) {
        chunk->times = (query_source_times){INT64_MIN, INT64_MAX, 0};
    }
    chunk->has_times = true;
    chunk->times.begin_min_wall_ns = INT64_MAX;
}

// add_period lists the last chunk before the listed ones that has the sampling period, without its
// contexts. JFR writes the setting when a recording begins and when it changes.
static void
add_period(search *s)
{
    if (s->has_period) {
        exclude_contexts(&s->period);
        ask_sources_add_chunk(s->sources, s->period);
        s->has_period = false;
    }
}

ask_chunk
ask_sources_stored_chunk(const catalog_chunk *chunk, uint32_t recording)
{
    return (ask_chunk){.recording = recording,
        .ordinal = chunk->ordinal,
        .size_bytes = chunk->size_bytes,
        .content_hash = chunk->content_hash,
        .stored_bytes = chunk->stored_bytes,
        .place = chunk->place,
        .end_wall_ns = lp_time_add(chunk->start_wall_ns, chunk->duration_ns)};
}

ask_chunk
ask_sources_period_chunk(const catalog_chunk *chunk, uint32_t recording)
{
    ask_chunk found = ask_sources_stored_chunk(chunk, recording);
    found.has_period = true;
    exclude_contexts(&found);
    return found;
}

static void
note_chunk(void *arg, const catalog_chunk *chunk)
{
    search *s = arg;
    int64_t end_wall_ns = lp_time_add(chunk->start_wall_ns, chunk->duration_ns);
    if (chunk->ordinal >= s->chunk_end) {
        return; // the snapshot has it
    }
    s->end_wall_ns = end_wall_ns;
    bool is_first = !s->has_first;
    ask_chunk found = ask_sources_stored_chunk(chunk, s->recording);
    found.has_times = chunk->has_bounds;
    found.times = times_of(&chunk->bounds);
    // If unknown: JVMs write their settings to the first chunk.
    found.has_period = chunk->knows_period ? chunk->has_period : is_first;
    if (is_first) {
        s->has_first = true;
        s->first = found;
    }
    s->last = found;
    if (end_wall_ns >= s->first_wall_ns && chunk->start_wall_ns <= s->last_wall_ns) {
        add_period(s);
        ask_sources_add_chunk(s->sources, found);
    } else if (found.has_period) {
        s->has_period = true;
        s->period = found;
    }
}

// take_pending sets chunk_end to the begin of the recording's snapshot.
static lp_err
take_pending(search *s)
{
    LP_ASSERT(s->recording < s->sources->recordings.count);
    const snapshot *pending = s->sources->recordings.items[s->recording].pending;
    if (pending == NULL) {
        return LP_OK;
    }
    if (pending->err == LP_OK) {
        s->chunk_end = pending->next_chunk;
    } else if (pending->err == LP_EIO || pending->err == LP_ECORRUPT) {
        s->sources->left_out++;
    } else if (pending->err != LP_ENOENT) { // LP_ENOENT: the session has ended, all is stored
        return pending->err;
    }
    return LP_OK;
}

ask_chunk
ask_sources_pending_chunk(const snapshot *pending, uint32_t recording, uint32_t index)
{
    LP_ASSERT(index < pending->chunks.count);
    return (ask_chunk){.recording = recording,
        .ordinal = pending->next_chunk + index,
        .size_bytes = pending->chunks.items[index].size_bytes,
        .is_pending = true,
        .pending_index = index};
}

static void
add_pending(search *s, const ask_recording *recording)
{
    const snapshot *pending = recording->pending;
    LP_ASSERT(pending->err == LP_OK || pending->chunks.count == 0);
    for (uint32_t i = 0; i < pending->chunks.count; i++) {
        ask_sources_add_chunk(s->sources, ask_sources_pending_chunk(pending, s->recording, i));
    }
}

// keep_hits drops stored chunks of the recording, from first_source on. It keeps hits, chunks that
// may have events or earlier parts of their contexts (all since these contexts began, and the chunk
// behind a hit, as events may be stored late), and before these the last chunk that has the
// sampling period.
static void
keep_hits(search *s, size_t first_source)
{
    LP_ASSERT(s->hits->is_known && first_source <= s->sources->chunks.count);
    ask_chunk *items = s->sources->chunks.items;
    const ask_recording *recording = &s->sources->recordings.items[s->recording];
    const char *id = recording->id;
    size_t count = s->sources->chunks.count;
    size_t kept = count;
    int64_t begin_wall_ns = INT64_MAX; // of the contexts of hits so far, and of pending contexts
    if (recording->pending != NULL) {
        begin_wall_ns = lp_time_add(s->end_wall_ns, -ASK_REACH_S * NS_PER_S);
    }
    bool wants_period = recording->pending != NULL;
    for (size_t i = count; i > first_source; i--) {
        ask_chunk chunk = items[i - 1];
        bool is_behind =
            i - 1 > first_source && ask_hits_has_chunk(s->hits, id, items[i - 2].ordinal);
        bool is_since = chunk.end_wall_ns >= begin_wall_ns;
        if (ask_hits_has_chunk(s->hits, id, chunk.ordinal)) {
            int64_t first = chunk.has_times ? chunk.times.begin_min_wall_ns : s->first_wall_ns;
            begin_wall_ns = first < begin_wall_ns ? first : begin_wall_ns;
        } else if (is_behind || (chunk.has_period && wants_period)) {
            if (!is_since) {
                exclude_contexts(&chunk);
            }
        } else if (!is_since) {
            continue;
        }
        wants_period = !chunk.has_period;
        items[--kept] = chunk;
    }
    if (kept < count) { // otherwise items may be NULL
        memmove(items + first_source, items + kept, (count - kept) * sizeof(*items));
    }
    s->sources->chunks.count = first_source + count - kept;
}

static blob_name
name_of(const ask_recording *recording, const ask_chunk *chunk)
{
    return (blob_name){.session_id = recording->id,
        .ordinal = chunk->ordinal,
        .size_bytes = chunk->size_bytes,
        .content_hash = chunk->content_hash,
        .stored_bytes = chunk->stored_bytes,
        .place = chunk->place};
}

// read_header reads the header of a stored chunk. False on failure.
static bool
read_header(const ask_sources *sources, const ask_recording *recording, const ask_chunk *of,
    jfr_chunk_info *out_info)
{
    uint8_t header[JFR_CHUNK_HEADER_SIZE];
    blob *chunk;
    const blob_name name = name_of(recording, of);
    if (of->size_bytes < sizeof(header) ||
        blobs_open_chunk(sources->blobs, &name, &chunk) != LP_OK) {
        return false;
    }
    lp_slice bytes = {header, sizeof(header)};
    bool is_read = blob_read(chunk, 0, header, sizeof(header)) == LP_OK &&
                   jfr_chunk_parse(bytes, out_info, NULL) == LP_OK;
    blob_close(chunk);
    return is_read;
}

// drift_between returns bounds for the drift of a recording's clocks, by its first and last chunk.
// A wrong frequency makes them drift evenly. In between, the wall clock may have been slewed by
// some milliseconds, or by up to a second if the two chunks differ.
static query_drift
drift_between(const jfr_clock *first, const jfr_chunk_info *last)
{
    const int64_t straight_ns = 1000;
    const int64_t slewed_ns = 10000000;
    int64_t ns;
    if (__builtin_sub_overflow(
            last->start_wall_ns, jfr_clock_wall_ns(first, last->start_ticks), &ns)) {
        return (query_drift){INT64_MIN, INT64_MAX};
    }
    if (ns >= -straight_ns && ns <= straight_ns) {
        return (query_drift){-slewed_ns, slewed_ns};
    }
    query_drift drift = {ns < 0 ? ns : 0, ns > 0 ? ns : 0};
    drift.min_ns -= drift.min_ns >= INT64_MIN + NS_PER_S ? NS_PER_S : 0;
    drift.max_ns += drift.max_ns <= INT64_MAX - NS_PER_S ? NS_PER_S : 0;
    return drift;
}

// read_clock reads the clock and the drift of the recording, whose sources begin at first_source.
// On failure the recording has the clock of its first source, and all of its sources are read.
static void
read_clock(search *s, size_t first_source)
{
    ask_sources *sources = s->sources;
    ask_recording *recording = &sources->recordings.items[s->recording];
    jfr_chunk_info first;
    jfr_chunk_info last;
    if (!s->has_first || first_source == sources->chunks.count ||
        !read_header(sources, recording, &s->first, &first)) {
        return;
    }
    last = first;
    if (s->last.ordinal != s->first.ordinal && !read_header(sources, recording, &s->last, &last)) {
        return;
    }
    recording->has_clock = first.ticks_per_s == last.ticks_per_s;
    recording->clock = jfr_clock_make(first.start_wall_ns, first.start_ticks, first.ticks_per_s);
    recording->drift = drift_between(&recording->clock, &last);
}

// widen_range adds the chunks that may touch a selection's time range.
static void
widen_range(search *s, const query_selection *selection)
{
    int64_t reach_ns = ASK_REACH_S * NS_PER_S;
    int64_t after_ns =
        selection->max_duration_ns < reach_ns ? selection->max_duration_ns : reach_ns;
    int64_t first_wall_ns = lp_time_add(selection->from_wall_ns, -reach_ns);
    int64_t last_wall_ns = lp_time_add(selection->to_wall_ns, after_ns);
    s->first_wall_ns = first_wall_ns < s->first_wall_ns ? first_wall_ns : s->first_wall_ns;
    s->last_wall_ns = last_wall_ns > s->last_wall_ns ? last_wall_ns : s->last_wall_ns;
}

static void
set_range(search *s, const query_comparison *asked)
{
    LP_ASSERT(s->recording < s->sources->recordings.count);
    uint8_t in = s->sources->recordings.items[s->recording].in;
    s->first_wall_ns = INT64_MAX;
    s->last_wall_ns = INT64_MIN;
    if ((in & QUERY_IN_SELECTION) != 0) {
        widen_range(s, &asked->selection);
    }
    if ((in & QUERY_IN_BASE) != 0) {
        widen_range(s, &asked->base);
    }
}

// add_wanted requests the snapshot of the recording, which is running, unless its pending part
// began too late.
static lp_err
add_wanted(search *s, catalog *from, wanted_list *wanted)
{
    LP_ASSERT(s->recording < s->sources->recordings.count);
    const ask_recording *recording = &s->sources->recordings.items[s->recording];
    int64_t end_wall_ns = INT64_MIN;
    if (s->last_wall_ns != INT64_MAX) { // otherwise nothing begins too late
        lp_err err = catalog_find_end(from, recording->id, &end_wall_ns);
        LP_REQUIRE(err == LP_OK || err == LP_ENOENT, err);
    }
    if (end_wall_ns > s->last_wall_ns) {
        return LP_OK;
    }
    return LP_VEC_ADD(wanted, (ask_pending){.session_id = recording->id});
}

// take_wanted moves the snapshots to their recordings, which are in the same order.
static void
take_wanted(ask_sources *sources, const wanted_list *wanted)
{
    for (size_t i = 0, k = 0; k < wanted->count; i++) {
        LP_ASSERT(i < sources->recordings.count);
        ask_recording *recording = &sources->recordings.items[i];
        const ask_pending *item = &wanted->items[k];
        if (recording->id != item->session_id) {
            continue;
        }
        recording->pending = item->snapshot;
        k++;
    }
}

// drop_others drops the snapshots without a context that has the id, also of sessions that have
// ended. So their recordings' stored chunks need not be read. Then it searches hits again: chunks
// may have been stored before the snapshots were made.
static lp_err
drop_others(search *s, ask_cancel *cancel)
{
    const query_selection *asked = &s->query->asked.selection;
    const char *id = asked->any_id != NULL ? asked->any_id : asked->trace;
    LP_ASSERT(id != NULL); // the hits are known
    bool has_dropped = false;
    for (size_t i = 0; i < s->sources->recordings.count; i++) {
        ask_recording *recording = &s->sources->recordings.items[i];
        snapshot *pending = recording->pending;
        LP_REQUIRE(!ask_cancel_look(cancel), LP_ECLOSED);
        bool is_other =
            pending != NULL &&
            (pending->err == LP_ENOENT || (pending->err == LP_OK && !ask_pending_has(pending, id)));
        if (is_other) {
            snapshot_unref(pending);
            recording->pending = NULL;
            has_dropped = true;
        }
    }
    return has_dropped ? s->hits->find_again(s->hits->arg) : LP_OK;
}

// get_pending gets the snapshots of running recordings. Chunks are listed later: all below
// next_chunk are stored by then.
static lp_err
get_pending(search *s, const ask_store *store, const query_comparison *asked, catalog *from,
    ask_cancel *cancel)
{
    const ask_sources *sources = s->sources;
    wanted_list wanted = {0};
    lp_err err = LP_OK;
    for (s->recording = 0; s->recording < sources->recordings.count && err == LP_OK;
         s->recording++) {
        set_range(s, asked);
        if (sources->recordings.items[s->recording].is_running) {
            err = ask_cancel_look(cancel) ? LP_ECLOSED : add_wanted(s, from, &wanted);
        }
    }
    if (err == LP_OK && wanted.count > 0) {
        err = ask_pending_get(store->snapshots, wanted.items, wanted.count, cancel);
    }
    if (err == LP_OK) {
        take_wanted(s->sources, &wanted);
    }
    LP_THEN(err, s->hits->is_known ? drop_others(s, cancel) : LP_OK);
    LP_VEC_FINI(&wanted);
    return err;
}

static lp_err
find_chunks(search *s, catalog *from)
{
    LP_ASSERT(s->recording < s->sources->recordings.count);
    ask_recording *recording = &s->sources->recordings.items[s->recording];
    size_t first_source = s->sources->chunks.count;
    s->chunk_end = UINT32_MAX;
    s->end_wall_ns = INT64_MIN;
    s->has_first = false;
    s->has_period = false;
    if (s->hits->is_known && recording->pending == NULL &&
        !ask_hits_has_recording(s->hits, recording->id)) {
        return LP_OK; // running, without a context that has the id
    }
    lp_err err = take_pending(s);
    LP_THEN(err, catalog_list_chunks(from, recording->id, note_chunk, s));
    if (err == LP_OK && recording->pending != NULL) {
        add_period(s);
    }
    if (err == LP_OK && s->hits->is_known) {
        keep_hits(s, first_source);
    }
    if (err == LP_OK && recording->pending != NULL) {
        add_pending(s, recording);
    }
    read_clock(s, first_source);
    return err == LP_OK ? lp_arena_err(&s->sources->arena) : err;
}

void
ask_sources_begin(ask_sources *sources, const ask_store *store)
{
    sources->blobs = store->blobs;
    sources->kept_bytes_max = 2 * store->large_bytes;
    blobs_reader_begin(&sources->reader, store->blobs, NULL);
}

lp_err
ask_sources_find(ask_sources *sources, const ask_store *store, const ask_query *query,
    ask_hits *hits, ask_cancel *cancel)
{
    LP_ASSERT(sources->recordings.count == 0 && sources->chunks.count == 0);
    LP_ASSERT(hits->is_known == query->route->has_index);
    const query_comparison *asked = &query->asked;
    search s = {.sources = sources, .query = query, .hits = hits};
    ask_sources_begin(sources, store);
    catalog *from;
    LP_TRY(catalog_open_reader(store->catalog_path, &from, NULL));
    lp_err err = find_recordings(&s, from, asked);
    LP_THEN(err, get_pending(&s, store, asked, from, cancel));
    for (s.recording = 0; s.recording < sources->recordings.count && err == LP_OK; s.recording++) {
        set_range(&s, asked);
        err = ask_cancel_look(cancel) ? LP_ECLOSED : find_chunks(&s, from);
    }
    catalog_close(from);
    return err;
}

void
ask_sources_fini(ask_sources *sources)
{
    for (size_t i = 0; i < sources->recordings.count; i++) {
        snapshot_unref(sources->recordings.items[i].pending);
    }
    blobs_reader_end(&sources->reader);
    LP_VEC_FINI(&sources->recordings);
    LP_VEC_FINI(&sources->chunks);
    lp_arena_fini(&sources->arena);
    lp_buf_fini(&sources->bytes);
    LP_VEC_FINI_EACH(&sources->kept, lp_buf_fini(&at->bytes));
    *sources = (ask_sources){0};
}

static void
sources_check(const ask_sources *sources)
{
    LP_ASSERT(sources->chunks.count <= ASK_CHUNKS_MAX);
    LP_ASSERT(sources->kept_count <= sources->kept.count);
    LP_ASSERT(sources->kept_bytes <= sources->kept_bytes_max);
}

// find_kept returns the bytes of a cached chunk; NULL if it is not cached.
static const lp_buf *
find_kept(const ask_sources *sources, size_t index)
{
    const ask_kept *kept = LP_FIND(sources->kept.items, sources->kept_count, at->chunk == index);
    return kept != NULL ? &kept->bytes : NULL;
}

// make_kept returns a buffer of the cache for a chunk; NULL if there is no room.
static lp_buf *
make_kept(ask_sources *sources, size_t index, size_t size_bytes)
{
    LP_ASSERT(index < sources->chunks.count);
    const ask_chunk *chunk = &sources->chunks.items[index];
    if (sources->kept_recording != chunk->recording) {
        sources->kept_recording = chunk->recording;
        sources->kept_count = 0;
    }
    if (sources->kept_count == sources->kept.count) {
        ask_kept *more = LP_VEC_PUSH(&sources->kept);
        LP_REQUIRE(more != NULL, NULL);
        *more = (ask_kept){0};
    }
    ask_kept *kept = &sources->kept.items[sources->kept_count];
    if (kept->bytes.capacity < size_bytes) {
        sources->kept_bytes -= kept->counted;
        kept->counted = 0;
        lp_buf_fini(&kept->bytes);
        LP_REQUIRE(size_bytes <= sources->kept_bytes_max - sources->kept_bytes, NULL);
        lp_buf_reserve(&kept->bytes, size_bytes);
        kept->counted = size_bytes;
        sources->kept_bytes += size_bytes;
    }
    lp_buf_clear(&kept->bytes);
    kept->chunk = index;
    sources->kept_count++;
    return &kept->bytes;
}

static lp_err
read_chunk(ask_sources *sources, const ask_chunk *chunk, const ask_recording *recording, lp_buf *to)
{
    const blob_name name = name_of(recording, chunk);
    return chunk->is_pending ? snapshot_read_chunk(recording->pending, chunk->pending_index, to)
                             : blobs_read_chunk(sources->blobs, &name, to);
}

lp_err
ask_sources_open(ask_sources *sources, size_t index, lp_slice *out_bytes)
{
    sources_check(sources);
    LP_ASSERT(index < sources->chunks.count);
    const ask_chunk *chunk = &sources->chunks.items[index];
    const ask_recording *recording = &sources->recordings.items[chunk->recording];
    if (chunk->is_left_out) {
        return LP_ECORRUPT; // it stays left out
    }
    if (chunk->is_pending) {
        *out_bytes = snapshot_lend_chunk(recording->pending, chunk->pending_index);
        if (out_bytes->ptr != NULL) {
            return LP_OK;
        }
    }
    const lp_buf *found = find_kept(sources, index);
    if (found != NULL) {
        *out_bytes = lp_buf_slice(found);
        return LP_OK;
    }
    lp_buf_clear(&sources->bytes);
    bool is_too_large = chunk->size_bytes > ASK_CHUNK_BYTES_MAX;
    sources->is_truncated |= is_too_large;
    lp_buf *to = is_too_large ? NULL : make_kept(sources, index, (size_t)chunk->size_bytes);
    bool is_kept = to != NULL;
    to = is_kept ? to : &sources->bytes;
    lp_err err = is_too_large ? LP_ELIMIT : read_chunk(sources, chunk, recording, to);
    if (err == LP_OK) {
        *out_bytes = lp_buf_slice(to);
        return LP_OK;
    }
    sources->kept_count -= is_kept ? 1 : 0;
    LP_REQUIRE(err != LP_ENOMEM, err);
    lp_log(LP_LOG_ERROR, "recording %s: chunk %" PRIu32 ": %s", recording->id, chunk->ordinal,
        lp_err_reason(err));
    ask_sources_leave_out(sources, index);
    return LP_ECORRUPT;
}

void
ask_sources_release(ask_sources *sources)
{
    sources_check(sources);
    lp_buf_fini(&sources->bytes);
}

void
ask_sources_leave_out(ask_sources *sources, size_t index)
{
    sources_check(sources);
    LP_ASSERT(index < sources->chunks.count);
    ask_chunk *chunk = &sources->chunks.items[index];
    if (!chunk->is_left_out) { // count it once
        chunk->is_left_out = true;
        sources->left_out++;
        metrics_add(METRICS_ask_chunks_left_out, 1);
    }
}
