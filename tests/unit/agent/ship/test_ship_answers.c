// SPDX-License-Identifier: Apache-2.0
// What a collector answers: it does not know the session, has another policy, is busy, or says
// nothing. Each byte that JFR published arrives once all the same.

#include "support/chunk_writer.h"
#include "support/fake_collector.h"
#include "unit/agent/ship/received.h"
#include "unit/agent/ship/ship_rig.h"

#include "agent/ship/ship.h"

#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

enum { LONG_MS = 60 * 1000 }; // more than any test needs

static void
test_unknown_session_is_introduced_again(void **state)
{
    ship_rig *f = *state;
    fake_collector *c = f->collector;
    ship_rig_add_type(f);
    chunk_writer chunk = ship_rig_begin(f, 100000);
    fake_collector_wait(c, &c->batch_count, 1);
    fake_collector_set_answer(c, LOUPE__WIRE__REPLY__STATUS__UNKNOWN_SESSION);
    chunk_writer_append(&chunk, 2000000);
    chunk_writer_finish(&chunk);
    fake_collector_wait(c, &c->hello_count, 2);
    assert_int_equal(fake_collector_peek(c, &c->hello_next_sequence), 1);
    ship_finish(f->ship, SHIP_RIG_NEVER_MS);
    fake_collector_stop(c);
    received r = received_assemble(c, NULL, NULL);
    received_check_chunk(&r, 0, &chunk);
    assert_true(r.type_count >= 1);
    received_release(&r);
}

// await_policy waits for another policy.
static void
await_policy(ship_rig *f, uint64_t id)
{
    ship_policy policy;
    for (int i = 0; !ship_take_policy(f->ship, &policy); i++) {
        assert_true(i < LONG_MS);
        (void)poll(NULL, 0, 1);
    }
    assert_true(policy.id == id);
    assert_true((policy.settings != NULL) == (id != 0));
    if (id != 0) {
        char value[32];
        (void)snprintf(value, sizeof(value), "%llu ns", (unsigned long long)id);
        assert_int_equal(policy.settings->n_settings, 1);
        assert_string_equal(policy.settings->settings[0]->event, "jdk.*");
        assert_string_equal(policy.settings->settings[0]->setting, "threshold");
        assert_string_equal(policy.settings->settings[0]->value, value);
    }
    ship_policy_fini(&policy);
}

static void
set_policy(fake_collector *c, uint64_t id)
{
    (void)pthread_mutex_lock(&c->mutex);
    c->policy_id = id;
    (void)pthread_mutex_unlock(&c->mutex);
}

static void
test_each_policy_is_given_once(void **state)
{
    static const uint64_t ids[] = {1, UINT64_MAX, 0, 1};
    ship_rig *f = *state;
    fake_collector *c = f->collector;
    ship_policy none;
    chunk_writer chunk = ship_rig_begin(f, 1000);
    fake_collector_wait(c, &c->batch_count, 1);
    assert_false(ship_take_policy(f->ship, &none));
    for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
        set_policy(c, ids[i]);
        chunk_writer_append(&chunk, 1000); // an answer to a batch tells that there is another
        chunk_writer_flush(&chunk);
        await_policy(f, ids[i]);
    }
    // With the session the policy is sent again; it is the same.
    uint64_t batches = fake_collector_peek(c, &c->batch_count);
    fake_collector_set_answer(c, LOUPE__WIRE__REPLY__STATUS__UNKNOWN_SESSION);
    chunk_writer_append(&chunk, 1000);
    chunk_writer_flush(&chunk);
    fake_collector_wait(c, &c->batch_count, batches + 1);
    received r = ship_rig_finish(f, &chunk);
    assert_false(ship_take_policy(f->ship, &none));
    received_release(&r);
}

static void
test_busy_collector_is_asked_again(void **state)
{
    ship_rig *f = *state;
    fake_collector *c = f->collector;
    c->answer = LOUPE__WIRE__REPLY__STATUS__BUSY;
    chunk_writer chunk = ship_rig_begin(f, 2000000);
    fake_collector_wait(c, &c->request_count, 10); // more than the window: some came again
    fake_collector_set_answer(c, LOUPE__WIRE__REPLY__STATUS__OK);
    received r = ship_rig_finish(f, &chunk);
    received_release(&r);
}

static void
test_window_is_respected(void **state)
{
    ship_rig *f = *state;
    fake_collector *c = f->collector;
    c->answer = FAKE_COLLECTOR_SILENT;
    chunk_writer chunk = ship_rig_begin(f, 8 << 20); // 32 pieces
    fake_collector_wait(c, &c->request_count, WIRE_WINDOW_MAX - 1);
    ship_finish(f->ship, 500); // time to send too much in
    assert_int_equal(fake_collector_peek(c, &c->request_count), WIRE_WINDOW_MAX - 1);
    fake_collector_stop(c);
    (void)close(chunk.fd);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, ship_rig_set_up, ship_rig_tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_unknown_session_is_introduced_again),
        TEST(test_each_policy_is_given_once),
        TEST(test_busy_collector_is_asked_again),
        TEST(test_window_is_respected),
    };
    return cmocka_run_group_tests_name("ship_answers", tests, NULL, NULL);
}
