// SPDX-License-Identifier: Apache-2.0

// A collector with tokens takes recordings of those alone whose token is for their service: at
// Hello, and of a session under way, whenever the tokens change. Nothing is lost by that.
//
// The tokens are looked at once a second; the test asks until they are in force.

#include "unit/collector/server/collector_rig.h"
#include "unit/collector/server/wire_client.h"

#include "collector/access/access_file.h"
#include "collector/base/metrics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum {
    AWAIT_S_MAX = 60,
};

// Tokens, and their hashes as sha256sum has them.
static const char first[] = "0123456789abcdef";
static const char second[] = "fedcba9876543210";
#define HASH_1 "sha256:9f9f5111f7b27a781f1f1ddde5ebc2dd2b796bfc7365c9c28b548e564176929f"
#define HASH_2 "sha256:3465f6e6975baa864ca957f0914ecda9bf7eb601ac31ac20a5dc3d329279a843"

typedef struct fixture {
    collector_rig rig;
    char path[300]; // of the tokens
    access_file *access;
    wire_client client;
    uint64_t sequence;
} fixture;

static void
write_tokens(const fixture *f, const char *rules)
{
    FILE *file = fopen(f->path, "w");
    assert_non_null(file);
    assert_true(fputs(rules, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void
start(fixture *f, const char *rules)
{
    write_tokens(f, rules);
    assert_int_equal(access_file_open(f->path, false, &f->access, NULL), LP_OK);
    f->rig.access = f->access;
    collector_rig_start(&f->rig);
    wire_client_open(&f->client, f->rig.agents_url, 0x5a);
}

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    collector_rig_init(&f->rig);
    (void)snprintf(f->path, sizeof(f->path), "%s.tokens", f->rig.dir.path);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    wire_client_close(&f->client);
    collector_rig_fini(&f->rig);
    access_file_close(f->access);
    (void)remove(f->path);
    free(f);
    return 0;
}

static wire_answer
send_one(fixture *f, bool is_last)
{
    const wire_piece piece = {.sequence = f->sequence, .is_last = is_last};
    return wire_client_send(&f->client, &piece);
}

static void
send_ok(fixture *f, bool is_last)
{
    wire_answer answer = send_one(f, is_last);
    assert_int_equal(answer.status, OK);
    assert_int_equal(answer.next_sequence, ++f->sequence);
}

static void
hello_ok(fixture *f)
{
    wire_answer answer = wire_client_hello(&f->client, f->sequence);
    assert_string_equal(answer.message, "");
    assert_int_equal(answer.status, OK);
    assert_int_equal(answer.next_sequence, f->sequence);
}

static void
test_a_token_for_the_service_lets_in(void **state)
{
    fixture *f = *state;
    start(f, "a ingest shop " HASH_1 "\nb read * " HASH_2 "\n");
    static const struct {
        const char *token;
        const char *service;
        const char *said; // NULL: it is let in
    } cases[] = {
        {"", "shop", "this collector asks for a token, and the agent has none"},
        {"0123456789abcdeg", "shop", "does not know the agent's token"},
        {"0123456789abcdef0", "shop", "does not know the agent's token"},
        {second, "shop", "the token of 'b' is not for recordings of the service 'shop'"},
        {first, "other", "the token of 'a' is not for recordings of the service 'other'"},
        {first, "shop", NULL},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint64_t failed = metrics_get(METRICS_logins_failed_agents);
        f->client.token = cases[i].token;
        f->client.service = cases[i].service;
        wire_answer answer = wire_client_hello(&f->client, 0);
        bool is_in = cases[i].said == NULL;
        assert_int_equal(answer.status, is_in ? OK : NOT_ALLOWED);
        assert_int_equal(metrics_get(METRICS_logins_failed_agents), failed + (is_in ? 0 : 1));
        if (!is_in && strstr(answer.message, cases[i].said) == NULL) {
            fail_msg("'%s', not '%s'", answer.message, cases[i].said);
        }
        assert_int_equal(send_one(f, false).status, is_in ? OK : UNKNOWN_SESSION);
    }
}

static void
test_a_session_is_its_identity_s(void **state)
{
    fixture *f = *state;
    start(f, "a ingest * " HASH_1 "\nb ingest * " HASH_2 "\n");
    f->client.token = first;
    hello_ok(f);
    send_ok(f, false);
    f->client.token = second; // and the same secret
    for (int i = 0; i < 2; i++) {
        wire_answer answer = wire_client_hello(&f->client, 1);
        assert_int_equal(answer.status, REFUSED);
        assert_non_null(strstr(answer.message, "it belongs to another identity"));
        collector_rig_stop(&f->rig); // which does not make it anybody's
        collector_rig_start(&f->rig);
    }
    f->client.token = first;
    hello_ok(f);
    send_ok(f, true);
}

// send_until sends a batch until the answer has a status. Before that it is the other one.
static void
send_until(fixture *f, int status, int before)
{
    const struct timespec pause = {.tv_nsec = 10 * 1000000};
    for (int i = 0; i < AWAIT_S_MAX * 100; i++) {
        wire_answer answer = send_one(f, false);
        f->sequence += answer.status == OK ? 1 : 0;
        if (answer.status == status) {
            return;
        }
        assert_int_equal(answer.status, before);
        (void)nanosleep(&pause, NULL);
    }
    fail_msg("the tokens are not looked at");
}

static void
test_a_token_is_replaced_without_a_gap(void **state)
{
    fixture *f = *state;
    start(f, "a ingest shop " HASH_1 "\n");
    f->client.token = first;
    hello_ok(f);
    send_ok(f, false);
    write_tokens(f, "a ingest shop " HASH_1 "\na ingest shop " HASH_2 "\n");
    uint64_t version = access_file_get_version(f->access);
    const struct timespec pause = {.tv_nsec = 10 * 1000000};
    for (int i = 0; access_file_get_version(f->access) == version; i++) {
        assert_true(i < AWAIT_S_MAX * 100);
        send_ok(f, false); // no Hello is asked for
        (void)nanosleep(&pause, NULL);
    }
    send_ok(f, false);
    f->client.token = second;
    hello_ok(f);
    send_ok(f, false);
    write_tokens(f, "a ingest shop " HASH_2 "\n");
    version = access_file_get_version(f->access);
    for (int i = 0; access_file_get_version(f->access) == version; i++) {
        assert_true(i < AWAIT_S_MAX * 100);
        send_ok(f, false);
        (void)nanosleep(&pause, NULL);
    }
    send_ok(f, true);
}

static void
test_a_token_that_is_taken_away_ends_what_it_let_in(void **state)
{
    static const char *const without[] = {
        "a ingest shop " HASH_2 "\n", // of the same identity
        "a read shop " HASH_1 "\n", "a ingest other " HASH_1 "\n",
        "b ingest shop " HASH_1 "\n", // of another one
    };
    fixture *f = *state;
    start(f, "a ingest shop " HASH_1 "\n");
    f->client.token = first;
    for (size_t i = 0; i < sizeof(without) / sizeof(without[0]); i++) {
        hello_ok(f);
        write_tokens(f, without[i]);
        send_until(f, UNKNOWN_SESSION, OK);
        wire_answer answer = wire_client_hello(&f->client, f->sequence);
        assert_int_equal(answer.status, i == 3 ? REFUSED : NOT_ALLOWED);
        write_tokens(f, "a ingest shop " HASH_1 "\n");
        send_until(f, OK, UNKNOWN_SESSION); // it was let in by this once
    }
    send_ok(f, true);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_token_for_the_service_lets_in, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_session_is_its_identity_s, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_token_is_replaced_without_a_gap, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_token_that_is_taken_away_ends_what_it_let_in, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("server_access", tests, NULL, NULL);
}
