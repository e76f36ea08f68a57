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

// skip_bracket returns the end of a bracket expression, the last of its characters.
static const char *
skip_bracket(const char *open)
{
    const char *at = open + 1;
    at += *at == '^';
    at += *at == ']'; // the first one is a character
    for (; *at != '\0' && *at != ']'; at++) {
        if (at[0] == '[' && (at[1] == ':' || at[1] == '.' || at[1] == '=')) {
            const char kind_end[] = {at[1], ']', '\0'};
            const char *end = strstr(at + 2, kind_end);
            at = end == NULL ? at : end + 1;
        }
    }
    return *at == '\0' ? at - 1 : at;
}

// A group of an expression, as far as it has been read.
typedef struct group {
    size_t parts;
    size_t last; // of these, those that an operator which follows is about
} group;

static void
add_part(group *g, size_t parts)
{
    g->parts += parts;
    g->last = parts;
}

// count_parts returns how large an expression is for glibc, which repeats the operand of +, and
// tries that of * and ? with itself. From QUERY_FRAME_FILTER_PARTS_MAX on it stops counting.
static size_t
count_parts(const char *pattern)
{
    group groups[QUERY_FRAME_FILTER_BYTES_MAX + 1] = {{0}};
    group *g = groups;
    for (const char *at = pattern; *at != '\0' && g->parts <= QUERY_FRAME_FILTER_PARTS_MAX; at++) {
        if (*at == '(') {
            *++g = (group){0};
        } else if (*at == ')' && g > groups) {
            g--;
            add_part(g, g[1].parts + 1);
        } else if (*at == '+' || *at == '*' || *at == '?') {
            g->parts += g->last;
            g->last *= 2;
        } else {
            at = *at == '[' ? skip_bracket(at) : at + (*at == '\\' && at[1] != '\0');
            add_part(g, 1);
        }
    }
    return g->parts;
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
    if (count_parts(pattern) > QUERY_FRAME_FILTER_PARTS_MAX) {
        return lp_problem_set(out_problem, LP_ECORRUPT,
            "%s '%s': repetitions within repetitions make over %d parts of it", parameter,
            lp_quote_text(pattern).text, QUERY_FRAME_FILTER_PARTS_MAX);
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
