// SPDX-License-Identifier: Apache-2.0

#include "collector/intake/agent_request.h"

#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_proto.h"
#include "common/context/ctx_pack.h"
#include "common/jfr/jfr_chunk.h"
#include "common/wire/wire_scan.h"

#include <stdbool.h>

lp_err
agent_request_unpack(lp_slice bytes, Loupe__Wire__Request **out_message)
{
    LP_REQUIRE(bytes.len <= WIRE_MESSAGE_BYTES_MAX, LP_ECORRUPT);
    wire_counts counts;
    lp_err err = wire_scan(&loupe__wire__request__descriptor, bytes, &counts);
    if (err == LP_ELIMIT) {
        metrics_add(counts.submessages > WIRE_SUBMESSAGES_MAX
                        ? METRICS_agent_messages_refused_submessages
                        : METRICS_agent_messages_refused_fields,
            1);
    }
    LP_REQUIRE(err == LP_OK, err);
    bool is_short;
    ProtobufCAllocator allocator = lp_proto_allocator(&is_short);
    *out_message = loupe__wire__request__unpack(&allocator, bytes.len, bytes.ptr);
    return *out_message != NULL ? LP_OK : lp_proto_err(is_short);
}

static agent_verdict
judge(const Loupe__Wire__Request *message)
{
    LP_REQUIRE(message->version == WIRE_VERSION,
        agent_verdict_make(AGENT_VERDICT_REFUSED, 0,
            "this collector speaks protocol version %d, the agent speaks %u", WIRE_VERSION,
            message->version));
    LP_REQUIRE(message->body_case == LOUPE__WIRE__REQUEST__BODY_HELLO ||
                   message->body_case == LOUPE__WIRE__REQUEST__BODY_BATCH,
        agent_verdict_make(AGENT_VERDICT_REFUSED, 0, "a request of an unknown kind"));
    return agent_verdict_accept(0);
}

agent_verdict
agent_request_open(lp_slice bytes, Loupe__Wire__Request **out_message)
{
    Loupe__Wire__Request *message;
    lp_err err = agent_request_unpack(bytes, &message);
    LP_REQUIRE(err != LP_ENOMEM, // a refusal would end its session
        agent_verdict_make(AGENT_VERDICT_BUSY, 0, "out of memory"));
    LP_REQUIRE(err != LP_ELIMIT,
        agent_verdict_make(AGENT_VERDICT_REFUSED, 0,
            "the request has more than %d messages, or more than %d fields in all",
            WIRE_SUBMESSAGES_MAX, WIRE_FIELDS_MAX));
    LP_REQUIRE(err == LP_OK,
        agent_verdict_make(AGENT_VERDICT_REFUSED, 0, "not a message of this protocol"));
    agent_verdict judged = judge(message);
    if (judged.status != AGENT_VERDICT_OK) {
        loupe__wire__request__free_unpacked(message, NULL);
        return judged;
    }
    LP_ASSERT(message->hello != NULL || message->batch != NULL);
    *out_message = message;
    return judged;
}

const char *
agent_request_find_fault(const Loupe__Wire__Batch *batch)
{
    if (batch->jfr_size > WIRE_BULK_BYTES_MAX || batch->contexts_size > WIRE_BULK_BYTES_MAX) {
        return "jfr_size or contexts_size is over the limit";
    }
    LP_REQUIRE((batch->jfr_size == 0) == (batch->jfr_zstd.len == 0) &&
                   (batch->contexts_size == 0) == (batch->contexts_packed.len == 0),
        "a size does not match its field");
    LP_REQUIRE(batch->contexts_size / CTX_PACK_RATIO_MAX <= batch->contexts_packed.len,
        "contexts_size is more than its bytes can hold");
    LP_REQUIRE(batch->chunk_header.len == 0 || batch->chunk_header.len == JFR_CHUNK_HEADER_SIZE,
        "chunk_header does not have the size of a chunk header");
    LP_REQUIRE(batch->chunk != UINT32_MAX, "chunk is over the limit"); // no number follows it
    LP_REQUIRE(batch->sequence < WIRE_SEQUENCE_MAX, "its number is over the limit");
    LP_REQUIRE(batch->n_context_types <= CTX_TYPES_MAX, "too many context types");
    LP_REQUIRE(batch->n_recording_contexts <= CTX_RECORDINGS_BATCH_MAX &&
                   batch->n_recording_contexts_ended <= CTX_RECORDINGS_BATCH_MAX,
        "too many recording contexts");
    LP_REQUIRE(batch->n_context_filters <= CTX_FILTERS_BATCH_MAX, "too many context filters");
    return NULL;
}
