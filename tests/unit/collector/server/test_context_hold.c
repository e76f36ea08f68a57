// SPDX-License-Identifier: Apache-2.0

// How long a chunk waits for contexts to end: only where its policy asks for it, as long as those
// behind it are too short together; contexts that are stored in any of these count, and those that
// come later are counted.

#include "support/jfr_sample.h"
#include "unit/collector/server/collector_rig.h"
#include "unit/collector/server/root_batch.h"
#include "unit/collector/server/wire_client.h"

#include "collector/base/metrics.h"
#include "collector/session/session.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

enum { CHUNK_HEADER_BYTES = 68, HOLD_S = 5 };

static const int64_t SECOND_NS = 1000000000;

typedef struct fixture {
    collector_rig rig;
    wire_client client;
    char id[33];
    uint32_t sent; // chunks, each in a batch of its own
    uint64_t sequence;
    bool is_torn;     // the next chunk has nothing but its header that can be read
    int64_t chunk_ns; // of each
} fixture;

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    collector_rig_init(&f->rig);
    f->rig.context_hold_ns = HOLD_S * SECOND_NS;
    f->chunk_ns = SECOND_NS;
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    wire_client_close(&f->client);
    collector_rig_fini(&f->rig);
    free(f);
    return 0;
}

// start starts a collector with a policy.
static void
start(fixture *f, const char *settings)
{
    char path[400];
    (void)snprintf(
        f->rig.policies_path, sizeof(f->rig.policies_path), "%s/policies", f->rig.dir.path);
    assert_int_equal(mkdir(f->rig.policies_path, 0700), 0);
    (void)snprintf(path, sizeof(path), "%s/default.jfc", f->rig.policies_path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fprintf(file, "<configuration>%s</configuration>", settings) > 0);
    assert_int_equal(fclose(file), 0);
    collector_rig_start(&f->rig);
    wire_client_open(&f->client, f->rig.agents_url, 0x5a);
    wire_client_id(&f->client, f->id);
    assert_int_equal(wire_client_hello(&f->client, 0).status, OK);
}

// begin begins the next chunk, which starts where the one before ends.
static void
begin(const fixture *f, jfr_build *build)
{
    jfr_sample_begin(build, f->sent * f->chunk_ns);
    build->clock.duration_ns = f->chunk_ns;
    for (uint64_t i = 1; i <= 2; i++) {
        jfr_sample_thread(build, i, (int64_t)i);
    }
}

static void
add_mark(jfr_build *build, int64_t ms, uint64_t thread)
{
    int64_t ticks = ms * 1000000;
    (void)jfr_sample_event(build,
        &(jfr_sample){.type = JFR_SAMPLE_MARK, .start = ticks, .end = ticks, .thread = thread});
}

static void
add_trace(jfr_build *build, int64_t begin_ms, int64_t end_ms, uint64_t thread)
{
    (void)jfr_sample_event(build, &(jfr_sample){.type = JFR_SAMPLE_TRACE,
                                      .start = begin_ms * 1000000,
                                      .end = end_ms * 1000000,
                                      .thread = thread,
                                      .text = "job"});
}

static void
send_chunk(fixture *f, jfr_build *build, bool is_last)
{
    uint8_t id[WIRE_SESSION_BYTES];
    uint8_t header[CHUNK_HEADER_BYTES];
    lp_buf compressed = {0};
    lp_buf message = {0};
    jfr_build_checkpoint(build);
    lp_slice jfr = jfr_build_finish(build);
    memcpy(id, f->client.session, sizeof(id));
    memcpy(header, jfr.ptr, sizeof(header));
    lp_buf sent = {0};
    lp_buf_append(&sent, jfr.ptr, jfr.len);
    if (f->is_torn) {
        memset(sent.ptr + sizeof(header), 0, sent.len - sizeof(header));
    }
    assert_int_equal(wire_compress(lp_buf_slice(&sent), &compressed), LP_OK);
    lp_buf_fini(&sent);
    Loupe__Wire__Batch batch = LOUPE__WIRE__BATCH__INIT;
    batch.session = (ProtobufCBinaryData){sizeof(id), id};
    batch.sequence = f->sequence++;
    batch.chunk = f->sent++;
    batch.is_last = is_last;
    batch.jfr_zstd = (ProtobufCBinaryData){compressed.len, compressed.ptr};
    batch.jfr_size = (uint32_t)jfr.len;
    batch.chunk_header = (ProtobufCBinaryData){sizeof(header), header};
    wire_client_pack_batch(&batch, &message);
    assert_int_equal(wire_client_ask(&f->client, message.ptr, message.len).status, OK);
    lp_buf_fini(&message);
    lp_buf_fini(&compressed);
    jfr_build_fini(build);
}

