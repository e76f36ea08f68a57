// SPDX-License-Identifier: Apache-2.0
// What a recording says was dropped, against what the test wrote, byte by byte: lists of types,
// sums over chunks and passes, reasons of other versions, types of that name that Loupe did not
// write, and damage.

#include "support/jfr_build.h"

#include "offline/event_tally.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { ID_LONG = 8, ID_STRING = 9, ID_EVENT = 70000, ID_ACCOUNTING = (1 << 27) + 5 };

// A recording of the type a.Kept, and of accounts.
static const jfr_build_type types[] = {
    {.id = ID_LONG, .name = "long"},
    {.id = ID_STRING, .name = "java.lang.String"},
    {.id = ID_EVENT,
        .name = "a.Kept",
        .super = "jdk.jfr.Event",
        .fields = {{.name = "startTime", .type = ID_LONG}}},
    {.id = ID_ACCOUNTING,
        .name = "dev.loupe.Accounting",
        .super = "jdk.jfr.Event",
        .fields = {{.name = "startTime", .type = ID_LONG}, {.name = "duration", .type = ID_LONG},
            {.name = "moon", .type = ID_LONG}, {.name = "select", .type = ID_LONG},
            {.name = "eventTypes", .type = ID_STRING}, {.name = "offered", .type = ID_LONG}}},
};
enum { TYPES = sizeof(types) / sizeof(types[0]), ACCOUNTING = TYPES - 1 };

static void
begin(jfr_build *build, const jfr_build_type *described)
{
    jfr_build_begin(build, &(jfr_build_clock){0});
    jfr_build_metadata(build, 1, described, TYPES);
}

// add_list_of writes an account with a list, and sums that are not to be added to it, and gives its
// offset.
static size_t
add_list_of(jfr_build *build, uint64_t id, const char *list)
{
    for (uint64_t i = 0; i < 4; i++) {
        jfr_build_varint(&build->payload, 7000 + i);
    }
    jfr_build_string(&build->payload, list);
    jfr_build_varint(&build->payload, 9000);
    return jfr_build_event(build, id);
}

static size_t
add_list(jfr_build *build, const char *list)
{
    return add_list_of(build, ID_ACCOUNTING, list);
}

// add_account writes an account of one type.
static size_t
add_account(
    jfr_build *build, const char *type, uint64_t throttled, uint64_t unmatched, uint64_t on_moon)
{
    char list[200];
    (void)snprintf(list, sizeof(list),
        "%s offered=9 kept=7 throttle=%" PRIu64 " contextMatch=%" PRIu64 " moon=%" PRIu64, type,
        throttled, unmatched, on_moon);
    return add_list(build, list);
}

static void
add_event(jfr_build *build)
{
    jfr_build_varint(&build->payload, 150);
    (void)jfr_build_event(build, ID_EVENT);
}

// add_chunk ends build.
static lp_err
add_chunk(event_tally *tally, jfr_build *build, lp_problem *problem)
{
    lp_slice chunk = jfr_build_finish(build);
    jfr_chunk_info info;
    assert_int_equal(jfr_chunk_parse(chunk, &info, NULL), LP_OK);
    lp_err err = event_tally_add(tally, &info, chunk, problem);
    jfr_build_fini(build);
    return err;
}

static void
assert_dropped(
    const account_tally_dropped *dropped, uint64_t throttled, uint64_t unmatched, uint64_t on_moon)
{
    assert_int_equal(dropped->known.by[COMPACT_BY_THROTTLE], throttled);
    assert_int_equal(dropped->known.by[COMPACT_BY_CONTEXT_MATCH], unmatched);
    assert_int_equal(dropped->unknown, on_moon);
    assert_int_equal(account_tally_sum(dropped), throttled + unmatched + on_moon);
}

