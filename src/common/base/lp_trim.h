// SPDX-License-Identifier: Apache-2.0
// lp_trim: the part of a line of a file that somebody wrote which is between its blanks.
//
// Threads: any thread.
// Tests:   tests/unit/collector/log/test_log_properties.c

#ifndef LP_COMMON_BASE_LP_TRIM_H
#define LP_COMMON_BASE_LP_TRIM_H

#include <string.h>

// lp_trim ends text before the blanks at its end, and returns where it begins behind those before.
static inline char *
lp_trim(char *text)
{
    static const char blanks[] = " \t\r";
    text += strspn(text, blanks);
    size_t length = strlen(text);
    while (length > 0 && strchr(blanks, text[length - 1]) != NULL) {
        length--;
    }
    text[length] = '\0';
    return text;
}

#endif // LP_COMMON_BASE_LP_TRIM_H
