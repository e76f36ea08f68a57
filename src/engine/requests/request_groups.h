// SPDX-License-Identifier: Apache-2.0
// request_groups: of each type and route, how long the slowest requests took and how many are kept.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/requests/test_request_rules.c, tests/prop/test_request_rules_prop.c

#ifndef LP_ENGINE_REQUESTS_REQUEST_GROUPS_H
#define LP_ENGINE_REQUESTS_REQUEST_GROUPS_H

#include "engine/requests/request_rules.h"

// What slowest and rare ask for.
typedef struct compact_request_wish {
    bool is_slowest;
    bool is_rare;
    compact_request_seen *seen; // of the group; NULL: nothing is to be noted
} compact_request_wish;

// compact_request_period returns in which minute (hour, day) a time lies; 0 where the setting is
// off.
int64_t compact_request_period(policy_throttle setting, int64_t wall_ns);

// compact_request_groups_ask finds out what slowest and rare ask for, and counts the request among
// those of its group. *out_wish holds until the next call. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_request_groups_ask(compact_request_rules *rules, uint64_t key,
    const compact_request_case *item, compact_request_wish *out_wish);

// compact_request_groups_note notes that the request is kept with all its parts.
void compact_request_groups_note(const compact_request_wish *wish);

// compact_request_groups_find returns the group of a key, a new one if there is none; NULL where
// memory runs out.
compact_request_group *compact_request_groups_find(compact_request_rules *rules, uint64_t key);

// compact_request_groups_clear removes all groups.
void compact_request_groups_clear(compact_request_rules *rules);

#endif // LP_ENGINE_REQUESTS_REQUEST_GROUPS_H
