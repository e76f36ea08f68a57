// SPDX-License-Identifier: Apache-2.0
#include "collector/grafana/grafana_selector.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"

#include <stdlib.h>
#include <string.h>

void
grafana_selector_fini(grafana_selector *self)
{
    free(self->text);
    *self = (grafana_selector){0};
}

// The rest of the text. Names and values stay in it; a 0 ends each.
typedef struct reading {
    char *begin;
    char *at;
    lp_problem *problem;
} reading;

static void
reading_check(const reading *r)
{
    LP_ASSERT(r->begin != NULL && r->at >= r->begin);
}

static lp_err
refuse(const reading *r, const char *wanted)
{
    reading_check(r);
    return lp_problem_set(r->problem, LP_ECORRUPT, "label selector: %s expected at character %zu",
        wanted, (size_t)(r->at - r->begin) + 1);
}

static void
skip_blanks(reading *r)
{
    reading_check(r);
    r->at += strspn(r->at, " \t\n");
}

static bool
skip(reading *r, char wanted)
{
    skip_blanks(r);
    bool is_there = *r->at == wanted;
    r->at += is_there;
    return is_there;
}

// read_quoted reads a text in quotes, and replaces what is escaped in it.
static lp_err
read_quoted(reading *r, const char **out)
{
    reading_check(r);
    char quote = *r->at;
    LP_REQUIRE(quote == '"' || quote == '`', refuse(r, "a value in quotes"));
    char *to = ++r->at;
    *out = to;
    for (; *r->at != quote; r->at++) {
        LP_REQUIRE(*r->at != '\0', refuse(r, "the end of a value"));
        if (*r->at == '\\' && quote == '"') {
            r->at++;
            LP_REQUIRE(*r->at == '\\' || *r->at == '"' || *r->at == 'n',
                refuse(r, "one of \\\\ \\\" \\n"));
            *to++ = *r->at == 'n' ? '\n' : *r->at;
        } else {
            *to++ = *r->at;
        }
    }
    r->at++;
    *to = '\0';
    return LP_OK;
}

// read_name reads a name, and sets *out_end to its end, where the operator may follow.
static lp_err
read_name(reading *r, const char **out, char **out_end)
{
    reading_check(r);
    if (*r->at == '"') {
        LP_TRY(read_quoted(r, out));
        *out_end = r->at - 1;
        return LP_OK;
    }
    size_t len =
        strspn(r->at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:.-/");
    LP_REQUIRE(len > 0, refuse(r, "the name of a label"));
    *out = r->at;
    r->at += len;
    *out_end = r->at;
    return LP_OK;
}

// read_op reads an operator.
static lp_err
read_op(reading *r, bool *out_is_not, bool *out_is_expression)
{
    reading_check(r);
    skip_blanks(r);
    size_t len = strspn(r->at, "=!~");
    bool is_known = (len == 1 && r->at[0] == '=') ||
                    (len == 2 && (strncmp(r->at, "!=", 2) == 0 || strncmp(r->at, "=~", 2) == 0 ||
                                     strncmp(r->at, "!~", 2) == 0));
    LP_REQUIRE(is_known, refuse(r, "one of = != =~ !~"));
    *out_is_not = r->at[0] == '!';
    *out_is_expression = r->at[len - 1] == '~';
    r->at += len;
    skip_blanks(r);
    return LP_OK;
}

static lp_err
read_matcher(reading *r, grafana_selector *self)
{
    LP_ASSERT(self->count <= GRAFANA_MATCHERS_MAX);
    grafana_matcher matcher = {0};
    bool is_expression = false;
    char *end = NULL;
    skip_blanks(r);
    LP_TRY(read_name(r, &matcher.name, &end));
    LP_TRY(read_op(r, &matcher.is_not, &is_expression));
    LP_TRY(read_quoted(r, &matcher.value));
    *end = '\0';
    if (is_expression && !matcher.is_not && strcmp(matcher.value, ".*") == 0) {
        return LP_OK;
    }
    if (is_expression && strcmp(matcher.value, ".+") == 0) { // a value, or with !~ none
        matcher.is_not = !matcher.is_not;
        matcher.value = "";
    }
    LP_REQUIRE(!is_expression || strpbrk(matcher.value, ".*+?()[]{}|^$\\") == NULL,
        lp_problem_set(r->problem, LP_ECORRUPT,
            "label selector: %.32s: expressions are not supported; use = or !=", matcher.name));
    LP_REQUIRE(self->count < GRAFANA_MATCHERS_MAX,
        lp_problem_set(r->problem, LP_ECORRUPT, "label selector: more than %d conditions",
            GRAFANA_MATCHERS_MAX));
    self->matchers[self->count++] = matcher;
    return LP_OK;
}

lp_err
grafana_selector_read(grafana_selector *self, const char *text, lp_problem *out_problem)
{
    LP_ASSERT(self->text == NULL && self->count == 0);
    self->text = strdup(text);
    LP_REQUIRE(self->text != NULL, LP_ENOMEM);
    reading r = {.begin = self->text, .at = self->text, .problem = out_problem};
    skip_blanks(&r);
    LP_REQUIRE(*r.at != '\0', LP_OK);
    LP_REQUIRE(skip(&r, '{'), refuse(&r, "{"));
    while (!skip(&r, '}')) {
        LP_TRY(read_matcher(&r, self));
        skip_blanks(&r);
        LP_REQUIRE(*r.at == '}' || skip(&r, ','), refuse(&r, ", or }"));
    }
    skip_blanks(&r);
    return *r.at == '\0' ? LP_OK : refuse(&r, "the end");
}

const char *
grafana_selector_find(const grafana_selector *self, const char *name)
{
    LP_ASSERT(self->count <= GRAFANA_MATCHERS_MAX);
    const grafana_matcher *found =
        LP_FIND(self->matchers, self->count, !at->is_not && strcmp(at->name, name) == 0);
    return found == NULL ? NULL : found->value;
}
