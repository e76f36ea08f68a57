// SPDX-License-Identifier: Apache-2.0
// policy_jfc: the .jfc reader behind policy_read (policy_jfc.c), and what it needs of the policy.

#ifndef LP_COLLECTOR_POLICY_POLICY_JFC_H
#define LP_COLLECTOR_POLICY_POLICY_JFC_H

#include "collector/policy/policy.h"

// policy_jfc_add_event lends the settings of an event type, made with defaults where there were
// none; until the next one is added. Errors: LP_ELIMIT, LP_ENOMEM
LP_MUST_USE lp_err policy_jfc_add_event(policy *policy, const char *name, policy_event **out_event);

// policy_jfc_set_path remembers which file is being read, for messages. Errors: LP_ENOMEM
LP_MUST_USE lp_err policy_jfc_set_path(policy *policy, const char *path);

#endif // LP_COLLECTOR_POLICY_POLICY_JFC_H
