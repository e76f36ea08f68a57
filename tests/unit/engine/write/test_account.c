// SPDX-License-Identifier: Apache-2.0
// The type of dev.loupe.Accounting if the input has types of that name, or uses its id. Loupe uses
// the input's if the fields are the same, and each type of the output has its own id. The list of
// types in the event is compared with texts written by hand. compact_session reads the accounts
// themselves.

#include "unit/engine/compact_session.h"

#include "engine/write/account.h"

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
    .fields = {NUMBER("startTime"), NUMBER("duration"), NUMBER("offered"), NUMBER("kept"),
        NUMBER("withheld"), NUMBER("enabled"), NUMBER("threshold"), NUMBER("contextThreshold"),
        NUMBER("contextMatch"), NUMBER("contextThrottle"), NUMBER("select"), NUMBER("filter"),
        NUMBER("throttle"), NUMBER("damaged"), {.name = "eventTypes", .type = JFR_SAMPLE_STRING}}};

// What another version may write, under this id.
static const jfr_build_type other = {.name = name,
    .id = (1 << 27) + 1023 - 9,
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

// Such a type has events in some chunks of a file and not in others, and readers know types by
// their ids over all of them.
static void
test_a_type_of_another_version_is_another_one(void **state)
{
    (void)state;
    uint64_t ids[2];
    for (size_t count = 0; count < 2; count++) {
        session *s = session_create();
        run(s, &other, count);
        ids[count] = only_type_id(s);
        session_destroy(s);
    }
    assert_int_equal(ids[0], ids[1]);
    assert_true(ids[0] < other.id);
}

// Types without events have no events.
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

static void
assert_types(const compact_account *account, const char *want)
{
    assert_false(account->types.is_failed);
    assert_int_equal(account->types.len, strlen(want));
    assert_memory_equal(account->types.ptr, want, strlen(want));
}

static void
test_types_are_listed_with_their_numbers_and_summed(void **state)
{
    (void)state;
    compact_account account = {0};
    compact_dropped dropped = {{0}};
    compact_account_add(&account, "a.AllKept", 5, &dropped);
    assert_int_equal(account.types.len, 0);
    assert_int_equal(account.kept, 0);

    dropped.by[COMPACT_BY_THRESHOLD] = 9;
    dropped.by[COMPACT_BY_SELECT] = 8600;
    compact_account_add(&account, "jdk.ExecutionSample", 402, &dropped);
    assert_types(&account, "jdk.ExecutionSample offered=9011 kept=402 threshold=9 select=8600");
    dropped.by[COMPACT_BY_THRESHOLD] = 11;
    dropped.by[COMPACT_BY_SELECT] = 0;
    compact_account_add(&account, "jdk.JavaMonitorEnter", 0, &dropped);
    assert_types(&account, "jdk.ExecutionSample offered=9011 kept=402 threshold=9 select=8600; "
                           "jdk.JavaMonitorEnter offered=11 threshold=11");
    assert_int_equal(account.kept, 402);
    assert_int_equal(account.dropped.by[COMPACT_BY_THRESHOLD], 20);
    assert_int_equal(account.dropped.by[COMPACT_BY_SELECT], 8600);
    assert_int_equal(compact_dropped_sum(&account.dropped), 8620);
    compact_account_fini(&account);
}

static void
test_each_reason_has_its_key(void **state)
{
    (void)state;
    compact_account account = {0};
    compact_dropped dropped;
    for (uint64_t i = 0; i < COMPACT_REASON_COUNT; i++) {
        dropped.by[i] = i + 1;
    }
    dropped.by[COMPACT_BY_DAMAGED] = 1000000000000;
    compact_account_add(&account, "a.B", 1, &dropped);
    assert_types(&account,
        "a.B offered=1000000000046 kept=1 withheld=1 enabled=2 threshold=3 contextThreshold=4 "
        "contextMatch=5 contextThrottle=6 select=7 filter=8 throttle=9 damaged=1000000000000");
    compact_account_fini(&account);
}

static void
test_names_hold_nothing_that_ends_them(void **state)
{
    static const struct {
        const char *name;
        const char *listed;
    } rows[] = {
        {"", ""},
        {"a b", "a%20b"},
        {"a; b offered=7", "a%3B%20b%20offered=7"},
        {"%20", "%2520"},
        {"\x01\t\n\x1f\x7f", "%01%09%0A%1F%7F"},
        {"caf\xc3\xa9.=\"!~", "caf\xc3\xa9.=\"!~"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        compact_account account = {0};
        char want[64];
        compact_dropped dropped = {{0}};
        dropped.by[COMPACT_BY_ENABLED] = 3;
        compact_account_add(&account, rows[i].name, 0, &dropped);
        (void)snprintf(want, sizeof(want), "%s offered=3 enabled=3", rows[i].listed);
        assert_types(&account, want);
        compact_account_fini(&account);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_the_type_of_the_input_is_taken),
        cmocka_unit_test(test_a_type_of_another_version_is_another_one),
        cmocka_unit_test(test_a_type_that_can_have_no_events_is_not_taken),
        cmocka_unit_test(test_all_types_have_ids_of_their_own),
        cmocka_unit_test(test_types_are_listed_with_their_numbers_and_summed),
        cmocka_unit_test(test_each_reason_has_its_key),
        cmocka_unit_test(test_names_hold_nothing_that_ends_them),
    };
    return cmocka_run_group_tests_name("compact_accounts", tests, NULL, NULL);
}
