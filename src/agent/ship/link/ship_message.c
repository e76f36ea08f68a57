// SPDX-License-Identifier: Apache-2.0
#include "agent/ship/link/ship_message.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_proto.h"

#include <stdio.h>
#include <stdlib.h>

static ProtobufCBinaryData
borrow(lp_slice bytes)
{
    // protobuf-c has no const here; packing does not write.
    return (ProtobufCBinaryData){.len = bytes.len, .data = (uint8_t *)(uintptr_t)bytes.ptr};
}

lp_err
ship_message_pack_hello(const Loupe__Wire__Hello *hello, lp_buf *out)
{
    Loupe__Wire__Hello copy = *hello;
    Loupe__Wire__Request request = LOUPE__WIRE__REQUEST__INIT;
    request.version = WIRE_VERSION;
    request.body_case = LOUPE__WIRE__REQUEST__BODY_HELLO;
    request.hello = &copy;
    return lp_proto_append(&request.base, out);
}

// Allocates and adds the maps of RecordingContexts and the filters, and packs message.
static lp_err
pack_batch(const ship_batch *batch, Loupe__Wire__Batch *message, lp_buf *out)
{
    wire_recording *maps = calloc(batch->recording_count + 1, sizeof(*maps));
    Loupe__Wire__RecordingContext **pointers =
        calloc(batch->recording_count + 1, sizeof(Loupe__Wire__RecordingContext *));
    wire_filters filters;
    lp_err err = wire_filters_encode(batch->filters, batch->filter_count, &filters);
    if (err == LP_OK && (maps == NULL || pointers == NULL)) {
        err = LP_ENOMEM;
    }
    if (err == LP_OK) {
        for (size_t i = 0; i < batch->recording_count; i++) {
            wire_recording_encode(&batch->recordings[i], &maps[i]);
            pointers[i] = &maps[i].message;
        }
        message->n_recording_contexts = batch->recording_count;
        message->recording_contexts = pointers;
        message->n_context_filters = filters.count;
        message->context_filters = filters.pointers;
        Loupe__Wire__Request request = LOUPE__WIRE__REQUEST__INIT;
        request.version = WIRE_VERSION;
        request.body_case = LOUPE__WIRE__REQUEST__BODY_BATCH;
        request.batch = message;
        err = lp_proto_append(&request.base, out);
    }
    free(maps);
    free((void *)pointers);
    wire_filters_fini(&filters);
    return err;
}

lp_err
ship_message_pack_batch(const ship_batch *batch, lp_buf *out)
{
    const tail_piece *piece = batch->piece;
    Loupe__Wire__Counters counters = batch->counters;
    Loupe__Wire__Batch message = LOUPE__WIRE__BATCH__INIT;
    message.session = borrow((lp_slice){batch->session, WIRE_SESSION_BYTES});
    message.sequence = batch->sequence;
    message.chunk = piece->place.chunk;
    message.chunk_offset = piece->place.offset;
    message.jfr_zstd = borrow(batch->jfr_zstd);
    message.jfr_size = (uint32_t)piece->size;
    message.begins_event = piece->begins_event;
    if (piece->has_header) {
        message.chunk_header = borrow((lp_slice){piece->header, sizeof(piece->header)});
    }
    message.contexts_packed = borrow(batch->contexts_packed);
    message.contexts_size = batch->contexts_size;
    message.counters = &counters;
    message.is_last = batch->is_last;
    message.begins_again = batch->begins_again;

    Loupe__Wire__OwnPolicy own = LOUPE__WIRE__OWN_POLICY__INIT;
    if (batch->has_own_policy) {
        own.text_zstd = borrow(batch->own_policy_zstd);
        own.text_size = batch->own_policy_size;
        own.is_lost = batch->is_own_policy_lost;
        message.own_policy = &own;
    }

    wire_type types[CTX_TYPES_MAX];
    Loupe__Wire__ContextType *pointers[CTX_TYPES_MAX];
    for (size_t i = batch->first_type; i < batch->end_type; i++) {
        wire_type_encode(ctx_registry_find(batch->registry, i), &types[i]);
        pointers[message.n_context_types++] = &types[i].message;
    }
    message.context_types = pointers;
    message.n_recording_contexts_ended = batch->recordings_ended_count;
    // protobuf-c has no const here; packing does not write.
    message.recording_contexts_ended = (uint64_t *)(uintptr_t)batch->recordings_ended;
    return pack_batch(batch, &message, out);
}

