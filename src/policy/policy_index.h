// SPDX-License-Identifier: Apache-2.0

// policy_index: the setting `context-index`: the attributes of a context that are ids, so that
// queries find contexts by their values. It is `off`, or names separated by commas: `orderId,
// customer`.
//
// Names are words (policy_word.h). A name with a blank, a comma or a double quote, and the name
// off, have to be quoted.
//
// Threads: made by one thread, then used by any.
// Tests:   tests/unit/policy/test_policy_index.c

#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { POLICY_INDEX_ATTRIBUTES_MAX = 16 }; // query answers show no more of a type

typedef struct policy_index {
    size_t count; // at least 1
    const char *attributes[POLICY_INDEX_ATTRIBUTES_MAX];
    char text[]; // of these
} policy_index;

// policy_index_parse makes an index from text; NULL for off. Returns false if text is not valid or
// memory ran out. The caller frees *out_index, which is one block.
bool policy_index_parse(const char *text, policy_index **out_index);

// policy_index_has returns whether an attribute is in index, which may be NULL.
bool policy_index_has(const policy_index *index, const char *attribute);
