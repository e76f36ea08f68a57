// SPDX-License-Identifier: Apache-2.0
// Pools: constants by type and key with the extent of their values, the first of two with one key,
// what is reachable from what, and every truncation refused.

#include "support/chance.h"
#include "support/exact_copy.h"
#include "types_fixture.h"

#include "common/jfr/rewrite/jfr_pools_mark.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct fixture {
    types_fixture types;
    jfr_pools pools;
} fixture;

// open_some_pools reads the checkpoint that is last in the chunk.
static void
open_some_pools(fixture *f, bool only_enumerations)
{
    lp_problem problem = {0};
    lp_slice chunk = lp_buf_slice(&f->types.build.bytes);
    assert_int_equal(jfr_pools_init(&f->pools, chunk, &f->types.metadata, &f->types.layout), LP_OK);
    f->pools.only_enumerations = only_enumerations;
    lp_slice payload = jfr_build_payload(&f->types.build, f->types.build.checkpoint_offset);
    assert_int_equal(jfr_pools_add(&f->pools, &f->types.metadata, payload, &problem), LP_OK);
    assert_int_equal(jfr_pools_index(&f->pools), LP_OK);
}

static void
open_pools(fixture *f)
{
    open_some_pools(f, false);
}

static int
setup(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    types_fixture_sample(&f->types);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    fixture *f = *state;
    if (f->pools.pools != NULL) {
        jfr_pools_fini(&f->pools);
    }
    types_fixture_fini(&f->types);
    free(f);
    return 0;
}

static jfr_constant *
find(const fixture *f, uint64_t type_id, uint64_t key)
{
    return jfr_pools_find(&f->pools, jfr_metadata_find_type(&f->types.metadata, type_id), key);
}

static bool
is_marked(const fixture *f, uint64_t type_id, uint64_t key)
{
    uint32_t type = jfr_metadata_find_type(&f->types.metadata, type_id);
    return jfr_pools_is_marked(&f->pools, type, jfr_pools_find_index(&f->pools, type, key));
}

static void
test_constants_are_found_with_their_values(void **state)
{
    fixture *f = *state;
    static const uint64_t keys[] = {0, 1, 127, 128, 0x8000002, 1ull << 63, UINT64_MAX};
    for (size_t i = 0; i < 7; i++) {
        lp_buf_append(&f->types.build.payload, "\3\1", 2);
        lp_buf_append(&f->types.build.payload, &"abcdefg"[i], 1);
        jfr_build_constant(&f->types.build, JFR_SAMPLE_SYMBOL, keys[i]);
    }
    jfr_sample_thread(&f->types.build, 5, 6);
    jfr_build_checkpoint(&f->types.build);
    open_pools(f);
    for (size_t i = 0; i < 7; i++) {
        const jfr_constant *constant = find(f, JFR_SAMPLE_SYMBOL, keys[i]);
        assert_non_null(constant);
        assert_true(constant->key == keys[i]);
        assert_int_equal(constant->size_bytes, 3);
        assert_int_equal(f->pools.chunk.ptr[constant->offset + 2], "abcdefg"[i]);
        assert_false(is_marked(f, JFR_SAMPLE_SYMBOL, keys[i]));
    }
    assert_non_null(find(f, JFR_SAMPLE_THREAD, 5));
    assert_null(find(f, JFR_SAMPLE_THREAD, 6));
    assert_null(find(f, JFR_SAMPLE_SYMBOL, 5));
}

static void
test_enumerations_are_found_behind_what_is_passed_over(void **state)
{
    fixture *f = *state;
    jfr_sample_stack(&f->types.build, 1);
    jfr_sample_stack(&f->types.build, 2);
    jfr_build_string(&f->types.build.payload, "STATE_RUNNABLE");
    jfr_build_constant(&f->types.build, JFR_SAMPLE_THREAD_STATE, 7);
    jfr_build_checkpoint(&f->types.build);
    open_some_pools(f, true);
    assert_non_null(find(f, JFR_SAMPLE_THREAD_STATE, 7));
    assert_null(find(f, JFR_SAMPLE_CLASS, 2001));
}

