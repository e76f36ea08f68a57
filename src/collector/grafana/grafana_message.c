// SPDX-License-Identifier: Apache-2.0
#include "collector/grafana/grafana_message.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_ends_with.h"
#include "common/base/lp_find.h"
#include "common/base/lp_quote.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- Names

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
refuse(const ProtobufCFieldDescriptor *field, const char *wanted, lp_problem *problem)
{
    return lp_problem_set(problem, LP_ECORRUPT, "%s: not %s", field->name, wanted);
}

// --- Values

static lp_err
read_text(
    const ProtobufCFieldDescriptor *field, const json_t *json, char **out, lp_problem *problem)
{
    LP_ASSERT(field->type == PROTOBUF_C_TYPE_STRING);
    LP_REQUIRE(json_is_string(json), refuse(field, "a string", problem));
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
        refuse(field, "a whole number of 32 bits", problem));
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
        refuse(field, "a finite number", problem));
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
        return parse_whole(json, out) ? LP_OK : refuse(field, "a whole number of 64 bits", problem);
    case PROTOBUF_C_TYPE_INT32:
        return read_int32(field, json, out, problem);
    case PROTOBUF_C_TYPE_ENUM:
        return read_enum(field, json, out, problem);
    case PROTOBUF_C_TYPE_DOUBLE:
        return read_double(field, json, out, problem);
    default:
        LP_ASSERT(field->type == PROTOBUF_C_TYPE_MESSAGE); // pyroscope.proto has no others
        return grafana_message_read(field->descriptor, json, out, problem);
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
    LP_REQUIRE(json_is_array(json), refuse(field, "an array", problem));
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

lp_err
grafana_message_read(const ProtobufCMessageDescriptor *of, const json_t *json,
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
