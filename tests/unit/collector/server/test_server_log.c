// SPDX-License-Identifier: Apache-2.0
// A collector whose batches go through a log, with brokers that librdkafka plays: what was
// acknowledged is in the result once, whatever the log takes, whatever comes twice, and also where
// the collector is started again and makes its journals anew.

#include "unit/collector/server/broker_clock.h"
#include "unit/collector/server/server_rig.h"

#include "collector/server/log_record.h"
#include "common/base/lp_hash.h"

#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum {
    PARTITIONS = 3,
    API_INIT_PRODUCER_ID = 22,
    API_PRODUCE = 0, // of Kafka's protocol
    REFUSALS = 3,    // of one batch: as often as it is tried
    FLUSH_MS = 30 * 1000,
    TAKEN_LIMIT_S = 60,
    LOOK_AGAIN_NS = 5000000,
};

typedef struct fixture {
    server_rig *server;
    rd_kafka_t *handle;
    rd_kafka_mock_cluster_t *brokers;
    log_url url;
} fixture;

// start starts the collector, which reads the log then.
static void
start(fixture *f)
{
    collector_rig_start(&f->server->rig);
    broker_clock_pass();
}

static int
setup(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    char said[256];
    void *rig;
    assert_non_null(f);
    f->handle = rd_kafka_new(RD_KAFKA_PRODUCER, rd_kafka_conf_new(), said, sizeof(said));
    assert_non_null(f->handle);
    f->brokers = rd_kafka_mock_cluster_new(f->handle, 1);
    assert_non_null(f->brokers);
    assert_int_equal(rd_kafka_mock_topic_create(f->brokers, "batches", PARTITIONS, 1), 0);
    (void)snprintf(
        f->url.brokers, sizeof(f->url.brokers), "%s", rd_kafka_mock_cluster_bootstraps(f->brokers));
    (void)snprintf(f->url.topic, sizeof(f->url.topic), "batches");
    (void)snprintf(f->url.group, sizeof(f->url.group), "loupe");
    assert_int_equal(server_rig_set_up_stopped(&rig), 0);
    f->server = rig;
    f->server->rig.log = &f->url;
    start(f);
    server_rig_connect(f->server);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    fixture *f = *state;
    void *rig = f->server;
    int result = server_rig_tear_down(&rig);
    rd_kafka_mock_cluster_destroy(f->brokers);
    rd_kafka_destroy(f->handle);
    free(f);
    return result;
}

// wait_a_bit is for what shows only when it is asked for; it fails once the limit is over.
static void
wait_a_bit(time_t end)
{
    assert_true(time(NULL) < end);
    (void)nanosleep(&(struct timespec){.tv_nsec = LOOK_AGAIN_NS}, NULL);
}

// hello_until_taken says Hello until the log is known to take something.
static void
hello_until_taken(server_rig *s, uint64_t next_sequence)
{
    time_t end = time(NULL) + TAKEN_LIMIT_S;
    wire_answer hello;
    while ((hello = wire_client_hello(&s->client, next_sequence)).status == BUSY) {
        wait_a_bit(end);
    }
    assert_int_equal(hello.status, OK);
    assert_int_equal(hello.next_sequence, next_sequence);
}

// wait_until_not_ready waits until the collector says that the log is why it takes nothing.
static void
wait_until_not_ready(server_rig *s)
{
    time_t end = time(NULL) + TAKEN_LIMIT_S;
    lp_problem problem;
    while (server_check_ready(s->rig.server, &problem) == LP_OK) {
        wait_a_bit(end);
    }
    assert_non_null(strstr(problem.text, "the log takes nothing: "));
}

// --- What agents see

static void
test_what_is_acknowledged_is_durable_and_comes_out_once(void **state)
{
    fixture *f = *state;
    server_rig *s = f->server;
    server_rig_hello(s, 0);
    for (int i = 0; i < 12; i++) {
        wire_piece piece = server_rig_next_piece(s, 5);
        wire_answer answer = wire_client_send(&s->client, &piece);
        assert_int_equal(answer.status, OK);
        assert_int_equal(answer.next_sequence, piece.sequence + 1);
        assert_int_equal(answer.durable_sequence, piece.sequence + 1);
        if (i % 4 == 2) {
            server_rig_send(s, &piece); // its answer was lost
        }
        if (i % 5 == 3) {
            server_rig_rotate(s);
        }
    }
    server_rig_hello(s, s->sequence); // for a policy, say
    server_rig_end_and_check(s);
}

