// SPDX-License-Identifier: Apache-2.0

#include "collector/ask/work/ask_work.h"

#include "common/base/lp_assert.h"
#include "query/select/json_parts.h"

#include <stdlib.h>
#include <string.h>

void
ask_work_check(const ask_work *work)
{
    LP_ASSERT(work->query != NULL && work->store != NULL && work->cancel != NULL);
    LP_ASSERT(work->chunks.count == work->sources.chunks.count);
    LP_ASSERT(work->hits.is_known == work->query->route->has_index);
    LP_ASSERT(!work->query->route->is_of_catalog || work->chunks.open == NULL);
}

static lp_err
open_source(void *arg, size_t source, lp_slice *out_bytes, lp_problem *out_problem)
{
    ask_work *work = arg;
    LP_REQUIRE(!ask_cancel_look(work->cancel), LP_ECLOSED);
    lp_err err = ask_sources_open(&work->sources, source, out_bytes);
    return err == LP_OK ? LP_OK : lp_problem_set(out_problem, err, "%s", lp_err_text(err));
}

static void
release_source(void *arg, size_t source, lp_slice bytes)
{
    (void)source;
    (void)bytes;
    ask_sources_release(&((ask_work *)arg)->sources);
}

// The rights to hits, by the services in the catalog.
typedef struct reading {
    const ask_query *query;
    catalog *from;
    bool may_read;
} reading;

static void
on_recording(void *arg, const catalog_session *row)
{
    reading *r = arg;
    r->may_read = ask_query_may_read(r->query, row->service);
}

static bool
may_read(void *arg, const char *recording)
{
    reading *r = arg;
    r->may_read = false;
    lp_err err = catalog_find(r->from, recording, on_recording, r);
    return r->may_read || (err != LP_OK && err != LP_ENOENT); // listing it will fail as well
}

// find_hits finds the hits that the caller may read. It checks rights while the catalog is
// searched, so on a second connection.
static lp_err
find_hits(void *arg)
{
    ask_work *work = arg;
    const ask_store *store = work->store;
    catalog *searched = NULL;
    reading r = {.query = work->query};
    bool sees_all = ask_query_may_read(work->query, NULL);
    const ask_hits_rights rights = {sees_all ? NULL : may_read, &r};
    lp_err err = catalog_open_reader(store->catalog_path, &searched, NULL);
    LP_THEN(err, !sees_all ? catalog_open_reader(store->catalog_path, &r.from, NULL) : LP_OK);
    if (err == LP_OK) {
        err = ask_hits_find(
            &work->hits, store->ids, searched, &work->query->asked.selection, &rights);
        work->hits.is_eliminated &= sees_all; // the service is unknown
        work->hits.find_again = find_hits;
        work->hits.arg = work;
    }
    catalog_close(r.from);
    catalog_close(searched);
    return err;
}

lp_err
ask_work_open(ask_work *work, const ask_store *store, ask_files *files, const ask_query *query,
    ask_cancel *cancel)
{
    *work = (ask_work){.query = query, .store = store, .cancel = cancel, .files = files};
    if (query->route->is_of_catalog) {
        return LP_OK;
    }
    lp_err err = LP_OK;
    if (query->route->has_index) {
        err = find_hits(work);
    }
    if (query->route->lists_slowest != NULL && query->route->lists_slowest(query)) {
        ask_sources_begin(&work->sources, store);
    } else {
        LP_THEN(err, ask_sources_find(&work->sources, store, query, &work->hits, cancel));
    }
    return err == LP_OK ? ask_work_take_sources(work) : err;
}

lp_err
ask_work_take_sources(ask_work *work)
{
    size_t count = work->sources.chunks.count;
    query_source *items = calloc(count + 1, sizeof(*items));
    LP_REQUIRE(items != NULL, LP_ENOMEM);
    for (size_t i = 0; i < count; i++) {
        const ask_chunk *chunk = &work->sources.chunks.items[i];
        const ask_recording *recording = &work->sources.recordings.items[chunk->recording];
        items[i] = (query_source){
            .session = chunk->recording,
            .in = recording->in,
            .clock = recording->has_clock ? &recording->clock : NULL,
            .drift = recording->drift,
            .has_times = chunk->has_times,
            .times = chunk->times,
            .has_period = chunk->has_period,
        };
    }
    free((void *)(uintptr_t)work->chunks.items); // const for others only
    work->chunks = (query_sources){
        .items = items,
        .count = count,
        .open = open_source,
        .release = release_source,
        .arg = work,
    };
    ask_work_check(work);
    return LP_OK;
}

void
ask_work_close(ask_work *work)
{
    free((void *)(uintptr_t)work->chunks.items); // const for others only
    query_names_fini(&work->names);
    ask_sources_fini(&work->sources);
    ask_hits_fini(&work->hits);
    *work = (ask_work){0};
}

static lp_err
on_context(void *arg, const query_answer *answer)
{
    const ask_work *work = arg;
    return work->on_context(work->arg, answer);
}

static bool
wants_events(void *arg, int64_t begin_wall_ns, int64_t duration_ns)
{
    const ask_work *work = arg;
    return work->wants_events(work->arg, begin_wall_ns, duration_ns);
}

