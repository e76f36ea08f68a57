// SPDX-License-Identifier: Apache-2.0
// What answers of receivers mean. The bodies are written by hand, byte by byte.

#include "collector/otlp/otlp_answer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define PROTOBUF "application/x-protobuf"
// partial_success { rejected: 3, error_message: "odd" }
#define PARTIAL "\x0a\x07\x08\x03\x12\x03odd"
// partial_success { rejected: -1 }
#define ABSURD "\x0a\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
// google.rpc.Status { code: 3, message: "bad" }
#define STATUS                                                                                     \
    "\x08\x03\x12\x03"                                                                             \
    "bad"

typedef struct answer_case {
    unsigned status;
    const char *type;
    const char *body;
    otlp_outcome outcome;
    uint64_t rejected;
    const char *text; // a part of it; "": it is empty
} answer_case;

static const answer_case cases[] = {
    {200, PROTOBUF, "", OTLP_TAKEN, 0, ""},
    {200, "", "", OTLP_TAKEN, 0, ""},
    {200, PROTOBUF, PARTIAL, OTLP_TAKEN, 3, "odd"},
    {200, "Application/X-Protobuf; charset=utf-8", PARTIAL, OTLP_TAKEN, 3, "odd"},
    {200, PROTOBUF, ABSURD, OTLP_TAKEN, 0, ""},
    {200, PROTOBUF, "\x0a\x70", OTLP_UNCONFIRMED, 0, "no ExportResponse"},
    {200, PROTOBUF "x", PARTIAL, OTLP_UNCONFIRMED, 0, "is application/x-protobufx"},
    {200, "text/html", "<html>", OTLP_UNCONFIRMED, 0, "is text/html, not application/x-protobuf"},
    {200, "application/json", "{}", OTLP_UNCONFIRMED, 0, "is application/json"},
    {200, "", "ok", OTLP_UNCONFIRMED, 0, "is missing"},
    {202, PROTOBUF, "", OTLP_UNCONFIRMED, 0, "answers with 200"},
    {204, "", "", OTLP_UNCONFIRMED, 0, "answers with 200"},
    {301, "", "", OTLP_REFUSED, 0, ""},
    {400, PROTOBUF, STATUS, OTLP_REFUSED, 0, "bad"},
    {400, PROTOBUF, "\x12\x70", OTLP_REFUSED, 0, ""},
    {400, "text/plain", STATUS, OTLP_REFUSED, 0, ""},
    {401, "", "", OTLP_REFUSED, 0, ""},
    {404, PROTOBUF, STATUS, OTLP_REFUSED, 0, "no such path"},
    {413, "", "", OTLP_REFUSED, 0, ""},
    {415, "", "", OTLP_REFUSED, 0, "does not read protobuf"},
    {429, "", "", OTLP_RETRY, 0, ""},
    {500, "", "", OTLP_REFUSED, 0, ""},
    {501, "", "", OTLP_REFUSED, 0, ""},
    {502, "", "", OTLP_RETRY, 0, ""},
    {503, PROTOBUF, STATUS, OTLP_RETRY, 0, "bad"},
    {504, "", "", OTLP_RETRY, 0, ""},
};

static void
test_each_answer_has_its_meaning(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const answer_case *one = &cases[i];
        client_http_answer from = {.status = one->status};
        (void)snprintf(from.content_type, sizeof(from.content_type), "%s", one->type);
        lp_buf_append(&from.body, one->body, strlen(one->body));
        otlp_answer found = otlp_answer_read(&from);
        bool fits = found.outcome == one->outcome && found.rejected == one->rejected &&
                    strstr(found.text, one->text) != NULL &&
                    (one->text[0] != '\0' || found.text[0] == '\0');
        if (!fits) {
            fail_msg("%zu, %u %s: %d, %d rejected, \"%s\"", i, one->status, one->type,
                (int)found.outcome, (int)found.rejected, found.text);
        }
        lp_buf_fini(&from.body);
    }
}

static void
test_a_long_message_is_cut(void **state)
{
    (void)state;
    char message[1200] = "\x12\xac\x09"; // message: 1196 bytes
    memset(message + 3, 'm', sizeof(message) - 4);
    client_http_answer from = {.status = 400, .content_type = PROTOBUF};
    lp_buf_append(&from.body, message, 3 + 1196);
    otlp_answer found = otlp_answer_read(&from);
    assert_int_equal(strlen(found.text), OTLP_ANSWER_TEXT_BYTES - 1);
    lp_buf_fini(&from.body);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_answer_has_its_meaning),
        cmocka_unit_test(test_a_long_message_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
