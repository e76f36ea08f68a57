// SPDX-License-Identifier: Apache-2.0
// policy_check: reports all mistakes of a .jfc file, without using it. Besides the warnings of
// policy_read, the mistakes are:
// - invalid values of JFR's own settings, and unknown settings
// - event types `jdk.` that JDK 17 to 25 lack, and settings that are not valid for the kind of type
// - a version that JFR refuses
// Other event types are not checked, as applications have their own.
//
// Threads: any thread; pure functions, apart from reading the file.

#pragma once

#include "policy/policy.h"

typedef struct policy_check_counts {
    size_t settings;
    size_t problems; // that were reported
} policy_check_counts;

// policy_check calls on_problem for each mistake, with a text like "line 7: event type ...". An
// error ends the check, and is only in *out_problem. Errors: as policy_read
LP_MUST_USE lp_err policy_check(const char *path, void (*on_problem)(void *arg, const char *text),
    void *arg, policy_check_counts *out_counts, lp_problem *out_problem);

// policy_check_text does the same with the text of path, of POLICY_FILE_BYTES_MAX at most.
LP_MUST_USE lp_err policy_check_text(const char *path, lp_slice text,
    void (*on_problem)(void *arg, const char *text), void *arg, policy_check_counts *out_counts,
    lp_problem *out_problem);
