// SPDX-License-Identifier: Apache-2.0
// http_download_open: makes the download of a request from the catalog, the stored chunks and a
// snapshot of data that is not compacted yet.
//
// Tests:   tests/unit/collector/http/routes/test_http_download.c

#include "collector/ask/work/ask_query.h"
#include "collector/http/routes/http_call.h"
#include "collector/http/routes/http_download.h"
#include "collector/http/wire/http_query.h"
#include "collector/http/wire/http_reply.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_quote.h"
#include "policy/policy_value.h"

// A download in preparation.
typedef struct download_source {
    blobs *blobs;
    http_download *download; // NULL until the session is found
    uint32_t chunk_end;      // stored chunks below it are included
    bool is_ended;
    bool has_chunks; // stored, lost or not
    lp_err err;
} download_source;

static void
on_session(void *arg, const catalog_session *session)
{
    download_source *source = arg;
    LP_ASSERT(source->download == NULL);
    source->is_ended = session->is_ended;
    source->download = http_download_create(source->blobs, session);
    source->err = source->download == NULL ? LP_ENOMEM : LP_OK;
}

static void
on_chunk(void *arg, const catalog_chunk *chunk)
{
    download_source *source = arg;
    LP_ASSERT(source->err != LP_OK || source->download != NULL);
    if (chunk->ordinal < source->chunk_end && source->err == LP_OK) {
        source->has_chunks = true;
        source->err = http_download_add_chunk(source->download, chunk);
    }
}

static lp_err
add_content(download_source *source, http_catalog *store, const char *session_id, snapshot *pending)
{
    LP_ASSERT(source->download == NULL && source->err == LP_OK);
    // The snapshot continues after the chunks compacted when it was made; there may be more by now.
    // Without a snapshot (nothing in memory for the session) all stored chunks are included.
    source->chunk_end = pending->err == LP_OK ? pending->next_chunk : UINT32_MAX;
    (void)pthread_mutex_lock(&store->mutex);
    lp_err err = catalog_find(store->catalog, session_id, on_session, source);
    LP_THEN(err, catalog_list_chunks(store->catalog, session_id, on_chunk, source));
    (void)pthread_mutex_unlock(&store->mutex);
    LP_THEN(err, source->err);
    LP_THEN(err, http_download_set_tail(source->download, pending));
    return err;
}

typedef struct wanted_contexts {
    bool has_at_samples;
    compact_context_style style;
} wanted_contexts;

static lp_err
read_style(const char *text, compact_context_style *out_style, lp_problem *problem)
{
    static const char *const words[COMPACT_STYLES] = {COMPACT_STYLE_NAMES};
    size_t index = COMPACT_STYLE_EVENTS;
    lp_err err = text == NULL ? LP_OK
                              : ask_query_choice(
                                    "context-style", text, words, COMPACT_STYLES, &index, problem);
    *out_style = (compact_context_style)index;
    return err;
}

// read_query reads the parameters of a download. Errors: LP_ECORRUPT
static lp_err
read_query(struct MHD_Connection *connection, wanted_contexts *out_wanted, lp_problem *out_problem)
{
    const char *at_samples = NULL;
    const char *style = NULL;
    const http_query_text texts[] = {{"context-style", &style}, {"sample-contexts", &at_samples}};
    LP_TRY(http_query_read(&(http_query){texts, 2}, connection, out_problem));
    out_wanted->has_at_samples = false;
    if (at_samples != NULL && !policy_value_bool(at_samples, &out_wanted->has_at_samples)) {
        return lp_problem_set(out_problem, LP_ECORRUPT,
            "sample-contexts must be " POLICY_VALUE_BOOLS ": '%s'", lp_quote_text(at_samples).text);
    }
    return read_style(style, &out_wanted->style, out_problem);
}

// reply_nothing answers for a recording without content.
static enum MHD_Result
reply_nothing(struct MHD_Connection *connection, const download_source *source)
{
    LP_ASSERT(source->err == LP_OK);
    LP_REQUIRE(!source->has_chunks,
        http_reply_error(connection, MHD_HTTP_NOT_FOUND,
            "the recording has no content: all of its stored chunks are lost"));
    return source->is_ended ? http_reply_error(connection, MHD_HTTP_NOT_FOUND,
                                  "the recording has no content: it ended before any data arrived")
                            : http_reply_error(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
                                  "no data of the recording has arrived yet: try again later");
}

enum MHD_Result
http_download_open(const http_call *call, http_download **out_download)
{
    LP_ASSERT(call->came.snapshot != NULL && call->came.download == NULL);
    struct MHD_Connection *connection = call->connection;
    snapshot *pending = call->came.snapshot;
    snapshot_check(pending);
    LP_REQUIRE(pending->err == LP_OK || pending->err == LP_ENOENT,
        http_reply_failure(connection, pending->err, "compacting the latest data"));
    wanted_contexts wanted;
    lp_problem problem;
    LP_REQUIRE(read_query(connection, &wanted, &problem) == LP_OK,
        http_reply_error(connection, MHD_HTTP_BAD_REQUEST, "%s", problem.text));
    download_source source = {.blobs = call->shared->config.blobs};
    lp_err err = add_content(&source, &call->shared->store, call->route.session_id, pending);
    if (err != LP_OK) {
        http_download_destroy(source.download);
        return http_reply_failure(connection, err, "reading the catalog");
    }
    if (http_download_get_size(source.download) == 0) {
        http_download_destroy(source.download);
        return reply_nothing(connection, &source);
    }
    http_download_set_contexts(source.download, wanted.style, wanted.has_at_samples);
    *out_download = source.download;
    return MHD_YES;
}
