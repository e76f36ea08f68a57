// SPDX-License-Identifier: Apache-2.0
// Metadata events: the types they describe, several in one chunk, additions, and what is refused:
// every truncation, indexes and nesting out of bounds.

#include "support/exact_copy.h"
#include "types_fixture.h"

#include "common/jfr/jfr_metadata.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void
read_sample(jfr_metadata *metadata)
{
    jfr_build build;
    jfr_sample_begin(&build, 0);
    jfr_metadata_init(metadata);
    lp_problem problem;
    lp_slice payload = jfr_build_payload(&build, build.metadata_offset);
    assert_int_equal(jfr_metadata_add(metadata, payload, &problem), LP_OK);
    jfr_build_fini(&build); // what was read is the reader's own
    assert_int_equal(jfr_metadata_resolve(metadata, &problem), LP_OK);
}

static void
test_types_and_fields_are_as_described(void **state)
{
    (void)state;
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX];
    size_t count = jfr_sample_types(types);
    jfr_metadata metadata;
    read_sample(&metadata);
    assert_int_equal(metadata.id, 1);
    assert_int_equal(metadata.types.count, count);
    for (size_t i = 0; i < count; i++) {
        uint32_t index = jfr_metadata_find_type(&metadata, types[i].id);
        assert_int_not_equal(index, JFR_NONE);
        assert_int_equal(jfr_metadata_find_type_named(&metadata, types[i].name), index);
        const jfr_type *type = &metadata.types.items[index];
        assert_string_equal(jfr_metadata_text(&metadata, type->name), types[i].name);
        bool is_event = types[i].super != NULL && strcmp(types[i].super, "jdk.jfr.Event") == 0;
        assert_int_equal(type->is_event, is_event);
        size_t k = 0;
        for (; k < JFR_BUILD_FIELDS_MAX && types[i].fields[k].name != NULL; k++) {
            const jfr_field *field = &metadata.fields.items[type->field_begin + k];
            assert_string_equal(jfr_metadata_text(&metadata, field->name), types[i].fields[k].name);
            assert_int_equal(field->is_constant, types[i].fields[k].is_constant);
            assert_int_equal(field->is_array, types[i].fields[k].is_array);
            assert_int_equal(metadata.types.items[field->type].id, types[i].fields[k].type);
            assert_int_equal(jfr_metadata_find_field(&metadata, type, types[i].fields[k].name),
                type->field_begin + k);
        }
        assert_int_equal(type->field_count, k);
        assert_int_equal(jfr_metadata_find_field(&metadata, type, "nosuch"), JFR_NONE);
    }
    assert_int_equal(jfr_metadata_find_type(&metadata, 4711), JFR_NONE);
    assert_int_equal(jfr_metadata_find_type_named(&metadata, "nosuch"), JFR_NONE);
    jfr_metadata_fini(&metadata);
}

// Metadata and checkpoints have these ids, whatever a chunk describes by them.
static void
test_built_in_ids_are_no_events(void **state)
{
    (void)state;
    static const jfr_build_type types[] = {
        {.id = 0, .name = "an.Event", .super = "jdk.jfr.Event", .annotation = 50},
        {.id = 1, .name = "jdk.ActiveSetting", .super = "jdk.jfr.Event", .annotation = 50},
        {.id = 2, .name = "another.Event", .super = "jdk.jfr.Event", .annotation = 50},
        {.id = 50, .name = "jdk.jfr.Contextual", .super = "java.lang.annotation.Annotation"},
    };
    jfr_build build;
    jfr_metadata metadata;
    jfr_build_begin(&build, &(jfr_build_clock){0});
    jfr_build_metadata(&build, 1, types, sizeof(types) / sizeof(types[0]));
    jfr_metadata_init(&metadata);
    assert_int_equal(
        jfr_metadata_add(&metadata, jfr_build_payload(&build, build.metadata_offset), NULL), LP_OK);
    assert_int_equal(jfr_metadata_resolve(&metadata, NULL), LP_OK);
    for (uint64_t id = 0; id <= 2; id++) {
        const jfr_type *type = &metadata.types.items[jfr_metadata_find_type(&metadata, id)];
        assert_int_equal(type->is_event, id == 2);
        assert_int_equal(type->is_contextual, id == 2);
    }
    jfr_metadata_fini(&metadata);
    jfr_build_fini(&build);
}

