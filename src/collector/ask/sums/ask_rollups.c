// SPDX-License-Identifier: Apache-2.0
#include "collector/ask/sums/ask_rollups.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_buf.h"

enum { ROLLUPS_BETWEEN_LOOKS = 1024 }; // ask_cancel_look is a system call

// check refuses parameters that the route does not support.
static lp_err
check(const query_selection *selection, ask_rollups_part allowed, lp_problem *problem)
{
    static const char *const allowed_names[] = {
        [ASK_ROLLUPS_TIMES] = "from and to",
        [ASK_ROLLUPS_RECORDINGS] = "service, instance, version, recording, from and to",
        [ASK_ROLLUPS_CONTEXT] = "service, instance, version, recording, from, to and context",
        [ASK_ROLLUPS_VALUE] =
            "service, instance, version, recording, from, to, context and one where KEY=VALUE",
    };
    const query_selection any = query_selection_begin(false);
    bool has_recordings = allowed >= ASK_ROLLUPS_RECORDINGS;
    bool has_one_value = selection->where_count == 1 && selection->where[0].op == QUERY_OP_IS;
    const struct {
        const char *name;
        bool is_refused;
    } parameters[] = {
        {"service", !has_recordings && selection->service != NULL},
        {"instance", !has_recordings && selection->instance != NULL},
        {"version", !has_recordings && selection->version != NULL},
        {"recording", !has_recordings && selection->recording != NULL},
        {"context", allowed < ASK_ROLLUPS_CONTEXT && selection->context != NULL},
        {"where", selection->where_count > 0 && !(allowed == ASK_ROLLUPS_VALUE && has_one_value)},
        {"min_duration_ns", selection->min_duration_ns != any.min_duration_ns},
        {"max_duration_ns", selection->max_duration_ns != any.max_duration_ns},
        {"trace", selection->trace != NULL},
        {"thread", selection->thread != NULL},
        {"pool", selection->pool != NULL},
        {"id", selection->has_id},
    };
    for (size_t i = 0; i < sizeof(parameters) / sizeof(parameters[0]); i++) {
        LP_REQUIRE(!parameters[i].is_refused,
            lp_problem_set(problem, LP_ECORRUPT, "%s: not allowed here; use %s", parameters[i].name,
                allowed_names[allowed]));
    }
    return LP_OK;
}

lp_err
ask_rollups_columns(const query_selection *selection, ask_rollups_part allowed, int64_t now_wall_ns,
    size_t count_max, time_columns *out_columns, lp_problem *problem)
{
    LP_TRY(check(selection, allowed, problem));
    return time_columns_of(selection, now_wall_ns, count_max, out_columns, problem);
}

catalog_rollup_query
ask_rollups_query(const query_selection *selection, const time_columns *columns)
{
    LP_ASSERT(columns->from_wall_ns < columns->to_wall_ns);
    return (catalog_rollup_query){
        .service = selection->service,
        .instance = selection->instance,
        .version = selection->version,
        .session_id = selection->recording,
        .from_wall_ns = columns->from_wall_ns,
        .to_wall_ns = columns->to_wall_ns,
        .step_ns = columns->sum_ns,
    };
}

typedef struct reading {
    ask_work *work;
    const rollup_wanted *wanted; // NULL: everything
    ask_on_rollup *on_rollup;
    void *arg;
    lp_buf picked[ROLLUP_PARTS]; // of a rollup, and found: one after the other
    rollup found;
    uint64_t count;
    uint64_t left_out;
} reading;

// read_parts reads the wanted parts of a stored rollup into r->found.
static lp_err
read_parts(reading *r, const catalog_rollup *stored)
{
    if (r->wanted == NULL) {
        return rollup_parts_read(&r->found, stored->parts, stored->session_id);
    }
    lp_slice parts[ROLLUP_PARTS];
    lp_err err = LP_OK;
    for (rollup_part i = 0; i < ROLLUP_PARTS && err == LP_OK; i++) {
        lp_buf_clear(&r->picked[i]);
        err = rollup_pick(r->wanted, stored->parts[i], &r->picked[i]);
        parts[i] = lp_buf_slice(&r->picked[i]);
    }
    return err == LP_OK ? rollup_parts_read(&r->found, parts, stored->session_id) : err;
}

static lp_err
on_found(void *arg, const catalog_rollup *stored)
{
    reading *r = arg;
    if (r->count++ % ROLLUPS_BETWEEN_LOOKS == 0 && ask_cancel_look(r->work->cancel)) {
        return LP_ECLOSED;
    }
    if (!ask_query_may_read(r->work->query, stored->service)) {
        return LP_OK;
    }
    rollup_init(&r->found);
    lp_err err = read_parts(r, stored);
    if (err == LP_OK) {
        r->left_out += r->found.chunks_left_out;
        err = r->on_rollup(r->arg, stored, &r->found);
    } else if (err == LP_ECORRUPT || err == LP_EVERSION) {
        r->left_out++;
        err = LP_OK;
    }
    rollup_fini(&r->found);
    return err;
}

lp_err
ask_rollups_read(ask_work *work, catalog *from, const catalog_rollup_query *query,
    const rollup_wanted *wanted, ask_on_rollup *on_rollup, void *arg, uint64_t *out_left_out)
{
    LP_ASSERT(query->from_wall_ns < query->to_wall_ns);
    reading r = {.work = work, .wanted = wanted, .on_rollup = on_rollup, .arg = arg};
    catalog_rollup_query bounded = *query;
    bounded.chunks_max = ASK_ROLLUPS_CHUNKS_MAX;
    lp_err err = catalog_rollups_list(from, &bounded, on_found, &r);
    *out_left_out = r.left_out + (err == LP_ELIMIT);
    for (rollup_part i = 0; i < ROLLUP_PARTS; i++) {
        lp_buf_fini(&r.picked[i]);
    }
    return err == LP_ELIMIT ? LP_OK : err;
}

lp_err
ask_rollups_read_all(ask_work *work, const catalog_rollup_query *query, const rollup_wanted *wanted,
    ask_on_rollup *on_rollup, void *arg, uint64_t *out_left_out)
{
    catalog *from;
    LP_TRY(catalog_open_reader(work->store->catalog_path, &from, NULL));
    lp_err err = ask_rollups_read(work, from, query, wanted, on_rollup, arg, out_left_out);
    catalog_close(from);
    return err;
}
