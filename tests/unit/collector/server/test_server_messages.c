// SPDX-License-Identifier: Apache-2.0
// Messages over a real connection: what is wrong with one is refused, and harms no session; the
// version of the protocol before is served.

#include "support/files.h"
#include "unit/collector/server/server_rig.h"

#include "collector/base/metrics.h"
#include "collector/intake/agent_protocol.h"
#include "common/context/ctx_pack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void
test_garbage_is_refused(void **state)
{
    server_rig *f = *state;
    uint8_t noise[300];
    uint32_t seed = 1;
    for (size_t size = 0; size < sizeof(noise); size++) {
        seed = seed * 1664525 + 1013904223;
        noise[size] = (uint8_t)(seed >> 24);
        assert_int_equal(wire_client_ask(&f->client, noise, size).status, REFUSED);
    }
    // A good message, cut off anywhere or with any byte changed, is answered somehow.
    server_rig_hello(f, 0);
    wire_piece piece = server_rig_next_piece(f, 1);
    lp_buf message = {0};
    wire_client_pack(&f->client, &piece, &message);
    for (size_t i = 0; i < message.len; i++) {
        assert_int_equal(wire_client_ask(&f->client, message.ptr, i).status, REFUSED);
    }
    lp_buf_fini(&message);
    server_rig_send(f, &piece);
    server_rig_end_and_check(f);
}

static wire_answer
ask(server_rig *f, Loupe__Wire__Request *request)
{
    lp_buf bytes = {0};
    uint8_t *at = lp_buf_extend(&bytes, loupe__wire__request__get_packed_size(request));
    assert_non_null(at);
    (void)loupe__wire__request__pack(request, at);
    wire_answer answer = wire_client_ask(&f->client, bytes.ptr, bytes.len);
    lp_buf_fini(&bytes);
    return answer;
}

static void
test_other_versions_are_refused(void **state)
{
    server_rig *f = *state;
    Loupe__Wire__Hello hello = LOUPE__WIRE__HELLO__INIT;
    Loupe__Wire__Request request = LOUPE__WIRE__REQUEST__INIT;
    request.version = 77;
    request.body_case = LOUPE__WIRE__REQUEST__BODY_HELLO;
    request.hello = &hello;
    wire_answer answer = ask(f, &request);
    assert_int_equal(answer.status, REFUSED);
    assert_string_equal(
        answer.message, "this collector speaks protocol version 1, the agent speaks 77");
}

// Each answer asks agents of a collector that is being drained to go elsewhere. Those that stay are
// served.
static void
test_a_drained_collector_says_so(void **state)
{
    server_rig *f = *state;
    assert_false(wire_client_hello(&f->client, 0).go_elsewhere);
    server_drain(f->rig.server, true);
    wire_piece piece = server_rig_next_piece(f, 10);
    wire_answer answer = wire_client_send(&f->client, &piece);
    assert_int_equal(answer.status, OK);
    assert_true(answer.go_elsewhere);
    answer = wire_client_hello(&f->client, f->sequence);
    assert_int_equal(answer.status, OK);
    assert_true(answer.go_elsewhere);
    server_drain(f->rig.server, false);
    piece = server_rig_next_piece(f, 10);
    assert_false(wire_client_send(&f->client, &piece).go_elsewhere);
    server_rig_end_and_check(f);
}

