// SPDX-License-Identifier: Apache-2.0
// Enumerations are told by name and shape; what an application makes any number of is none.

#include "types_fixture.h"

#include "common/jfr/jfr_enumeration.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { TEXT = 5, LONG = 6 };

static const struct {
    jfr_build_type type;
    bool is_enumeration;
} examples[] = {
    {{.id = 10, .name = "jdk.types.ThreadState", .fields = {{"name", TEXT}}}, true},
    {{.id = 11, .name = "jdk.types.FrameType", .fields = {{"description", TEXT}}}, true},
    {{.id = 12, .name = "jdk.types.GCCause", .fields = {{"cause", TEXT}}}, true},
    {{.id = 13, .name = "com.oracle.jfr.types.GCCause", .fields = {{"cause", TEXT}}}, true},
    {{.id = 14, .name = "profiler.types.LogLevel", .fields = {{"name", TEXT}}}, true},
    {{.id = 15, .name = "datadog.types.ExecutionMode", .fields = {{"name", TEXT}}}, true},
    {{.id = 20, .name = "jdk.types.Symbol", .fields = {{"string", TEXT}}}, false},
    {{.id = 21, .name = "com.oracle.jfr.types.Symbol", .fields = {{"string", TEXT}}}, false},
    {{.id = 22, .name = "profiler.types.AttributeValue", .fields = {{"value", TEXT}}}, false},
    {{.id = 23, .name = "test.types.State", .fields = {{"name", TEXT}}}, false},
    {{.id = 24, .name = "jdk.types.ThreadGroup", .fields = {{"parent", 24, true}, {"name", TEXT}}},
        false},
    {{.id = 25, .name = "jdk.types.Number", .fields = {{"number", LONG}}}, false},
    {{.id = 26, .name = "jdk.types.Key", .fields = {{"name", TEXT, true}}}, false},
    {{.id = 27, .name = "jdk.types.Names", .fields = {{"names", TEXT, false, true}}}, false},
    {{.id = 28, .name = "jdk.types.Unknown", .fields = {{"name", 999}}}, false},
    {{.id = 29, .name = "jdk.types.Empty"}, false},
    {{.id = 30, .name = "jdk.types.Event", .super = "jdk.jfr.Event", .fields = {{"name", TEXT}}},
        false},
    {{.id = TEXT, .name = "java.lang.String"}, false},
    {{.id = LONG, .name = "long"}, false},
};
enum { COUNT = sizeof(examples) / sizeof(examples[0]) };

static void
test_enumerations_are_told_by_name_and_shape(void **state)
{
    (void)state;
    jfr_build_type types[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        types[i] = examples[i].type;
    }
    types_fixture f;
    types_fixture_init(&f, types, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        uint32_t type = jfr_metadata_find_type(&f.metadata, examples[i].type.id);
        assert_int_equal(jfr_enumeration_is(&f.metadata, type), examples[i].is_enumeration);
    }
    types_fixture_fini(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_enumerations_are_told_by_name_and_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