static void
test_contextual_types_are_known_by_their_annotation(void **state)
{
    (void)state;
    jfr_metadata metadata;
    read_sample(&metadata);
    for (size_t i = 0; i < metadata.types.count; i++) {
        const jfr_type *type = &metadata.types.items[i];
        bool is_contextual = type->id == JFR_SAMPLE_TRACE || type->id == JFR_SAMPLE_SPAN ||
                             type->id == JFR_SAMPLE_UNUSED;
        assert_int_equal(type->is_contextual, is_contextual);
    }
    jfr_metadata_fini(&metadata);
}

static void
test_the_simple_name_of_the_annotation_counts(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool is_contextual;
    } annotations[] = {
        {"jdk.jfr.Contextual", true},
        {"dev.loupe.Contextual", true},
        {"Contextual", true},
        {"outer.Class$Contextual", true},
        {"my.NotContextual", false},
        {"my.Contextual2", false},
        {"Contextual.other", false},
    };
    for (size_t i = 0; i < sizeof(annotations) / sizeof(annotations[0]); i++) {
        jfr_build_type types[] = {
            {.id = 7, .name = "an.Event", .super = "jdk.jfr.Event", .annotation = 50},
            {.id = 50, .name = annotations[i].name, .super = "java.lang.annotation.Annotation"},
        };
        jfr_build build;
        jfr_metadata metadata;
        jfr_build_begin(&build, &(jfr_build_clock){0});
        jfr_build_metadata(&build, 1, types, 2);
        jfr_metadata_init(&metadata);
        assert_int_equal(
            jfr_metadata_add(&metadata, jfr_build_payload(&build, build.metadata_offset), NULL),
            LP_OK);
        assert_int_equal(jfr_metadata_resolve(&metadata, NULL), LP_OK);
        print_message("  %s\n", annotations[i].name);
        assert_int_equal(metadata.types.items[jfr_metadata_find_type(&metadata, 7)].is_contextual,
            annotations[i].is_contextual);
        jfr_metadata_fini(&metadata);
        jfr_build_fini(&build);
    }
}

// Its fields are contextual, so that readers show them; a request is no context all the same.
static void
test_the_type_of_requests_is_not_contextual(void **state)
{
    (void)state;
    const jfr_build_type types[] = {
        {.id = 7,
            .name = "dev.loupe.Request",
            .super = "jdk.jfr.Event",
            .fields = {{.name = "id", .type = 20, .annotation = 50}}},
        {.id = 8,
            .name = "shop.Request",
            .super = "jdk.jfr.Event",
            .fields = {{.name = "id", .type = 20, .annotation = 50}}},
        {.id = 20, .name = "java.lang.String"},
        {.id = 50, .name = "jdk.jfr.Contextual", .super = "java.lang.annotation.Annotation"},
    };
    jfr_build build;
    jfr_metadata metadata;
    jfr_build_begin(&build, &(jfr_build_clock){0});
    jfr_build_metadata(&build, 1, types, 4);
    jfr_metadata_init(&metadata);
    assert_int_equal(
        jfr_metadata_add(&metadata, jfr_build_payload(&build, build.metadata_offset), NULL), LP_OK);
    assert_int_equal(jfr_metadata_resolve(&metadata, NULL), LP_OK);
    const jfr_type *request = &metadata.types.items[jfr_metadata_find_type(&metadata, 7)];
    const jfr_type *other = &metadata.types.items[jfr_metadata_find_type(&metadata, 8)];
    assert_false(request->is_contextual);
    assert_true(metadata.fields.items[request->field_begin].is_contextual);
    assert_true(other->is_contextual);
    jfr_metadata_fini(&metadata);
    jfr_build_fini(&build);
}

