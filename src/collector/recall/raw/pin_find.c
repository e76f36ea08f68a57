// SPDX-License-Identifier: Apache-2.0

#include "collector/recall/raw/pin_find.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_order.h"
#include "common/base/lp_time.h"

#include <stdio.h>
#include <string.h>

typedef struct dated_chunk {
    pin_chunk chunk;
    int64_t start_wall_ns;
} dated_chunk;

typedef struct finding {
    const pin *of;
    LP_VEC(pin_chunk) sessions; // their session_id
    const char *session_id;     // whose chunks are listed
    bool is_new_only;           // not those that have all events already
    LP_VEC(dated_chunk) chunks;
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
    bool is_new = !f->is_new_only || blob_place_get_edition(&chunk->place) != BLOB_EDITION_ALL;
    if (is_in_time && is_new && !chunk->is_lost && f->chunks.count <= PINS_CHUNKS_MAX) {
        dated_chunk item = {.chunk.ordinal = chunk->ordinal, .start_wall_ns = chunk->start_wall_ns};
        (void)snprintf(item.chunk.session_id, sizeof(item.chunk.session_id), "%s", f->session_id);
        LP_THEN(f->err, LP_VEC_ADD(&f->chunks, item));
    }
}

// list_chunks lists the chunks of the sessions.
static lp_err
list_chunks(catalog *from, finding *f)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < f->sessions.count && f->chunks.count <= PINS_CHUNKS_MAX && err == LP_OK;
         i++) {
        f->session_id = f->sessions.items[i].session_id;
        err = catalog_list_chunks(from, f->session_id, note_chunk, f);
        LP_THEN(err, f->err);
    }
    LP_ASSERT(f->chunks.count <= PINS_CHUNKS_MAX + 1);
    return err;
}

LP_COMPARE(compare_starts, dated_chunk, LP_ORDER(one->start_wall_ns, other->start_wall_ns))

// add_found adds the chunks to out, the oldest first: their raw data expires first.
static lp_err
add_found(const finding *f, pin_chunks *out)
{
    LP_QSORT(f->chunks.items, f->chunks.count, compare_starts);
    lp_err err = LP_OK;
    for (size_t i = 0; i < f->chunks.count && err == LP_OK; i++) {
        err = LP_VEC_ADD(out, f->chunks.items[i].chunk);
    }
    return err;
}

lp_err
pin_find_time(raw_list *raw, pin *of)
{
    LP_ASSERT(of->selection.kind == PIN_TRACE);
    pin_chunks ignored = {0};
    raw_list_span span;
    pin anytime = *of;
    anytime.from_wall_ns = INT64_MIN;
    lp_err err = raw_list_find(raw, &anytime, &ignored, &span);
    LP_VEC_FINI(&ignored);
    if (err == LP_OK && span.from_wall_ns <= span.to_wall_ns) {
        of->from_wall_ns = lp_time_add(span.from_wall_ns, -PIN_FIND_BEFORE_S * INT64_C(1000000000));
    }
    return err;
}

// find_stored finds the chunks of a pin in the catalog.
static lp_err
find_stored(catalog *from, const pin *of, bool is_new_only, pin_chunks *out)
{
    // Only traces are looked for in several services.
    LP_ASSERT(of->session_id[0] != '\0' || (of->service[0] != '\0' && !strchr(of->service, '\n')));
    finding f = {.of = of, .is_new_only = is_new_only};
    const catalog_query query = {.service = of->service,
        .from_wall_ns = of->from_wall_ns,
        .to_wall_ns = of->to_wall_ns,
        .now_wall_ns = lp_time_now()};
    lp_err err = of->session_id[0] == '\0' ? catalog_list(from, &query, note_session, &f)
                                           : catalog_find(from, of->session_id, note_session, &f);
    LP_THEN(err, f.err);
    LP_THEN(err, list_chunks(from, &f));
    LP_THEN(err, add_found(&f, out));
    LP_VEC_FINI(&f.chunks);
    LP_VEC_FINI(&f.sessions);
    return err;
}

// count_stored sets how many chunks the catalog has.
static lp_err
count_stored(catalog *from, const pin *of, uint64_t *out_count)
{
    pin_chunks stored = {0};
    lp_err err = of->selection.kind == PIN_TRACE ? LP_OK : find_stored(from, of, true, &stored);
    *out_count = stored.count;
    LP_VEC_FINI(&stored);
    return err;
}

// fill_raw adds the chunks with raw data.
static lp_err
fill_raw(raw_list *raw, pins *to, uint64_t stored, pin *now)
{
    pin_chunks found = {0};
    raw_list_span ignored;
    const pin of = *now;
    lp_err err = raw_list_find(raw, &of, &found, &ignored);
    if (err == LP_OK) {
        pins_count(to, of.id, found.count, stored);
        pins_fill(to, of.id, &found, now);
    }
    LP_VEC_FINI(&found);
    return err;
}

lp_err
pin_find_fill_copy(raw_list *raw, pins *to, pin *now)
{
    LP_ASSERT(now->is_copy);
    return fill_raw(raw, to, 0, now);
}

lp_err
pin_find_fill(catalog *from, raw_list *raw, bool is_shared, pins *to, pin *now)
{
    const pin of = *now;
    if (of.is_copy) {
        return pin_find_fill_copy(raw, to, now);
    }
    if (is_shared || of.selection.kind == PIN_TRACE) {
        uint64_t stored = 0;
        LP_TRY(is_shared ? count_stored(from, &of, &stored) : LP_OK);
        return fill_raw(raw, to, stored, now);
    }
    pin_chunks found = {0};
    lp_err err = find_stored(from, &of, false, &found);
    if (err == LP_OK) {
        pins_fill(to, of.id, &found, now);
    }
    LP_VEC_FINI(&found);
    return err;
}
