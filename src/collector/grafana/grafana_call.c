// SPDX-License-Identifier: Apache-2.0
#include "collector/grafana/grafana_call.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_ends_with.h"
#include "common/base/lp_find.h"
#include "common/base/lp_printable.h"
#include "common/base/lp_quote.h"
#include "common/base/lp_time.h"
#include "query/select/json_parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

// --- Messages in their JSON form, as protobuf defines it
//
// Names are as they are or in lowerCamelCase, 64-bit numbers also strings, enums names or numbers.
// Unknown members are ignored, so that newer clients are understood, unless they are selectors:
// without them, an answer would be about more than the client asked for.

// is_name returns whether key is the name of a field, as it is or in lowerCamelCase.
static bool
is_name(const char *field, const char *key)
{
    if (strcmp(field, key) == 0) {
        return true;
    }
    for (; *field != '\0'; field++, key++) {
        bool is_upper = *field == '_';
        field += is_upper;
        char wanted =
            is_upper && *field >= 'a' && *field <= 'z' ? (char)(*field - 'a' + 'A') : *field;
        LP_REQUIRE(*key == wanted, false);
    }
    return *key == '\0';
}

// is_selector returns whether an unknown member selects something, by its name.
static bool
is_selector(const char *key)
{
    return lp_ends_with(key, strlen(key), "elector"); // fooSelector, foo_selector
}

static lp_err
refuse_member(const ProtobufCFieldDescriptor *field, const char *wanted, lp_problem *problem)
{
    return lp_problem_set(problem, LP_ECORRUPT, "%s: not %s", field->name, wanted);
}

static lp_err read_message(const ProtobufCMessageDescriptor *of, const json_t *json,
    ProtobufCMessage **out_message, lp_problem *out_problem);

static lp_err
read_text(
    const ProtobufCFieldDescriptor *field, const json_t *json, char **out, lp_problem *problem)
{
    LP_ASSERT(field->type == PROTOBUF_C_TYPE_STRING);
    LP_REQUIRE(json_is_string(json), refuse_member(field, "a string", problem));
    char *copy = strdup(json_string_value(json));
    LP_REQUIRE(copy != NULL, LP_ENOMEM);
    *out = copy;
    return LP_OK;
}

static bool
parse_whole(const json_t *json, int64_t *out)
{
    const char *text = json_string_value(json);
    char *end = NULL;
    if (json_is_integer(json)) {
        *out = json_integer_value(json);
        return true;
    }
    if (json_is_real(json)) {
        double value = json_real_value(json);
        LP_REQUIRE(fabs(value) < 0x1p53 && value == floor(value), false);
        *out = (int64_t)value;
        return true;
    }
    LP_REQUIRE(text != NULL && text[0] != '\0', false);
    errno = 0;
    *out = strtoll(text, &end, 10);
    return *end == '\0' && errno == 0;
}

static lp_err
read_int32(
    const ProtobufCFieldDescriptor *field, const json_t *json, int32_t *out, lp_problem *problem)
{
    int64_t value;
    LP_REQUIRE(parse_whole(json, &value) && value >= INT32_MIN && value <= INT32_MAX,
        refuse_member(field, "a whole number of 32 bits", problem));
    *out = (int32_t)value;
    return LP_OK;
}

static lp_err
read_enum(
    const ProtobufCFieldDescriptor *field, const json_t *json, int32_t *out, lp_problem *problem)
{
    LP_ASSERT(field->type == PROTOBUF_C_TYPE_ENUM);
    const char *name = json_string_value(json);
    LP_REQUIRE(name != NULL, read_int32(field, json, out, problem));
    const ProtobufCEnumValue *value =
        protobuf_c_enum_descriptor_get_value_by_name(field->descriptor, name);
    LP_REQUIRE(value != NULL, lp_problem_set(problem, LP_EVERSION, "%s: unknown value '%s'",
                                  field->name, lp_quote_text(name).text));
    *out = value->value;
    return LP_OK;
}

static lp_err
read_double(
    const ProtobufCFieldDescriptor *field, const json_t *json, double *out, lp_problem *problem)
{
    LP_ASSERT(field->type == PROTOBUF_C_TYPE_DOUBLE);
    const char *text = json_string_value(json);
    char *end = NULL;
    double value = text == NULL ? json_number_value(json) : strtod(text, &end);
    LP_REQUIRE(
        (json_is_number(json) || (end != NULL && end != text && *end == '\0')) && isfinite(value),
        refuse_member(field, "a finite number", problem));
    *out = value;
    return LP_OK;
}

