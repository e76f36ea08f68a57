// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/ids/{value}: the contexts with an attribute that is an id (query_chunk_find_ids) and
// has this value, in all JVMs, by begin (listing_json.h). The index of ids finds them.
// GET /api/v1/traces/{id}: the same for attributes that are a trace's id. The answer also has
//
//   "state": "kept"; "eliminated" if contexts with the id came in and none was kept; or "unknown"
//   "attributes": ["orderId"], the names of the attributes that have the value
//   "recordings": {"REC": {"service": "checkout", "instance": "web-7"}, ..}, of the listed contexts
//   "searched": {"from": .., "to": .., "segments": 31, "segments_unread": 0,
//     "chunks_without_segment": 0, "is_whole": true, "eliminated_since": "17953.."}
//
// Times are texts, or null without a bound. Segments are unread if the store or the disk did not
// return them: their chunks were not searched. Chunks without a segment were read instead of looked
// up. is_whole: all chunks were searched.
//
// Tests: tests/unit/collector/ask/test_ask.c

#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/work/ask_work.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_order.h"
#include "query/list/listing_json.h"
#include "query/select/json_parts.h"

#include <string.h>

static lp_err
set_trace(ask_query *query, const char *rest, lp_problem *problem)
{
    return ask_query_set(query, "trace", rest, problem);
}

static lp_err
set_any_id(ask_query *query, const char *rest, lp_problem *problem)
{
    (void)problem; // ask_routes_find requires a rest
    query->asked.selection.any_id = rest;
    return LP_OK;
}

static json_t *
time_json(int64_t wall_ns, int64_t none)
{
    return wall_ns == none ? json_null() : query_json_wall_ns(wall_ns);
}

// searched_json describes the search. Only callers that may read all services see numbers of the
// whole index.
static json_t *
searched_json(const ask_work *work)
{
    bool sees_all = ask_query_may_read(work->query, NULL);
    const query_selection *selection = &work->query->asked.selection;
    const ask_hits *hits = &work->hits;
    return json_pack("{s:o, s:o, s:o, s:I, s:I, s:b, s:o}", "from",
        time_json(selection->from_wall_ns, INT64_MIN), "to",
        time_json(selection->to_wall_ns, INT64_MAX), "segments",
        sees_all ? json_integer((json_int_t)hits->searched) : json_null(), "segments_unread",
        (json_int_t)hits->unread, "chunks_without_segment", (json_int_t)hits->uncovered, "is_whole",
        hits->is_whole, "eliminated_since",
        time_json(sees_all ? hits->since_wall_ns : INT64_MAX, INT64_MAX));
}

// recordings_json describes the recordings of the listed contexts.
static json_t *
recordings_json(const ask_work *work, const query_listing *listing)
{
    const ask_sources *sources = &work->sources;
    json_t *all = json_object();
    for (size_t i = 0; i < listing->items.count; i++) {
        const ask_chunk *chunk = &sources->chunks.items[listing->items.items[i].source];
        const ask_recording *recording = &sources->recordings.items[chunk->recording];
        if (json_object_get(all, recording->id) == NULL) {
            all = query_json_set(all, recording->id,
                json_pack(
                    "{s:s, s:s}", "service", recording->service, "instance", recording->instance));
        }
    }
    return all;
}

LP_COMPARE(compare_names, char *const, strcmp(*one, *other))

// names_json returns the sorted names, each once.
static json_t *
names_json(const char **names, size_t count)
{
    json_t *all = json_array();
    size_t made = 0;
    LP_QSORT(names, count, compare_names);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || strcmp(names[i], names[i - 1]) != 0) {
            (void)json_array_append_new(all, json_string(names[i]));
            made++;
        }
    }
    return query_json_whole(all, made);
}

// attributes_json returns the names of the attributes that have the id.
static json_t *
attributes_json(const query_selection *selection, const query_listing *listing)
{
    const char *id = selection->any_id != NULL ? selection->any_id : selection->trace;
    LP_VEC(const char *) names = {0};
    bool is_failed = false;
    for (size_t i = 0; i < listing->items.count; i++) {
        const query_listed *item = &listing->items.items[i];
        for (size_t k = 0; k < item->attribute_count; k++) {
            const query_attribute *a = &item->attributes[k];
            if (a->is_id && query_attribute_has_id(a, id)) {
                const char **name = LP_VEC_PUSH(&names);
                is_failed |= name == NULL;
                if (name != NULL) {
                    *name = a->name;
                }
            }
        }
    }
    json_t *json = is_failed ? NULL : names_json(names.items, names.count);
    LP_VEC_FINI(&names);
    return json;
}

// add_found adds the members of these routes to a list, which may be NULL.
static json_t *
add_found(const ask_work *work, const query_listing *listing, json_t *json)
{
    const query_selection *selection = &work->query->asked.selection;
    const char *state = work->outcome.contexts > 0 ? "kept"
                        : work->hits.is_eliminated ? "eliminated"
                                                   : "unknown";
    json = query_json_set(json, "state", json_string(state));
    json = query_json_set(json, "attributes", attributes_json(selection, listing));
    json = query_json_set(json, "recordings", recordings_json(work, listing));
    return query_json_set(json, "searched", searched_json(work));
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    ask_work_check(work);
    query_listing listing = {
        .sort = QUERY_SORT_START, .limit = QUERY_LISTING_IDS_MAX, .wants_ids = true};
    lp_err err = ask_work_list(work, &listing);
    if (err == LP_OK) {
        work->outcome.is_truncated |=
            !work->hits.is_whole || work->outcome.contexts > listing.limit;
        json_t *json = query_listing_json(&listing, QUERY_UNIT_CONTEXTS, &work->names,
            &work->outcome, false, ask_work_recording, work);
        err = ask_work_answer(work, add_found(work, &listing, json), out_answer);
    }
    query_listing_fini(&listing);
    return err;
}

const ask_route ask_ids_route = {
    .path = "ids/",
    .has_index = true,
    .set_rest = set_any_id,
    .answer = answer,
};

const ask_route ask_traces_route = {
    .path = "traces/",
    .has_index = true,
    .set_rest = set_trace,
    .answer = answer,
};
