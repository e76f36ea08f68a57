// SPDX-License-Identifier: Apache-2.0
// With SYNC_ALWAYS an answer waits for the disk: nothing is acknowledged before the journal is
// there, many batches share a round, a disk that refuses a journal has its batches put off and the
// others not, and what waits when the collector ends is answered. With SYNC_SECOND nothing waits.

#include "support/fake_sync.h"
#include "unit/collector/server/collector_rig.h"
#include "unit/collector/server/wire_client.h"

#include "collector/base/metrics.h"

#include <nng/protocol/reqrep0/req.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { LOOK_AGAIN_NS = 5000000 };

// A disk that takes journals only while the gate is open.
static pthread_mutex_t gate_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gate_changed = PTHREAD_COND_INITIALIZER;
static bool is_gate_open;
static unsigned waiting_at_gate;
static unsigned passed_gate;

static void
on_sync(const char *path)
{
    if (strstr(path, ".log") == NULL) {
        return;
    }
    pthread_mutex_lock(&gate_mutex);
    waiting_at_gate++;
    pthread_cond_broadcast(&gate_changed);
    while (!is_gate_open) {
        pthread_cond_wait(&gate_changed, &gate_mutex);
    }
    waiting_at_gate--;
    passed_gate++;
    pthread_mutex_unlock(&gate_mutex);
}

static void
set_gate(bool is_open)
{
    pthread_mutex_lock(&gate_mutex);
    is_gate_open = is_open;
    passed_gate = 0;
    pthread_cond_broadcast(&gate_changed);
    pthread_mutex_unlock(&gate_mutex);
}

static void
await_someone_at_gate(void)
{
    pthread_mutex_lock(&gate_mutex);
    while (waiting_at_gate == 0) {
        pthread_cond_wait(&gate_changed, &gate_mutex);
    }
    pthread_mutex_unlock(&gate_mutex);
}

typedef struct fixture {
    collector_rig rig;
    wire_client client;
    tick_chunk ticks;
} fixture;

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    collector_rig_init(&f->rig);
    f->rig.sync = SYNC_ALWAYS;
    wire_client_open(&f->client, f->rig.agents_url, 0xab);
    // What waits is counted: nothing is asked twice, however long the gate is closed.
    assert_int_equal(
        nng_socket_set_ms(f->client.socket, NNG_OPT_REQ_RESENDTIME, WIRE_CLIENT_TIMEOUT_MS), 0);
    tick_chunk_init(&f->ticks, 1700000000000000000);
    set_gate(true);
    fake_sync_on_call = on_sync;
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    fake_sync_refused = NULL;
    set_gate(true);
    tick_chunk_fini(&f->ticks);
    collector_rig_fini(&f->rig);
    wire_client_close(&f->client);
    free(f);
    return 0;
}

// start_batch sends a batch with one more tick.
static wire_pending
start_batch(fixture *f, uint64_t sequence)
{
    wire_piece piece = wire_piece_take(&f->ticks, sequence, 1);
    piece.sequence = sequence;
    lp_buf message = {0};
    wire_client_pack(&f->client, &piece, &message);
    wire_pending pending = wire_client_start(&f->client, message.ptr, message.len);
    lp_buf_fini(&message);
    return pending;
}

static void
test_an_answer_waits_for_the_disk(void **state)
{
    fixture *f = *state;
    collector_rig_start(&f->rig);
    assert_int_equal(wire_client_hello(&f->client, 0).status, OK);
    set_gate(false);
    wire_pending first = start_batch(f, 0);
    await_someone_at_gate();
    assert_int_equal(metrics_get(METRICS_answers_waiting), 1); // it is journalled, and not answered
    // These come while the first waits, and share the next round.
    wire_pending rest[5];
    for (uint64_t i = 0; i < 5; i++) {
        rest[i] = start_batch(f, 1 + i);
    }
    while (metrics_get(METRICS_answers_waiting) < 6) {
        (void)sched_yield();
    }
    set_gate(true);
    wire_answer answer = wire_client_finish(&first);
    assert_int_equal(answer.status, OK);
    assert_int_equal(answer.durable_sequence, 1);
    for (uint64_t i = 0; i < 5; i++) {
        answer = wire_client_finish(&rest[i]);
        assert_int_equal(answer.status, OK);
        assert_int_equal(answer.durable_sequence, 2 + i);
    }
    assert_int_equal(passed_gate, 2);
}

