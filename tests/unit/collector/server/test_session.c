// SPDX-License-Identifier: Apache-2.0

// What a session decides: which batch is next, held, there already or too far ahead; which chunks
// make a unit and when it is due; and how much waits.

#include "support/temp_dir.h"

#include "collector/server/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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
    chunk->duration_ns = duration_ns;
    return chunk;
}

static void
test_batches_are_admitted_by_their_numbers(void **state)
{
    const fixture *f = *state;
    assert_int_equal(session_admit(f->session, 0), SESSION_DUPLICATE);
    assert_int_equal(session_admit(f->session, 99), SESSION_DUPLICATE);
    assert_int_equal(session_admit(f->session, 100), SESSION_NEXT);
    assert_int_equal(session_admit(f->session, 101), SESSION_EARLY);
    assert_int_equal(session_admit(f->session, 100 + WIRE_WINDOW_MAX - 1), SESSION_EARLY);
    assert_int_equal(session_admit(f->session, 100 + WIRE_WINDOW_MAX), SESSION_TOO_EARLY);
    assert_int_equal(session_admit(f->session, UINT64_MAX), SESSION_TOO_EARLY);
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
    assert_int_equal(session_unit_end(f->session, 0), 0);
    assert_false(session_unit_has_jfr(f->session, 0));
    (void)add(f, 3, false, 0);
    (void)add(f, 4, true, 0);
    (void)add(f, 5, false, 0);
    assert_int_equal(session_unit_end(f->session, 0), 2);
    assert_true(session_unit_has_jfr(f->session, 0));
    assert_int_equal(session_unit_end(f->session, 2), 3);
    assert_false(session_unit_has_jfr(f->session, 2)); // context records alone
    f->session->chunks[1].is_damaged = true;           // as good as none
    assert_int_equal(session_unit_end(f->session, 0), 3);
    assert_false(session_unit_has_jfr(f->session, 0));
}

static bool
is_due(const fixture *f)
{
    return session_is_due(f->session, SESSION_LOOK_AHEAD_NS);
}

static void
test_a_unit_is_due_once_nothing_of_it_can_come(void **state)
{
    fixture *f = *state;
    assert_false(is_due(f));
    (void)add(f, 0, true, SESSION_LOOK_AHEAD_NS);
    assert_false(is_due(f)); // its successor is missing
    f->session->has_ended = true;
    assert_true(is_due(f));
    f->session->has_ended = false;
    session_chunk *next = add(f, 1, true, SESSION_LOOK_AHEAD_NS - 1);
    assert_false(is_due(f));
    next->duration_ns = SESSION_LOOK_AHEAD_NS;
    assert_true(is_due(f));
    assert_false(session_is_due(f->session, SESSION_LOOK_AHEAD_NS + 1));
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

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_batches_are_admitted_by_their_numbers),
        TEST(test_chunks_wait_in_order_up_to_the_limit),
        TEST(test_a_unit_ends_with_its_jfr_bytes),
        TEST(test_a_unit_is_due_once_nothing_of_it_can_come),
        TEST(test_short_chunks_add_up),
        TEST(test_what_waits_is_summed_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
