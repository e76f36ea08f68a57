// SPDX-License-Identifier: Apache-2.0
// attributes: the attributes of the contexts that a query answers. A key is an attribute's name.
// Keys have numbers, and so has each value of a key, so that callers count values without comparing
// texts.
//
// A key with more than QUERY_VALUES_OF_KEY_MAX values, such as a request's id, becomes search_only:
// its further values have a text, but no number.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/select/test_attributes.c
// Memory:  about 60 bytes and the text for each value with a number, at most QUERY_KEYS_MAX *
//          QUERY_VALUES_OF_KEY_MAX of them and QUERY_VALUES_BYTES_MAX of texts. For each session
//          8 bytes for each attribute of each wanted context, at most QUERY_ATTRIBUTES_MAX of
//          them, and QUERY_TEXTS_BYTES_MAX of texts without a number.

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_names.h"
#include "query/select/selection.h"

enum {
    QUERY_KEYS_MAX = 256,
    QUERY_VALUES_OF_KEY_MAX = 1000,
    QUERY_VALUES_BYTES_MAX = 64 << 20,
    QUERY_ATTRIBUTES_MAX = 1 << 24, // of the contexts of a session
    QUERY_TEXTS_BYTES_MAX = 64 << 20,
    QUERY_NO_VALUE = UINT32_MAX, // not a number
};

typedef struct query_key {
    const char *name;
    const char *label;    // the first one, or ""
    uint32_t value_count; // values with numbers
    bool is_number;       // all values so far are numbers or null
    bool is_search_only;
} query_key;

typedef struct query_value {
    uint32_t key;
    lp_slice text;
} query_value;

// An attribute of an answer.
typedef struct query_known_attribute {
    query_attribute attribute;
    uint32_t key;   // indexes keys
    uint32_t value; // indexes values; QUERY_NO_VALUE: null, or a value without a number
} query_known_attribute;

// {0} is empty.
typedef struct query_attributes {
    LP_VEC(query_key) keys;
    LP_VEC(query_value) values;
    bool is_truncated; // a limit was reached
    lp_arena arena;    // fails if memory runs out

    // Private.
    lp_names key_names;
    lp_map value_of; // by a hash of key and text
    uint64_t value_bytes;
    LP_VEC(struct query_kept_attribute {
        uint32_t key : 16;
        uint32_t is_null : 1;
        uint32_t is_number : 1;
        uint32_t is_text : 1; // no number: value is the offset of its text in texts
        uint32_t value;
    })
    kept; // of the contexts of a session
    lp_buf texts;
} query_attributes;

void query_attributes_fini(query_attributes *attributes);

// query_attributes_keep stores the attributes of a context until query_attributes_reset. Returns
// how many it stored: a limit may leave some out. Writes the index of the first to *out_first.
size_t query_attributes_keep(
    query_attributes *attributes, const query_attribute *items, size_t count, uint32_t *out_first);

// query_attributes_read writes count stored attributes from first on. Their texts are valid until
// query_attributes_reset.
void query_attributes_read(
    const query_attributes *attributes, uint32_t first, size_t count, query_known_attribute *out);

// query_attributes_merge appends attributes to the context that was stored last, which has count
// attributes from index first on. It reads from_count stored attributes from index `from` on, and
// copies those that are not null and have a new key, until the context has max attributes. Returns
// the new count.
size_t query_attributes_merge(query_attributes *attributes, uint32_t first, size_t count,
    uint32_t from, size_t from_count, size_t max);

// query_attributes_reset drops the attributes of all contexts. Keys and values stay.
void query_attributes_reset(query_attributes *attributes);
