// SPDX-License-Identifier: Apache-2.0

// What a session decides: which batch is next, held, there already or too far ahead; which chunks
// make a unit and when it is due; and how much waits.

#include "support/temp_dir.h"

#include "collector/base/metrics.h"
#include "collector/session/session.h"
#include "collector/session/session_note.h"
#include "collector/session/session_settle.h"
#include "common/base/lp_log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static unsigned warnings; // lines of the log, so far

// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the linker's name
void __wrap_lp_log(lp_log_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void
__wrap_lp_log(lp_log_level level, const char *format, ...)
{
    (void)format;
    warnings += level == LP_LOG_WARN ? 1 : 0;
}

typedef struct fixture {
    temp_dir dir;
    session *session;
} fixture;

static int
set_up(void **state)
{
    static char nothing[1];
    fixture *f = calloc(1, sizeof(*f));
    const catalog_session row = {.id = "5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a",
        .service = nothing,
        .instance = nothing,
        .jvm_name = nothing,
        .jvm_version = nothing,
        .next_sequence = 100};
    f->dir = temp_dir_make();
    f->session = session_create(&row);
    assert_non_null(f->session);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    session_destroy(f->session);
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

// add makes a chunk wait.
static session_chunk *
add(fixture *f, uint32_t ordinal, bool has_jfr, int64_t duration_ns)
{
    char path[300];
    journal *file;
    (void)snprintf(path, sizeof(path), "%s/%u.log", f->dir.path, (unsigned)ordinal);
    assert_int_equal(journal_open(path, &file), LP_OK);
    assert_int_equal(session_add_chunk(f->session, ordinal, file), LP_OK);
    session_chunk *chunk = session_find_chunk(f->session, ordinal);
    assert_non_null(chunk);
    chunk->has_jfr = has_jfr;
    f->session->at_chunk = ordinal;
    chunk->duration_ns = duration_ns;
    return chunk;
}

static void
assert_batches(const lp_ranges *set, const char *expected)
{
    char text[100];
    lp_ranges_format(set, text, sizeof(text));
    assert_string_equal(text, expected);
}

static void
test_chunks_wait_in_order_up_to_the_limit(void **state)
{
    fixture *f = *state;
    for (uint32_t i = 0; i < SESSION_CHUNKS_MAX; i++) {
        (void)add(f, (i * 37 + 5) % SESSION_CHUNKS_MAX, true, 0); // each once
    }
    for (uint32_t i = 0; i < SESSION_CHUNKS_MAX; i++) {
        assert_int_equal(f->session->chunks[i].ordinal, i);
    }
    assert_null(session_find_chunk(f->session, SESSION_CHUNKS_MAX));
    assert_int_equal(session_add_chunk(f->session, SESSION_CHUNKS_MAX, NULL), LP_ELIMIT);
    session_remove_chunks(f->session, 60);
    assert_int_equal(f->session->chunk_count, 4);
    assert_int_equal(f->session->chunks[0].ordinal, 60);
}

static void
test_a_unit_ends_with_its_jfr_bytes(void **state)
{
    fixture *f = *state;
    assert_int_equal(session_get_unit(f->session, 0).end, 0);
    assert_false(session_get_unit(f->session, 0).has_jfr);
    (void)add(f, 3, false, 0);
    (void)add(f, 4, true, 0);
    (void)add(f, 5, false, 0);
    assert_int_equal(session_get_unit(f->session, 0).end, 2);
    assert_true(session_get_unit(f->session, 0).has_jfr);
    assert_int_equal(session_get_unit(f->session, 2).end, 3);
    assert_false(session_get_unit(f->session, 2).has_jfr); // context records alone
    f->session->chunks[1].is_damaged = true;               // as good as none
    assert_int_equal(session_get_unit(f->session, 0).end, 3);
    assert_false(session_get_unit(f->session, 0).has_jfr);
}

static bool
is_due(const fixture *f)
{
    return session_is_due(f->session, session_next_unit(f->session), SESSION_LOOK_AHEAD_NS);
}

static void
test_a_unit_is_due_once_nothing_of_it_can_come(void **state)
{
    fixture *f = *state;
    assert_false(is_due(f));
    (void)add(f, 0, true, SESSION_LOOK_AHEAD_NS);
    assert_false(is_due(f)); // its successor is missing
    session_enter(f->session, SESSION_ENDED);
    assert_true(is_due(f));
    session_enter(f->session, SESSION_RUNNING);
    session_chunk *next = add(f, 1, true, SESSION_LOOK_AHEAD_NS - 1);
    assert_false(is_due(f));
    next->duration_ns = SESSION_LOOK_AHEAD_NS;
    assert_true(is_due(f));
    assert_false(
        session_is_due(f->session, session_next_unit(f->session), SESSION_LOOK_AHEAD_NS + 1));
}

// Of the chunks behind it there was a part, without its begin, when the agent began to send them
// again: by those nothing can be decided.
static void
test_a_unit_waits_for_those_that_are_sent_again_behind_it(void **state)
{
    fixture *f = *state;
    (void)add(f, 0, true, SESSION_LOOK_AHEAD_NS);
    session_chunk *next = add(f, 1, true, 0); // it has just begun again
    (void)add(f, 2, true, SESSION_LOOK_AHEAD_NS);
    for (uint32_t i = 3; i < 3 + SESSION_CHUNKS_HELD_MAX; i++) {
        (void)add(f, i, true, SESSION_LOOK_AHEAD_NS);
    }
    f->session->at_chunk = 1;
    assert_false(is_due(f));
    next->duration_ns = SESSION_LOOK_AHEAD_NS;
    assert_true(is_due(f));
    next->duration_ns = 0;
    f->session->at_chunk = 2;
    assert_true(is_due(f));
    f->session->at_chunk = 1;
    session_enter(f->session, SESSION_ENDED); // nothing more is sent
    assert_true(is_due(f));
}

// What counts is the length of all later ones together; but no more than some of them are held.
static void
test_short_chunks_add_up(void **state)
{
    fixture *f = *state;
    (void)add(f, 0, false, 0);
    (void)add(f, 1, true, 5);
    (void)add(f, 2, true, SESSION_LOOK_AHEAD_NS - 3);
    (void)add(f, 3, false, 0);
    session_chunk *last = add(f, 4, true, 2);
    assert_false(is_due(f));
    last->duration_ns = 3;
    assert_true(is_due(f));
    last->duration_ns = -3; // a header may say anything
    assert_false(is_due(f));
    for (uint32_t i = 5; i < 2 + SESSION_CHUNKS_HELD_MAX; i++) {
        (void)add(f, i, true, 0);
    }
    assert_false(is_due(f));
    (void)add(f, 2 + SESSION_CHUNKS_HELD_MAX, true, 0);
    assert_true(is_due(f));
}

static void
assert_waiting(const session *s, uint32_t chunks, uint64_t journal_bytes, int64_t duration_ns)
{
    snapshot_waiting waiting = session_get_waiting(s);
    assert_int_equal(waiting.chunks, chunks);
    assert_int_equal(waiting.journal_bytes, journal_bytes);
    assert_int_equal(waiting.duration_ns, duration_ns);
}

static void
test_what_waits_is_summed_up(void **state)
{
    fixture *f = *state;
    static const uint8_t message[88];
    const lp_slice bytes = {message, sizeof(message)};
    assert_waiting(f->session, 0, 0, 0);
    (void)add(f, 0, true, 5);
    (void)add(f, 1, true, 7);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(journal_append(f->session->chunks[i].journal, bytes), LP_OK);
        assert_waiting(f->session, 2, (i + 1) * 100, 12); // its frame has 12 bytes
    }
    session_remove_chunks(f->session, 1);
    assert_waiting(f->session, 1, 100, 7);
    f->session->chunks[0].duration_ns = INT64_MAX;
    (void)add(f, 2, true, 1);
    assert_waiting(f->session, 2, 100, INT64_MAX);
}

// Of chunks whose journals lost all batches nobody knows which those were: they may have been of
// the chunk before as well.
static void
test_journals_without_batches_lack_from_the_one_before_on(void **state)
{
    fixture *f = *state;
    session_chunk *first = add(f, 0, true, 0);
    lp_ranges_add(&first->batches, 90, 93);
    (void)add(f, 1, false, 0);
    (void)add(f, 2, false, 0);
    session_chunk *last = add(f, 3, true, 0);
    lp_ranges_add(&last->batches, 96, 100);
    lp_ranges_add(&f->session->row.settled, 0, 90);
    session_count_recovered(f->session);
    assert_int_equal(f->session->row.losses[CATALOG_LOSS_BATCHES_LOST], 3);
    assert_int_equal(session_get_lacking(f->session), 1 + 0);
}

// Chunk 0 had begun again, and batches behind that are missing: it lacks, and what was missing
// before it began again does not.
static void
test_a_chunk_that_began_again_may_lack_once_more(void **state)
{
    fixture *f = *state;
    session_chunk *first = add(f, 0, true, 0); // 90, 91 and 100, with which it began again
    lp_ranges_add(&first->batches, 90, 92);
    lp_ranges_add(&first->batches, 100, 101);
    first->again_sequence = 100;
    first->has_begun_again = true;
    session_chunk *last = add(f, 1, true, 0); // 92 and 93
    lp_ranges_add(&last->batches, 92, 94);
    lp_ranges_add(&f->session->row.settled, 0, 90);
    f->session->row.next_sequence = 104;
    session_count_recovered(f->session);
    assert_int_equal(f->session->row.losses[CATALOG_LOSS_BATCHES_LOST], 9);
    assert_int_equal(session_get_lacking(f->session), 1 + 0);
    assert_batches(&f->session->lack.batches, "101-103");
    assert_batches(&f->session->row.lost, "94-99,101-103");
}

// Batches 7 to 12 came again, the first of chunk 2 as batch 14, which a power cut took: it is of
// the chunk before those that have no journal.
static void
test_what_came_again_may_lack_from_where_it_began(void **state)
{
    fixture *f = *state;
    catalog_session *row = &f->session->row;
    row->next_chunk = 2;
    row->next_sequence = 15;
    lp_ranges_add(&row->settled, 0, 3);
    lp_ranges_add(&row->settled, 7, 13);
    lp_ranges_add(&add(f, 2, true, 0)->batches, 3, 7);
    lp_ranges_add(&add(f, 8, true, 0)->batches, 13, 14);
    session_count_recovered(f->session);
    assert_batches(&row->lost, "14");
    assert_int_equal(session_get_lacking(f->session), 1 + 2);
}

// note has the session note the next batch, which is of this chunk.
static void
note(fixture *f, session_chunk *chunk, uint64_t offset, uint32_t size, bool begins_again)
{
    Loupe__Wire__Batch batch = LOUPE__WIRE__BATCH__INIT;
    batch.sequence = f->session->row.next_sequence;
    batch.chunk = chunk->ordinal;
    batch.chunk_offset = offset;
    batch.jfr_size = size;
    batch.begins_again = begins_again;
    session_note(f->session, chunk, &batch);
}

// An agent may spread its batches over chunks in any way: what is stored of one says nothing of
// those that wait.
static void
test_no_batch_counts_as_stored_that_is_of_a_chunk_which_waits(void **state)
{
    fixture *f = *state;
    catalog_session *row = &f->session->row;
    (void)add(f, 0, true, 0);
    (void)add(f, 1, true, 0);
    row->next_sequence = 0;
    while (row->next_sequence < 10 * LP_RANGES_MAX) {
        note(f, session_find_chunk(f->session, row->next_sequence % 2), 0, 1, false);
    }
    session_settle(f->session, 1, row);
    assert_true(lp_ranges_overlaps(&row->settled, 0, 1));
    for (uint64_t odd = 1; odd < row->next_sequence; odd += 2) {
        assert_false(lp_ranges_overlaps(&row->settled, odd, odd + 1));
    }
    assert_int_equal(lp_ranges_first_gap(&row->settled, 0), 1);
}

static void
test_an_end_that_nobody_announced_leaves_late_batches(void **state)
{
    fixture *f = *state;
    catalog_session *row = &f->session->row;
    add(f, 0, false, 0)->is_damaged = true;
    row->ended_how = CATALOG_ENDED_KILLED;
    lp_ranges_add(&row->settled, 0, 15);
    lp_ranges_add(&f->session->rest, 10, 20);
    session_end(f->session);
    assert_true(row->is_ended && f->session->is_unsaved);
    assert_int_equal(row->losses[CATALOG_LOSS_CHUNKS_UNREADABLE], 1);
    assert_batches(&row->settled, "0-14");
    assert_batches(&row->late, "15-19");
    f->session->is_unsaved = false;
    session_end(f->session); // again, because the row could not be saved
    assert_int_equal(row->losses[CATALOG_LOSS_CHUNKS_UNREADABLE], 1);
    assert_batches(&row->late, "15-19");
    assert_false(f->session->is_unsaved);
}

static void
test_an_announced_end_settles_all_batches(void **state)
{
    fixture *f = *state;
    (void)add(f, 0, false, 0);
    f->session->row.ended_how = CATALOG_ENDED_CLOSED;
    lp_ranges_add(&f->session->rest, 10, 20);
    session_end(f->session);
    assert_true(f->session->row.is_ended);
    assert_batches(&f->session->row.settled, "0-99");
    assert_true(lp_ranges_is_empty(&f->session->row.late));
    assert_int_equal(f->session->row.losses[CATALOG_LOSS_CHUNKS_UNREADABLE], 0);
}

// lose has batches count as lost, from a number that no other has.
static lp_ranges
lose(fixture *f, uint64_t count)
{
    static uint64_t next = 50;
    lp_ranges lost = {0};
    lp_ranges_add(&lost, next, next + count);
    next += count;
    lp_ranges_unite(&f->session->row.lost, &lost);
    session_lose(f->session, CATALOG_LOSS_BATCHES_LOST, count, "test");
    return lost;
}

// lack has the session lack batches of a chunk, and of those behind it.
static void
lack(fixture *f, uint32_t ordinal, uint64_t batches)
{
    lp_ranges lost = lose(f, batches);
    session_lack_batches(f->session, ordinal, &lost);
    lp_ranges_fini(&lost);
}

// The agent sends chunks again, from one on that is before those which lack by now.
static void
test_a_chunk_before_those_that_lack_makes_good(void **state)
{
    fixture *f = *state;
    session_chunk *first = add(f, 3, true, 0);
    (void)add(f, 5, true, 0);
    lack(f, 5, 4);
    note(f, first, 0, 10, true);
    assert_int_equal(session_get_lacking(f->session), 0);
    assert_int_equal(f->session->row.losses[CATALOG_LOSS_BATCHES_LOST], 0);
}

// The agent is slower than anybody waits. That it did not come in time is no loss once it comes.
static void
test_what_was_given_up_makes_good_before_it_is_compacted(void **state)
{
    fixture *f = *state;
    session_chunk *chunk = add(f, 3, true, 0);
    for (uint64_t batches = 4; batches <= 6; batches += 2) {
        lack(f, 3, batches);
        session_give_up_lack(f->session);
        assert_int_equal(session_get_lacking(f->session), 0);
    }
    lack(f, 3, 1);
    note(f, chunk, 0, 10, true);
    assert_int_equal(f->session->row.losses[CATALOG_LOSS_BATCHES_LOST], 0);
    assert_int_equal(lp_ranges_count(&f->session->made_good), 11);
    assert_true(lp_ranges_is_empty(&f->session->row.lost));
}

// An agent says Hello, and may not have heard that it was asked before: it is asked again, but not
// for what is compacted.
static void
test_what_was_given_up_lacks_again_for_a_hello(void **state)
{
    fixture *f = *state;
    session_chunk *chunk = add(f, 3, true, 0);
    lack(f, 3, 4);
    session_give_up_lack(f->session);
    session_lack_again(f->session);
    assert_int_equal(session_get_lacking(f->session), 1 + 3);
    assert_int_equal(lp_ranges_count(&f->session->lack.batches), 4);
    session_give_up_lack(f->session);
    session_lack_again(f->session); // nothing is there twice
    assert_int_equal(lp_ranges_count(&f->session->lack.batches), 4);
    note(f, chunk, 0, 10, true);
    assert_int_equal(f->session->row.losses[CATALOG_LOSS_BATCHES_LOST], 0);

    lack(f, 3, 4);
    session_give_up_lack(f->session);
    session_remove_chunks(f->session, 1); // compacted
    f->session->row.next_chunk = 4;
    session_lack_again(f->session);
    assert_int_equal(session_get_lacking(f->session), 0);
}

// It was on its way when the agent heard what is lacking, which comes behind it.
static void
test_a_later_chunk_makes_nothing_good(void **state)
{
    fixture *f = *state;
    (void)add(f, 3, true, 0);
    session_chunk *later = add(f, 5, true, 0);
    lack(f, 3, 4);
    note(f, later, 0, 10, true);
    assert_int_equal(session_get_lacking(f->session), 1 + 3);
    assert_int_equal(f->session->row.losses[CATALOG_LOSS_BATCHES_LOST], 4);
    note(f, session_find_chunk(f->session, 3), 0, 10, true);
    assert_int_equal(session_get_lacking(f->session), 0);
    assert_int_equal(f->session->row.losses[CATALOG_LOSS_BATCHES_LOST], 0);
}

// What was made good may turn out to be lost after all: all of it, though something else was made
// good meanwhile.
static void
test_all_that_was_made_good_is_known(void **state)
{
    fixture *f = *state;
    session_chunk *chunk = add(f, 3, true, 0);
    (void)add(f, 5, true, 0);
    lack(f, 3, 4);
    note(f, chunk, 0, 10, true);
    lack(f, 3, 2);
    note(f, chunk, 0, 10, true);
    session_lack_chunk(f->session, 3);
    f->session->lack.journal_bytes = 7; // damage alone
    note(f, chunk, 0, 10, true);
    assert_int_equal(f->session->row.losses[CATALOG_LOSS_BATCHES_LOST], 0);
    assert_int_equal(lp_ranges_count(&f->session->made_good), 6);
}

static void
test_what_was_given_up_and_compacted_is_lost(void **state)
{
    fixture *f = *state;
    session_chunk *chunk = add(f, 4, true, 0);
    lack(f, 3, 4);
    session_give_up_lack(f->session);
    f->session->row.next_chunk = 4;
    note(f, chunk, 0, 10, true);
    assert_int_equal(f->session->row.losses[CATALOG_LOSS_BATCHES_LOST], 4);
}

// The catalog lost the session, and a power cut the first batches and one between. What is missing
// in the journals counts once, and what may be missing before is asked for by each start.
static void
test_where_the_catalog_lost_it_all_is_asked_for(void **state)
{
    fixture *f = *state;
    session_chunk *chunk = add(f, 2, true, 0);
    f->session->row.is_remade = true;
    f->session->row.next_sequence = 3;
    note(f, chunk, 0, 10, false);
    f->session->row.next_sequence = 5;
    note(f, chunk, 20, 10, false);
    for (int i = 0; i < 2; i++) {
        session_forget_lack(f->session);
        session_count_recovered(f->session);
        assert_int_equal(f->session->row.losses[CATALOG_LOSS_BATCHES_LOST], 1);
        assert_batches(&f->session->lack.batches, "4");
        assert_int_equal(session_get_lacking(f->session), 1 + 0);
    }
}

// The same, with all batches there: nothing is asked for.
static void
test_where_the_catalog_lost_it_nothing_may_be_missing(void **state)
{
    fixture *f = *state;
    session_chunk *chunk = add(f, 0, true, 0);
    f->session->row.is_remade = true;
    f->session->row.next_sequence = 0;
    note(f, chunk, 0, 10, false);
    note(f, chunk, 10, 10, false);
    session_count_recovered(f->session);
    assert_int_equal(f->session->row.losses[CATALOG_LOSS_BATCHES_LOST], 0);
    assert_int_equal(session_get_lacking(f->session), 0);
}

// Its agent, which is asked to say Hello, hears what is lacking; damage counts once.
static void
test_damage_that_is_found_meanwhile_is_counted_and_asked_for(void **state)
{
    fixture *f = *state;
    const uint64_t *lost = &f->session->row.losses[CATALOG_LOSS_JOURNAL_BYTES_LOST];
    (void)add(f, 0, true, 1);
    const session_chunk *chunk = add(f, 1, true, 1);
    f->session->is_greeted = true;
    session_note_damage(f->session, chunk->journal, 50);
    assert_int_equal(*lost, 50);
    assert_int_equal(f->session->lack.journal_bytes, 50);
    assert_int_equal(session_get_lacking(f->session), 2); // 1 + the chunk
    assert_false(f->session->is_greeted);
    f->session->is_greeted = true;
    session_note_damage(f->session, chunk->journal, 50);
    assert_int_equal(*lost, 50);
    assert_true(f->session->is_greeted);
    session_note_damage(f->session, chunk->journal, 70);
    assert_int_equal(*lost, 70);
    session_note_damage(f->session, NULL, 1000); // of no chunk that waits
    assert_int_equal(*lost, 70);
}

// Pieces that came twice, as what was on its way when the agent went back, make a chunk with a hole
// no larger than the whole one that comes then.
static void
test_of_a_chunk_that_begins_again_the_larger_one_counts(void **state)
{
    fixture *f = *state;
    session_chunk *chunk = add(f, 0, false, 0);
    note(f, chunk, 0, 10, false);
    note(f, chunk, 20, 10, false); // 10 bytes are missing
    note(f, chunk, 15, 10, false);
    note(f, chunk, 20, 10, false);
    assert_int_equal(session_get_ignored_from(chunk), 0);
    note(f, chunk, 0, 19, true); // batch 104
    assert_int_equal(session_get_ignored_from(chunk), 104);
    note(f, chunk, 19, 11, false);
    assert_int_equal(session_get_ignored_from(chunk), 0);
}

// A row that was lost does not know which batches are compacted; damage is counted all the same.
static void
test_damage_comes_again_though_the_row_was_lost(void **state)
{
    fixture *f = *state;
    const uint64_t *lost = &f->session->row.losses[CATALOG_LOSS_JOURNAL_BYTES_LOST];
    session_chunk *chunk = add(f, 0, false, 0);
    note(f, chunk, 0, 10, false);
    chunk->damaged_bytes = 50;
    session_lack_chunk(f->session, 0);
    f->session->row.is_remade = true;
    session_count_recovered(f->session);
    assert_int_equal(*lost, 50);
    note(f, chunk, 0, 20, true);
    assert_int_equal(*lost, 0);
}

// An agent that was elsewhere twice came here once, and each batch of it says so.
static void
test_an_agent_that_comes_from_another_collector_is_counted_once(void **state)
{
    fixture *f = *state;
    session_chunk *chunk = add(f, 0, true, 0);
    Loupe__Wire__Counters counters = LOUPE__WIRE__COUNTERS__INIT;
    Loupe__Wire__Batch batch = LOUPE__WIRE__BATCH__INIT;
    batch.counters = &counters;
    static const uint64_t moves[] = {0, 2, 2, 4};
    static const uint64_t arrivals[] = {0, 1, 1, 2};
    uint64_t before = metrics_get(METRICS_agents_arrived);
    for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
        counters.collector_moves = moves[i];
        batch.sequence = 100 + i;
        session_note(f->session, chunk, &batch);
        assert_int_equal(metrics_get(METRICS_agents_arrived) - before, arrivals[i]);
    }
}