static lp_err
read_value(
    const ProtobufCFieldDescriptor *field, const json_t *json, void *out, lp_problem *problem)
{
    switch ((int)field->type) {
    case PROTOBUF_C_TYPE_STRING:
        return read_text(field, json, out, problem);
    case PROTOBUF_C_TYPE_INT64:
        return parse_whole(json, out) ? LP_OK
                                      : refuse_member(field, "a whole number of 64 bits", problem);
    case PROTOBUF_C_TYPE_INT32:
        return read_int32(field, json, out, problem);
    case PROTOBUF_C_TYPE_ENUM:
        return read_enum(field, json, out, problem);
    case PROTOBUF_C_TYPE_DOUBLE:
        return read_double(field, json, out, problem);
    default:
        LP_ASSERT(field->type == PROTOBUF_C_TYPE_MESSAGE); // pyroscope.proto has no others
        return read_message(field->descriptor, json, out, problem);
    }
}

static size_t
size_of(const ProtobufCFieldDescriptor *field)
{
    bool is_small = field->type == PROTOBUF_C_TYPE_INT32 || field->type == PROTOBUF_C_TYPE_ENUM;
    return is_small ? sizeof(int32_t) : sizeof(int64_t); // pointers have 8 bytes
}

static lp_err
read_items(const ProtobufCFieldDescriptor *field, const json_t *json, ProtobufCMessage *message,
    lp_problem *problem)
{
    static_assert(sizeof(void *) == sizeof(int64_t), "size_of");
    LP_REQUIRE(json_is_array(json), refuse_member(field, "an array", problem));
    size_t *count = (size_t *)(void *)((char *)message + field->quantifier_offset);
    LP_ASSERT(field->label == PROTOBUF_C_LABEL_REPEATED && *count == 0);
    size_t all = json_array_size(json);
    char *items = calloc(all + 1, size_of(field));
    LP_REQUIRE(items != NULL, LP_ENOMEM);
    *(char **)(void *)((char *)message + field->offset) =
        items; // message_free frees `count` of them
    lp_err err = LP_OK;
    for (size_t i = 0; i < all && err == LP_OK; i++) {
        err = read_value(field, json_array_get(json, i), items + i * size_of(field), problem);
        *count += err == LP_OK;
    }
    return err;
}

// read_member reads a member. given: a bit for each field that was read.
static lp_err
read_member(ProtobufCMessage *message, const char *key, const json_t *json, uint32_t *given,
    lp_problem *problem)
{
    LP_ASSERT(message->descriptor != NULL);
    const ProtobufCMessageDescriptor *of = message->descriptor;
    const ProtobufCFieldDescriptor *field =
        LP_FIND(of->fields, of->n_fields, is_name(at->name, key));
    if (field == NULL || json_is_null(json)) {
        return field != NULL || json_is_null(json) || !is_selector(key)
                   ? LP_OK
                   : lp_problem_set(
                         problem, LP_EVERSION, "%s: unknown selector", lp_quote_text(key).text);
    }
    LP_ASSERT(of->n_fields <= 32);
    uint32_t bit = (uint32_t)1 << (field - of->fields);
    LP_REQUIRE(
        (*given & bit) == 0, lp_problem_set(problem, LP_ECORRUPT, "%s: given twice", field->name));
    *given |= bit;
    return field->label == PROTOBUF_C_LABEL_REPEATED
               ? read_items(field, json, message, problem)
               : read_value(field, json, (char *)message + field->offset, problem);
}

// read_message makes a message, which end_message ends. Errors: LP_ECORRUPT a member of a wrong
// type, or given twice; LP_EVERSION an unknown selector or name of an enum; LP_ENOMEM
static lp_err
read_message(const ProtobufCMessageDescriptor *of, const json_t *json,
    ProtobufCMessage **out_message, lp_problem *out_problem)
{
    LP_ASSERT(of->sizeof_message >= sizeof(ProtobufCMessage));
    LP_REQUIRE(json_is_object(json),
        lp_problem_set(out_problem, LP_ECORRUPT, "%s: not an object", of->short_name));
    ProtobufCMessage *message = calloc(1, of->sizeof_message);
    LP_REQUIRE(message != NULL, LP_ENOMEM);
    of->message_init(message);
    const char *key;
    json_t *value;
    uint32_t given = 0;
    lp_err err = LP_OK;
    json_object_foreach((json_t *)(uintptr_t)json, key, value)
    {
        LP_THEN(err, read_member(message, key, value, &given, out_problem));
    }
    if (err != LP_OK) {
        protobuf_c_message_free_unpacked(message, NULL);
        return err;
    }
    *out_message = message;
    return LP_OK;
}

// --- Reading

static lp_err
read_json(grafana_call *self, lp_slice body, ProtobufCMessage **out, lp_problem *problem)
{
    LP_ASSERT(self->procedure != NULL && self->is_json);
    json_t *json = json_loadb((const char *)body.ptr, body.len, 0, NULL);
    lp_err err = json != NULL ? read_message(self->procedure->in, json, out, problem)
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
    LP_TRY(read_message(self->procedure->out, self->work.out, &message, &problem));
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