static void
test_the_first_of_two_with_one_key_counts(void **state)
{
    fixture *f = *state;
    for (size_t i = 0; i < 2; i++) {
        jfr_build_string(&f->types.build.payload, i == 0 ? "first" : "second one");
        jfr_build_constant(&f->types.build, JFR_SAMPLE_SYMBOL, 7);
    }
    jfr_build_checkpoint(&f->types.build);
    open_pools(f);
    assert_int_equal(find(f, JFR_SAMPLE_SYMBOL, 7)->size_bytes, 7);
}

// find_first returns the place of a key among count keys; LP_MAP_NONE if it is not there.
static uint32_t
find_first(const uint64_t *keys, size_t count, uint64_t key)
{
    for (uint32_t i = 0; i < count; i++) {
        if (keys[i] == key) {
            return i;
        }
    }
    return LP_MAP_NONE;
}

enum { FOUND_KEYS = 300 };

// pick_keys fills keys in one of the ways of JVMs: in a row, some of a row, a number in each of
// many classes, and anything.
static void
pick_keys(uint64_t *seed, uint64_t *keys)
{
    uint64_t kind = chance_below(seed, 4);
    uint64_t begin = chance_below(seed, 2) == 0 ? chance_below(seed, UINT64_MAX) : 0x12345;
    uint64_t spread = 1 + chance_below(seed, 200);
    for (size_t i = 0; i < FOUND_KEYS; i++) {
        uint64_t class = chance_below(seed, 4 * FOUND_KEYS) << 16;
        const uint64_t picked[] = {i, chance_below(seed, FOUND_KEYS * spread),
            class | chance_below(seed, chance_below(seed, 9) == 0 ? 65536 : 70),
            chance_below(seed, UINT64_MAX)};
        keys[i] = begin + picked[kind];
    }
}

// Each key leads to its first constant, and those near it to nothing, wherever keys are.
static void
test_keys_are_found_and_no_others(void **state)
{
    fixture *f = *state;
    uint64_t seed = 20261201;
    static const uint64_t near[] = {0, 1, 63, 64, 65535, 65536, UINT64_MAX, UINT64_MAX - 63,
        UINT64_MAX - 65535, UINT64_MAX / 2};
    for (size_t round = 0; round < 60; round++) {
        uint64_t keys[FOUND_KEYS];
        pick_keys(&seed, keys);
        for (size_t i = 0; i < FOUND_KEYS; i++) {
            lp_buf_append(&f->types.build.payload, "\3\1x", 3);
            jfr_build_constant(&f->types.build, JFR_SAMPLE_SYMBOL, keys[i]);
        }
        jfr_build_checkpoint(&f->types.build);
        open_pools(f);
        uint32_t type = jfr_metadata_find_type(&f->types.metadata, JFR_SAMPLE_SYMBOL);
        for (size_t i = 0; i < FOUND_KEYS * sizeof(near) / sizeof(near[0]); i++) {
            uint64_t key = keys[i % FOUND_KEYS] + near[i / FOUND_KEYS];
            assert_int_equal(
                jfr_pools_find_index(&f->pools, type, key), find_first(keys, FOUND_KEYS, key));
        }
        jfr_pools_fini(&f->pools);
    }
}

static void
test_marks_reach_everything_and_nothing_else(void **state)
{
    fixture *f = *state;
    jfr_sample_stack(&f->types.build, 1);
    jfr_sample_stack(&f->types.build, 2);
    jfr_build_checkpoint(&f->types.build);
    open_pools(f);
    uint32_t type = jfr_metadata_find_type(&f->types.metadata, JFR_SAMPLE_STACK_TRACE);
    jfr_pools_mark(&f->pools, type, 1);
    jfr_pools_mark(&f->pools, type, 1); // once more does no harm
    jfr_pools_mark(&f->pools, type, 99);
    assert_int_equal(jfr_pools_mark_reachable(&f->pools), LP_OK);
    static const struct {
        uint64_t type;
        uint64_t base;
    } chain[] = {{JFR_SAMPLE_STACK_TRACE, 0}, {JFR_SAMPLE_METHOD, 1000}, {JFR_SAMPLE_CLASS, 2000},
        {JFR_SAMPLE_SYMBOL, 3000}, {JFR_SAMPLE_SYMBOL, 4000}, {JFR_SAMPLE_SYMBOL, 5000}};
    for (size_t i = 0; i < sizeof(chain) / sizeof(chain[0]); i++) {
        assert_true(is_marked(f, chain[i].type, chain[i].base + 1));
        assert_false(is_marked(f, chain[i].type, chain[i].base + 2));
    }
    uint32_t symbols = jfr_metadata_find_type(&f->types.metadata, JFR_SAMPLE_SYMBOL);
    assert_int_equal(f->pools.pools[symbols].marked_count, 3);
}

