// SPDX-License-Identifier: Apache-2.0
// json_parts: what answers as JSON are made of. Each returns a value that the caller owns; NULL
// where memory ran out.
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/query/list/test_answers_json.c

#ifndef LP_QUERY_JSON_PARTS_H
#define LP_QUERY_JSON_PARTS_H

#include "query/select/selection.h"

#include <jansson.h>

enum {
    QUERY_JSON_NUMBER_BYTES = 64, // a longer number is a text
    QUERY_JSON_ESCAPED_BYTES = 6, // of a character such as a line break
};

// query_json_text returns text, which is UTF-8.
json_t *query_json_text(lp_slice text);

// query_json_text_bytes returns how many bytes a text has in an answer at most, without its quotes.
size_t query_json_text_bytes(lp_slice text);

// query_json_name returns a name of any bytes, such as a path, with U+FFFD for those that are not
// UTF-8.
json_t *query_json_name(const char *name);

// query_json_whole returns array where it has count items, as it should. Else memory ran out on the
// way: it frees array and returns NULL.
json_t *query_json_whole(json_t *array, size_t count);

// query_json_integer and _real return a number where a browser has it exactly: below 2^53, and no
// NaN or infinity. Others are texts.
json_t *query_json_integer(int64_t number);
json_t *query_json_real(double number);

// query_json_wall_ns returns a point in time, which is a text.
json_t *query_json_wall_ns(int64_t wall_ns);

// query_json_thread_id returns a Java thread id; null of 0, which is none.
json_t *query_json_thread_id(int64_t java_id);

// query_json_attribute returns a value: a number as above where it is one, null, or a text.
json_t *query_json_attribute(const query_attribute *attribute);

// query_json_attributes returns an object with the value of each of these.
json_t *query_json_attributes(const query_attribute *attributes, size_t count);

// query_json_set adds a member to an object and returns the object; value is the object's. Either
// may be NULL: then the other one is freed.
json_t *query_json_set(json_t *object, const char *key, json_t *value);

#endif // LP_QUERY_JSON_PARTS_H
