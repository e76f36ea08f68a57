// SPDX-License-Identifier: Apache-2.0

// Central policies: an agent is told the policy of its service, and that it has changed; a chunk is
// decided by the policy that was in force when its first batch came, whenever that happens, a
// restart with other files in between included; where there is none, by the settings of the JVM.
//
// The policies either keep or drop the only type of event there is.

#include "unit/collector/server/collector_rig.h"
#include "unit/collector/server/tick_chunk.h"
#include "unit/collector/server/wire_client.h"

#include "collector/base/metrics.h"
#include "policy/policy_dir.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { CHUNKS = 3, EACH = 10, WAIT_S_MAX = 60 };

static const int64_t START_NS = 1700000000000000000;
static const int64_t SECOND_NS = 1000000000;

typedef struct fixture {
    collector_rig rig;
    wire_client client;
    char id[33];
    tick_chunk ticks;
    uint32_t chunk;
    uint64_t sequence;
    const char *own; // settings of the JVM that the next batch has; NULL: none
    wire_piece last; // that was sent
} fixture;

static void
write_policy(const fixture *f, const char *name, const char *settings)
{
    char path[400];
    char next[400];
    (void)snprintf(path, sizeof(path), "%s/%s", f->rig.policies_path, name);
    (void)snprintf(next, sizeof(next), "%s/next", f->rig.policies_path);
    FILE *file = fopen(next, "w");
    assert_non_null(file);
    assert_true(fprintf(file, "<configuration>%s</configuration>", settings) > 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(rename(next, path), 0);
}

static void
remove_policy(const fixture *f, const char *name)
{
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/%s", f->rig.policies_path, name);
    assert_int_equal(unlink(path), 0);
}

#define EVENT(name, setting, value)                                                                \
    "<event name='" name "'><setting name='" setting "'>" value "</setting></event>"

static const char keep[] = EVENT("test.Tick", "enabled", "true");
static const char drop[] = EVENT("test.Tick", "enabled", "false");

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    collector_rig_init(&f->rig);
    (void)snprintf(
        f->rig.policies_path, sizeof(f->rig.policies_path), "%s/policies", f->rig.dir.path);
    assert_int_equal(mkdir(f->rig.policies_path, 0700), 0);
    tick_chunk_init(&f->ticks, START_NS);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    wire_client_close(&f->client);
    collector_rig_fini(&f->rig);
    policy_file_unref(f->rig.policy);
    tick_chunk_fini(&f->ticks);
    free(f);
    return 0;
}

static void
start(fixture *f)
{
    collector_rig_start(&f->rig);
    wire_client_open(&f->client, f->rig.agents_url, 0x5a);
    wire_client_id(&f->client, f->id);
    f->client.takes_policy = true;
}

static wire_answer
hello(fixture *f)
{
    wire_answer answer = wire_client_hello(&f->client, f->sequence);
    assert_int_equal(answer.status, OK);
    return answer;
}

// send_tick sends a batch with one event, whose number is that of the batch.
static wire_answer
send_tick(fixture *f)
{
    f->last = wire_piece_take(&f->ticks, f->sequence, 1);
    f->last.sequence = f->sequence++;
    f->last.chunk = f->chunk;
    f->last.duration_ns = SECOND_NS;
    f->last.own_policy = f->own;
    f->own = NULL;
    wire_answer answer = wire_client_send(&f->client, &f->last);
    assert_int_equal(answer.status, OK);
    return answer;
}

static void
rotate(fixture *f)
{
    tick_chunk_fini(&f->ticks);
    f->chunk++;
    tick_chunk_init(&f->ticks, START_NS + f->chunk * SECOND_NS);
}

// await_change sends the last batch again until the answer has another policy than before.
static uint64_t
await_change(fixture *f, uint64_t before)
{
    time_t end = time(NULL) + WAIT_S_MAX;
    for (;;) {
        wire_answer answer = wire_client_send(&f->client, &f->last);
        assert_int_equal(answer.status, OK);
        assert_false(answer.has_policy);
        if (answer.policy_id != before) {
            return answer.policy_id;
        }
        if (time(NULL) >= end) {
            fail_msg("there is no other policy than %llx", (unsigned long long)before);
        }
        (void)poll(NULL, 0, 10);
    }
}