static void
test_constants_may_go_in_circles(void **state)
{
    fixture *f = *state;
    for (uint64_t key = 1; key <= 3; key++) {
        jfr_build_varint(&f->types.build.payload, key % 3 + 1); // 1 -> 2 -> 3 -> 1
        jfr_build_string(&f->types.build.payload, "g");
        jfr_build_constant(&f->types.build, JFR_SAMPLE_THREAD_GROUP, key);
    }
    jfr_build_checkpoint(&f->types.build);
    open_pools(f);
    uint32_t type = jfr_metadata_find_type(&f->types.metadata, JFR_SAMPLE_THREAD_GROUP);
    jfr_pools_mark(&f->pools, type, 2);
    assert_int_equal(jfr_pools_mark_reachable(&f->pools), LP_OK);
    assert_int_equal(f->pools.pools[type].marked_count, 3);
}

static void
test_long_chains_are_followed(void **state)
{
    fixture *f = *state;
    enum { LINKS = 200000 };
    for (uint64_t key = 1; key <= LINKS; key++) {
        jfr_build_varint(&f->types.build.payload, key - 1);
        jfr_build_string(&f->types.build.payload, NULL);
        jfr_build_constant(&f->types.build, JFR_SAMPLE_THREAD_GROUP, key);
    }
    // append_pool of the builder would be asked for its type LINKS times: written here instead.
    lp_buf payload = {0};
    lp_buf_append(&payload, "\0\0\0\0\1", 5);
    jfr_build_varint(&payload, JFR_SAMPLE_THREAD_GROUP);
    jfr_build_varint(&payload, LINKS);
    for (size_t i = 0; i < LINKS; i++) {
        jfr_build_varint(&payload, f->types.build.constants.items[i].key);
        lp_buf_append(&payload,
            f->types.build.values.ptr + f->types.build.constants.items[i].offset,
            f->types.build.constants.items[i].size_bytes);
    }
    assert_int_equal(
        jfr_pools_init(&f->pools, lp_buf_slice(&payload), &f->types.metadata, &f->types.layout),
        LP_OK);
    assert_int_equal(
        jfr_pools_add(&f->pools, &f->types.metadata, lp_buf_slice(&payload), NULL), LP_OK);
    assert_int_equal(jfr_pools_index(&f->pools), LP_OK);
    uint32_t type = jfr_metadata_find_type(&f->types.metadata, JFR_SAMPLE_THREAD_GROUP);
    jfr_pools_mark(&f->pools, type, LINKS);
    assert_int_equal(jfr_pools_mark_reachable(&f->pools), LP_OK);
    assert_int_equal(f->pools.pools[type].marked_count, LINKS);
    lp_buf_fini(&payload);
}

// mark_two_traces marks two stack traces: the given bytes, and 40 times the same two numbers. Both
// refer to methods 3 and 5, the first one to method 0x385, the second one to method 7.
static void
mark_two_traces(fixture *f, lp_slice first, lp_slice second)
{
    static const uint64_t methods[] = {3, 5, 7, 0x385};
    lp_buf *out = &f->types.build.payload;
    for (size_t i = 0; i < 4; i++) {
        lp_buf_append(out, "\0\0\1\0", 4); // without class, name and descriptor
        jfr_build_constant(&f->types.build, JFR_SAMPLE_METHOD, methods[i]);
    }
    for (uint64_t key = 1; key <= 2; key++) {
        lp_slice begin = key == 1 ? first : second;
        lp_buf_append(out, begin.ptr, begin.len);
        for (size_t row = 0; row < 40; row++) {
            lp_buf_append(out, "\5\1", 2);
        }
        jfr_build_constant(&f->types.build, JFR_SAMPLE_STACK_TRACE, key);
    }
    jfr_build_checkpoint(&f->types.build);
    open_pools(f);
    uint32_t type = jfr_metadata_find_type(&f->types.metadata, JFR_SAMPLE_STACK_TRACE);
    jfr_pools_mark(&f->pools, type, 1);
    jfr_pools_mark(&f->pools, type, 2);
    assert_int_equal(jfr_pools_mark_reachable(&f->pools), LP_OK);
    for (size_t i = 0; i < 4; i++) {
        assert_true(is_marked(f, JFR_SAMPLE_METHOD, methods[i]));
    }
}