// The total may grow with each batch, and one line says so.
static void
test_contexts_without_a_place_are_counted_and_logged_once(void **state)
{
    fixture *f = *state;
    session_chunk *chunk = add(f, 0, true, 0);
    const uint64_t *lost = &f->session->row.losses[CATALOG_LOSS_RECORDING_CONTEXTS_REFUSED];
    const metrics_id metric = METRICS_losses_RECORDING_CONTEXTS_REFUSED;
    Loupe__Wire__Counters counters = LOUPE__WIRE__COUNTERS__INIT;
    Loupe__Wire__Batch batch = LOUPE__WIRE__BATCH__INIT;
    batch.counters = &counters;
    static const uint64_t refused[] = {0, 3, 3, 8, 9};
    static const unsigned lines[] = {0, 1, 1, 1, 1};
    uint64_t before = metrics_get(metric);
    unsigned warned = warnings;
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        counters.recording_contexts_refused = refused[i];
        batch.sequence = 100 + i;
        session_note(f->session, chunk, &batch);
        assert_int_equal(*lost, refused[i]);
        assert_int_equal(metrics_get(metric) - before, refused[i]);
        assert_int_equal(warnings - warned, lines[i]);
    }
}

// An agent's last word is in no journal: a start has it in the row, and reads the batches
// before it.
static void
test_a_last_word_outlives_the_batches_that_are_read_again(void **state)
{
    fixture *f = *state;
    session_chunk *chunk = add(f, 0, true, 0);
    Loupe__Wire__Counters counters = LOUPE__WIRE__COUNTERS__INIT;
    Loupe__Wire__Batch batch = LOUPE__WIRE__BATCH__INIT;
    batch.counters = &counters;
    counters.chunk_bytes_dropped = 5;
    for (batch.sequence = 100; batch.sequence < 102; batch.sequence++) {
        session_note(f->session, chunk, &batch);
        assert_false(session_has_ended(f->session));
    }
    counters.chunk_bytes_dropped = 17;
    session_note_end(f->session, &counters);
    assert_true(session_has_ended(f->session));

    session_enter(f->session, SESSION_RUNNING); // as a start has it
    counters.chunk_bytes_dropped = 5;
    for (batch.sequence = 100; batch.sequence < 102; batch.sequence++) {
        session_note(f->session, chunk, &batch);
    }
    assert_true(session_has_ended(f->session));
    assert_int_equal(f->session->row.ended_how, CATALOG_ENDED_CLOSED);
    assert_int_equal(f->session->row.chunk_bytes_dropped, 17);

    session_note(f->session, chunk, &batch); // one that nobody knew: it goes on
    assert_false(session_has_ended(f->session));
    assert_int_equal(f->session->row.ended_how, CATALOG_ENDED_UNKNOWN);
}