static void
test_batches_that_overtake_each_other_come_out_in_order(void **state)
{
    fixture *f = *state;
    server_rig *s = f->server;
    server_rig_hello(s, 0);
    for (int i = 0; i < 4; i++) {
        enum { COUNT = 5 };
        lp_buf packed[COUNT] = {{0}};
        wire_pending pending[COUNT];
        for (size_t k = 0; k < COUNT; k++) {
            wire_piece piece = server_rig_next_piece(s, 3);
            wire_client_pack(&s->client, &piece, &packed[k]);
        }
        for (size_t k = COUNT; k-- > 0;) {
            pending[k] = wire_client_start(&s->client, packed[k].ptr, packed[k].len);
        }
        for (size_t k = 0; k < COUNT; k++) {
            assert_int_equal(wire_client_finish(&pending[k]).status, OK);
            lp_buf_fini(&packed[k]);
        }
        server_rig_rotate(s);
    }
    server_rig_end_and_check(s);
}

static void
test_who_has_not_said_hello_or_is_another_is_not_let_in(void **state)
{
    fixture *f = *state;
    server_rig *s = f->server;
    const wire_piece nothing = {0};
    assert_int_equal(wire_client_send(&s->client, &nothing).status, UNKNOWN_SESSION);
    server_rig_hello(s, 0);
    wire_piece piece = server_rig_next_piece(s, 3);
    server_rig_send(s, &piece);
    collector_rig_await(&s->rig, s->id, 0, false); // its row is there
    wire_client other;
    wire_client_open(&other, s->rig.agents_url, 0x5a);
    assert_int_equal(wire_client_send(&other, &piece).status, UNKNOWN_SESSION);
    other.secret[0] ^= 1;
    assert_int_equal(wire_client_hello(&other, 1).status, REFUSED);
    wire_client_close(&other);
    server_rig_end_and_check(s);
}

// --- What the log does

static void
test_what_the_log_refuses_is_put_off_and_comes_once(void **state)
{
    fixture *f = *state;
    server_rig *s = f->server;
    server_rig_hello(s, 0);
    for (int i = 0; i < REFUSALS; i++) {
        enum { COUNT = 4 };
        lp_buf packed[COUNT] = {{0}};
        wire_pending pending[COUNT];
        for (size_t k = 0; k < COUNT; k++) {
            wire_piece piece = server_rig_next_piece(s, 3);
            wire_client_pack(&s->client, &piece, &packed[k]);
        }
        rd_kafka_mock_push_request_errors(
            f->brokers, API_PRODUCE, 1, RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED);
        uint64_t first = s->sequence - COUNT;
        for (size_t k = 0; k < COUNT; k++) {
            pending[k] = wire_client_start(&s->client, packed[k].ptr, packed[k].len);
        }
        uint64_t taken = first;
        for (size_t k = 0; k < COUNT; k++) {
            wire_answer answer = wire_client_finish(&pending[k]);
            // Those behind one that is put off are put off as well.
            assert_true(answer.status == BUSY || answer.status == UNKNOWN_SESSION ||
                        (answer.status == OK && taken == first + k));
            taken += answer.status == OK ? 1 : 0;
        }
        assert_true(taken < s->sequence);
        wait_until_not_ready(s);
        uint64_t all = s->sequence;
        s->sequence = taken; // what its agent says is the first that was not acknowledged
        hello_until_taken(s, taken);
        s->sequence = all;
        for (size_t k = (size_t)(taken - first); k < COUNT; k++) {
            assert_int_equal(wire_client_ask(&s->client, packed[k].ptr, packed[k].len).status, OK);
        }
        for (size_t k = 0; k < COUNT; k++) {
            lp_buf_fini(&packed[k]);
        }
        server_rig_rotate(s);
    }
    server_rig_end_and_check(s);
}

static void
test_a_producer_that_is_broken_is_made_anew(void **state)
{
    fixture *f = *state;
    server_rig *s = f->server;
    collector_rig_stop(&s->rig);
    rd_kafka_mock_push_request_errors(
        f->brokers, API_INIT_PRODUCER_ID, 1, RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED);
    start(f);
    hello_until_taken(s, 0);
    wire_piece piece = server_rig_next_piece(s, 5);
    server_rig_send(s, &piece);
    server_rig_end_and_check(s);
}

static void
test_a_start_makes_the_journals_anew_of_the_log(void **state)
{
    fixture *f = *state;
    server_rig *s = f->server;
    server_rig_hello(s, 0);
    for (int i = 0; i < 2; i++) {
        wire_piece piece = server_rig_next_piece(s, 6);
        piece.duration_ns = SERVER_RIG_SECOND_NS;
        server_rig_send(s, &piece);
        collector_rig_stop(&s->rig);
        start(f);
        assert_int_equal(wire_client_send(&s->client, &piece).status, UNKNOWN_SESSION);
        server_rig_hello(s, s->sequence);
        server_rig_send(s, &piece); // a duplicate
        server_rig_rotate(s);
    }
    server_rig_end_and_check(s);
    server_rig_check_lost(s, CATALOG_LOSS_BATCHES_LOST, 0);
}

