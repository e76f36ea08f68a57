// SPDX-License-Identifier: Apache-2.0

// idle_rules: finds .keep files whose rules, `pin-when` or `trace whole`, do nothing because no raw
// data of the service is kept. A change of any file logs them, and the metric counts them.
//
// Threads: the loop that owns raw.
// Tests:   tests/unit/collector/server/test_server_recall.c

#pragma once

#include "collector/recall/raw/raw_tail.h"
#include "policy/policy_dir.h"

#include <stdint.h>

// {0} at first.
typedef struct idle_rules {
    uint64_t version; // of the files when they were looked at
    uint64_t count;   // of such files then
} idle_rules;

// idle_rules_look looks at the files if they have changed.
void idle_rules_look(idle_rules *self, policy_dir *policies, const raw_tail *raw);
