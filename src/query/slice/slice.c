// SPDX-License-Identifier: Apache-2.0
#include "query/slice/slice.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_io.h"
#include "common/base/lp_order.h"
#include "common/jfr/rewrite/jfr_rewrite.h"
#include "engine/compact.h"
#include "engine/job/chunk_times.h"
#include "engine/job/extract.h"
#include "engine/restyle.h"
#include "engine/write/merge.h"
#include "query/slice/slice_choice.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct piece {
    size_t source;
    uint32_t session; // index
    uint32_t index;   // in the session
    query_chunk_times times;
    bool lacks_period; // has samples whose period only other chunks set
    // The session's next chunk. ticks_per_s is 0 if it is unknown or not a piece. A collector does
    // not read it then, and any program must write the same slice.
    jfr_chunk_info next;
    query_chunk_times next_times;
    // After add_to_merge:
    int64_t start_wall_ns; // in the merge
    bool has_chosen;       // has events in the slice
} piece;

typedef struct session {
    query_slice_session known;
    compact_extracts extracts;
} session;

typedef struct gathered_chunk {
    uint64_t offset; // in the file
    uint64_t events;
    uint32_t size_bytes;
    uint32_t session;
} gathered_chunk;

// Another context style than events: chunks go to a file, and are rewritten once all are known
// (restyle.h).
typedef struct styler {
    compact_restyler *restyler;    // NULL: the style is events
    int fd;                        // -1: the file is not open
    uint64_t bytes;                // in the file
    LP_VEC(gathered_chunk) chunks; // in the order of the slice
} styler;

typedef struct writer {
    const query_slice *slice;
    const query_question *question;
    query_names *names;
    query_outcome *outcome;
    lp_problem *problem;
    LP_VEC(session) sessions;
    LP_VEC(piece) pieces; // by session; in a merge finally by start
    compact_merge *merge; // NULL: one session
    compact_schema *like; // of the last chunk
    query_slice_choice choice;
    uint64_t contexts; // selected
    bool is_truncated;
    bool is_last_time;
    int64_t start_wall_ns; // of the last chunk in a merge
    styler styler;
} writer;

static void
writer_check(const writer *w)
{
    LP_ASSERT(w->contexts <= QUERY_CONTEXTS_MAX);
    LP_ASSERT(w->styler.restyler != NULL || w->styler.chunks.count == 0);
}

static session *
session_of(const writer *w, const piece *p)
{
    LP_ASSERT(p->session < w->sessions.count);
    return &w->sessions.items[p->session];
}

// --- First pass: contexts

static lp_err
add_pieces(writer *w, const query_contexts *contexts, size_t first_source)
{
    LP_ASSERT(w->sessions.count > 0);
    const query_periods *periods = &w->sessions.items[w->sessions.count - 1].known.periods;
    for (uint32_t i = 0; i < contexts->chunks.count; i++) {
        const query_chunk_state *chunk = &contexts->chunks.items[i];
        size_t own_periods;
        (void)query_periods_of(periods, i, &own_periods);
        piece added = {
            .source = first_source + i,
            .session = (uint32_t)w->sessions.count - 1,
            .index = i,
            .times = chunk->times,
            .lacks_period = chunk->has_samples && own_periods == 0 && periods->items.count > 0,
        };
        if (i + 1 < contexts->chunks.count) {
            added.next = chunk[1].info;
            added.next_times = chunk[1].times;
        }
        LP_TRY(LP_VEC_ADD(&w->pieces, added));
    }
    return LP_OK;
}

static lp_err
on_session(void *arg, query_contexts *contexts, size_t first_source)
{
    writer *w = arg;
    writer_check(w);
    session taken = {.known = {.is_cancelled = w->question->is_cancelled}};
    lp_err err = query_slice_session_take(&taken.known, contexts);
    bool is_wanted = err == LP_OK && taken.known.context_count > 0;
    bool has_room = taken.known.context_count <= QUERY_CONTEXTS_MAX - w->contexts;
    session *added = is_wanted && has_room ? LP_VEC_PUSH(&w->sessions) : NULL;
    w->is_truncated |= is_wanted && !has_room;
    if (added == NULL) {
        query_slice_session_fini(&taken.known);
        return is_wanted && has_room ? LP_ENOMEM : err;
    }
    taken.extracts.clock = (compact_clock){
        contexts->clock.start_wall_ns, contexts->clock.start_ticks, contexts->clock.ticks_per_s};
    *added = taken;
    w->contexts += taken.known.context_count;
    return add_pieces(w, contexts, first_source);
}

