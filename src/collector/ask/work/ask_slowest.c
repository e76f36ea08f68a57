// SPDX-License-Identifier: Apache-2.0

#include "collector/ask/work/ask_slowest.h"

#include "collector/ask/work/ask_pending.h"
#include "collector/store/catalog/catalog_longest.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_map.h"
#include "common/base/lp_order.h"
#include "common/base/lp_time.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST_ROUND = 8, // chunks that are looked at; each further round has twice as many
    // The one that is looked at, the one behind, and the first that is not read.
    LISTED_BESIDES = 3,
};

static const int64_t ROUNDING_NS = 1000; // of durations, by two clocks

// A source before it is added.
typedef struct found_chunk {
    ask_chunk chunk;
    bool is_looked_at;
    int64_t start_wall_ns; // INT64_MAX: unknown
    int64_t whole_from_ns; // contexts that begin before are not listed
} found_chunk;

// What is listed of a source.
typedef struct source_mark {
    bool is_looked_at;
    int64_t start_wall_ns;
    int64_t whole_from_ns;
} source_mark;

// A context that began before the chunk of its last event. An earlier chunk has it as well, and may
// be read in another round, without the last event: the longer one is listed.
typedef LP_VEC(int64_t) durations;

typedef struct slowest {
    ask_work *work;
    catalog *from;
    query_listing *listing;
    const query_selection *selection;
    rollup_unit unit;
    LP_VEC(catalog_longest) chunks; // the first of the selection, the longest first
    uint64_t selected;              // all chunks of the selection
    size_t next;                    // index in chunks of the next one to look at
    uint64_t looked_at;             // chunks
    // The longest of the chunks that are looked at in part, and of those of the selection that are
    // not in `chunks` or found no room; -1: none
    int64_t cut_ns;
    uint64_t bytes;            // of all sources, and of `found`
    bool wants_all;            // few chunks are selected: all are looked at, in one round
    LP_VEC(found_chunk) found; // of the recording at hand
    LP_VEC(source_mark) marks; // of each source
    size_t first;              // source of the round
    lp_map spanning_of;        // contexts that span chunks, by key_of: indexes of `spanning`
    durations spanning;        // how long they are
    lp_err err;                // of a callback
} slowest;

// A walk from a chunk that is looked at to the chunks before it.
typedef struct walk {
    slowest *of;
    uint32_t recording;
    uint32_t ordinal; // of the chunk; UINT32_MAX: it is pending
    int64_t longest_ns;
    int64_t since_wall_ns; // nothing in it began earlier; INT64_MAX: not known yet
    uint32_t back;         // chunks before it so far
    int64_t last_end_ns;   // of the last one
    int64_t whole_from_ns; // INT64_MIN: all chunks before it that are needed were found
} walk;

static void
slowest_check(const slowest *s)
{
    LP_ASSERT(s->next <= s->chunks.count && s->first <= s->work->sources.chunks.count);
    LP_ASSERT(s->marks.count == s->work->sources.chunks.count);
    LP_ASSERT(s->listing->sort == QUERY_SORT_DURATION);
}

bool
ask_slowest_may_list(const query_selection *selection)
{
    return selection->context == NULL && selection->trace == NULL && selection->any_id == NULL &&
           selection->thread == NULL && selection->pool == NULL && !selection->has_id &&
           !selection->has_request && selection->where_count == 0;
}

// --- Chunks of the selection

LP_COMPARE(compare_lengths, catalog_longest,
    LP_ORDER(other->longest_ns, one->longest_ns)
        ?: strcmp(one->session_id, other->session_id) ?: LP_ORDER(other->ordinal, one->ordinal))

static void
note_longest(void *arg, const catalog_longest *chunk)
{
    slowest *s = arg;
    LP_THEN(s->err, LP_VEC_ADD(&s->chunks, *chunk));
}

static void
note_cut(slowest *s, int64_t longest_ns)
{
    s->cut_ns = longest_ns > s->cut_ns ? longest_ns : s->cut_ns;
}

