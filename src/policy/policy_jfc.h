// SPDX-License-Identifier: Apache-2.0
// policy_jfc: the reader of .jfc files behind policy_read and policy_check.
//
// Threads: one thread at a time.
// Tests:   tests/unit/policy/test_policy.c

#pragma once

#include "common/base/lp_slice.h"
#include "policy/policy_types.h"

// Receives warnings, which do not end the reading. The texts lack the path: "line 7: event ...".
typedef struct policy_jfc_listener {
    void (*on_warning)(void *arg, const char *text);
    void *arg;
    bool is_thorough; // also warn of JFR's own settings, and of unknown names
} policy_jfc_listener;

// policy_jfc_parse reads the text of path, of POLICY_FILE_BYTES_MAX at most.
// Errors: LP_ECORRUPT, LP_ELIMIT, LP_ENOMEM, as policy_read
LP_MUST_USE lp_err policy_jfc_parse(policy *policy, const char *path, lp_slice text,
    const policy_jfc_listener *listener, lp_problem *out_problem);

// policy_jfc_read is policy_read with a listener for its warnings. Errors: as policy_read
LP_MUST_USE lp_err policy_jfc_read(
    policy *policy, const char *path, const policy_jfc_listener *listener, lp_problem *out_problem);
