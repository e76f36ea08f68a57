// SPDX-License-Identifier: Apache-2.0

// Sessions, on a simulated clock: each is found by its id only, under the present rules, until it
// expires; a full table ends a known one. And the limit on failed attempts.

#include "collector/access/access_logins.h"
#include "collector/base/metrics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const int64_t S_NS = 1000000000;
static const int64_t START_NS = 77 * 1000000000LL;

// Of "0123456789abcdef" and of "fedcba9876543210".
#define FIRST  "sha256:9f9f5111f7b27a781f1f1ddde5ebc2dd2b796bfc7365c9c28b548e564176929f"
#define SECOND "sha256:3465f6e6975baa864ca957f0914ecda9bf7eb601ac31ac20a5dc3d329279a843"

typedef char login_id[ACCESS_LOGIN_ID_CHARS + 1];

typedef struct fixture {
    access_rules *rules;
    access_logins *logins;
} fixture;

static access_rules *
parse(const char *text)
{
    access_rules *rules = NULL;
    assert_int_equal(access_rules_parse("tokens", (lp_slice){(const uint8_t *)text, strlen(text)},
                         false, &rules, NULL),
        LP_OK);
    return rules;
}

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    f->rules = parse("team read shop,bank " FIRST "\nops read,admin * " SECOND "\n");
    f->logins = access_logins_create();
    assert_non_null(f->logins);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    access_logins_destroy(f->logins);
    access_rules_unref(f->rules);
    assert_int_equal(metrics_get(METRICS_logins_active), 0);
    free(f);
    return 0;
}

static const access_rule *
rule_of(const fixture *f, const char *token)
{
    return access_rules_find_token(f->rules, (lp_slice){(const uint8_t *)token, strlen(token)});
}

static void
begin(const fixture *f, const char *token, int64_t now_ns, login_id out_id)
{
    assert_int_equal(access_logins_begin(f->logins, rule_of(f, token), now_ns, out_id), LP_OK);
}

static const char team[] = "0123456789abcdef";
static const char ops[] = "fedcba9876543210";

static void
test_a_session_is_found_by_its_id_alone(void **state)
{
    const fixture *f = *state;
    login_id ids[3];
    begin(f, team, START_NS, ids[0]);
    begin(f, ops, START_NS, ids[1]);
    begin(f, team, START_NS, ids[2]);
    assert_int_equal(metrics_get(METRICS_logins_active), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(strlen(ids[i]), 64);
        assert_int_equal(strspn(ids[i], "0123456789abcdef"), 64);
        assert_ptr_equal(access_logins_find(f->logins, f->rules, ids[i], START_NS),
            rule_of(f, i == 1 ? ops : team));
    }
    assert_string_not_equal(ids[0], ids[2]);
    login_id wrong;
    memcpy(wrong, ids[0], sizeof(wrong));
    wrong[63] = wrong[63] == '0' ? '1' : '0';
    char longer[70];
    (void)snprintf(longer, sizeof(longer), "%s0", ids[0]);
    const char *const none[] = {NULL, "", "0", wrong, longer, team};
    for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
        assert_null(access_logins_find(f->logins, f->rules, none[i], START_NS));
        access_logins_end(f->logins, none[i]);
    }
    assert_int_equal(metrics_get(METRICS_logins_active), 3);
    access_logins_end(f->logins, ids[0]);
    assert_null(access_logins_find(f->logins, f->rules, ids[0], START_NS));
    assert_non_null(access_logins_find(f->logins, f->rules, ids[2], START_NS));
    assert_int_equal(metrics_get(METRICS_logins_active), 2);
}

static void
test_a_session_that_is_not_used_ends(void **state)
{
    const fixture *f = *state;
    login_id used;
    login_id idle;
    begin(f, team, START_NS, used);
    begin(f, team, START_NS, idle);
    uint64_t ended = metrics_get(METRICS_logins_ended_time);
    int64_t now_ns = START_NS + ACCESS_LOGIN_IDLE_S_MAX * S_NS - 1;
    assert_non_null(access_logins_find(f->logins, f->rules, used, now_ns));
    assert_non_null(access_logins_find(f->logins, f->rules, used, now_ns + 1));
    assert_int_equal(metrics_get(METRICS_logins_ended_time), ended + 1);
    assert_null(access_logins_find(f->logins, f->rules, idle, now_ns));
    assert_int_equal(metrics_get(METRICS_logins_active), 1);
}

static void
test_a_session_that_is_used_all_the_time_ends_as_well(void **state)
{
    const fixture *f = *state;
    login_id id;
    begin(f, team, START_NS, id);
    int64_t end_ns = START_NS + ACCESS_LOGIN_TOTAL_S_MAX * S_NS;
    for (int64_t now_ns = START_NS; now_ns < end_ns; now_ns += 600 * S_NS) {
        assert_non_null(access_logins_find(f->logins, f->rules, id, now_ns));
    }
    assert_non_null(access_logins_find(f->logins, f->rules, id, end_ns - 1));
    assert_null(access_logins_find(f->logins, f->rules, id, end_ns));
}

