// SPDX-License-Identifier: Apache-2.0
// The type of dev.loupe.Accounting where the input has types of that name, or uses its id: the
// input's is taken if it is what Loupe writes, and all types of the output have ids of their own.
// compact_session reads the accounts themselves.

#include "compact_session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char name[] = "dev.loupe.Accounting";

#define DROP_PLAIN "<event name='test.Plain'><setting name='enabled'>false</setting></event>"
#define NUMBER(field)                                                                              \
    {                                                                                              \
        .name = (field), .type = JFR_SAMPLE_LONG                                                   \
    }

// What Loupe writes.
static const jfr_build_type accounting = {.name = name,
    .super = "jdk.jfr.Event",
    .fields = {NUMBER("startTime"), NUMBER("duration"),
        {.name = "eventType", .type = JFR_SAMPLE_STRING}, NUMBER("offered"), NUMBER("kept"),
        NUMBER("enabled"), NUMBER("threshold"), NUMBER("contextThreshold"), NUMBER("contextMatch"),
        NUMBER("contextThrottle"), NUMBER("select"), NUMBER("filter"), NUMBER("throttle"),
        NUMBER("damaged")}};

// run drops an event of the second chunk, which has these types besides: the first describes all.
static void
run(session *s, const jfr_build_type *more, size_t count)
{
    jfr_build_type *types = calloc(JFR_SAMPLE_TYPES_MAX + count, sizeof(*types));
    assert_non_null(types);
    size_t known = jfr_sample_types(types);
    memcpy(types + known, more, count * sizeof(*more));
    session_rules(s, DROP_PLAIN);
    session_chunk(s, 0);
    session_chunk(s, 100);
    jfr_build_metadata(session_build(s), 2, types, known + count);
    session_plain(s, GONE, 101, 102, 1);
    session_run(s);
    free(types);
}

// only_type_id gives the id of the output's one type of accounts.
static uint64_t
only_type_id(const session *s)
{
    const jfr_read *out = &s->outputs[1];
    const jfr_read_type *found = NULL;
    for (size_t i = 0; i < out->types.count; i++) {
        const jfr_read_type *type = &out->types.items[i];
        for (size_t k = 0; k < i; k++) {
            assert_true(type->id != out->types.items[k].id);
        }
        if (strcmp(type->name, name) == 0) {
            assert_null(found);
            found = type;
        }
    }
    assert_non_null(found);
    return found->id;
}

static void
test_the_type_of_the_input_is_taken(void **state)
{
    session *s = *state;
    jfr_build_type types[2] = {accounting, accounting};
    types[0].id = 600;
    types[1].id = 601;
    types[0].fields[8].name = "moon"; // of another version
    run(s, types, 2);
    assert_int_equal(only_type_id(s), 601);
}

// What is no event's type has no events.
static void
test_a_type_that_can_have_no_events_is_not_taken(void **state)
{
    static const struct {
        const char *super;
    } rows[] = {{NULL}, {"jdk.jfr.Control"}};
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        session *s = session_create();
        jfr_build_type type = accounting;
        type.id = 600;
        type.super = rows[i].super;
        run(s, &type, 1);
        assert_true(only_type_id(s) > 1 << 27);
        session_destroy(s);
    }
}

// The ids from first on, and the accounts' own; the input lacks the annotations that these need.
static void
test_all_types_have_ids_of_their_own(void **state)
{
    enum { IDS = 1024, FIRST = 1 << 27 };
    (void)state;
    jfr_build_type *types = calloc(IDS, sizeof(*types));
    assert_non_null(types);
    for (size_t first = 0; first < 32; first++) {
        session *s = session_create();
        for (size_t i = first; i < IDS; i++) {
            types[i] = (jfr_build_type){.id = FIRST + i, .name = "test.Taken"};
        }
        run(s, types + first, IDS - first);
        (void)only_type_id(s);
        session_destroy(s);
    }
    free(types);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_the_type_of_the_input_is_taken),
        cmocka_unit_test(test_a_type_that_can_have_no_events_is_not_taken),
        cmocka_unit_test(test_all_types_have_ids_of_their_own),
    };
    return cmocka_run_group_tests_name("compact_accounts", tests, NULL, NULL);
}
