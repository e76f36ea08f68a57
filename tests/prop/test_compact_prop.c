// SPDX-License-Identifier: Apache-2.0
// Random sessions: the engine keeps exactly the events and contexts that a naive decision keeps
// (world.h), wherever the borders of chunks are, whether or not carry-overs are saved and loaded
// between chunks, and however many chunks are looked at behind one.
//
//   LOUPE_PROP_SEED=N LOUPE_PROP_ROUNDS=N    other sessions than the usual ones

#include "support/compact_run.h"
#include "support/jfr_read.h"
#include "world_judge.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool
is_same_if_run(const world *w, const world_bytes *b, const policy *rules, compact_run_carry how,
    const compact_result *results)
{
    compact_result again[WORLD_CHUNKS_MAX];
    bool is_same = true;
    compact_run(b->sources, w->chunk_count, rules, how, again);
    for (size_t i = 0; i < w->chunk_count; i++) {
        is_same &= again[i].jfr.len == results[i].jfr.len &&
                   memcmp(again[i].jfr.ptr, results[i].jfr.ptr, results[i].jfr.len) == 0;
        compact_result_fini(&again[i]);
    }
    return is_same;
}

static bool
is_session_right(const world *w, const world_bytes *b, const policy *rules)
{
    compact_result results[WORLD_CHUNKS_MAX];
    jfr_read outputs[WORLD_CHUNKS_MAX];
    compact_run(b->sources, w->chunk_count, rules, COMPACT_RUN_AS_IT_IS, results);
    for (size_t i = 0; i < w->chunk_count; i++) {
        compact_run_read(&results[i], &outputs[i]);
    }
    bool is_good = world_is_right(w, outputs) &&
                   is_same_if_run(w, b, rules, COMPACT_RUN_SAVED, results) &&
                   is_same_if_run(w, b, rules, COMPACT_RUN_ONE_BEHIND, results);
    for (size_t i = 0; i < w->chunk_count; i++) {
        jfr_read_close(&outputs[i]);
        compact_result_fini(&results[i]);
    }
    return is_good;
}

static void
test_the_engine_keeps_what_the_naive_decision_keeps(void **state)
{
    (void)state;
    world_rounds(1200, 3, is_session_right);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_engine_keeps_what_the_naive_decision_keeps),
    };
    return cmocka_run_group_tests_name("compact_prop", tests, NULL, NULL);
}
