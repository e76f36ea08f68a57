// SPDX-License-Identifier: Apache-2.0
// The sessions of partitions that are assigned to a worker: running ones are in memory after a
// tick, those of other partitions are not. If the catalog could not list them, or an earlier copy
// had not left, they are in memory after a later tick.
//
// If collectors share the catalog, running sessions are taken from their owners before the first
// record of the partition. If another collector takes one meanwhile, it leaves, and its partition
// is read again from its settled offset. Records of a session that runs elsewhere wait for that.

#include "support/temp_dir.h"

#include "collector/base/metrics.h"
#include "collector/log/log_record.h"
#include "collector/log/log_route.h"
#include "collector/log/log_worker.h"
#include "collector/store/catalog/sqlite/catalog_sqlite.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_proto.h"
#include "common/base/lp_time.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { NOW_MS = 1000 };

typedef struct fixture {
    temp_dir temp;
    data_dir *dir;
    catalog *catalog;
    sessions *sessions;
    journal_sink journals;
    log_worker worker;
} fixture;

static unsigned lists;
static unsigned lists_failing;
static unsigned rewinds;
static unsigned rewinds_failing;
static int64_t rewound_to;
static unsigned unknown_count;
static log_client_config opened;

lp_err __real_catalog_owners_list_running(
    catalog *of, void (*on_session)(void *arg, const catalog_running *session), void *arg);
lp_err __wrap_catalog_owners_list_running(
    catalog *of, void (*on_session)(void *arg, const catalog_running *session), void *arg);
int32_t __wrap_log_client_get_partition(const log_client *client, lp_slice key);
lp_err __wrap_log_client_rewind(log_client *client, int32_t partition, int64_t offset);
lp_err __wrap_log_client_open(
    const log_client_config *config, log_client **out_client, lp_problem *out_problem);
void __wrap_log_client_destroy(log_client *client);

lp_err
__wrap_catalog_owners_list_running(
    catalog *of, void (*on_session)(void *arg, const catalog_running *session), void *arg)
{
    lists++;
    if (lists_failing > 0) {
        lists_failing--;
        return LP_EAGAIN;
    }
    return __real_catalog_owners_list_running(of, on_session, arg);
}

// A session's first digit is its partition.
int32_t
__wrap_log_client_get_partition(const log_client *client, lp_slice key)
{
    (void)client;
    return (int32_t)key.ptr[0] - '0';
}

lp_err
__wrap_log_client_rewind(log_client *client, int32_t partition, int64_t offset)
{
    (void)client;
    assert_int_equal(partition, 1);
    rewinds++;
    rewound_to = offset;
    if (rewinds_failing > 0) {
        rewinds_failing--;
        return LP_EAGAIN;
    }
    return LP_OK;
}

lp_err
__wrap_log_client_open(
    const log_client_config *config, log_client **out_client, lp_problem *out_problem)
{
    (void)out_problem;
    opened = *config;
    *out_client = (log_client *)&opened; // opaque
    return LP_OK;
}

void
__wrap_log_client_destroy(log_client *client)
{
    assert_ptr_equal(client, &opened);
}

#define RUNNING_0 "00000000000000000000000000000000"
#define ENDED_0   "0eeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
#define RUNNING_1 "11111111111111111111111111111111"
#define RUNNING_2 "22222222222222222222222222222222"

#define NODE_A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define NODE_B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

static void
drop_if_leaving(void *arg, session *s)
{
    fixture *f = arg;
    if (s->standing == SESSION_LEAVING && !s->has_job) {
        sessions_leave(f->sessions, s);
    }
}

static void
open_catalog(const fixture *f, const char *node, catalog **out)
{
    char path[300];
    (void)snprintf(path, sizeof(path), "%s/catalog.db", f->temp.path);
    lp_err err =
        node == NULL ? catalog_open(path, out, NULL) : catalog_open_shared(path, node, out, NULL);
    assert_int_equal(err, LP_OK);
}

static void
put(const fixture *f, const char *id, bool is_ended)
{
    static char text[] = "x";
    catalog *of;
    catalog_session row = {.service = text,
        .instance = text,
        .jvm_name = text,
        .jvm_version = text,
        .is_ended = is_ended};
    (void)snprintf(row.id, sizeof(row.id), "%s", id);
    open_catalog(f, NULL, &of); // without an owner
    assert_int_equal(catalog_put_session(of, &row), LP_OK);
    catalog_close(of);
}

