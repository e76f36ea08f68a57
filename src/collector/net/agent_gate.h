// SPDX-License-Identifier: Apache-2.0

// agent_gate: whether who says hello may send recordings of a service: by its token or its
// certificate, where the collector has rules for them (access_file.h). The token goes before: only
// where it does not let in, the certificate may. A session that was let in stays in for as long as
// the rules have what it came in by, with the same identity and the right: that is looked at again
// when they have changed.
//
// Threads: the loop that owns the sessions.
// Tests:   tests/unit/collector/net/test_agent_gate.c, test_server_access.c

#ifndef LP_COLLECTOR_SERVER_AGENT_GATE_H
#define LP_COLLECTOR_SERVER_AGENT_GATE_H

#include "collector/access/access_file.h"
#include "common/base/lp_err.h"
#include "common/wire/wire.h"

#include <stdbool.h>
#include <stdint.h>

// What a session was let in with.
typedef struct agent_pass {
    uint64_t version;                         // of the rules by which it is valid
    char identity[ACCESS_NAME_BYTES_MAX + 1]; // "": nobody is asked for a token
    access_key key;
} agent_pass;

// agent_gate_admit lets an agent in by its Hello, or the name in the certificate that it has proved
// to own; NULL: it has shown none. Without access (NULL) everybody is.
// Errors: LP_ENOENT it may not send recordings of that service, with why, for it to see
LP_MUST_USE lp_err agent_gate_admit(access_file *rules, const Loupe__Wire__Hello *hello,
    const char *cert_name, agent_pass *out_pass, lp_problem *out_problem);

// agent_gate_renew returns whether a session of service may still send.
bool agent_gate_renew(access_file *rules, agent_pass *pass, const char *service);

#endif // LP_COLLECTOR_SERVER_AGENT_GATE_H
