// SPDX-License-Identifier: Apache-2.0
// Rewriting: a value means in the output what it meant in the input. Keys are checked against each
// other over several sources, times against what the JDK's reader shows, and random values of
// random types against the same values written a second time in the output's terms.

#include "support/chance.h"
#include "support/exact_copy.h"
#include "support/large.h"
#include "unit/common/jfr/types_fixture.h"

#include "common/jfr/rewrite/jfr_rewrite.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    LONG = 1,
    INT,
    BYTE,
    DOUBLE,
    STRING,
    POINT,
    LENGTH,
    CONTEXTUAL,
    REFERRED,
    ENUMERATION,
    INNER,
    ROW,
    OUTER,
    SETTING,
    CONTEXT,
    TYPE_COUNT = CONTEXT,
};

#define IN_TICKS(kind) .annotation = (kind), .annotation_value = "TICKS"

static const jfr_build_type types[TYPE_COUNT] = {
    {.id = LONG, .name = "long"},
    {.id = INT, .name = "int"},
    {.id = BYTE, .name = "byte"},
    {.id = DOUBLE, .name = "double"},
    {.id = STRING, .name = "java.lang.String"},
    {.id = POINT, .name = "jdk.jfr.Timestamp"},
    {.id = LENGTH, .name = "jdk.jfr.Timespan"},
    {.id = CONTEXTUAL, .name = "jdk.jfr.Contextual"},
    {.id = REFERRED, .name = "test.Referred", .fields = {{"number", LONG}}},
    {.id = ENUMERATION, .name = "test.Enumeration", .fields = {{"name", STRING}}},
    {.id = INNER,
        .name = "test.Inner",
        .fields = {{"when", LONG, IN_TICKS(POINT)}, {"texts", STRING, .is_array = true},
            {"state", ENUMERATION, .is_constant = true}, {"short", INT, IN_TICKS(LENGTH)}}},
    {.id = ROW,
        .name = "test.Row",
        .fields = {{"number", LONG}, {"referred", REFERRED, .is_constant = true},
            {"state", ENUMERATION, .is_constant = true}, {"short", INT}}},
    {.id = OUTER,
        .name = "test.Outer",
        .super = "jdk.jfr.Event",
        .fields = {{"startTime", LONG}, {"duration", LONG},
            {"keys", REFERRED, .is_constant = true, .is_array = true},
            {"inners", INNER, .is_array = true}, {"rows", ROW, .is_array = true}, {"text", STRING},
            {"long", LONG}, {"double", DOUBLE}, {"pause", LONG, IN_TICKS(LENGTH)}}},
    {.id = SETTING,
        .name = "jdk.ActiveSetting",
        .super = "jdk.jfr.Event",
        .fields = {{"startTime", LONG}, {"id", LONG}}},
    {.id = CONTEXT,
        .name = "test.Context",
        .super = "jdk.jfr.Event",
        .annotation = CONTEXTUAL,
        .fields = {{"startTime", LONG}, {"duration", LONG},
            {"eventThread", REFERRED, .is_constant = true}, {"contextId", LONG}}},
};

// Keys that the chunk describes, and one that it does not.
static const uint64_t described_keys[] = {
    1, 2, 6, 300, 70000, (uint64_t)1 << 33, (uint64_t)1 << 47};
enum { DESCRIBED_COUNT = sizeof(described_keys) / sizeof(described_keys[0]), UNDESCRIBED = 77 };

// Type i gets the id 1000 + i; ENUMERATION and STRING define key 0.
typedef struct fixture {
    types_fixture types;
    uint64_t type_ids[TYPE_COUNT];
    jfr_pools pools;
    jfr_rewrite rewrite;
    bool has_nulls; // values may have keys that become null
} fixture;

static void
describe(fixture *f, uint64_t type_id, uint64_t key)
{
    uint32_t type = jfr_metadata_find_type(&f->types.metadata, type_id);
    jfr_constant *constant = LP_VEC_PUSH(&f->pools.pools[type].constants);
    assert_non_null(constant);
    *constant = (jfr_constant){.key = key};
}

