// SPDX-License-Identifier: Apache-2.0
#include "collector/index/id_search.h"

#include "collector/base/metrics.h"
#include "common/base/lp_vec.h"

typedef LP_VEC(catalog_segment) segment_list;

typedef struct searching {
    const id_search *search;
    id_search_counts *counts;
    segment_list segments;
    lp_err err; // of a callback
} searching;

static void
note_segment(void *arg, const catalog_segment *segment)
{
    searching *s = arg;
    catalog_segment *item = LP_VEC_PUSH(&s->segments);
    if (item == NULL) {
        s->err = LP_ENOMEM;
        return;
    }
    *item = *segment;
}

static void
on_found(void *arg, const id_segment_chunk *chunk)
{
    const searching *s = arg;
    s->search->on_chunk(s->search->arg, id_segment_get_session(chunk).text, chunk->ordinal);
}

// on_uncovered takes a chunk without a segment for one that has the id: who reads it sees.
static void
on_uncovered(void *arg, const char *session_id, uint32_t ordinal)
{
    searching *s = arg;
    if (s->counts->uncovered == ID_SEARCH_UNCOVERED_MAX) {
        s->counts->has_more = true;
        return;
    }
    s->counts->uncovered++;
    s->search->on_chunk(s->search->arg, session_id, ordinal);
}

// get_range returns the times of chunks, with one more of those without a segment than may be read.
static catalog_ids_range
get_range(const id_search *search)
{
    return (catalog_ids_range){
        search->from_wall_ns, search->to_wall_ns, ID_SEARCH_UNCOVERED_MAX + 1};
}

// replace_segment looks for the chunks of a segment that cannot be read.
static lp_err
replace_segment(
    searching *s, id_objects *objects, catalog *from, const catalog_segment *segment, lp_err why)
{
    catalog_ids_range range = get_range(s->search);
    if (range.from_wall_ns < segment->from_wall_ns) {
        range.from_wall_ns = segment->from_wall_ns;
    }
    if (segment->to_wall_ns < range.to_wall_ns) {
        range.to_wall_ns = segment->to_wall_ns + 1; // which is no later than that
    }
    id_objects_complain(objects, segment, why);
    s->counts->damaged++;
    metrics_add(METRICS_index_files_unreadable, 1);
    return catalog_ids_list_hour(from, segment->hour, &range, on_uncovered, s);
}

static lp_err
search_segment(searching *s, id_objects *objects, catalog *from, const catalog_segment *segment)
{
    lp_err err = id_objects_search(objects, segment, s->search->hash, on_found, s);
    if (err == LP_EIO) {
        s->counts->unread++;
        metrics_add(METRICS_index_segments_unread, 1);
        return LP_OK;
    }
    if (err == LP_ENOENT || err == LP_ECORRUPT || err == LP_EVERSION) {
        return replace_segment(s, objects, from, segment, err);
    }
    s->counts->segments++;
    return err;
}

lp_err
id_search_run(
    id_objects *objects, catalog *from, const id_search *search, id_search_counts *out_counts)
{
    *out_counts = (id_search_counts){0};
    searching s = {.search = search, .counts = out_counts};
    const catalog_ids_range range = get_range(search);
    // In the order in which chunks go from one to the next: none is missed that goes meanwhile.
    lp_err err = catalog_ids_list_uncovered(from, &range, on_uncovered, &s);
    if (err == LP_OK) {
        err = catalog_ids_find(from, search->hash, &range, search->on_chunk, search->arg);
    }
    if (err == LP_OK) {
        err =
            catalog_segments_list(from, search->from_wall_ns, search->to_wall_ns, note_segment, &s);
    }
    err = err == LP_OK ? s.err : err;
    if (err == LP_OK) {
        id_objects_fetch_heads(objects, s.segments.items, s.segments.count);
    }
    for (size_t i = 0; i < s.segments.count && err == LP_OK; i++) {
        err = search_segment(&s, objects, from, &s.segments.items[i]);
    }
    LP_VEC_FINI(&s.segments);
    return err;
}
