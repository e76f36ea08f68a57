// SPDX-License-Identifier: Apache-2.0
// policy_all: makes a policy that drops nothing out of another policy.
//
// Threads: any thread.
// Tests:   tests/unit/policy/test_policy_all.c

#pragma once

#include "common/base/lp_err.h"
#include "policy/policy_types.h"

// policy_all_create makes a policy with the settings of `from`, which may be NULL, apart from those
// that drop events, contexts or requests: what is a context or a request, how contexts are found,
// and which requests are kept whole, is as before. Only contexts of the Java API in which nothing
// happened are dropped. Errors: LP_ELIMIT `from` has POLICY_PATTERNS_MAX
// patterns; LP_ENOMEM
LP_MUST_USE lp_err policy_all_create(const policy *from, policy **out_policy);
