// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/services: the services that had JVMs in a time range, with the numbers of their
// contexts (service_list.h), from rollups only.
//
// Tests: tests/unit/collector/ask/test_ask_rollups.c

#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/sums/ask_rollups.h"
#include "collector/ask/sums/service_list.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_time.h"

enum { SPARK_COLUMNS = 60 };

typedef struct listing {
    const ask_query *query;
    service_list list;
    lp_err err;
    uint64_t recordings;
} listing;

static void
on_service(void *arg, const char *service, uint64_t count)
{
    listing *l = arg;
    if (!ask_query_may_read(l->query, service)) {
        return;
    }
    l->recordings += count;
    if (l->err == LP_OK) {
        l->err = service_list_add_jvms(&l->list, service, count);
    }
}

static void
on_version(void *arg, const catalog_version *version)
{
    listing *l = arg; // lists only services that may be read
    if (l->err == LP_OK) {
        l->err = service_list_add_version(
            &l->list, version->service, version->version, version->sessions);
    }
}

static lp_err
on_rollup(void *arg, const catalog_rollup *place, const rollup *found)
{
    listing *l = arg;
    size_t column = time_columns_find(&l->list.columns, place->wall_ns);
    return service_list_add(&l->list, place->service, column, found);
}

static lp_err
read_jvms(catalog *from, listing *l, int64_t now_wall_ns)
{
    catalog_query query = {
        .from_wall_ns = l->list.columns.from_wall_ns,
        .to_wall_ns = l->list.columns.to_wall_ns,
        .now_wall_ns = now_wall_ns,
        .count_max = ask_query_may_read(l->query, NULL) ? ASK_RECORDINGS_MAX : 0,
    };
    lp_err err = catalog_list_services(from, &query, on_service, l);
    l->list.is_truncated |= l->recordings >= ASK_RECORDINGS_MAX;
    query.count_max = SERVICE_LIST_VERSIONS_MAX + 1;
    LP_THEN(err, catalog_list_versions(from, &query, on_version, l));
    return err == LP_OK ? l->err : err;
}

static lp_err
read_all(ask_work *work, listing *l, int64_t now_wall_ns)
{
    const catalog_rollup_query query =
        ask_rollups_query(&work->query->asked.selection, &l->list.columns);
    catalog *from;
    LP_TRY(catalog_open_reader(work->store->catalog_path, &from, NULL));
    lp_err err = read_jvms(from, l, now_wall_ns);
    uint64_t left_out = 0;
    LP_THEN(err, ask_rollups_read(work, from, &query, NULL, on_rollup, l, &left_out));
    if (err == LP_OK) {
        err = catalog_days_list(from, service_list_note_today, &l->list);
        err = err == LP_ECORRUPT ? LP_OK : err; // the rest does not depend on it
    }
    l->list.is_truncated |= left_out > 0;
    catalog_close(from);
    return err;
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    ask_work_check(work);
    const query_selection *selection = &work->query->asked.selection;
    int64_t now_wall_ns = lp_time_now();
    time_columns columns;
    LP_TRY(ask_rollups_columns(
        selection, ASK_ROLLUPS_TIMES, now_wall_ns, SPARK_COLUMNS, &columns, &out_answer->problem));
    listing l = {.query = work->query};
    service_list_init(&l.list, &columns);
    lp_err err = read_all(work, &l, now_wall_ns);
    LP_THEN(err, ask_answer_set_json(out_answer, service_list_json(&l.list)));
    service_list_fini(&l.list);
    return err;
}

const ask_route ask_services_route = {.path = "services", .is_of_catalog = true, .answer = answer};