static uint64_t
find_no_connection(void *arg, const char *session_id)
{
    (void)arg;
    (void)session_id;
    return 0;
}

static void
count_unknown(void *arg, const char *session_id)
{
    (void)arg;
    (void)session_id;
    unknown_count++;
}

static int
set_up(void **state, const char *node)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->temp = temp_dir_make();
    assert_int_equal(data_dir_open(f->temp.path, &f->dir, NULL), LP_OK);
    open_catalog(f, node, &f->catalog);
    put(f, RUNNING_0, false);
    put(f, ENDED_0, true);
    put(f, RUNNING_1, false);
    put(f, RUNNING_2, false);
    f->sessions = sessions_create(f->dir, f->catalog);
    assert_non_null(f->sessions);
    f->journals.sessions = f->sessions;
    f->journals.on_batch = drop_if_leaving;
    f->journals.arg = f;
    log_worker_init(&f->worker, &f->journals, NULL);
    f->worker.find_connection = find_no_connection;
    f->worker.on_unknown = count_unknown;
    lists = 0;
    rewinds = 0;
    unknown_count = 0;
    *state = f;
    return 0;
}

static int
setup(void **state)
{
    return set_up(state, NULL);
}

static int
setup_shared(void **state)
{
    return set_up(state, NODE_A);
}

static int
teardown(void **state)
{
    fixture *f = *state;
    log_worker_fini(&f->worker);
    sessions_destroy(f->sessions);
    catalog_close(f->catalog);
    data_dir_close(f->dir);
    temp_dir_remove(&f->temp);
    free(f);
    return 0;
}

static void
tick(fixture *f)
{
    f->worker.tick_count = 1;
    log_worker_tick(&f->worker, NOW_MS);
}

static session *
find(const fixture *f, const char *id)
{
    return sessions_find(f->sessions, id);
}

static void
test_running_sessions_of_partitions_are_loaded_by_one_list(void **state)
{
    fixture *f = *state;
    log_worker_begin(&f->worker, 0);
    log_worker_begin(&f->worker, 2);
    tick(f);
    assert_int_equal(lists, 1);
    assert_non_null(find(f, RUNNING_0));
    assert_int_equal(find(f, RUNNING_0)->partition, 0);
    assert_int_equal(find(f, RUNNING_0)->heard_ms, NOW_MS);
    assert_null(find(f, ENDED_0));
    assert_null(find(f, RUNNING_1));
    assert_non_null(find(f, RUNNING_2));
    tick(f);
    assert_int_equal(lists, 1);
}

static void
test_a_row_with_a_foreign_id_ends_no_collector(void **state)
{
    fixture *f = *state;
    put(f, "0abc", false); // a row that somebody changed by hand
    log_worker_begin(&f->worker, 0);
    tick(f);
    assert_non_null(find(f, RUNNING_0));
}

static void
test_what_the_catalog_could_not_tell_is_loaded_later(void **state)
{
    fixture *f = *state;
    lists_failing = 2;
    log_worker_begin(&f->worker, 1);
    tick(f);
    tick(f);
    assert_null(find(f, RUNNING_1));
    tick(f);
    assert_non_null(find(f, RUNNING_1));
    assert_int_equal(lists, 3);
}

static void
test_a_partition_that_went_and_came_back_has_its_sessions(void **state)
{
    fixture *f = *state;
    log_worker_begin(&f->worker, 1);
    tick(f);
    session_withdraw(find(f, RUNNING_1), SESSION_LEAVING);
    log_worker_begin(&f->worker, 1);
    tick(f);
    sessions_drop(f->sessions, find(f, RUNNING_1));
    assert_null(find(f, RUNNING_1));
    tick(f);
    assert_non_null(find(f, RUNNING_1));
    assert_int_equal(find(f, RUNNING_1)->standing, SESSION_OURS);
}

static void
test_a_partition_that_is_gone_has_none(void **state)
{
    fixture *f = *state;
    log_worker_begin(&f->worker, 1);
    log_worker_end(&f->worker, 1);
    tick(f);
    assert_null(find(f, RUNNING_1));
}