static void
test_a_session_ends_with_its_line(void **state)
{
    const fixture *f = *state;
    static const struct {
        const char *rules;
        bool is_in;
    } cases[] = {
        {"ops read * " SECOND "\n# moved\n  team\tread shop,bank   " FIRST " # of today", true},
        {"", false}, {"other read shop,bank " FIRST, false},
        {"team read,admin shop,bank " FIRST, false}, {"team read shop " FIRST, false},
        {"team read shop,bank " SECOND, false}, // its name has another token
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        login_id id;
        begin(f, team, START_NS, id);
        access_rules *changed = parse(cases[i].rules);
        uint64_t ended = metrics_get(METRICS_logins_ended_rules);
        const access_rule *found = access_logins_find(f->logins, changed, id, START_NS);
        assert_int_equal(found != NULL, cases[i].is_in);
        assert_int_equal(metrics_get(METRICS_logins_ended_rules), ended + !cases[i].is_in);
        // Once over it stays so, when the line is back, too.
        found = access_logins_find(f->logins, f->rules, id, START_NS);
        assert_int_equal(found != NULL, cases[i].is_in);
        access_rules_unref(changed);
    }
}

static void
test_the_one_that_was_not_used_for_longest_makes_room(void **state)
{
    const fixture *f = *state;
    login_id first_of_ops;
    login_id ids[ACCESS_LOGINS_OF_LINE_MAX];
    begin(f, ops, START_NS, first_of_ops);
    for (int i = 0; i < ACCESS_LOGINS_OF_LINE_MAX; i++) {
        begin(f, team, START_NS + 1 + i, ids[i]);
    }
    assert_non_null(access_logins_find(f->logins, f->rules, ids[0], START_NS + 1000));
    login_id more;
    begin(f, team, START_NS + 1001, more);
    assert_int_equal(metrics_get(METRICS_logins_active), ACCESS_LOGINS_OF_LINE_MAX + 1);
    assert_null(access_logins_find(f->logins, f->rules, ids[1], START_NS + 1001));
    assert_non_null(access_logins_find(f->logins, f->rules, ids[0], START_NS + 1001));
    assert_non_null(access_logins_find(f->logins, f->rules, ids[2], START_NS + 1001));
    // Other identities are not affected.
    assert_non_null(access_logins_find(f->logins, f->rules, first_of_ops, START_NS + 1001));
}

static void
test_the_whole_table_has_a_limit(void **state)
{
    const fixture *f = *state;
    enum { LINES = ACCESS_LOGINS_MAX / ACCESS_LOGINS_OF_LINE_MAX + 1 };
    char text[LINES * 120] = "";
    for (int i = 0; i < LINES; i++) {
        (void)snprintf(
            text + strlen(text), sizeof(text) - strlen(text), "n%d read * sha256:%064x\n", i, i);
    }
    access_rules *many = parse(text);
    login_id first;
    login_id id;
    for (int i = 0; i <= ACCESS_LOGINS_MAX; i++) {
        access_key key = {.kind = ACCESS_TOKEN};
        key.hash[SECRET_HASH_BYTES - 1] = (uint8_t)(i / ACCESS_LOGINS_OF_LINE_MAX);
        assert_int_equal(access_logins_begin(f->logins, access_rules_find(many, &key), START_NS + i,
                             i == 0 ? first : id),
            LP_OK);
    }
    assert_int_equal(metrics_get(METRICS_logins_active), ACCESS_LOGINS_MAX);
    assert_null(access_logins_find(f->logins, many, first, START_NS + 2000));
    assert_non_null(access_logins_find(f->logins, many, id, START_NS + 2000));
    access_rules_unref(many);
}

static void
test_attempts_run_out_and_come_back(void **state)
{
    (void)state;
    static access_attempts attempts = {.mutex = PTHREAD_MUTEX_INITIALIZER};
    int64_t now_ns = START_NS;
    for (int i = 0; i < ACCESS_ATTEMPTS_AT_ONCE; i++) {
        assert_int_equal(access_attempts_take(&attempts, 1, now_ns), 0);
    }
    assert_int_equal(access_attempts_take(&attempts, 1, now_ns), ACCESS_ATTEMPT_S);
    assert_int_equal(access_attempts_take(&attempts, 2, now_ns), 0); // another place
    assert_int_equal(access_attempts_take(&attempts, 1, now_ns + S_NS), ACCESS_ATTEMPT_S - 1);
    now_ns += ACCESS_ATTEMPT_S * S_NS;
    assert_int_equal(access_attempts_take(&attempts, 1, now_ns - 1), 1);
    assert_int_equal(access_attempts_take(&attempts, 1, now_ns), 0);
    assert_int_equal(access_attempts_take(&attempts, 1, now_ns), ACCESS_ATTEMPT_S);
    now_ns += 1000 * S_NS; // no more than at the beginning
    for (int i = 0; i < ACCESS_ATTEMPTS_AT_ONCE; i++) {
        assert_int_equal(access_attempts_take(&attempts, 1, now_ns), 0);
    }
    assert_int_not_equal(access_attempts_take(&attempts, 1, now_ns), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_session_is_found_by_its_id_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_session_that_is_not_used_ends, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_session_that_is_used_all_the_time_ends_as_well, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_session_ends_with_its_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_the_one_that_was_not_used_for_longest_makes_room, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_whole_table_has_a_limit, set_up, tear_down),
        cmocka_unit_test(test_attempts_run_out_and_come_back),
    };
    return cmocka_run_group_tests_name("access_logins", tests, NULL, NULL);
}