static void
test_an_agent_is_told_its_policy(void **state)
{
    fixture *f = *state;
    write_policy(f, "default.jfc", EVENT("jdk.*", "period", "1 s") EVENT("t", "select", "all"));
    start(f);
    wire_answer first = hello(f);
    assert_true(first.has_policy);
    assert_string_equal(first.policy, "jdk.*#period=1 s\nt#select=all\n");
    assert_true(first.policy_id != 0);
    wire_answer batch = send_tick(f);
    assert_true(batch.policy_id == first.policy_id);
    assert_false(batch.has_policy);

    // The client's service is shop.
    write_policy(
        f, "shop.jfc", EVENT("jdk.A", "enabled", "true") EVENT("jdk.B", "stackTrace", "false"));
    uint64_t second_id = await_change(f, first.policy_id);
    wire_answer second = hello(f);
    assert_true(second.policy_id == second_id);
    assert_string_equal(second.policy, "jdk.A#enabled=true\njdk.B#stackTrace=false\n");

    // What the JVM has no part in is another policy all the same: a chunk has to begin with it.
    write_policy(f, "shop.jfc",
        EVENT("jdk.A", "enabled", "true") EVENT("jdk.B", "stackTrace", "false")
            EVENT("jdk.A", "context-index", "id"));
    uint64_t third_id = await_change(f, second_id);

    remove_policy(f, "shop.jfc");
    assert_true(await_change(f, third_id) == first.policy_id);
    assert_string_equal(hello(f).policy, first.policy);
    remove_policy(f, "default.jfc");
    assert_true(await_change(f, first.policy_id) == 0);
    assert_false(hello(f).has_policy);
}

static void
test_an_agent_that_takes_no_policy_is_told_nothing_more(void **state)
{
    fixture *f = *state;
    write_policy(f, "shop.jfc", keep);
    start(f);
    f->client.takes_policy = false;
    assert_false(hello(f).has_policy);
    assert_false(send_tick(f).has_policy);
}

// assert_kept checks which of the chunks are kept in jfr, each of EACH events.
static void
assert_kept(const unsigned *counts, const bool *is_kept)
{
    for (unsigned i = 0; i < CHUNKS * EACH; i++) {
        if (counts[i] != is_kept[i / EACH]) {
            fail_msg("event %u of chunk %u is there %u times", i, i / EACH, counts[i]);
        }
    }
}

// send_chunks sends chunks that begin with the policies drop, keep and drop, which are changed in
// the middle of each.
static void
send_chunks(fixture *f)
{
    write_policy(f, "shop.jfc", drop);
    start(f);
    uint64_t id = hello(f).policy_id;
    for (unsigned i = 0; i < CHUNKS; i++) {
        for (unsigned j = 0; j < EACH; j++) {
            if (j == EACH / 2) {
                write_policy(f, "shop.jfc", i % 2 == 0 ? keep : drop);
                id = await_change(f, id);
            }
            (void)send_tick(f);
        }
        if (i + 1 < CHUNKS) {
            rotate(f);
        }
    }
}

static const bool drop_keep_drop[CHUNKS] = {false, true, false};

static void
end_and_check(fixture *f)
{
    unsigned counts[CHUNKS * EACH] = {0};
    snapshot *before = collector_rig_snapshot(&f->rig, f->id, SNAPSHOT_JFR);
    uint64_t dropped =
        collector_rig_count(&f->rig, f->id, before->next_chunk, counts, CHUNKS * EACH);
    dropped += collector_rig_count_pending(before, counts, CHUNKS * EACH);
    assert_int_equal(dropped, 2 * EACH);
    assert_kept(counts, drop_keep_drop);
    snapshot_unref(before);

    wire_piece last = {.sequence = f->sequence++, .chunk = f->chunk, .is_last = true};
    assert_int_equal(wire_client_send(&f->client, &last).status, OK);
    collector_rig_await(&f->rig, f->id, CHUNKS, true);
    memset(counts, 0, sizeof(counts));
    dropped = collector_rig_count(&f->rig, f->id, CHUNKS, counts, CHUNKS * EACH);
    assert_int_equal(dropped, 2 * EACH);
    assert_kept(counts, drop_keep_drop);
}

