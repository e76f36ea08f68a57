// SPDX-License-Identifier: Apache-2.0
// Layouts: walking a value ends exactly behind it, reports the constants in it in order, and
// refuses every truncation, types that nobody describes, and structures within themselves.

#include "support/exact_copy.h"
#include "types_fixture.h"

#include "common/jfr/jfr_walk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct seen {
    const jfr_metadata *metadata;
    char text[400]; // "type id:key ..."
} seen;

static void
note_constants(void *arg, uint32_t type, const uint64_t *keys, size_t count)
{
    seen *s = arg;
    for (size_t i = 0; i < count; i++) {
        size_t used = strlen(s->text);
        (void)snprintf(s->text + used, sizeof(s->text) - used, "%llu:%llu ",
            (unsigned long long)s->metadata->types.items[type].id, (unsigned long long)keys[i]);
    }
}

static bool
wants_all(void *arg, uint32_t type)
{
    (void)arg;
    (void)type;
    return true;
}

// expect_walk walks payload as a value of the type, whole and cut at every place.
static void
expect_walk(const types_fixture *f, uint64_t type_id, lp_slice payload, const char *want)
{
    uint32_t type = jfr_metadata_find_type(&f->metadata, type_id);
    assert_int_not_equal(type, JFR_NONE);
    jfr_program program = f->layout.types.items[type];
    for (size_t len = 0; len <= payload.len; len++) {
        uint8_t *copy = exact_copy_make(payload.ptr, len);
        jfr_cursor cursor = {copy, copy + len};
        seen s = {.metadata = &f->metadata};
        const jfr_walk_visitor visitor = {note_constants, wants_all, &s};
        assert_int_equal(jfr_walk(&f->layout, program, &cursor, visitor), len == payload.len);
        if (len == payload.len) {
            assert_int_equal(jfr_cursor_left(&cursor), 0);
            assert_string_equal(s.text, want);
            cursor = (jfr_cursor){copy, copy + len};
            assert_true(jfr_layout_walk(&f->layout, program, &cursor));
        }
        free(copy);
    }
}

static void
test_events_are_walked_to_their_end(void **state)
{
    (void)state;
    types_fixture f;
    types_fixture_sample(&f);
    static const struct {
        jfr_sample event;
        const char *constants;
    } cases[] = {
        {{JFR_SAMPLE_PLAIN, 1000, 2000, 300, 5, "text"}, "30:300 39:5 "},
        {{JFR_SAMPLE_TRACE, 1, 2, 3, 0, "id"}, "30:3 "},
        {{JFR_SAMPLE_MARK, 1, 1, UINT64_MAX, 0, ""}, "30:18446744073709551615 "},
        {{JFR_SAMPLE_IDLE, 1, 1, 0, 0, NULL}, ""},
        {{JFR_SAMPLE_EXECUTION, 1, 1, 3, 4, NULL}, "30:3 39:4 40:0 "},
        {{JFR_SAMPLE_ODD, 1, 1, 3, 0, "x"}, "30:3 "},
        {{JFR_SAMPLE_BOTH, 1, 1, 3, 0, NULL}, "30:0 30:3 "},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        size_t offset = jfr_sample_event(&f.build, &cases[i].event);
        expect_walk(
            &f, cases[i].event.type, jfr_build_payload(&f.build, offset), cases[i].constants);
    }
    types_fixture_fini(&f);
}

static void
test_arrays_structures_and_string_constants(void **state)
{
    (void)state;
    types_fixture f;
    types_fixture_sample(&f);
    lp_buf *out = &f.build.payload;
    lp_buf_append(out, "\0\3", 2); // not truncated, three frames
    for (uint64_t i = 0; i < 3; i++) {
        jfr_build_varint(out, 1000 * i);
        jfr_build_varint(out, 0xffffffff);
    }
    expect_walk(&f, JFR_SAMPLE_STACK_TRACE, lp_buf_slice(out), "37:0 37:1000 37:2000 ");
    lp_buf_clear(out);

    jfr_build_varint(out, 1);
    jfr_build_varint(out, 1);
    lp_buf_append(out, "12345678", 8);
    jfr_build_string_constant(out, 71);
    lp_buf_append(out, "\2\0\1", 3);
    lp_buf_append(out, "\3\7\x88\1\0", 5);
    jfr_build_string_latin1(out, "note");
    jfr_build_varint(out, 9);
    expect_walk(&f, JFR_SAMPLE_ODD, lp_buf_slice(out), "20:71 36:7 36:136 36:0 30:9 ");
    lp_buf_clear(out);

    jfr_build_string_constant(out, 5);
    expect_walk(&f, JFR_SAMPLE_SYMBOL, lp_buf_slice(out), "20:5 ");
    types_fixture_fini(&f);
}

