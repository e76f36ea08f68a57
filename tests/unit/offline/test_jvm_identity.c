// SPDX-License-Identifier: Apache-2.0
// Promised: two chunks have other types when one id has two names in them, and only then. Types are
// written byte by byte; damage must not be taken for other types.

#include "support/exact_copy.h"
#include "support/jfr_build.h"

#include "offline/jvm_identity.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { SMALL = 188, LARGE = 5000000, TYPES = 4 };

typedef struct pair {
    const char *what;
    jfr_build_type first[TYPES];
    jfr_build_type second[TYPES];
    bool is_other;
} pair;

static const pair pairs[] = {
    {"the same", {{.id = SMALL, .name = "a.A"}, {.id = LARGE, .name = "a.B"}},
        {{.id = SMALL, .name = "a.A"}, {.id = LARGE, .name = "a.B"}}, false},
    {"in another order", {{.id = SMALL, .name = "a.A"}, {.id = LARGE, .name = "a.B"}},
        {{.id = LARGE, .name = "a.B"}, {.id = SMALL, .name = "a.A"}}, false},
    {"new types, and types that are gone",
        {{.id = SMALL, .name = "a.A"}, {.id = LARGE, .name = "a.B"}},
        {{.id = SMALL, .name = "a.A"}, {.id = SMALL + 1, .name = "a.C"}}, false},
    {"one name of two loaders", {{.id = SMALL, .name = "a.A"}},
        {{.id = SMALL, .name = "a.A"}, {.id = LARGE, .name = "a.A"}}, false},
    {"nothing in common", {{.id = SMALL, .name = "a.A"}}, {{.id = LARGE, .name = "a.B"}}, false},
    {"a small id", {{.id = LARGE, .name = "a.B"}, {.id = SMALL, .name = "a.Thread"}},
        {{.id = SMALL, .name = "a.StackTrace"}, {.id = LARGE, .name = "a.B"}}, true},
    {"a large id", {{.id = SMALL, .name = "a.A"}, {.id = LARGE, .name = "a.B"}},
        {{.id = SMALL, .name = "a.A"}, {.id = LARGE, .name = "a.C"}}, true},
    {"an enumeration with another id", {{.id = SMALL, .name = "jdk.types.Phase"}},
        {{.id = LARGE, .name = "jdk.types.Phase"}}, true},
    {"an enumeration with one id", {{.id = SMALL, .name = "jdk.types.Phase"}},
        {{.id = SMALL, .name = "jdk.types.Phase"}, {.id = LARGE, .name = "a.A"}}, false},
    {"a longer name", {{.id = SMALL, .name = "a.A"}}, {{.id = SMALL, .name = "a.AA"}}, true},
};

static lp_slice
build_chunk(jfr_build *build, const jfr_build_type *types)
{
    size_t count = 0;
    while (count < TYPES && types[count].name != NULL) {
        count++;
    }
    jfr_build_begin(build, &(jfr_build_clock){0});
    jfr_build_metadata(build, 1, types, count);
    return jfr_build_finish(build);
}

static void
test_a_type_id_with_two_names_is_of_two_jvms(void **state)
{
    (void)state;
    jvm_identity_reader reader = {0};
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        jfr_build builds[2];
        lp_slice first = build_chunk(&builds[0], pairs[i].first);
        lp_slice second = build_chunk(&builds[1], pairs[i].second);
        if (jvm_identity_has_other_types(&reader, first, second) != pairs[i].is_other ||
            jvm_identity_has_other_types(&reader, second, first) != pairs[i].is_other) {
            fail_msg("%s", pairs[i].what);
        }
        jfr_build_fini(&builds[0]);
        jfr_build_fini(&builds[1]);
    }
    jvm_identity_reader_fini(&reader);
}

static void
test_what_is_cut_off_has_no_other_types(void **state)
{
    (void)state;
    jvm_identity_reader reader = {0};
    jfr_build builds[2];
    const pair *p = &pairs[sizeof(pairs) / sizeof(pairs[0]) - 1];
    lp_slice first = build_chunk(&builds[0], p->first);
    lp_slice second = build_chunk(&builds[1], p->second);
    for (size_t len = 0; len <= first.len; len++) { // the metadata is the last there is
        uint8_t *copy = exact_copy_make(first.ptr, len);
        lp_slice cut = {copy, len};
        assert_int_equal(jvm_identity_has_other_types(&reader, cut, second), len == first.len);
        assert_int_equal(jvm_identity_has_other_types(&reader, second, cut), len == first.len);
        free(copy);
    }
    jvm_identity_reader_fini(&reader);
    jfr_build_fini(&builds[0]);
    jfr_build_fini(&builds[1]);
}

// The types of the last few chunks are kept: whatever was asked before, the answer is the same.
static void
test_the_answer_does_not_depend_on_what_was_asked_before(void **state)
{
    (void)state;
    enum { NAMES = JVM_IDENTITY_KEPT + 1, COUNT = 2 * NAMES };
    jvm_identity_reader reader = {0};
    jfr_build builds[COUNT];
    lp_slice chunks[COUNT];
    for (size_t i = 0; i < COUNT; i++) { // two neighbours have the same types
        static const char *const names[NAMES] = {"a.A", "a.B", "a.C", "a.D", "a.E"};
        const jfr_build_type types[TYPES] = {{.id = SMALL, .name = names[i / 2 % NAMES]}};
        chunks[i] = build_chunk(&builds[i], types);
    }
    for (size_t step = 1; step < COUNT; step++) {
        for (size_t i = 0; i < COUNT; i++) {
            size_t other = (i + step) % COUNT;
            bool is_other = jvm_identity_has_other_types(&reader, chunks[i], chunks[other]);
            assert_int_equal(is_other, i / 2 % NAMES != other / 2 % NAMES);
        }
    }
    jvm_identity_reader_fini(&reader);
    for (size_t i = 0; i < COUNT; i++) {
        jfr_build_fini(&builds[i]);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_type_id_with_two_names_is_of_two_jvms),
        cmocka_unit_test(test_what_is_cut_off_has_no_other_types),
        cmocka_unit_test(test_the_answer_does_not_depend_on_what_was_asked_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