static lp_err
on_unreadable(void *arg, size_t source, const lp_problem *problem)
{
    (void)problem; // ask_sources_open has logged it
    ask_sources_leave_out(&((ask_work *)arg)->sources, source);
    return LP_OK;
}

void
ask_work_prepare(ask_work *work, query_question *question)
{
    ask_work_check(work);
    LP_ASSERT(!work->query->route->is_of_catalog); // that has no sources
    const query_comparison *asked = &work->query->asked;
    work->on_context = question->on_context;
    work->wants_events = question->wants_events;
    work->arg = question->arg;
    question->sources = &work->chunks;
    question->selection = question->selection == NULL ? &asked->selection : question->selection;
    question->base = asked->has_base ? &asked->base : NULL;
    question->on_context = on_context;
    question->wants_events = work->wants_events == NULL ? NULL : wants_events;
    question->on_unreadable = on_unreadable;
    question->arg = work;
    question->is_cancelled = &work->cancel->is_cancelled;
}

lp_err
ask_work_run(ask_work *work, query_question *question)
{
    ask_work_prepare(work, question);
    lp_err err = query_run(question, &work->names, &work->outcome);
    work->outcome.is_truncated |= work->sources.is_truncated;
    return err;
}

lp_err
ask_work_scan(ask_work *work, query_question *question, query_on_event *on_event, void *arg)
{
    ask_work_prepare(work, question);
    lp_err err = query_events_scan(question, &work->names, on_event, arg, &work->outcome);
    work->outcome.is_truncated |= work->sources.is_truncated;
    return err;
}

static size_t
count_name(const query_names *names, uint32_t number)
{
    const char *name = query_names_text(names, number);
    return query_json_text_bytes((lp_slice){(const uint8_t *)name, strlen(name)});
}

static size_t
count_row(const query_listed *item, const query_names *names)
{
    LP_DEBUG_ASSERT(item->attribute_count == 0 || item->attributes != NULL);
    size_t bytes =
        ASK_WORK_ROW_BYTES + count_name(names, item->type) + count_name(names, item->thread);
    for (size_t i = 0; i < item->attribute_count; i++) {
        bytes += query_json_text_bytes(item->attributes[i].value);
    }
    return bytes;
}

bool
ask_work_cut(query_listing *listing, const query_names *names, size_t bytes_max)
{
    size_t bytes = 0;
    for (size_t i = 0; i < listing->items.count; i++) {
        bytes += count_row(&listing->items.items[i], names);
        if (bytes > bytes_max && i > 0) {
            query_listing_cut(listing, i);
            return true;
        }
    }
    return false;
}

lp_err
ask_work_list(ask_work *work, query_listing *listing)
{
    ask_work_check(work);
    bool is_of_requests = work->query->asked.selection.unit == QUERY_UNIT_REQUESTS;
    query_attributes attributes = {0};
    query_question question = {
        .contexts_only = is_of_requests, // they have all facts themselves
        .attributes = is_of_requests ? &attributes : NULL,
        .on_context = query_listing_add,
        .wants_events = is_of_requests ? NULL : query_listing_wants,
        .arg = listing,
    };
    lp_err err = ask_work_run(work, &question);
    query_attributes_fini(&attributes);
    return err == LP_OK ? ask_work_read_list(work, listing) : err;
}

lp_err
ask_work_read_list(ask_work *work, query_listing *listing)
{
    ask_work_check(work);
    listing->attribute_bytes_max = ASK_WORK_LIST_BYTES_MAX;
    lp_err err =
        query_listing_read(listing, &work->chunks, &work->names, &work->cancel->is_cancelled);
    if (err == LP_OK) {
        bool is_cut = ask_work_cut(listing, &work->names, ASK_WORK_LIST_BYTES_MAX);
        work->outcome.is_truncated |= is_cut || listing->is_cut;
    }
    return err;
}

const char *
ask_work_recording(const void *arg, uint32_t source)
{
    const ask_sources *sources = &((const ask_work *)arg)->sources;
    ask_work_check(arg);
    LP_ASSERT(source < sources->chunks.count);
    LP_ASSERT(sources->chunks.items[source].recording < sources->recordings.count);
    return sources->recordings.items[sources->chunks.items[source].recording].id;
}

lp_err
ask_work_answer(const ask_work *work, json_t *json, ask_answer *out_answer)
{
    ask_work_check(work);
    json_t *left_out = json_pack("{s:I, s:I, s:I}", "chunks", (json_int_t)work->sources.left_out,
        "events", (json_int_t)work->outcome.unreadable_events, "places",
        (json_int_t)work->outcome.damaged_places);
    if (json_object_set_new(json, "left_out", left_out) != 0) {
        json_decref(json);
        return LP_ENOMEM;
    }
    return ask_answer_set_json(out_answer, json);
}

lp_err
ask_work_answer_file(const ask_work *work, ask_answer *answer)
{
    ask_work_check(work);
    LP_ASSERT(answer->type != NULL);
    answer->is_truncated = work->outcome.is_truncated;
    answer->left_out = work->sources.left_out;
    return answer->body.len > ASK_ANSWER_BYTES_MAX ? ask_answer_refuse(answer) : LP_OK;
}