static void
test_a_chunk_is_decided_by_the_policy_it_began_with(void **state)
{
    fixture *f = *state;
    uint64_t before[COMPACT_REASON_COUNT];
    for (compact_reason by = 0; by < COMPACT_REASON_COUNT; by++) {
        before[by] = metrics_get(METRICS_events_dropped_WITHHELD + (metrics_id)by);
    }
    send_chunks(f);
    end_and_check(f);
    for (compact_reason by = 0; by < COMPACT_REASON_COUNT; by++) {
        assert_int_equal(metrics_get(METRICS_events_dropped_WITHHELD + (metrics_id)by) - before[by],
            by == COMPACT_BY_ENABLED ? 2 * EACH : 0);
        char label[64];
        (void)snprintf(label, sizeof(label), "{by=\"%s\"}", compact_reason_name(by));
        assert_string_equal(
            metrics_describe(METRICS_events_dropped_WITHHELD + (metrics_id)by)->label, label);
        assert_string_equal(
            metrics_describe(METRICS_contexts_dropped_WITHHELD + (metrics_id)by)->label, label);
    }
}

static void
test_a_restart_with_other_files_changes_no_chunk(void **state)
{
    fixture *f = *state;
    send_chunks(f);
    collector_rig_stop(&f->rig);
    write_policy(f, "shop.jfc", keep);
    collector_rig_start(&f->rig);
    (void)hello(f);
    collector_rig_stop(&f->rig);
    remove_policy(f, "shop.jfc");
    collector_rig_start(&f->rig);
    (void)hello(f);
    collector_rig_stop(&f->rig);
    f->rig.policies_path[0] = '\0';
    collector_rig_start(&f->rig);
    (void)hello(f);
    end_and_check(f);
}

static void
test_a_chunk_without_a_policy_keeps_none(void **state)
{
    fixture *f = *state;
    start(f);
    assert_true(hello(f).policy_id == 0);
    (void)send_tick(f);
    write_policy(f, "shop.jfc", drop);
    (void)await_change(f, 0);
    (void)send_tick(f);
    wire_piece last = {.sequence = f->sequence++, .chunk = f->chunk, .is_last = true};
    assert_int_equal(wire_client_send(&f->client, &last).status, OK);
    collector_rig_await(&f->rig, f->id, 1, true);
    unsigned counts[2] = {0};
    assert_int_equal(collector_rig_count(&f->rig, f->id, 1, counts, 2), 0);
    assert_int_equal(counts[0], 1);
    assert_int_equal(counts[1], 1);
}

#define OWN(settings) "<configuration>" settings "</configuration>"

static const char own_drop[] = OWN(EVENT("test.Tick", "enabled", "false"));
static const char own_keep[] = OWN(EVENT("test.Tick", "enabled", "true"));
static const char own_none[] = WIRE_CLIENT_OWN_NONE;
static const char own_lost[] = WIRE_CLIENT_OWN_LOST;

static void
test_the_settings_of_the_jvm_decide_where_there_is_no_policy(void **state)
{
    static const char *const own[CHUNKS] = {own_drop, own_keep, own_drop};
    fixture *f = *state;
    write_policy(f, "other.jfc", keep); // of another service
    start(f);
    assert_true(hello(f).policy_id == 0);
    for (unsigned i = 0; i < CHUNKS; i++) {
        f->own = own[i];
        for (unsigned j = 0; j < EACH; j++) {
            (void)send_tick(f);
        }
        if (i + 1 < CHUNKS) {
            rotate(f);
        }
    }
    collector_rig_stop(&f->rig);
    write_policy(f, "shop.jfc", keep); // for chunks that begin from now on
    collector_rig_start(&f->rig);
    (void)hello(f);
    end_and_check(f);
}