static lp_err
on_unreadable(void *arg, size_t source, const lp_problem *problem)
{
    const query_question *q = ((const writer *)arg)->question;
    return q->on_unreadable == NULL ? LP_OK : q->on_unreadable(q->arg, source, problem);
}

static void
pass(const writer *w, size_t source, size_t done)
{
    const query_question *q = w->question;
    if (q->on_passed != NULL) {
        q->on_passed(q->arg, source, done, 2 * q->sources->count);
    }
}

static void
on_passed(void *arg, size_t source, size_t done, size_t all)
{
    (void)all; // of the first pass
    pass(arg, source, done);
}

static lp_err
find_sessions(writer *w)
{
    LP_ASSERT(w->sessions.count == 0 && w->pieces.count == 0);
    const query_question question = {
        .sources = w->question->sources,
        .selection = w->question->selection,
        .on_session = on_session,
        .on_unreadable = on_unreadable,
        .on_passed = on_passed,
        .arg = w,
        .is_cancelled = w->question->is_cancelled,
    };
    lp_err err = query_run(&question, w->names, w->outcome);
    w->outcome->contexts = w->contexts;
    return err;
}

// --- Chunks that may have events of the slice

static bool
is_needed(const writer *w, const piece *p, bool with_waits)
{
    LP_ASSERT(p->session < w->sessions.count);
    return query_slice_session_needs(&session_of(w, p)->known, p->index, &p->times, with_waits);
}

static bool
is_next_needed(const writer *w, const piece *p, bool with_waits)
{
    const piece next = {.session = p->session, .index = p->index + 1, .times = p->next_times};
    return p->next.ticks_per_s != 0 && is_needed(w, &next, with_waits);
}

static void
drop_pieces(writer *w, bool with_waits)
{
    writer_check(w);
    LP_VEC_KEEP(at, &w->pieces, is_needed(w, at, with_waits));
    for (size_t i = 0; i < w->pieces.count; i++) {
        piece *p = &w->pieces.items[i];
        p->next.ticks_per_s = is_next_needed(w, p, with_waits) ? p->next.ticks_per_s : 0;
    }
}

// visit calls on_open for a chunk, if that is still readable.
static lp_err
visit(writer *w, piece *p, lp_err (*on_open)(writer *w, piece *p, query_chunk *chunk))
{
    writer_check(w);
    query_chunk chunk;
    bool is_open;
    lp_problem problem;
    const query_question *q = w->question;
    LP_TRY(query_check_cancelled(q->is_cancelled));
    LP_TRY(query_sources_next(
        q->sources, p->source, w->names, false, &w->like, &chunk, &is_open, &problem));
    if (!is_open) {
        return on_unreadable(w, p->source, &problem);
    }
    lp_err err = on_open(w, p, &chunk);
    query_sources_close(q->sources, p->source, &chunk);
    return err;
}

static lp_err
visit_all(writer *w, bool with_waits, lp_err (*on_open)(writer *w, piece *p, query_chunk *chunk))
{
    size_t count = w->question->sources->count;
    for (size_t i = 0; i < w->pieces.count; i++) {
        piece *p = &w->pieces.items[i];
        if (is_needed(w, p, with_waits)) {
            LP_TRY(visit(w, p, on_open));
            pass(w, p->source, count + (w->is_last_time ? (i + 1) * count / w->pieces.count : 0));
        }
    }
    return LP_OK;
}

// --- Between: waits for monitors, sampling periods, and the numbers of a merge

static lp_err
add_waits(writer *w, piece *p, query_chunk *chunk)
{
    return query_slice_add_waits(&session_of(w, p)->known, chunk, p->index);
}

static lp_err
find_waits(writer *w)
{
    LP_TRY(visit_all(w, false, add_waits));
    for (size_t i = 0; i < w->sessions.count; i++) {
        LP_TRY(query_slice_finish_waits(&w->sessions.items[i].known));
        w->is_truncated |= w->sessions.items[i].known.is_truncated;
    }
    return LP_OK;
}

static lp_err
add_period(writer *w, piece *p, query_chunk *chunk)
{
    return query_slice_add_period(&session_of(w, p)->known, chunk, p->index, w->slice->has_around);
}

