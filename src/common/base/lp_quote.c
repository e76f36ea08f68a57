// SPDX-License-Identifier: Apache-2.0
#include "common/base/lp_quote.h"

#include "common/base/lp_utf8.h"

#include <string.h>

lp_quote
lp_quote_bytes(lp_slice text)
{
    lp_quote quote = {0};
    size_t len = 0;
    while (len < text.len) {
        size_t size = lp_utf8_measure((lp_slice){text.ptr + len, text.len - len});
        size = size == 0 ? 1 : size;
        if (len + size > LP_QUOTE_BYTES_MAX) {
            memcpy(quote.text + len, "...", sizeof("..."));
            break;
        }
        memcpy(quote.text + len, text.ptr + len, size);
        len += size;
    }
    return quote;
}

lp_quote
lp_quote_text(const char *text)
{
    // The rest of a longer text is ignored.
    return lp_quote_bytes((lp_slice){(const uint8_t *)text, strnlen(text, LP_QUOTE_BYTES_MAX + 4)});
}
