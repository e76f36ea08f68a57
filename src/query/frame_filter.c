// SPDX-License-Identifier: Apache-2.0
#include "query/frame_filter.h"

#include "common/base/lp_quote.h"

#include <string.h>

enum { REASON_BYTES = 80 };

// is_refused returns whether an expression has {n,m} or \1.
static bool
is_refused(const char *pattern)
{
    for (const char *at = pattern; *at != '\0'; at++) {
        if (*at == '{') {
            return true;
        }
        if (*at == '\\' && at[1] != '\0') {
            at++;
            if (*at >= '1' && *at <= '9') {
                return true;
            }
        }
    }
    return false;
}

static int
compile(query_frame_filter *filter)
{
    query_frame_filter filled = {.pattern = filter->pattern};
    int code = regcomp(&filled.regex, filter->pattern, REG_EXTENDED | REG_NOSUB);
    filled.is_compiled = code == 0;
    *filter = filled;
    return code;
}

lp_err
query_frame_filter_init(
    query_frame_filter *filter, const char *parameter, const char *pattern, lp_problem *out_problem)
{
    char reason[REASON_BYTES];
    *filter = (query_frame_filter){.pattern = pattern};
    if (strlen(pattern) > QUERY_FRAME_FILTER_BYTES_MAX) {
        return lp_problem_set(out_problem, LP_ECORRUPT, "%s: a regular expression of over %d bytes",
            parameter, QUERY_FRAME_FILTER_BYTES_MAX);
    }
    if (is_refused(pattern)) {
        return lp_problem_set(out_problem, LP_ECORRUPT,
            "%s '%s': repetitions {n,m} and \\1 are not for this; a brace is \\{", parameter,
            lp_quote_text(pattern).text);
    }
    int code = compile(filter);
    if (code == 0) {
        return LP_OK;
    }
    if (code == REG_ESPACE) {
        return lp_problem_set(out_problem, LP_ENOMEM, "%s: no memory", parameter);
    }
    (void)regerror(code, NULL, reason, sizeof(reason));
    return lp_problem_set(out_problem, LP_ECORRUPT, "%s '%s': not a regular expression: %s",
        parameter, lp_quote_text(pattern).text, reason);
}

void
query_frame_filter_fini(query_frame_filter *filter)
{
    if (filter->is_compiled) {
        regfree(&filter->regex);
    }
    *filter = (query_frame_filter){0};
}

lp_err
query_frame_filter_match(query_frame_filter *filter, const char *name, bool *out_matches)
{
    char looked_at[QUERY_FRAME_FILTER_NAME_BYTES + 1];
    size_t len = strnlen(name, QUERY_FRAME_FILTER_NAME_BYTES);
    memcpy(looked_at, name, len);
    looked_at[len] = '\0';
    if (filter->is_compiled && filter->bytes > QUERY_FRAME_FILTER_FORGET_BYTES) {
        regfree(&filter->regex);
        filter->is_compiled = false;
    }
    if (!filter->is_compiled && compile(filter) != 0) {
        return LP_ENOMEM; // it was fine before
    }
    int code = regexec(&filter->regex, looked_at, 0, NULL, 0);
    filter->bytes += len;
    *out_matches = code == 0;
    return code == REG_ESPACE ? LP_ENOMEM : LP_OK;
}