// expect_one ends the session after its first chunk, which has the first event only if is_kept.
static void
expect_one(fixture *f, bool is_kept)
{
    wire_piece last = {.sequence = f->sequence++, .chunk = f->chunk, .is_last = true};
    assert_int_equal(wire_client_send(&f->client, &last).status, OK);
    collector_rig_await(&f->rig, f->id, 1, true);
    unsigned counts[EACH] = {0};
    (void)collector_rig_count(&f->rig, f->id, 1, counts, EACH);
    assert_int_equal(counts[0], is_kept);
}

static void
test_the_policy_of_the_service_goes_before_the_settings_of_the_jvm(void **state)
{
    fixture *f = *state;
    write_policy(f, "default.jfc", keep);
    start(f);
    uint64_t id = hello(f).policy_id;
    f->own = own_drop;
    (void)send_tick(f);
    remove_policy(f, "default.jfc");
    (void)await_change(f, id);
    f->own = own_drop; // once more, in the same chunk
    (void)send_tick(f);
    expect_one(f, true);
}

static void
test_the_policy_of_all_services_goes_before_the_settings_of_the_jvm(void **state)
{
    fixture *f = *state;
    static const char all[] =
        "<configuration>" EVENT("test.Tick", "enabled", "true") "</configuration>";
    lp_problem problem;
    assert_int_equal(policy_file_parse("all", (lp_slice){(const uint8_t *)all, strlen(all)},
                         &f->rig.policy, &problem),
        LP_OK);
    f->rig.policies_path[0] = '\0';
    start(f);
    (void)hello(f);
    f->own = own_drop;
    (void)send_tick(f);
    expect_one(f, true);
}

// The agent gets to know of them a moment after the chunk has begun.
static void
test_of_the_settings_of_a_chunk_the_last_ones_count(void **state)
{
    static const char *const own[][CHUNKS] = {
        {NULL, own_keep, own_drop}, {own_drop, NULL, own_keep}, {own_keep, own_drop, NULL}};
    fixture *f = *state;
    start(f);
    (void)hello(f);
    for (unsigned i = 0; i < CHUNKS; i++) {
        for (unsigned j = 0; j < EACH; j++) {
            f->own = j < CHUNKS ? own[i][j] : NULL;
            (void)send_tick(f);
        }
        if (i == 1) { // a start reads them from the journals
            collector_rig_stop(&f->rig);
            collector_rig_start(&f->rig);
            (void)hello(f);
        }
        if (i + 1 < CHUNKS) {
            rotate(f);
        }
    }
    end_and_check(f);
}

static void
test_a_chunk_may_have_no_settings_of_the_jvm_after_all(void **state)
{
    fixture *f = *state;
    start(f);
    (void)hello(f);
    f->own = own_drop;
    (void)send_tick(f);
    f->own = own_none;
    (void)send_tick(f);
    collector_rig_stop(&f->rig); // a start reads it from the journal
    collector_rig_start(&f->rig);
    (void)hello(f);
    expect_one(f, true);
}

static void
test_settings_that_the_agent_has_lost_keep_everything(void **state)
{
    fixture *f = *state;
    uint64_t before = metrics_get(METRICS_own_policies_refused);
    start(f);
    (void)hello(f);
    f->own = own_drop;
    (void)send_tick(f);
    f->own = own_lost;
    (void)send_tick(f);
    assert_int_equal(metrics_get(METRICS_own_policies_refused), before + 1);
    expect_one(f, true);
}

static void
test_settings_that_cannot_be_read_are_counted_and_keep_everything(void **state)
{
    static const char *const bad[] = {
        "", "<configuration>", "<x/>", "<!DOCTYPE configuration><configuration></configuration>"};
    fixture *f = *state;
    uint64_t before = metrics_get(METRICS_own_policies_refused);
    start(f);
    (void)hello(f);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        if (i > 0) {
            rotate(f);
        }
        f->own = bad[i];
        (void)send_tick(f);
        assert_int_equal(metrics_get(METRICS_own_policies_refused), before + i + 1);
        f->own = bad[i]; // once a chunk
        (void)send_tick(f);
        assert_int_equal(metrics_get(METRICS_own_policies_refused), before + i + 1);
    }
    wire_piece last = {.sequence = f->sequence++, .chunk = f->chunk, .is_last = true};
    assert_int_equal(wire_client_send(&f->client, &last).status, OK);
    collector_rig_await(&f->rig, f->id, sizeof(bad) / sizeof(bad[0]), true);
}

