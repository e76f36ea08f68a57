// SPDX-License-Identifier: Apache-2.0
#include "collector/http/wire/http_links.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_quote.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// is_link returns whether a template is a link to a page, and not, for example, javascript:.
static bool
is_link(const char *text)
{
    return strncmp(text, "https://", 8) == 0 || strncmp(text, "http://", 7) == 0;
}

static bool
is_printable(const char *text)
{
    return !LP_ANY(text, strlen(text), *at <= ' ' || *at >= 0x7f);
}

static lp_err
check(const char *text, const char *wanted, lp_problem *out_problem)
{
    LP_ASSERT(wanted[0] != '\0');
    if (text == NULL) {
        return LP_OK;
    }
    LP_REQUIRE(strlen(text) <= HTTP_LINKS_BYTES_MAX,
        lp_problem_set(
            out_problem, LP_ELIMIT, "a link has %d bytes at most", HTTP_LINKS_BYTES_MAX));
    if (!is_link(text) || !is_printable(text) || strstr(text, wanted) == NULL) {
        return lp_problem_set(out_problem, LP_ECORRUPT,
            "a link is http://... or https://... with %s in it, without spaces, not '%s'", wanted,
            lp_quote_text(text).text);
    }
    return LP_OK;
}

lp_err
http_links_check(const http_links *links, lp_problem *out_problem)
{
    lp_err err = check(links->trace, "{trace_id}", out_problem);
    return err == LP_OK ? check(links->source, "{path}", out_problem) : err;
}
