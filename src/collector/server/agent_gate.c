// SPDX-License-Identifier: Apache-2.0
#include "collector/server/agent_gate.h"

#include "common/base/lp_quote.h"

#include <stdio.h>
#include <string.h>

// find_fault returns why a Hello may not, NULL if it may.
static lp_err
check(const access_rule *rule, const Loupe__Wire__Hello *hello, lp_problem *out_problem)
{
    if (rule == NULL) {
        return lp_problem_set(out_problem, LP_ENOENT,
            hello->token.len == 0 ? "this collector asks for a token, and the agent has none"
                                  : "the collector does not know the agent's token");
    }
    if (!access_rule_allows(rule, ACCESS_INGEST, hello->service)) {
        return lp_problem_set(out_problem, LP_ENOENT,
            "the token of '%s' is not for recordings of the service '%s'",
            access_rule_get_name(rule), lp_quote_text(hello->service).text);
    }
    return LP_OK;
}

lp_err
agent_gate_admit(access_file *from, const Loupe__Wire__Hello *hello, agent_pass *out_pass,
    lp_problem *out_problem)
{
    if (from == NULL) {
        *out_pass = (agent_pass){0};
        return LP_OK;
    }
    agent_pass pass = {.version = access_file_get_version(from)};
    access_rules *rules = access_file_get_rules(from);
    const access_rule *rule =
        access_rules_find_token(rules, (lp_slice){hello->token.data, hello->token.len});
    lp_err err = check(rule, hello, out_problem);
    if (err == LP_OK) {
        (void)snprintf(pass.identity, sizeof(pass.identity), "%s", access_rule_get_name(rule));
        memcpy(pass.hash, access_rule_get_hash(rule), sizeof(pass.hash));
        *out_pass = pass;
    }
    access_rules_unref(rules);
    return err;
}

bool
agent_gate_renew(access_file *from, agent_pass *pass, const char *service)
{
    uint64_t version = from == NULL ? 0 : access_file_get_version(from);
    if (version == pass->version) {
        return true;
    }
    access_rules *rules = access_file_get_rules(from);
    const access_rule *rule = access_rules_find_hash(rules, pass->hash);
    bool is_valid = rule != NULL && strcmp(access_rule_get_name(rule), pass->identity) == 0 &&
                    access_rule_allows(rule, ACCESS_INGEST, service);
    access_rules_unref(rules);
    pass->version = is_valid ? version : pass->version;
    return is_valid;
}