// Two stack traces end with the same bytes, but only in the second one a number begins with them:
// behind 64 others, which are read at once.
static void
test_the_same_bytes_are_other_numbers_behind_others(void **state)
{
    static const uint8_t first[] = {0, 42, 3, 1, 0x85, 7, 2};
    uint8_t second[2 + 64 + 2] = {0, 73};
    for (size_t i = 2; i < 64; i += 2) {
        memcpy(second + i, "\5\1", 2);
    }
    memcpy(second + 64, "\3\1\7\2", 4);
    mark_two_traces(*state, (lp_slice){first, sizeof(first)}, (lp_slice){second, sizeof(second)});
}

// The first of the same bytes has a continuation bit, but in the second stack trace it is the ninth
// of a long number.
static void
test_a_raw_byte_does_not_tell_where_numbers_begin(void **state)
{
    static const uint8_t first[] = {0, 42, 3, 1, 0x85, 7, 2};
    static const uint8_t second[] = {
        0, 42, 3, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x85, 7, 2};
    mark_two_traces(*state, (lp_slice){first, sizeof(first)}, (lp_slice){second, sizeof(second)});
}

static void
test_every_truncation_is_refused(void **state)
{
    fixture *f = *state;
    jfr_sample_stack(&f->types.build, 1);
    jfr_sample_thread(&f->types.build, 5, 6);
    jfr_build_checkpoint(&f->types.build);
    lp_slice whole = jfr_build_payload(&f->types.build, f->types.build.checkpoint_offset);
    for (size_t len = 0; len < whole.len; len++) {
        uint8_t *copy = exact_copy_make(whole.ptr, len);
        lp_slice payload = {copy, len};
        lp_problem problem = {0};
        jfr_pools pools;
        assert_int_equal(
            jfr_pools_init(&pools, payload, &f->types.metadata, &f->types.layout), LP_OK);
        assert_int_equal(jfr_pools_add(&pools, &f->types.metadata, payload, &problem), LP_ECORRUPT);
        assert_true(!problem.has_offset || problem.offset <= len);
        jfr_pools_fini(&pools);
        free(copy);
    }
}

static void
test_a_pool_of_an_unknown_type_is_refused(void **state)
{
    fixture *f = *state;
    // Its values have no known end, so nothing behind it can be found.
    jfr_build_string(&f->types.build.payload, "x");
    jfr_build_constant(&f->types.build, 4711, 1);
    jfr_build_checkpoint(&f->types.build);
    lp_problem problem = {0};
    lp_slice chunk = lp_buf_slice(&f->types.build.bytes);
    assert_int_equal(jfr_pools_init(&f->pools, chunk, &f->types.metadata, &f->types.layout), LP_OK);
    lp_slice payload = jfr_build_payload(&f->types.build, f->types.build.checkpoint_offset);
    assert_int_equal(jfr_pools_add(&f->pools, &f->types.metadata, payload, &problem), LP_ECORRUPT);
    assert_true(problem.has_offset);
    assert_in_range(problem.offset, f->types.build.checkpoint_offset, chunk.len);
}

// Keys, and nothing behind them: the JDK has no parser for such a type.
static void
test_a_pool_of_a_type_without_values_is_refused(void **state)
{
    fixture *f = *state;
    lp_problem problem = {0};
    jfr_build_constant(&f->types.build, JFR_SAMPLE_ENABLED, 1);
    jfr_build_checkpoint(&f->types.build);
    lp_slice chunk = lp_buf_slice(&f->types.build.bytes);
    assert_int_equal(jfr_pools_init(&f->pools, chunk, &f->types.metadata, &f->types.layout), LP_OK);
    lp_slice payload = jfr_build_payload(&f->types.build, f->types.build.checkpoint_offset);
    assert_int_equal(jfr_pools_add(&f->pools, &f->types.metadata, payload, &problem), LP_ECORRUPT);
    assert_non_null(strstr(problem.text, "jdk.settings.Enabled"));
}

// --- Random constants, and which of them are reached

