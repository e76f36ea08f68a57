// SPDX-License-Identifier: Apache-2.0
#include "collector/index/id_search.h"

#include "collector/base/metrics.h"
#include "collector/base/workers.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"

#include <stdatomic.h>
#include <string.h>

typedef struct searching {
    id_segments *of;
    const id_search *search;
    id_search_seen *seen;
    id_search_counts *counts;
    LP_VEC(uint32_t) segments; // listed ones: indices in seen
    lp_err err;                // of a callback
    atomic_size_t next;        // index of the next untaken segment; orders nothing
} searching;

void
id_search_seen_fini(id_search_seen *seen)
{
    LP_VEC_FINI_EACH(&seen->segments, LP_VEC_FINI(&at->chunks));
    lp_map_fini(&seen->by_name);
    if (seen->of != NULL) {
        id_segments_end_search(seen->of);
    }
    seen->of = NULL;
}

// add_seen returns the index of a segment among those seen, to which it adds it if necessary;
// LP_MAP_NONE if memory ran out. If two segments share a hash, the first is always added again.
static uint32_t
add_seen(id_search_seen *seen, const catalog_segment *segment)
{
    uint64_t hash = lp_hash_text(lp_hash_seed(), segment->name);
    uint32_t index = lp_map_find(&seen->by_name, hash);
    if (index != LP_MAP_NONE &&
        strcmp(seen->segments.items[index].segment.name, segment->name) == 0) {
        return index;
    }
    index = (uint32_t)seen->segments.count;
    id_searched *item = LP_VEC_PUSH(&seen->segments);
    LP_REQUIRE(item != NULL && lp_map_put(&seen->by_name, hash, index) == LP_OK, LP_MAP_NONE);
    item->segment = *segment;
    return index;
}

static void
searching_check(const searching *s)
{
    LP_ASSERT(s->search->on_chunk != NULL);
    LP_ASSERT(s->seen->of == s->of);
    LP_ASSERT(s->counts->uncovered <= ID_SEARCH_UNCOVERED_MAX);
}

static void
note_segment(void *arg, const catalog_segment *segment)
{
    searching *s = arg;
    uint32_t index = add_seen(s->seen, segment);
    LP_THEN(s->err, index == LP_MAP_NONE ? LP_ENOMEM : LP_VEC_ADD(&s->segments, index));
}

static id_searched *
get_segment(const searching *s, size_t index)
{
    LP_ASSERT(index < s->segments.count);
    LP_ASSERT(s->segments.items[index] < s->seen->segments.count);
    return &s->seen->segments.items[s->segments.items[index]];
}

// on_uncovered counts a chunk without a segment as found: its reader checks it.
static void
on_uncovered(void *arg, const char *session_id, uint32_t ordinal)
{
    searching *s = arg;
    searching_check(s);
    if (s->counts->uncovered == ID_SEARCH_UNCOVERED_MAX) {
        s->counts->has_more = true;
        return;
    }
    s->counts->uncovered++;
    s->search->on_chunk(s->search->arg, session_id, ordinal);
}

// get_range returns the time range, and one more than the limit of uncovered chunks.
static catalog_ids_range
get_range(const id_search *search)
{
    return (catalog_ids_range){
        search->from_wall_ns, search->to_wall_ns, ID_SEARCH_UNCOVERED_MAX + 1, true};
}

// replace_segment reports the chunks of an unreadable segment.
static lp_err
replace_segment(searching *s, catalog *from, const catalog_segment *segment, lp_err why)
{
    searching_check(s);
    catalog_ids_range range = get_range(s->search);
    if (range.from_wall_ns < segment->from_wall_ns) {
        range.from_wall_ns = segment->from_wall_ns;
    }
    if (segment->to_wall_ns < range.to_wall_ns) {
        range.to_wall_ns =
            segment->to_wall_ns + 1; // cannot overflow: it is at most the range's end
    }
    id_segments_complain(s->of, segment, why);
    s->counts->damaged++;
    metrics_add(METRICS_index_files_unreadable, 1);
    return catalog_ids_list_hour(from, segment->hour, &range, on_uncovered, s);
}

// A segment while it is searched.
typedef struct gathering {
    id_searched *into;
    lp_err err; // LP_ENOMEM: a chunk is missing
} gathering;