// The agent of a session stays connected while another collector reads its partition, and a job
// keeps the session in memory: its batches go into the log, and are not of the session here.
static void
test_a_batch_of_a_session_that_leaves_goes_into_the_log(void **state)
{
    fixture *f = *state;
    agent_protocol door = {.now_ms = NOW_MS};
    log_route *route;
    const log_route_config config = {.door = &door, .journals = &f->journals};
    assert_int_equal(log_route_open(&config, &route, NULL), LP_OK);
    log_worker_begin(&f->worker, 1);
    tick(f);
    session *s = find(f, RUNNING_1);
    s->has_job = true;
    opened.on_revoked(opened.arg, 1);
    assert_int_equal(s->standing, SESSION_LEAVING);
    agent_place *place =
        agent_places_add(&door.places, RUNNING_1, (const uint64_t[2]){PEERS_NONE}, NOW_MS);
    assert_non_null(place);
    place->is_greeted = true;
    assert_true(door.sink.hear(door.sink.arg, place, NOW_MS + 1));
    assert_int_equal(place->heard_ms, NOW_MS + 1);
    assert_int_equal(s->heard_ms, NOW_MS);
    s->has_job = false;
    agent_places_fini(&door.places);
    log_route_close(route);
}

// An agent from another address does not count for the address before.
static void
test_a_place_counts_as_its_last_senders(void **state)
{
    (void)state;
    enum { OLD = 1, NEW = 2, TOKEN = 3 };
    agent_protocol door = {.now_ms = NOW_MS, .places.peers.held_max = 10};
    Loupe__Wire__Hello hello = LOUPE__WIRE__HELLO__INIT;
    agent_greeting greeting = {
        .id = RUNNING_1, .hello = &hello, .connection = 1, .holders = {OLD, TOKEN}};
    agent_place *place = agent_protocol_open_place(&door, &greeting);
    assert_non_null(place);
    greeting.connection = 2;
    greeting.holders[0] = NEW;
    assert_ptr_equal(agent_protocol_open_place(&door, &greeting), place);
    assert_int_equal(peers_get_held(&door.places.peers, OLD), 0);
    assert_int_equal(peers_get_held(&door.places.peers, NEW), 1);
    assert_int_equal(peers_get_held(&door.places.peers, TOKEN), 1);
    agent_places_drop(&door.places, place);
    assert_int_equal(peers_get_held(&door.places.peers, NEW), 0);
    assert_int_equal(peers_get_held(&door.places.peers, TOKEN), 0);
    agent_places_fini(&door.places);
}

// --- A shared catalog

// steal takes a session as another collector. Returns its term.
static uint64_t
steal(const fixture *f, const char *id)
{
    catalog *other;
    uint64_t term;
    open_catalog(f, NODE_B, &other);
    assert_int_equal(catalog_owners_take(other, id, &term), LP_OK);
    catalog_close(other);
    return term;
}

static void
expect_owner(const fixture *f, const char *id, const char *node, uint64_t term)
{
    catalog_owner owner;
    assert_int_equal(catalog_owners_find(f->catalog, id, &owner), LP_OK);
    assert_string_equal(owner.node, node);
    assert_int_equal(owner.term, term);
}

// Offers a batch of a session, which cannot be journaled here.
typedef struct reading {
    const char *id;
    int32_t partition;
    int64_t offset;
    int64_t wall_ms;
    uint64_t acknowledged;
    uint64_t sequence;
} reading;

