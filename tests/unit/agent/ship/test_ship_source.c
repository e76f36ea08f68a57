// SPDX-License-Identifier: Apache-2.0
// When a source looks for flushes and drains the rings: seldom, and early enough all the same. The
// test is the JVM, its threads, and the clock.

#include "support/chunk_writer.h"
#include "support/temp_dir.h"
#include "unit/agent/context/ring_writer.h"

#include "agent/ship/batch/ship_source.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    LATE_MS = 100, // at most, until a flush is seen
    BEGIN_MS = 5000,
    SECOND_MS = 1000,
};

typedef struct fixture {
    temp_dir dir;
    ctx_rings *rings;
    ship_known known;
    ship_source source;
    chunk_writer chunk;
    int64_t now_ms;
    int64_t ticks;
    unsigned step_count;
    int64_t flushed_ms; // of the oldest flush that the source has not seen; 0: none
    int64_t late_ms;    // the longest time until a flush was seen
} fixture;

static ctx_registry *registry; // of all tests; in a JVM it stays
static bool has_no_inotify;

// Stands in for libc's.
int
inotify_init1(int flags)
{
    if (has_no_inotify) {
        errno = EMFILE; // the user's limit is reached
        return -1;
    }
    return (int)syscall(SYS_inotify_init1, flags);
}

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->dir = temp_dir_make();
    f->now_ms = BEGIN_MS;
    assert_int_equal(ctx_rings_create(&f->rings), LP_OK);
    f->known = (ship_known){.registry = registry,
        .recordings = ctx_recordings_create(),
        .filters = ctx_filters_create()};
    assert_int_equal(ship_source_open(&f->source, f->dir.path, f->rings, &f->known, NULL), LP_OK);
    f->chunk = chunk_writer_create(f->dir.path, "1.jfr", 1, 1000);
    chunk_writer_begin(&f->chunk);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    chunk_writer_finish(&f->chunk);
    ship_source_close(&f->source);
    ship_spool_fini(&f->source.spool);
    ctx_recordings_destroy(f->known.recordings);
    ctx_filters_destroy(f->known.filters);
    temp_dir_remove(&f->dir);
    ctx_rings_destroy(f->rings);
    free(f);
    return 0;
}

// Lets the time pass in which nothing is flushed or recorded.
static void
pass(fixture *f, int64_t until_ms)
{
    for (int64_t due_ms; (due_ms = ship_source_get_due_ms(&f->source)) <= until_ms;) {
        f->now_ms = due_ms > f->now_ms ? due_ms : f->now_ms;
        uint64_t unread = tail_get_unread(f->source.tail);
        ship_source_step(&f->source, false, f->now_ms);
        f->step_count++;
        if (tail_get_unread(f->source.tail) > unread && f->flushed_ms != 0) {
            int64_t late_ms = f->now_ms - f->flushed_ms;
            f->late_ms = late_ms > f->late_ms ? late_ms : f->late_ms;
            f->flushed_ms = 0;
        }
    }
    f->now_ms = until_ms;
}

// Flushes so often, at these intervals.
static void
flush(fixture *f, unsigned count, int64_t interval_ms)
{
    for (unsigned i = 0; i < count; i++) {
        chunk_writer_append(&f->chunk, 100);
        chunk_writer_flush(&f->chunk);
        f->flushed_ms = f->flushed_ms != 0 ? f->flushed_ms : f->now_ms;
        pass(f, f->now_ms + interval_ms);
    }
}

static void
test_between_flushes_it_rests(void **state)
{
    fixture *f = *state;
    static const int64_t jitters_ms[] = {0, 3, 17, 45, -40};
    flush(f, 3, SECOND_MS);
    f->step_count = 0;
    f->late_ms = 0;
    for (size_t i = 0; i < 20; i++) {
        flush(f, 1, SECOND_MS + jitters_ms[i % 5]);
    }
    assert_in_range(f->late_ms, 0, LATE_MS);
    assert_in_range(f->step_count, 20, 20 * 4);
}

static void
test_frequent_flushes_are_seen_soon(void **state)
{
    fixture *f = *state;
    flush(f, 5, SECOND_MS);
    flush(f, 1, SECOND_MS); // it may be early
    f->late_ms = 0;
    flush(f, 50, 3 * LATE_MS / 2);
    assert_in_range(f->late_ms, 0, SECOND_MS); // for the first of them
    f->late_ms = 0;
    flush(f, 50, 3 * LATE_MS / 2);
    assert_in_range(f->late_ms, 0, LATE_MS);
}

