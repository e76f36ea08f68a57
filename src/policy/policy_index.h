// SPDX-License-Identifier: Apache-2.0

// policy_index: the setting `context-index`, which says that attributes of a context are ids, to be
// found by their values: names with commas between them, `orderId, customer`, or `off`.
//
// Names are words as policy_word.h has them. One with a blank, a comma or a double quote is quoted,
// and so is one that is off.
//
// Threads: made by one thread, then used by any.
// Tests:   tests/unit/policy/test_policy_index.c

#ifndef LP_POLICY_POLICY_INDEX_H
#define LP_POLICY_POLICY_INDEX_H

#include <stdbool.h>
#include <stddef.h>

enum { POLICY_INDEX_ATTRIBUTES_MAX = 16 }; // more than that no answer shows of a type, either

typedef struct policy_index {
    size_t count; // at least 1
    char *attributes[POLICY_INDEX_ATTRIBUTES_MAX];
} policy_index;

// policy_index_parse makes an index of its text, which the caller ends with policy_index_destroy;
// NULL for off. False if the text is none, or if memory ran out.
bool policy_index_parse(const char *text, policy_index **out_index);
void policy_index_destroy(policy_index *index); // NULL is fine

// policy_index_has returns whether an attribute is one of those; index may be NULL.
bool policy_index_has(const policy_index *index, const char *attribute);

#endif // LP_POLICY_POLICY_INDEX_H
