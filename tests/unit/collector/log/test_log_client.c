// SPDX-License-Identifier: Apache-2.0
// A topic of mock brokers: records that are not taken are offered again, in order, also after their
// partition was revoked and assigned again. A rewound partition is read from an earlier offset,
// without records of before in between.

#include "support/files.h"
#include "support/temp_dir.h"
#include "unit/collector/log/broker_clock.h"

#include "collector/log/log_client.h"
#include "common/base/lp_end.h"
#include "common/base/lp_time.h"

#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include <cmocka.h>

enum { RECORDS = 10, SEEN_MAX = 64, TICK_MS = 20, LIMIT_MS = 60 * 1000 };

// How long brokers keep a request for records that are not there yet.
static const char properties[] = "fetch.wait.max.ms=20\n";

static unsigned destroyed; // consumers, which waits until they have left their group

// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the linker's name
void __wrap_rd_kafka_destroy_flags(rd_kafka_t *handle, int flags);
void __real_rd_kafka_destroy_flags(rd_kafka_t *handle, int flags);

void
__wrap_rd_kafka_destroy_flags(rd_kafka_t *handle, int flags)
{
    destroyed++;
    __real_rd_kafka_destroy_flags(handle, flags);
}

typedef struct fixture {
    temp_dir dir;
    rd_kafka_t *handle;
    rd_kafka_mock_cluster_t *brokers;
    uv_loop_t loop;
    uv_timer_t tick;
    log_client *client;
    bool takes; // records
    bool has_partition;
    unsigned delivered;
    unsigned refused;
    int64_t seen[SEEN_MAX]; // offsets of taken records
    size_t seen_count;
} fixture;

static void
on_delivered(void *arg, void *tag, const char *failure)
{
    fixture *f = arg;
    assert_null(tag);
    assert_null(failure);
    f->delivered++;
}

static bool
on_record(void *arg, const log_client_record *record)
{
    fixture *f = arg;
    if (!f->takes) {
        f->refused++;
        return false;
    }
    assert_true(f->seen_count < SEEN_MAX);
    f->seen[f->seen_count++] = record->offset;
    return true;
}

static void
on_assigned(void *arg, int32_t partition)
{
    fixture *f = arg;
    assert_int_equal(partition, 0);
    f->has_partition = true;
}

static void
on_revoked(void *arg, int32_t partition)
{
    fixture *f = arg;
    assert_int_equal(partition, 0);
    f->has_partition = false;
}

static void
on_tick(uv_timer_t *tick)
{
    fixture *f = tick->data;
    log_client_look(f->client);
}

// await_partition runs the loop until the brokers have given the client its partition.
static void
await_partition(fixture *f)
{
    const uint64_t end_ns = uv_hrtime() + LIMIT_MS * UINT64_C(1000000);
    while (!f->has_partition) {
        assert_true(uv_hrtime() < end_ns);
        (void)uv_run(&f->loop, UV_RUN_NOWAIT);
        broker_clock_step(f->brokers);
    }
}

static int
set_up_without_partition(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    char said[256];
    log_url url = {.topic = "batches", .group = "loupe"};
    assert_non_null(f);
    f->handle = rd_kafka_new(RD_KAFKA_PRODUCER, rd_kafka_conf_new(), said, sizeof(said));
    assert_non_null(f->handle);
    f->brokers = rd_kafka_mock_cluster_new(f->handle, 1);
    assert_non_null(f->brokers);
    assert_int_equal(rd_kafka_mock_topic_create(f->brokers, "batches", 1, 1), 0);
    (void)snprintf(
        url.brokers, sizeof(url.brokers), "%s", rd_kafka_mock_cluster_bootstraps(f->brokers));
    f->dir = temp_dir_make();
    (void)snprintf(url.config, sizeof(url.config), "%s/properties", f->dir.path);
    files_write(url.config, properties, strlen(properties));
    assert_int_equal(uv_loop_init(&f->loop), 0);
    assert_int_equal(uv_timer_init(&f->loop, &f->tick), 0);
    f->tick.data = f;
    const log_client_config config = {
        .loop = &f->loop,
        .url = &url,
        .bytes_max = 1 << 20,
        .on_delivered = on_delivered,
        .on_record = on_record,
        .on_assigned = on_assigned,
        .on_revoked = on_revoked,
        .arg = f,
    };
    assert_int_equal(log_client_open(&config, &f->client, NULL), LP_OK);
    assert_int_equal(uv_timer_start(&f->tick, on_tick, 0, TICK_MS), 0);
    *state = f;
    return 0;
}

static int
set_up(void **state)
{
    int result = set_up_without_partition(state);
    await_partition(*state);
    return result;
}

