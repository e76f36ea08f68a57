// SPDX-License-Identifier: Apache-2.0

#include "collector/otlp/otlp_chunk.h"

#include "collector/ask/work/ask_facts.h"
#include "collector/ask/work/ask_work.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_large.h"
#include "common/base/lp_time.h"
#include "engine/requests/requests.h"
#include "query/otlp/otlp_profiles.h"

#include <string.h>

enum { SOURCES_MAX = OTLP_CHUNK_BACK_MAX + 2 }; // the chunk, those before it, and the period's

static const int64_t ROUNDING_NS = 1000; // of times, by two clocks
static const int64_t LINGER_NS = COMPACT_REQUESTS_LINGER_MS * (int64_t)1000000;

// A chunk while it is sent.
typedef struct sending {
    ask_work work; // first: `answer` finds the rest by it
    otlp_chunk *chunk;
    const otlp_chunk_to *to;
    query_otlp_profiles *profiles;
    uint64_t pieces; // made so far
    // The walk back from the chunk:
    ask_chunk found[SOURCES_MAX]; // the last first
    size_t found_count;
    int64_t since_wall_ns; // no request in the chunk began earlier
    bool has_period;       // of samples: a recording begins with it
} sending;

otlp_chunk
otlp_chunk_begin(const chunk_feed_item *item)
{
    return (otlp_chunk){.item = *item};
}

static void
sending_check(const sending *s)
{
    LP_ASSERT(s->chunk != NULL && s->to->store != NULL && s->to->on_piece != NULL);
    LP_ASSERT(s->found_count <= SOURCES_MAX && s->to->is_past_end != NULL);
}

// --- The chunks to read

static void
add_found(sending *s, const catalog_chunk *chunk, bool is_for_period)
{
    LP_ASSERT(s->found_count < SOURCES_MAX);
    s->found[s->found_count++] =
        is_for_period ? ask_sources_period_chunk(chunk, 0) : ask_sources_stored_chunk(chunk, 0);
    s->has_period |= chunk->has_period || chunk->ordinal == 0;
}

// note_chunk adds a chunk of the walk back. Returns whether to go on.
static bool
note_chunk(void *arg, const catalog_chunk *chunk)
{
    sending *s = arg;
    sending_check(s);
    if (s->found_count == 0) {
        if (chunk->ordinal != s->chunk->item.ordinal || chunk->is_lost) {
            return false;
        }
        // A request is over in the chunk in which nothing has happened for it for this long.
        int64_t end_wall_ns = lp_time_add(chunk->start_wall_ns, -LINGER_NS - ROUNDING_NS);
        s->since_wall_ns = lp_time_add(end_wall_ns, -s->chunk->item.longest_ns);
        add_found(s, chunk, false);
        return true;
    }
    bool is_since = lp_time_add(chunk->start_wall_ns, chunk->duration_ns) >= s->since_wall_ns;
    bool is_before_all = !is_since || s->found_count > OTLP_CHUNK_BACK_MAX;
    if (!is_before_all || (!s->has_period && (chunk->has_period || chunk->ordinal == 0))) {
        add_found(s, chunk, is_before_all);
    }
    return s->found_count < SOURCES_MAX && !(is_before_all && s->has_period);
}

static void
note_recording(void *arg, const catalog_session *row)
{
    sending *s = arg;
    ask_sources_add_recording(&s->work.sources, row, QUERY_IN_SELECTION);
}

// find_sources makes the chunk and those before it the sources. Errors: LP_ENOENT it was deleted
static lp_err
find_sources(sending *s)
{
    sending_check(s);
    LP_ASSERT(s->found_count == 0);
    catalog *from = NULL;
    const chunk_feed_item *item = &s->chunk->item;
    LP_TRY(catalog_open_reader(s->to->store->catalog_path, &from, NULL));
    lp_err err = catalog_find(from, item->session_id, note_recording, s);
    LP_THEN(err, catalog_list_chunks_back(from, item->session_id, item->ordinal + 1,
                     OTLP_CHUNK_PERIOD_BACK_MAX, note_chunk, s));
    if (err == LP_OK && s->found_count > 0 && !s->has_period) { // a recording begins with it
        err = catalog_list_chunks_back(from, item->session_id, 1, 1, note_chunk, s);
    }
    catalog_close(from);
    LP_TRY(err);
    LP_REQUIRE(s->found_count > 0, LP_ENOENT);
    ask_sources *sources = &s->work.sources;
    for (size_t i = s->found_count; i > 0; i--) {
        ask_sources_add_chunk(sources, s->found[i - 1]);
    }
    LP_TRY(lp_arena_err(&sources->arena));
    LP_ASSERT(sources->chunks.count == s->found_count && sources->recordings.count == 1);
    return ask_work_take_sources(&s->work);
}