static void
test_every_primitive_has_its_width(void **state)
{
    (void)state;
    static const char *const names[] = {
        "boolean", "byte", "char", "short", "int", "long", "float", "double"};
    static const char bytes[] = "\1"
                                "\x80"
                                "\xff\xff\x03"
                                "\xf7\xff\x03"
                                "\xf7\xff\xff\xff\x0f"
                                "\xff\xff\xff\xff\xff\xff\xff\xff\xff"
                                "\xff\xff\xff\xff"
                                "\xff\xff\xff\xff\xff\xff\xff\xff";
    jfr_build_type types[9] = {{.id = 100, .name = "test.All"}};
    for (uint64_t i = 0; i < 8; i++) {
        types[0].fields[i] = (jfr_build_field){.name = names[i], .type = i + 1};
        types[i + 1] = (jfr_build_type){.id = i + 1, .name = names[i]};
    }
    types_fixture f;
    types_fixture_init(&f, types, 9);
    assert_int_equal(f.layout_err, LP_OK);
    expect_walk(&f, 100, (lp_slice){(const uint8_t *)bytes, sizeof(bytes) - 1}, "");
    types_fixture_fini(&f);
}

// What means something only in its chunk is known by its annotation or by its name, and is passed
// over like any number.
static void
test_numbers_of_the_chunk_have_ops_of_their_own(void **state)
{
    (void)state;
    enum { LONG = 1, INT, POINT, LENGTH, OTHER, POOL, HOLDER, EVENT, UNTIMED, SETTING };
    static const jfr_build_type types[] = {
        {.id = LONG, .name = "long"},
        {.id = INT, .name = "int"},
        {.id = POINT, .name = "jdk.jfr.Timestamp"},
        {.id = LENGTH, .name = "jdk.jfr.Timespan"},
        {.id = OTHER, .name = "jdk.jfr.DataAmount"},
        {.id = POOL, .name = "test.Pool", .fields = {{.name = "a", .type = LONG}}},
        {.id = HOLDER,
            .name = "test.Holder",
            .fields = {{"startTime", LONG}, {"duration", LONG}, {"id", LONG},
                {"a", LONG, .annotation = POINT, .annotation_value = "TICKS"},
                {"b", INT, .annotation = LENGTH, .annotation_value = "TICKS"},
                {"c", LONG, .annotation = LENGTH, .annotation_value = "NANOSECONDS"},
                {"d", LONG, .annotation = OTHER, .annotation_value = "TICKS"},
                {"e", POOL, true, .annotation = POINT, .annotation_value = "TICKS"}}},
        {.id = EVENT,
            .name = "test.Event",
            .super = "jdk.jfr.Event",
            .fields = {{"startTime", LONG}, {"duration", LONG}, {"id", LONG}, {"h", HOLDER},
                {"k", LONG, true, .annotation = POINT, .annotation_value = "TICKS"},
                {"u", 99, true, .annotation = POINT, .annotation_value = "TICKS"}}},
        {.id = UNTIMED,
            .name = "test.Untimed",
            .super = "jdk.jfr.Event",
            .fields = {{"duration", LONG}, {"startTime", LONG}}},
        {.id = SETTING,
            .name = "jdk.ActiveSetting",
            .super = "jdk.jfr.Event",
            .fields = {{"startTime", LONG}, {"id", LONG}}},
    };
    static const struct {
        uint64_t type;
        struct {
            jfr_op_code code;
            uint32_t arg;
        } ops[14];
    } want[] = {
        {HOLDER, {{JFR_OP_VARINT, 64}, {JFR_OP_VARINT, 64}, {JFR_OP_VARINT, 64},
                     {JFR_OP_TIMESTAMP, 64}, {JFR_OP_TIMESPAN, 32}, {JFR_OP_VARINT, 64},
                     {JFR_OP_VARINT, 64}, {JFR_OP_CONSTANT, 5}}},
        {EVENT, {{JFR_OP_TIMESTAMP, 64}, {JFR_OP_DURATION, 64}, {JFR_OP_VARINT, 64},
                    {JFR_OP_VARINT, 64}, {JFR_OP_VARINT, 64}, {JFR_OP_VARINT, 64},
                    {JFR_OP_TIMESTAMP, 64}, {JFR_OP_TIMESPAN, 32}, {JFR_OP_VARINT, 64},
                    {JFR_OP_VARINT, 64}, {JFR_OP_CONSTANT, 5}, {JFR_OP_CONSTANT, 0},
                    {JFR_OP_VARINT, 64}}},
        {UNTIMED, {{JFR_OP_VARINT, 64}, {JFR_OP_VARINT, 64}}},
        {SETTING, {{JFR_OP_TIMESTAMP, 64}, {JFR_OP_TYPE_ID, 64}}},
    };
    types_fixture f;
    types_fixture_init(&f, types, sizeof(types) / sizeof(types[0]));
    assert_int_equal(f.layout_err, LP_OK);
    for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
        uint32_t type = jfr_metadata_find_type(&f.metadata, want[i].type);
        jfr_program program = f.layout.types.items[type];
        uint8_t bytes[64] = {0};
        assert_in_range(program.end - program.begin, 0, sizeof(bytes));
        jfr_cursor cursor = {bytes, bytes + program.end - program.begin};
        for (uint32_t k = 0; k < program.end - program.begin; k++) {
            jfr_op op = f.layout.ops.items[program.begin + k];
            assert_int_equal(op.code, want[i].ops[k].code);
            assert_int_equal(op.arg, want[i].ops[k].arg);
        }
        assert_int_equal(want[i].ops[program.end - program.begin].arg, 0); // there are no more
        assert_true(jfr_layout_walk(&f.layout, program, &cursor));
        assert_int_equal(jfr_cursor_left(&cursor), 0);
    }
    types_fixture_fini(&f);
}

