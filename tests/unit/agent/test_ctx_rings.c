// SPDX-License-Identifier: Apache-2.0
// Rings: what writers complete is drained, byte by byte and in the order of each thread; a full
// ring drops whole contexts and never an end; and nothing that a writer leaves undone is drained.
//
// The writers are ring_writer.c, which follows the protocol of the Java side. Expected records are
// put together here.

#include "unit/agent/ring_writer.h"

#include "agent/context/ctx_rings.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TYPE_A = 1, TYPE_B = 2, VALUES_MAX = 40 };

static const int64_t some_values[VALUES_MAX] = {41, 42, 43};

typedef struct fixture {
    ctx_rings *rings;
    const ctx_rings_layout *layout;
    lp_buf out;
} fixture;

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    assert_int_equal(ctx_rings_create(&f->rings), LP_OK);
    f->layout = ctx_rings_get_layout(f->rings);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    ctx_rings_destroy(f->rings);
    lp_buf_fini(&f->out);
    free(f);
    return 0;
}

static ring_thread
thread_of(const fixture *f, int64_t id)
{
    return (ring_thread){f->layout, id};
}

// neighbour gives the next thread id after id that shares its stripe.
static int64_t
neighbour(const fixture *f, int64_t id)
{
    uint32_t stripe = ring_writer_stripe(thread_of(f, id));
    do {
        id++;
    } while (ring_writer_stripe(thread_of(f, id)) != stripe);
    return id;
}

static ctx_record_header
header_at(const lp_buf *buf, size_t offset)
{
    ctx_record_header header;
    assert_true(offset + sizeof(header) <= buf->len);
    memcpy(&header, buf->ptr + offset, sizeof(header));
    assert_true(offset + header.size_bytes <= buf->len);
    return header;
}

// drain replaces what out held.
static void
drain(fixture *f)
{
    lp_buf_clear(&f->out);
    assert_int_equal(ctx_rings_drain(f->rings, &f->out), LP_OK);
}

static size_t
count_kind(const lp_buf *buf, ctx_record_kind kind)
{
    size_t count = 0;
    for (size_t offset = 0; offset < buf->len;) {
        ctx_record_header header = header_at(buf, offset);
        count += header.kind == kind;
        offset += header.size_bytes;
    }
    return count;
}

static void
test_records_come_out_as_written(void **state)
{
    fixture *f = *state;
    ring_thread thread = thread_of(f, 77);
    assert_true(ring_writer_set(thread, TYPE_B, 1000, 2, some_values));
    assert_true(ring_writer_unset(thread, TYPE_B, 1001));
    drain(f);

    const uint8_t expected[] = {
        40, 0, 0, 0, 2, 0, 1, 0,      // 40 bytes, type 2, SET
        77, 0, 0, 0, 0, 0, 0, 0,      // thread
        0xe8, 0x03, 0, 0, 0, 0, 0, 0, // time 1000
        41, 0, 0, 0, 0, 0, 0, 0,      // values
        42, 0, 0, 0, 0, 0, 0, 0,      //
        24, 0, 0, 0, 2, 0, 2, 0,      // 24 bytes, type 2, UNSET
        77, 0, 0, 0, 0, 0, 0, 0,      // thread
        0xe9, 0x03, 0, 0, 0, 0, 0, 0, // time 1001
    };
    assert_int_equal(f->out.len, sizeof(expected));
    assert_memory_equal(f->out.ptr, expected, sizeof(expected));
    assert_int_equal(ctx_rings_get_counts(f->rings).contexts_taken, 1);
    drain(f);
    assert_int_equal(f->out.len, 0);
}

static void
test_unset_without_context_writes_nothing(void **state)
{
    fixture *f = *state;
    ring_thread thread = thread_of(f, 5);
    assert_false(ring_writer_unset(thread, TYPE_A, 1));
    assert_true(ring_writer_set(thread, TYPE_A, 2, 1, some_values));
    assert_false(ring_writer_unset(thread, TYPE_B, 3));
    assert_true(ring_writer_unset(thread, TYPE_A, 4));
    assert_false(ring_writer_unset(thread, TYPE_A, 5));
    drain(f);
    assert_int_equal(count_kind(&f->out, CTX_RECORD_SET), 1);
    assert_int_equal(count_kind(&f->out, CTX_RECORD_UNSET), 1);
}