// list_of lists the chunks of a service, or of a session.
static lp_err
list_of(slowest *s, const char *service, const char *session_id)
{
    const query_selection *selection = s->selection;
    const catalog_longest_query query = {
        .unit = s->unit,
        .service = service,
        .version = selection->version,
        .session_id = session_id,
        .from_wall_ns = selection->from_wall_ns,
        .to_wall_ns = selection->to_wall_ns,
        .longest_min_ns = selection->min_duration_ns,
        .count_max = ASK_SLOWEST_CHUNKS_MAX,
    };
    uint64_t count = 0;
    size_t before = s->chunks.count;
    LP_REQUIRE(!ask_cancel_look(s->work->cancel), LP_ECLOSED);
    LP_TRY(catalog_longest_list(s->from, &query, note_longest, s, &count));
    LP_TRY(s->err);
    s->selected += count;
    if (count > s->chunks.count - before && s->chunks.count > before) {
        note_cut(s, s->chunks.items[s->chunks.count - 1].longest_ns);
    }
    return LP_OK;
}

// The names of services, or the ids of sessions, to list.
typedef struct names_of {
    slowest *s;
    LP_VEC(const char *) items; // in the arena of the sources
} names_of;

static void
note_name(names_of *names, const char *name)
{
    lp_arena *arena = &names->s->work->sources.arena;
    const char *copy = lp_arena_text(arena, name);
    LP_THEN(names->s->err, lp_arena_err(arena));
    LP_THEN(names->s->err, LP_VEC_ADD(&names->items, copy));
}

static void
note_service(void *arg, const char *service)
{
    names_of *names = arg;
    if (ask_query_may_read(names->s->work->query, service)) {
        note_name(names, service);
    }
}

static void
note_session(void *arg, const catalog_session *row)
{
    names_of *names = arg;
    if (ask_query_selects(names->s->selection, row) &&
        ask_query_may_read(names->s->work->query, row->service)) {
        note_name(names, row->id);
    }
}

static lp_err
find_names(slowest *s, bool is_of_sessions, names_of *names)
{
    const query_selection *selection = s->selection;
    if (selection->recording != NULL) {
        lp_err err = catalog_find(s->from, selection->recording, note_session, names);
        return err == LP_ENOENT ? LP_OK : err;
    }
    if (is_of_sessions) {
        const catalog_query query = {.service = selection->service,
            .instance = selection->instance,
            .version = selection->version,
            .count_max = ASK_RECORDINGS_MAX};
        LP_TRY(catalog_list(s->from, &query, note_session, names));
        s->work->sources.is_truncated |= names->items.count == ASK_RECORDINGS_MAX;
        return LP_OK;
    }
    if (selection->service != NULL) {
        note_service(names, selection->service);
        return LP_OK;
    }
    return catalog_longest_services(s->from, note_service, names);
}

// list_chunks lists the first chunks of the selection.
static lp_err
list_chunks(slowest *s)
{
    bool is_of_sessions = s->selection->recording != NULL || s->selection->instance != NULL;
    names_of names = {.s = s};
    lp_err err = find_names(s, is_of_sessions, &names);
    LP_THEN(err, s->err);
    for (size_t i = 0; i < names.items.count && err == LP_OK; i++) {
        const char *name = names.items.items[i];
        err = is_of_sessions ? list_of(s, NULL, name) : list_of(s, name, NULL);
    }
    LP_VEC_FINI(&names.items);
    LP_QSORT(s->chunks.items, s->chunks.count, compare_lengths);
    return err;
}

// --- The chunks to read of a recording

// add_found adds a chunk once.
static void
add_found(slowest *s, ask_chunk chunk, bool is_looked_at, int64_t start_wall_ns)
{
    const found_chunk item = {chunk, is_looked_at, start_wall_ns, INT64_MIN};
    found_chunk *known =
        LP_FIND(s->found.items, s->found.count, at->chunk.ordinal == chunk.ordinal);
    if (known != NULL) {
        known->is_looked_at |= is_looked_at;
        return;
    }
    LP_THEN(s->err, LP_VEC_ADD(&s->found, item));
    s->bytes += chunk.size_bytes;
}

