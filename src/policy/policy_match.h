// SPDX-License-Identifier: Apache-2.0

// policy_match: the setting `context-match`, a condition for an attribute of a context.
//
//   ATTRIBUTE=VALUE     the attribute's text is VALUE
//   ATTRIBUTE=PREFIX*   it begins with PREFIX; ATTRIBUTE=* matches any value but null
//
// Attribute, value and prefix are words (policy_word.h). Quote a word with a blank or a double
// quote, an attribute with an =, and a value with a *. The * of a prefix comes after the second
// quote: route="/a b/"*
//
// Threads: made by one thread, then used by any.

#pragma once

#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct policy_match {
    const char *attribute; // a field of the contextual type
    const char *value;     // or the prefix
    size_t value_len;      // without the 0 at the end
    bool is_prefix;
    char text[]; // of both
} policy_match;

// policy_match_parse makes a match from text; NULL if text is not valid or memory ran out. The
// caller frees it: it is one block.
policy_match *policy_match_parse(const char *text);

// policy_match_is returns whether the attribute's text matches. An attribute that is null or
// missing has no text and does not match.
bool policy_match_is(const policy_match *match, lp_slice text);