static void
assert_account(const event_tally *tally, const char *name, uint64_t throttled, uint64_t unmatched,
    uint64_t on_moon)
{
    const account_tally_type *type = account_tally_find(&tally->accounts, name);
    assert_non_null(type);
    assert_string_equal(type->name, name);
    assert_dropped(&type->dropped, throttled, unmatched, on_moon);
}

static void
test_accounts_are_summed_by_type(void **state)
{
    (void)state;
    event_tally tally;
    assert_int_equal(event_tally_init(&tally), LP_OK);
    for (uint64_t i = 1; i <= 3; i++) {
        jfr_build build;
        begin(&build, types);
        (void)add_account(&build, "a.Kept", i, 10, 0);
        add_event(&build);
        (void)add_account(&build, "a.Gone", 0, 0, 100 * i);
        (void)add_account(&build, "a.Kept", 1000, 0, 0); // of an earlier pass
        assert_int_equal(add_chunk(&tally, &build, NULL), LP_OK);
    }
    event_tally_finish(&tally);
    assert_int_equal(tally.accounts.types.count, 2);
    assert_account(&tally, "a.Kept", 3006, 30, 0);
    assert_account(&tally, "a.Gone", 0, 0, 600);
    const account_tally_dropped total = account_tally_get_total(&tally.accounts);
    assert_dropped(&total, 3006, 30, 600);
    assert_null(account_tally_find(&tally.accounts, "dev.loupe.Accounting"));

    // Most events first; and the type of which nothing is left is there, once.
    static const char *const names[] = {"dev.loupe.Accounting", "a.Kept", "jdk.Metadata", "a.Gone"};
    static const uint64_t events[] = {9, 3, 3, 0};
    assert_int_equal(tally.types.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(tally.types.items[i].name, names[i]);
        assert_int_equal(tally.types.items[i].events, events[i]);
    }
    event_tally_fini(&tally);
}

static void
test_lists_are_summed_by_type(void **state)
{
    (void)state;
    event_tally tally;
    assert_int_equal(event_tally_init(&tally), LP_OK);
    for (uint64_t i = 1; i <= 3; i++) {
        jfr_build build;
        begin(&build, types);
        (void)add_list(&build, "a.Kept offered=160 kept=50 throttle=100 contextMatch=10; "
                               "a.Gone offered=7 moon=4 throttle=3");
        (void)add_account(&build, "a.Kept", i, 0, 0);
        (void)add_list(&build, "b offered=18446744073709551615 moon=1000000000000; "
                               "a.Kept moon=2; a.Kept sun=3");
        assert_int_equal(add_chunk(&tally, &build, NULL), LP_OK);
    }
    assert_int_equal(tally.accounts.types.count, 3);
    assert_account(&tally, "a.Kept", 306, 30, 15);
    assert_account(&tally, "a.Gone", 9, 0, 12);
    assert_account(&tally, "b", 0, 0, 3000000000000);
    event_tally_fini(&tally);
}