static bool
offer_one(fixture *f, const reading *r)
{
    uint8_t session_bytes[WIRE_SESSION_BYTES];
    uint8_t head[LOG_RECORD_HEAD_BYTES];
    lp_buf bytes = {0};
    for (size_t i = 0; i < sizeof(session_bytes); i++) {
        unsigned digits;
        assert_int_equal(sscanf(r->id + 2 * i, "%2x", &digits), 1);
        session_bytes[i] = (uint8_t)digits;
    }
    Loupe__Wire__Batch batch = LOUPE__WIRE__BATCH__INIT;
    batch.session = (ProtobufCBinaryData){sizeof(session_bytes), session_bytes};
    batch.sequence = r->sequence;
    Loupe__Wire__Request request = LOUPE__WIRE__REQUEST__INIT;
    request.version = WIRE_VERSION;
    request.body_case = LOUPE__WIRE__REQUEST__BODY_BATCH;
    request.batch = &batch;
    log_record_write(r->acknowledged, head);
    lp_buf_append(&bytes, head, sizeof(head));
    assert_int_equal(lp_proto_append(&request.base, &bytes), LP_OK);
    const log_client_record record = {.partition = r->partition,
        .offset = r->offset,
        .wall_ms = r->wall_ms,
        .bytes = lp_buf_slice(&bytes)};
    bool is_taken = log_worker_take(&f->worker, &record, NOW_MS);
    lp_buf_fini(&bytes);
    return is_taken;
}

static bool
offer(fixture *f, const char *id, int64_t offset, uint64_t sequence)
{
    return offer_one(f, &(reading){.id = id,
                            .partition = id[0] - '0',
                            .offset = offset,
                            .wall_ms = lp_time_now() / 1000000,
                            .sequence = sequence});
}

static void
test_running_sessions_are_taken_before_the_first_record(void **state)
{
    fixture *f = *state;
    uint64_t term = steal(f, RUNNING_1);
    (void)steal(f, RUNNING_2);
    log_worker_begin(&f->worker, 1);
    assert_true(offer(f, RUNNING_1, 7, 3)); // too high: it comes again
    assert_int_equal(find(f, RUNNING_1)->row.term, term + 1);
    expect_owner(f, RUNNING_1, NODE_A, term + 1);
    expect_owner(f, RUNNING_2, NODE_B, 1);
    tick(f);
    assert_int_equal(rewinds, 0);
}

static void
test_a_session_that_another_one_took_is_read_again(void **state)
{
    fixture *f = *state;
    log_worker_begin(&f->worker, 1);
    assert_true(offer(f, RUNNING_1, 7, 3));
    assert_true(offer(f, RUNNING_1, 8, 4));
    uint64_t term = steal(f, RUNNING_1);
    session *s = find(f, RUNNING_1);
    s->is_unsaved = true;
    sessions_save(f->sessions, s);
    assert_true(s->standing == SESSION_LOST);
    assert_false(offer(f, RUNNING_1, 9, 5));
    rewinds_failing = 1;
    tick(f);
    assert_int_equal(rewinds, 1);
    assert_false(offer(f, RUNNING_1, 9, 5)); // the position is unknown
    tick(f);
    assert_int_equal(rewinds, 2);
    assert_int_equal(rewound_to, 7);
    expect_owner(f, RUNNING_1, NODE_A, term + 1);
    assert_true(offer(f, RUNNING_1, 7, 3));
    assert_int_equal(find(f, RUNNING_1)->standing, SESSION_OURS);
    tick(f);
    assert_int_equal(rewinds, 2);
}

static void
test_a_record_of_a_session_that_runs_elsewhere_waits(void **state)
{
    fixture *f = *state;
    log_worker_begin(&f->worker, 1);
    assert_true(offer(f, RUNNING_1, 7, 3));
    static const char late[] = "1fffffffffffffffffffffffffffffff";
    put(f, late, false);
    uint64_t term = steal(f, late);
    assert_false(offer(f, late, 8, 3));
    expect_owner(f, late, NODE_B, term);
    assert_false(offer(f, RUNNING_1, 9, 3)); // nor anything else of its partition
    tick(f);
    assert_int_equal(rewinds, 1);
    assert_int_equal(rewound_to, 7);
    expect_owner(f, late, NODE_A, term + 1);
    assert_true(offer(f, RUNNING_1, 7, 3));
    assert_true(offer(f, late, 8, 3));
}

static void
test_nothing_is_taken_of_a_partition_that_is_gone(void **state)
{
    fixture *f = *state;
    uint64_t term = steal(f, RUNNING_1);
    lists_failing = 1;
    log_worker_begin(&f->worker, 1);
    tick(f);
    log_worker_end(&f->worker, 1);
    tick(f);
    expect_owner(f, RUNNING_1, NODE_B, term);
}

