// SPDX-License-Identifier: Apache-2.0
// policy_check: all that is wrong with a .jfc file, told without using it.
//
// Beside what policy_read warns of these are values of JFR's own settings, names of settings that
// nobody knows, names of event types that begin with `jdk.` and that no JDK 17 to 25 has, settings
// that are not for the kind of type that the file itself says it is, and a version that JFR
// refuses. Other names of event types are not checked: applications have their own.
//
// Threads: pure but for the file, any thread.

#ifndef LP_POLICY_POLICY_CHECK_H
#define LP_POLICY_POLICY_CHECK_H

#include "policy/policy.h"

typedef struct policy_check_counts {
    size_t settings;
    size_t problems; // that were told
} policy_check_counts;

// policy_check calls on_problem for each, with a text as "line 7: event type ...". It goes on to
// the end of the file unless there is an error, which comes last, and is not told. Errors: those of
// policy_read
LP_MUST_USE lp_err policy_check(const char *path, void (*on_problem)(void *arg, const char *text),
    void *arg, policy_check_counts *out_counts, lp_problem *out_problem);

#endif // LP_POLICY_POLICY_CHECK_H