static int64_t
find_since(const walk *w, const catalog_chunk *chunk)
{
    LP_REQUIRE(chunk->has_bounds, INT64_MIN);
    int64_t context_ns = lp_time_add(chunk->bounds.context_begin_min_ns, -ROUNDING_NS);
    int64_t longest_ns = lp_time_add(chunk->start_wall_ns, -w->longest_ns - ROUNDING_NS);
    bool is_of_requests = w->of->unit == ROLLUP_REQUESTS;
    return is_of_requests && longest_ns < context_ns ? longest_ns : context_ns;
}

static uint32_t
back_max(const slowest *s)
{
    return s->wants_all ? ASK_SLOWEST_ALL_MAX : ASK_SLOWEST_BACK_MAX;
}

// note_back adds a chunk of the walk: the one behind, the one that is looked at, and those before
// it since the contexts in it began.
static bool
note_back(void *arg, const catalog_chunk *chunk)
{
    walk *w = arg;
    slowest *s = w->of;
    ask_chunk found = ask_sources_stored_chunk(chunk, w->recording);
    if (chunk->ordinal == w->ordinal) {
        w->since_wall_ns = find_since(w, chunk);
    } else if (w->ordinal == UINT32_MAX || chunk->ordinal < w->ordinal) {
        if (found.end_wall_ns < w->since_wall_ns) {
            return false;
        }
        if (w->back++ == back_max(s)) {
            w->whole_from_ns = w->last_end_ns;
            return false;
        }
    }
    w->last_end_ns = found.end_wall_ns;
    add_found(s, found, chunk->ordinal == w->ordinal, chunk->start_wall_ns);
    return s->err == LP_OK;
}

// look_at finds the chunks to read for a chunk that is looked at.
static lp_err
look_at(slowest *s, uint32_t recording, const catalog_longest *chunk)
{
    LP_ASSERT(recording < s->work->sources.recordings.count);
    walk w = {.of = s,
        .recording = recording,
        .ordinal = chunk->ordinal,
        .longest_ns = chunk->longest_ns,
        .since_wall_ns = INT64_MAX,
        .whole_from_ns = INT64_MIN};
    uint32_t end = chunk->ordinal > UINT32_MAX - 2 ? UINT32_MAX : chunk->ordinal + 2;
    LP_TRY(catalog_list_chunks_back(
        s->from, chunk->session_id, end, back_max(s) + LISTED_BESIDES, note_back, &w));
    LP_TRY(s->err);
    found_chunk *own = LP_FIND(
        s->found.items, s->found.count, at->is_looked_at && at->chunk.ordinal == chunk->ordinal);
    if (own != NULL) {
        own->whole_from_ns = w.whole_from_ns;
    }
    if (w.whole_from_ns == INT64_MIN) {
        s->looked_at++;
    } else {
        note_cut(s, chunk->longest_ns);
    }
    return LP_OK;
}

LP_COMPARE(compare_found, found_chunk, LP_ORDER(one->chunk.ordinal, other->chunk.ordinal))

// add_sources adds the found chunks in their order.
static lp_err
add_sources(slowest *s)
{
    ask_sources *sources = &s->work->sources;
    LP_QSORT(s->found.items, s->found.count, compare_found);
    for (size_t i = 0; i < s->found.count; i++) {
        const found_chunk *item = &s->found.items[i];
        const source_mark mark = {item->is_looked_at, item->start_wall_ns, item->whole_from_ns};
        ask_sources_add_chunk(sources, item->chunk);
        LP_TRY(lp_arena_err(&sources->arena));
        LP_TRY(LP_VEC_ADD(&s->marks, mark));
    }
    s->found.count = 0;
    return LP_OK;
}

// --- Recordings

static void
note_recording(void *arg, const catalog_session *row)
{
    slowest *s = arg;
    ask_sources_add_recording(&s->work->sources, row, QUERY_IN_SELECTION);
}

// find_recording finds or adds a recording. *out_index is its index. Errors: LP_ENOENT it was
// removed
static lp_err
find_recording(slowest *s, const char *id, uint32_t *out_index)
{
    ask_sources *sources = &s->work->sources;
    const ask_recording *known =
        LP_FIND(sources->recordings.items, sources->recordings.count, strcmp(at->id, id) == 0);
    if (known == NULL) {
        LP_TRY(catalog_find(s->from, id, note_recording, s));
        LP_TRY(lp_arena_err(&sources->arena));
        LP_ASSERT(sources->recordings.count > 0);
    }
    *out_index = known != NULL ? (uint32_t)(known - sources->recordings.items)
                               : (uint32_t)sources->recordings.count - 1;
    return LP_OK;
}