enum {
    NODES = 20001, // types: id, and test.Leaf and the others behind it
    LEAVES,
    ENUMERATIONS, // without key 0
    FULL_ENUMERATIONS,
    TRACES, // which refer to others in tables alone
    FRAMES,
    GRAPH_TYPES = 5, // with pools: NODES to TRACES
    GRAPH_KEYS_MAX = 90,
    GRAPH_MISSING = 7, // of the keys that are referred to, so many are not defined
};

static const jfr_build_type graph_types[] = {
    {.id = 1, .name = "long"},
    {.id = 2, .name = "java.lang.String"},
    {.id = LEAVES, .name = "java.lang.Thread", .fields = {{"number", 1}}},
    {.id = ENUMERATIONS, .name = "jdk.types.State", .fields = {{"name", 2}}},
    {.id = FULL_ENUMERATIONS, .name = "jdk.types.FrameType", .fields = {{"name", 2}}},
    {.id = FRAMES,
        .name = "test.Frame",
        .fields = {{"type", FULL_ENUMERATIONS, .is_constant = true},
            {"node", NODES, .is_constant = true}, {"line", 1},
            {"trace", TRACES, .is_constant = true}, {"leaf", LEAVES, .is_constant = true}}},
    {.id = TRACES,
        .name = "test.Trace",
        .fields = {{"number", 1}, {"frames", FRAMES, .is_array = true}}},
    {.id = NODES,
        .name = "test.Node",
        .fields = {{"node", NODES, .is_constant = true},
            {"state", ENUMERATIONS, .is_constant = true}, {"frames", FRAMES, .is_array = true}}},
};

// What a constant is and refers to, as it was made.
typedef struct graph {
    uint64_t seed;
    uint64_t spread;  // keys are multiples of it
    bool is_reversed; // the order of constants in a pool
    bool is_twice;    // each constant
    lp_buf payload;
    struct graph_pool {
        size_t count;
        bool is_defined[GRAPH_KEYS_MAX];
        bool is_reached[GRAPH_KEYS_MAX];
        bool has_null[GRAPH_KEYS_MAX];
    } pools[GRAPH_TYPES];
    LP_VEC(struct graph_reference {
        size_t from_type; // counts from NODES
        size_t from;
        size_t type; // counts from NODES
        size_t number;
    })
    references;
    LP_VEC(struct graph_trace { // those written so far
        size_t begin;           // of the frames
        size_t end;
    })
    traces;
    LP_VEC(struct graph_frame {
        size_t begin; // in payload
        size_t end;
        size_t reference_begin;
        size_t reference_end;
    })
    frames; // of traces
} graph;

static uint64_t
graph_pick(graph *g, uint64_t bound)
{
    return chance_below(&g->seed, bound);
}

// graph_key returns the key of a constant: 0 for the first one of FULL_ENUMERATIONS alone.
static uint64_t
graph_key(const graph *g, size_t type, size_t number)
{
    uint64_t plain = number + (type != FULL_ENUMERATIONS - NODES);
    return plain * g->spread;
}

// graph_note notes that a constant refers to another, which it may not define.
static void
graph_note(graph *g, struct graph_reference reference)
{
    struct graph_reference *made = LP_VEC_PUSH(&g->references);
    assert_non_null(made);
    *made = reference;
    // Threads are not null, nor where 0 is one.
    bool is_null = reference.type != LEAVES - NODES && reference.type != FULL_ENUMERATIONS - NODES;
    g->pools[reference.from_type].has_null[reference.from] |=
        is_null && !g->pools[reference.type].is_defined[reference.number];
}

// graph_refer writes a key of type into a constant; some are null.
static void
graph_refer(graph *g, size_t from_type, size_t from, size_t type)
{
    size_t number = graph_pick(g, g->pools[type].count);
    if (graph_pick(g, 4) == 0) {
        jfr_build_varint(&g->payload, 0);
        number = 0;
        if (type != FULL_ENUMERATIONS - NODES) {
            return;
        }
    } else {
        jfr_build_varint(&g->payload, graph_key(g, type, number));
    }
    graph_note(g, (struct graph_reference){from_type, from, type, number});
}