static void
test_wrong_fields_are_refused(void **state)
{
    server_rig *f = *state;
    uint8_t id[WIRE_SESSION_BYTES] = {1};
    uint8_t bytes[100] = {0};
    char latin[] = "caf\xe9";
    char line[] = "two\nlines";
    Loupe__Wire__Request request = LOUPE__WIRE__REQUEST__INIT;
    request.version = WIRE_VERSION;
    assert_int_equal(ask(f, &request).status, REFUSED); // no body

    Loupe__Wire__Hello hello = LOUPE__WIRE__HELLO__INIT;
    request.body_case = LOUPE__WIRE__REQUEST__BODY_HELLO;
    request.hello = &hello;
    hello.session = (ProtobufCBinaryData){sizeof(id) - 1, id};
    assert_int_equal(ask(f, &request).status, REFUSED);
    hello.session.len = sizeof(id);
    hello.service = latin;
    assert_int_equal(ask(f, &request).status, REFUSED);
    hello.service = line;
    assert_int_equal(ask(f, &request).status, REFUSED);
    line[3] = ' ';
    char long_text[2000];
    memset(long_text, 'x', sizeof(long_text) - 1);
    long_text[sizeof(long_text) - 1] = '\0';
    hello.agent_version = long_text;
    assert_int_equal(ask(f, &request).status, REFUSED);
    hello.agent_version = line;
    assert_int_equal(ask(f, &request).status, OK);

    Loupe__Wire__Batch good = LOUPE__WIRE__BATCH__INIT;
    good.session = hello.session;
    Loupe__Wire__Batch batch;
    request.body_case = LOUPE__WIRE__REQUEST__BODY_BATCH;
    request.batch = &batch;
    batch = good;
    batch.session.len = 3;
    assert_int_equal(ask(f, &request).status, REFUSED);
    batch = good;
    batch.jfr_size = 1; // and no bytes
    assert_int_equal(ask(f, &request).status, REFUSED);
    batch = good;
    batch.contexts_packed = (ProtobufCBinaryData){4, bytes}; // and no size
    assert_int_equal(ask(f, &request).status, REFUSED);
    batch.contexts_size = WIRE_BULK_BYTES_MAX + 1;
    assert_int_equal(ask(f, &request).status, REFUSED);
    batch = good;
    batch.chunk_header = (ProtobufCBinaryData){67, bytes};
    assert_int_equal(ask(f, &request).status, REFUSED);
    batch = good;
    assert_int_equal(ask(f, &request).status, OK);
}

// A Hello is kept, but for fields that are nobody's: they can be of any size, or a secret.
static void
test_unknown_fields_are_not_kept(void **state)
{
    enum { UNKNOWN_BYTES = 200 * 1000 };
    server_rig *f = *state;
    f->rig.sync = SYNC_NEVER; // it is there with the answer
    collector_rig_start(&f->rig);
    server_rig_connect(f);
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/chunks/01000000000000000000000000000000/session.pb",
        f->rig.dir.path);
    uint8_t id[WIRE_SESSION_BYTES] = {1};
    ProtobufCMessageUnknownField unknown = {.tag = 99,
        .wire_type = PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED,
        .len = 3 + UNKNOWN_BYTES,
        .data = calloc(1, 3 + UNKNOWN_BYTES)};
    assert_non_null(unknown.data);
    unknown.data[0] = (UNKNOWN_BYTES & 0x7f) | 0x80; // its size is a part of it
    unknown.data[1] = (UNKNOWN_BYTES >> 7 & 0x7f) | 0x80;
    unknown.data[2] = UNKNOWN_BYTES >> 14;
    Loupe__Wire__Hello hello = LOUPE__WIRE__HELLO__INIT;
    hello.base.n_unknown_fields = 1;
    hello.base.unknown_fields = &unknown;
    hello.session = (ProtobufCBinaryData){sizeof(id), id};
    Loupe__Wire__Request request = LOUPE__WIRE__REQUEST__INIT;
    request.version = WIRE_VERSION;
    request.body_case = LOUPE__WIRE__REQUEST__BODY_HELLO;
    request.hello = &hello;
    assert_int_equal(ask(f, &request).status, OK);
    assert_in_range(files_size(path), 1, 100);
    free(unknown.data);
}

// Each of them takes 4 bytes of a message and much more than that of the collector's memory.
static void
test_more_filters_than_an_agent_sends_are_refused(void **state)
{
    server_rig *f = *state;
    server_rig_hello(f, 0);
    Loupe__Wire__ContextFilter filter = LOUPE__WIRE__CONTEXT_FILTER__INIT;
    Loupe__Wire__ContextFilter *filters[CTX_FILTERS_BATCH_MAX + 1];
    for (size_t i = 0; i <= CTX_FILTERS_BATCH_MAX; i++) {
        filters[i] = &filter;
    }
    filter.id = 1;
    Loupe__Wire__Batch batch = LOUPE__WIRE__BATCH__INIT;
    batch.session = (ProtobufCBinaryData){WIRE_SESSION_BYTES, f->client.session};
    batch.context_filters = filters;
    Loupe__Wire__Request request = LOUPE__WIRE__REQUEST__INIT;
    request.version = WIRE_VERSION;
    request.body_case = LOUPE__WIRE__REQUEST__BODY_BATCH;
    request.batch = &batch;
    batch.n_context_filters = CTX_FILTERS_BATCH_MAX + 1;
    assert_int_equal(ask(f, &request).status, REFUSED);
    batch.n_context_filters = CTX_FILTERS_BATCH_MAX;
    assert_int_equal(ask(f, &request).status, OK);
}

