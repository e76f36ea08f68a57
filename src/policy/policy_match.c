// SPDX-License-Identifier: Apache-2.0
#include "policy/policy_match.h"

#include "policy/policy_word.h"

#include <stdlib.h>
#include <string.h>

// read_value reads the text after the =.
static bool
read_value(const char *at, policy_match *match)
{
    if (*at == '*') {
        match->value = strdup("");
    } else if (policy_word_read(&at, " \"*", &match->value) != LP_OK) {
        return false;
    }
    match->is_prefix = *at == '*';
    at += match->is_prefix;
    match->value_len = match->value == NULL ? 0 : strlen(match->value);
    return match->value != NULL && *at == '\0';
}

policy_match *
policy_match_parse(const char *text)
{
    policy_match *match = calloc(1, sizeof(*match));
    LP_REQUIRE(match != NULL, NULL);
    if (policy_word_read(&text, " \"=", &match->attribute) != LP_OK || *text != '=' ||
        !read_value(text + 1, match)) {
        policy_match_destroy(match);
        return NULL;
    }
    return match;
}

void
policy_match_destroy(policy_match *match)
{
    if (match != NULL) {
        free(match->attribute);
        free(match->value);
        free(match);
    }
}

bool
policy_match_is(const policy_match *match, lp_slice text)
{
    bool has_len = match->is_prefix ? text.len >= match->value_len : text.len == match->value_len;
    return has_len &&
           (match->value_len == 0 || memcmp(text.ptr, match->value, match->value_len) == 0);
}