// Its partition went to another collector, which takes it while a job runs here.
static void
test_a_session_that_leaves_is_lost_once(void **state)
{
    const fixture *f = *state;
    uint64_t lost = metrics_get(METRICS_sessions_lost);
    session_withdraw(f->session, SESSION_LEAVING);
    session_note_lost(f->session);
    session_note_lost(f->session);
    assert_int_equal(metrics_get(METRICS_sessions_lost), lost + 1);
    assert_int_equal(f->session->standing, SESSION_LEAVING);
}

// Killed if its connection is gone for too long, timed out if it is silent for too long, over once
// it is silent for longer still; and what was decided before stays.
static void
test_silence_means_an_end_once_a_time_has_passed(void **state)
{
    (void)state;
    static const session_patience most = {.gone_ms = 15, .silent_ms = 60, .linger_ms = 600};
    static const struct {
        session_silence silence;
        session_verdict verdict;
    } cases[] = {
        {{CATALOG_ENDED_UNKNOWN, false, 0, 0}, {CATALOG_ENDED_UNKNOWN, false}},
        {{CATALOG_ENDED_UNKNOWN, true, 15, 60}, {CATALOG_ENDED_UNKNOWN, false}},
        {{CATALOG_ENDED_UNKNOWN, true, 16, 60}, {CATALOG_ENDED_KILLED, false}},
        {{CATALOG_ENDED_UNKNOWN, false, 16, 60}, {CATALOG_ENDED_UNKNOWN, false}},
        {{CATALOG_ENDED_UNKNOWN, false, 16, 61}, {CATALOG_ENDED_TIMED_OUT, false}},
        {{CATALOG_ENDED_UNKNOWN, true, 15, 61}, {CATALOG_ENDED_TIMED_OUT, false}},
        {{CATALOG_ENDED_UNKNOWN, true, 16, 61}, {CATALOG_ENDED_KILLED, false}},
        {{CATALOG_ENDED_UNKNOWN, false, 0, 661}, {CATALOG_ENDED_TIMED_OUT, true}},
        {{CATALOG_ENDED_TIMED_OUT, true, 661, 660}, {CATALOG_ENDED_TIMED_OUT, false}},
        {{CATALOG_ENDED_KILLED, false, 0, 661}, {CATALOG_ENDED_KILLED, true}},
        {{CATALOG_ENDED_CLOSED, true, 661, 660}, {CATALOG_ENDED_CLOSED, false}},
        {{CATALOG_ENDED_CLOSED, true, 661, 661}, {CATALOG_ENDED_CLOSED, true}},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const session_verdict found = session_judge(&cases[i].silence, &most);
        assert_int_equal(found.ended_how, cases[i].verdict.ended_how);
        assert_int_equal(found.is_over, cases[i].verdict.is_over);
    }
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_chunks_wait_in_order_up_to_the_limit),
        TEST(test_a_unit_ends_with_its_jfr_bytes),
        TEST(test_a_unit_is_due_once_nothing_of_it_can_come),
        TEST(test_short_chunks_add_up),
        TEST(test_what_waits_is_summed_up),
        TEST(test_journals_without_batches_lack_from_the_one_before_on),
        TEST(test_a_chunk_that_began_again_may_lack_once_more),
        TEST(test_what_came_again_may_lack_from_where_it_began),
        TEST(test_a_session_that_leaves_is_lost_once),
        cmocka_unit_test(test_silence_means_an_end_once_a_time_has_passed),
        TEST(test_no_batch_counts_as_stored_that_is_of_a_chunk_which_waits),
        TEST(test_an_end_that_nobody_announced_leaves_late_batches),
        TEST(test_an_announced_end_settles_all_batches),
        TEST(test_a_chunk_before_those_that_lack_makes_good),
        TEST(test_what_was_given_up_lacks_again_for_a_hello),
        TEST(test_a_later_chunk_makes_nothing_good),
        TEST(test_what_was_given_up_makes_good_before_it_is_compacted),
        TEST(test_all_that_was_made_good_is_known),
        TEST(test_what_was_given_up_and_compacted_is_lost),
        TEST(test_where_the_catalog_lost_it_all_is_asked_for),
        TEST(test_where_the_catalog_lost_it_nothing_may_be_missing),
        TEST(test_damage_that_is_found_meanwhile_is_counted_and_asked_for),
        TEST(test_a_unit_waits_for_those_that_are_sent_again_behind_it),
        TEST(test_of_a_chunk_that_begins_again_the_larger_one_counts),
        TEST(test_damage_comes_again_though_the_row_was_lost),
        TEST(test_an_agent_that_comes_from_another_collector_is_counted_once),
        TEST(test_contexts_without_a_place_are_counted_and_logged_once),
        TEST(test_a_last_word_outlives_the_batches_that_are_read_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
