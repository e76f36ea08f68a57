// SPDX-License-Identifier: Apache-2.0
#include "collector/page/page_address.h"

#include "common/base/lp_assert.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void
append_escaped(lp_buf *out, const char *text)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~";
    for (const char *c = text; *c != '\0'; c++) {
        char escaped[4];
        int len = snprintf(escaped, sizeof(escaped), strchr(plain, *c) != NULL ? "%c" : "%%%02X",
            (unsigned char)*c);
        lp_buf_append(out, escaped, (size_t)len);
    }
}

static bool
needs_tilde(const char *name)
{
    const char *dots = name + strspn(name, "~");
    size_t count = strspn(dots, ".");
    return dots[count] == '\0' && count <= 2;
}

void
page_address_part(lp_buf *out, const char *name)
{
    LP_ASSERT(out->len == 0 || memchr(out->ptr, '?', out->len) == NULL);
    lp_buf_append_text(out, needs_tilde(name) ? "/~" : "/");
    append_escaped(out, name);
}

void
page_address_parameter(lp_buf *out, const char *name, const char *value)
{
    LP_ASSERT(name[0] != '\0');
    bool is_first = out->len == 0 || memchr(out->ptr, '?', out->len) == NULL;
    lp_buf_append_text(out, is_first ? "?" : "&");
    append_escaped(out, name);
    lp_buf_append_text(out, "=");
    append_escaped(out, value);
}
