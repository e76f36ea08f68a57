// SPDX-License-Identifier: Apache-2.0
#include "policy/policy_pattern.h"

#include <stddef.h>
#include <string.h>

bool
policy_pattern_is(const char *name)
{
    return strchr(name, '*') != NULL;
}

bool
policy_pattern_is_all(const char *name)
{
    return strcmp(name, "*") == 0;
}

bool
policy_pattern_matches(const char *pattern, const char *name)
{
    const char *at = name;
    const char *star = NULL;     // the last one that was passed
    const char *star_end = NULL; // end of the run that it stands for, in this try
    while (*at != '\0') {
        if (*pattern == '*') {
            star = pattern++;
            star_end = at;
        } else if (*pattern == *at) {
            pattern++;
            at++;
        } else if (star != NULL) {
            pattern = star + 1;
            at = ++star_end;
        } else {
            return false;
        }
    }
    return pattern[strspn(pattern, "*")] == '\0';
}
