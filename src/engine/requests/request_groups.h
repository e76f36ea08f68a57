// SPDX-License-Identifier: Apache-2.0
// request_groups: of each type and route of requests, how long the slowest took and how many are
// kept, in the latest minute (hour, day) and in the one before.
//
// Minutes are those of the clock, in UTC. A setting with a per_ns of 0 is off.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/requests/test_request_rules.c, tests/prop/test_request_rules_prop.c
// Memory:  some 150 bytes for each type and route, and 256 more where 10 slowest are kept

#ifndef LP_ENGINE_REQUESTS_REQUEST_GROUPS_H
#define LP_ENGINE_REQUESTS_REQUEST_GROUPS_H

#include "common/base/lp_err.h"
#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"
#include "policy/policy_types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    // Types and routes that are told apart in two minutes. All others count as one.
    COMPACT_REQUEST_GROUPS_MAX = 1000,
};

// Of one minute.
typedef struct compact_request_longest {
    int64_t period;        // minutes since 1970
    LP_VEC(int64_t) items; // the longest requests, ascending, ns
} compact_request_longest;

typedef struct compact_request_seen {
    int64_t period;
    uint64_t kept; // requests, with all their parts
} compact_request_seen;

// Of each two the first is of the even minute.
typedef struct compact_request_group {
    uint64_t key; // hash of type and route; 0: the group that others share
    compact_request_longest slowest[2];
    compact_request_seen rare[2];
} compact_request_group;

// {0} has none.
typedef struct compact_request_groups {
    policy_throttle slowest; // keep-slowest
    policy_throttle rare;    // keep-rare
    int64_t latest_wall_ns;  // the latest end of a request
    LP_VEC(compact_request_group) items;
    lp_map by_key;
    int64_t swept_wall_ns; // latest_wall_ns when old groups were removed; not saved
} compact_request_groups;

// What slowest and rare ask for.
typedef struct compact_request_wish {
    bool is_slowest;
    bool is_rare;
    bool is_over_limit;         // the request counted in the group that others share
    compact_request_seen *seen; // NULL: nothing is to be noted
} compact_request_wish;

void compact_request_groups_fini(compact_request_groups *groups);

// compact_request_period returns in which minute a time lies; 0 where the setting is off.
int64_t compact_request_period(policy_throttle setting, int64_t wall_ns);

// compact_request_groups_set sets the settings. Others than before forget all requests.
void compact_request_groups_set(
    compact_request_groups *groups, policy_throttle slowest, policy_throttle rare);

// compact_request_groups_ask finds out what slowest and rare ask for, and counts the request among
// those of its group, whose key is not 0. *out_wish holds until the next call. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_request_groups_ask(compact_request_groups *groups, uint64_t key,
    int64_t end_wall_ns, int64_t duration_ns, compact_request_wish *out_wish);

// compact_request_groups_note notes that the request is kept by a rule.
void compact_request_groups_note(const compact_request_wish *wish);

// compact_request_groups_find returns the group of a key, a new one if there is none; NULL where
// memory runs out.
compact_request_group *compact_request_groups_find(compact_request_groups *groups, uint64_t key);

#endif // LP_ENGINE_REQUESTS_REQUEST_GROUPS_H