static void
note_chunk(void *arg, const id_chunk *chunk)
{
    gathering *g = arg;
    LP_THEN(g->err, LP_VEC_ADD(&g->into->chunks, *chunk));
}

static void
search_segment(const searching *s, id_searched *item)
{
    gathering g = {.into = item};
    item->chunks.count = 0; // of a failed search
    item->err = id_segments_search(s->of, &item->segment, s->search->hash, note_chunk, &g);
    LP_THEN(item->err, g.err);
    item->is_done = item->err == LP_OK;
}

// search_some searches segments that no other thread has taken.
static void
search_some(void *arg, const atomic_bool *is_stopping)
{
    (void)is_stopping; // the searching thread stops it at once
    searching *s = arg;
    for (size_t i;
         (i = atomic_fetch_add_explicit(&s->next, 1, memory_order_relaxed)) < s->segments.count;) {
        id_searched *item = get_segment(s, i);
        if (!item->is_done) {
            search_segment(s, item);
        }
    }
}

// search_all searches all segments. Those that no head excludes are searched by several threads.
static void
search_all(searching *s)
{
    searching_check(s);
    workers *threads;
    size_t wanted = 0;
    for (size_t i = 0; i < s->segments.count; i++) {
        id_searched *item = get_segment(s, i);
        if (!item->is_done && id_segments_excludes(s->of, &item->segment, s->search->hash)) {
            item->err = LP_OK;
            item->is_done = true;
        }
        wanted += !item->is_done;
    }
    size_t count = wanted < ID_SEARCH_AT_ONCE ? wanted : ID_SEARCH_AT_ONCE;
    if (count < 2 || !id_segments_is_remote(s->of) ||
        workers_start("loupe-search", WORKERS_NORMAL, count, count, &threads) != LP_OK) {
        search_some(s, NULL);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        lp_err ignored = workers_push(threads, search_some, s); // the other threads search
        (void)ignored;
    }
    workers_stop(threads);
}

// report_segment calls on_chunk for the chunks found in a segment, or for all its chunks if it is
// unreadable, and counts it.
static lp_err
report_segment(searching *s, catalog *from, const id_searched *item)
{
    searching_check(s);
    if (item->err == LP_EIO) {
        s->counts->unread++;
        metrics_add(METRICS_index_segments_unread, 1);
        return LP_OK;
    }
    if (item->err == LP_ENOENT || item->err == LP_ECORRUPT || item->err == LP_EVERSION) {
        return replace_segment(s, from, &item->segment, item->err);
    }
    LP_ASSERT(item->is_done || item->err != LP_OK);
    for (size_t i = 0; i < item->chunks.count; i++) {
        const id_chunk *chunk = &item->chunks.items[i];
        const id_chunk_session session = id_chunk_get_session(chunk);
        s->search->on_chunk(s->search->arg, session.text, chunk->ordinal);
    }
    s->counts->segments++;
    return item->err;
}

// list_segments lists the segments, and reports chunks outside segments. The order is that in which
// chunks move, so a chunk that moves meanwhile is not missed.
static lp_err
list_segments(searching *s, catalog *from)
{
    searching_check(s);
    const id_search *search = s->search;
    const catalog_ids_range range = get_range(search);
    lp_err err = catalog_ids_list_uncovered(from, &range, on_uncovered, s);
    LP_THEN(err, catalog_ids_find(from, search->hash, &range, search->on_chunk, search->arg));
    LP_THEN(err,
        catalog_segments_list(from, search->from_wall_ns, search->to_wall_ns, note_segment, s));
    return err == LP_OK ? s->err : err;
}

lp_err
id_search_run(id_segments *of, catalog *from, const id_search *search, id_search_seen *seen,
    id_search_counts *out_counts)
{
    LP_ASSERT(search->on_chunk != NULL);
    LP_ASSERT(seen->of == NULL || seen->of == of);
    *out_counts = (id_search_counts){0};
    searching s = {.of = of, .search = search, .seen = seen, .counts = out_counts};
    if (seen->of == NULL) {
        id_segments_begin_search(of);
        seen->of = of;
    }
    lp_err err = list_segments(&s, from);
    if (err == LP_OK) {
        search_all(&s);
    }
    for (size_t i = 0; i < s.segments.count && err == LP_OK; i++) {
        err = report_segment(&s, from, get_segment(&s, i));
    }
    LP_VEC_FINI(&s.segments);
    return err;
}
