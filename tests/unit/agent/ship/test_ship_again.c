// SPDX-License-Identifier: Apache-2.0
// A collector that does not know a session any more, or lacks a part of it, gets that again: each
// byte that is not durable and each map whose record comes, and no other.

#include "support/chunk_writer.h"
#include "support/fake_collector.h"
#include "unit/agent/ship/received.h"
#include "unit/agent/ship/ship_rig.h"

#include "agent/ship/ship.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// write_map writes a record that names a new map, which has ended.
static void
write_map(ship_rig *f)
{
    uint64_t id = ship_rig_add_map(f);
    ship_rig_put_record(f, CTX_RECORD_SET, 7, (int64_t)id);
    ctx_recordings_release(f->recordings, id);
}

// write_maps writes COUNT of them, over more than one batch, and returns once all were sent.
static void
write_maps(ship_rig *f, chunk_writer *chunk)
{
    enum { COUNT = 1500 };
    fake_collector *c = f->collector;
    for (unsigned i = 0; i < COUNT; i++) {
        write_map(f);
    }
    while (ship_rig_count_maps(f) > 0) {
        uint64_t before = fake_collector_peek(c, &c->batch_count);
        chunk_writer_append(chunk, 1000);
        chunk_writer_flush(chunk);
        fake_collector_wait(c, &c->batch_count, before + 1);
    }
}

// go_back_in_the_second_chunk asks for the chunks from this one on, in the middle of the second.
static received
go_back_in_the_second_chunk(ship_rig *f, uint64_t durable_sequence, uint32_t lacking_chunk)
{
    fake_collector *c = f->collector;
    ship_rig_add_type(f);
    fake_collector_start(c);
    ship_rig_start(f);
    chunk_writer chunks[3];
    for (unsigned i = 0; i < 2; i++) {
        chunks[i] = ship_rig_write_chunk(f, i, 1000);
        write_maps(f, &chunks[i]);
        if (i == 0) {
            chunk_writer_finish(&chunks[i]);
        }
    }
    (void)pthread_mutex_lock(&c->mutex);
    c->durable_sequence = durable_sequence;
    (void)pthread_mutex_unlock(&c->mutex);
    uint64_t before = fake_collector_peek(c, &c->batch_count);
    chunk_writer_append(&chunks[1], 1000);
    chunk_writer_flush(&chunks[1]);
    fake_collector_wait(c, &c->batch_count, before + 1); // its answer says what is durable
    fake_collector_ask_again(c, lacking_chunk);
    write_map(f);
    chunk_writer_append(&chunks[1], 600000);
    chunk_writer_flush(&chunks[1]);
    fake_collector_wait(c, &c->hello_count, 2);
    chunk_writer_finish(&chunks[1]);
    chunks[2] = ship_rig_write_chunk(f, 2, 1000);
    chunk_writer_finish(&chunks[2]);
    received r = ship_rig_finish_all(f, chunks, 3);
    assert_int_equal(r.contexts.len, (2 * 1500 + 1) * sizeof(ctx_record_header));
    return r;
}

static void
test_all_that_is_not_durable_goes_again(void **state)
{
    received r = go_back_in_the_second_chunk(*state, 0, 0);
    assert_true(r.has_gone_back);
    assert_int_equal(r.contexts_begin[0], 0);
    assert_true(r.map_count == 3001 && r.is_known[1] && r.is_known[3001]);
    received_release(&r);
}

// The chunk before is kept, as it is not durable, and not asked for.
static void
test_only_what_is_lacking_goes_again(void **state)
{
    received r = go_back_in_the_second_chunk(*state, 0, 1);
    assert_true(r.has_gone_back);
    assert_true(r.is_known[1] && r.is_known[3001]); // nobody knows who asks
    received_release(&r);
}

static void
test_what_is_durable_does_not_go_again(void **state)
{
    received r = go_back_in_the_second_chunk(*state, UINT64_MAX, 0);
    assert_true(r.has_gone_back);
    assert_true(r.map_count == 3001 && !r.is_known[1] && r.is_known[1501] && r.is_known[3001]);
    received_release(&r);
}

// The collector that takes the last batch is another one than before.
static void
test_it_goes_again_at_the_end(void **state)
{
    ship_rig *f = *state;
    fake_collector *c = f->collector;
    ship_rig_add_type(f);
    chunk_writer chunk = ship_rig_begin(f, 1000);
    fake_collector_wait(c, &c->batch_count, 1);
    fake_collector_ask_again(c, 0);
    received r = ship_rig_finish(f, &chunk);
    assert_true(r.has_gone_back);
    assert_int_equal(r.last_count, 1);
    received_release(&r);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, ship_rig_set_up, ship_rig_tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_all_that_is_not_durable_goes_again),
        TEST(test_only_what_is_lacking_goes_again),
        TEST(test_what_is_durable_does_not_go_again),
        TEST(test_it_goes_again_at_the_end),
    };
    return cmocka_run_group_tests_name("ship_again", tests, NULL, NULL);
}
