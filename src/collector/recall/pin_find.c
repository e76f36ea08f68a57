// SPDX-License-Identifier: Apache-2.0

#include "collector/recall/pin_find.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_time.h"

#include <stdio.h>
#include <string.h>

typedef struct finding {
    const pin *of;
    LP_VEC(pin_chunk) sessions; // their session_id
    const char *session_id;     // whose chunks are listed
    pin_chunks *chunks;
    lp_err err;
} finding;

static void
note_session(void *arg, const catalog_session *row)
{
    finding *f = arg;
    pin_chunk item = {.ordinal = 0};
    memcpy(item.session_id, row->id, sizeof(item.session_id));
    LP_THEN(f->err, LP_VEC_ADD(&f->sessions, item));
}

static void
note_chunk(void *arg, const catalog_chunk *chunk)
{
    finding *f = arg;
    LP_ASSERT(f->session_id != NULL);
    bool is_in_time =
        chunk->start_wall_ns <= f->of->to_wall_ns &&
        pins_stored_end(chunk->start_wall_ns, chunk->duration_ns) >= f->of->from_wall_ns;
    if (is_in_time && !chunk->is_lost && f->chunks->count <= PINS_CHUNKS_MAX) {
        pin_chunk item = {.ordinal = chunk->ordinal};
        (void)snprintf(item.session_id, sizeof(item.session_id), "%s", f->session_id);
        LP_THEN(f->err, LP_VEC_ADD(f->chunks, item));
    }
}

// list_chunks lists the chunks of the sessions.
static lp_err
list_chunks(catalog *from, finding *f)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < f->sessions.count && f->chunks->count <= PINS_CHUNKS_MAX && err == LP_OK;
         i++) {
        f->session_id = f->sessions.items[i].session_id;
        err = catalog_list_chunks(from, f->session_id, note_chunk, f);
        LP_THEN(err, f->err);
    }
    LP_ASSERT(f->chunks->count <= PINS_CHUNKS_MAX + 1);
    return err;
}

lp_err
pin_find_chunks(catalog *from, raw_list *raw, const pin *of, pin_chunks *out)
{
    if (of->selection.kind == PIN_TRACE) {
        raw_list_span ignored;
        return raw_list_find(raw, of, out, &ignored);
    }
    // Only traces are looked for in several services.
    LP_ASSERT(of->session_id[0] != '\0' || (of->service[0] != '\0' && !strchr(of->service, '\n')));
    finding f = {.of = of, .chunks = out};
    const catalog_query query = {.service = of->service,
        .from_wall_ns = of->from_wall_ns,
        .to_wall_ns = of->to_wall_ns,
        .now_wall_ns = lp_time_now()};
    lp_err err = of->session_id[0] == '\0' ? catalog_list(from, &query, note_session, &f)
                                           : catalog_find(from, of->session_id, note_session, &f);
    LP_THEN(err, f.err);
    LP_THEN(err, list_chunks(from, &f));
    LP_VEC_FINI(&f.sessions);
    return err;
}
