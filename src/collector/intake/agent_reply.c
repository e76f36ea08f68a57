// SPDX-License-Identifier: Apache-2.0

#include "collector/intake/agent_reply.h"

#include "collector/base/metrics.h"
#include "collector/intake/policy_message.h"
#include "common/base/lp_log.h"
#include "common/base/lp_proto.h"

#include <stddef.h>

static void
log_verdict(agent_reply_log *self, const char *what, const agent_verdict *reply, uint64_t now_ms)
{
    if (now_ms >= self->quiet_ms) {
        self->quiet_ms = now_ms + AGENT_REPLY_LOG_MS;
        lp_log(LP_LOG_WARN, "%s: %s", what, reply->text);
    }
}

void
agent_reply_count(agent_reply_log *self, const agent_verdict *reply, uint64_t now_ms)
{
    if (reply->status == AGENT_VERDICT_REFUSED) {
        metrics_add(METRICS_requests_refused, 1);
        log_verdict(self, "refused a request", reply, now_ms);
    } else if (reply->status == AGENT_VERDICT_NOT_ALLOWED) {
        metrics_add(METRICS_logins_failed_agents, 1);
        log_verdict(self, "let nobody in", reply, now_ms);
    } else if (reply->status == AGENT_VERDICT_BUSY) {
        metrics_add(METRICS_requests_busy, 1);
        if (!reply->is_told) {
            log_verdict(self, "put off a request", reply, now_ms);
        }
    } else if (reply->status == AGENT_VERDICT_UNKNOWN_SESSION) {
        metrics_add(METRICS_requests_unknown_session, 1);
    }
}

static lp_err
pack(const Loupe__Wire__Reply *message, lp_buf *out_reply)
{
    lp_buf packed = {0};
    lp_err err = lp_proto_append(&message->base, &packed);
    if (err != LP_OK) {
        lp_buf_fini(&packed);
        return err;
    }
    *out_reply = packed; // moves
    return LP_OK;
}

lp_err
agent_reply_pack(const agent_verdict *reply, const agent_reply_facts *facts, lp_buf *out_reply)
{
    Loupe__Wire__Reply message = LOUPE__WIRE__REPLY__INIT;
    message.version = WIRE_VERSION;
    message.status = reply->status;
    message.message = (char *)(uintptr_t)reply->text; // protobuf-c has no const; packing reads
    message.next_sequence = reply->next_sequence;
    message.again_after_ms = reply->again_after_ms;
    message.go_elsewhere = facts->go_elsewhere;
    message.lacking_chunk = facts->service == NULL ? 0 : reply->lacking_chunk;
    message.durable_sequence = facts->durable_sequence;
    policy_file *file =
        facts->service == NULL ? NULL : policy_dir_find(facts->policies, facts->service);
    message.policy_id = policy_file_get_id(file);
    policy_message settings = {0};
    lp_err err = LP_OK;
    if (file != NULL && reply->is_with_policy) {
        err = policy_message_init(&settings, file);
        message.jvm_policy = &settings.message;
    }
    err = err == LP_OK ? pack(&message, out_reply) : err;
    policy_message_fini(&settings);
    policy_file_unref(file);
    return err;
}