// Unpacks a request that was packed here. NULL if memory ran out.
static Loupe__Wire__Request *
unpack_batch(lp_slice packed)
{
    bool is_short;
    ProtobufCAllocator allocator = lp_proto_allocator(&is_short);
    Loupe__Wire__Request *request =
        loupe__wire__request__unpack(&allocator, packed.len, packed.ptr);
    LP_ASSERT(request == NULL || request->body_case == LOUPE__WIRE__REQUEST__BODY_BATCH);
    return request;
}

bool
ship_message_get_chunk(lp_slice packed, uint32_t *out_chunk)
{
    Loupe__Wire__Request *request = unpack_batch(packed);
    LP_REQUIRE(request != NULL, false);
    *out_chunk = request->batch->chunk;
    loupe__wire__request__free_unpacked(request, NULL);
    return true;
}

lp_err
ship_message_empty(lp_buf *packed, uint32_t chunk)
{
    Loupe__Wire__Request *request = unpack_batch(lp_buf_slice(packed));
    LP_REQUIRE(request != NULL, LP_ENOMEM);
    Loupe__Wire__Batch message = LOUPE__WIRE__BATCH__INIT;
    message.session = request->batch->session;
    message.sequence = request->batch->sequence;
    message.chunk = chunk;
    message.counters = request->batch->counters;
    Loupe__Wire__Request empty = LOUPE__WIRE__REQUEST__INIT;
    empty.version = request->version;
    empty.body_case = LOUPE__WIRE__REQUEST__BODY_BATCH;
    empty.batch = &message;
    lp_buf bytes = {0};
    lp_err err = lp_proto_append(&empty.base, &bytes);
    loupe__wire__request__free_unpacked(request, NULL);
    if (err == LP_OK) {
        lp_buf_fini(packed);
        *packed = bytes; // moves
    }
    return err;
}

void
ship_message_measure_batch(lp_slice packed, uint64_t *jfr_bytes, uint64_t *contexts_bytes)
{
    Loupe__Wire__Request *request = unpack_batch(packed);
    if (request == NULL) {
        return;
    }
    *jfr_bytes += request->batch->jfr_size;
    *contexts_bytes += request->batch->contexts_size;
    loupe__wire__request__free_unpacked(request, NULL);
}

static ship_status
map_status(Loupe__Wire__Reply__Status status)
{
    if (status == LOUPE__WIRE__REPLY__STATUS__OK) {
        return SHIP_OK;
    }
    if (status == LOUPE__WIRE__REPLY__STATUS__UNKNOWN_SESSION) {
        return SHIP_UNKNOWN_SESSION;
    }
    if (status == LOUPE__WIRE__REPLY__STATUS__NOT_ALLOWED) {
        return SHIP_NOT_ALLOWED;
    }
    // Unknown statuses of later versions count as SHIP_REFUSED: see proto/README.md.
    return status == LOUPE__WIRE__REPLY__STATUS__BUSY ? SHIP_BUSY : SHIP_REFUSED;
}

ship_reply
ship_message_unpack_reply(lp_slice bytes)
{
    ship_reply reply = {.status = SHIP_REFUSED};
    bool is_short;
    ProtobufCAllocator allocator = lp_proto_allocator(&is_short);
    Loupe__Wire__Reply *message = loupe__wire__reply__unpack(&allocator, bytes.len, bytes.ptr);
    if (message == NULL && is_short) { // the request is resent
        reply.status = SHIP_BUSY;
        return reply;
    }
    if (message == NULL) {
        (void)snprintf(reply.message, sizeof(reply.message), "its answer is unreadable");
        return reply;
    }
    bool is_served = message->version == WIRE_VERSION;
    if (!is_served && message->message[0] == '\0') {
        (void)snprintf(reply.message, sizeof(reply.message),
            "it speaks version %u of the protocol, this agent version %d", message->version,
            WIRE_VERSION);
    } else {
        (void)snprintf(reply.message, sizeof(reply.message), "%s", message->message);
    }
    if (is_served) {
        reply.status = map_status(message->status);
        reply.next_sequence = message->next_sequence;
        reply.durable_sequence = message->durable_sequence;
        reply.lacking_chunk = message->lacking_chunk;
        reply.again_after_ms = message->again_after_ms;
        reply.go_elsewhere = message->go_elsewhere;
        reply.policy = (ship_policy){message->policy_id, message->jvm_policy}; // moves
        message->jvm_policy = NULL;
    }
    loupe__wire__reply__free_unpacked(message, NULL);
    return reply;
}

void
ship_message_reply_fini(ship_reply *reply)
{
    ship_policy_fini(&reply->policy);
    *reply = (ship_reply){0};
}
