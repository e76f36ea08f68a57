// SPDX-License-Identifier: Apache-2.0
#include "query/select/json_parts.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_string.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double EXACT_MAX = 9007199254740992; // 2^53

json_t *
query_json_text(lp_slice text)
{
    return json_stringn(text.len == 0 ? "" : (const char *)text.ptr, text.len);
}

size_t
query_json_text_bytes(lp_slice text)
{
    size_t bytes = 0;
    for (size_t i = 0; i < text.len; i++) {
        bool is_escaped = text.ptr[i] < ' ' || text.ptr[i] == '"' || text.ptr[i] == '\\';
        bytes += is_escaped ? QUERY_JSON_ESCAPED_BYTES : 1;
    }
    return bytes;
}

json_t *
query_json_name(const char *name)
{
    lp_buf valid = {0};
    jfr_utf8_append_valid(&valid, (lp_slice){(const uint8_t *)name, strlen(name)});
    json_t *json = valid.is_failed ? NULL : query_json_text(lp_buf_slice(&valid));
    lp_buf_fini(&valid);
    return json;
}

json_t *
query_json_whole(json_t *array, size_t count)
{
    LP_ASSERT(array == NULL || json_is_array(array));
    if (json_array_size(array) == count) {
        return array;
    }
    json_decref(array);
    return NULL;
}

json_t *
query_json_integer(int64_t number)
{
    bool is_exact = (double)number < EXACT_MAX && (double)number > -EXACT_MAX;
    return is_exact ? json_integer(number) : json_sprintf("%" PRId64, number);
}

json_t *
query_json_real(double number)
{
    if (isfinite(number)) {
        return json_real(number);
    }
    return json_string(isnan(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity");
}

json_t *
query_json_wall_ns(int64_t wall_ns)
{
    return json_sprintf("%" PRId64, wall_ns);
}

json_t *
query_json_thread_id(int64_t java_id)
{
    return java_id == 0 ? json_null() : json_integer((json_int_t)java_id);
}

json_t *
query_json_attribute(const query_attribute *attribute)
{
    char copy[QUERY_JSON_NUMBER_BYTES];
    if (attribute->is_null) {
        return json_null();
    }
    if (!attribute->is_number || attribute->value.len >= sizeof(copy)) {
        return query_json_text(attribute->value);
    }
    memcpy(copy, attribute->value.ptr, attribute->value.len);
    copy[attribute->value.len] = '\0';
    double number = strtod(copy, NULL);
    if (!isfinite(number) || number >= EXACT_MAX || number <= -EXACT_MAX) {
        return query_json_text(attribute->value);
    }
    bool is_whole = strspn(copy, "-0123456789") == attribute->value.len;
    return is_whole ? json_integer(strtoll(copy, NULL, 10)) : json_real(number);
}

static int
append_text(const char *text, size_t len, void *arg)
{
    lp_buf *out = arg;
    lp_buf_append(out, text, len);
    return out->is_failed ? -1 : 0;
}

void
query_json_append(lp_buf *out, const json_t *json)
{
    int failure = json == NULL
                      ? -1
                      : json_dump_callback(json, append_text, out, JSON_COMPACT | JSON_ENCODE_ANY);
    out->is_failed |= failure != 0;
}

json_t *
query_json_set(json_t *object, const char *key, json_t *value)
{
    LP_ASSERT(value == NULL || object != value);
    if (json_object_set_new(object, key, value) != 0) { // frees value on failure too
        json_decref(object);
        return NULL;
    }
    return object;
}

json_t *
query_json_attributes(const query_attribute *attributes, size_t count)
{
    json_t *object = json_object();
    for (size_t i = 0; i < count; i++) {
        object = query_json_set(object, attributes[i].name, query_json_attribute(&attributes[i]));
    }
    return object;
}