// --- The requests

// on_request adds a request that ended in the chunk, which is the last source.
static lp_err
on_request(void *arg, const query_answer *answer)
{
    sending *s = arg;
    LP_ASSERT(answer->request != NULL && answer->source < s->found_count);
    const char *state = query_names_text(&s->work.names, answer->request->facts.state);
    bool has_ended = answer->source == s->found_count - 1 && strcmp(state, "open") != 0;
    return has_ended ? query_otlp_profiles_add(s->profiles, answer) : LP_OK;
}

static lp_err
on_piece(void *arg, const query_otlp_piece *piece)
{
    sending *s = arg;
    LP_REQUIRE(!s->to->is_past_end(s->to->arg), LP_ECLOSED);
    if (s->pieces++ < s->chunk->done) {
        return LP_OK;
    }
    LP_ASSERT(s->pieces == s->chunk->done + 1);
    LP_TRY(s->to->on_piece(s->to->arg, piece->bytes));
    s->chunk->done++;
    s->chunk->tries = 0;
    return LP_OK;
}

static lp_err
ask(sending *s)
{
    LP_ASSERT(s->profiles == NULL && s->pieces == 0);
    const query_otlp_wish wish = {
        .describe = ask_facts_describe, .describe_arg = &s->work, .on_piece = on_piece, .arg = s};
    s->profiles = query_otlp_profiles_create(&wish, &s->work.names);
    LP_REQUIRE(s->profiles != NULL, LP_ENOMEM);
    query_question question = {.on_context = on_request, .arg = s};
    query_otlp_profiles_prepare(s->profiles, &question);
    LP_TRY(ask_work_run(&s->work, &question));
    LP_TRY(query_otlp_profiles_finish(s->profiles));
    s->chunk->is_partial |= s->work.outcome.is_truncated || s->work.sources.left_out > 0 ||
                            query_otlp_profiles_count(s->profiles).is_truncated;
    return LP_OK;
}

// --- The whole

static bool
finds_sources(const ask_query *query)
{
    (void)query;
    return true;
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    (void)out_answer; // the pieces are the answer
    sending *s = (sending *)work;
    LP_TRY(find_sources(s));
    return ask(s);
}

// The route is not one of HTTP: the pusher asks itself.
static const ask_route route = {
    .path = "otlp", .unit = QUERY_UNIT_REQUESTS, .lists_slowest = finds_sources, .answer = answer};

static lp_err
send_with(sending *s, const ask_query *query)
{
    static const atomic_bool is_stopping = false; // is_past_end says it
    ask_cancel cancel = {
        .is_stopping = &is_stopping, .is_gone = s->to->is_past_end, .arg = s->to->arg};
    ask_cancel_begin(&cancel, s->to->store->answer_ns_max);
    lp_err err = ask_work_open(&s->work, s->to->store, NULL, query, &cancel);
    LP_THEN(err, query->route->answer(&s->work, NULL));
    query_otlp_profiles_destroy(s->profiles);
    ask_work_close(&s->work);
    return err;
}

lp_err
otlp_chunk_send(otlp_chunk *chunk, const otlp_chunk_to *to)
{
    if (chunk->item.longest_ns < 0) {
        return LP_OK;
    }
    sending s = {.chunk = chunk, .to = to};
    lp_problem ignored;
    ask_query *query;
    LP_TRY(ask_query_create(&route, "", false, &query, &ignored));
    lp_err err = ask_query_finish(query, &ignored);
    lp_large_begin(blobs_get_directory(to->store->blobs), to->store->large_bytes);
    LP_THEN(err, send_with(&s, query));
    lp_large_end();
    ask_query_destroy(query);
    return err;
}