// The second of two flushes comes when a chunk ends: the third is seen soon, too.
static void
test_a_flush_out_of_turn_delays_no_other(void **state)
{
    fixture *f = *state;
    flush(f, 5, SECOND_MS);
    flush(f, 1, SECOND_MS / 2);
    chunk_writer_finish(&f->chunk);
    f->chunk = chunk_writer_create(f->dir.path, "2.jfr", 2, 2000);
    chunk_writer_begin(&f->chunk);
    ship_source_note_file(&f->source);
    pass(f, f->now_ms + SECOND_MS / 2);
    f->late_ms = 0;
    flush(f, 3, SECOND_MS);
    assert_in_range(f->late_ms, 0, 2 * LATE_MS);
}

// It has to find a chunk before JFR deletes it.
static void
test_without_notices_it_looks_often(void **state)
{
    fixture *f = *state;
    ship_source_close(&f->source);
    ship_spool_fini(&f->source.spool);
    has_no_inotify = true;
    assert_int_equal(ship_source_open(&f->source, f->dir.path, f->rings, &f->known, NULL), LP_OK);
    has_no_inotify = false;
    assert_int_equal(ship_source_get_fd(&f->source), -1);
    flush(f, 5, SECOND_MS);
    flush(f, 1, LATE_MS);
    chunk_writer_finish(&f->chunk);
    f->chunk = chunk_writer_create(f->dir.path, "2.jfr", 2, 2000);
    chunk_writer_begin(&f->chunk);
    f->late_ms = 0;
    flush(f, 1, SECOND_MS);
    assert_int_equal(f->flushed_ms, 0);
    assert_in_range(f->late_ms, 0, LATE_MS);
}

// The JVM has begun a chunk in the new repository before the source hears of it.
static void
test_chunks_of_a_new_repository_are_seen_at_once(void **state)
{
    fixture *f = *state;
    flush(f, 5, SECOND_MS);
    flush(f, 1, LATE_MS);
    temp_dir next = temp_dir_make();
    chunk_writer_finish(&f->chunk);
    f->chunk = chunk_writer_create(next.path, "2.jfr", 2, 2000);
    chunk_writer_begin(&f->chunk);
    f->late_ms = 0;
    ship_source_move(&f->source, next.path);
    flush(f, 1, 2 * LATE_MS);
    assert_int_equal(f->flushed_ms, 0);
    assert_in_range(f->late_ms, 0, LATE_MS);
    temp_dir_remove(&next);
}

static int64_t
tick(void *arg)
{
    fixture *f = arg;
    return ++f->ticks;
}

// Threads record for so long, each so many contexts a millisecond. Returns how many of these were
// recorded.
static unsigned
record(fixture *f, int64_t threads, unsigned contexts, int64_t duration_ms)
{
    static const int64_t values[6] = {0};
    unsigned count = 0;
    for (int64_t i = 0; i < duration_ms; i++) {
        for (int64_t id = 1; id <= threads; id++) {
            ring_thread thread = {ctx_rings_get_layout(f->rings), id, id};
            for (unsigned k = 0; k < contexts; k++) {
                count += ring_writer_set(thread, 1, tick, f, 6, values) &&
                         ring_writer_unset(thread, 1, tick, f);
            }
        }
        pass(f, f->now_ms + 1);
    }
    return count;
}

static unsigned
count_rings(const fixture *f)
{
    unsigned count = 0;
    for (size_t i = 0; i < CTX_RINGS_COUNT; i++) {
        count += atomic_load(&ctx_rings_get_layout(f->rings)->controls[i].head) != 0;
    }
    return count;
}

static void
test_drains_come_before_a_ring_is_full(void **state)
{
    fixture *f = *state;
    pass(f, f->now_ms + SECOND_MS);
    assert_int_equal(record(f, 2, 25, SECOND_MS), 2 * 25 * SECOND_MS);
    f->step_count = 0;
    unsigned rings = count_rings(f);
    assert_int_equal(record(f, 2, 25, SECOND_MS), 2 * 25 * SECOND_MS);
    assert_int_equal(count_rings(f), rings); // no thread had to take another one
    assert_in_range(f->step_count, 30, 60);  // two or three for a ring that was filled
}

static void
test_few_contexts_cause_no_drains_of_their_own(void **state)
{
    fixture *f = *state;
    flush(f, 5, SECOND_MS);
    f->step_count = 0;
    for (int64_t i = 0; i < 10 * SECOND_MS / 100; i++) {
        record(f, 8, 1, 1);
        pass(f, f->now_ms + 99);
        if (i % 10 == 9) {
            flush(f, 1, 0);
        }
    }
    assert_in_range(f->step_count, 10, 10 * 4);
}