// Each takes 2 bytes of a message, and a hundred and more of memory: they are not unpacked.
static void
test_messages_of_too_many_parts_are_refused(void **state)
{
    server_rig *f = *state;
    static const struct {
        const char *field;
        uint8_t key; // of the message that it is in; 0: it is one itself
        metrics_id counter;
    } cases[] = {
        {"\x5a\0", 0x1a, METRICS_agent_messages_refused_submessages}, // Batch.counters
        {"\x1a\0", 0, METRICS_agent_messages_refused_submessages},    // Request.batch
        {"\x10\1", 0x1a, METRICS_agent_messages_refused_fields},      // Batch.sequence
    };
    enum { COUNT = 1900000, HEAD = 5 };
    uint8_t *bytes = malloc(HEAD + 2 * COUNT);
    assert_non_null(bytes);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        size_t head = cases[i].key == 0 ? 0 : HEAD;
        const uint32_t size = 2 * COUNT;
        const uint8_t begin[HEAD] = {cases[i].key, (uint8_t)(size | 0x80),
            (uint8_t)(size >> 7 | 0x80), (uint8_t)(size >> 14 | 0x80), (uint8_t)(size >> 21)};
        memcpy(bytes, begin, head);
        for (size_t j = 0; j < COUNT; j++) {
            memcpy(bytes + head + 2 * j, cases[i].field, 2);
        }
        uint64_t before = metrics_get(cases[i].counter);
        assert_int_equal(wire_client_ask(&f->client, bytes, head + size).status, REFUSED);
        assert_int_equal(metrics_get(cases[i].counter), before + 1);
    }
    free(bytes);
    server_rig_hello(f, 0);
    wire_piece piece = server_rig_next_piece(f, 10);
    server_rig_send(f, &piece);
    server_rig_end_and_check(f);
}

static void
test_more_records_than_bytes_can_hold_are_refused(void **state)
{
    server_rig *f = *state;
    server_rig_hello(f, 0);
    uint8_t bytes[100] = {0};
    Loupe__Wire__Batch batch = LOUPE__WIRE__BATCH__INIT;
    batch.session = (ProtobufCBinaryData){WIRE_SESSION_BYTES, f->client.session};
    batch.contexts_packed = (ProtobufCBinaryData){sizeof(bytes), bytes};
    batch.contexts_size = WIRE_BULK_BYTES_MAX;
    lp_buf message = {0};
    wire_client_pack_batch(&batch, &message);
    wire_answer answer = wire_client_ask(&f->client, message.ptr, message.len);
    assert_int_equal(answer.status, REFUSED);
    assert_non_null(strstr(answer.message, "contexts_size is more than its bytes can hold"));
    lp_buf_clear(&message);
    batch.contexts_size = sizeof(bytes) * CTX_PACK_RATIO_MAX;
    wire_client_pack_batch(&batch, &message);
    assert_int_equal(wire_client_ask(&f->client, message.ptr, message.len).status, OK);
    lp_buf_fini(&message);
}

#define WITH_SERVER(test)                                                                          \
    cmocka_unit_test_setup_teardown(test, server_rig_set_up, server_rig_tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SERVER(test_garbage_is_refused),
        WITH_SERVER(test_other_versions_are_refused),
        WITH_SERVER(test_a_drained_collector_says_so),
        WITH_SERVER(test_wrong_fields_are_refused),
        cmocka_unit_test_setup_teardown(
            test_unknown_fields_are_not_kept, server_rig_set_up_stopped, server_rig_tear_down),
        WITH_SERVER(test_more_filters_than_an_agent_sends_are_refused),
        WITH_SERVER(test_messages_of_too_many_parts_are_refused),
        WITH_SERVER(test_more_records_than_bytes_can_hold_are_refused),
    };
    return cmocka_run_group_tests_name("server_messages", tests, NULL, NULL);
}
