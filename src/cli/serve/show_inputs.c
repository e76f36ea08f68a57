// SPDX-License-Identifier: Apache-2.0
#include "cli/serve/show_inputs.h"

#include "cli/serve/end_watch.h"
#include "cli/serve/feed.h"
#include "collector/base/metrics.h"
#include "collector/store/catalog/catalog.h"
#include "common/base/lp_time.h"
#include "common/base/lp_vec.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const int64_t NS_PER_S = 1000000000;

enum { LOOK_MS = 20 }; // between two looks whether all is compacted

static_assert(CATALOG_ID_CHARS == 2 * WIRE_SESSION_BYTES, "an id is a session's bytes in hex");

typedef struct session_id {
    char text[CATALOG_ID_CHARS + 1];
} session_id;

typedef LP_VEC(session_id) session_ids;

// --- Giving them.

static lp_err
add_id(session_ids *ids, const feed *fed, lp_problem *out_problem)
{
    session_id *id = LP_VEC_PUSH(ids);
    if (id == NULL) {
        return lp_problem_set(out_problem, LP_ENOMEM, "%s", lp_err_text(LP_ENOMEM));
    }
    for (size_t i = 0; i < WIRE_SESSION_BYTES; i++) {
        (void)snprintf(id->text + 2 * i, 3, "%02x", fed->session[i]);
    }
    return LP_OK;
}

// feed_all gives the collector the recordings, JVM by JVM, and adds the ids of their sessions.
static lp_err
feed_all(const collect *collector, const inputs *in, const char *name, session_ids *ids,
    lp_problem *out_problem)
{
    static const char scheme[] = "ipc://";
    feed to;
    const char *path = collect_get_agents_url(collector) + sizeof(scheme) - 1;
    lp_err err = feed_open(path, end_watch_is_told, &to, out_problem);
    const input_chunk *chunks = in->chunks.items;
    for (size_t begin = 0, end; begin < in->chunks.count && err == LP_OK; begin = end) {
        for (end = begin + 1;
             end < in->chunks.count && chunks[end].session == chunks[begin].session; end++) {
        }
        err = feed_session(&to, name == NULL ? chunks[begin].file->name : name, chunks + begin,
            end - begin, out_problem);
        LP_THEN(err, add_id(ids, &to, out_problem));
    }
    feed_close(&to);
    return err;
}

// --- Waiting.

static void
on_session(void *arg, const catalog_session *session)
{
    bool *is_ended = arg;
    *is_ended = session->is_ended;
}

// is_compacted returns whether all of a session is. What the catalog cannot say now it says later.
static bool
is_compacted(catalog *from, const session_id *id)
{
    bool is_ended = false;
    return catalog_find(from, id->text, on_session, &is_ended) == LP_OK && is_ended;
}

static lp_err
wait_for_sessions(catalog *from, const session_ids *ids, lp_problem *out_problem)
{
    uint64_t done = metrics_get(METRICS_jobs_done);
    int64_t done_ms = lp_time_mono_ms();
    for (size_t i = 0; i < ids->count;) {
        if (end_watch_is_told(NULL)) {
            return lp_problem_set(out_problem, LP_ECLOSED, "ended before all was compacted");
        }
        if (is_compacted(from, &ids->items[i])) {
            i++;
            continue;
        }
        if (metrics_get(METRICS_jobs_done) != done) {
            done = metrics_get(METRICS_jobs_done);
            done_ms = lp_time_mono_ms();
        } else if (lp_time_mono_ms() - done_ms > SHOW_INPUTS_WAIT_S_MAX * 1000) {
            return lp_problem_set(out_problem, LP_ELIMIT,
                "no chunk was compacted for %d s: is the disk of the temporary directory full?",
                SHOW_INPUTS_WAIT_S_MAX);
        }
        (void)nanosleep(&(struct timespec){.tv_nsec = LOOK_MS * 1000000L}, NULL);
    }
    return LP_OK;
}

static lp_err
feed_and_wait(const collect *to, const inputs *in, const char *name, lp_problem *out_problem)
{
    session_ids ids = {0};
    catalog *from = NULL;
    lp_err err = catalog_open_reader(collect_get_catalog_place(to), &from, out_problem);
    LP_THEN(err, feed_all(to, in, name, &ids, out_problem));
    LP_THEN(err, wait_for_sessions(from, &ids, out_problem));
    catalog_close(from);
    LP_VEC_FINI(&ids);
    return err;
}

// --- Where they are.

// find_time finds the time that recordings are of.
static void
find_time(const inputs *in, uploads_shown *out)
{
    out->from_wall_ns = INT64_MAX;
    out->to_wall_ns = INT64_MIN;
    for (size_t i = 0; i < in->chunks.count; i++) {
        const jfr_chunk_info *info = &in->chunks.items[i].info;
        int64_t end;
        if (__builtin_add_overflow(info->start_wall_ns, info->duration_ns, &end) ||
            __builtin_add_overflow(end, NS_PER_S, &end)) { // an absurd header
            end = INT64_MAX;
        }
        out->from_wall_ns =
            info->start_wall_ns < out->from_wall_ns ? info->start_wall_ns : out->from_wall_ns;
        out->to_wall_ns = end > out->to_wall_ns ? end : out->to_wall_ns;
    }
}

static void
find_service(const inputs *in, const char *name, uploads_shown *out)
{
    const input_chunk *chunks = in->chunks.items;
    feed_name_service(name == NULL ? chunks[0].file->name : name, out->service);
    for (size_t i = 1; name == NULL && i < in->chunks.count; i++) {
        char service[FEED_NAME_BYTES];
        feed_name_service(chunks[i].file->name, service);
        if (strcmp(service, out->service) != 0) {
            out->service[0] = '\0';
            break;
        }
    }
}

lp_err
show_inputs_run(const collect *to, const inputs *in, const char *name, uploads_shown *out,
    lp_problem *out_problem)
{
    if (in->chunks.count == 0) {
        return lp_problem_set(out_problem, LP_ECORRUPT, "there is no recording in it");
    }
    find_time(in, out);
    find_service(in, name, out);
    return feed_and_wait(to, in, name, out_problem);
}
