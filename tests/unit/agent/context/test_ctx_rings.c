// SPDX-License-Identifier: Apache-2.0
// Rings: what writers publish is drained, byte by byte and in the order of each thread, whichever
// rings it wrote into; a full ring drops whole contexts and never an end without saying so; and
// nothing that a writer leaves unpublished is drained.
//
// The writers are ring_writer.c, which follows the protocol of the Java side. Expected records are
// put together here.

#include "support/ctx_packing.h"
#include "unit/agent/context/ring_writer.h"

#include "agent/context/ctx_rings.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

enum { TYPE_A = 1, TYPE_B = 2, VALUES_MAX = 40, CARRIER = 1000000 };

static const int64_t some_values[VALUES_MAX] = {41, 42, 43};

typedef struct fixture {
    ctx_rings *rings;
    const ctx_rings_layout *layout;
    ctx_packer packer;
    lp_buf out; // what was drained
    int64_t now;
} fixture;

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    assert_int_equal(ctx_rings_create(&f->rings), LP_OK);
    f->layout = ctx_rings_get_layout(f->rings);
    f->packer.run_bytes = 4096;
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    ctx_rings_destroy(f->rings);
    ctx_packer_fini(&f->packer);
    lp_buf_fini(&f->out);
    free(f);
    return 0;
}

#define RINGS_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

static int64_t
tick(void *arg)
{
    fixture *f = arg;
    return ++f->now;
}

static ring_thread
platform(const fixture *f, int64_t id)
{
    return (ring_thread){f->layout, id, id};
}

static ring_thread virtual(const fixture *f, int64_t id, int64_t carrier)
{
    return (ring_thread){f->layout, id, CARRIER + carrier};
}

static bool
set(fixture *f, ring_thread thread, uint16_t type)
{
    return ring_writer_set(thread, type, tick, f, 1, some_values);
}

static bool
unset(fixture *f, ring_thread thread, uint16_t type)
{
    return ring_writer_unset(thread, type, tick, f);
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
    ctx_packer_clear(&f->packer);
    assert_int_equal(ctx_rings_drain(f->rings, &f->packer), LP_OK);
    assert_int_equal(ctx_packing_unpack(&f->packer, &f->out), LP_OK);
}

