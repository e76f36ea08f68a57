// SPDX-License-Identifier: Apache-2.0
// A query over two chunks of a session, out of any bytes, that are opened for it: each wanted
// context is answered once, its time is divided without a rest, and the rows of all make up their
// time. Beside a base that is the rest, all contexts are answered. A graph of the same, in any
// format, is whole, and one of time has the sum of the rows. All other answers are made.
//
//   input: 1 byte: bits below, and the graph's format and measure; 2 bytes: how many bytes of the
//   first chunk; it; the second

#include "fuzz.h"
#include "fuzz_chunk.h"

#include "common/base/lp_assert.h"
#include "query/detail/detail.h"
#include "query/events/events.h"
#include "query/events/jvm_facts.h"
#include "query/events/jvm_lines.h"
#include "query/graph/graph.h"
#include "query/list/facets.h"
#include "query/list/listing_json.h"
#include "query/list/timeline.h"
#include "query/why/why_json.h"

enum {
    HEAD_BYTES = 3,
    BIT_AS_IT_IS = 1 << 0, // size in the header, too: chunks may be cut off
    BIT_NARROW = 1 << 1,   // asks for some contexts only
    GRAPH_BITS = 2,        // how far they are up
    LIMIT = 3,
};

typedef struct asked {
    lp_slice chunks[2];
    bool is_open;
    uint8_t sum;
    query_listing listing;
    query_why why;
    uint64_t count;
} asked;

// check_time expects the time of an answer to be divided without a rest.
static void
check_time(const query_answer *answer)
{
    int64_t sum_ns = answer->left_ns;
    LP_ASSERT(answer->duration_ns >= 0 && answer->left_ns >= 0);
    for (size_t i = 0; i < answer->row_count; i++) {
        LP_ASSERT(answer->spans[i].own_ns >= 0 && answer->spans[i].event < answer->row_count);
        sum_ns += answer->spans[i].own_ns;
    }
    for (size_t i = 0; i < answer->pause_count; i++) {
        LP_ASSERT(answer->pauses[i].own_ns >= 0 && answer->pauses[i].event < answer->pause_count);
        sum_ns += answer->pauses[i].own_ns;
    }
    LP_ASSERT(sum_ns == answer->duration_ns);
}

static lp_err
on_context(void *arg, const query_answer *answer)
{
    asked *a = arg;
    check_time(answer);
    for (size_t i = 0; i < answer->attribute_count; i++) {
        const query_attribute *attribute = &answer->attributes[i].attribute;
        LP_ASSERT(!attribute->is_null || attribute->value.len == 0);
        for (size_t k = 0; k < attribute->value.len; k++) {
            a->sum ^= attribute->value.ptr[k]; // the text is there
        }
    }
    LP_ASSERT(!a->is_open);
    a->count++;
    LP_ASSERT(query_listing_add(&a->listing, answer) == LP_OK);
    return query_why_add(&a->why, answer);
}

static lp_err
on_open(void *arg, size_t source, lp_slice *out_bytes, lp_problem *out_problem)
{
    asked *a = arg;
    (void)out_problem;
    LP_ASSERT(!a->is_open);
    a->is_open = true;
    *out_bytes = a->chunks[source];
    return LP_OK;
}

static void
on_release(void *arg, size_t source, lp_slice bytes)
{
    asked *a = arg;
    LP_ASSERT(a->is_open && bytes.ptr == a->chunks[source].ptr);
    a->is_open = false;
}

static const char *
recording(const void *arg, uint32_t source)
{
    (void)arg;
    return source == 0 ? "first" : "second";
}

// check_whole expects the rows to make up the time, unless that is more than a number has.
static void
check_whole(asked *a, const query_names *names)
{
    query_why_finish(&a->why, names);
    __int128 sum_ns = a->why.unaccounted_ns;
    for (size_t i = 0; i < a->why.slices.count; i++) {
        LP_ASSERT(a->why.slices.items[i].total_ns >= 0);
        sum_ns += a->why.slices.items[i].total_ns;
    }
    LP_ASSERT(sum_ns == a->why.total_ns || a->why.total_ns == INT64_MAX);
}