// send_empty sends chunks in which nothing happens.
static void
send_empty(fixture *f, int count)
{
    for (int i = 0; i < count; i++) {
        jfr_build build;
        begin(f, &build);
        send_chunk(f, &build, false);
    }
}

static void
expect_next(const fixture *f, uint32_t next_chunk)
{
    snapshot *now = collector_rig_snapshot(&f->rig, f->id, SNAPSHOT_JFR);
    assert_int_equal(now->next_chunk, next_chunk);
    snapshot_unref(now);
}

#define IF_CONTEXT "<event name='test.Mark'><setting name='select'>if-context</setting></event>"

static void
test_a_chunk_waits_where_its_policy_asks_for_it(void **state)
{
    fixture *f = *state;
    start(f, IF_CONTEXT);
    send_empty(f, HOLD_S); // as many less one are behind the first
    expect_next(f, 0);
    send_empty(f, 1);
    collector_rig_await(&f->rig, f->id, 1, false);
    expect_next(f, 1);
}

static void
test_other_chunks_do_not_wait(void **state)
{
    fixture *f = *state;
    start(f, "<event name='test.Mark'><setting name='throttle'>10/s</setting></event>");
    send_empty(f, 3); // two seconds are behind the first: it takes three
    expect_next(f, 0);
    send_empty(f, 1);
    collector_rig_await(&f->rig, f->id, 1, false);
}

// The first chunk ends at 1 s, and waits for what ended up to 5 s.
static void
test_contexts_count_that_come_in_time(void **state)
{
    fixture *f = *state;
    start(f, IF_CONTEXT);
    for (int i = 0; i < 8; i++) {
        jfr_build build;
        begin(f, &build);
        if (i == 0) {
            add_mark(&build, 500, 1); // kept
            add_mark(&build, 500, 2); // dropped: its context comes too late
        } else if (i == 3) {
            add_mark(&build, 3500, 2); // kept
        } else if (i == 4) {
            add_trace(&build, 400, 4900, 1); // kept
        } else if (i == 5) {
            add_trace(&build, 400, 5100, 2); // kept, and late
        }
        send_chunk(f, &build, i == 7);
    }
    collector_rig_await(&f->rig, f->id, 8, true);
    const catalog_totals totals = collector_rig_look(&f->rig, f->id).totals;
    assert_int_equal(totals.events_in, 5);
    assert_int_equal(totals.events_out, 4);
    assert_int_equal(totals.late_contexts, 1);
}

// A chunk behind which too many wait is compacted before the time is over. Of a context that ends
// within that time it knew nothing all the same.
static void
test_contexts_are_late_for_a_chunk_that_could_not_wait(void **state)
{
    fixture *f = *state;
    jfr_build build;
    f->chunk_ns = SECOND_NS / 10;
    start(f, IF_CONTEXT);
    begin(f, &build);
    add_mark(&build, 50, 1);
    send_chunk(f, &build, false);
    send_empty(f, SESSION_CHUNKS_HELD_MAX);
    expect_next(f, 0);
    send_empty(f, 1);
    collector_rig_await(&f->rig, f->id, 1, false);
    begin(f, &build);
    add_trace(&build, 40, 3450, 1);
    send_chunk(f, &build, true);
    collector_rig_await(&f->rig, f->id, f->sent, true);
    assert_int_equal(collector_rig_look(&f->rig, f->id).totals.late_contexts, 1);
}

