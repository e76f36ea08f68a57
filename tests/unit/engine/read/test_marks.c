// SPDX-License-Identifier: Apache-2.0
// Marks: over any bytes, compact_marks_value moves as far and marks the same constants as
// jfr_pools_mark_value, which walks every value in the same general way.

#include "support/chance.h"
#include "support/exact_copy.h"
#include "support/jfr_sample.h"

#include "common/jfr/rewrite/jfr_pools_mark.h"
#include "engine/read/marks.h"
#include "engine/read/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROUNDS = 200000, KEYS = 40, VALUE_BYTES_MAX = 60 };

// build_chunk writes a chunk without events, in which the pools have a constant for every key below
// KEYS that is not divisible by 7. The value of a constant is one that its type can have.
static void
build_chunk(jfr_build *build)
{
    jfr_sample_begin(build, 0);
    for (uint64_t key = 1; key < KEYS; key++) {
        if (key % 7 == 0) {
            continue;
        }
        jfr_sample_thread(build, key, (int64_t)key);
        jfr_build_string(&build->payload, "text");
        jfr_build_constant(build, JFR_SAMPLE_STRING, key);
        jfr_build_string(&build->payload, "symbol");
        jfr_build_constant(build, JFR_SAMPLE_SYMBOL, key);
        jfr_build_string(&build->payload, "state");
        jfr_build_constant(build, JFR_SAMPLE_THREAD_STATE, key);
        jfr_build_varint(&build->payload, 0); // truncated
        jfr_build_varint(&build->payload, 0); // no frames
        jfr_build_constant(build, JFR_SAMPLE_STACK_TRACE, key);
    }
    jfr_build_checkpoint(build);
}

// make_bytes makes bytes of which many are numbers, encodings and keys that fit.
static void
make_bytes(uint64_t *seed, uint8_t *bytes, size_t count)
{
    uint64_t style = chance_below(seed, 4);
    for (size_t i = 0; i < count; i++) {
        uint64_t limit = style == 0 ? 6 : style == 1 ? KEYS : style == 2 ? 0x80 : 0x100;
        bytes[i] = (uint8_t)chance_below(seed, limit);
        if (chance_below(seed, 8) == 0) {
            bytes[i] |= 0x80;
        }
    }
}

static void
expect_same_marks(const compact_view *a, const compact_view *b)
{
    assert_int_equal(a->pools.null_count > 0, b->pools.null_count > 0);
    for (uint32_t i = 0; i < a->pools.pool_count; i++) {
        const jfr_pool *x = &a->pools.pools[i];
        const jfr_pool *y = &b->pools.pools[i];
        assert_int_equal(x->marked_count, y->marked_count);
        for (size_t k = 0; k < x->constants.count; k++) {
            assert_int_equal(x->marks[k], y->marks[k]);
        }
    }
}

static void
unmark(compact_view *view)
{
    for (uint32_t i = 0; i < view->pools.pool_count; i++) {
        jfr_pool *pool = &view->pools.pools[i];
        for (size_t k = 0; k < pool->constants.count; k++) {
            pool->marks[k] = 0;
        }
        pool->marked_count = 0;
    }
    view->pools.pending.count = 0;
    view->pools.null_count = 0;
    compact_marks_init(view);
}

static void
open(compact_view *view, lp_slice chunk)
{
    lp_problem problem;
    assert_int_equal(compact_view_open(view, chunk, NULL, false, NULL, &problem), LP_OK);
}

static void
test_every_value_is_marked_as_in_general(void **state)
{
    (void)state;
    jfr_build build;
    build_chunk(&build);
    lp_slice built = jfr_build_finish(&build);
    uint8_t *chunk = exact_copy_make(built.ptr, built.len);
    compact_view simple;
    compact_view general;
    open(&simple, (lp_slice){chunk, built.len});
    open(&general, (lp_slice){chunk, built.len});
    uint64_t seed = 1;
    size_t whole = 0;
    for (int i = 0; i < ROUNDS; i++) {
        if (i % 64 == 0) { // all are marked soon, else
            unmark(&simple);
            unmark(&general);
        }
        uint64_t id = JFR_SAMPLE_PLAIN + chance_below(&seed, 9);
        uint32_t type = jfr_metadata_find_type(&simple.schema->metadata, id);
        jfr_program program = simple.schema->layout.types.items[type];
        size_t count = chance_below(&seed, VALUE_BYTES_MAX);
        bool is_last = chance_below(&seed, 4) == 0;
        size_t behind = is_last ? chance_below(&seed, 12) : 100;
        uint8_t *value = chunk + built.len - behind - count;
        uint8_t kept[VALUE_BYTES_MAX + 12];
        memcpy(kept, value, count + (is_last ? behind : 0));
        make_bytes(&seed, value, count + (is_last ? behind : 0));
        jfr_cursor a = {value, value + count};
        jfr_cursor b = a;
        bool is_whole = jfr_pools_mark_value(&general.pools, program, &b);
        assert_int_equal(compact_marks_value(&simple, program, &a), is_whole);
        assert_ptr_equal(a.at, b.at);
        expect_same_marks(&simple, &general);
        memcpy(value, kept, count + (is_last ? behind : 0));
        whole += is_whole;
    }
    assert_in_range(whole, ROUNDS / 5, ROUNDS - ROUNDS / 5); // there are many of both
    compact_view_close(&simple);
    compact_view_close(&general);
    free(chunk);
    jfr_build_fini(&build);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_value_is_marked_as_in_general),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