// Threads that come and go leave rings that are not empty.
static void
test_rings_that_threads_leave_are_drained_in_time(void **state)
{
    fixture *f = *state;
    pass(f, f->now_ms + 2 * SECOND_MS);
    for (int64_t id = 1; id <= SECOND_MS; id++) {
        ring_thread thread = {ctx_rings_get_layout(f->rings), id, id};
        assert_true(ring_writer_set(thread, 1, tick, f, 0, NULL));
        assert_non_null(ring_writer_ring(thread));
        if (ring_writer_ring(thread) >= &thread.layout->controls[CTX_RINGS_SPARE] &&
            atomic_load(&thread.layout->common->is_napping) != 0) {
            ship_source_note_full(&f->source); // as Java has the agent do
        }
        ring_writer_end(thread, tick, f);
        pass(f, f->now_ms + 1);
    }
}

// Does as Java when a thread gives a shared ring back.
static void
note_shared(fixture *f, int64_t id)
{
    const ctx_rings_layout *layout = ctx_rings_get_layout(f->rings);
    ctx_rings_control *shared = &layout->controls[CTX_RINGS_OWN + id % CTX_RINGS_SHARED];
    bool is_half =
        atomic_load(&shared->head) - atomic_load(&shared->tail) > CTX_RINGS_RING_BYTES / 2;
    if (is_half && atomic_load(&layout->common->is_napping) != 0) {
        ship_source_note_full(&f->source);
    }
}

// Returns the next thread id after `after` whose ring is noted where thread 1's is.
static int64_t
find_neighbour(int64_t after)
{
    uint64_t shift = 64 - CTX_RINGS_BUCKET_BITS;
    int64_t id = after + 1;
    while ((uint64_t)id * CTX_RINGS_BUCKET_FACTOR >> shift != CTX_RINGS_BUCKET_FACTOR >> shift) {
        id++;
    }
    return id;
}

// Its bucket is full, so a thread writes into shared rings, which it cannot leave.
static void
test_shared_rings_do_not_fill_up_during_a_nap(void **state)
{
    fixture *f = *state;
    static const int64_t values[6] = {0};
    int64_t id = 1;
    for (int i = 0; i < CTX_RINGS_BUCKET_CELLS; i++) {
        ring_thread thread = {ctx_rings_get_layout(f->rings), id, id};
        assert_true(ring_writer_set(thread, 1, tick, f, 0, NULL));
        id = find_neighbour(id);
    }
    ring_thread sharer = {ctx_rings_get_layout(f->rings), id, id};
    assert_true(ring_writer_set(sharer, 1, tick, f, 6, values));
    assert_null(ring_writer_ring(sharer));
    flush(f, 5, SECOND_MS);
    flush(f, 1, LATE_MS);
    assert_int_equal(atomic_load(&ctx_rings_get_layout(f->rings)->common->is_napping), 1);
    f->step_count = 0;
    for (int64_t i = 0; i < 10 * SECOND_MS; i++) {
        for (int k = 0; k < 4; k++) { // 384 KiB a second
            assert_true(ring_writer_set(sharer, 1, tick, f, 6, values));
            note_shared(f, sharer.id);
            assert_true(ring_writer_unset(sharer, 1, tick, f));
            note_shared(f, sharer.id);
        }
        pass(f, f->now_ms + 1);
        if (i % SECOND_MS == SECOND_MS - LATE_MS) {
            flush(f, 1, 0);
        }
    }
    assert_in_range(f->step_count, 10, 10 * 20);
}

// All rings have owners, so a thread that fills its own finds no other.
static void
test_without_free_rings_none_fills_up(void **state)
{
    fixture *f = *state;
    static const int64_t values[6] = {0};
    for (int64_t id = 1; id <= 2 * CTX_RINGS_OWN; id++) {
        ring_thread thread = {ctx_rings_get_layout(f->rings), id, id};
        assert_true(ring_writer_set(thread, 1, tick, f, 0, NULL));
    }
    flush(f, 5, SECOND_MS);
    flush(f, 1, LATE_MS / 2);
    ring_thread owner = {ctx_rings_get_layout(f->rings), 1, 1};
    assert_non_null(ring_writer_ring(owner));
    for (int64_t i = 0; i < SECOND_MS; i++) {
        for (int k = 0; k < 4; k++) { // 384 KiB a second
            assert_true(ring_writer_set(owner, 1, tick, f, 6, values));
            assert_true(ring_writer_unset(owner, 1, tick, f));
        }
        pass(f, f->now_ms + 1);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_between_flushes_it_rests, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_frequent_flushes_are_seen_soon, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_flush_out_of_turn_delays_no_other, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_without_notices_it_looks_often, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_chunks_of_a_new_repository_are_seen_at_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_drains_come_before_a_ring_is_full, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_few_contexts_cause_no_drains_of_their_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_rings_that_threads_leave_are_drained_in_time, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_shared_rings_do_not_fill_up_during_a_nap, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_without_free_rings_none_fills_up, set_up, tear_down),
    };
    registry = ctx_registry_create();
    assert_non_null(registry);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