static void
graph_put_frame(graph *g, size_t from_type, size_t from)
{
    graph_refer(g, from_type, from, FULL_ENUMERATIONS - NODES); // first: left out at times
    graph_refer(g, from_type, from, 0);
    jfr_build_varint(&g->payload, graph_pick(g, UINT64_MAX) >> graph_pick(g, 64));
    graph_refer(g, from_type, from, TRACES - NODES);
    graph_refer(g, from_type, from, LEAVES - NODES);
}

static void
graph_put_node(graph *g, size_t node)
{
    graph_refer(g, 0, node, 0);
    graph_refer(g, 0, node, ENUMERATIONS - NODES);
    size_t frame_count = graph_pick(g, graph_pick(g, 5) == 0 ? 100 : 4);
    jfr_build_varint(&g->payload, frame_count);
    for (size_t i = 0; i < frame_count; i++) {
        graph_put_frame(g, 0, node);
    }
}

// graph_repeat_frame writes a frame of another trace once more.
static void
graph_repeat_frame(graph *g, size_t trace, struct graph_frame frame)
{
    for (size_t i = frame.begin; i < frame.end; i++) {
        lp_buf_append(&g->payload, &(uint8_t){g->payload.ptr[i]}, 1);
    }
    for (size_t i = frame.reference_begin; i < frame.reference_end; i++) {
        struct graph_reference reference = g->references.items[i];
        reference.from = trace;
        graph_note(g, reference);
    }
}

// graph_put_trace writes frames, and then, for most, the last ones of another trace.
static void
graph_put_trace(graph *g, size_t trace)
{
    size_t own = graph_pick(g, 8);
    struct graph_trace other = {0};
    if (g->traces.count > 0 && graph_pick(g, 4) != 0) {
        other = g->traces.items[graph_pick(g, g->traces.count)];
        other.begin += graph_pick(g, other.end - other.begin + 1);
    }
    jfr_build_varint(&g->payload, trace);
    jfr_build_varint(&g->payload, own + other.end - other.begin);
    struct graph_trace *made = LP_VEC_PUSH(&g->traces);
    assert_non_null(made);
    made->begin = g->frames.count;
    for (size_t i = 0; i < own + other.end - other.begin; i++) {
        struct graph_frame frame = {g->payload.len, 0, g->references.count, 0};
        if (i < own) {
            graph_put_frame(g, TRACES - NODES, trace);
        } else {
            graph_repeat_frame(g, trace, g->frames.items[other.begin + i - own]);
        }
        frame.end = g->payload.len;
        frame.reference_end = g->references.count;
        struct graph_frame *place = LP_VEC_PUSH(&g->frames);
        assert_non_null(place);
        *place = frame;
    }
    made->end = g->frames.count;
}

static void
graph_put_pool(graph *g, size_t type)
{
    struct graph_pool *pool = &g->pools[type];
    uint64_t defined = 0;
    for (size_t i = 0; i < pool->count; i++) {
        defined += pool->is_defined[i];
    }
    jfr_build_varint(&g->payload, NODES + type);
    uint64_t times = g->is_twice ? 2 : 1;
    jfr_build_varint(&g->payload, defined * times);
    for (size_t i = 0; i < times * pool->count; i++) { // of two the second does not count
        size_t number = g->is_reversed ? pool->count - 1 - i % pool->count : i % pool->count;
        if (!pool->is_defined[number]) {
            continue;
        }
        jfr_build_varint(&g->payload, graph_key(g, type, number));
        if (type == 0 && i < pool->count) {
            graph_put_node(g, number);
        } else if (type == 0) {
            lp_buf_append(&g->payload, "\0\0\0", 3);
        } else if (type == TRACES - NODES && i < pool->count) {
            graph_put_trace(g, number);
        } else if (type == TRACES - NODES) {
            lp_buf_append(&g->payload, "\0\0", 2);
        } else if (type == LEAVES - NODES) {
            jfr_build_varint(&g->payload, number);
        } else {
            jfr_build_string(&g->payload, "text");
        }
    }
}

