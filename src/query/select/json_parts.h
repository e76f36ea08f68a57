// SPDX-License-Identifier: Apache-2.0
// json_parts: the values that JSON answers consist of. Each function returns a value that the
// caller owns; NULL if memory ran out.
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/query/list/test_answers_json.c

#pragma once

#include "common/base/lp_buf.h"
#include "query/select/selection.h"

#include <jansson.h>

enum {
    QUERY_JSON_NUMBER_BYTES = 64, // a longer number becomes a text
    QUERY_JSON_ESCAPED_BYTES = 6, // of a character such as a line break
};

// query_json_text returns text, which is UTF-8.
json_t *query_json_text(lp_slice text);

// query_json_text_bytes returns the most bytes that text takes in an answer, without its quotes.
size_t query_json_text_bytes(lp_slice text);

// query_json_name returns a name of any bytes, such as a path. U+FFFD replaces bytes that are not
// UTF-8.
json_t *query_json_name(const char *name);

// query_json_whole returns array if it has count items. Otherwise memory ran out while it was
// filled: frees array and returns NULL.
json_t *query_json_whole(json_t *array, size_t count);

// query_json_integer and query_json_real return a number that a browser represents exactly: below
// 2^53 and finite. Any other number becomes a text.
json_t *query_json_integer(int64_t number);
json_t *query_json_real(double number);

// query_json_wall_ns returns a point in time as a text.
json_t *query_json_wall_ns(int64_t wall_ns);

// query_json_thread_id returns a Java thread id; null for 0.
json_t *query_json_thread_id(int64_t java_id);

// query_json_attribute returns a value: null, a number as above, or a text.
json_t *query_json_attribute(const query_attribute *attribute);

// query_json_attributes returns an object that maps each name to its value.
json_t *query_json_attributes(const query_attribute *attributes, size_t count);

// query_json_append appends the text of a value, without blanks. out fails if json is NULL.
void query_json_append(lp_buf *out, const json_t *json);

// query_json_set adds a member and returns the object. Takes ownership of value. If either is NULL,
// frees the other and returns NULL.
json_t *query_json_set(json_t *object, const char *key, json_t *value);
