// SPDX-License-Identifier: Apache-2.0

// Who may send, as a table: the rules, an agent's token and certificate, and the resulting
// identity. Then whether a session stays admitted when the rules change.

#include "support/temp_dir.h"

#include "collector/net/agent_gate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Tokens, and their hashes as sha256sum has them.
static const char first[] = "0123456789abcdef";
static const char second[] = "fedcba9876543210";
#define HASH_1 "sha256:9f9f5111f7b27a781f1f1ddde5ebc2dd2b796bfc7365c9c28b548e564176929f"

typedef struct fixture {
    temp_dir dir;
    char path[300];
    access_file *access;
} fixture;

static void
write_rules(const fixture *f, const char *rules)
{
    FILE *file = fopen(f->path, "w");
    assert_non_null(file);
    assert_true(fputs(rules, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void
change_rules(const fixture *f, const char *rules)
{
    write_rules(f, rules);
    access_file_look(f->access);
    access_file_look(f->access); // it has settled
}

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    f->dir = temp_dir_make();
    (void)snprintf(f->path, sizeof(f->path), "%s/tokens", f->dir.path);
    write_rules(f, "token ingest shop " HASH_1 "\n"
                   "cert ingest shop,bank cert:agent-7.example\n");
    assert_int_equal(access_file_open(f->path, true, &f->access, NULL), LP_OK);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    access_file_close(f->access);
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

static lp_err
admit(const fixture *f, const char *service, const char *token, const char *cert, agent_pass *pass,
    lp_problem *problem)
{
    Loupe__Wire__Hello hello = LOUPE__WIRE__HELLO__INIT;
    hello.service = (char *)(uintptr_t)service; // which is only read
    hello.token = (ProtobufCBinaryData){strlen(token), (uint8_t *)(uintptr_t)token};
    return agent_gate_admit(f->access, &hello, cert, pass, problem);
}

static void
test_a_token_or_a_certificate_lets_in(void **state)
{
    const fixture *f = *state;
    static const struct {
        const char *service;
        const char *token;
        const char *cert;
        const char *identity; // NULL: refused, because
        const char *why;
    } cases[] = {
        {"shop", first, NULL, "token", NULL},
        {"shop", "", "agent-7.example", "cert", NULL},
        {"bank", "", "agent-7.example", "cert", NULL},
        {"shop", first, "agent-7.example", "token", NULL}, // which goes before
        {"bank", first, "agent-7.example", "cert", NULL},
        {"shop", second, "agent-7.example", "cert", NULL}, // its token was removed
        {"shop", first, "stranger.example", "token", NULL},
        {"shop", "", NULL, NULL, "this collector asks for a token, and the agent has none"},
        {"shop", "", "stranger.example", NULL,
            "this collector asks for a token, and the agent has none, nor has it a rule for "
            "cert:stranger.example"},
        {"shop", second, NULL, NULL, "the collector does not know the agent's token"},
        {"shop", second, "stranger.example", NULL,
            "the collector does not know the agent's token, nor has it a rule for "
            "cert:stranger.example"},
        {"shop", "agent-7.example", NULL, NULL, "the collector does not know the agent's token"},
        {"other", "", "agent-7.example", NULL,
            "the certificate of 'cert' is not for recordings of the service 'other'"},
        {"other", first, "agent-7.example", NULL,
            "the token of 'token' is not for recordings of the service 'other'"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        agent_pass pass;
        lp_problem problem = {.text = ""};
        lp_err err = admit(f, cases[i].service, cases[i].token, cases[i].cert, &pass, &problem);
        if (cases[i].identity == NULL) {
            assert_int_equal(err, LP_ENOENT);
            assert_string_equal(problem.text, cases[i].why);
        } else {
            assert_int_equal(err, LP_OK);
            assert_string_equal(pass.identity, cases[i].identity);
        }
    }
}

static void
test_what_let_a_session_in_lets_it_go_on(void **state)
{
    const fixture *f = *state;
    static const struct {
        const char *rules;
        bool is_in;
    } cases[] = {
        {"cert ingest shop cert:agent-7.example\n", true},
        {"other ingest * " HASH_1 "\ncert ingest * cert:agent-7.example\n", true},
        {"cert ingest shop " HASH_1 "\n", false}, // of the same identity
        {"cert ingest bank cert:agent-7.example\n", false},
        {"other ingest shop cert:agent-7.example\n", false},
        {"", false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        agent_pass pass;
        change_rules(f, "cert ingest shop,bank cert:agent-7.example\n");
        assert_int_equal(admit(f, "shop", "", "agent-7.example", &pass, NULL), LP_OK);
        assert_true(agent_gate_renew(f->access, &pass, "shop"));
        change_rules(f, cases[i].rules);
        assert_int_equal(agent_gate_renew(f->access, &pass, "shop"), cases[i].is_in);
    }
}

static void
test_without_rules_everybody_is_let_in(void **state)
{
    (void)state;
    Loupe__Wire__Hello hello = LOUPE__WIRE__HELLO__INIT;
    agent_pass pass;
    assert_int_equal(agent_gate_admit(NULL, &hello, "agent-7.example", &pass, NULL), LP_OK);
    assert_string_equal(pass.identity, "");
    assert_true(agent_gate_renew(NULL, &pass, "shop"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_token_or_a_certificate_lets_in, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_what_let_a_session_in_lets_it_go_on, set_up, tear_down),
        cmocka_unit_test(test_without_rules_everybody_is_let_in),
    };
    return cmocka_run_group_tests_name("agent_gate", tests, NULL, NULL);
}
