// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/catalog_longest.h"

#include "collector/store/catalog/catalog_db.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_time.h"

// The clocks of a session's chunks differ, and the last event of a request may be written some time
// after its end.
static const int64_t SLACK_NS = 60 * (int64_t)1000000000;
static const int64_t ROUNDING_NS = 1000; // of durations, by two clocks
static const int64_t REACH_NS = CATALOG_LONGEST_REACH_S * (int64_t)1000000000;

typedef enum plan {
    COUNT_SERVICE,
    COUNT_SESSION,
    LIST_BY_TIME,
    LIST_BY_LENGTH,
    LIST_SESSION,
} plan;

static catalog_db_statement
statement_of(plan which, rollup_unit unit)
{
    static const catalog_db_statement all[][ROLLUP_UNITS] = {
        [COUNT_SERVICE] = {CATALOG_DB_COUNT_CONTEXTS, CATALOG_DB_COUNT_REQUESTS},
        [COUNT_SESSION] = {CATALOG_DB_COUNT_OWN_CONTEXTS, CATALOG_DB_COUNT_OWN_REQUESTS},
        [LIST_BY_TIME] = {CATALOG_DB_CONTEXTS_BY_TIME, CATALOG_DB_REQUESTS_BY_TIME},
        [LIST_BY_LENGTH] = {CATALOG_DB_CONTEXTS_BY_LENGTH, CATALOG_DB_REQUESTS_BY_LENGTH},
        [LIST_SESSION] = {CATALOG_DB_OWN_CONTEXTS, CATALOG_DB_OWN_REQUESTS},
    };
    LP_ASSERT(unit < ROLLUP_UNITS);
    return all[which][unit];
}

static void
start(catalog *self, plan which, const catalog_longest_query *query, size_t limit,
    catalog_db_call *out_call)
{
    const char *of = query->session_id != NULL ? query->session_id : query->service;
    LP_ASSERT(of != NULL);
    int64_t from_ns = query->from_wall_ns;
    int64_t to_ns = query->to_wall_ns;
    int64_t least_ns = query->longest_min_ns > ROUNDING_NS ? query->longest_min_ns - ROUNDING_NS
                                                           : 0; // below: no contexts
    catalog_db_start(self, statement_of(which, query->unit),
        CATALOG_DB_VALUES(of, lp_time_add(from_ns, -SLACK_NS), lp_time_add(to_ns, SLACK_NS),
            least_ns, (uint64_t)limit, query->version, lp_time_add(from_ns, -REACH_NS),
            lp_time_add(to_ns, REACH_NS)),
        out_call);
}

static lp_err
count(catalog *self, const catalog_longest_query *query, uint64_t *out_count)
{
    LP_ASSERT(query->unit < ROLLUP_UNITS);
    catalog_db_call call;
    start(self, query->session_id != NULL ? COUNT_SESSION : COUNT_SERVICE, query,
        CATALOG_LONGEST_COUNT_MAX, &call);
    return catalog_db_finish_row(&call, CATALOG_DB_NEXT(&call, out_count));
}

lp_err
catalog_longest_list(catalog *self, const catalog_longest_query *query,
    void (*on_chunk)(void *arg, const catalog_longest *chunk), void *arg, uint64_t *out_count)
{
    LP_ASSERT(on_chunk != NULL);
    bool has_range = query->from_wall_ns != INT64_MIN || query->to_wall_ns != INT64_MAX;
    LP_TRY(count(self, query, out_count));
    bool is_by_time = has_range && *out_count < CATALOG_LONGEST_COUNT_MAX;
    catalog_db_call call;
    catalog_longest found;
    start(self,
        query->session_id != NULL ? LIST_SESSION
        : is_by_time              ? LIST_BY_TIME
                                  : LIST_BY_LENGTH,
        query, query->count_max, &call);
    while (CATALOG_DB_NEXT(
        &call, CATALOG_DB_CHARS(found.session_id), &found.ordinal, &found.longest_ns)) {
        on_chunk(arg, &found);
    }
    return catalog_db_finish(&call);
}

lp_err
catalog_longest_services(
    catalog *self, void (*on_service)(void *arg, const char *service), void *arg)
{
    LP_ASSERT(on_service != NULL);
    catalog_db_call call;
    const char *service;
    CATALOG_DB_START_PLAIN(self, LIST_CHUNK_SERVICES, &call);
    while (CATALOG_DB_NEXT(&call, &service)) {
        on_service(arg, service);
    }
    return catalog_db_finish(&call);
}
