// SPDX-License-Identifier: Apache-2.0
// lp_trim: removes blanks around a line of a configuration file.
//
// Threads: any thread.
// Tests:   tests/unit/collector/cluster/test_log_properties.c

#pragma once

#include <string.h>

// lp_trim cuts the blanks at the end of text and returns its first character that is not blank.
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
