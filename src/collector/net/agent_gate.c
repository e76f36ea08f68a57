// SPDX-License-Identifier: Apache-2.0

#include "collector/net/agent_gate.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_quote.h"

#include <stdio.h>
#include <string.h>

static bool
allows(const access_rule *rule, const Loupe__Wire__Hello *hello)
{
    return rule != NULL && access_rule_allows(rule, ACCESS_INGEST, hello->service);
}

// refuse sets the reason why neither rule admits the agent; a rule is NULL if there is none.
static lp_err
refuse(const access_rule *of_token, const access_rule *of_cert, const char *cert_name,
    const Loupe__Wire__Hello *hello, lp_problem *out_problem)
{
    LP_ASSERT(!allows(of_cert, hello));
    const access_rule *rule = of_token == NULL ? of_cert : of_token;
    LP_REQUIRE(rule == NULL, lp_problem_set(out_problem, LP_ENOENT,
                                 "the %s of '%s' is not for recordings of the service '%s'",
                                 rule == of_token ? "token" : "certificate",
                                 access_rule_get_name(rule), lp_quote_text(hello->service).text));
    const char *what = hello->token.len == 0
                           ? "this collector asks for a token, and the agent has none"
                           : "the collector does not know the agent's token";
    return cert_name == NULL
               ? lp_problem_set(out_problem, LP_ENOENT, "%s", what)
               : lp_problem_set(out_problem, LP_ENOENT, "%s, nor has it a rule for cert:%s", what,
                     lp_quote_text(cert_name).text);
}

lp_err
agent_gate_admit(access_file *from, const Loupe__Wire__Hello *hello, const char *cert_name,
    agent_pass *out_pass, lp_problem *out_problem)
{
    if (from == NULL) {
        *out_pass = (agent_pass){0};
        return LP_OK;
    }
    agent_pass pass = {.version = access_file_get_version(from)};
    access_rules *rules = access_file_get_rules(from);
    const access_rule *of_token =
        access_rules_find_token(rules, (lp_slice){hello->token.data, hello->token.len});
    const access_rule *of_cert = access_rules_find_cert(rules, cert_name);
    const access_rule *rule = allows(of_token, hello) ? of_token : of_cert;
    lp_err err = LP_OK;
    if (allows(rule, hello)) {
        (void)snprintf(pass.identity, sizeof(pass.identity), "%s", access_rule_get_name(rule));
        pass.key = *access_rule_get_key(rule);
        *out_pass = pass;
    } else {
        err = refuse(of_token, of_cert, cert_name, hello, out_problem);
    }
    access_rules_unref(rules);
    return err;
}

bool
agent_gate_renew(access_file *from, agent_pass *pass, const char *service)
{
    LP_ASSERT(from != NULL || pass->version == 0);
    uint64_t version = from == NULL ? 0 : access_file_get_version(from);
    if (version == pass->version) {
        return true;
    }
    access_rules *rules = access_file_get_rules(from);
    const access_rule *rule = access_rules_find(rules, &pass->key);
    bool is_valid = rule != NULL && strcmp(access_rule_get_name(rule), pass->identity) == 0 &&
                    access_rule_allows(rule, ACCESS_INGEST, service);
    access_rules_unref(rules);
    pass->version = is_valid ? version : pass->version;
    return is_valid;
}
