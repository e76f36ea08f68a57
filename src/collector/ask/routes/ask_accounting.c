// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/accounting: how many events of each type were kept and dropped in a time range, in
// all recordings:
//
//   {"recordings": 3, "types": {..}, "is_truncated": false}
//
// types: accounting.h. A chunk counts if its middle lies in the time range.
//
// Tests: tests/unit/collector/ask/test_ask_rollups.c

#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/sums/accounting.h"
#include "collector/ask/sums/ask_rollups.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_time.h"

#include <string.h>

enum { TYPES_MAX = 4096 };

typedef struct session_id {
    char text[CATALOG_ID_CHARS + 1];
} session_id;

typedef struct sums {
    const ask_query *query;
    const query_selection *selection;
    time_columns column; // the time range
    LP_VEC(session_id) recordings;
    accounting of;
    lp_err err; // of on_session
} sums;

static void
on_session(void *arg, const catalog_session *session)
{
    sums *s = arg;
    LP_ASSERT(s->recordings.count <= ASK_RECORDINGS_MAX);
    if (!ask_query_selects(s->selection, session) ||
        !ask_query_may_read(s->query, session->service) ||
        s->recordings.count == ASK_RECORDINGS_MAX) {
        return;
    }
    session_id *id = LP_VEC_PUSH(&s->recordings);
    if (id == NULL) {
        s->err = LP_ENOMEM;
        return;
    }
    memcpy(id->text, session->id, sizeof(id->text));
}

static lp_err
find_recordings(sums *s, catalog *from, int64_t now_wall_ns)
{
    const catalog_query query = {
        .service = s->selection->service,
        .instance = s->selection->instance,
        .version = s->selection->version,
        .from_wall_ns = s->column.from_wall_ns,
        .to_wall_ns = s->column.to_wall_ns,
        .now_wall_ns = now_wall_ns,
        .count_max = ask_query_may_read(s->query, NULL) ? ASK_RECORDINGS_MAX : 0,
    };
    if (s->selection->recording == NULL) {
        lp_err err = catalog_list(from, &query, on_session, s);
        s->of.is_truncated = s->recordings.count == ASK_RECORDINGS_MAX;
        return err == LP_OK ? s->err : err;
    }
    lp_err err = catalog_find(from, s->selection->recording, on_session, s);
    return err == LP_OK || err == LP_ENOENT ? s->err : err;
}

static lp_err
read_all(ask_work *work, sums *s, int64_t now_wall_ns)
{
    catalog *from;
    LP_TRY(catalog_open_reader(work->store->catalog_path, &from, NULL));
    lp_err err = find_recordings(s, from, now_wall_ns);
    for (size_t i = 0; i < s->recordings.count && err == LP_OK; i++) {
        const catalog_chunk_range chunks = {
            .session_id = s->recordings.items[i].text,
            .chunk_end = UINT32_MAX,
            .from_wall_ns = s->column.from_wall_ns,
            .to_wall_ns = s->column.to_wall_ns,
        };
        err = ask_cancel_look(work->cancel) ? LP_ECLOSED : accounting_add(&s->of, from, &chunks);
    }
    catalog_close(from);
    return err;
}

// take_json returns the answer. It takes the types.
static json_t *
take_json(sums *s)
{
    json_t *types = s->of.types;
    s->of.types = NULL;
    return json_pack("{s:I, s:o, s:b}", "recordings", (json_int_t)s->recordings.count, "types",
        types, "is_truncated", s->of.is_truncated);
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    ask_work_check(work);
    sums s = {.query = work->query, .selection = &work->query->asked.selection};
    int64_t now_wall_ns = lp_time_now();
    LP_TRY(ask_rollups_columns(
        s.selection, ASK_ROLLUPS_RECORDINGS, now_wall_ns, 1, &s.column, &out_answer->problem));
    s.of = accounting_begin(TYPES_MAX);
    lp_err err = read_all(work, &s, now_wall_ns);
    LP_THEN(err, ask_answer_set_json(out_answer, take_json(&s)));
    accounting_fini(&s.of);
    LP_VEC_FINI(&s.recordings);
    return err;
}

const ask_route ask_accounting_route = {
    .path = "accounting", .is_of_catalog = true, .answer = answer};