static void
describe_all(fixture *f, uint64_t type_id)
{
    for (size_t i = 0; i < DESCRIBED_COUNT; i++) {
        describe(f, type_id, described_keys[i]);
    }
}

static void
fixture_init(fixture *f)
{
    *f = (fixture){0};
    types_fixture_init(&f->types, types, TYPE_COUNT);
    assert_int_equal(f->types.layout_err, LP_OK);
    for (size_t i = 0; i < TYPE_COUNT; i++) {
        f->type_ids[i] = 1000 + f->types.metadata.types.items[i].id;
    }
    assert_int_equal(
        jfr_pools_init(&f->pools, (lp_slice){0}, &f->types.metadata, &f->types.layout), LP_OK);
    describe_all(f, REFERRED);
    describe_all(f, ENUMERATION);
    describe(f, ENUMERATION, 0);
    describe_all(f, STRING);
    describe(f, STRING, 0);
    f->has_nulls = true;
    assert_int_equal(jfr_pools_index(&f->pools), LP_OK);
    f->rewrite = (jfr_rewrite){
        .pools = &f->pools,
        .source = 1,
        .source_count = 3,
        .clock = jfr_clock_make(5000000, 7000, 500000000),
        .zero_wall_ns = 4000000,
        .metadata = &f->types.metadata,
        .layout = &f->types.layout,
        .type_ids = f->type_ids,
    };
}

static void
fixture_fini(fixture *f)
{
    jfr_pools_fini(&f->pools);
    types_fixture_fini(&f->types);
}

static jfr_program
program_of(const fixture *f, uint64_t type_id)
{
    return f->types.layout.types.items[jfr_metadata_find_type(&f->types.metadata, type_id)];
}

static int
compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static const uint64_t large_keys[] = {0xffff, (uint64_t)1 << 30, ((uint64_t)1 << 48) - 1,
    (uint64_t)1 << 48, ((uint64_t)1 << 48) + 1, (uint64_t)1 << 62, (uint64_t)1 << 63,
    ((uint64_t)1 << 63) + 1, INT64_MAX, UINT64_MAX - 1, UINT64_MAX};

static void
test_no_two_keys_of_any_sources_become_one(void **state)
{
    (void)state;
    enum { SMALL = 2000, LARGE = sizeof(large_keys) / sizeof(large_keys[0]) };
    static const uint32_t source_counts[] = {1, 2, 3, 200};
    fixture f;
    fixture_init(&f);
    uint32_t type = jfr_metadata_find_type(&f.types.metadata, ENUMERATION);
    for (size_t n = 0; n < sizeof(source_counts) / sizeof(source_counts[0]); n++) {
        f.rewrite.source_count = source_counts[n];
        size_t count = 0;
        uint64_t *keys = calloc((size_t)source_counts[n] * (SMALL + LARGE), sizeof(*keys));
        assert_non_null(keys);
        for (f.rewrite.source = 0; f.rewrite.source < source_counts[n]; f.rewrite.source++) {
            for (uint64_t key = 0; key < SMALL; key++) {
                keys[count++] = jfr_rewrite_key(&f.rewrite, type, key);
            }
            for (size_t i = 0; i < LARGE; i++) {
                keys[count++] = jfr_rewrite_key(&f.rewrite, type, large_keys[i]);
            }
        }
        qsort(keys, count, sizeof(*keys), compare_keys);
        assert_int_not_equal(keys[0], 0); // that would be null
        for (size_t i = 1; i < count; i++) {
            assert_int_not_equal(keys[i], keys[i - 1]);
        }
        // Small keys stay small: they are in every event.
        assert_true(
            keys[(size_t)source_counts[n] * SMALL - 1] <= (uint64_t)source_counts[n] * SMALL);
        free(keys);
    }
    f.rewrite.source_count = JFR_REWRITE_SOURCES_MAX;
    f.rewrite.source = JFR_REWRITE_SOURCES_MAX - 1;
    assert_true(jfr_rewrite_key(&f.rewrite, type, ((uint64_t)1 << 48) - 1) <= (uint64_t)1 << 62);
    fixture_fini(&f);
}