static void
test_of_two_metadata_events_the_later_counts(void **state)
{
    (void)state;
    static const jfr_build_type first[] = {
        {.id = 11, .name = "long"},
        {.id = 100, .name = "only.First", .super = "jdk.jfr.Event"},
        {.id = 101,
            .name = "both.Old",
            .super = "jdk.jfr.Event",
            .fields = {{.name = "startTime", .type = 11}}},
    };
    static const jfr_build_type second[] = {
        {.id = 101,
            .name = "both.New",
            .super = "jdk.jfr.Event",
            .fields = {{.name = "startTime", .type = 11}, {.name = "more", .type = 11}}},
        {.id = 11, .name = "long"},
    };
    jfr_build build;
    jfr_metadata metadata;
    jfr_metadata_init(&metadata);
    jfr_build_begin(&build, &(jfr_build_clock){0});
    jfr_build_metadata(&build, 5, first, 3);
    assert_int_equal(
        jfr_metadata_add(&metadata, jfr_build_payload(&build, build.metadata_offset), NULL), LP_OK);
    jfr_build_metadata(&build, UINT64_MAX, second, 2);
    assert_int_equal(
        jfr_metadata_add(&metadata, jfr_build_payload(&build, build.metadata_offset), NULL), LP_OK);
    assert_int_equal(jfr_metadata_resolve(&metadata, NULL), LP_OK);
    assert_true(metadata.id == UINT64_MAX);
    assert_int_not_equal(jfr_metadata_find_type(&metadata, 100), JFR_NONE);
    const jfr_type *type = &metadata.types.items[jfr_metadata_find_type(&metadata, 101)];
    assert_string_equal(jfr_metadata_text(&metadata, type->name), "both.New");
    assert_int_equal(type->field_count, 2);
    jfr_metadata_fini(&metadata);
    jfr_build_fini(&build);
}

static void
test_every_truncation_is_refused(void **state)
{
    (void)state;
    jfr_build build;
    jfr_sample_begin(&build, 0);
    lp_slice payload = jfr_build_payload(&build, build.metadata_offset);
    for (size_t len = 0; len < payload.len; len++) {
        uint8_t *copy = exact_copy_make(payload.ptr, len);
        jfr_metadata metadata;
        lp_problem problem = {0};
        jfr_metadata_init(&metadata);
        assert_int_equal(jfr_metadata_add(&metadata, (lp_slice){copy, len}, &problem), LP_ECORRUPT);
        assert_true(!problem.has_offset || problem.offset <= len);
        assert_true(problem.text[0] != '\0');
        jfr_metadata_fini(&metadata);
        free(copy);
    }
    jfr_build_fini(&build);
}

static lp_err
read_bytes(const uint8_t *bytes, size_t count)
{
    jfr_metadata metadata;
    lp_problem problem;
    jfr_metadata_init(&metadata);
    lp_err err = jfr_metadata_add(&metadata, (lp_slice){bytes, count}, &problem);
    if (err == LP_OK) {
        err = jfr_metadata_resolve(&metadata, &problem);
    }
    jfr_metadata_fini(&metadata);
    return err;
}

#define READ(...) read_bytes((const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

static void
test_indexes_out_of_bounds_are_refused(void **state)
{
    (void)state;
    // time, duration, id, one string "a", then the root: name, attributes, children
    assert_int_equal(READ(0, 0, 1, 1, 3, 1, 'a', 0, 0, 0), LP_OK);
    assert_int_equal(READ(0, 0, 1, 1, 3, 1, 'a', 1, 0, 0), LP_ECORRUPT);       // name
    assert_int_equal(READ(0, 0, 1, 1, 3, 1, 'a', 0, 1, 1, 0, 0), LP_ECORRUPT); // key
    assert_int_equal(READ(0, 0, 1, 1, 3, 1, 'a', 0, 1, 0, 1, 0), LP_ECORRUPT); // value
    assert_int_equal(READ(0, 0, 1, 1, 2, 1, 0, 0, 0), LP_ECORRUPT); // a string that is a constant
    assert_int_equal(READ(0, 0, 1, 0xff, 0xff, 0xff, 0xff, 0x7f, 0), LP_ECORRUPT); // many strings
    assert_int_equal(
        READ(0, 0, 1, 1, 3, 1, 'a', 0, 0xff, 0xff, 0xff, 0xff, 0x7f, 0, 0), LP_ECORRUPT);
    assert_int_equal(READ(0, 0, 1, 1, 3, 1, 'a', 0, 0, 0xff, 0xff, 0xff, 0xff, 0x7f), LP_ECORRUPT);
}

static lp_err
read_nested(size_t depth)
{
    lp_buf bytes = {0};
    lp_buf_append(&bytes, "\0\0\1\1\3\1a", 7);
    for (size_t i = 1; i < depth; i++) {
        lp_buf_append(&bytes, "\0\0\1", 3); // one child
    }
    lp_buf_append(&bytes, "\0\0\0", 3);
    lp_err err = read_bytes(bytes.ptr, bytes.len);
    lp_buf_fini(&bytes);
    return err;
}

