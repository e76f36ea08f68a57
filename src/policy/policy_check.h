// SPDX-License-Identifier: Apache-2.0
// policy_check: reports all mistakes of a .jfc file, without using it.
//
// Beside the warnings of policy_read these are values of JFR's own settings, names of settings that
// nobody knows, names of event types that begin with `jdk.` and that no JDK 17 to 25 has, settings
// that are not for the kind of type that these are of, and a version that JFR refuses. Other names
// of event types are not checked: applications have their own. Of policy.h what warns is here, too:
// policy_read, policy_parse and policy_check_type.
//
// Threads: pure but for the file, any thread.

#ifndef LP_POLICY_POLICY_CHECK_H
#define LP_POLICY_POLICY_CHECK_H

#include "policy/policy.h"

typedef struct policy_check_counts {
    size_t settings;
    size_t problems; // that were reported
} policy_check_counts;

// policy_check calls on_problem for each, with a text as "line 7: event type ...". It goes on to
// the end of the file unless there is an error, which comes last, and is not reported. Errors:
// those of policy_read
LP_MUST_USE lp_err policy_check(const char *path, void (*on_problem)(void *arg, const char *text),
    void *arg, policy_check_counts *out_counts, lp_problem *out_problem);

#endif // LP_POLICY_POLICY_CHECK_H
