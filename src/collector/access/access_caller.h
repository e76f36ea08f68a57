// SPDX-License-Identifier: Apache-2.0

// access_caller: the identity behind a request, under the rules in force when the request began.
// {0} is an anonymous caller on a collector without tokens, and may do everything.
//
// Threads: a value; it may be read by any thread.
// Tests:   tests/unit/collector/access/test_access_caller.c

#pragma once

#include "collector/access/access_rules.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct access_caller {
    access_rules *rules; // a reference; NULL: no tokens
    const access_rule *rule;
} access_caller;

// access_caller_copy returns a copy with its own reference, to be ended by access_caller_fini.
access_caller access_caller_copy(const access_caller *caller);
void access_caller_fini(access_caller *caller);

// access_caller_may returns whether the caller has a right for a service; NULL: for all services.
bool access_caller_may(const access_caller *caller, access_right right, const char *service);

// access_caller_has returns whether the caller has a right for at least one service.
bool access_caller_has(const access_caller *caller, access_right right);

// access_caller_list is access_rule_list; without tokens a caller may do all.
LP_MUST_USE lp_err access_caller_list(const access_caller *caller, access_right right,
    char separator, char *out_names, size_t size_bytes);

// access_caller_get_name returns the name of the identity; "": no tokens.
const char *access_caller_get_name(const access_caller *caller);
