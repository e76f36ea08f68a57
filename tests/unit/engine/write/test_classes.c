// SPDX-License-Identifier: Apache-2.0
// The types of a metadata event: used ones with all that they name, those that readers look for,
// and those that Loupe adds, with ids of their own. jfr_read reads the output.

#include "support/jfr_build.h"
#include "support/jfr_read.h"

#include "common/jfr/jfr_chunk.h"
#include "engine/write/classes.h"
#include "engine/write/describe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum {
    LONG = 11,
    POINT = 41,
    MARK = 50,
    EVENT = 101,
    OTHER = 102,
    SYMBOL = 60,
    IN_THE_WAY = (1 << 27) + 1024 + 7, // the id of the event type of context type 7
};

static const jfr_build_type types[] = {
    {.id = LONG, .name = "long"},
    {.id = SYMBOL, .name = "jdk.types.Symbol"},
    {.id = MARK, .name = "test.Mark", .super = "java.lang.annotation.Annotation"},
    {.id = POINT,
        .name = "test.Point",
        .fields = {{.name = "x", .type = LONG, .annotation = MARK}}},
    {.id = EVENT,
        .name = "test.Event",
        .super = "jdk.jfr.Event",
        .fields = {{.name = "at", .type = POINT}}},
    {.id = OTHER, .name = "test.Other", .super = "jdk.jfr.Event"},
    {.id = IN_THE_WAY, .name = "test.InTheWay"},
};

static const ctx_type shop = {.id = 7,
    .name = "shop",
    .label = "",
    .description = "",
    .attribute_count = 2,
    .attributes = {{.kind = CTX_LONG, .name = "number", .label = "", .description = ""},
        {.kind = CTX_STRING, .name = "duration", .label = "", .description = ""}}};

typedef struct fixture {
    jfr_build build;
    lp_arena arena;
    compact_classes classes;
    lp_buf chunk;
    jfr_read read;
} fixture;

static void
begin(fixture *f, const jfr_build_type *some, size_t count)
{
    *f = (fixture){0};
    jfr_build_begin(&f->build, &(jfr_build_clock){0});
    jfr_build_metadata(&f->build, 1, some, count);
    jfr_metadata metadata;
    jfr_metadata_init(&metadata);
    lp_slice payload = jfr_build_payload(&f->build, f->build.metadata_offset);
    assert_int_equal(jfr_metadata_add(&metadata, payload, NULL), LP_OK);
    assert_int_equal(jfr_metadata_resolve(&metadata, NULL), LP_OK);
    assert_int_equal(compact_classes_init(&f->classes, &f->arena, &metadata, NULL), LP_OK);
    jfr_metadata_fini(&metadata);
}

static void
use(fixture *f, uint64_t id)
{
    compact_classes_use(&f->classes, jfr_metadata_find_type(&f->classes.metadata, id));
}

// finish writes the metadata into a chunk of its own, and reads that.
static void
finish(fixture *f)
{
    jfr_chunk_info info = {.major = 2,
        .minor = 1,
        .ticks_per_s = 1000000000,
        .metadata_offset = JFR_CHUNK_HEADER_SIZE};
    assert_non_null(lp_buf_extend(&f->chunk, JFR_CHUNK_HEADER_SIZE));
    compact_classes_complete(&f->classes);
    compact_classes_append(&f->classes, 0, 1, &f->chunk);
    info.checkpoint_offset = f->chunk.len;
    static const uint8_t checkpoint[] = {7, 1, 0, 0, 0, 0, 0}; // without constants
    lp_buf_append(&f->chunk, checkpoint, sizeof(checkpoint));
    assert_int_equal(lp_arena_err(&f->arena), LP_OK);
    assert_int_equal(lp_buf_check(&f->chunk), LP_OK);
    info.size_bytes = f->chunk.len;
    jfr_chunk_encode(&info, f->chunk.ptr);
    jfr_read_open(&f->read, lp_buf_slice(&f->chunk));
}

static void
end(fixture *f)
{
    jfr_read_close(&f->read);
    lp_buf_fini(&f->chunk);
    compact_classes_fini(&f->classes);
    lp_arena_fini(&f->arena);
    jfr_build_fini(&f->build);
}