static void
test_contexts_are_late_for_a_session_that_had_ended(void **state)
{
    fixture *f = *state;
    jfr_build build;
    start(f, IF_CONTEXT);
    begin(f, &build);
    add_mark(&build, 500, 1);
    send_chunk(f, &build, false);
    begin(f, &build);
    add_trace(&build, 300, 1500, 2); // it was there
    send_chunk(f, &build, true);
    collector_rig_await(&f->rig, f->id, 2, true);

    assert_int_equal(wire_client_hello(&f->client, f->sequence).status, OK);
    begin(f, &build);
    add_trace(&build, 400, 2500, 1);
    send_chunk(f, &build, true);
    collector_rig_await(&f->rig, f->id, 3, true);
    assert_int_equal(collector_rig_look(&f->rig, f->id).totals.late_contexts, 1);
}

// A second is enough for events that are stored late, and what is there by chance of chunks behind
// does not count.
static void
test_chunks_beyond_what_is_needed_do_not_count(void **state)
{
    fixture *f = *state;
    start(f, "");
    for (int i = 0; i < 4; i++) {
        jfr_build build;
        begin(f, &build);
        if (i == 0) {
            add_trace(&build, 400, 600, 1); // dropped
        } else if (i == 3) {
            add_mark(&build, 500, 1); // kept
        }
        send_chunk(f, &build, i == 3);
    }
    collector_rig_await(&f->rig, f->id, 4, true);
    const catalog_totals totals = collector_rig_look(&f->rig, f->id).totals;
    assert_int_equal(totals.events_out, 1);
    assert_int_equal(totals.late_events, 1);
}

// The first chunk ends at 1 s, and what ends before 5 s is one of the second in which it ends.
static void
test_contexts_are_sampled_that_come_in_time(void **state)
{
    fixture *f = *state;
    start(f, "<event name='test.Trace'><setting name='context-throttle'>0/s</setting></event>");
    for (int i = 0; i < 8; i++) {
        jfr_build build;
        begin(f, &build);
        if (i == 0) {
            add_mark(&build, 500, 1); // kept, as the next
            add_mark(&build, 500, 2);
        } else if (i == 5) {
            add_trace(&build, 400, 4900, 1); // dropped
            add_trace(&build, 400, 5100, 2); // kept: its end was not known
        }
        send_chunk(f, &build, i == 7);
    }
    collector_rig_await(&f->rig, f->id, 8, true);
    assert_int_equal(collector_rig_look(&f->rig, f->id).totals.events_out, 3);
}

// The second chunk cannot be read, and the third one is so far behind the first that only its
// contexts are looked at. The request that ends in it has not ended with the first.
static void
test_a_session_goes_on_in_a_chunk_that_is_far(void **state)
{
    fixture *f = *state;
    f->chunk_ns = 2 * SECOND_NS;
    uint64_t unended = metrics_get(METRICS_request_roots_without_end);
    start(f, IF_CONTEXT);
    root_batch_send(&f->client, f->sequence++, 0, SECOND_NS, false);
    for (int i = 0; i < 3; i++) {
        jfr_build build;
        if (i == 2) {
            root_batch_send(&f->client, f->sequence++, 2, 5 * SECOND_NS, true);
        }
        begin(f, &build);
        f->is_torn = i == 1;
        send_chunk(f, &build, i == 2);
    }
    collector_rig_await(&f->rig, f->id, 3, true);
    assert_int_equal(collector_rig_look(&f->rig, f->id).totals.requests_in, 1);
    assert_int_equal(metrics_get(METRICS_request_roots_without_end), unended);
}

#define HOLD_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        HOLD_TEST(test_a_chunk_waits_where_its_policy_asks_for_it),
        HOLD_TEST(test_other_chunks_do_not_wait),
        HOLD_TEST(test_contexts_count_that_come_in_time),
        HOLD_TEST(test_contexts_are_late_for_a_chunk_that_could_not_wait),
        HOLD_TEST(test_contexts_are_late_for_a_session_that_had_ended),
        HOLD_TEST(test_chunks_beyond_what_is_needed_do_not_count),
        HOLD_TEST(test_contexts_are_sampled_that_come_in_time),
        HOLD_TEST(test_a_session_goes_on_in_a_chunk_that_is_far),
    };
    return cmocka_run_group_tests_name("context_hold", tests, NULL, NULL);
}
