// SPDX-License-Identifier: Apache-2.0
// request_rules: which requests are kept whole, by the settings of the policy for requests.
//
// A request is decided where it is over, in the order of the ends. These rules ask for requests:
//
//   condition  an attribute has the value that `keep` asks for
//   slow       the request took as long as `keep-slow` says
//   slowest    fewer than N requests of its type and route that ended before it in the same minute
//              (hour, day) took as long. So the N slowest of the minute are kept, and others
//   event      something was kept in a part, and `request-keep` is `whole`
//   rare       fewer than N requests of its type and route that ended before it in the same minute
//              are kept by a rule
//
// The first one that the budget allows keeps the request with all its parts. condition is always
// allowed; the others while less than the budget of the minute is used: slow all of it, slowest
// 7/8, rare 3/4, event 1/2. If none keeps it, parts are kept in which something was kept.
//
//   drop       a request that matches is dropped with all its parts, whatever asks for it
//   open       a request that goes on behind the window, or is open where the session ends, is kept
//              so far, and stays kept
//
// Wherever a session is cut into chunks the requests get the same answers, but for those that are
// open at a cut and for what these use of a budget.
//
// Minutes, hours and days are those of the clock (UTC). slowest and rare know the latest and the
// one before, and ask for all requests that ended earlier.
//
// The route is the value of the first of these attributes that the request has: http_route,
// http.route, route, endpoint. What took most of the time of a request is not known here.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/requests/test_request_rules.c, tests/prop/test_request_rules_prop.c
// Memory:  that of request_groups.h

#ifndef LP_ENGINE_REQUESTS_REQUEST_RULES_H
#define LP_ENGINE_REQUESTS_REQUEST_RULES_H

#include "common/base/lp_err.h"
#include "engine/request_reasons.h"
#include "engine/requests/request_groups.h"
#include "engine/requests/requests.h"
#include "policy/policy_requests.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct compact_request_fate {
    compact_request_kept_by kept_by;
    compact_request_dropped_by dropped_by;
} compact_request_fate;

// A request of a window that ended in it, or goes on behind it.
typedef struct compact_request_case {
    // is_kept and has_event are of this window's parts, too; kept_by and dropped_by are of the
    // window before.
    const compact_request *request;
    int64_t end_wall_ns; // of the request, up to the end of the window
    int64_t duration_ns;
    uint64_t bytes; // that its parts of the window take which nothing else keeps, about
} compact_request_case;

// What is carried from window to window. {0} has seen nothing.
typedef struct compact_request_rules {
    compact_request_groups groups;
    policy_throttle budget; // of the policy that decided last
    int64_t budget_period;  // minutes since 1970
    uint64_t budget_used;   // bytes of that one
    uint64_t over_limit;    // requests that had to share, by COMPACT_REQUEST_GROUPS_MAX, since the
                            // caller set it to 0; not saved
} compact_request_rules;

void compact_request_rules_fini(compact_request_rules *rules);

// compact_request_is_whole returns whether all parts of a request are kept.
bool compact_request_is_whole(compact_request_kept_by kept_by);

// compact_request_route returns the attribute that names the route; NULL if the request has none.
const compact_request_attribute *compact_request_route(const compact_request *request);

// compact_request_rules_drops returns whether the policy drops a request, by its attributes.
bool compact_request_rules_drops(const policy_requests *wanted, const compact_request *request);

// compact_request_rules_decide decides a request. The caller calls it for the requests of a window
// in the order of end_wall_ns, of those that end at once by id. What has counted already keeps its
// reason. Where the settings have changed since the request before, their numbers begin anew.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_request_rules_decide(compact_request_rules *rules,
    const policy_requests *wanted, const compact_request_case *item,
    compact_request_fate *out_fate);

#endif // LP_ENGINE_REQUESTS_REQUEST_RULES_H