static void
test_what_the_disk_refuses_is_put_off(void **state)
{
    fixture *f = *state;
    collector_rig_start(&f->rig);
    assert_int_equal(wire_client_hello(&f->client, 0).status, OK);
    wire_pending first = start_batch(f, 0);
    assert_int_equal(wire_client_finish(&first).status, OK);

    fake_sync_error = EIO;
    fake_sync_refused = "/0.log";
    wire_pending second = start_batch(f, 1);
    assert_int_equal(wire_client_finish(&second).status, BUSY);
    wire_client other;
    wire_client_open(&other, f->rig.agents_url, 0xcd);
    assert_int_equal(wire_client_hello(&other, 0).status, OK);
    wire_client_close(&other);

    fake_sync_refused = NULL;
    wire_answer answer;
    do { // as an agent does: it is a duplicate, and waits for the disk again
        const wire_piece piece = {.sequence = 1};
        answer = wire_client_send(&f->client, &piece);
    } while (answer.status == BUSY);
    assert_int_equal(answer.status, OK);
    assert_int_equal(answer.durable_sequence, 2);
    wire_pending last = start_batch(f, 2);
    assert_int_equal(wire_client_finish(&last).status, OK);

    collector_rig_stop(&f->rig);
    collector_rig_start(&f->rig);
    assert_int_equal(wire_client_hello(&f->client, 3).next_sequence, 3);
    unsigned counts[3] = {0};
    char id[33];
    wire_client_id(&f->client, id);
    snapshot *taken = collector_rig_snapshot(&f->rig, id, SNAPSHOT_JFR);
    (void)collector_rig_count_pending(taken, counts, 3);
    snapshot_unref(taken);
    assert_int_equal(counts[0] + counts[1] + counts[2], 3);
}

// count_late returns how many records the file of what was late of chunk 0 has.
static unsigned
count_late(const fixture *f)
{
    char id[33];
    char path[300];
    wire_client_id(&f->client, id);
    (void)snprintf(path, sizeof(path), "%s/damaged/%s-0.late", f->rig.dir.path, id);
    return collector_rig_count_messages(path);
}

// send_late sends a batch with one more tick until it is not put off any more.
static wire_answer
send_late(fixture *f, uint64_t sequence)
{
    wire_piece piece = wire_piece_take(&f->ticks, sequence, 1);
    wire_answer answer;
    piece.sequence = sequence;
    do {
        answer = wire_client_send(&f->client, &piece);
    } while (answer.status == BUSY);
    assert_int_equal(answer.status, OK);
    return answer;
}

// What is late goes to one file. The disk refuses it, and takes what comes behind it: all of that
// is in the copy that it gets then.
static void
test_what_is_late_is_copied_with_all_that_came_behind_it(void **state)
{
    fixture *f = *state;
    char id[33];
    wire_client_id(&f->client, id);
    f->rig.sync = SYNC_SECOND;
    collector_rig_start(&f->rig);
    assert_int_equal(wire_client_hello(&f->client, 0).status, OK);
    wire_pending first = start_batch(f, 0);
    wire_answer answer = wire_client_finish(&first);
    assert_int_equal(answer.status, OK);
    collector_rig_stop(&f->rig);
    f->rig.idle_ms_max = 1; // the session ends, but not before its batch is there
    collector_rig_start(&f->rig);
    collector_rig_await(&f->rig, id, 1, true);
    collector_rig_stop(&f->rig);
    f->rig.idle_ms_max = SERVER_IDLE_MS_MAX;
    collector_rig_start(&f->rig);
    assert_int_equal(wire_client_hello(&f->client, 1).status, OK);
    uint64_t errors = metrics_get(METRICS_sync_errors);
    fake_sync_error = EIO;
    fake_sync_refused = ".late";
    (void)send_late(f, 1);
    while (metrics_get(METRICS_sync_errors) == errors) {
        (void)sched_yield();
    }
    fake_sync_refused = NULL;
    uint64_t sequence = 2;
    do {
        answer = send_late(f, sequence++);
        (void)nanosleep(&(struct timespec){.tv_nsec = LOOK_AGAIN_NS}, NULL);
    } while (answer.durable_sequence < 3);
    assert_int_equal(count_late(f), sequence - 1);
}

static void *
stop_it(void *arg)
{
    collector_rig_stop(arg);
    return NULL;
}

static void
test_the_end_answers_what_waits(void **state)
{
    fixture *f = *state;
    collector_rig_start(&f->rig);
    assert_int_equal(wire_client_hello(&f->client, 0).status, OK);
    set_gate(false);
    wire_pending first = start_batch(f, 0);
    await_someone_at_gate();
    pthread_t stopper;
    assert_int_equal(pthread_create(&stopper, NULL, stop_it, &f->rig), 0);
    set_gate(true);
    assert_int_equal(wire_client_finish(&first).status, OK);
    (void)pthread_join(stopper, NULL);
}

static void
test_nothing_waits_within_a_second(void **state)
{
    fixture *f = *state;
    f->rig.sync = SYNC_SECOND;
    collector_rig_start(&f->rig);
    assert_int_equal(wire_client_hello(&f->client, 0).status, OK);
    set_gate(false);
    wire_pending first = start_batch(f, 0);
    wire_answer answer = wire_client_finish(&first);
    assert_int_equal(answer.status, OK);
    assert_int_equal(answer.durable_sequence, 0);
    await_someone_at_gate(); // by itself
    set_gate(true);
    do {
        answer = wire_client_hello(&f->client, 1);
    } while (answer.durable_sequence == 0);
    assert_int_equal(answer.durable_sequence, 1);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_an_answer_waits_for_the_disk),
        TEST(test_what_the_disk_refuses_is_put_off),
        TEST(test_what_is_late_is_copied_with_all_that_came_behind_it),
        TEST(test_the_end_answers_what_waits),
        TEST(test_nothing_waits_within_a_second),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
