// SPDX-License-Identifier: Apache-2.0
// What an agent is told once its service has used up the bytes of its day: nothing of what it sends
// is taken or held, be it next or early, and it need not come again for ten seconds. Nobody else is
// told to wait.

#include "unit/collector/server/server_rig.h"

#include "collector/base/metrics.h"
#include "collector/server/day_quotas.h"

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
        assert_int_equal(answer.again_after_ms, DAY_QUOTAS_AGAIN_AFTER_MS);
    }
    assert_int_equal(metrics_get(METRICS_batches_held), held);

    f->client.service = "other";
    f->client.session[0] ^= 1;
    f->sequence = 0;
    server_rig_hello(f, 0);
    assert_int_equal(send_next(f).status, OK);
    assert_int_equal(send_next(f).status, OK);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_who_is_over_its_quota_is_told_when_to_come_again, set_up, server_rig_tear_down),
    };
    return cmocka_run_group_tests_name("server_quota", tests, NULL, NULL);
}
