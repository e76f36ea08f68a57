// SPDX-License-Identifier: Apache-2.0
// request_rules: which requests are kept whole, by the policy's settings for requests.
//
// Requests are decided when they are over, in the order of their ends. These rules ask to keep a
// request, in this order:
//
//   condition  an attribute has the value that `keep` names
//   slow       the request took at least `keep-slow`
//   slowest    of the requests of its type and route that ended earlier in the same period, fewer
//              than N took as long or longer. So the N slowest of the period are kept, and some
//              others
//   event      something was kept in a part, and `request-keep` is `whole`
//   rare       of the requests of its type and route that ended earlier in the same period, rules
//              have kept fewer than N
//
// The first rule that the budget allows keeps the request with all its parts. condition is always
// allowed. The other rules may use a share of the period's budget: slow all of it, slowest 7/8,
// rare 3/4, event 1/2. If no rule keeps the request, only the parts are kept in which something was
// kept. Two more cases:
//
//   drop       a request that matches `drop` is dropped with all its parts, whatever rule asks
//   open       a request that is still open at the end of the window or session is kept, and stays
//              kept
//
// The result does not depend on how a session is cut into chunks, except for requests that are open
// at a cut, and for the budget that these use.
//
// A period is a minute, hour or day of the clock (UTC). slowest and rare remember the latest period
// and the one before. They ask to keep every request that ended before these two periods.
//
// The route is the value of the first of these attributes that the request has: http_route,
// http.route, route, endpoint.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/requests/test_request_rules.c, tests/prop/test_request_rules_prop.c
// Memory:  some 150 bytes for each type and route, and 256 more if keep-slowest is 10

#pragma once

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"
#include "common/jfr/jfr_varint.h"
#include "engine/request_reasons.h"
#include "engine/requests/requests.h"
#include "policy/policy_requests.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    // The most types and routes that have a group of their own in two periods. All others share a
    // group.
    COMPACT_REQUEST_GROUPS_MAX = 1000,
};

typedef struct compact_request_longest {
    int64_t period;        // since 1970, in units of the setting
    LP_VEC(int64_t) items; // the longest durations, ascending, ns
} compact_request_longest;

typedef struct compact_request_seen {
    int64_t period;
    uint64_t kept; // requests that were kept with all their parts
} compact_request_seen;

typedef struct compact_request_group {
    uint64_t key;                       // hash of type and route; 0: the shared group
    compact_request_longest slowest[2]; // of the latest even and odd period
    compact_request_seen rare[2];       // of the latest even and odd period
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

typedef struct compact_request_fate {
    compact_request_kept_by kept_by;
    compact_request_dropped_by dropped_by;
} compact_request_fate;

// A request of a window, over or open.
typedef struct compact_request_case {
    // is_kept and has_event include the parts of this window; kept_by and dropped_by are the
    // previous window's.
    const compact_request *request;
    int64_t end_wall_ns; // of the request, up to the end of the window
    int64_t duration_ns;
    // Approximate size of the window's parts that are kept only if the whole request is kept.
    uint64_t bytes;
} compact_request_case;

// The state that a window leaves for the next window. {0}: before the first window.
typedef struct compact_request_rules {
    compact_request_groups groups;
    policy_throttle budget; // of the policy that decided last
    int64_t budget_period;  // as compact_request_period returns it
    uint64_t budget_used;   // bytes, of budget_period
    uint64_t over_limit;    // requests that counted in the shared group; the caller resets it; not
                            // saved
} compact_request_rules;

void compact_request_rules_fini(compact_request_rules *rules);

// compact_request_is_whole returns whether all parts of a request are kept.
bool compact_request_is_whole(compact_request_kept_by kept_by);

// compact_request_route returns the attribute that names the route; NULL if the request has none.
const compact_request_attribute *compact_request_route(const compact_request *request);

// compact_request_rules_are_set returns whether a policy keeps or drops whole requests.
bool compact_request_rules_are_set(const policy_requests *wanted);

// compact_request_rules_drops returns whether the policy's `drop` matches a request.
bool compact_request_rules_drops(const policy_requests *wanted, const compact_request *request);

// compact_request_rules_decide decides a request. Call it for all requests of a window, ordered by
// end_wall_ns, then id. A request that has counted already keeps its reason. Settings that have
// changed since the last call start from zero. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_request_rules_decide(compact_request_rules *rules,
    const policy_requests *wanted, const compact_request_case *item,
    compact_request_fate *out_fate);

// --- Saved state (request_rules_bytes.c)

// compact_request_rules_save appends the state to out.
void compact_request_rules_save(const compact_request_rules *rules, lp_buf *out);

// compact_request_rules_load reads a saved state into rules, which are {0}. The caller ends rules
// with compact_request_rules_fini, also after an error. Errors: LP_ECORRUPT; LP_ENOMEM
LP_MUST_USE lp_err compact_request_rules_load(jfr_cursor *cursor, compact_request_rules *rules);

// compact_request_rules_copy makes out, which is {0}, an independent copy. The caller ends out,
// also after an error. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_request_rules_copy(
    const compact_request_rules *rules, compact_request_rules *out);

// --- Groups (request_groups.c). A group has, for one type and route of requests, the longest
// durations and the number of kept requests, in the latest period and in the one before. A setting
// whose per_ns is 0 is off.

// Which of the settings slowest and rare ask to keep a request.
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

// compact_request_groups_check asserts that each key has a group.
void compact_request_groups_check(const compact_request_groups *groups);

// compact_request_groups_ask adds a request to its group, whose key is not 0, and writes which
// settings ask to keep the request. *out_wish is valid until the next call. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_request_groups_ask(compact_request_groups *groups, uint64_t key,
    int64_t end_wall_ns, int64_t duration_ns, compact_request_wish *out_wish);

// compact_request_groups_note counts the request that compact_request_groups_ask added as kept by a
// rule.
void compact_request_groups_note(const compact_request_wish *wish);

// compact_request_groups_find finds or adds the group of a key. NULL if memory ran out.
compact_request_group *compact_request_groups_find(compact_request_groups *groups, uint64_t key);