static query_selection
make_selection(bool is_narrow)
{
    query_selection selection = query_selection_begin(false);
    if (is_narrow) {
        LP_ASSERT(query_selection_set(&selection, "context", "Trace", NULL) == LP_OK);
        LP_ASSERT(query_selection_set(&selection, "where", "traceId!=x", NULL) == LP_OK);
        LP_ASSERT(query_selection_set(&selection, "thread", "thread-1", NULL) == LP_OK);
    }
    return selection;
}

static lp_err
pass(void *arg, const query_answer *answer)
{
    (void)arg;
    LP_ASSERT(answer->row_count + answer->pause_count == 0 && answer->in != 0);
    return LP_OK;
}

// count_contexts returns how many contexts there are of a selection, and of a base.
static query_outcome
count_contexts(
    const query_sources *sources, const query_selection *selection, const query_selection *base)
{
    query_names names = {0};
    query_outcome outcome;
    const query_question question = {.sources = sources,
        .selection = selection,
        .base = base,
        .contexts_only = true,
        .on_context = pass};
    LP_ASSERT(query_run(&question, &names, &outcome) == LP_OK);
    query_names_fini(&names);
    return outcome;
}

static void
check_rest(const query_sources *sources, const query_selection *selection, uint64_t count)
{
    query_selection all = make_selection(false);
    uint64_t all_count = count_contexts(sources, &all, NULL).contexts;
    all.is_rest = true;
    query_outcome outcome = count_contexts(sources, selection, &all);
    LP_ASSERT(outcome.contexts == count && outcome.base_contexts == all_count - count);
}

static void
check_json(asked *a, const query_sources *sources, query_names *names, const query_outcome *outcome)
{
    LP_ASSERT(query_listing_read(&a->listing, sources, names, NULL) == LP_OK);
    LP_ASSERT(a->listing.items.count == (a->count < LIMIT ? a->count : LIMIT));
    json_t *listing =
        query_listing_json(&a->listing, QUERY_UNIT_CONTEXTS, names, outcome, true, recording, NULL);
    json_t *why = query_why_json(&a->why, names, outcome);
    LP_ASSERT(listing != NULL && why != NULL);
    json_decref(listing);
    json_decref(why);
}

static lp_err
on_graph(void *arg, const query_answer *answer)
{
    return query_graph_add(arg, answer);
}

// draw draws a graph of the contexts.
static void
draw(const query_sources *sources, const query_selection *selection, const query_why *why,
    unsigned which)
{
    const query_selection all = make_selection(false);
    const query_graph_wish wish = {
        .format = (query_format)(which % QUERY_FORMATS),
        .measure = (query_measure)(which % QUERY_MEASURES),
        .max_nodes = 1 + which,
        .title = "title",
        .recording = recording,
    };
    query_names names = {0};
    query_outcome outcome;
    lp_buf out = {0};
    query_graph graph = query_graph_begin(&wish, &names);
    query_question question = {.sources = sources,
        .selection = selection,
        .base = query_format_has_base(wish.format) ? &all : NULL,
        .on_context = on_graph,
        .arg = &graph};
    query_graph_prepare(&graph, &question);
    LP_ASSERT(query_run(&question, &names, &outcome) == LP_OK);
    LP_ASSERT(query_graph_write(&graph, &outcome, question.base != NULL, &out) == LP_OK);
    const query_totals *totals = &graph.profile.totals[0];
    LP_ASSERT(totals->requests == why->requests && totals->value >= 0);
    LP_ASSERT(wish.measure != QUERY_MEASURE_TIME || totals->value == why->total_ns ||
              why->total_ns == INT64_MAX);
    query_graph_fini(&graph);
    lp_buf_fini(&out);
    query_names_fini(&names);
}

// What lists of events, timelines and attributes are made of.
typedef struct writers {
    query_events events;
    query_timeline timeline;
    query_facets facets;
} writers;

