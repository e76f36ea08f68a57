// SPDX-License-Identifier: Apache-2.0

#include "unit/collector/server/wire_client.h"

#include <nng/protocol/reqrep0/req.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

void
wire_client_open(wire_client *client, const char *url, uint8_t session_byte)
{
    memset(client->session, session_byte, sizeof(client->session));
    memset(client->secret, (uint8_t)(session_byte + 1), sizeof(client->secret));
    client->secret_bytes = sizeof(client->secret);
    client->token = "";
    client->service = "shop";
    client->last_counters = NULL;
    client->takes_policy = false;
    assert_int_equal(nng_req0_open(&client->socket), 0);
    assert_int_equal(nng_socket_set_ms(client->socket, NNG_OPT_RECONNMINT, 10), 0);
    assert_int_equal(nng_socket_set_ms(client->socket, NNG_OPT_RECONNMAXT, 100), 0);
    assert_int_equal(nng_socket_set_ms(client->socket, NNG_OPT_REQ_RESENDTIME, 1000), 0);
    assert_int_equal(nng_dial(client->socket, url, NULL, NNG_FLAG_NONBLOCK), 0);
}

void
wire_client_close(wire_client *client)
{
    assert_int_equal(nng_close(client->socket), 0);
}

void
wire_client_id(const wire_client *client, char out_id[33])
{
    for (size_t i = 0; i < sizeof(client->session); i++) {
        (void)snprintf(out_id + 2 * i, 3, "%02x", client->session[i]);
    }
}

wire_pending
wire_client_start(wire_client *client, const void *bytes, size_t size)
{
    wire_pending pending;
    nng_msg *message;
    assert_int_equal(nng_ctx_open(&pending.context, client->socket), 0);
    assert_int_equal(nng_aio_alloc(&pending.aio, NULL, NULL), 0);
    nng_aio_set_timeout(pending.aio, WIRE_CLIENT_TIMEOUT_MS);
    assert_int_equal(nng_msg_alloc(&message, 0), 0);
    assert_int_equal(nng_msg_append(message, bytes, size), 0);
    nng_aio_set_msg(pending.aio, message);
    nng_ctx_send(pending.context, pending.aio);
    return pending;
}

wire_answer
wire_client_finish(wire_pending *pending)
{
    nng_aio_wait(pending->aio);
    assert_int_equal(nng_aio_result(pending->aio), 0);
    nng_ctx_recv(pending->context, pending->aio);
    nng_aio_wait(pending->aio);
    assert_int_equal(nng_aio_result(pending->aio), 0);
    nng_msg *message = nng_aio_get_msg(pending->aio);
    Loupe__Wire__Reply *reply =
        loupe__wire__reply__unpack(NULL, nng_msg_len(message), nng_msg_body(message));
    assert_non_null(reply);
    wire_answer answer = {.status = (int)reply->status,
        .version = reply->version,
        .next_sequence = reply->next_sequence,
        .lacking_chunk = reply->lacking_chunk,
        .go_elsewhere = reply->go_elsewhere,
        .again_after_ms = reply->again_after_ms,
        .durable_sequence = reply->durable_sequence};
    (void)snprintf(answer.message, sizeof(answer.message), "%s", reply->message);
    answer.policy_id = reply->policy_id;
    answer.has_policy = reply->jvm_policy != NULL;
    for (size_t i = 0, at = 0; answer.has_policy && i < reply->jvm_policy->n_settings; i++) {
        const Loupe__Wire__JvmPolicy__Setting *setting = reply->jvm_policy->settings[i];
        at += (size_t)snprintf(answer.policy + at, sizeof(answer.policy) - at, "%s#%s=%s\n",
            setting->event, setting->setting, setting->value);
        assert_true(at < sizeof(answer.policy));
    }
    loupe__wire__reply__free_unpacked(reply, NULL);
    nng_msg_free(message);
    nng_aio_free(pending->aio);
    assert_int_equal(nng_ctx_close(pending->context), 0);
    return answer;
}

wire_answer
wire_client_ask(wire_client *client, const void *bytes, size_t size)
{
    wire_pending pending = wire_client_start(client, bytes, size);
    return wire_client_finish(&pending);
}