static void
test_nesting_has_a_limit(void **state)
{
    (void)state;
    assert_int_equal(read_nested(6), LP_OK);
    assert_int_equal(read_nested(JFR_ELEMENT_DEPTH_MAX), LP_OK);
    assert_int_equal(read_nested(JFR_ELEMENT_DEPTH_MAX + 1), LP_ECORRUPT);
    assert_int_equal(read_nested(100000), LP_ECORRUPT);
}

static void
test_the_tree_can_be_extended(void **state)
{
    (void)state;
    jfr_metadata metadata;
    read_sample(&metadata);
    static const char *const attributes[] = {"name", "x", "class", "11"};
    uint32_t parent =
        metadata.types.items[jfr_metadata_find_type(&metadata, JFR_SAMPLE_MARK)].element;
    uint32_t element = jfr_metadata_append_element(&metadata, parent, "field", attributes, 2);
    assert_int_not_equal(element, JFR_NONE);
    assert_int_equal(metadata.elements.items[parent].last_child, element);
    assert_string_equal(jfr_metadata_find_attribute(&metadata, element, "class"), "11");
    assert_null(jfr_metadata_find_attribute(&metadata, element, "constantPool"));
    uint32_t alone = jfr_metadata_append_element(&metadata, JFR_NONE, "class", attributes, 1);
    assert_int_not_equal(alone, JFR_NONE);
    assert_int_equal(metadata.elements.items[alone].first_child, JFR_NONE);
    jfr_metadata_fini(&metadata);
}

// Small ids become large ones and the other way round.
static uint64_t
other_id(const void *arg, uint64_t id)
{
    assert_ptr_equal(arg, NULL);
    return id % 2 == 0 ? id / 2 + 2 : UINT64_MAX - id;
}

// The same types described under the other ids from the start are what is expected.
static void
test_types_can_be_renumbered(void **state)
{
    (void)state;
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX];
    size_t count = jfr_sample_types(types);
    for (size_t i = 0; i < count; i++) {
        types[i].id = other_id(NULL, types[i].id);
        types[i].annotation = types[i].annotation == 0 ? 0 : other_id(NULL, types[i].annotation);
        types[i].setting = types[i].setting == 0 ? 0 : other_id(NULL, types[i].setting);
        for (size_t k = 0; k < JFR_BUILD_FIELDS_MAX && types[i].fields[k].name != NULL; k++) {
            jfr_build_field *field = &types[i].fields[k];
            field->type = other_id(NULL, field->type);
            field->annotation = field->annotation == 0 ? 0 : other_id(NULL, field->annotation);
        }
    }
    types_fixture want;
    types_fixture_init(&want, types, count);
    jfr_metadata metadata;
    read_sample(&metadata);
    assert_int_equal(jfr_metadata_renumber(&metadata, other_id, NULL), LP_OK);

    assert_int_equal(metadata.elements.count, want.metadata.elements.count);
    for (size_t i = 0; i < metadata.attributes.count; i++) {
        assert_string_equal(jfr_metadata_text(&metadata, metadata.attributes.items[i].key),
            jfr_metadata_text(&want.metadata, want.metadata.attributes.items[i].key));
        assert_string_equal(jfr_metadata_text(&metadata, metadata.attributes.items[i].value),
            jfr_metadata_text(&want.metadata, want.metadata.attributes.items[i].value));
    }
    for (uint64_t id = 0; id < 200; id++) {
        const uint64_t ids[] = {id, UINT64_MAX - id};
        for (size_t i = 0; i < 2; i++) {
            assert_int_equal(jfr_metadata_find_type(&metadata, ids[i]),
                jfr_metadata_find_type(&want.metadata, ids[i]));
        }
    }
    jfr_metadata_fini(&metadata);
    types_fixture_fini(&want);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types_and_fields_are_as_described),
        cmocka_unit_test(test_built_in_ids_are_no_events),
        cmocka_unit_test(test_contextual_types_are_known_by_their_annotation),
        cmocka_unit_test(test_the_simple_name_of_the_annotation_counts),
        cmocka_unit_test(test_the_type_of_requests_is_not_contextual),
        cmocka_unit_test(test_of_two_metadata_events_the_later_counts),
        cmocka_unit_test(test_every_truncation_is_refused),
        cmocka_unit_test(test_indexes_out_of_bounds_are_refused),
        cmocka_unit_test(test_nesting_has_a_limit),
        cmocka_unit_test(test_the_tree_can_be_extended),
        cmocka_unit_test(test_types_can_be_renumbered),
    };
    return cmocka_run_group_tests_name("jfr_metadata", tests, NULL, NULL);
}