// has_room returns whether to read more. A round begins with the limits; it ends early at twice as
// much.
static bool
has_room(const slowest *s, unsigned times)
{
    size_t count = s->work->sources.chunks.count + s->found.count;
    bool is_full = count >= times * (size_t)ASK_SLOWEST_CHUNKS_MAX ||
                   s->bytes >= times * (uint64_t)ASK_SLOWEST_BYTES_MAX;
    return s->wants_all || !is_full;
}

// look_at_some adds the sources for some chunks of one recording.
static lp_err
look_at_some(slowest *s, const catalog_longest *chunks, size_t count)
{
    uint32_t recording;
    lp_err err = find_recording(s, chunks[0].session_id, &recording);
    if (err != LP_OK) {
        s->looked_at += err == LP_ENOENT ? count : 0;
        return err == LP_ENOENT ? LP_OK : err;
    }
    const snapshot *pending = s->work->sources.recordings.items[recording].pending;
    uint32_t chunk_end =
        pending != NULL && pending->err == LP_OK ? pending->next_chunk : UINT32_MAX;
    bool is_before_pending = false;
    LP_REQUIRE(!ask_cancel_look(s->work->cancel), LP_ECLOSED);
    for (size_t i = 0; i < count; i++) {
        if (chunks[i].ordinal >= chunk_end) { // it is in the snapshot
            s->looked_at++;
            continue;
        }
        if (!has_room(s, 2)) {
            note_cut(s, chunks[i].longest_ns);
            continue;
        }
        is_before_pending |= pending != NULL && chunks[i].ordinal + 1 == chunk_end;
        LP_TRY(look_at(s, recording, &chunks[i]));
    }
    LP_VEC_KEEP(at, &s->found, at->chunk.ordinal < chunk_end);
    if (is_before_pending && pending->chunks.count > 0) {
        add_found(s, ask_sources_pending_chunk(pending, recording, 0), false, INT64_MAX);
    }
    LP_TRY(s->err);
    return add_sources(s);
}

// --- Uncompacted data

typedef LP_VEC(ask_pending) pending_list;

typedef struct running {
    slowest *s;
    pending_list items;
} running;

static void
note_running(void *arg, const catalog_session *row)
{
    running *r = arg;
    slowest *s = r->s;
    if (row->is_ended || !ask_query_selects(s->selection, row) ||
        !ask_query_may_read(s->work->query, row->service)) {
        return;
    }
    lp_arena *arena = &s->work->sources.arena;
    const char *id = lp_arena_text(arena, row->id);
    LP_THEN(s->err, lp_arena_err(arena));
    LP_THEN(s->err, LP_VEC_ADD(&r->items, (ask_pending){.session_id = id}));
}

// is_late returns whether the uncompacted data of a session begins too late for the selection.
static bool
is_late(const slowest *s, const char *session_id)
{
    int64_t end_wall_ns;
    const int64_t reach_ns = CATALOG_LONGEST_REACH_S * (int64_t)1000000000;
    return s->selection->to_wall_ns != INT64_MAX &&
           catalog_find_end(s->from, session_id, &end_wall_ns) == LP_OK &&
           end_wall_ns > lp_time_add(s->selection->to_wall_ns, reach_ns);
}