static lp_err
on_written(void *arg, const query_answer *answer)
{
    writers *w = arg;
    LP_ASSERT(query_events_add(&w->events, answer) == LP_OK);
    LP_ASSERT(query_timeline_add(&w->timeline, answer) == LP_OK);
    return query_facets_add(&w->facets, answer);
}

static void
write_events(query_events *events, const query_sources *sources, query_names *names,
    const query_outcome *outcome)
{
    const query_field_names all = {0};
    query_event_rows rows = {.only = &all, .recording = recording};
    json_t *json;
    LP_ASSERT(query_events_json(events, &rows, sources, names, outcome, NULL, &json) == LP_OK);
    json_decref(json);
    query_events_fini(events);
}

// Both answers about JVMs.
typedef struct jvms {
    query_jvm_lines lines;
    query_jvm_facts facts;
} jvms;

static lp_err
on_jvm_event(void *arg, query_chunk *chunk, const query_event *event, const query_listed *item)
{
    jvms *j = arg;
    lp_err err = query_jvm_lines_add(&j->lines, chunk, event, item);
    return err == LP_OK ? query_jvm_facts_add(&j->facts, chunk, event, item) : err;
}

// write_jvms makes the answers about JVMs.
static void
write_jvms(const query_question *question, query_names *names)
{
    query_outcome outcome;
    jvms j = {.facts = {.names = names, .sources = question->sources, .recording = recording}};
    LP_ASSERT(query_jvm_lines_init(&j.lines, names, 0, INT64_MAX, 3) == LP_OK);
    LP_ASSERT(query_events_scan(question, names, on_jvm_event, &j, &outcome) == LP_OK);
    json_t *json = query_jvm_lines_json(&j.lines);
    LP_ASSERT(json != NULL);
    json_decref(json);
    json = query_jvm_facts_json(&j.facts);
    LP_ASSERT(json != NULL);
    json_decref(json);
    query_jvm_lines_fini(&j.lines);
    query_jvm_facts_fini(&j.facts);
}

// write_all makes all other answers about the contexts.
static void
write_all(const query_sources *sources, const query_selection *selection)
{
    query_names names = {0};
    query_attributes attributes = {0};
    query_outcome outcome;
    json_t *json;
    writers w = {
        .events = {.list = {.sort = QUERY_SORT_START, .limit = LIMIT}, .names = &names},
        .facets = {.attributes = &attributes},
    };
    query_events scanned = w.events;
    query_question question = {.sources = sources,
        .selection = selection,
        .attributes = &attributes,
        .on_context = on_written,
        .arg = &w};
    LP_ASSERT(query_run(&question, &names, &outcome) == LP_OK);
    json = query_facets_json(&w.facets, LIMIT, false, &outcome);
    LP_ASSERT(json != NULL);
    json_decref(json);
    LP_ASSERT(query_timeline_json(&w.timeline, 100, sources, &names, &outcome, NULL, recording,
                  NULL, &json) == LP_OK);
    json_decref(json);
    write_events(&w.events, sources, &names, &outcome);
    LP_ASSERT(
        query_events_scan(&question, &names, query_events_add_event, &scanned, &outcome) == LP_OK);
    write_events(&scanned, sources, &names, &outcome);
    write_jvms(&question, &names);
    query_facets_fini(&w.facets);
    query_timeline_fini(&w.timeline);
    query_attributes_fini(&attributes);
    query_names_fini(&names);
}

static lp_err
on_detail(void *arg, const query_answer *answer)
{
    return query_detail_add(arg, answer);
}

static lp_err
on_around(void *arg, const query_answer *answer)
{
    return query_detail_add_around(arg, answer);
}

