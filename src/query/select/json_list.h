// SPDX-License-Identifier: Apache-2.0
// json_list: JSON arrays with a value for each item of an array.
//
// Threads: any thread.
// Tests:   tests/unit/query/list/test_answers_json.c

#pragma once

#include "query/select/json_parts.h"

// QUERY_JSON_LIST(at, items, count, value) returns an array with the value of each item; NULL if
// out of memory. The caller owns it. value is an expression of at, a pointer to the item, and
// returns a new json_t *, or NULL if out of memory.
#define QUERY_JSON_LIST(at, items, count, ...)                                                     \
    ({                                                                                             \
        json_t *json_list = json_array();                                                          \
        const size_t json_list_count = (count);                                                    \
        for (size_t json_list_i = 0; json_list_i < json_list_count; json_list_i++) {               \
            __typeof__(&(items)[0]) at = &(items)[json_list_i];                                    \
            (void)json_array_append_new(json_list, (__VA_ARGS__));                                 \
        }                                                                                          \
        query_json_whole(json_list, json_list_count);                                              \
    })
