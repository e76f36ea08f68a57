// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/versions: the versions of a service that ran in a time range, the newest first, and
// the end of each.
//
//   {"versions": [{"version": "1.3", "jvms": 2, "to_ns": "1767.."}, ..], "is_truncated": false}
//
// to_ns is the end of the last stored chunk. For a version that is running it lies some seconds or
// minutes back.
//
// Tests: tests/unit/collector/ask/test_ask_rollups.c

#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/sums/ask_rollups.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_time.h"
#include "query/select/json_parts.h"

enum { VERSIONS_MAX = 100 };

typedef struct listing {
    json_t *versions;
    size_t count;
    bool is_truncated;
} listing;

static void
on_version(void *arg, const catalog_version *version)
{
    listing *l = arg;
    LP_ASSERT(l->count <= VERSIONS_MAX);
    l->is_truncated = l->count == VERSIONS_MAX;
    if (!l->is_truncated) {
        l->count++;
        (void)json_array_append_new(l->versions,
            json_pack("{s:o, s:I, s:o}", "version", query_json_name(version->version), "jvms",
                (json_int_t)version->sessions, "to_ns", query_json_wall_ns(version->end_wall_ns)));
    }
}

static lp_err
read_versions(ask_work *work, const catalog_query *query, listing *l)
{
    LP_ASSERT(query->service != NULL);
    if (!ask_query_may_read(work->query, query->service)) {
        return LP_OK; // an empty list
    }
    catalog *from;
    LP_TRY(catalog_open_reader(work->store->catalog_path, &from, NULL));
    lp_err err = catalog_list_versions(from, query, on_version, l);
    catalog_close(from);
    return err;
}

static lp_err
check(const query_selection *selection, lp_problem *problem)
{
    if (selection->service == NULL) {
        return lp_problem_set(problem, LP_ECORRUPT, "service: required");
    }
    bool is_of_some =
        selection->instance != NULL || selection->version != NULL || selection->recording != NULL;
    return is_of_some
               ? lp_problem_set(problem, LP_ECORRUPT,
                     "instance, version and recording: not allowed here; use service, from and to")
               : LP_OK;
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    ask_work_check(work);
    const query_selection *selection = &work->query->asked.selection;
    int64_t now_wall_ns = lp_time_now();
    time_columns columns; // for its range
    LP_TRY(ask_rollups_columns(
        selection, ASK_ROLLUPS_RECORDINGS, now_wall_ns, 1, &columns, &out_answer->problem));
    LP_TRY(check(selection, &out_answer->problem));
    const catalog_query query = {
        .service = selection->service,
        .from_wall_ns = columns.from_wall_ns,
        .to_wall_ns = columns.to_wall_ns,
        .now_wall_ns = now_wall_ns,
        .count_max = VERSIONS_MAX + 1,
    };
    listing l = {.versions = json_array()};
    lp_err err = read_versions(work, &query, &l);
    json_t *whole = query_json_whole(l.versions, l.count);
    if (err != LP_OK) {
        json_decref(whole);
        return err;
    }
    return ask_answer_set_json(
        out_answer, json_pack("{s:o, s:b}", "versions", whole, "is_truncated", l.is_truncated));
}

const ask_route ask_versions_route = {.path = "versions", .is_of_catalog = true, .answer = answer};