// look_at_pending adds the uncompacted chunks of a recording, and the stored ones since the
// contexts in them began.
static lp_err
look_at_pending(slowest *s, ask_pending *item)
{
    uint32_t recording;
    ask_sources *sources = &s->work->sources;
    lp_err err = item->snapshot->err;
    if (err == LP_EIO || err == LP_ECORRUPT) {
        sources->left_out++;
    }
    if (err == LP_EIO || err == LP_ECORRUPT || err == LP_ENOENT) { // LP_ENOENT: all is stored
        return LP_OK;
    }
    LP_TRY(err);
    err = find_recording(s, item->session_id, &recording);
    LP_REQUIRE(err == LP_OK, err == LP_ENOENT ? LP_OK : err);
    const snapshot *pending = item->snapshot;
    sources->recordings.items[recording].pending = item->snapshot; // moves
    item->snapshot = NULL;
    walk w = {.of = s,
        .recording = recording,
        .ordinal = UINT32_MAX,
        .since_wall_ns = INT64_MAX,
        .whole_from_ns = INT64_MIN};
    for (size_t i = 0; i < pending->chunks.count; i++) {
        int64_t since_ns = pending->chunks.items[i].since_wall_ns;
        w.since_wall_ns = since_ns < w.since_wall_ns ? since_ns : w.since_wall_ns;
    }
    LP_TRY(catalog_list_chunks_back(s->from, sources->recordings.items[recording].id,
        pending->next_chunk, back_max(s) + LISTED_BESIDES, note_back, &w));
    for (uint32_t i = 0; i < pending->chunks.count; i++) {
        int64_t start_ns = pending->chunks.items[i].start_wall_ns; // 0: unknown
        add_found(s, ask_sources_pending_chunk(pending, recording, i), true,
            start_ns == 0 ? INT64_MAX : start_ns);
        if (s->err == LP_OK) {
            s->found.items[s->found.count - 1].whole_from_ns = w.whole_from_ns;
        }
    }
    if (w.whole_from_ns != INT64_MIN) {
        s->cut_ns = INT64_MAX;
    }
    LP_TRY(s->err);
    return add_sources(s);
}

static lp_err
get_pending(slowest *s, pending_list *items)
{
    LP_TRY(ask_pending_get(s->work->store->snapshots, items->items, items->count, s->work->cancel));
    lp_err err = LP_OK;
    for (size_t i = 0; i < items->count; i++) {
        LP_THEN(err, look_at_pending(s, &items->items[i]));
        snapshot_unref(items->items[i].snapshot);
    }
    return err;
}

// find_pending looks at the uncompacted data of running JVMs, or counts the JVMs if there are too
// many. Stored chunks are listed later: all before the snapshots are stored by then.
static lp_err
find_pending(slowest *s)
{
    running r = {.s = s};
    const char *one = s->selection->recording;
    lp_err err = one != NULL
                     ? catalog_find(s->from, one, note_running, &r)
                     : catalog_list_running(s->from, s->selection->service, note_running, &r);
    err = err == LP_ENOENT ? LP_OK : err;
    LP_THEN(err, s->err);
    LP_VEC_KEEP(at, &r.items, !is_late(s, at->session_id));
    if (r.items.count > ASK_SLOWEST_RUNNING_MAX) {
        s->work->unread.recordings = r.items.count;
    } else if (r.items.count > 0) {
        LP_THEN(err, get_pending(s, &r.items));
    }
    LP_VEC_FINI(&r.items);
    return err;
}

// --- Rounds

static uint32_t
recording_of(const slowest *s, uint32_t source)
{
    LP_ASSERT(source < s->work->sources.chunks.count);
    return s->work->sources.chunks.items[source].recording;
}

// key_of returns a hash of a context, or of a request.
static uint64_t
key_of(const slowest *s, const query_answer *answer)
{
    bool is_request = answer->request != NULL;
    const uint64_t parts[] = {recording_of(s, answer->source),
        is_request ? answer->request->facts.id : (uint64_t)answer->ref.begin,
        is_request ? 0 : answer->ref.hash};
    return lp_hash_bytes(lp_hash_seed(), (lp_slice){(const uint8_t *)parts, sizeof(parts)});
}

static bool
is_same(const slowest *s, const query_answer *answer, const query_listed *item)
{
    bool has_its_id = answer->request != NULL ? item->request.id == answer->request->facts.id
                                              : ctx_ref_is_same(item->ref, answer->ref);
    return has_its_id && recording_of(s, item->source) == recording_of(s, answer->source);
}

