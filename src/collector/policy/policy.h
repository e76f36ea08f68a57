// SPDX-License-Identifier: Apache-2.0

// policy: which events to keep, by event type; read from a .jfc file.
//
// A .jfc file as the JDK knows it (<configuration><event name="..."><setting name="...">), with
// Loupe's settings added: `select` (all, if-context, if-triggered) and `contextual` (true, false).
// `enabled` and `threshold` mean what they mean to JFR. Other settings belong to the JVM and are
// passed over.
//
// Threads: built by one thread, then read by any.

#ifndef LP_COLLECTOR_POLICY_POLICY_H
#define LP_COLLECTOR_POLICY_POLICY_H

#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum policy_select {
    POLICY_SELECT_DEFAULT, // if-triggered for contextual types, all for the others
    POLICY_SELECT_ALL,
    POLICY_SELECT_IF_CONTEXT,
    POLICY_SELECT_IF_TRIGGERED,
} policy_select;

typedef struct policy_event {
    bool is_disabled;
    bool is_contextual; // marked by the policy; an annotation makes a type contextual as well
    policy_select select;
    int64_t threshold_ns; // 0: none
} policy_event;

typedef struct policy policy;

// policy_create makes the policy that has nothing but defaults. NULL if memory ran out.
policy *policy_create(void);
void policy_destroy(policy *policy);

// policy_read adds what the file at path says to policy. Invalid values are logged as warnings that
// name the file, event type, setting and value, and the default is used.
// Errors: LP_ENOENT, LP_EIO; LP_ECORRUPT for a file that is not XML, with its line; LP_ENOMEM
LP_MUST_USE lp_err policy_read(policy *policy, const char *path, lp_problem *out_problem);

// policy_find gives the settings of an event type: the defaults (all zero) where the policy says
// nothing. policy may be NULL.
policy_event policy_find(const policy *policy, const char *event_type_name);

#endif // LP_COLLECTOR_POLICY_POLICY_H
