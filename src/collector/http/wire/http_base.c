// SPDX-License-Identifier: Apache-2.0
#include "collector/http/wire/http_base.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_quote.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static bool
is_part(const char *part, size_t len)
{
    static const char known[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~-";
    // Browsers remove the parts "." and "..".
    return len > 0 && strspn(part, known) >= len && strspn(part, ".") < len;
}

lp_err
http_base_read(const char *text, http_base *out, lp_problem *out_problem)
{
    text = text == NULL ? "" : text;
    size_t len = strlen(text);
    len -= len > 0 && text[len - 1] == '/';
    LP_REQUIRE(len < HTTP_BASE_BYTES, lp_problem_set(out_problem, LP_ELIMIT,
                                          "a base path has %d bytes at most", HTTP_BASE_BYTES - 1));
    for (size_t at = 0; at < len;) {
        size_t part_len = strcspn(text + at + 1, "/");
        LP_REQUIRE(text[at] == '/' && is_part(text + at + 1, part_len),
            lp_problem_set(out_problem, LP_ECORRUPT,
                "a base path is /PART[/PART...] of letters, digits and . _ ~ -, not '%s'",
                lp_quote_text(text).text));
        at += 1 + part_len;
    }
    LP_ASSERT(len < sizeof(out->path));
    *out = (http_base){0};
    memcpy(out->path, text, len);
    return LP_OK;
}

const char *
http_base_take(const http_base *base, const char *path)
{
    LP_ASSERT(base->path[0] == '\0' || base->path[0] == '/');
    size_t len = strlen(base->path);
    if (len == 0 || strncmp(path, base->path, len) != 0) {
        return path;
    }
    return path[len] == '/' ? path + len : path[len] == '\0' ? "/" : path;
}
