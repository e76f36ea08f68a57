// SPDX-License-Identifier: Apache-2.0
// Index of ids: each id finds its chunks, whatever was put in order meanwhile, after restarts, and
// next to damaged files.

#include "support/temp_dir.h"

#include "collector/base/metrics.h"
#include "collector/index/id_index.h"
#include "common/base/lp_time.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    CHUNKS = 300,
    IDS = 40,        // of a chunk
    IDS_IN_ALL = 900 // so that chunks share ids
};

static const int64_t START_NS = 1699920000000000000; // a midnight
static const int64_t STEP_NS = 600000000000;         // 300 chunks are some 50 hours

typedef struct fixture {
    temp_dir dir;
    char path[300];
    id_index *index;
    uint64_t hashes[CHUNKS][IDS];
} fixture;

static uint64_t
id_of(unsigned number)
{
    return number * 0x9e3779b97f4a7c15u;
}

static void
format_session(char text[33], unsigned chunk)
{
    (void)snprintf(text, 33, "00112233445566778899aabb%08x", chunk % 3 + 0xabcd0000u);
}

static void
open_index(fixture *f)
{
    assert_int_equal(id_index_open(f->path, &f->index, NULL), LP_OK);
}

static void
add_at(fixture *f, unsigned chunk, int64_t start_wall_ns)
{
    char session[33];
    format_session(session, chunk);
    const id_run_chunk added = {
        .session_id = session,
        .ordinal = chunk,
        .start_wall_ns = start_wall_ns,
        .hashes = f->hashes[chunk],
        .hash_count = IDS,
    };
    id_index_add(f->index, &added);
}

static void
add(fixture *f, unsigned chunk)
{
    add_at(f, chunk, START_NS + chunk * STEP_NS);
}

static int
setup(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->dir = temp_dir_make();
    (void)snprintf(f->path, sizeof(f->path), "%s/ids", f->dir.path);
    unsigned number = 12345;
    for (unsigned i = 0; i < CHUNKS; i++) {
        for (unsigned k = 0; k < IDS; k++) {
            number = number * 1103515245u + 12345u;
            f->hashes[i][k] = id_of((number >> 8) % IDS_IN_ALL);
        }
    }
    open_index(f);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    fixture *f = *state;
    id_index_close(f->index);
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

typedef struct found {
    bool has[CHUNKS];
} found;

static void
on_chunk(void *arg, const char *session_id, uint32_t ordinal)
{
    found *out = arg;
    char session[33];
    assert_true(ordinal < CHUNKS);
    format_session(session, ordinal);
    assert_string_equal(session_id, session);
    out->has[ordinal] = true;
}

// assert_finds compares what the index finds with what was added, of chunks [first, end).
static void
assert_finds(fixture *f, unsigned first, unsigned end)
{
    for (unsigned number = 0; number < IDS_IN_ALL; number++) {
        found out = {0};
        size_t searched;
        assert_int_equal(
            id_index_find(f->index, id_of(number), INT64_MIN, INT64_MAX, on_chunk, &out, &searched),
            LP_OK);
        assert_true(searched > 0);
        for (unsigned i = 0; i < CHUNKS; i++) {
            bool is_there = false;
            for (unsigned k = 0; k < IDS; k++) {
                is_there |= f->hashes[i][k] == id_of(number);
            }
            assert_int_equal(out.has[i], is_there && i >= first && i < end);
        }
    }
}

static size_t
count_files(const fixture *f, size_t name_chars)
{
    size_t count = 0;
    DIR *dir = opendir(f->path);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        const char *dot = strchr(entry->d_name, '.');
        count += dot != NULL && strcmp(dot, ".ids") == 0 &&
                 (size_t)(dot - entry->d_name) == name_chars && strchr(entry->d_name, '-') == NULL;
    }
    assert_int_equal(closedir(dir), 0);
    return count;
}

static void
test_ids_find_their_chunks_while_hours_and_days_are_merged(void **state)
{
    fixture *f = *state;
    for (unsigned i = 0; i < CHUNKS; i++) {
        add(f, i);
        id_index_wait(f->index);
    }
    assert_finds(f, 0, CHUNKS);
    assert_int_equal(id_index_count(f->index).entries, CHUNKS * IDS);
    assert_int_equal(id_index_count(f->index).left_out, 0);
    assert_int_equal(count_files(f, 8), 2); // two days are over
}

static void
test_a_range_of_time_leaves_out_other_days(void **state)
{
    fixture *f = *state;
    for (unsigned i = 0; i < CHUNKS; i++) {
        add(f, i);
        id_index_wait(f->index);
    }
    const int64_t day_ns = 144 * STEP_NS;
    found out = {0};
    size_t searched;
    assert_int_equal(id_index_find(f->index, f->hashes[200][0], START_NS + day_ns,
                         START_NS + 2 * day_ns, on_chunk, &out, &searched),
        LP_OK);
    assert_int_equal(searched, 1 + 1); // the day, and the run
    assert_true(out.has[200]);
    for (unsigned i = 0; i < 144; i++) {
        assert_false(out.has[i]);
    }
}

