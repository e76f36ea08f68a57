// SPDX-License-Identifier: Apache-2.0

// agent_reply: a verdict as the answer that an agent gets, with the policy of the session's service
// by its id or, where that is asked for, with its settings; and what is counted and logged of it.
//
// Threads: the loop that owns the sessions.
// Tests:   tests/unit/collector/server/test_server.c, test_server_policy.c

#ifndef LP_COLLECTOR_SERVER_AGENT_REPLY_H
#define LP_COLLECTOR_SERVER_AGENT_REPLY_H

#include "collector/intake/agent_verdict.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "policy/policy_dir.h"

#include <stdint.h>

enum { AGENT_REPLY_LOG_MS = 1000 }; // at least, between two lines about requests not taken

// {0} has said nothing yet.
typedef struct agent_reply_log {
    uint64_t quiet_ms; // no line is due before that time of the loop's
} agent_reply_log;

// agent_reply_count counts a verdict that refuses or puts off, and logs some: agents try again and
// again. now_ms is the loop's time.
void agent_reply_count(agent_reply_log *log, const agent_verdict *verdict, uint64_t now_ms);

// What an answer has besides its verdict.
typedef struct agent_reply_facts {
    uint64_t durable_sequence;
    policy_dir *policies;
    const char *service; // of the session; NULL: there is none
    bool go_elsewhere;   // as of Reply
} agent_reply_facts;

// agent_reply_pack packs the answer. Errors: LP_ENOMEM; an answer without settings would have the
// JVM drop the ones that it has, so there is none then
LP_MUST_USE lp_err agent_reply_pack(
    const agent_verdict *verdict, const agent_reply_facts *facts, lp_buf *out_reply);

#endif // LP_COLLECTOR_SERVER_AGENT_REPLY_H
