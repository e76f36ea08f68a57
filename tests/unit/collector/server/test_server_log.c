// SPDX-License-Identifier: Apache-2.0
// A collector whose batches go through a log: what was acknowledged is in the result once, also
// where it comes twice or in another order, and whatever else somebody has put into the log.

#include "unit/collector/log/log_rig.h"

#include "collector/log/log_record.h"
#include "common/base/lp_hash.h"

#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { FLUSH_MS = 30 * 1000 };

// --- What agents see

static void
test_what_is_acknowledged_is_durable_and_comes_out_once(void **state)
{
    log_rig *f = *state;
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
    log_rig *f = *state;
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
    log_rig *f = *state;
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

// --- What is in the log that no front wrote like this

// put appends a record to the partition of the session.
static void
put(const log_rig *f, const uint8_t *bytes, size_t size)
{
    char said[256];
    rd_kafka_conf_t *conf = rd_kafka_conf_new();
    assert_int_equal(
        rd_kafka_conf_set(conf, "bootstrap.servers", f->url.brokers, said, sizeof(said)),
        RD_KAFKA_CONF_OK);
    rd_kafka_t *producer = rd_kafka_new(RD_KAFKA_PRODUCER, conf, said, sizeof(said));
    assert_non_null(producer);
    const lp_slice key = {(const uint8_t *)f->server->id, strlen(f->server->id)};
    int32_t partition = (int32_t)(lp_hash_bytes(LP_HASH_FIXED, key) % LOG_RIG_PARTITIONS);
    assert_int_equal(rd_kafka_producev(producer, RD_KAFKA_V_TOPIC("batches"),
                         RD_KAFKA_V_PARTITION(partition), RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
                         RD_KAFKA_V_VALUE((void *)(uintptr_t)bytes, size), RD_KAFKA_V_END),
        RD_KAFKA_RESP_ERR_NO_ERROR);
    assert_int_equal(rd_kafka_flush(producer, FLUSH_MS), RD_KAFKA_RESP_ERR_NO_ERROR);
    rd_kafka_destroy(producer);
}

static void
put_piece(const log_rig *f, const wire_piece *piece, uint64_t acknowledged)
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
    log_rig *f = *state;
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
    log_rig *f = *state;
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
    log_rig *f = *state;
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, log_rig_set_up, log_rig_tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_what_is_acknowledged_is_durable_and_comes_out_once),
        TEST(test_batches_that_overtake_each_other_come_out_in_order),
        TEST(test_who_has_not_said_hello_or_is_another_is_not_let_in),
        TEST(test_what_is_no_record_is_passed_over),
        TEST(test_a_batch_before_which_others_come_again_is_none),
        TEST(test_what_was_acknowledged_and_is_not_in_the_log_is_lost),
    };
    return cmocka_run_group_tests_name("server_log", tests, NULL, NULL);
}