// remove_shorter removes the item that an earlier round listed for a context, without its end.
static void
remove_shorter(slowest *s, const query_answer *answer)
{
    query_listing *listing = s->listing;
    const query_listed *item =
        LP_FIND(listing->items.items, listing->items.count, is_same(s, answer, at));
    if (item == NULL) {
        return;
    }
    query_listing_remove(listing, (size_t)(item - listing->items.items));
    s->work->outcome.contexts--;
    // If the whole one is before the cursor, an item that was dropped for this one has a place now.
    s->work->outcome.is_truncated |=
        listing->has_more &&
        !query_listing_wants(listing, answer->begin_wall_ns, answer->duration_ns);
}

// note_spanning notes a context that spans chunks. *out_is_listed is whether the list has all of it
// already.
static lp_err
note_spanning(slowest *s, const query_answer *answer, bool spans, bool *out_is_listed)
{
    uint64_t key = key_of(s, answer);
    uint32_t known = lp_map_find(&s->spanning_of, key);
    bool is_known = known != LP_MAP_NONE;
    *out_is_listed = is_known && s->spanning.items[known] >= answer->duration_ns;
    if (!spans || *out_is_listed) {
        return LP_OK;
    }
    if (s->first > 0) {
        remove_shorter(s, answer);
    }
    if (is_known) {
        s->spanning.items[known] = answer->duration_ns;
        return LP_OK;
    }
    LP_TRY(lp_map_put(&s->spanning_of, key, (uint32_t)s->spanning.count));
    return LP_VEC_ADD(&s->spanning, answer->duration_ns);
}

static lp_err
on_context(void *arg, const query_answer *answer)
{
    slowest *s = arg;
    LP_ASSERT(s->first + answer->source < s->marks.count);
    const source_mark *mark = &s->marks.items[s->first + answer->source];
    if (!mark->is_looked_at || answer->begin_wall_ns < mark->whole_from_ns) {
        return LP_OK;
    }
    query_answer moved = *answer;
    bool is_listed;
    moved.source += (uint32_t)s->first;
    moved.first_source += (uint32_t)s->first;
    LP_TRY(note_spanning(s, &moved, moved.begin_wall_ns < mark->start_wall_ns, &is_listed));
    if (is_listed) {
        return LP_OK;
    }
    s->work->outcome.contexts++;
    return query_listing_add(s->listing, &moved);
}

static bool
wants_events(void *arg, int64_t begin_wall_ns, int64_t duration_ns)
{
    return query_listing_wants(((slowest *)arg)->listing, begin_wall_ns, duration_ns);
}

static lp_err
open_source(void *arg, size_t source, lp_slice *out_bytes, lp_problem *out_problem)
{
    const slowest *s = arg;
    const query_sources *all = &s->work->chunks;
    return all->open(all->arg, s->first + source, out_bytes, out_problem);
}

static void
release_source(void *arg, size_t source, lp_slice bytes)
{
    const slowest *s = arg;
    const query_sources *all = &s->work->chunks;
    all->release(all->arg, s->first + source, bytes);
}

static lp_err
on_unreadable(void *arg, size_t source, const lp_problem *problem)
{
    const slowest *s = arg;
    (void)problem; // ask_sources_open has logged it
    ask_sources_leave_out(&s->work->sources, s->first + source);
    return LP_OK;
}

// run_round lists the contexts of the sources since s->first.
static lp_err
run_round(slowest *s)
{
    slowest_check(s);
    LP_TRY(ask_work_take_sources(s->work));
    const query_sources sources = {.items = s->work->chunks.items + s->first,
        .count = s->work->chunks.count - s->first,
        .open = open_source,
        .release = release_source,
        .arg = s};
    bool is_of_requests = s->unit == ROLLUP_REQUESTS;
    query_attributes attributes = {0};
    query_outcome outcome;
    const query_question question = {
        .sources = &sources,
        .selection = s->selection,
        .contexts_only = is_of_requests,
        .attributes = is_of_requests ? &attributes : NULL,
        .on_context = on_context,
        .wants_events = is_of_requests ? NULL : wants_events,
        .on_unreadable = on_unreadable,
        .arg = s,
        .is_cancelled = &s->work->cancel->is_cancelled,
    };
    lp_err err = query_run(&question, &s->work->names, &outcome);
    query_attributes_fini(&attributes);
    s->work->outcome.is_truncated |= outcome.is_truncated;
    s->work->outcome.unreadable_events += outcome.unreadable_events;
    s->work->outcome.damaged_places += outcome.damaged_places;
    s->first = s->work->chunks.count;
    return err;
}

