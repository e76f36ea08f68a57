// SPDX-License-Identifier: Apache-2.0

// policy_match: the setting `context-match`, which asks for an attribute of a context.
//
//   ATTRIBUTE=VALUE     the attribute's text is VALUE
//   ATTRIBUTE=PREFIX*   it begins with PREFIX; ATTRIBUTE=* asks for any value but null
//
// Attribute, value and prefix are words as policy_word.h has them. One with a blank, a double
// quote, an = (in the attribute) or a * (in the value) is quoted; the * that makes it a prefix then
// comes behind the second quote: route="/a b/"*
//
// Threads: made by one thread, then used by any.

#ifndef LP_POLICY_POLICY_MATCH_H
#define LP_POLICY_POLICY_MATCH_H

#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct policy_match {
    char *attribute;  // a field of the contextual type
    char *value;      // or what it begins with
    size_t value_len; // without the 0 at its end
    bool is_prefix;
} policy_match;

// policy_match_parse makes a match of its text; NULL if that is none, or if memory ran out. The
// caller ends it with policy_match_destroy.
policy_match *policy_match_parse(const char *text);
void policy_match_destroy(policy_match *match); // NULL is fine

// policy_match_is returns whether the attribute's text matches. (Where the attribute is null
// or the type has none of that name there is no text, and no match.)
bool policy_match_is(const policy_match *match, lp_slice text);

#endif // LP_POLICY_POLICY_MATCH_H