static void
graph_make(graph *g)
{
    lp_buf_clear(&g->payload);
    g->references.count = g->traces.count = g->frames.count = 0;
    g->spread = (const uint64_t[]){1, 17, 65537, 0x9e3779b97f4a7c15u}[graph_pick(g, 4)];
    g->is_reversed = graph_pick(g, 2) == 0;
    g->is_twice = graph_pick(g, 2) == 0;
    lp_buf_append(&g->payload, "\0\0\0\0", 4);
    jfr_build_varint(&g->payload, GRAPH_TYPES);
    for (size_t type = 0; type < GRAPH_TYPES; type++) {
        struct graph_pool *pool = &g->pools[type];
        *pool = (struct graph_pool){.count = 1 + graph_pick(g, GRAPH_KEYS_MAX)};
        for (size_t i = 0; i < pool->count; i++) {
            pool->is_defined[i] = graph_pick(g, GRAPH_MISSING) != 0;
        }
    }
    g->pools[FULL_ENUMERATIONS - NODES].is_defined[0] = true;
    for (size_t type = GRAPH_TYPES; type > 0; type--) {
        graph_put_pool(g, type - 1);
    }
}

static void
graph_fini(graph *g)
{
    LP_VEC_FINI(&g->references);
    LP_VEC_FINI(&g->traces);
    LP_VEC_FINI(&g->frames);
    lp_buf_fini(&g->payload);
}

// graph_reach follows the references until nothing changes.
static void
graph_reach(graph *g)
{
    bool is_new = true;
    while (is_new) {
        is_new = false;
        for (size_t i = 0; i < g->references.count; i++) {
            const struct graph_reference *r = &g->references.items[i];
            struct graph_pool *to = &g->pools[r->type];
            if (g->pools[r->from_type].is_reached[r->from] && to->is_defined[r->number] &&
                !to->is_reached[r->number]) {
                to->is_reached[r->number] = is_new = true;
            }
        }
    }
    for (size_t type = ENUMERATIONS - NODES; type <= FULL_ENUMERATIONS - NODES; type++) {
        struct graph_pool *pool = &g->pools[type];
        bool is_any = false;
        for (size_t i = 0; i < pool->count; i++) {
            is_any |= pool->is_reached[i];
        }
        for (size_t i = 0; i < pool->count; i++) {
            pool->is_reached[i] = is_any && pool->is_defined[i];
        }
    }
}

static void
graph_expect(const graph *g, const jfr_metadata *metadata, const jfr_pools *pools)
{
    for (size_t type = 0; type < GRAPH_TYPES; type++) {
        uint32_t t = jfr_metadata_find_type(metadata, NODES + type);
        size_t reached = 0;
        for (size_t i = 0; i < g->pools[type].count; i++) {
            uint32_t index = jfr_pools_find_index(pools, t, graph_key(g, type, i));
            assert_int_equal(index != LP_MAP_NONE, g->pools[type].is_defined[i]);
            bool is_reached = g->pools[type].is_reached[i];
            bool has_null = is_reached && g->pools[type].has_null[i];
            if (index != LP_MAP_NONE) {
                assert_int_equal(pools->pools[t].marks[index],
                    (is_reached ? JFR_MARK_NEEDED : 0) | (has_null ? JFR_MARK_HAS_NULL : 0));
            }
            reached += is_reached;
        }
        assert_int_equal(pools->pools[t].marked_count, reached);
    }
}

// Nodes that refer to each other in circles, one by one and in tables, to threads, and to
// enumerations with and without key 0; traces that end alike; keys that are not defined, and keys
// that are defined twice.
static void
test_random_constants_are_marked_as_they_are_reached(void **state)
{
    (void)state;
    types_fixture types;
    types_fixture_init(&types, graph_types, sizeof(graph_types) / sizeof(graph_types[0]));
    graph g = {.seed = 20261122};
    for (size_t round = 0; round < 3000; round++) {
        graph_make(&g);
        uint8_t *copy = exact_copy_make(g.payload.ptr, g.payload.len);
        lp_slice payload = {copy, g.payload.len};
        jfr_pools pools;
        assert_int_equal(jfr_pools_init(&pools, payload, &types.metadata, &types.layout), LP_OK);
        assert_int_equal(jfr_pools_add(&pools, &types.metadata, payload, NULL), LP_OK);
        assert_int_equal(jfr_pools_index(&pools), LP_OK);
        for (size_t i = graph_pick(&g, 20); i > 0; i--) {
            size_t type = graph_pick(&g, 4) == 0 ? 0 : TRACES - NODES;
            size_t number = graph_pick(&g, g.pools[type].count);
            g.pools[type].is_reached[number] = g.pools[type].is_defined[number];
            uint32_t t = jfr_metadata_find_type(&types.metadata, NODES + type);
            jfr_pools_mark(&pools, t, graph_key(&g, type, number));
        }
        graph_reach(&g);
        assert_int_equal(jfr_pools_mark_reachable(&pools), LP_OK);
        graph_expect(&g, &types.metadata, &pools);
        jfr_pools_fini(&pools);
        free(copy);
    }
    graph_fini(&g);
    types_fixture_fini(&types);
}