static void
test_records_survive_the_wrap(void **state)
{
    fixture *f = *state;
    ring_thread thread = thread_of(f, 3);
    int64_t sequence = 0;
    int64_t drained = 0;
    // Lengths that do not divide the ring, several times round.
    for (int lap = 0; lap < 100; lap++) {
        for (uint32_t i = 0; i < 97; i++) {
            int64_t values[VALUES_MAX] = {sequence};
            assert_true(ring_writer_set(thread, TYPE_A, sequence, 1 + i % VALUES_MAX, values));
            sequence++;
        }
        drain(f);
        for (size_t offset = 0; offset < f->out.len;) {
            ctx_record_header header = header_at(&f->out, offset);
            int64_t value;
            memcpy(&value, f->out.ptr + offset + sizeof(header), sizeof(value));
            assert_int_equal(header.time_ticks, drained);
            assert_int_equal(value, drained);
            drained++;
            offset += header.size_bytes;
        }
        assert_int_equal(drained, sequence);
    }
}

static void
test_full_ring_keeps_room_for_every_end(void **state)
{
    fixture *f = *state;
    int64_t id = 1;
    size_t begun = 0;
    int64_t *ids = calloc(CTX_RINGS_RING_UNITS, sizeof(*ids));
    assert_non_null(ids);
    // As many threads as get a context.
    while (ring_writer_set(thread_of(f, id), TYPE_A, 1, 1, some_values)) {
        ids[begun++] = id;
        id = neighbour(f, id);
    }
    // A context is 32 bytes, its end 24.
    assert_int_equal(begun, CTX_RINGS_RING_BYTES / (32 + 24));
    for (size_t i = 0; i < begun; i++) {
        assert_true(ring_writer_unset(thread_of(f, ids[i]), TYPE_A, 2));
    }
    free(ids);
    drain(f);
    assert_int_equal(count_kind(&f->out, CTX_RECORD_SET), begun);
    assert_int_equal(count_kind(&f->out, CTX_RECORD_UNSET), begun);
    assert_int_equal(ctx_rings_get_counts(f->rings).contexts_dropped, 1);
    assert_true(ring_writer_set(thread_of(f, id), TYPE_A, 1, 1, some_values));
}

static void
test_open_contexts_keep_their_room_after_a_drain(void **state)
{
    fixture *f = *state;
    ring_thread holder = thread_of(f, 1);
    assert_true(ring_writer_set(holder, TYPE_A, 1, 1, some_values));
    drain(f);
    // Another thread of the stripe fills the ring; the holder's end still fits, and its own.
    ring_thread filler = thread_of(f, neighbour(f, 1));
    while (ring_writer_set(filler, TYPE_A, 2, 1, some_values)) {
    }
    assert_true(ring_writer_unset(holder, TYPE_A, 3));
    drain(f);
    assert_int_equal(header_at(&f->out, f->out.len - 24).thread_id, holder.id);
    assert_int_equal(header_at(&f->out, f->out.len - 24).kind, CTX_RECORD_UNSET);
}

static void
test_refused_set_ends_what_it_would_have_replaced(void **state)
{
    fixture *f = *state;
    ring_thread thread = thread_of(f, 9);
    while (ring_writer_set(thread, TYPE_A, 1, 1, some_values)) {
    }
    // Refused again and again, it costs no more room.
    for (int i = 0; i < 100000; i++) {
        assert_false(ring_writer_set(thread, TYPE_A, 1, VALUES_MAX, some_values));
        assert_false(ring_writer_unset(thread, TYPE_A, 2));
    }
    drain(f);
    assert_int_equal(count_kind(&f->out, CTX_RECORD_UNSET), 1);
    assert_int_equal(header_at(&f->out, f->out.len - 24).kind, CTX_RECORD_UNSET);
    assert_int_equal(ctx_rings_get_counts(f->rings).contexts_dropped, 100001);
}

static void
test_reserved_record_holds_back_what_follows(void **state)
{
    fixture *f = *state;
    ring_thread slow = thread_of(f, 1);
    ring_thread fast = thread_of(f, neighbour(f, 1));
    int64_t other = 2;
    while (ring_writer_stripe(thread_of(f, other)) == ring_writer_stripe(slow)) {
        other++;
    }
    ring_slot slot = ring_writer_reserve_set(slow, TYPE_A, 1);
    assert_true(ring_writer_set(fast, TYPE_A, 2, 1, some_values));
    assert_true(ring_writer_set(thread_of(f, other), TYPE_A, 3, 1, some_values));
    drain(f); // the other stripe alone
    assert_int_equal(f->out.len, 32);
    assert_int_equal(header_at(&f->out, 0).thread_id, other);

    ring_writer_complete_set(slow, TYPE_A, slot, 1, some_values);
    drain(f);
    assert_int_equal(f->out.len, 64);
    assert_int_equal(header_at(&f->out, 0).thread_id, slow.id);
    assert_int_equal(header_at(&f->out, 32).thread_id, fast.id);
}