static void
test_null_stays_null_where_the_pool_does_not_define_it(void **state)
{
    (void)state;
    fixture f;
    fixture_init(&f);
    uint32_t plain = jfr_metadata_find_type(&f.types.metadata, REFERRED);
    uint32_t enumeration = jfr_metadata_find_type(&f.types.metadata, ENUMERATION);
    for (f.rewrite.source = 0; f.rewrite.source < 3; f.rewrite.source++) {
        assert_int_equal(jfr_rewrite_key(&f.rewrite, plain, 0), 0);
        assert_int_equal(jfr_rewrite_key(&f.rewrite, enumeration, 0), f.rewrite.source + 1);
        assert_int_equal(jfr_rewrite_key(&f.rewrite, plain, 1), f.rewrite.source + 4);
        assert_int_equal(jfr_rewrite_defined_key(&f.rewrite, plain, 1), f.rewrite.source + 4);
        assert_int_equal(jfr_rewrite_defined_key(&f.rewrite, enumeration, 0), f.rewrite.source + 1);
    }
    fixture_fini(&f);
}

static void
test_keys_that_nothing_describes_become_null(void **state)
{
    (void)state;
    fixture f;
    fixture_init(&f);
    uint32_t plain = jfr_metadata_find_type(&f.types.metadata, REFERRED);
    uint32_t enumeration = jfr_metadata_find_type(&f.types.metadata, ENUMERATION);
    for (uint32_t sources = 0; sources <= 3; sources += 3) {
        f.rewrite.source_count = sources;
        uint64_t moved = sources == 0 ? UNDESCRIBED : UNDESCRIBED * 3 + 2;
        f.types.layout.thread_type = JFR_NONE;
        assert_int_equal(jfr_rewrite_key(&f.rewrite, plain, UNDESCRIBED), 0);
        assert_int_equal(jfr_rewrite_key(&f.rewrite, plain, UINT64_MAX), 0);
        // 0 would mean something there.
        assert_int_equal(jfr_rewrite_key(&f.rewrite, enumeration, UNDESCRIBED), moved);
        f.types.layout.thread_type = plain;
        assert_int_equal(jfr_rewrite_key(&f.rewrite, plain, UNDESCRIBED), moved);
        assert_int_equal(jfr_rewrite_key(&f.rewrite, plain, 0), 0);
    }
    fixture_fini(&f);
}

// The expected times are those of jdk.jfr.internal.consumer.TimeConverter, in JDK 17 and 25.
static void
test_times_are_those_of_the_jdk(void **state)
{
    (void)state;
    static const struct {
        struct {
            int64_t start_wall_ns;
            int64_t start_ticks;
            int64_t ticks_per_s;
        } line;
        int64_t ticks;
        int64_t wall_ns;
        int64_t length_ns;
    } cases[] = {
        {{1622640788580000000, 139610030068, 2300000000}, 139610030068, 1622640788580000000,
            60700013073},
        {{1622640788580000000, 139610030068, 2300000000}, 139610030069, 1622640788580000000,
            60700013073},
        {{1622640788580000000, 139610030068, 2300000000}, 139610030067, 1622640788580000000,
            60700013072},
        {{1622640788580000000, 139610030068, 2300000000}, 140516230117, 1622640788974000021,
            61094013094},
        {{1653155468868320000, 1091313930, 2303974730}, 24131061230, 1653155478868320000,
            10473665755},
        {{1613049758095000064, 36757109450729, 4000000000}, 36757109450732, 1613049758095000064,
            9189277362683},
        {{1544646036395000064, 111665720659, 3400000000}, INT64_MAX - 1, 4257402484980016384,
            2712756481427875328},
        {{1544646036395000064, 111665720659, 3400000000}, -INT64_MAX, 4257402484980016384,
            -2712756481427875328},
        {{100, 0, 1000000000}, 9007199254740993, 9007199254741092, 9007199254740992},
        {{100, 0, 1000}, INT64_MAX - 1, -9223372036854775709, INT64_MAX},
        {{100, -5, 3}, 2, 2333333433, 666666666},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        jfr_clock clock = jfr_clock_make(
            cases[i].line.start_wall_ns, cases[i].line.start_ticks, cases[i].line.ticks_per_s);
        assert_int_equal(jfr_clock_wall_ns(&clock, cases[i].ticks), cases[i].wall_ns);
        assert_int_equal(jfr_clock_length_ns(&clock, cases[i].ticks), cases[i].length_ns);
    }
}