static void
expect_same_marks(const jfr_pools *pools, const jfr_pools *others)
{
    assert_true(pools->null_count == others->null_count);
    for (size_t i = 0; i < pools->pool_count; i++) {
        assert_int_equal(pools->pools[i].marked_count, others->pools[i].marked_count);
        for (size_t k = 0; k < pools->pools[i].constants.count; k++) {
            assert_int_equal(pools->pools[i].marks[k], others->pools[i].marks[k]);
        }
    }
}

static void
open_graph(const graph *g, const types_fixture *types, jfr_pools *pools)
{
    lp_slice chunk = lp_buf_slice(&g->payload);
    assert_int_equal(jfr_pools_init(pools, chunk, &types->metadata, &types->layout), LP_OK);
    assert_int_equal(jfr_pools_add(pools, &types->metadata, chunk, NULL), LP_OK);
    assert_int_equal(jfr_pools_index(pools), LP_OK);
}

// A value that does not fit marks nothing: neither a constant nor a null. Whole, it then marks what
// it marks in other pools.
static void
test_a_value_that_does_not_fit_marks_nothing(void **state)
{
    (void)state;
    types_fixture types;
    types_fixture_init(&types, graph_types, sizeof(graph_types) / sizeof(graph_types[0]));
    graph g = {.seed = 4711};
    for (size_t round = 0; round < 300; round++) {
        graph_make(&g);
        size_t checkpoint = g.payload.len;
        graph_put_node(&g, 0);
        size_t len = checkpoint + graph_pick(&g, g.payload.len - checkpoint);
        lp_slice chunk = lp_buf_slice(&g.payload);
        jfr_pools pools;
        jfr_pools others;
        open_graph(&g, &types, &pools);
        open_graph(&g, &types, &others);
        uint32_t type = jfr_metadata_find_type(&types.metadata, NODES);
        jfr_program node = types.layout.types.items[type];
        jfr_cursor cursor = {chunk.ptr + checkpoint, chunk.ptr + len};
        assert_false(jfr_pools_mark_value(&pools, node, &cursor));
        assert_ptr_equal(cursor.at, chunk.ptr + checkpoint);
        expect_same_marks(&pools, &others);
        for (int i = 0; i < 2; i++) {
            cursor = (jfr_cursor){chunk.ptr + checkpoint, chunk.ptr + chunk.len};
            assert_true(jfr_pools_mark_value(i == 0 ? &pools : &others, node, &cursor));
        }
        assert_int_equal(jfr_pools_mark_reachable(&pools), LP_OK);
        assert_int_equal(jfr_pools_mark_reachable(&others), LP_OK);
        expect_same_marks(&pools, &others);
        jfr_pools_fini(&pools);
        jfr_pools_fini(&others);
    }
    graph_fini(&g);
    types_fixture_fini(&types);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_constants_are_found_with_their_values, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_enumerations_are_found_behind_what_is_passed_over, setup, teardown),
        cmocka_unit_test_setup_teardown(test_the_first_of_two_with_one_key_counts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_keys_are_found_and_no_others, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_marks_reach_everything_and_nothing_else, setup, teardown),
        cmocka_unit_test_setup_teardown(test_constants_may_go_in_circles, setup, teardown),
        cmocka_unit_test_setup_teardown(test_long_chains_are_followed, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_the_same_bytes_are_other_numbers_behind_others, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_raw_byte_does_not_tell_where_numbers_begin, setup, teardown),
        cmocka_unit_test_setup_teardown(test_every_truncation_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_pool_of_an_unknown_type_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_pool_of_a_type_without_values_is_refused, setup, teardown),
        cmocka_unit_test(test_random_constants_are_marked_as_they_are_reached),
        cmocka_unit_test(test_a_value_that_does_not_fit_marks_nothing),
    };
    return cmocka_run_group_tests_name("jfr_pool", tests, NULL, NULL);
}