static lp_err
find_periods(writer *w)
{
    for (size_t i = 0; i < w->pieces.count; i++) {
        piece *p = &w->pieces.items[i];
        if (p->lacks_period && is_needed(w, p, w->slice->has_around)) {
            LP_TRY(visit(w, p, add_period));
            pass(w, p->source, w->question->sources->count);
        }
    }
    return LP_OK;
}

static lp_err
add_to_merge(writer *w, piece *p, query_chunk *chunk)
{
    LP_ASSERT(w->merge != NULL);
    const jfr_chunk_info *info = &chunk->view.info;
    const compact_clock line = compact_frame_merged_line(&session_of(w, p)->extracts.clock, info);
    p->start_wall_ns = compact_clock_wall_ns(&line, info->start_ticks);
    LP_TRY(query_slice_choose(
        &session_of(w, p)->known, chunk, p->index, w->slice->has_around, &w->choice));
    p->has_chosen = w->choice.offsets.count > 0;
    return p->has_chosen ? compact_merge_add(w->merge, p->session, &chunk->view) : LP_OK;
}

// forget_next clears the next chunks without events in the slice, while pieces are by session.
static void
forget_next(writer *w)
{
    for (size_t i = 0; i < w->pieces.count; i++) {
        piece *p = &w->pieces.items[i];
        bool has_next = i + 1 < w->pieces.count && p[1].session == p->session && p[1].has_chosen;
        p->next.ticks_per_s = has_next ? p->next.ticks_per_s : 0;
    }
}

LP_COMPARE(compare_starts, piece,
    LP_ORDER(one->start_wall_ns, other->start_wall_ns) ?: LP_ORDER(one->source, other->source))

// number_merge assigns the numbers of a merge of several sessions.
static lp_err
number_merge(writer *w)
{
    if (w->sessions.count > JFR_REWRITE_SOURCES_MAX) {
        return lp_problem_set(w->problem, LP_ELIMIT, "contexts of %zu JVMs; %d are the most",
            w->sessions.count, JFR_REWRITE_SOURCES_MAX);
    }
    w->merge = compact_merge_create((uint32_t)w->sessions.count);
    LP_TRY(w->merge == NULL ? LP_ENOMEM : visit_all(w, w->slice->has_around, add_to_merge));
    forget_next(w);
    LP_TRY(compact_merge_number(w->merge));
    LP_QSORT(w->pieces.items, w->pieces.count, compare_starts);
    return LP_OK;
}

// --- Last pass: events

// part_starts moves the start of a merged chunk behind the previous one's.
static void
part_starts(writer *w, lp_buf *jfr)
{
    jfr_chunk_info info;
    lp_err err = jfr_chunk_parse(lp_buf_slice(jfr), &info, NULL);
    LP_ASSERT(err == LP_OK); // the engine wrote it
    if (jfr_chunk_start_behind(&info, w->start_wall_ns)) {
        jfr_chunk_encode(&info, jfr->ptr);
    }
    w->start_wall_ns = info.start_wall_ns;
}

static lp_err
gather(writer *w, const piece *p, const compact_result *chunk)
{
    styler *s = &w->styler;
    LP_ASSERT(s->restyler != NULL);
    const lp_slice bytes = lp_buf_slice(&chunk->jfr);
    const gathered_chunk gathered = {
        .offset = s->bytes,
        .events = chunk->stats.events_out,
        .size_bytes = (uint32_t)bytes.len,
        .session = p->session,
    };
    LP_TRY(LP_VEC_ADD(&s->chunks, gathered));
    s->bytes += bytes.len;
    LP_TRY(compact_restyler_survey(s->restyler, bytes));
    return w->slice->spill(w->slice->arg, bytes, &s->fd);
}

static lp_err
write_piece(writer *w, piece *p, query_chunk *chunk)
{
    writer_check(w);
    session *s = session_of(w, p);
    lp_err err = query_slice_choose(&s->known, chunk, p->index, w->slice->has_around, &w->choice);
    if (err != LP_OK || w->choice.offsets.count == 0) {
        return err;
    }
    const compact_source source = {
        .jfr = chunk->view.chunk, .merge = w->merge, .merge_source = p->session};
    compact_result result;
    const compact_excerpt excerpt = {
        .view = &chunk->view,
        .source = &source,
        .offsets = w->choice.offsets.items,
        .count = w->choice.offsets.count,
        .next = p->next.ticks_per_s == 0 ? NULL : &p->next,
    };
    err = compact_extract(&s->extracts, &excerpt, &result, w->problem);
    if (err == LP_OK && w->merge != NULL) {
        part_starts(w, &result.jfr);
    }
    LP_THEN(err, w->styler.restyler == NULL ? w->slice->on_chunk(w->slice->arg, &result)
                                            : gather(w, p, &result));
    compact_result_fini(&result);
    return err;
}

