// SPDX-License-Identifier: Apache-2.0
// A log in front of a collector that refuses batches, has its producer fail, or is read again from
// its start: what was acknowledged is in the result once.

#include "unit/collector/log/log_rig.h"

#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum {
    API_INIT_PRODUCER_ID = 22,
    API_PRODUCE = 0, // of Kafka's protocol
    REFUSALS = 2,    // each of which a producer gets over in a second
    TAKEN_LIMIT_S = 60,
    LOOK_AGAIN_NS = 5000000,
};

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

static void
test_what_the_log_refuses_is_put_off_and_comes_once(void **state)
{
    log_rig *f = *state;
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
    log_rig *f = *state;
    server_rig *s = f->server;
    collector_rig_stop(&s->rig);
    rd_kafka_mock_push_request_errors(
        f->brokers, API_INIT_PRODUCER_ID, 1, RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED);
    log_rig_start(f);
    hello_until_taken(s, 0);
    wire_piece piece = server_rig_next_piece(s, 5);
    server_rig_send(s, &piece);
    server_rig_end_and_check(s);
}

static void
test_a_start_makes_the_journals_anew_of_the_log(void **state)
{
    log_rig *f = *state;
    server_rig *s = f->server;
    server_rig_hello(s, 0);
    for (int i = 0; i < 2; i++) {
        wire_piece piece = server_rig_next_piece(s, 6);
        piece.duration_ns = SERVER_RIG_SECOND_NS;
        server_rig_send(s, &piece);
        collector_rig_stop(&s->rig);
        log_rig_start(f);
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
    log_rig *f = *state;
    server_rig *s = f->server;
    server_rig_hello(s, 0);
    wire_piece piece = server_rig_next_piece(s, 6);
    server_rig_send(s, &piece);
    wire_piece last = {.sequence = s->sequence++, .chunk = s->chunk, .is_last = true};
    server_rig_send(s, &last);
    collector_rig_stop(&s->rig);
    log_rig_start(f);
    collector_rig_await(&s->rig, s->id, 1, true);
    assert_int_equal(collector_rig_count(&s->rig, s->id, 1, s->counts, SERVER_RIG_NUMBERS_MAX), 0);
    server_rig_check_each_once(s);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, log_rig_set_up, log_rig_tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_what_the_log_refuses_is_put_off_and_comes_once),
        TEST(test_a_producer_that_is_broken_is_made_anew),
        TEST(test_a_start_makes_the_journals_anew_of_the_log),
        TEST(test_the_end_of_a_session_is_found_in_the_log),
    };
    return cmocka_run_group_tests_name("server_log_faults", tests, NULL, NULL);
}