static void
test_the_end_of_a_session_is_found_in_the_log(void **state)
{
    fixture *f = *state;
    server_rig *s = f->server;
    server_rig_hello(s, 0);
    wire_piece piece = server_rig_next_piece(s, 6);
    server_rig_send(s, &piece);
    wire_piece last = {.sequence = s->sequence++, .chunk = s->chunk, .is_last = true};
    server_rig_send(s, &last);
    collector_rig_stop(&s->rig);
    start(f);
    collector_rig_await(&s->rig, s->id, 1, true);
    assert_int_equal(collector_rig_count(&s->rig, s->id, 1, s->counts, SERVER_RIG_NUMBERS_MAX), 0);
    server_rig_check_each_once(s);
}

// --- What is in the log that no front wrote like this

// put appends a record to the partition of the session.
static void
put(const fixture *f, const uint8_t *bytes, size_t size)
{
    char said[256];
    rd_kafka_conf_t *conf = rd_kafka_conf_new();
    assert_int_equal(
        rd_kafka_conf_set(conf, "bootstrap.servers", f->url.brokers, said, sizeof(said)),
        RD_KAFKA_CONF_OK);
    rd_kafka_t *producer = rd_kafka_new(RD_KAFKA_PRODUCER, conf, said, sizeof(said));
    assert_non_null(producer);
    const lp_slice key = {(const uint8_t *)f->server->id, strlen(f->server->id)};
    int32_t partition = (int32_t)(lp_hash_bytes(LP_HASH_FIXED, key) % PARTITIONS);
    assert_int_equal(rd_kafka_producev(producer, RD_KAFKA_V_TOPIC("batches"),
                         RD_KAFKA_V_PARTITION(partition), RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
                         RD_KAFKA_V_VALUE((void *)(uintptr_t)bytes, size), RD_KAFKA_V_END),
        RD_KAFKA_RESP_ERR_NO_ERROR);
    assert_int_equal(rd_kafka_flush(producer, FLUSH_MS), RD_KAFKA_RESP_ERR_NO_ERROR);
    rd_kafka_destroy(producer);
}

static void
put_piece(const fixture *f, const wire_piece *piece, uint64_t acknowledged)
{
    uint8_t head[LOG_RECORD_HEAD_BYTES];
    lp_buf bytes = {0};
    log_record_write(acknowledged, head);
    lp_buf_append(&bytes, head, sizeof(head));
    wire_client_pack(&f->server->client, piece, &bytes);
    put(f, bytes.ptr, bytes.len);
    lp_buf_fini(&bytes);
}

static void
test_what_is_no_record_is_passed_over(void **state)
{
    fixture *f = *state;
    server_rig *s = f->server;
    put(f, (const uint8_t *)"", 0);
    put(f, (const uint8_t *)"some text of somebody else's", 28);
    put(f, (const uint8_t *)"LPL9........and more", 20);
    put(f, (const uint8_t *)"LPL1........\xff\xff\xff", 15);
    server_rig_hello(s, 0);
    wire_piece piece = server_rig_next_piece(s, 5);
    server_rig_send(s, &piece);
    server_rig_end_and_check(s);
}

static void
test_a_batch_before_which_others_come_again_is_none(void **state)
{
    fixture *f = *state;
    server_rig *s = f->server;
    server_rig_hello(s, 0);
    wire_piece first = server_rig_next_piece(s, 5);
    server_rig_send(s, &first);
    wire_piece second = server_rig_next_piece(s, 5);
    wire_piece third = server_rig_next_piece(s, 5);
    put_piece(f, &third, 1); // of a front that lost the one before it
    server_rig_send(s, &second);
    server_rig_send(s, &third);
    server_rig_end_and_check(s);
    server_rig_check_lost(s, CATALOG_LOSS_BATCHES_LOST, 0);
}

static void
test_what_was_acknowledged_and_is_not_in_the_log_is_lost(void **state)
{
    fixture *f = *state;
    server_rig *s = f->server;
    server_rig_hello(s, 0);
    wire_piece piece = server_rig_next_piece(s, 5);
    server_rig_send(s, &piece);
    server_rig_rotate(s);
    const wire_piece behind = {.sequence = 4, .chunk = 1}; // 1 to 3 are nowhere
    put_piece(f, &behind, 4);
    const wire_piece last = {.sequence = 5, .chunk = 1, .is_last = true};
    put_piece(f, &last, 5);
    collector_rig_await(&s->rig, s->id, 1, true);
    server_rig_check_lost(s, CATALOG_LOSS_BATCHES_LOST, 3);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_what_is_acknowledged_is_durable_and_comes_out_once, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_batches_that_overtake_each_other_come_out_in_order, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_who_has_not_said_hello_or_is_another_is_not_let_in, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_what_the_log_refuses_is_put_off_and_comes_once, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_producer_that_is_broken_is_made_anew, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_start_makes_the_journals_anew_of_the_log, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_the_end_of_a_session_is_found_in_the_log, setup, teardown),
        cmocka_unit_test_setup_teardown(test_what_is_no_record_is_passed_over, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_batch_before_which_others_come_again_is_none, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_what_was_acknowledged_and_is_not_in_the_log_is_lost, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
