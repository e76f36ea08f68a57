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

// read_text reads the next name or value to *to, and cuts it.
static bool
read_text(const char **at, const char *ends, char **to, const char **out_text)
{
    char *text = *to;
    LP_REQUIRE(policy_word_read(at, ends, to), false);
    text[ctx_recording_cut(text, strlen(text))] = '\0';
    *out_text = text;
    return true;
}

static bool
read_term(const char **at, char **to, policy_filter_term *term)
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
    LP_REQUIRE(kind <= POLICY_HAS_ENTRY, false);
    term->kind = kind;
    if (kind == POLICY_HAS_CONTEXT || kind == POLICY_HAS_NO_CONTEXT) {
        return true;
    }
    bool has_value = kind == POLICY_HAS_ENTRY;
    *at += strspn(*at, " ");
    bool is_valid = read_text(at, has_value ? " \"=" : " \"", to, &term->key);
    if (!has_value || !is_valid) {
        return is_valid;
    }
    LP_REQUIRE(**at == '=', false);
    (*at)++;
    return read_text(at, " \"", to, &term->value);
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

// read_filter reads the terms up to one that no `and` follows, and their texts to *to.
static bool
read_filter(const char **at, char **to, policy_filter *out_filter)
{
    do {
        if (out_filter->term_count == POLICY_FILTER_TERMS_MAX ||
            !read_term(at, to, &out_filter->terms[out_filter->term_count])) {
            return false;
        }
        out_filter->term_count++;
    } while (is_next(at, "and"));
    return true;
}

lp_err
policy_filter_parse(const char *text, policy_filter **out_filter)
{
    policy_filter *filter = calloc(1, sizeof(*filter) + strlen(text) + 1);
    LP_REQUIRE(filter != NULL, LP_ENOMEM);
    char *to = (char *)(filter + 1); // no text[], as policy_filter_any has filters
    if (!read_filter(&text, &to, filter) || !is_end(text)) {
        free(filter);
        return LP_ECORRUPT;
    }
    *out_filter = filter;
    return LP_OK;
}

// read_filters reads the filters up to one that no `or` follows.
static bool
read_filters(const char **at, policy_filter_any *out_filters)
{
    char *to = out_filters->text;
    do {
        if (out_filters->count == POLICY_FILTERS_MAX ||
            !read_filter(at, &to, &out_filters->items[out_filters->count])) {
            return false;
        }
        out_filters->count++;
    } while (is_next(at, "or"));
    return true;
}

lp_err
policy_filter_any_parse(const char *text, policy_filter_any **out_filters)
{
    policy_filter_any *filters = calloc(1, sizeof(*filters) + strlen(text) + 1);
    LP_REQUIRE(filters != NULL, LP_ENOMEM);
    if (!read_filters(&text, filters) || !is_end(text)) {
        free(filters);
        return LP_ECORRUPT;
    }
    *out_filters = filters;
    return LP_OK;
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