static int
teardown(void **state)
{
    fixture *f = *state;
    log_client_stop(f->client);
    uv_close((uv_handle_t *)&f->tick, NULL);
    assert_int_equal(uv_run(&f->loop, UV_RUN_DEFAULT), 0);
    log_client_destroy(f->client);
    assert_int_equal(uv_loop_close(&f->loop), 0);
    rd_kafka_mock_cluster_destroy(f->brokers);
    rd_kafka_destroy(f->handle);
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

// Runs the loop until a condition is true.
#define AWAIT(f, condition)                                                                        \
    do {                                                                                           \
        const uint64_t end_ns = uv_hrtime() + LIMIT_MS * UINT64_C(1000000);                        \
        while (!(condition)) {                                                                     \
            assert_true(uv_hrtime() < end_ns);                                                     \
            (void)uv_run(&(f)->loop, UV_RUN_ONCE);                                                 \
        }                                                                                          \
    } while (0)

static void
append_all(fixture *f)
{
    static const uint8_t bytes[] = "bytes";
    const lp_slice some = {bytes, sizeof(bytes)};
    for (int i = 0; i < RECORDS; i++) {
        assert_int_equal(log_client_append(f->client, some, some, some, NULL), LP_OK);
    }
    AWAIT(f, f->delivered == RECORDS);
}

static void
assert_seen(const fixture *f, size_t at, int64_t from)
{
    for (int64_t offset = from; offset < RECORDS; offset++) {
        assert_int_equal(f->seen[at++], offset);
    }
    assert_int_equal(f->seen_count, at);
}

static void
test_what_is_not_taken_comes_again_in_order(void **state)
{
    fixture *f = *state;
    append_all(f);
    AWAIT(f, f->refused > 3);
    assert_false(log_client_is_current(f->client, 0));
    f->takes = true;
    AWAIT(f, log_client_is_current(f->client, 0));
    assert_seen(f, 0, 0);
}

static void
test_a_partition_that_waited_when_it_went_is_read_when_it_is_back(void **state)
{
    fixture *f = *state;
    append_all(f);
    AWAIT(f, f->refused > 3);
    log_client_set_member(f->client, false);
    AWAIT(f, !f->has_partition);
    f->takes = true;
    log_client_set_member(f->client, true);
    await_partition(f);
    AWAIT(f, f->seen_count == RECORDS);
    assert_seen(f, 0, 0);
}

static void
test_a_partition_is_read_again_from_an_earlier_offset(void **state)
{
    fixture *f = *state;
    enum { FROM = 4 };
    f->takes = true;
    append_all(f);
    AWAIT(f, f->seen_count == RECORDS);
    AWAIT(f, log_client_rewind(f->client, 0, FROM) == LP_OK);
    AWAIT(f, f->seen_count == 2 * RECORDS - FROM);
    assert_seen(f, RECORDS, FROM);
    f->takes = false; // and also while it waits
    f->refused = 0;
    AWAIT(f, log_client_rewind(f->client, 0, 0) == LP_OK);
    AWAIT(f, f->refused > 3);
    f->takes = true;
    f->seen_count = 0;
    AWAIT(f, log_client_rewind(f->client, 0, FROM + 1) == LP_OK);
    AWAIT(f, f->seen_count == RECORDS - FROM - 1);
    assert_seen(f, 0, FROM + 1);
    assert_int_equal(log_client_rewind(f->client, 7, 0), LP_OK); // not its partition
}

// It has just joined, and the group has not assigned partitions yet.
static void
test_it_can_end_before_it_has_partitions(void **state)
{
    const fixture *f = *state;
    assert_false(f->has_partition);
}

// No broker answers, and the process ends: then nobody waits for them.
static int
tear_down_away(void **state)
{
    fixture *f = *state;
    assert_int_equal(rd_kafka_mock_broker_set_down(f->brokers, 1), 0);
    destroyed = 0;
    lp_end_set(lp_time_mono_ms());
    int result = teardown(state);
    lp_end_set(LP_END_NEVER);
    assert_int_equal(destroyed, 0);
    return result;
}

static void
test_it_can_end_while_brokers_are_away(void **state)
{
    const fixture *f = *state;
    assert_true(f->has_partition);
}

static int
tear_down_left(void **state)
{
    destroyed = 0;
    int result = teardown(state);
    assert_int_equal(destroyed, 1);
    return result;
}

static void
test_it_leaves_the_group_at_its_end(void **state)
{
    const fixture *f = *state;
    assert_true(f->has_partition);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_what_is_not_taken_comes_again_in_order),
        TEST(test_a_partition_that_waited_when_it_went_is_read_when_it_is_back),
        TEST(test_a_partition_is_read_again_from_an_earlier_offset),
        cmocka_unit_test_setup_teardown(
            test_it_can_end_before_it_has_partitions, set_up_without_partition, teardown),
        cmocka_unit_test_setup_teardown(
            test_it_leaves_the_group_at_its_end, set_up, tear_down_left),
        cmocka_unit_test_setup_teardown(
            test_it_can_end_while_brokers_are_away, set_up, tear_down_away),
    };
    return cmocka_run_group_tests_name("log_client", tests, NULL, NULL);
}