// expect_cut rewrites the first len bytes of payload; bytes begins with these.
static void
expect_cut(const fixture *f, uint64_t type_id, const uint8_t *bytes, size_t len, lp_slice payload,
    lp_slice want)
{
    jfr_cursor cursor = {bytes, bytes + len};
    lp_buf out = {0};
    bool is_whole =
        jfr_rewrite_value(&f->rewrite, program_of(f, type_id), f->has_nulls, &cursor, &out);
    assert_int_equal(is_whole, len == payload.len);
    if (is_whole) {
        assert_int_equal(jfr_cursor_left(&cursor), 0);
        assert_int_equal(out.len, want.len);
        assert_memory_equal(out.ptr, want.ptr, want.len);
    }
    lp_buf_fini(&out);
}

// expect_rewritten rewrites payload, whole and cut at every place, with nothing behind it and with
// the rest of a chunk.
static void
expect_rewritten(fixture *f, uint64_t type_id, lp_slice payload, lp_slice want)
{
    lp_buf chunk = {0};
    lp_buf_append(&chunk, payload.ptr, payload.len);
    for (size_t i = 0; i < 200; i++) {
        lp_buf_append(&chunk, &(uint8_t){(uint8_t)(i * 37)}, 1);
    }
    for (size_t len = 0; len <= payload.len; len++) {
        uint8_t *copy = exact_copy_make(payload.ptr, len);
        expect_cut(f, type_id, copy, len, payload, want);
        free(copy);
        f->pools.chunk = lp_buf_slice(&chunk);
        expect_cut(f, type_id, chunk.ptr, len, payload, want);
        f->pools.chunk = (lp_slice){0};
    }
    lp_buf_fini(&chunk);
}

static void
test_type_ids_and_context_ids_follow(void **state)
{
    (void)state;
    fixture f;
    fixture_init(&f);
    static const struct {
        uint64_t type;
        uint64_t in[4];
        uint64_t out[4];
        size_t count;
    } cases[] = {
        // A tick is 2 ns; 7000 is the wall time 5000000, which is 1000000 in the output.
        {SETTING, {7001, OUTER}, {1000002, 1000 + OUTER}, 2},
        {SETTING, {7001, 4711}, {1000002, ~(uint64_t)(4711 * 3 + 2)}, 2},
        {CONTEXT, {7002, 5, 6, 7}, {1000004, 10, 20, 23}, 4},
        {CONTEXT, {7002, 5, 6, 0}, {1000004, 10, 20, 0}, 4},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        lp_buf in = {0};
        lp_buf out = {0};
        for (size_t k = 0; k < cases[i].count; k++) {
            jfr_build_varint(&in, cases[i].in[k]);
            jfr_build_varint(&out, cases[i].out[k]);
        }
        expect_rewritten(&f, cases[i].type, lp_buf_slice(&in), lp_buf_slice(&out));
        lp_buf_fini(&in);
        lp_buf_fini(&out);
    }
    fixture_fini(&f);
}

static void
test_times_that_mean_never_and_ends_stay_in_order(void **state)
{
    (void)state;
    fixture f;
    fixture_init(&f);
    f.rewrite.clock = jfr_clock_make(5000000, 7000, 3000000000);
    static const struct {
        int64_t start;
        int64_t duration;
        int64_t pause;
        int64_t out_start;
        int64_t out_duration;
        int64_t out_pause;
    } cases[] = {
        // Begins at 1/3 ns, ends at 3/3: 1 ns apart on a clock of whole ones.
        {7001, 2, 2, 1000000, 1, 0},
        {7000, 2, 5, 1000000, 0, 1},
        {7003, -3, -4, 1000001, -1, -1},
        {7000, INT64_MAX, INT64_MAX, 1000000, INT64_MAX, INT64_MAX},
        {7000, INT64_MIN, INT64_MIN, 1000000, INT64_MIN, INT64_MIN},
        {INT64_MIN, 0, 0, INT64_MIN, 0, 0},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        lp_buf in = {0};
        lp_buf out = {0};
        jfr_build_varint(&in, (uint64_t)cases[i].start);
        jfr_build_varint(&in, (uint64_t)cases[i].duration);
        jfr_build_varint(&out, (uint64_t)cases[i].out_start);
        jfr_build_varint(&out, (uint64_t)cases[i].out_duration);
        static const uint8_t rest[13] = {0}; // keys, inners, rows, text, long and double
        lp_buf_append(&in, rest, sizeof(rest));
        lp_buf_append(&out, rest, sizeof(rest));
        jfr_build_varint(&in, (uint64_t)cases[i].pause);
        jfr_build_varint(&out, (uint64_t)cases[i].out_pause);
        expect_rewritten(&f, OUTER, lp_buf_slice(&in), lp_buf_slice(&out));
        lp_buf_fini(&in);
        lp_buf_fini(&out);
    }
    fixture_fini(&f);
}