static void
test_names_in_lists_may_hold_anything(void **state)
{
    static const struct {
        const char *listed;
        const char *name;
    } rows[] = {
        {"", ""},
        {"a%20b", "a b"},
        {"a%3B%20b%20throttle=7", "a; b throttle=7"},
        {"%2520", "%20"},
        {"%01%09%0a%1F%7f", "\x01\t\n\x1f\x7f"},
        {"caf\xc3\xa9.=\"!~", "caf\xc3\xa9.=\"!~"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        event_tally tally;
        jfr_build build;
        char list[64];
        assert_int_equal(event_tally_init(&tally), LP_OK);
        begin(&build, types);
        (void)snprintf(list, sizeof(list), "%s throttle=1; c throttle=2", rows[i].listed);
        (void)add_list(&build, list);
        assert_int_equal(add_chunk(&tally, &build, NULL), LP_OK);
        assert_account(&tally, rows[i].name, 1, 0, 0);
        assert_account(&tally, "c", 2, 0, 0);
        assert_int_equal(tally.accounts.types.count, 2);
        event_tally_fini(&tally);
    }
}

// The accounts before it are counted, and what of the list comes before the fault.
static void
test_a_list_that_is_none_is_damage(void **state)
{
    static const char *const faults[] = {"", " ", "b", "b ", "b;", "b throttle",
        "b throttle=", "b throttle=x", "b throttle=-1", "b throttle=+1", "b throttle= 1",
        "b throttle=1 ", "b throttle=1x", "b throttle=18446744073709551616", "b =1",
        "b  throttle=1", "b throttle=1;", "b throttle=1; ", "b throttle=1;c throttle=1",
        "b throttle=1;; c throttle=1", "b;c throttle=1", "b throttle==1", "%2 throttle=1",
        "% throttle=1", "%2g throttle=1", "%00 throttle=1", "%80 throttle=1", "%FF throttle=1"};
    (void)state;
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
        event_tally tally;
        jfr_build build;
        char list[64];
        assert_int_equal(event_tally_init(&tally), LP_OK);
        begin(&build, types);
        (void)add_account(&build, "a.Kept", 1, 2, 3);
        (void)snprintf(list, sizeof(list), "a.Kept throttle=4; %s", faults[i]);
        size_t offset = add_list(&build, list);
        lp_problem problem = {0};
        assert_int_equal(add_chunk(&tally, &build, &problem), LP_ECORRUPT);
        assert_true(problem.has_offset);
        assert_int_equal(problem.offset, offset);
        assert_account(&tally, "a.Kept", 5, 2, 3);
        event_tally_fini(&tally);
    }
}

static void
test_a_list_of_many_types_is_read(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    event_tally tally;
    jfr_build build;
    lp_buf list = {0};
    char text[64];
    assert_int_equal(event_tally_init(&tally), LP_OK);
    for (unsigned i = 0; i < COUNT; i++) {
        int length =
            snprintf(text, sizeof(text), "%st.T%u throttle=%u", i > 0 ? "; " : "", i, i + 1);
        lp_buf_append(&list, text, (size_t)length);
    }
    lp_buf_append(&list, "", 1);
    begin(&build, types);
    (void)add_list(&build, (const char *)list.ptr);
    assert_int_equal(add_chunk(&tally, &build, NULL), LP_OK);
    assert_int_equal(tally.accounts.types.count, COUNT);
    for (unsigned i = 0; i < COUNT; i++) {
        (void)snprintf(text, sizeof(text), "t.T%u", i);
        assert_account(&tally, text, i + 1, 0, 0);
    }
    lp_buf_fini(&list);
    event_tally_fini(&tally);
}

// One that has been compacted by two versions, which have each their own reasons.
static void
test_accounts_of_two_versions_are_added(void **state)
{
    (void)state;
    jfr_build_type described[TYPES + 1];
    jfr_build build;
    event_tally tally;
    assert_int_equal(event_tally_init(&tally), LP_OK);
    memcpy(described, types, sizeof(types));
    described[TYPES] = types[ACCOUNTING];
    described[TYPES].id = ID_ACCOUNTING - 1;
    described[TYPES].fields[2].name = "sun";
    jfr_build_begin(&build, &(jfr_build_clock){0});
    jfr_build_metadata(&build, 1, described, TYPES + 1);
    (void)add_account(&build, "a.Kept", 1, 2, 4);
    (void)add_list_of(&build, ID_ACCOUNTING - 1, "a.Kept throttle=10 contextMatch=20 sun=40");
    assert_int_equal(add_chunk(&tally, &build, NULL), LP_OK);
    assert_account(&tally, "a.Kept", 11, 22, 44);
    event_tally_fini(&tally);
}

