// SPDX-License-Identifier: Apache-2.0
// attributes: the attributes of the contexts that a query answers, where they are asked for. A key
// is an attribute's name; keys have numbers, and so has each value of a key, so that who counts
// them compares no texts.
//
// A key with more than QUERY_VALUES_OF_KEY_MAX values, such as an id of each request, is
// search_only: from then on its values have no number any more. Their texts are still there.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/select/test_attributes.c
// Memory:  some 60 bytes and the text for each value with a number, of which QUERY_KEYS_MAX *
//          QUERY_VALUES_OF_KEY_MAX are remembered, and QUERY_VALUES_BYTES_MAX of their texts. Of a
//          session 8 bytes for each attribute of each wanted context, of which
//          QUERY_ATTRIBUTES_MAX are remembered, and QUERY_TEXTS_BYTES_MAX of texts without a
//          number.

#ifndef LP_QUERY_ATTRIBUTES_H
#define LP_QUERY_ATTRIBUTES_H

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
    const char *label;    // the first one; or ""
    uint32_t value_count; // that have numbers
    bool is_number;       // all values so far were numbers, or null
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
    uint32_t value; // indexes values; QUERY_NO_VALUE: its key is search_only, or it is null
} query_known_attribute;

// {0} has none yet.
typedef struct query_attributes {
    LP_VEC(query_key) keys;
    LP_VEC(query_value) values;
    bool is_truncated; // there were more
    lp_arena arena;    // fails where memory runs out

    // The rest is attributes' own.
    lp_names key_names;
    lp_map value_of; // by a hash of key and text
    uint64_t value_bytes;
    LP_VEC(struct query_kept_attribute {
        uint32_t key : 16;
        uint32_t is_null : 1;
        uint32_t is_number : 1;
        uint32_t is_text : 1; // it has no number: value is where its text begins in texts
        uint32_t value;
    })
    kept; // of the contexts of a session
    lp_buf texts;
} query_attributes;

void query_attributes_fini(query_attributes *attributes);

// query_attributes_keep remembers the attributes of a context until query_attributes_reset.
// *out_first is where they begin, and the count of those that there was room for is returned.
size_t query_attributes_keep(
    query_attributes *attributes, const query_attribute *items, size_t count, uint32_t *out_first);

// query_attributes_read returns what was remembered. Texts are lent until query_attributes_reset.
void query_attributes_read(
    const query_attributes *attributes, uint32_t first, size_t count, query_known_attribute *out);

// query_attributes_merge remembers, behind what was remembered last, the attributes of `from` that
// are not null and whose keys none of those from first on has, which are count; no more than max
// altogether. Returns how many there are then.
size_t query_attributes_merge(query_attributes *attributes, uint32_t first, size_t count,
    uint32_t from, size_t from_count, size_t max);

// query_attributes_reset forgets the attributes of all contexts; keys and values stay.
void query_attributes_reset(query_attributes *attributes);

#endif // LP_QUERY_ATTRIBUTES_H