// --- Random values, written twice

typedef struct twin {
    uint64_t seed;
    bool has_own_terms; // the output
    bool has_nulls;     // values may have keys that become null
    lp_buf in;
    lp_buf out;
} twin;

static uint64_t
pick(twin *t, uint64_t bound)
{
    return chance_below(&t->seed, bound);
}

// pick_number has few or many bits.
static uint64_t
pick_number(twin *t)
{
    uint64_t wide = pick(t, UINT32_MAX) << 32 | pick(t, UINT32_MAX);
    return wide >> pick(t, 64);
}

// pick_ticks picks no more than what a double holds, as nanoseconds.
static uint64_t
pick_ticks(twin *t)
{
    return pick_number(t) >> 14;
}

static void
both(twin *t, const void *bytes, size_t count)
{
    lp_buf_append(&t->in, bytes, count);
    lp_buf_append(&t->out, bytes, count);
}

static void
put_varint(lp_buf *out, uint64_t value, bool is_padded)
{
    if (is_padded && value < (uint64_t)1 << 49) {
        jfr_build_padded(out, value, 8);
    } else {
        jfr_build_varint(out, value);
    }
}

// moved puts what becomes another value where the output has terms of its own. What changes is as
// short as it can be, all else as long as it was.
static void
moved(twin *t, uint64_t in, uint64_t out)
{
    out = t->has_own_terms ? out : in;
    bool is_padded = pick(t, 4) == 0;
    put_varint(&t->in, in, is_padded);
    put_varint(&t->out, out, is_padded && in == out);
}

static void
unchanged(twin *t, uint64_t value)
{
    moved(t, value, value);
}

static void
put_key(twin *t, bool defines_zero)
{
    uint64_t key = pick(t, 3) == 0 ? 0 : described_keys[pick(t, DESCRIBED_COUNT)];
    if (pick(t, 8) == 0 && (t->has_nulls || defines_zero)) {
        key = UNDESCRIBED;
    }
    if (key == UNDESCRIBED && !defines_zero) {
        jfr_build_varint(&t->in, key);
        jfr_build_varint(&t->out, 0);
        return;
    }
    moved(t, key, key == 0 && !defines_zero ? 0 : key * 3 + 2);
}

static void
put_string(twin *t)
{
    static const uint16_t units[] = {'a', 0xd83d, 0xde00, 0xffff};
    uint8_t encoding = (uint8_t)pick(t, 6);
    both(t, &encoding, 1);
    switch (encoding) {
    case 2:
        put_key(t, true);
        break;
    case 3:
    case 5:
        unchanged(t, 3);
        both(t, "\x80\2z", 3);
        break;
    case 4:
        unchanged(t, sizeof(units) / sizeof(units[0]));
        for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
            unchanged(t, units[i]);
        }
        break;
    default:
        break;
    }
}

static void
put_inner(twin *t)
{
    uint64_t when = pick_ticks(t);
    moved(t, when, (when - 7000) * 2 + 1000000);
    uint64_t count = pick(t, 4);
    unchanged(t, count);
    for (; count > 0; count--) {
        put_string(t);
    }
    put_key(t, true);
    int64_t ticks = (int32_t)pick_number(t);
    int64_t ns = ticks * 2 > INT32_MAX ? INT32_MAX : ticks * 2 < INT32_MIN ? INT32_MIN : ticks * 2;
    moved(t, (uint32_t)ticks, (uint32_t)ns);
}

