// SPDX-License-Identifier: Apache-2.0
// What an agent is told once its service has used up the bytes of its day: nothing of what it sends
// is taken or held, be it next or early, and it need not come again for ten seconds. Nobody else is
// told to wait. An agent that leaves meanwhile ends its session, which has what it says is lost,
// and no less after a start that reads older batches.

#include "unit/collector/server/server_rig.h"

#include "collector/base/metrics.h"
#include "collector/intake/day_quotas.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

#include <cmocka.h>

static int
set_up(void **state)
{
    char path[400];
    (void)server_rig_set_up_stopped(state);
    server_rig *f = *state;
    (void)snprintf(
        f->rig.policies_path, sizeof(f->rig.policies_path), "%s/policies", f->rig.dir.path);
    assert_int_equal(mkdir(f->rig.policies_path, 0700), 0);
    (void)snprintf(path, sizeof(path), "%s/shop.keep", f->rig.policies_path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs("daily 1\n", file) >= 0);
    assert_int_equal(fclose(file), 0);
    f->rig.lack_ms_max = 1; // what an agent that leaves had does not come again
    collector_rig_start(&f->rig);
    server_rig_connect(f);
    return 0;
}

static wire_answer
send_next(server_rig *f)
{
    wire_piece piece = server_rig_next_piece(f, 1);
    return wire_client_send(&f->client, &piece);
}

static void
test_who_is_over_its_quota_is_told_when_to_come_again(void **state)
{
    server_rig *f = *state;
    server_rig_hello(f, 0);
    uint64_t held = metrics_get(METRICS_batches_held);
    wire_answer taken = send_next(f); // which reaches the quota
    assert_int_equal(taken.status, OK);
    assert_int_equal(taken.again_after_ms, 0);
    for (int i = 0; i < 2; i++) { // the second is one that came early, as the first is not taken
        wire_answer answer = send_next(f);
        assert_int_equal(answer.status, BUSY);
        assert_int_equal(answer.next_sequence, 1);
        assert_int_equal(answer.again_after_ms, DAY_QUOTAS_AGAIN_AFTER_MS / COLLECTOR_RIG_DIVISOR);
    }
    assert_int_equal(metrics_get(METRICS_batches_held), held);

    f->client.service = "other";
    f->client.session[0] ^= 1;
    f->sequence = 0;
    server_rig_hello(f, 0);
    assert_int_equal(send_next(f).status, OK);
    assert_int_equal(send_next(f).status, OK);
}

// leave says the last word of the agent.
static void
leave(server_rig *f, uint64_t chunk_bytes, uint64_t context_bytes)
{
    Loupe__Wire__Counters counters = LOUPE__WIRE__COUNTERS__INIT;
    counters.chunk_bytes_dropped = chunk_bytes;
    counters.context_bytes_dropped = context_bytes;
    f->client.last_counters = &counters;
    assert_int_equal(wire_client_hello(&f->client, f->sequence).status, OK);
    f->client.last_counters = NULL;
}

static void
test_what_an_agent_that_leaves_had_is_lost(void **state)
{
    server_rig *f = *state;
    server_rig_hello(f, 0);
    assert_int_equal(send_next(f).status, OK);
    assert_int_equal(send_next(f).status, BUSY);
    leave(f, 1000, 200);
    collector_rig_await(&f->rig, f->id, 1, true);
    collector_rig_stop(&f->rig);
    collector_rig_start(&f->rig);
    catalog_session row = collector_rig_look(&f->rig, f->id);
    assert_true(row.is_ended);
    assert_int_equal(row.ended_how, CATALOG_ENDED_CLOSED);
    assert_int_equal(row.chunk_bytes_dropped, 1000);
    assert_int_equal(row.context_bytes_dropped, 200);
    leave(f, 1000, 200); // once more, as its answer was lost
    leave(f, 900, 100);  // and one that was on its way for long
    collector_rig_await(&f->rig, f->id, 1, true);
    row = collector_rig_look(&f->rig, f->id);
    assert_int_equal(row.chunk_bytes_dropped, 1000);
    assert_int_equal(row.context_bytes_dropped, 200);
}

static void
test_who_leaves_without_a_batch_ends_its_session(void **state)
{
    server_rig *f = *state;
    server_rig_hello(f, 0);
    leave(f, 5, 0);
    collector_rig_await(&f->rig, f->id, 0, true);
    assert_int_equal(collector_rig_look(&f->rig, f->id).chunk_bytes_dropped, 5);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_who_is_over_its_quota_is_told_when_to_come_again, set_up, server_rig_tear_down),
        cmocka_unit_test_setup_teardown(
            test_what_an_agent_that_leaves_had_is_lost, set_up, server_rig_tear_down),
        cmocka_unit_test_setup_teardown(
            test_who_leaves_without_a_batch_ends_its_session, set_up, server_rig_tear_down),
    };
    return cmocka_run_group_tests_name("server_quota", tests, NULL, NULL);
}
