// SPDX-License-Identifier: Apache-2.0
#include "policy/policy_match.h"

#include "common/base/lp_err.h"
#include "policy/policy_word.h"

#include <stdlib.h>
#include <string.h>

// read_value reads the text after the =.
static bool
read_value(const char *at, policy_match *match, char *to)
{
    match->value = to; // "", unless a word comes
    if (*at != '*' && !policy_word_read(&at, " \"*", &to)) {
        return false;
    }
    match->is_prefix = *at == '*';
    at += match->is_prefix;
    match->value_len = strlen(match->value);
    return *at == '\0';
}

policy_match *
policy_match_parse(const char *text)
{
    policy_match *match = calloc(1, sizeof(*match) + strlen(text) + 1);
    LP_REQUIRE(match != NULL, NULL);
    char *to = match->text;
    match->attribute = to;
    if (!policy_word_read(&text, " \"=", &to) || *text != '=' || !read_value(text + 1, match, to)) {
        free(match);
        return NULL;
    }
    return match;
}

bool
policy_match_is(const policy_match *match, lp_slice text)
{
    bool has_len = match->is_prefix ? text.len >= match->value_len : text.len == match->value_len;
    return has_len &&
           (match->value_len == 0 || memcmp(text.ptr, match->value, match->value_len) == 0);
}