// write_one makes the answer about the first context.
static void
write_one(const query_sources *sources)
{
    query_names names = {0};
    query_outcome outcome;
    json_t *json;
    const query_selection all = make_selection(false);
    query_detail detail = query_detail_begin(QUERY_UNIT_CONTEXTS, &names);
    query_question question = {.sources = sources,
        .selection = &all,
        .wants_frames = true,
        .on_context = on_detail,
        .arg = &detail};
    LP_ASSERT(query_run(&question, &names, &outcome) == LP_OK);
    if (detail.is_found) {
        question.contexts_only = true;
        question.on_context = on_around;
        LP_ASSERT(query_run(&question, &names, &outcome) == LP_OK);
        LP_ASSERT(query_detail_read(&detail, sources, &names, NULL) == LP_OK);
        LP_ASSERT(
            query_detail_json(&detail, "first", sources, &names, &outcome, NULL, &json) == LP_OK);
        json_decref(json);
    }
    query_detail_fini(&detail);
    query_names_fini(&names);
}

static lp_err
on_request(void *arg, const query_answer *answer)
{
    check_time(answer);
    return query_detail_add(arg, answer);
}

// write_request makes the answer about the first request.
static void
write_request(const query_sources *sources)
{
    query_names names = {0};
    query_outcome outcome;
    json_t *json;
    query_selection all = make_selection(false);
    query_detail detail = query_detail_begin(QUERY_UNIT_REQUESTS, &names);
    query_question question = {
        .sources = sources, .selection = &all, .on_context = on_request, .arg = &detail};
    all.unit = QUERY_UNIT_REQUESTS;
    query_detail_prepare(&detail, &question);
    LP_ASSERT(query_run(&question, &names, &outcome) == LP_OK);
    if (detail.is_found) {
        LP_ASSERT(query_detail_read(&detail, sources, &names, NULL) == LP_OK);
        LP_ASSERT(
            query_detail_json(&detail, "first", sources, &names, &outcome, NULL, &json) == LP_OK);
        json_decref(json);
    }
    query_detail_fini(&detail);
    query_names_fini(&names);
}

static void
ask(asked *a, size_t chunk_count, bool is_narrow, unsigned which)
{
    query_names names = {0};
    query_attributes attributes = {0};
    query_outcome outcome;
    const query_source items[2] = {0};
    const query_sources sources = {
        .items = items, .count = chunk_count, .open = on_open, .release = on_release, .arg = a};
    const query_selection selection = make_selection(is_narrow);
    const query_question question = {
        .sources = &sources,
        .selection = &selection,
        .wants_frames = true,
        .attributes = &attributes,
        .on_context = on_context,
        .arg = a,
    };
    LP_ASSERT(query_run(&question, &names, &outcome) == LP_OK);
    LP_ASSERT(outcome.contexts == a->count && a->why.requests <= a->count);
    check_whole(a, &names);
    check_json(a, &sources, &names, &outcome);
    check_rest(&sources, &selection, a->count);
    draw(&sources, &selection, &a->why, which);
    write_all(&sources, &selection);
    write_one(&sources);
    write_request(&sources);
    query_listing_fini(&a->listing);
    query_why_fini(&a->why);
    query_attributes_fini(&attributes);
    query_names_fini(&names);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    if (count < HEAD_BYTES + FUZZ_CHUNK_BYTES_MIN) {
        return 0;
    }
    uint8_t bits = bytes[0];
    bool is_sized = (bits & BIT_AS_IT_IS) == 0;
    size_t rest = count - HEAD_BYTES;
    size_t first_bytes = (size_t)bytes[1] | (size_t)bytes[2] << 8;
    if (first_bytes < FUZZ_CHUNK_BYTES_MIN || first_bytes > rest) {
        return 0;
    }
    asked a = {.listing = {.sort = QUERY_SORT_BLOCKED, .limit = LIMIT}};
    a.chunks[0] = fuzz_chunk(bytes + HEAD_BYTES, first_bytes, is_sized);
    size_t chunk_count = 1;
    if (rest - first_bytes >= FUZZ_CHUNK_BYTES_MIN) {
        a.chunks[1] = fuzz_chunk(bytes + HEAD_BYTES + first_bytes, rest - first_bytes, is_sized);
        chunk_count = 2;
    }
    ask(&a, chunk_count, (bits & BIT_NARROW) != 0, bits >> GRAPH_BITS);
    fuzz_chunk_free(a.chunks[0]);
    fuzz_chunk_free(a.chunks[1]);
    return 0;
}