static void
test_many_types_are_told_apart(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    event_tally tally;
    jfr_build build;
    char name[32];
    assert_int_equal(event_tally_init(&tally), LP_OK);
    begin(&build, types);
    for (uint64_t round = 0; round < 2; round++) {
        for (uint64_t i = 0; i < COUNT; i++) {
            (void)snprintf(name, sizeof(name), "t.T%u", (unsigned)i);
            (void)add_account(&build, name, i, round, 0);
        }
    }
    assert_int_equal(add_chunk(&tally, &build, NULL), LP_OK);
    for (uint64_t i = 0; i < COUNT; i++) {
        (void)snprintf(name, sizeof(name), "t.T%u", (unsigned)i);
        assert_account(&tally, name, 2 * i, 1, 0);
    }
    assert_int_equal(tally.accounts.types.count, COUNT);
    event_tally_fini(&tally);
}

static void
test_events_of_that_name_that_are_no_accounts_are_not_read(void **state)
{
    (void)state;
    static const struct {
        size_t field;
        jfr_build_field other;
    } rows[] = {
        {4, {.name = "eventTypes", .type = ID_STRING, .is_constant = true}},
        {4, {.name = "eventTypes", .type = ID_STRING, .is_array = true}},
        {4, {.name = "event", .type = ID_STRING}},
        {4, {.name = "eventTypes", .type = ID_LONG}},
        {5, {.name = "offered", .type = ID_EVENT}},
        {5, {.name = "offered", .type = 12345}}, // that nothing describes
        {5, {.name = "note", .type = ID_STRING}},
        {5, {.name = "eventTypes", .type = ID_STRING}},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        jfr_build_type described[TYPES];
        event_tally tally;
        jfr_build build;
        assert_int_equal(event_tally_init(&tally), LP_OK);
        memcpy(described, types, sizeof(types));
        described[ACCOUNTING].fields[rows[i].field] = rows[i].other;
        begin(&build, described);
        (void)add_account(&build, "a.Kept", 1, 2, 3);
        assert_int_equal(add_chunk(&tally, &build, NULL), LP_OK);
        assert_int_equal(tally.accounts.types.count, 0);
        event_tally_fini(&tally);
    }
}

// The events of the chunk are counted all the same, and the accounts before it.
static void
test_an_account_that_cannot_be_read_is_damage(void **state)
{
    (void)state;
    for (size_t bytes = 0; bytes < 5; bytes++) {
        event_tally tally;
        jfr_build build;
        assert_int_equal(event_tally_init(&tally), LP_OK);
        begin(&build, types);
        (void)add_account(&build, "a.Kept", 1, 2, 3);
        for (size_t i = 0; i < bytes; i++) {
            jfr_build_varint(&build.payload, 3); // the last is a text of more bytes than there are
        }
        size_t offset = jfr_build_event(&build, ID_ACCOUNTING);
        add_event(&build);
        lp_problem problem = {0};
        assert_int_equal(add_chunk(&tally, &build, &problem), LP_ECORRUPT);
        assert_true(problem.has_offset);
        assert_int_equal(problem.offset, offset);
        assert_non_null(strstr(problem.text, "dev.loupe.Accounting"));
        event_tally_finish(&tally);
        assert_account(&tally, "a.Kept", 1, 2, 3);
        assert_string_equal(tally.types.items[1].name, "a.Kept");
        assert_int_equal(tally.types.items[1].events, 1);
        event_tally_fini(&tally);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accounts_are_summed_by_type),
        cmocka_unit_test(test_lists_are_summed_by_type),
        cmocka_unit_test(test_names_in_lists_may_hold_anything),
        cmocka_unit_test(test_a_list_that_is_none_is_damage),
        cmocka_unit_test(test_a_list_of_many_types_is_read),
        cmocka_unit_test(test_accounts_of_two_versions_are_added),
        cmocka_unit_test(test_many_types_are_told_apart),
        cmocka_unit_test(test_events_of_that_name_that_are_no_accounts_are_not_read),
        cmocka_unit_test(test_an_account_that_cannot_be_read_is_damage),
    };
    return cmocka_run_group_tests_name("account_tally", tests, NULL, NULL);
}
