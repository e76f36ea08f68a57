// SPDX-License-Identifier: Apache-2.0
#include "common/base/lp_utf8.h"

#include <string.h>

size_t
lp_utf8_measure(lp_slice text)
{
    uint8_t first = text.ptr[0];
    size_t bytes = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (bytes == 0 || first > 0xf4 || bytes > text.len) {
        return 0;
    }
    for (size_t i = 1; i < bytes; i++) {
        if ((text.ptr[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    bool is_misfit = bytes > 1 && ((first == 0xe0 && text.ptr[1] < 0xa0) ||     // too long
                                      (first == 0xed && text.ptr[1] >= 0xa0) || // a surrogate
                                      (first == 0xf0 && text.ptr[1] < 0x90) ||  // too long
                                      (first == 0xf4 && text.ptr[1] >= 0x90));  // too large
    return is_misfit ? 0 : bytes;
}

bool
lp_utf8_is_text(const char *text)
{
    lp_slice rest = {.ptr = (const uint8_t *)text, .len = strlen(text)};
    size_t bytes = 1;
    while (rest.len > 0 && bytes > 0) {
        bytes = lp_utf8_measure(rest);
        rest = (lp_slice){.ptr = rest.ptr + bytes, .len = rest.len - bytes};
    }
    return rest.len == 0;
}
