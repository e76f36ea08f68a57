// SPDX-License-Identifier: Apache-2.0
#include "collector/ask/ask_rollups.h"

#include <string.h>

enum { ROLLUPS_BETWEEN_LOOKS = 1024 }; // to look whether it is cancelled is a system call

static lp_err
refuse(const char *name, bool only_times, lp_problem *problem)
{
    return lp_problem_set(problem, LP_ECORRUPT, "%s: not here; %s", name,
        only_times ? "from and to are"
                   : "service, instance, recording, from, to, context and one where KEY=VALUE are");
}

lp_err
ask_rollups_check(const query_selection *selection, bool only_times, lp_problem *problem)
{
    const query_selection any = query_selection_begin(false);
    const struct {
        const char *name;
        bool is_refused;
    } parameters[] = {
        {"service", only_times && selection->service != NULL},
        {"instance", only_times && selection->instance != NULL},
        {"recording", only_times && selection->recording != NULL},
        {"context", only_times && selection->context != NULL},
        {"where", selection->where_count > (only_times ? 0 : 1) ||
                      (selection->where_count == 1 && selection->where[0].op != QUERY_OP_IS)},
        {"min_duration_ns", selection->min_duration_ns != any.min_duration_ns},
        {"max_duration_ns", selection->max_duration_ns != any.max_duration_ns},
        {"trace", selection->trace != NULL},
        {"thread", selection->thread != NULL},
        {"id", selection->has_id},
    };
    for (size_t i = 0; i < sizeof(parameters) / sizeof(parameters[0]); i++) {
        if (parameters[i].is_refused) {
            return refuse(parameters[i].name, only_times, problem);
        }
    }
    return LP_OK;
}

typedef struct reading {
    ask_work *work;
    lp_err (*on_rollup)(void *arg, const catalog_rollup *place, const rollup *found);
    void *arg;
    rollup found; // one after the other
    uint64_t count;
    uint64_t left_out;
} reading;

static lp_err
on_found(void *arg, const catalog_rollup *stored)
{
    reading *r = arg;
    if (r->count++ % ROLLUPS_BETWEEN_LOOKS == 0 && ask_cancel_look(r->work->cancel)) {
        return LP_ECLOSED;
    }
    rollup_init(&r->found);
    lp_err err = rollup_parts_add(&r->found, stored->parts, stored->session_id);
    if (err == LP_OK) {
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
    lp_err (*on_rollup)(void *arg, const catalog_rollup *place, const rollup *found), void *arg,
    uint64_t *out_left_out)
{
    reading r = {.work = work, .on_rollup = on_rollup, .arg = arg};
    lp_err err = catalog_rollups_list(from, query, on_found, &r);
    *out_left_out = r.left_out;
    return err;
}
