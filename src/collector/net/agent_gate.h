// SPDX-License-Identifier: Apache-2.0

// agent_gate: decides whether an agent may send recordings of a service, if the collector has rules
// (access_file.h). The agent's token is checked first; if it does not allow this, the gate checks
// the agent's certificate. A session stays admitted while the rules contain the token or
// certificate that admitted it, with the same identity and the right to send. The gate checks this
// again after each change of the rules.
//
// Threads: the loop that owns the sessions.
// Tests:   tests/unit/collector/net/test_agent_gate.c, test_server_access.c

#pragma once

#include "collector/access/access_file.h"
#include "common/base/lp_err.h"
#include "common/wire/wire.h"

#include <stdbool.h>
#include <stdint.h>

// The token or certificate that admitted a session.
typedef struct agent_pass {
    uint64_t version;                         // of the rules that it was checked with
    char identity[ACCESS_NAME_BYTES_MAX + 1]; // "": the collector has no rules
    access_key key;
} agent_pass;

// agent_gate_admit admits an agent by its Hello, or by the name in its verified certificate
// (cert_name; NULL: none). If rules is NULL, it admits every agent. Errors: LP_ENOENT if the agent
// may not send recordings of this service; the agent sees the reason
LP_MUST_USE lp_err agent_gate_admit(access_file *rules, const Loupe__Wire__Hello *hello,
    const char *cert_name, agent_pass *out_pass, lp_problem *out_problem);

// agent_gate_renew returns whether a session of service may still send.
bool agent_gate_renew(access_file *rules, agent_pass *pass, const char *service);