static void
test_a_restart_loses_nothing(void **state)
{
    fixture *f = *state;
    for (unsigned i = 0; i < CHUNKS; i++) {
        add(f, i);
        id_index_wait(f->index);
        if (i % 7 == 3) {
            id_index_close(f->index);
            open_index(f);
        }
    }
    assert_finds(f, 0, CHUNKS);
    assert_int_equal(id_index_count(f->index).entries, CHUNKS * IDS);
    assert_int_equal(id_index_count(f->index).unreadable, 0);
}

static void
test_a_torn_run_keeps_what_came_before(void **state)
{
    fixture *f = *state;
    char log[400];
    add(f, 0);
    add(f, 1);
    id_index_close(f->index);
    (void)snprintf(log, sizeof(log), "%s/run-0.log", f->path);
    assert_int_equal(truncate(log, 2 * (48 + IDS * 8) - 1), 0);
    open_index(f);
    assert_int_equal(id_index_count(f->index).unreadable, 1);
    assert_finds(f, 0, 1);
    add(f, 1);
    assert_finds(f, 0, 2);
    id_index_close(f->index);
    open_index(f);
    assert_int_equal(id_index_count(f->index).unreadable, 0);
    assert_finds(f, 0, 2);
}

static void
test_a_damaged_segment_costs_itself(void **state)
{
    fixture *f = *state;
    char name[400];
    for (unsigned i = 0; i < 18; i++) { // three hours; two of them are over
        add(f, i);
        id_index_wait(f->index);
    }
    id_index_close(f->index);
    (void)snprintf(name, sizeof(name), "%s/2023111400.ids", f->path);
    assert_int_equal(access(name, F_OK), 0);
    assert_int_equal(truncate(name, 100), 0);
    open_index(f);
    assert_int_equal(id_index_count(f->index).unreadable, 1);
    assert_finds(f, 6, 18);
}

static void
test_a_chunk_that_cannot_be_added_is_counted(void **state)
{
    fixture *f = *state;
    id_index_set_whole(f->index);
    uint64_t left_out = metrics_get(METRICS_index_chunks_left_out);
    char session[33];
    format_session(session, 0);
    const id_run_chunk too_many = {
        .session_id = session, .start_wall_ns = START_NS, .hash_count = ID_RUN_CHUNK_IDS_MAX + 1};
    id_index_add(f->index, &too_many);
    add(f, 1);
    assert_int_equal(id_index_count(f->index).left_out, 1);
    assert_int_equal(metrics_get(METRICS_index_chunks_left_out), left_out + 1);
    assert_false(id_index_is_whole(f->index));
    assert_finds(f, 1, 2);
    id_index_close(f->index);
    open_index(f);
    assert_false(id_index_is_whole(f->index));
}

// Else each run would be merged into its whole day as soon as it is full.
static void
test_a_clock_that_is_years_ahead_ends_no_day(void **state)
{
    fixture *f = *state;
    const int64_t day_ns = 144 * STEP_NS;
    const int64_t now_ns = lp_time_now();
    add_at(f, 0, now_ns);
    add_at(f, 1, now_ns + 1000 * day_ns);
    id_index_wait(f->index);
    add_at(f, 2, INT64_MAX - 1);
    id_index_wait(f->index);
    assert_finds(f, 0, 3);
    assert_int_equal(count_files(f, 8), 0);
    found out = {0};
    size_t searched;
    assert_int_equal(id_index_find(f->index, f->hashes[1][0], now_ns + 999 * day_ns,
                         now_ns + 1001 * day_ns, on_chunk, &out, &searched),
        LP_OK);
    assert_true(out.has[1]);
}

static void
test_clearing_leaves_an_empty_index(void **state)
{
    fixture *f = *state;
    for (unsigned i = 0; i < 18; i++) {
        add(f, i);
        id_index_wait(f->index);
    }
    id_index_close(f->index);
    assert_int_equal(id_index_clear(f->path, NULL), LP_OK);
    open_index(f);
    assert_int_equal(id_index_count(f->index).entries, 0);
    assert_int_equal(id_index_count(f->index).segments, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_ids_find_their_chunks_while_hours_and_days_are_merged, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_range_of_time_leaves_out_other_days, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_restart_loses_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_torn_run_keeps_what_came_before, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_damaged_segment_costs_itself, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_chunk_that_cannot_be_added_is_counted, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_clock_that_is_years_ahead_ends_no_day, setup, teardown),
        cmocka_unit_test_setup_teardown(test_clearing_leaves_an_empty_index, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
