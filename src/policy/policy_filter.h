// SPDX-License-Identifier: Apache-2.0

// policy_filter: the setting `filter`, a condition for the RecordingContext at an event.
//
//   has-context | has-no-context | has-key NAME | has-null NAME | has-entry NAME=VALUE,
//   joined by `and`
//
// A name or value is a word (policy_word.h), and is cut as names and values of contexts are
// (ctx_recording_cut). A filter matches a context if all of its terms do.
//
// Filters joined by `or` are the conditions of requests (policy_requests.h).
//
// Threads: made by one thread, then used by any.

#pragma once

#include "common/base/lp_err.h"
#include "common/context/ctx_recording.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    POLICY_FILTER_TERMS_MAX = 16,
    POLICY_FILTERS_MAX = 16, // joined by `or`
};

typedef enum policy_filter_kind {
    POLICY_HAS_CONTEXT,
    POLICY_HAS_NO_CONTEXT,
    POLICY_HAS_KEY, // whatever its value
    POLICY_HAS_NULL,
    POLICY_HAS_ENTRY,
} policy_filter_kind;

typedef struct policy_filter_term {
    policy_filter_kind kind;
    const char *key;   // of has-key, has-null and has-entry
    const char *value; // of has-entry
} policy_filter_term;

typedef struct policy_filter {
    size_t term_count; // 1 and up
    policy_filter_term terms[POLICY_FILTER_TERMS_MAX];
} policy_filter;

typedef struct policy_filter_any {
    size_t count; // 1 and up
    policy_filter items[POLICY_FILTERS_MAX];
    char text[]; // of their keys and values
} policy_filter_any;

// policy_filter_parse makes a filter from text. The caller frees *out_filter, which is one block.
// Errors: LP_ECORRUPT if text is not valid; LP_ENOMEM
LP_MUST_USE lp_err policy_filter_parse(const char *text, policy_filter **out_filter);

// policy_filter_matches returns whether a context matches; map is NULL if there is no context.
bool policy_filter_matches(const policy_filter *filter, const ctx_recording *map);

// policy_filter_matches_found returns whether the entries that find returns match. find(of, key)
// writes the entry of a key, and returns whether there is one.
bool policy_filter_matches_found(const policy_filter *filter,
    bool (*find)(const void *of, const char *key, ctx_entry *out_entry), const void *of);

// policy_filter_any_parse does the same for filters joined by `or`.
LP_MUST_USE lp_err policy_filter_any_parse(const char *text, policy_filter_any **out_filters);

// policy_filter_may_match returns whether any context can match.
bool policy_filter_may_match(const policy_filter *filter);