static void
test_abandoned_record_ends_the_context_before_it(void **state)
{
    fixture *f = *state;
    ring_thread thread = thread_of(f, 4);
    assert_true(ring_writer_set(thread, TYPE_A, 1, 1, some_values));
    ring_slot slot = ring_writer_reserve_set(thread, TYPE_A, 20);
    ring_writer_abandon_set(thread, TYPE_A, slot, 2);
    assert_false(ring_writer_unset(thread, TYPE_A, 3));
    assert_true(ring_writer_set(thread, TYPE_A, 4, 1, some_values));
    drain(f);
    assert_int_equal(f->out.len, 32 + 24 + 32);
    assert_int_equal(header_at(&f->out, 32).kind, CTX_RECORD_UNSET);
    assert_int_equal(header_at(&f->out, 32).size_bytes, 24);
    assert_int_equal(header_at(&f->out, 32).time_ticks, 2);
    assert_int_equal(header_at(&f->out, 56).time_ticks, 4);
    assert_int_equal(ctx_rings_get_counts(f->rings).contexts_taken, 2);
}

static void
test_failing_buffer_loses_nothing(void **state)
{
    fixture *f = *state;
    assert_true(ring_writer_set(thread_of(f, 4), TYPE_A, 1, 1, some_values));
    lp_buf failing = {.is_failed = true};
    assert_int_equal(ctx_rings_drain(f->rings, &failing), LP_ENOMEM);
    drain(f);
    assert_int_equal(f->out.len, 32);
    assert_int_equal(ctx_rings_get_counts(f->rings).contexts_taken, 1);
}

static void
test_overwritten_stripe_is_left_alone(void **state)
{
    fixture *f = *state;
    static const uint64_t bad_words[] = {
        8 | 1ull << 32 | 1ull << 48,       // smaller than a header
        28 | 1ull << 32 | 1ull << 48,      // not a multiple of 8
        0x10000 | 1ull << 32 | 1ull << 48, // larger than any record
        4096 | 1ull << 32 | 1ull << 48,    // larger than what is reserved
        32 | 1ull << 48,                   // no type
        32 | 1ull << 32 | 9ull << 48,      // no such kind
    };
    int64_t id = 1;
    for (size_t i = 0; i < sizeof(bad_words) / sizeof(bad_words[0]); i++) {
        // A stripe of its own for each.
        while (ring_writer_stripe(thread_of(f, id)) != i) {
            id++;
        }
        assert_true(ring_writer_set(thread_of(f, id), TYPE_A, 1, 1, some_values));
        ring_slot slot = ring_writer_reserve_set(thread_of(f, id), TYPE_A, 1);
        memcpy(slot.at, &bad_words[i], sizeof(bad_words[i]));
        drain(f);
        assert_int_equal(f->out.len, 32); // what came before is good
        assert_true(ring_writer_set(thread_of(f, id), TYPE_A, 1, 1, some_values));
        drain(f);
        assert_int_equal(f->out.len, 0);
    }
}

static void
test_full_bucket_refuses(void **state)
{
    fixture *f = *state;
    // Thread ids of one bucket: the first bits of id * factor are the same.
    uint32_t shift = 64 - f->layout->stripe_bits - CTX_RINGS_BUCKET_BITS;
    uint64_t bucket = 0x9e3779b97f4a7c15u >> shift;
    int64_t id = 1;
    int64_t first = id;
    for (int taken = 0; taken < CTX_RINGS_BUCKET_CELLS; id++) {
        if (((uint64_t)id * 0x9e3779b97f4a7c15u) >> shift == bucket) {
            assert_true(ring_writer_set(thread_of(f, id), TYPE_A, 1, 1, some_values));
            taken++;
        }
    }
    while (((uint64_t)id * 0x9e3779b97f4a7c15u) >> shift != bucket) {
        id++;
    }
    assert_false(ring_writer_set(thread_of(f, id), TYPE_A, 1, 1, some_values));
    assert_int_equal(ctx_rings_get_counts(f->rings).contexts_dropped, 1);
    assert_true(ring_writer_unset(thread_of(f, first), TYPE_A, 2));
    assert_true(ring_writer_set(thread_of(f, id), TYPE_A, 1, 1, some_values));
}

// Many threads at once, each playing several Java threads, against a drain that runs all the time.

enum { WRITERS = 4, THREADS_EACH = 50, ROUNDS = 400 };

typedef struct writer {
    const fixture *fixture;
    int64_t first_id;
    uint64_t set_count;   // accepted
    uint64_t unset_count; // written
    uint64_t drop_count;
} writer;