static void
test_what_the_log_lost_counts_once(void **state)
{
    fixture *f = *state;
    const reading r = {.id = RUNNING_1,
        .partition = 1,
        .offset = 7,
        .wall_ms = -1,
        .acknowledged = 3,
        .sequence = 5};
    log_worker_begin(&f->worker, 1);
    for (int i = 0; i < 2; i++) {
        assert_true(offer_one(f, &r));
        session *s = find(f, RUNNING_1);
        assert_int_equal(s->row.next_sequence, 3);
        assert_int_equal(s->row.losses[CATALOG_LOSS_BATCHES_LOST], 3);
        s->is_unsaved = true;
        sessions_save(f->sessions, s);
        (void)steal(f, RUNNING_1);
        s->is_unsaved = true;
        sessions_save(f->sessions, s);
        tick(f);
    }
    assert_int_equal(find(f, RUNNING_1)->row.losses[CATALOG_LOSS_BATCHES_LOST], 3);
}

static void
test_an_old_record_is_no_sign_of_life(void **state)
{
    fixture *f = *state;
    reading r = {.id = RUNNING_1, .partition = 1, .offset = 7, .wall_ms = 1, .sequence = 5};
    log_worker_begin(&f->worker, 1);
    tick(f);
    session *s = find(f, RUNNING_1);
    s->row.ended_how = CATALOG_ENDED_TIMED_OUT;
    assert_true(offer_one(f, &r));
    assert_int_equal(s->row.ended_how, CATALOG_ENDED_TIMED_OUT);
    r.wall_ms = lp_time_now() / 1000000;
    assert_true(offer_one(f, &r));
    assert_int_equal(s->row.ended_how, CATALOG_ENDED_UNKNOWN);
}

static void
test_what_nobody_knows_has_no_owner(void **state)
{
    fixture *f = *state;
    static const char unknown[] = "1fffffffffffffffffffffffffffffff";
    catalog_owner owner = {.is_known = true};
    log_worker_begin(&f->worker, 1);
    assert_true(offer(f, unknown, 7, 3));
    assert_int_equal(unknown_count, 1);
    assert_int_equal(catalog_owners_find(f->catalog, unknown, &owner), LP_ENOENT);
    assert_false(owner.is_known);
}

static void
test_a_record_of_another_partition_stops_none(void **state)
{
    fixture *f = *state;
    uint64_t term = steal(f, RUNNING_2);
    const reading r = {.id = RUNNING_2, .partition = 1, .offset = 7, .wall_ms = -1, .sequence = 5};
    uint64_t skipped = metrics_get(METRICS_log_records_skipped);
    log_worker_begin(&f->worker, 1);
    assert_true(offer_one(f, &r));
    assert_int_equal(metrics_get(METRICS_log_records_skipped), skipped + 1);
    expect_owner(f, RUNNING_2, NODE_B, term);
    tick(f);
    assert_int_equal(rewinds, 0);
}

#define TEST(name)        cmocka_unit_test_setup_teardown(name, setup, teardown)
#define TEST_SHARED(name) cmocka_unit_test_setup_teardown(name, setup_shared, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_running_sessions_of_partitions_are_loaded_by_one_list),
        TEST(test_a_row_with_a_foreign_id_ends_no_collector),
        TEST(test_what_the_catalog_could_not_tell_is_loaded_later),
        TEST(test_a_partition_that_went_and_came_back_has_its_sessions),
        TEST(test_a_partition_that_is_gone_has_none),
        TEST(test_a_batch_of_a_session_that_leaves_goes_into_the_log),
        TEST(test_a_place_counts_as_its_last_senders),
        TEST_SHARED(test_running_sessions_are_taken_before_the_first_record),
        TEST_SHARED(test_a_session_that_another_one_took_is_read_again),
        TEST_SHARED(test_a_record_of_a_session_that_runs_elsewhere_waits),
        TEST_SHARED(test_nothing_is_taken_of_a_partition_that_is_gone),
        TEST_SHARED(test_what_the_log_lost_counts_once),
        TEST_SHARED(test_an_old_record_is_no_sign_of_life),
        TEST_SHARED(test_what_nobody_knows_has_no_owner),
        TEST_SHARED(test_a_record_of_another_partition_stops_none),
    };
    return cmocka_run_group_tests_name("log_worker", tests, NULL, NULL);
}
