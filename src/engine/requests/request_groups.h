// SPDX-License-Identifier: Apache-2.0
// request_groups: for each type and route of requests, the longest durations and the number of kept
// requests, in the latest period and in the one before. A period is a minute, an hour or a day of
// the clock, in UTC. A setting with a per_ns of 0 is off.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/requests/test_request_rules.c, tests/prop/test_request_rules_prop.c
// Memory:  some 150 bytes for each type and route, and 256 more if keep-slowest is 10

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"
#include "policy/policy_types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    // Types and routes of two periods that have a group each. All further ones share one.
    COMPACT_REQUEST_GROUPS_MAX = 1000,
};

typedef struct compact_request_longest {
    int64_t period;        // since 1970, in units of the setting
    LP_VEC(int64_t) items; // the longest durations, ascending, ns
} compact_request_longest;

typedef struct compact_request_seen {
    int64_t period;
    uint64_t kept; // requests, with all their parts
} compact_request_seen;

typedef struct compact_request_group {
    uint64_t key;                       // hash of type and route; 0: the shared group
    compact_request_longest slowest[2]; // of the latest even and odd period
    compact_request_seen rare[2];       // the same
} compact_request_group;

// {0} is empty.
typedef struct compact_request_groups {
    policy_throttle slowest; // keep-slowest
    policy_throttle rare;    // keep-rare
    int64_t latest_wall_ns;  // the latest end of any request
    LP_VEC(compact_request_group) items;
    lp_map by_key;
    int64_t swept_wall_ns; // latest_wall_ns when old groups were removed; not saved
} compact_request_groups;

// Which of the two settings asks for a request.
typedef struct compact_request_wish {
    bool is_slowest;
    bool is_rare;
    bool is_over_limit;         // the request counted in the shared group
    compact_request_seen *seen; // NULL: rare is off
} compact_request_wish;

void compact_request_groups_fini(compact_request_groups *groups);

// compact_request_period returns the period of a time; 0 if the setting is off.
int64_t compact_request_period(policy_throttle setting, int64_t wall_ns);

// compact_request_groups_set sets the settings, and removes all groups if they have changed.
void compact_request_groups_set(
    compact_request_groups *groups, policy_throttle slowest, policy_throttle rare);

// compact_request_groups_ask adds a request to its group, whose key is not 0, and writes which
// settings ask for the request. *out_wish is valid until the next call. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_request_groups_ask(compact_request_groups *groups, uint64_t key,
    int64_t end_wall_ns, int64_t duration_ns, compact_request_wish *out_wish);

// compact_request_groups_note counts the request as kept by a rule.
void compact_request_groups_note(const compact_request_wish *wish);

// compact_request_groups_find returns the group of a key, and adds it if there is none; NULL if
// memory ran out.
compact_request_group *compact_request_groups_find(compact_request_groups *groups, uint64_t key);
