// SPDX-License-Identifier: Apache-2.0

#include "collector/otlp/otlp_answer.h"

#include "otlp_answer.pb-c.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_proto.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char protobuf_type[] = "application/x-protobuf";

// is_protobuf returns whether a Content-Type is protobuf's, perhaps with parameters.
static bool
is_protobuf(const char *type)
{
    size_t length = sizeof(protobuf_type) - 1;
    return strncasecmp(type, protobuf_type, length) == 0 &&
           (type[length] == '\0' || type[length] == ';' || type[length] == ' ');
}

static void
set_text(otlp_answer *out, const char *text)
{
    (void)snprintf(out->text, sizeof(out->text), "%s", text);
}

// read_taken reads the body of a 200.
static void
read_taken(lp_slice body, otlp_answer *out)
{
    LP_ASSERT(body.len > 0);
    bool is_short;
    ProtobufCAllocator allocator = lp_proto_allocator(&is_short);
    Loupe__Otlp__ExportResponse *answer =
        loupe__otlp__export_response__unpack(&allocator, body.len, body.ptr);
    if (answer == NULL) {
        out->outcome = OTLP_UNCONFIRMED;
        set_text(out, is_short ? "memory ran out" : "its body is no ExportResponse");
        return;
    }
    out->outcome = OTLP_TAKEN;
    if (answer->partial_success != NULL) {
        int64_t rejected = answer->partial_success->rejected;
        out->rejected = rejected > 0 ? (uint64_t)rejected : 0;
        set_text(out, answer->partial_success->error_message);
    }
    loupe__otlp__export_response__free_unpacked(answer, NULL);
}

// read_success reads an answer with a status of 2xx.
static void
read_success(const client_http_answer *from, otlp_answer *out)
{
    LP_ASSERT(from->status >= 200 && from->status <= 299);
    if (from->status != 200) {
        out->outcome = OTLP_UNCONFIRMED;
        set_text(out, "a receiver of OTLP answers with 200");
    } else if (from->body.len == 0) {
        out->outcome = OTLP_TAKEN;
    } else if (!is_protobuf(from->content_type)) {
        out->outcome = OTLP_UNCONFIRMED;
        (void)snprintf(out->text, sizeof(out->text), "its Content-Type is %s, not %s",
            from->content_type[0] == '\0' ? "missing" : from->content_type, protobuf_type);
    } else {
        read_taken(lp_buf_slice(&from->body), out);
    }
}

// read_failure reads the message of an answer that is an error.
static void
read_failure(const client_http_answer *from, otlp_answer *out)
{
    LP_ASSERT(from->status < 200 || from->status > 299);
    static const unsigned retried[] = {429, 502, 503, 504};
    out->outcome = OTLP_REFUSED;
    for (size_t i = 0; i < sizeof(retried) / sizeof(retried[0]); i++) {
        out->outcome = from->status == retried[i] ? OTLP_RETRY : out->outcome;
    }
    if (from->status == 404) {
        set_text(out, "it has no such path: it does not receive this signal, or not this version");
    } else if (from->status == 415) {
        set_text(out, "it does not read protobuf");
    } else if (is_protobuf(from->content_type) && from->body.len > 0) {
        bool is_short;
        ProtobufCAllocator allocator = lp_proto_allocator(&is_short);
        Loupe__Otlp__Status *status =
            loupe__otlp__status__unpack(&allocator, from->body.len, from->body.ptr);
        set_text(out, status != NULL ? status->message : "");
        loupe__otlp__status__free_unpacked(status, NULL);
    }
}

otlp_answer
otlp_answer_read(const client_http_answer *from)
{
    otlp_answer out = {.text = ""};
    if (from->status >= 200 && from->status <= 299) {
        read_success(from, &out);
    } else {
        read_failure(from, &out);
    }
    LP_ASSERT(out.rejected == 0 || out.outcome == OTLP_TAKEN);
    return out;
}
