// SPDX-License-Identifier: Apache-2.0
#include "collector/grafana/grafana_call.h"

#include "collector/grafana/grafana_message.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_printable.h"
#include "common/base/lp_quote.h"
#include "common/base/lp_time.h"
#include "query/select/json_parts.h"

enum { HTTP_OK = 200, MESSAGE_BYTES = 512 };

static void
end_message(const ProtobufCMessage *message)
{
    if (message != NULL) {
        protobuf_c_message_free_unpacked((ProtobufCMessage *)(uintptr_t)message, NULL);
    }
}

static void
end_work(grafana_work *work)
{
    end_message(work->in);
    json_decref(work->out);
    *work = (grafana_work){0};
}

void
grafana_call_fini(grafana_call *self)
{
    end_work(&self->work);
    *self = (grafana_call){0};
}

bool
grafana_call_is_read(const grafana_call *self)
{
    return self->procedure != NULL || self->status != 0 || self->is_failed;
}

// --- Errors

typedef struct fault {
    lp_err err;
    unsigned status;
    const char *code;
} fault;

static const fault faults[] = {
    {LP_ECORRUPT, 400, "invalid_argument"},
    {LP_ENOENT, 404, "not_found"},
    {LP_EVERSION, 501, "unimplemented"},
    {LP_EAGAIN, 503, "unavailable"},
    {LP_ECLOSED, 503, "unavailable"},
    {LP_ELIMIT, 504, "deadline_exceeded"},
};

static const fault unknown_fault = {LP_EIO, 500, "internal"};

// refuse completes the call with an error.
static void
refuse(grafana_call *self, lp_err err, const char *why)
{
    LP_ASSERT(err != LP_OK && self->status == 0);
    char printable[MESSAGE_BYTES];
    const fault *found = LP_FIND(faults, LP_COUNT(faults), at->err == err);
    found = found == NULL ? &unknown_fault : found;
    (void)lp_printable(why, printable, sizeof(printable));
    json_decref(self->work.out);
    self->work.out = json_pack("{s:s, s:s}", "code", found->code, "message", printable);
    self->is_failed |= err == LP_ENOMEM || self->work.out == NULL;
    self->status = found->status;
}

void
grafana_call_fail(grafana_call *self, lp_err err, const char *why)
{
    // A question that is too large or takes too long is the caller's.
    refuse(self, err == LP_ELIMIT ? LP_ECORRUPT : err, why);
}

// --- Reading

static lp_err
read_json(grafana_call *self, lp_slice body, ProtobufCMessage **out, lp_problem *problem)
{
    LP_ASSERT(self->procedure != NULL && self->is_json);
    json_t *json = json_loadb((const char *)body.ptr, body.len, 0, NULL);
    lp_err err = json != NULL ? grafana_message_read(self->procedure->in, json, out, problem)
                              : lp_problem_set(problem, LP_ECORRUPT, "the body is not JSON");
    json_decref(json);
    return err;
}

static lp_err
read_protobuf(const grafana_call *self, lp_slice body, ProtobufCMessage **out, lp_problem *problem)
{
    LP_ASSERT(self->procedure != NULL && !self->is_json);
    *out = protobuf_c_message_unpack(self->procedure->in, NULL, body.len, body.ptr);
    return *out != NULL ? LP_OK
                        : lp_problem_set(problem, LP_ECORRUPT, "the body is not a message of %s",
                              self->procedure->name);
}

void
grafana_call_read(grafana_call *self, const char *procedure, lp_slice body)
{
    LP_ASSERT(self->procedure == NULL && self->status == 0);
    lp_problem *problem = &self->work.problem;
    ProtobufCMessage *in = NULL;
    self->procedure = grafana_procedures_find(procedure);
    if (self->procedure == NULL) {
        (void)lp_problem_set(problem, LP_EVERSION, "the procedure %s is not supported",
            lp_quote_text(procedure).text);
        refuse(self, LP_EVERSION, problem->text);
        return;
    }
    self->is_json = body.len > 0 && body.ptr[0] == '{';
    self->deadline_mono_ms = lp_time_mono_ms() + (int64_t)GRAFANA_ANSWER_S_MAX * 1000;
    self->work.out = json_object();
    lp_err err = self->is_json ? read_json(self, body, &in, problem)
                               : read_protobuf(self, body, &in, problem);
    self->work.in = in;
    if (err != LP_OK) {
        refuse(self, err, problem->text);
    }
}

// --- Questions

ask_query *
grafana_call_next(grafana_call *self)
{
    LP_REQUIRE(self->status == 0 && !self->is_failed, NULL);
    LP_ASSERT(self->procedure != NULL && self->work.in != NULL);
    ask_query *query = NULL;
    lp_problem *problem = &self->work.problem;
    lp_err err = lp_time_mono_ms() <= self->deadline_mono_ms
                     ? self->procedure->ask(&self->work, &query)
                     : lp_problem_set(problem, LP_ELIMIT,
                           "answering takes longer than %d s: ask for less", GRAFANA_ANSWER_S_MAX);
    if (err == LP_EEND) {
        self->status = HTTP_OK;
    } else if (err != LP_OK) {
        refuse(self, err, problem->text);
    } else {
        self->work.asked++;
    }
    return query;
}

void
grafana_call_add(grafana_call *self, lp_slice answer)
{
    LP_ASSERT(self->status == 0 && self->work.asked > 0);
    // Values of the application may have zeros.
    json_t *json = json_loadb((const char *)answer.ptr, answer.len, JSON_ALLOW_NUL, NULL);
    lp_err err = json == NULL ? LP_ENOMEM : self->procedure->add(&self->work, json);
    json_decref(json);
    if (err != LP_OK) {
        refuse(self, err, self->work.problem.text);
    }
}

// --- The answer

const char *
grafana_call_get_type(const grafana_call *self)
{
    LP_ASSERT(self->status != 0 || self->is_failed);
    return self->is_json || self->status != HTTP_OK ? "application/json" : "application/proto";
}

static lp_err
write_protobuf(const grafana_call *self, lp_buf *out)
{
    LP_ASSERT(self->work.out != NULL && self->status == HTTP_OK);
    ProtobufCMessage *message = NULL;
    lp_problem problem;
    LP_TRY(grafana_message_read(self->procedure->out, self->work.out, &message, &problem));
    uint8_t *bytes = lp_buf_extend(out, protobuf_c_message_get_packed_size(message));
    if (bytes != NULL) {
        (void)protobuf_c_message_pack(message, bytes);
    }
    end_message(message);
    return lp_buf_check(out);
}

void
grafana_call_write(grafana_call *self, lp_buf *out)
{
    LP_ASSERT(self->is_failed || self->work.out != NULL);
    LP_ASSERT(self->status != 0 || self->is_failed);
    if (self->is_failed || self->is_json || self->status != HTTP_OK) {
        query_json_append(out, self->is_failed ? NULL : self->work.out);
    } else if (write_protobuf(self, out) != LP_OK) {
        query_json_append(out, NULL); // out fails
    }
    end_work(&self->work);
}
