// SPDX-License-Identifier: Apache-2.0
#include "policy/policy_filter.h"

#include "common/base/lp_find.h"
#include "policy/policy_word.h"

#include <stdlib.h>
#include <string.h>

// skip_word moves over word if it is next, as a whole word.
static bool
skip_word(const char **at, const char *word)
{
    size_t len = strlen(word);
    const char *begin = *at + strspn(*at, " ");
    if (strncmp(begin, word, len) != 0 || (begin[len] != ' ' && begin[len] != '\0')) {
        return false;
    }
    *at = begin + len;
    return true;
}

// read_text reads the next name or value, and cuts it.
static lp_err
read_text(const char **at, const char *ends, char **out_text)
{
    lp_err err = policy_word_read(at, ends, out_text);
    if (err == LP_OK) {
        (*out_text)[ctx_recording_cut(*out_text, strlen(*out_text))] = '\0';
    }
    return err;
}

static lp_err
read_term(const char **at, policy_filter_term *term)
{
    static const char *const words[] = {
        [POLICY_HAS_CONTEXT] = "has-context",
        [POLICY_HAS_NO_CONTEXT] = "has-no-context",
        [POLICY_HAS_KEY] = "has-key",
        [POLICY_HAS_NULL] = "has-null",
        [POLICY_HAS_ENTRY] = "has-entry",
    };
    policy_filter_kind kind = POLICY_HAS_CONTEXT;
    while (kind <= POLICY_HAS_ENTRY && !skip_word(at, words[kind])) {
        kind++;
    }
    LP_REQUIRE(kind <= POLICY_HAS_ENTRY, LP_ECORRUPT);
    term->kind = kind;
    if (kind == POLICY_HAS_CONTEXT || kind == POLICY_HAS_NO_CONTEXT) {
        return LP_OK;
    }
    bool has_value = kind == POLICY_HAS_ENTRY;
    *at += strspn(*at, " ");
    lp_err err = read_text(at, has_value ? " \"=" : " \"", &term->key);
    if (!has_value || err != LP_OK) {
        return err;
    }
    LP_REQUIRE(**at == '=', LP_ECORRUPT);
    (*at)++;
    return read_text(at, " \"", &term->value);
}

// is_next returns whether word is next after a blank, and skips it.
static bool
is_next(const char **at, const char *word)
{
    return **at == ' ' && skip_word(at, word);
}

static bool
is_end(const char *at)
{
    return at[strspn(at, " ")] == '\0';
}

// read_filter reads the terms up to one that no `and` follows.
static lp_err
read_filter(const char **at, policy_filter **out_filter)
{
    policy_filter *filter = calloc(1, sizeof(*filter));
    lp_err err = filter == NULL ? LP_ENOMEM : LP_OK;
    bool has_more = true;
    while (err == LP_OK && has_more) {
        err = filter->term_count < POLICY_FILTER_TERMS_MAX
                  ? read_term(at, &filter->terms[filter->term_count++])
                  : LP_ECORRUPT;
        has_more = err == LP_OK && is_next(at, "and");
    }
    if (err != LP_OK) {
        policy_filter_destroy(filter);
        return err;
    }
    *out_filter = filter;
    return LP_OK;
}

lp_err
policy_filter_parse(const char *text, policy_filter **out_filter)
{
    policy_filter *filter;
    LP_TRY(read_filter(&text, &filter));
    if (!is_end(text)) {
        policy_filter_destroy(filter);
        return LP_ECORRUPT;
    }
    *out_filter = filter;
    return LP_OK;
}

lp_err
policy_filter_any_parse(const char *text, policy_filter_any **out_filters)
{
    policy_filter_any *filters = calloc(1, sizeof(*filters));
    lp_err err = filters == NULL ? LP_ENOMEM : LP_OK;
    bool has_more = true;
    while (err == LP_OK && has_more) {
        err = filters->count < POLICY_FILTERS_MAX
                  ? read_filter(&text, &filters->items[filters->count])
                  : LP_ECORRUPT;
        filters->count += err == LP_OK;
        has_more = err == LP_OK && is_next(&text, "or");
    }
    err = err == LP_OK && !is_end(text) ? LP_ECORRUPT : err;
    if (err != LP_OK) {
        policy_filter_any_destroy(filters);
        return err;
    }
    *out_filters = filters;
    return LP_OK;
}

void
policy_filter_destroy(policy_filter *filter)
{
    for (size_t i = 0; filter != NULL && i < filter->term_count; i++) {
        free(filter->terms[i].key);
        free(filter->terms[i].value);
    }
    free(filter);
}

void
policy_filter_any_destroy(policy_filter_any *filters)
{
    for (size_t i = 0; filters != NULL && i < filters->count; i++) {
        policy_filter_destroy(filters->items[i]);
    }
    free(filters);
}

static bool
is_value(const ctx_entry *entry, const char *value)
{
    size_t len = strlen(value);
    return !entry->is_null && entry->value.len == len &&
           (len == 0 || memcmp(entry->value.ptr, value, len) == 0);
}

// term_matches returns whether a term matches a context; entry is that of the term's key, or NULL.
static bool
term_matches(const policy_filter_term *term, bool has_context, const ctx_entry *entry)
{
    switch (term->kind) {
    case POLICY_HAS_CONTEXT:
        return has_context;
    case POLICY_HAS_NO_CONTEXT:
        return !has_context;
    case POLICY_HAS_KEY:
        return entry != NULL;
    case POLICY_HAS_NULL:
        return entry != NULL && entry->is_null;
    case POLICY_HAS_ENTRY:
        break;
    }
    return entry != NULL && is_value(entry, term->value);
}

bool
policy_filter_matches(const policy_filter *filter, const ctx_recording *map)
{
    for (size_t i = 0; i < filter->term_count; i++) {
        const policy_filter_term *term = &filter->terms[i];
        bool has_key = term->key != NULL && map != NULL;
        const ctx_entry *entry = has_key ? ctx_recording_find(map, term->key) : NULL;
        if (!term_matches(term, map != NULL, entry)) {
            return false;
        }
    }
    return true;
}

bool
policy_filter_matches_found(const policy_filter *filter,
    bool (*find)(const void *of, const char *key, ctx_entry *out_entry), const void *of)
{
    for (size_t i = 0; i < filter->term_count; i++) {
        const policy_filter_term *term = &filter->terms[i];
        ctx_entry entry;
        bool has_entry = term->key != NULL && find(of, term->key, &entry);
        if (!term_matches(term, true, has_entry ? &entry : NULL)) {
            return false;
        }
    }
    return true;
}

bool
policy_filter_may_match(const policy_filter *filter)
{
    return !LP_ANY(filter->terms, filter->term_count, at->kind == POLICY_HAS_NO_CONTEXT);
}