// --- Another context style

static lp_err
read_gathered(const styler *s, size_t number, lp_buf *out_bytes)
{
    LP_ASSERT(number < s->chunks.count);
    const gathered_chunk *chunk = &s->chunks.items[number];
    uint8_t *bytes = lp_buf_extend(out_bytes, chunk->size_bytes);
    return bytes == NULL ? LP_ENOMEM
                         : lp_io_pread_all(s->fd, bytes, chunk->size_bytes, chunk->offset);
}

// find_next returns the number of the session's next chunk, or the count of all chunks.
static size_t
find_next(const styler *s, size_t number)
{
    LP_ASSERT(number < s->chunks.count);
    size_t next = number + 1;
    while (next < s->chunks.count &&
           s->chunks.items[next].session != s->chunks.items[number].session) {
        next++;
    }
    return next;
}

static lp_err
restyle(writer *w, size_t number)
{
    writer_check(w);
    const styler *s = &w->styler;
    lp_buf chunk = {0};
    lp_buf next = {0};
    compact_result result;
    lp_err err = read_gathered(s, number, &chunk);
    if (err == LP_OK && find_next(s, number) < s->chunks.count) {
        err = read_gathered(s, find_next(s, number), &next);
    }
    LP_THEN(err, compact_restyler_write(
                     s->restyler, lp_buf_slice(&chunk), lp_buf_slice(&next), &result, w->problem));
    if (err == LP_OK) {
        result.stats.events_out = s->chunks.items[number].events;
        err = w->slice->on_chunk(w->slice->arg, &result);
        compact_result_fini(&result);
    }
    lp_buf_fini(&chunk);
    lp_buf_fini(&next);
    return err;
}

// restyle_all writes the gathered chunks. Their statistics keep the count of events from before.
static lp_err
restyle_all(writer *w)
{
    for (size_t i = 0; i < w->styler.chunks.count; i++) {
        LP_TRY(query_check_cancelled(w->question->is_cancelled));
        LP_TRY(restyle(w, i));
    }
    return LP_OK;
}

static void
fini(writer *w)
{
    for (size_t i = 0; i < w->sessions.count; i++) {
        query_slice_session_fini(&w->sessions.items[i].known);
    }
    LP_VEC_FINI(&w->sessions);
    LP_VEC_FINI(&w->pieces);
    compact_merge_destroy(w->merge);
    compact_schema_release(w->like);
    query_slice_choice_fini(&w->choice);
    compact_restyler_destroy(w->styler.restyler);
    LP_VEC_FINI(&w->styler.chunks);
    if (w->styler.fd >= 0) {
        (void)close(w->styler.fd);
    }
}

lp_err
query_slice_write(const query_slice *slice, query_names *names, query_outcome *out_outcome,
    lp_problem *out_problem)
{
    LP_ASSERT(slice->on_chunk != NULL);
    LP_ASSERT(slice->style == COMPACT_STYLE_EVENTS || slice->spill != NULL);
    writer w = {
        .slice = slice,
        .question = slice->question,
        .names = names,
        .outcome = out_outcome,
        .problem = out_problem,
        .start_wall_ns = INT64_MIN,
        .styler = {.fd = -1},
    };
    *out_outcome = (query_outcome){0};
    *out_problem = (lp_problem){.text = ""};
    if (slice->style != COMPACT_STYLE_EVENTS) {
        w.styler.restyler = compact_restyler_create(slice->style, false);
        LP_REQUIRE(w.styler.restyler != NULL, LP_ENOMEM);
    }
    lp_err err = find_sessions(&w);
    LP_THEN(err, slice->has_around ? find_waits(&w) : LP_OK);
    LP_THEN(err, find_periods(&w));
    LP_THEN(err, w.sessions.count > 1 ? number_merge(&w) : LP_OK);
    if (err == LP_OK) {
        drop_pieces(&w, slice->has_around);
        w.is_last_time = true;
        err = visit_all(&w, slice->has_around, write_piece);
    }
    LP_THEN(err, restyle_all(&w));
    fini(&w);
    out_outcome->is_truncated |= w.is_truncated || names->is_truncated;
    return err;
}