// expect_types expects exactly these, in any order.
static void
expect_types(const fixture *f, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (jfr_read_find_type(&f->read, names[i]) == NULL) {
            fail_msg("no type %s", names[i]);
        }
    }
    assert_int_equal(f->read.types.count, count);
}

static void
test_what_a_used_type_names_is_described(void **state)
{
    (void)state;
    static const char *const want[] = {
        "test.Event", "test.Point", "test.Mark", "long", "jdk.types.Symbol"};
    fixture f;
    begin(&f, types, sizeof(types) / sizeof(types[0]));
    use(&f, EVENT);
    use(&f, EVENT);
    finish(&f);
    expect_types(&f, want, 5); // readers look for the last two
    end(&f);
}

static void
test_there_is_a_type_even_where_none_is_used(void **state)
{
    (void)state;
    static const char *const want[] = {"long"};
    fixture f;
    begin(&f, &types[5], 1); // test.Other, which nobody looks for
    finish(&f);
    expect_types(&f, want, 1);
    end(&f);
}

static void
test_a_context_type_becomes_an_event_type(void **state)
{
    (void)state;
    static const char *const fields[] = {
        "startTime", "duration", "eventThread", "contextId", "number", "duration_2"};
    fixture f;
    begin(&f, types, 1); // long
    uint64_t id = compact_context_class_add(&f.classes, &shop);
    finish(&f);
    const jfr_read_type *type = jfr_read_find_type(&f.read, "shop");
    assert_non_null(type);
    assert_true(type->is_event);
    assert_int_equal(id, (1 << 27) + 1024 + 7);
    assert_int_equal(type->id, id);
    assert_int_equal(type->fields.count, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_string_equal(type->fields.items[i].name, fields[i]);
    }
    assert_int_equal(type->fields.items[4].type, LONG); // that of the input
    end(&f);
}

static void
test_an_added_type_whose_id_is_taken_gets_another(void **state)
{
    (void)state;
    fixture f;
    begin(&f, types, sizeof(types) / sizeof(types[0]));
    use(&f, IN_THE_WAY);
    uint64_t shop_id = compact_context_class_add(&f.classes, &shop);
    uint64_t next_id;
    (void)compact_classes_add(&f.classes, "next", COMPACT_CLASSES_EVENT, IN_THE_WAY, &next_id);
    finish(&f);
    assert_true(shop_id != IN_THE_WAY && shop_id != next_id);
    for (size_t i = 0; i < f.read.types.count; i++) {
        for (size_t k = 0; k < i; k++) {
            assert_true(f.read.types.items[i].id != f.read.types.items[k].id);
        }
    }
    assert_int_equal(jfr_read_find_type(&f.read, "shop")->id, shop_id);
    assert_int_equal(jfr_read_find_type(&f.read, "test.InTheWay")->id, IN_THE_WAY);
    end(&f);
}

static void
test_a_field_gets_its_annotation_with_a_type_for_it(void **state)
{
    (void)state;
    fixture f;
    begin(&f, types, sizeof(types) / sizeof(types[0]));
    use(&f, OTHER);
    uint32_t other = jfr_metadata_find_type(&f.classes.metadata, OTHER);
    uint32_t class = f.classes.metadata.types.items[other].element;
    (void)compact_describe_labelled_field(&f.classes, class, "n", "long", "");
    (void)compact_describe_labelled_field(&f.classes, class, "s", "java.lang.String", "Text");
    finish(&f);
    const jfr_read_type *type = jfr_read_find_type(&f.read, "test.Other");
    const jfr_read_type *label = jfr_read_find_type(&f.read, "jdk.jfr.Label");
    assert_non_null(label);
    assert_int_equal(type->fields.count, 2);
    assert_int_equal(type->fields.items[0].annotation_count, 0);
    assert_int_equal(type->fields.items[1].annotation_count, 1);
    assert_int_equal(type->fields.items[1].annotations[0], label->id);
    assert_string_equal(label->fields.items[0].name, "value");
    end(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_a_used_type_names_is_described),
        cmocka_unit_test(test_there_is_a_type_even_where_none_is_used),
        cmocka_unit_test(test_a_context_type_becomes_an_event_type),
        cmocka_unit_test(test_an_added_type_whose_id_is_taken_gets_another),
        cmocka_unit_test(test_a_field_gets_its_annotation_with_a_type_for_it),
    };
    return cmocka_run_group_tests_name("compact_classes", tests, NULL, NULL);
}