// put_rows puts what is read by the row (jfr_table.h); some have numbers of nine bytes.
static void
put_rows(twin *t)
{
    uint64_t count = pick(t, pick(t, 4) == 0 ? 60 : 3);
    bool is_short = pick(t, 3) > 0;
    unchanged(t, count);
    for (; count > 0; count--) {
        unchanged(t, is_short ? pick(t, 1000) : pick_number(t));
        put_key(t, false);
        put_key(t, true);
        unchanged(t, (uint32_t)pick_number(t));
    }
}

static void
put_outer(twin *t)
{
    uint64_t start = pick_ticks(t);
    uint64_t duration = pick_ticks(t);
    moved(t, start, (start - 7000) * 2 + 1000000);
    moved(t, duration, duration * 2);
    uint64_t count = pick(t, 5);
    unchanged(t, count);
    for (; count > 0; count--) {
        put_key(t, false);
    }
    count = pick(t, 4);
    unchanged(t, count);
    for (; count > 0; count--) {
        put_inner(t);
    }
    put_rows(t);
    put_string(t);
    unchanged(t, pick_number(t));
    both(t, "12345678", 8);
    uint64_t pause = pick_ticks(t);
    moved(t, pause, pause * 2);
}

static void
test_random_values_say_the_same_in_the_output(void **state)
{
    (void)state;
    fixture f;
    fixture_init(&f);
    twin t = {.seed = 20261121};
    for (size_t round = 0; round < (is_large ? 6000 : 1200); round++) {
        t.has_own_terms = round % 2 == 0;
        t.has_nulls = f.has_nulls = round % 4 < 2;
        f.rewrite.source_count = t.has_own_terms ? 3 : 0;
        lp_buf_clear(&t.in);
        lp_buf_clear(&t.out);
        put_outer(&t);
        expect_rewritten(&f, OUTER, lp_buf_slice(&t.in), lp_buf_slice(&t.out));
    }
    lp_buf_fini(&t.in);
    lp_buf_fini(&t.out);
    fixture_fini(&f);
}

static void
test_false_counts_end_with_the_bytes(void **state)
{
    (void)state;
    static const jfr_build_type empty[] = {
        {.id = 2, .name = "test.Empty"},
        {.id = 3, .name = "test.Array", .fields = {{"a", 2, .is_array = true}}},
    };
    static const uint8_t bytes[9] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    types_fixture types_of;
    types_fixture_init(&types_of, empty, 2);
    assert_int_equal(types_of.layout_err, LP_OK);
    const jfr_pools pools = {0};
    const jfr_rewrite rewrite = {
        .pools = &pools,
        .source_count = 1,
        .clock = {.ticks_per_s = 1000000000},
        .metadata = &types_of.metadata,
        .layout = &types_of.layout,
    };
    jfr_cursor cursor = {bytes, bytes + sizeof(bytes)};
    lp_buf out = {0};
    uint32_t type = jfr_metadata_find_type(&types_of.metadata, 3);
    assert_true(
        jfr_rewrite_value(&rewrite, types_of.layout.types.items[type], true, &cursor, &out));
    assert_int_equal(out.len, sizeof(bytes));
    lp_buf_fini(&out);
    types_fixture_fini(&types_of);
}

int
main(int argc, char **argv)
{
    large_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_two_keys_of_any_sources_become_one),
        cmocka_unit_test(test_null_stays_null_where_the_pool_does_not_define_it),
        cmocka_unit_test(test_keys_that_nothing_describes_become_null),
        cmocka_unit_test(test_times_are_those_of_the_jdk),
        cmocka_unit_test(test_type_ids_and_context_ids_follow),
        cmocka_unit_test(test_times_that_mean_never_and_ends_stay_in_order),
        cmocka_unit_test(test_random_values_say_the_same_in_the_output),
        cmocka_unit_test(test_false_counts_end_with_the_bytes),
    };
    return cmocka_run_group_tests_name("jfr_rewrite", tests, NULL, NULL);
}