wire_answer
wire_client_hello(wire_client *client, uint64_t next_sequence)
{
    char service[64];
    char instance[] = "host:1";
    (void)snprintf(service, sizeof(service), "%s", client->service);
    Loupe__Wire__Hello hello = LOUPE__WIRE__HELLO__INIT;
    hello.session = (ProtobufCBinaryData){sizeof(client->session), client->session};
    hello.secret = (ProtobufCBinaryData){client->secret_bytes, client->secret};
    // protobuf-c has no const here; packing does not write.
    hello.token = (ProtobufCBinaryData){strlen(client->token), (uint8_t *)(uintptr_t)client->token};
    hello.service = service;
    hello.instance = instance;
    hello.start_wall_ns = 1700000000000000000;
    hello.next_sequence = next_sequence;
    hello.takes_policy = client->takes_policy;
    hello.last_counters = client->last_counters;
    Loupe__Wire__Request request = LOUPE__WIRE__REQUEST__INIT;
    request.version = WIRE_VERSION;
    request.body_case = LOUPE__WIRE__REQUEST__BODY_HELLO;
    request.hello = &hello;
    uint8_t bytes[256];
    return wire_client_ask(client, bytes, loupe__wire__request__pack(&request, bytes));
}

void
wire_client_pack_batch(Loupe__Wire__Batch *batch, lp_buf *out)
{
    Loupe__Wire__Request request = LOUPE__WIRE__REQUEST__INIT;
    request.version = WIRE_VERSION;
    request.body_case = LOUPE__WIRE__REQUEST__BODY_BATCH;
    request.batch = batch;
    uint8_t *bytes = lp_buf_extend(out, loupe__wire__request__get_packed_size(&request));
    assert_non_null(bytes);
    (void)loupe__wire__request__pack(&request, bytes);
}

wire_piece
wire_piece_take(tick_chunk *ticks, uint64_t number, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        tick_chunk_add(ticks, number + i);
    }
    const wire_piece piece = {.ticks = ticks, .from = ticks->sent};
    ticks->sent = ticks->bytes.len;
    return piece;
}

void
wire_client_pack(const wire_client *client, const wire_piece *piece, lp_buf *out)
{
    uint8_t session[WIRE_SESSION_BYTES];
    uint8_t header[TICK_HEADER_BYTES];
    lp_buf compressed = {0};
    memcpy(session, client->session, sizeof(session));
    Loupe__Wire__Batch batch = LOUPE__WIRE__BATCH__INIT;
    batch.session = (ProtobufCBinaryData){sizeof(session), session};
    batch.sequence = piece->sequence;
    batch.chunk = piece->chunk;
    batch.is_last = piece->is_last;
    batch.begins_again = piece->begins_again;
    Loupe__Wire__OwnPolicy own = LOUPE__WIRE__OWN_POLICY__INIT;
    lp_buf own_zstd = {0};
    if (piece->own_policy != NULL) {
        batch.own_policy = &own;
        own.is_lost = strcmp(piece->own_policy, WIRE_CLIENT_OWN_LOST) == 0;
    }
    bool has_text = batch.own_policy != NULL && !own.is_lost &&
                    strcmp(piece->own_policy, WIRE_CLIENT_OWN_NONE) != 0;
    if (has_text) {
        size_t size = strlen(piece->own_policy);
        assert_int_equal(
            wire_compress((lp_slice){(const uint8_t *)piece->own_policy, size}, &own_zstd), LP_OK);
        own.text_zstd = (ProtobufCBinaryData){own_zstd.len, own_zstd.ptr};
        own.text_size = (uint32_t)size;
    }
    if (piece->ticks != NULL) {
        lp_slice jfr = {
            piece->ticks->bytes.ptr + piece->from, piece->ticks->bytes.len - piece->from};
        assert_int_equal(wire_compress(jfr, &compressed), LP_OK);
        tick_chunk_header(piece->ticks, piece->duration_ns, header);
        batch.chunk_offset = piece->from;
        batch.begins_event = piece->begins_event;
        batch.jfr_zstd = (ProtobufCBinaryData){compressed.len, compressed.ptr};
        batch.jfr_size = (uint32_t)jfr.len;
        batch.chunk_header = (ProtobufCBinaryData){sizeof(header), header};
    }
    wire_client_pack_batch(&batch, out);
    lp_buf_fini(&compressed);
    lp_buf_fini(&own_zstd);
}

wire_answer
wire_client_send(wire_client *client, const wire_piece *piece)
{
    lp_buf message = {0};
    wire_client_pack(client, piece, &message);
    wire_answer answer = wire_client_ask(client, message.ptr, message.len);
    lp_buf_fini(&message);
    return answer;
}