static void
test_settings_over_the_limit_are_refused_unread(void **state)
{
    fixture *f = *state;
    uint64_t before = metrics_get(METRICS_own_policies_refused);
    char *text = malloc(POLICY_TOLD_BYTES_MAX + 2);
    assert_non_null(text);
    uint64_t random = 1;
    for (size_t i = 0; i <= POLICY_TOLD_BYTES_MAX; i++) { // what does not shrink
        random = random * 6364136223846793005u + 1442695040888963407u;
        text[i] = (char)('a' + (random >> 33) % 26);
    }
    text[POLICY_TOLD_BYTES_MAX + 1] = '\0';
    start(f);
    (void)hello(f);
    f->own = text;
    (void)send_tick(f);
    assert_int_equal(metrics_get(METRICS_own_policies_refused), before + 1);
    expect_one(f, true);
    free(text);
}

static void
test_settings_that_shrink_too_well_are_refused_unread(void **state)
{
    static char text[100000] = OWN(EVENT("test.Tick", "enabled", "false"));
    fixture *f = *state;
    uint64_t before = metrics_get(METRICS_own_policies_refused);
    size_t length = strlen(text);
    memset(text + length, '\n', sizeof(text) - 1 - length);
    start(f);
    (void)hello(f);
    f->own = text;
    (void)send_tick(f);
    assert_int_equal(metrics_get(METRICS_own_policies_refused), before + 1);
    expect_one(f, true);
}

// await_unread says Hello until so many files are not read.
static void
await_unread(fixture *f, uint64_t wanted)
{
    time_t end = time(NULL) + WAIT_S_MAX;
    while (metrics_get(METRICS_policies_unread) != wanted) {
        if (time(NULL) >= end) {
            fail_msg("%u files are not read, not %u",
                (unsigned)metrics_get(METRICS_policies_unread), (unsigned)wanted);
        }
        (void)hello(f);
    }
}

static void
test_policies_that_are_too_many_are_in_the_metrics(void **state)
{
    fixture *f = *state;
    uint64_t before = metrics_get(METRICS_policies_unread);
    char name[32];
    for (int i = 0; i < POLICY_DIR_FILES_MAX + 2; i++) {
        (void)snprintf(name, sizeof(name), "s%d.jfc", i);
        write_policy(f, name, keep);
    }
    start(f);
    await_unread(f, before + 2);
    remove_policy(f, "s0.jfc");
    await_unread(f, before + 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_an_agent_is_told_its_policy),
        TEST(test_an_agent_that_takes_no_policy_is_told_nothing_more),
        TEST(test_policies_that_are_too_many_are_in_the_metrics),
        TEST(test_a_chunk_is_decided_by_the_policy_it_began_with),
        TEST(test_a_restart_with_other_files_changes_no_chunk),
        TEST(test_a_chunk_without_a_policy_keeps_none),
        TEST(test_the_settings_of_the_jvm_decide_where_there_is_no_policy),
        TEST(test_the_policy_of_the_service_goes_before_the_settings_of_the_jvm),
        TEST(test_the_policy_of_all_services_goes_before_the_settings_of_the_jvm),
        TEST(test_of_the_settings_of_a_chunk_the_last_ones_count),
        TEST(test_a_chunk_may_have_no_settings_of_the_jvm_after_all),
        TEST(test_settings_that_the_agent_has_lost_keep_everything),
        TEST(test_settings_that_cannot_be_read_are_counted_and_keep_everything),
        TEST(test_settings_over_the_limit_are_refused_unread),
        TEST(test_settings_that_shrink_too_well_are_refused_unread),
    };
    return cmocka_run_group_tests_name("server_policy", tests, NULL, NULL);
}