static void
test_a_field_of_an_unknown_type_ends_the_walk(void **state)
{
    (void)state;
    static const jfr_build_type types[] = {
        {.id = 2, .name = "long"},
        {.id = 100,
            .name = "test.Unknown",
            .fields = {{.name = "a", .type = 2}, {.name = "b", .type = 77},
                {.name = "c", .type = 2}}},
    };
    static const uint8_t bytes[16] = {0};
    types_fixture f;
    types_fixture_init(&f, types, 2);
    assert_int_equal(f.layout_err, LP_OK);
    jfr_cursor cursor = {bytes, bytes + sizeof(bytes)};
    uint32_t type = jfr_metadata_find_type(&f.metadata, 100);
    assert_false(jfr_layout_walk(&f.layout, f.layout.types.items[type], &cursor));
    types_fixture_fini(&f);
}

static void
test_structures_within_themselves_are_refused(void **state)
{
    (void)state;
    static const jfr_build_type circle[] = {
        {.id = 2, .name = "test.A", .fields = {{.name = "b", .type = 3}}},
        {.id = 3, .name = "test.B", .fields = {{.name = "a", .type = 2}}},
    };
    static const jfr_build_type pool[] = {
        {.id = 2, .name = "test.A", .fields = {{.name = "a", .type = 2, .is_constant = true}}},
    };
    types_fixture f;
    types_fixture_init(&f, circle, 2);
    assert_int_equal(f.layout_err, LP_ECORRUPT);
    types_fixture_fini(&f);
    types_fixture_init(&f, pool, 1); // by key it is fine: thread groups are like this
    assert_int_equal(f.layout_err, LP_OK);
    types_fixture_fini(&f);
}

// Each structure has sixteen of the next: written out, that would be 16^13 fields.
static void
test_structures_that_explode_are_refused(void **state)
{
    (void)state;
    jfr_build_type types[14] = {{.id = 1, .name = "long"}};
    char names[14][20];
    for (size_t i = 1; i < 14; i++) {
        (void)snprintf(names[i], sizeof(names[i]), "test.S%zu", i);
        types[i] = (jfr_build_type){.id = i + 1, .name = names[i]};
        for (size_t k = 0; k < JFR_BUILD_FIELDS_MAX; k++) {
            types[i].fields[k] = (jfr_build_field){.name = "f", .type = i};
        }
    }
    types_fixture f;
    types_fixture_init(&f, types, 14);
    assert_int_equal(f.layout_err, LP_ECORRUPT);
    types_fixture_fini(&f);
}

static void
test_huge_arrays_end_with_the_bytes(void **state)
{
    (void)state;
    types_fixture f;
    types_fixture_sample(&f);
    static const uint8_t bytes[] = {0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2};
    jfr_cursor cursor = {bytes, bytes + sizeof(bytes)};
    uint32_t type = jfr_metadata_find_type(&f.metadata, JFR_SAMPLE_STACK_TRACE);
    assert_false(jfr_layout_walk(&f.layout, f.layout.types.items[type], &cursor));
    types_fixture_fini(&f);
}

// Values without bytes can be as many as a count says; all of them fit.
static void
test_huge_arrays_of_nothing_end_soon(void **state)
{
    (void)state;
    static const jfr_build_type types[] = {
        {.id = 2, .name = "test.Empty"},
        {.id = 3, .name = "test.Array", .fields = {{.name = "a", .type = 2, .is_array = true}}},
    };
    static const uint8_t bytes[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    types_fixture f;
    types_fixture_init(&f, types, 2);
    assert_int_equal(f.layout_err, LP_OK);
    jfr_cursor cursor = {bytes, bytes + sizeof(bytes)};
    uint32_t type = jfr_metadata_find_type(&f.metadata, 3);
    assert_true(jfr_layout_walk(&f.layout, f.layout.types.items[type], &cursor));
    assert_int_equal(jfr_cursor_left(&cursor), 0);
    types_fixture_fini(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events_are_walked_to_their_end),
        cmocka_unit_test(test_arrays_structures_and_string_constants),
        cmocka_unit_test(test_every_primitive_has_its_width),
        cmocka_unit_test(test_numbers_of_the_chunk_have_ops_of_their_own),
        cmocka_unit_test(test_a_field_of_an_unknown_type_ends_the_walk),
        cmocka_unit_test(test_structures_within_themselves_are_refused),
        cmocka_unit_test(test_structures_that_explode_are_refused),
        cmocka_unit_test(test_huge_arrays_end_with_the_bytes),
        cmocka_unit_test(test_huge_arrays_of_nothing_end_soon),
    };
    return cmocka_run_group_tests_name("jfr_layout", tests, NULL, NULL);
}