LP_COMPARE(compare_places, catalog_longest,
    strcmp(one->session_id, other->session_id) ?: LP_ORDER(one->ordinal, other->ordinal))

// read_round looks at up to count chunks, as long as there is room.
static lp_err
read_round(slowest *s, size_t count)
{
    catalog_longest *chunks = &s->chunks.items[s->next];
    lp_err err = LP_OK;
    LP_ASSERT(count > 0 && count <= s->chunks.count - s->next);
    s->next += count;
    LP_QSORT(chunks, count, compare_places);
    for (size_t i = 0, n; i < count && err == LP_OK; i += n) {
        n = 1;
        while (i + n < count && strcmp(chunks[i + n].session_id, chunks[i].session_id) == 0) {
            n++;
        }
        err = look_at_some(s, &chunks[i], n);
    }
    return err == LP_OK ? run_round(s) : err;
}

// rest_ns returns the longest duration in chunks that are not looked at; -1: there are none.
static int64_t
rest_ns(const slowest *s)
{
    int64_t next_ns = s->next < s->chunks.count ? s->chunks.items[s->next].longest_ns : -1;
    return next_ns > s->cut_ns ? next_ns : s->cut_ns;
}

static bool
wants_rest(slowest *s, int64_t longest_ns)
{
    return longest_ns >= 0 &&
           query_listing_wants_below(s->listing, lp_time_add(longest_ns, ROUNDING_NS));
}

static lp_err
read_rounds(slowest *s)
{
    lp_err err = s->work->sources.chunks.count > 0 ? run_round(s) : LP_OK; // uncompacted chunks
    s->wants_all = s->selected <= ASK_SLOWEST_ALL_MAX;
    for (size_t round = s->wants_all ? ASK_SLOWEST_ALL_MAX : FIRST_ROUND;
         err == LP_OK && s->next < s->chunks.count && has_room(s, 1) &&
         (s->wants_all || wants_rest(s, s->chunks.items[s->next].longest_ns));
         round *= 2) {
        size_t left = s->chunks.count - s->next;
        err = read_round(s, left < round ? left : round);
    }
    return err;
}

static void
note_unread(slowest *s)
{
    ask_unread *unread = &s->work->unread;
    int64_t longest_ns = rest_ns(s);
    bool is_missing = wants_rest(s, longest_ns) || unread->recordings > 0;
    unread->chunks = s->selected > s->looked_at ? s->selected - s->looked_at : 0;
    unread->longest_ns = unread->chunks > 0 ? longest_ns : -1;
    s->work->outcome.is_truncated |= is_missing || s->work->sources.is_truncated;
    s->listing->has_more |= unread->chunks > 0 && s->listing->has_last;
}

lp_err
ask_slowest_list(ask_work *work, query_listing *listing)
{
    const query_selection *selection = &work->query->asked.selection;
    slowest s = {.work = work,
        .listing = listing,
        .selection = selection,
        .unit = selection->unit == QUERY_UNIT_REQUESTS ? ROLLUP_REQUESTS : ROLLUP_CONTEXTS,
        .cut_ns = -1};
    LP_ASSERT(work->sources.chunks.count == 0 && ask_slowest_may_list(selection));
    lp_err err = catalog_open_reader(work->store->catalog_path, &s.from, NULL);
    LP_THEN(err, find_pending(&s));
    LP_THEN(err, list_chunks(&s));
    LP_THEN(err, read_rounds(&s));
    if (err == LP_OK) {
        note_unread(&s);
    }
    catalog_close(s.from);
    LP_THEN(err, ask_work_read_list(work, listing));
    LP_VEC_FINI(&s.chunks);
    LP_VEC_FINI(&s.found);
    LP_VEC_FINI(&s.marks);
    LP_VEC_FINI(&s.spanning);
    lp_map_fini(&s.spanning_of);
    return err;
}