static void *
write_rounds(void *arg)
{
    writer *w = arg;
    for (int64_t round = 1; round <= ROUNDS; round++) {
        for (int64_t i = 0; i < THREADS_EACH; i++) {
            ring_thread thread = thread_of(w->fixture, w->first_id + i);
            int64_t values[VALUES_MAX] = {round, thread.id, ~round};
            if (ring_writer_set(thread, TYPE_A, round, 3 + (uint32_t)(round % 30), values)) {
                w->set_count++;
            } else {
                w->drop_count++;
            }
            // Every third round the next one replaces the context.
            if (round % 3 != 0 || round == ROUNDS) {
                w->unset_count += ring_writer_unset(thread, TYPE_A, round);
            }
        }
    }
    return NULL;
}

typedef struct seen_thread {
    int64_t round;
    bool is_open;
} seen_thread;

typedef struct seen_all {
    seen_thread threads[1 + WRITERS * THREADS_EACH];
    uint64_t set_count;
    uint64_t unset_count;
} seen_all;

static void
check_records(seen_all *seen, const lp_buf *out)
{
    for (size_t offset = 0; offset < out->len;) {
        ctx_record_header header = header_at(out, offset);
        seen_thread *thread = &seen->threads[header.thread_id];
        if (header.kind == CTX_RECORD_SET) {
            int64_t values[3];
            memcpy(values, out->ptr + offset + sizeof(header), sizeof(values));
            assert_true(header.time_ticks > thread->round);
            assert_int_equal(values[0], header.time_ticks);
            assert_int_equal(values[1], header.thread_id);
            assert_int_equal(values[2], ~header.time_ticks);
            assert_int_equal(header.size_bytes, 24 + 8 * (3 + header.time_ticks % 30));
            thread->round = header.time_ticks;
            thread->is_open = true;
            seen->set_count++;
        } else {
            assert_int_equal(header.kind, CTX_RECORD_UNSET);
            assert_true(thread->is_open);
            thread->is_open = false;
            seen->unset_count++;
        }
        offset += header.size_bytes;
    }
}

static void
run_writers(fixture *f, writer writers[WRITERS], seen_all *seen, bool is_drained_meanwhile)
{
    pthread_t threads[WRITERS];
    for (int i = 0; i < WRITERS; i++) {
        writers[i] = (writer){.fixture = f, .first_id = 1 + (int64_t)i * THREADS_EACH};
        assert_int_equal(pthread_create(&threads[i], NULL, write_rounds, &writers[i]), 0);
    }
    for (int i = 0; i < WRITERS; i++) {
        while (is_drained_meanwhile && pthread_tryjoin_np(threads[i], NULL) != 0) {
            drain(f);
            check_records(seen, &f->out);
        }
        if (!is_drained_meanwhile) {
            assert_int_equal(pthread_join(threads[i], NULL), 0);
        }
    }
    drain(f);
    check_records(seen, &f->out);
}

static void
check_totals(fixture *f, const writer writers[WRITERS], const seen_all *seen)
{
    uint64_t set_count = 0;
    uint64_t drop_count = 0;
    for (int i = 0; i < WRITERS; i++) {
        set_count += writers[i].set_count;
        drop_count += writers[i].drop_count;
    }
    assert_int_equal(set_count + drop_count, WRITERS * THREADS_EACH * ROUNDS);
    assert_int_equal(seen->set_count, set_count);
    assert_int_equal(ctx_rings_get_counts(f->rings).contexts_taken, set_count);
    assert_int_equal(ctx_rings_get_counts(f->rings).contexts_dropped, drop_count);
    for (size_t i = 0; i < sizeof(seen->threads) / sizeof(seen->threads[0]); i++) {
        assert_false(seen->threads[i].is_open);
    }
    for (uint32_t i = 0; i < 1u << f->layout->stripe_bits; i++) {
        assert_int_equal(f->layout->controls[i].head >> 32, 0); // nothing is open
    }
}

static void
test_many_threads_lose_nothing_but_whole_contexts(void **state)
{
    fixture *f = *state;
    writer writers[WRITERS];
    seen_all seen = {0};
    run_writers(f, writers, &seen, true);
    check_totals(f, writers, &seen);
}

static void
test_many_threads_on_full_rings_leave_nothing_open(void **state)
{
    fixture *f = *state;
    writer writers[WRITERS];
    seen_all seen = {0};
    run_writers(f, writers, &seen, false);
    check_totals(f, writers, &seen);
    assert_true(ctx_rings_get_counts(f->rings).contexts_dropped > 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_records_come_out_as_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_unset_without_context_writes_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_records_survive_the_wrap, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_full_ring_keeps_room_for_every_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_open_contexts_keep_their_room_after_a_drain, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_refused_set_ends_what_it_would_have_replaced, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_reserved_record_holds_back_what_follows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_abandoned_record_ends_the_context_before_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_failing_buffer_loses_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_overwritten_stripe_is_left_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_full_bucket_refuses, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_many_threads_lose_nothing_but_whole_contexts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_many_threads_on_full_rings_leave_nothing_open, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