// record_of finds the number-th record of a thread in what was drained.
static ctx_record_header
record_of(const fixture *f, int64_t thread, size_t number)
{
    for (size_t offset = 0; offset < f->out.len;) {
        ctx_record_header header = header_at(&f->out, offset);
        if (header.thread_id == thread && number-- == 0) {
            return header;
        }
        offset += header.size_bytes;
    }
    return (ctx_record_header){0};
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
assert_record(ctx_record_header found, ctx_record_kind kind, int64_t ticks)
{
    assert_int_equal(found.kind, kind);
    assert_int_equal(found.time_ticks, ticks);
    assert_int_equal(found.flags, 0);
}

// --- One thread in its ring

static void
test_records_come_out_as_written(void **state)
{
    fixture *f = *state;
    f->now = 999;
    const ring_thread threads[] = {platform(f, 77), virtual(f, 77, 5)};
    for (size_t i = 0; i < 2; i++) {
        f->now = 999;
        assert_true(ring_writer_set(threads[i], TYPE_B, tick, f, 2, some_values));
        assert_true(unset(f, threads[i], TYPE_B));
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
        assert_int_equal(ctx_rings_get_counts(f->rings).contexts_taken, i + 1);
        drain(f);
        assert_int_equal(f->out.len, 0);
    }
}

static void
test_unset_without_context_writes_nothing(void **state)
{
    fixture *f = *state;
    ring_thread thread = platform(f, 5);
    assert_false(unset(f, thread, TYPE_A));
    assert_null(ring_writer_ring(thread)); // nor takes a ring
    assert_true(set(f, thread, TYPE_A));
    assert_false(unset(f, thread, TYPE_B));
    assert_true(unset(f, thread, TYPE_A));
    assert_false(unset(f, thread, TYPE_A));
    drain(f);
    assert_int_equal(count_kind(&f->out, CTX_RECORD_SET), 1);
    assert_int_equal(count_kind(&f->out, CTX_RECORD_UNSET), 1);
}

static void
test_records_survive_the_wrap(void **state)
{
    fixture *f = *state;
    ring_thread thread = platform(f, 3);
    int64_t sequence = 0;
    int64_t drained = 0;
    // Lengths that do not divide the ring, several times round.
    for (int lap = 0; lap < 100; lap++) {
        for (uint32_t i = 0; i < 97; i++) {
            int64_t values[VALUES_MAX] = {sequence};
            assert_true(ring_writer_set(thread, TYPE_A, tick, f, 1 + i % VALUES_MAX, values));
            sequence++;
        }
        drain(f);
        for (size_t offset = 0; offset < f->out.len;) {
            ctx_record_header header = header_at(&f->out, offset);
            int64_t value;
            memcpy(&value, f->out.ptr + offset + sizeof(header), sizeof(value));
            assert_int_equal(value, drained);
            drained++;
            assert_int_equal(header.time_ticks, drained);
            offset += header.size_bytes;
        }
        assert_int_equal(drained, sequence);
    }
}

// leave_no_ring has somebody take every ring that is empty.
static void
leave_no_ring(fixture *f)
{
    for (size_t i = 0; i < CTX_RINGS_OWN; i++) {
        int64_t nobody = 0;
        (void)atomic_compare_exchange_strong(&f->layout->controls[i].owner, &nobody, -1);
    }
}

static void
test_full_ring_keeps_room_for_every_end(void **state)
{
    fixture *f = *state;
    ring_thread thread = platform(f, 1);
    size_t sets = 0;
    assert_true(set(f, thread, TYPE_B));
    assert_true(unset(f, thread, TYPE_B));
    drain(f);
    leave_no_ring(f);
    for (uint16_t type = 1; type <= 8; type++) {
        sets += set(f, thread, type);
    }
    while (set(f, thread, TYPE_A)) {
        sets++;
    }
    // The refused one was ended; a context is 32 bytes, its end 24, and 8 were open.
    assert_int_equal(sets, (CTX_RINGS_RING_BYTES - 8 * 24) / 32);
    for (uint16_t type = 2; type <= 8; type++) {
        assert_true(unset(f, thread, type));
    }
    drain(f);
    assert_int_equal(count_kind(&f->out, CTX_RECORD_SET), sets);
    assert_int_equal(count_kind(&f->out, CTX_RECORD_UNSET), 8);
    assert_int_equal(ctx_rings_get_counts(f->rings).contexts_dropped, 1);
    assert_true(set(f, thread, TYPE_A));
}

static void
test_refused_set_ends_what_it_would_have_replaced(void **state)
{
    fixture *f = *state;
    ring_thread thread = platform(f, 9);
    assert_true(set(f, thread, TYPE_A));
    leave_no_ring(f);
    while (set(f, thread, TYPE_A)) {
    }
    // Refused again and again, it costs no more room.
    for (int i = 0; i < 100000; i++) {
        assert_false(ring_writer_set(thread, TYPE_A, tick, f, VALUES_MAX, some_values));
        assert_false(unset(f, thread, TYPE_A));
    }
    drain(f);
    assert_int_equal(count_kind(&f->out, CTX_RECORD_UNSET), 1);
    assert_int_equal(header_at(&f->out, f->out.len - 24).kind, CTX_RECORD_UNSET);
    assert_int_equal(ctx_rings_get_counts(f->rings).contexts_dropped, 100001);
}

static void
test_what_is_not_published_never_was(void **state)
{
    fixture *f = *state;
    ring_thread thread = platform(f, 4);
    assert_true(set(f, thread, TYPE_A));
    ring_record left = ring_writer_write_set(thread, TYPE_B, tick, f, 20, some_values);
    assert_non_null(left.at);
    drain(f);
    assert_int_equal(f->out.len, 32);
    assert_true(unset(f, thread, TYPE_A)); // in its place
    drain(f);
    assert_int_equal(f->out.len, 24);
    assert_record(record_of(f, 4, 0), CTX_RECORD_UNSET, 3);
}

static void
test_end_of_a_thread_ends_its_contexts_and_frees_its_ring(void **state)
{
    fixture *f = *state;
    ring_thread thread = platform(f, 6);
    assert_true(set(f, thread, TYPE_A));
    assert_true(set(f, thread, TYPE_B));
    const ctx_rings_control *ring = ring_writer_ring(thread);
    ring_writer_end(thread, tick, f);
    assert_null(ring_writer_ring(thread));
    assert_int_equal(ring->owner, 0);
    assert_true(set(f, platform(f, 7), TYPE_A));
    assert_ptr_not_equal(ring_writer_ring(platform(f, 7)), ring); // there is something in it
    drain(f);
    assert_record(record_of(f, 6, 2), CTX_RECORD_UNSET, 3);
    assert_record(record_of(f, 6, 3), CTX_RECORD_UNSET, 4);
    assert_true(set(f, platform(f, 8), TYPE_A));
    assert_ptr_equal(ring_writer_ring(platform(f, 8)), ring);
}

static void
test_a_burst_goes_on_in_other_rings(void **state)
{
    fixture *f = *state;
    const ring_thread threads[] = {platform(f, 70), virtual(f, 71, 1)};
    for (size_t i = 0; i < 2; i++) {
        int64_t begun = f->now;
        const int64_t count = 3 * CTX_RINGS_RING_BYTES / 32;
        assert_true(set(f, threads[i], TYPE_B));
        for (int64_t k = 0; k < count; k++) {
            assert_true(set(f, threads[i], TYPE_A));
        }
        assert_true(unset(f, threads[i], TYPE_A));
        assert_true(unset(f, threads[i], TYPE_B)); // begun rings ago
        drain(f);
        for (int64_t k = 0; k < count + 3; k++) {
            ctx_record_header found =
                header_at(&f->out, (size_t)(k <= count ? k : count) * 32 +
                                       (k > count ? 32 + (size_t)(k - count - 1) * 24 : 0));
            assert_record(found, k <= count ? CTX_RECORD_SET : CTX_RECORD_UNSET, begun + k + 1);
        }
        assert_int_equal(f->out.len, (size_t)(count + 1) * 32 + 48);
    }
}

// burst makes a thread leave its ring, and has it all drained.
static void
burst(fixture *f, ring_thread thread)
{
    const ctx_rings_control *ring = ring_writer_ring(thread);
    while (ring_writer_ring(thread) == ring) {
        assert_true(set(f, thread, TYPE_A));
    }
    assert_int_equal(ring_writer_ring(thread)->mode, CTX_RINGS_LOOSE);
    assert_true(unset(f, thread, TYPE_A));
    drain(f);
    assert_true(set(f, thread, TYPE_A));
    assert_true(unset(f, thread, TYPE_A)); // a drain that was at work then may have passed it by
    assert_int_equal(ring_writer_ring(thread)->mode, CTX_RINGS_LOOSE);
    assert_true(set(f, thread, TYPE_A));
    assert_true(set(f, thread, TYPE_B));
    drain(f);
}

static void
test_after_a_burst_a_ring_is_plain_again(void **state)
{
    fixture *f = *state;
    ring_thread thread = platform(f, 80);
    assert_true(set(f, thread, TYPE_A));
    burst(f, thread);
    int64_t begun = f->now;
    assert_true(unset(f, thread, TYPE_A)); // all that is open has to end before
    assert_int_equal(ring_writer_ring(thread)->mode, CTX_RINGS_LOOSE);
    assert_true(unset(f, thread, TYPE_B));
    assert_int_equal(ring_writer_ring(thread)->mode, CTX_RINGS_PLAIN);
    assert_true(set(f, thread, TYPE_A));
    assert_true(set(f, virtual(f, 81, 1), TYPE_A));
    drain(f); // with loose ones before them, of this thread and of others
    for (size_t i = 0; i < 3; i++) {
        assert_record(record_of(f, 80, i), i == 2 ? CTX_RECORD_SET : CTX_RECORD_UNSET,
            begun + 1 + (int64_t)i);
    }
    assert_true(unset(f, virtual(f, 81, 0), TYPE_A));
    assert_true(unset(f, thread, TYPE_A));
    drain(f);
    lp_buf open = {0};
    assert_int_equal(ctx_rings_list_open(f->rings, &open), LP_OK);
    assert_int_equal(open.len, 0);
    lp_buf_fini(&open);
}

static void
test_failing_buffer_loses_nothing(void **state)
{
    fixture *f = *state;
    assert_true(set(f, platform(f, 4), TYPE_A));
    assert_true(set(f, virtual(f, 5, 1), TYPE_A));
    ctx_packer failing = {.run_bytes = 4096, .packed.is_failed = true};
    assert_int_equal(ctx_rings_drain(f->rings, &failing), LP_ENOMEM);
    assert_int_equal(failing.size_bytes, 0);
    ctx_packer_fini(&failing);
    drain(f);
    assert_int_equal(f->out.len, 64);
    assert_int_equal(ctx_rings_get_counts(f->rings).contexts_taken, 2);
}

static void
test_overwritten_ring_is_left_alone(void **state)
{
    fixture *f = *state;
    static const uint64_t bad_words[] = {
        8 | 1ull << 32 | 1ull << 48,       // smaller than a header
        28 | 1ull << 32 | 1ull << 48,      // not a multiple of 8
        0x10000 | 1ull << 32 | 1ull << 48, // larger than any record
        4096 | 1ull << 32 | 1ull << 48,    // larger than what is published
        32 | 1ull << 48,                   // no type
        32 | 1ull << 32 | 3ull << 48,      // the end of a thread has none
        32 | 1ull << 32 | 9ull << 48,      // no such kind
    };
    for (size_t i = 0; i < sizeof(bad_words) / sizeof(bad_words[0]); i++) {
        ring_thread thread = platform(f, (int64_t)i + 1);
        assert_true(set(f, thread, TYPE_A));
        ring_record record = ring_writer_write_set(thread, TYPE_A, tick, f, 1, some_values);
        ring_writer_publish(thread, TYPE_A, record);
        memcpy(record.at, &bad_words[i], sizeof(bad_words[i]));
        drain(f);
        assert_int_equal(f->out.len, 32); // what came before is good
        assert_true(set(f, thread, TYPE_A));
        drain(f);
        assert_int_equal(f->out.len, 0);
    }
}

static void
test_head_that_cannot_be_true_is_left_alone(void **state)
{
    fixture *f = *state;
    assert_true(set(f, platform(f, 1), TYPE_A));
    ctx_rings_control *control = ring_writer_ring(platform(f, 1));
    atomic_store(&control->head, atomic_load(&control->tail) + CTX_RINGS_RING_BYTES + 32);
    for (int64_t i = 2; i < 4; i++) {
        assert_true(set(f, platform(f, i), TYPE_A));
        drain(f);
        assert_int_equal(f->out.len, 32); // of the other thread
    }
    assert_int_equal(ctx_rings_get_counts(f->rings).contexts_taken, 2);
}

// --- Threads that write into several rings

static void
test_a_virtual_thread_that_moves_stays_in_order(void **state)
{
    fixture *f = *state;
    // Whichever of the two rings is read first.
    for (int64_t way = 0; way < 2; way++) {
        int64_t begun = f->now;
        assert_true(set(f, virtual(f, 50, way), TYPE_A));
        assert_true(set(f, virtual(f, 51, 1 - way), TYPE_A));
        assert_true(unset(f, virtual(f, 50, 1 - way), TYPE_A));
        assert_true(set(f, virtual(f, 50, way), TYPE_A));
        assert_true(unset(f, virtual(f, 50, 2), TYPE_A));
        assert_true(unset(f, virtual(f, 51, way), TYPE_A));
        drain(f);
        assert_record(record_of(f, 50, 0), CTX_RECORD_SET, begun + 1);
        assert_record(record_of(f, 50, 1), CTX_RECORD_UNSET, begun + 3);
        assert_record(record_of(f, 50, 2), CTX_RECORD_SET, begun + 4);
        assert_record(record_of(f, 50, 3), CTX_RECORD_UNSET, begun + 5);
        assert_record(record_of(f, 51, 1), CTX_RECORD_UNSET, begun + 6);
    }
}

// take_all_rings gives a ring to so many threads, from id first on, until there is none.
static int64_t
take_all_rings(fixture *f, int64_t first)
{
    int64_t id = first;
    for (int taken = 0; taken < CTX_RINGS_OWN; id++) {
        assert_true(set(f, platform(f, id), TYPE_A));
        taken += ring_writer_ring(platform(f, id)) != NULL;
    }
    return id;
}

static void
test_threads_without_a_ring_stay_in_order_with_a_ring_later(void **state)
{
    fixture *f = *state;
    ring_thread late = platform(f, take_all_rings(f, 1));
    assert_true(set(f, late, TYPE_A));
    drain(f);
    assert_true(set(f, late, TYPE_A));
    assert_null(ring_writer_ring(late));
    assert_int_equal(f->layout->common->is_short, 1);
    ring_writer_end(platform(f, 1), tick, f);
    drain(f);
    int64_t begun = f->now;
    assert_true(set(f, late, TYPE_A)); // takes that ring
    assert_non_null(ring_writer_ring(late));
    assert_true(unset(f, late, TYPE_A));
    drain(f);
    assert_record(record_of(f, late.id, 0), CTX_RECORD_SET, begun + 1);
    assert_record(record_of(f, late.id, 1), CTX_RECORD_UNSET, begun + 2);
    // Nobody knows what such a thread has open: its end says so.
    ring_writer_end(late, tick, f);
    ring_thread other = platform(f, late.id + 1);
    assert_true(set(f, other, TYPE_B));
    ring_writer_end(other, tick, f);
    drain(f);
    assert_int_equal(record_of(f, late.id, 0).kind, CTX_RECORD_THREAD_END);
    assert_int_equal(record_of(f, other.id, 1).kind, CTX_RECORD_THREAD_END);
}

static void
test_without_any_ring_all_contexts_are_ended(void **state)
{
    fixture *f = *state;
    ring_thread late = platform(f, take_all_rings(f, 1));
    assert_true(set(f, late, TYPE_A));
    for (size_t i = CTX_RINGS_OWN; i < CTX_RINGS_COUNT; i++) {
        f->layout->controls[i].owner = 1; // somebody else is at it, and does not come on
    }
    assert_false(unset(f, late, TYPE_A));
    int64_t lost = f->now;
    assert_false(set(f, late, TYPE_A));
    assert_int_equal(ctx_rings_get_counts(f->rings).contexts_dropped, 1);
    ctx_packer failing = {.run_bytes = 4096, .packed.is_failed = true};
    assert_int_equal(ctx_rings_drain(f->rings, &failing), LP_ENOMEM); // it does not forget that
    ctx_packer_fini(&failing);
    drain(f);
    ctx_record_header last = header_at(&f->out, f->out.len - 24);
    assert_record(last, CTX_RECORD_THREAD_END, lost);
    assert_int_equal(last.thread_id, CTX_THREAD_ALL);
    drain(f);
    assert_int_equal(f->out.len, 0);
}

// A storm loses ends in drain after drain.
static void
test_lost_ends_are_counted_and_logged_once(void **state)
{
    fixture *f = *state;
    ring_thread late = platform(f, take_all_rings(f, 1));
    assert_true(set(f, late, TYPE_A));
    for (size_t i = CTX_RINGS_OWN; i < CTX_RINGS_COUNT; i++) {
        f->layout->controls[i].owner = 1;
    }
    int saved_fd = dup(STDERR_FILENO);
    int log_fd = memfd_create("log", 0);
    assert_int_equal(dup2(log_fd, STDERR_FILENO), STDERR_FILENO);
    for (int i = 0; i < 40; i++) {
        assert_false(unset(f, late, TYPE_A));
        drain(f);
        drain(f); // without a loss
    }
    assert_int_equal(dup2(saved_fd, STDERR_FILENO), STDERR_FILENO);
    char log[10000];
    ssize_t len = pread(log_fd, log, sizeof(log), 0);
    assert_in_range(len, 1, sizeof(log) - 1);
    assert_ptr_equal(memchr(log, '\n', (size_t)len), log + len - 1);
    assert_int_equal(ctx_rings_get_counts(f->rings).ends_lost, 40);
    assert_int_equal(close(saved_fd), 0);
    assert_int_equal(close(log_fd), 0);
}

static void
test_ends_of_virtual_threads_have_their_slack(void **state)
{
    fixture *f = *state;
    size_t sets = 1;
    assert_true(set(f, virtual(f, 1, 7), TYPE_A));
    leave_no_ring(f);
    while (set(f, virtual(f, 1 + (int64_t)sets, 7), TYPE_A)) {
        sets++;
    }
    assert_int_equal(sets, (CTX_RINGS_RING_BYTES - CTX_RINGS_SLACK_BYTES) / 32);
    size_t ends = 1; // of the refused one's
    while (unset(f, virtual(f, (int64_t)ends, 7), TYPE_A)) {
        ends++;
    }
    assert_int_equal(ends, CTX_RINGS_SLACK_BYTES / 24);
    int64_t lost = f->now;
    drain(f);
    ctx_record_header last = header_at(&f->out, f->out.len - 24);
    assert_record(last, CTX_RECORD_THREAD_END, lost);
    assert_int_equal(last.thread_id, CTX_THREAD_ALL);
}

static void
test_open_contexts_of_virtual_threads_are_known(void **state)
{
    fixture *f = *state;
    lp_buf open = {0};
    assert_true(set(f, virtual(f, 60, 1), TYPE_A));
    assert_true(set(f, virtual(f, 60, 2), TYPE_B));
    assert_true(set(f, virtual(f, 61, 1), TYPE_B));
    assert_true(unset(f, virtual(f, 61, 2), TYPE_B));
    assert_true(set(f, platform(f, 62), TYPE_B)); // tells its end itself
    drain(f);
    assert_int_equal(ctx_rings_list_open(f->rings, &open), LP_OK);
    uint64_t found;
    assert_int_equal(open.len, sizeof(found));
    memcpy(&found, open.ptr, sizeof(found));
    assert_int_equal(found, 60);
    lp_buf_fini(&open);
}

// --- Many threads at once, against a drain that runs all the time: some play carriers, between
// which virtual threads move.

enum { CARRIERS = 4, VIRTUALS = 60, ROUNDS = 30000, OPEN_ROUNDS = 3 };

// A virtual thread, played by whoever has its mutex.
typedef struct strand {
    pthread_mutex_t mutex;
    int64_t round;
    bool is_open; // a context, after the last round
} strand;

typedef struct crowd {
    fixture *fixture;
    _Atomic int64_t clock;
    strand strands[VIRTUALS];
    _Atomic uint64_t set_count;
    _Atomic uint64_t drop_count;
} crowd;

typedef struct player {
    crowd *crowd;
    int64_t number;
} player;

static int64_t
crowd_tick(void *arg)
{
    return atomic_fetch_add(&((crowd *)arg)->clock, 1) + 1;
}

// play_round returns whether it leaves a context open.
static bool
play_round(crowd *c, ring_thread thread, int64_t round)
{
    int64_t values[VALUES_MAX] = {round, thread.id, ~round};
    uint32_t count = 3 + (uint32_t)(round % 30);
    bool is_open = ring_writer_set(thread, TYPE_A, crowd_tick, c, count, values);
    atomic_fetch_add(is_open ? &c->set_count : &c->drop_count, 1);
    if (round % OPEN_ROUNDS != 0) { // else the next round replaces the context
        (void)ring_writer_unset(thread, TYPE_A, crowd_tick, c);
        is_open = false;
    }
    return is_open;
}

// play plays a platform thread of its own and, as a carrier, whatever strand is free.
static void *
play(void *arg)
{
    const player *p = arg;
    crowd *c = p->crowd;
    ring_thread own = platform(c->fixture, CARRIER + p->number);
    uint32_t random = (uint32_t)p->number * 2654435761u + 1;
    for (int64_t round = 1; round <= ROUNDS; round++) {
        random = random * 1664525 + 1013904223;
        uint32_t chosen = (random >> 8) % (VIRTUALS + 1);
        if (chosen == VIRTUALS) {
            (void)play_round(c, own, round);
        } else if (pthread_mutex_trylock(&c->strands[chosen].mutex) == 0) {
            strand *s = &c->strands[chosen];
            s->is_open = play_round(c, virtual(c->fixture, 1 + chosen, p->number), ++s->round);
            (void)pthread_mutex_unlock(&s->mutex);
        }
    }
    ring_writer_end(own, crowd_tick, c);
    return NULL;
}

typedef struct seen_thread {
    int64_t ticks;
    bool is_open;
} seen_thread;

typedef struct seen_all {
    seen_thread virtuals[1 + VIRTUALS];
    seen_thread carriers[CARRIERS];
    uint64_t set_count;
    uint64_t lost_count; // how often ends were lost
} seen_all;

static void
check_records(seen_all *seen, const lp_buf *out)
{
    for (size_t offset = 0; offset < out->len;) {
        ctx_record_header header = header_at(out, offset);
        seen_thread *thread = header.thread_id >= CARRIER
                                  ? &seen->carriers[header.thread_id - CARRIER]
                                  : &seen->virtuals[header.thread_id];
        if (header.thread_id == CTX_THREAD_ALL) {
            seen->lost_count++;
            offset += header.size_bytes;
            continue;
        }
        assert_true(header.time_ticks > thread->ticks);
        thread->ticks = header.time_ticks;
        thread->is_open = header.kind == CTX_RECORD_SET;
        if (header.kind == CTX_RECORD_SET) {
            int64_t values[3];
            memcpy(values, out->ptr + offset + sizeof(header), sizeof(values));
            assert_int_equal(values[1], header.thread_id);
            assert_int_equal(values[2], ~values[0]);
            assert_int_equal(header.size_bytes, 24 + 8 * (3 + values[0] % 30));
            seen->set_count++;
        }
        offset += header.size_bytes;
    }
}

static void
run_crowd(fixture *f, crowd *c, seen_all *seen)
{
    pthread_t threads[CARRIERS];
    player players[CARRIERS];
    c->fixture = f;
    for (size_t i = 0; i < VIRTUALS; i++) {
        assert_int_equal(pthread_mutex_init(&c->strands[i].mutex, NULL), 0);
    }
    for (int64_t i = 0; i < CARRIERS; i++) {
        players[i] = (player){c, i};
        assert_int_equal(pthread_create(&threads[i], NULL, play, &players[i]), 0);
    }
    for (int i = 0; i < CARRIERS; i++) {
        while (pthread_tryjoin_np(threads[i], NULL) != 0) {
            drain(f);
            check_records(seen, &f->out);
        }
    }
    drain(f);
    check_records(seen, &f->out);
}

static void
test_many_threads_lose_nothing_but_whole_contexts(void **state)
{
    fixture *f = *state;
    crowd c = {0};
    seen_all seen = {0};
    run_crowd(f, &c, &seen);
    assert_int_equal(seen.set_count, c.set_count);
    assert_int_equal(ctx_rings_get_counts(f->rings).contexts_taken, c.set_count);
    assert_int_equal(ctx_rings_get_counts(f->rings).contexts_dropped, c.drop_count);
    assert_int_equal(ctx_rings_get_counts(f->rings).ends_lost, seen.lost_count);
    for (size_t i = 0; i < CARRIERS; i++) {
        assert_false(seen.carriers[i].is_open);
    }
    for (size_t i = 0; seen.lost_count == 0 && i < VIRTUALS; i++) {
        assert_int_equal(seen.virtuals[1 + i].is_open, c.strands[i].is_open);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        RINGS_TEST(test_records_come_out_as_written),
        RINGS_TEST(test_unset_without_context_writes_nothing),
        RINGS_TEST(test_records_survive_the_wrap),
        RINGS_TEST(test_full_ring_keeps_room_for_every_end),
        RINGS_TEST(test_refused_set_ends_what_it_would_have_replaced),
        RINGS_TEST(test_what_is_not_published_never_was),
        RINGS_TEST(test_end_of_a_thread_ends_its_contexts_and_frees_its_ring),
        RINGS_TEST(test_a_burst_goes_on_in_other_rings),
        RINGS_TEST(test_after_a_burst_a_ring_is_plain_again),
        RINGS_TEST(test_failing_buffer_loses_nothing),
        RINGS_TEST(test_overwritten_ring_is_left_alone),
        RINGS_TEST(test_head_that_cannot_be_true_is_left_alone),
        RINGS_TEST(test_a_virtual_thread_that_moves_stays_in_order),
        RINGS_TEST(test_threads_without_a_ring_stay_in_order_with_a_ring_later),
        RINGS_TEST(test_without_any_ring_all_contexts_are_ended),
        RINGS_TEST(test_lost_ends_are_counted_and_logged_once),
        RINGS_TEST(test_ends_of_virtual_threads_have_their_slack),
        RINGS_TEST(test_open_contexts_of_virtual_threads_are_known),
        RINGS_TEST(test_many_threads_lose_nothing_but_whole_contexts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
