// SPDX-License-Identifier: Apache-2.0
#include "query/perfetto/calls.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_order.h"

#include <stdbool.h>

LP_COMPARE(compare_calls, query_call,
    LP_ORDER(one->trace, other->trace)
        ?: LP_ORDER(one->begin_wall_ns, other->begin_wall_ns)
        ?: LP_ORDER(other->end_wall_ns, one->end_wall_ns)
        ?: LP_ORDER(one->jvm, other->jvm)
        ?: LP_ORDER(one->track, other->track))

// find_caller returns the caller of a call, which is one of sorted calls from first on; NULL if it
// has none.
static const query_call *
find_caller(const query_call *first, const query_call *called)
{
    LP_ASSERT(called >= first && called->track != 0);
    const query_call *before = NULL;
    for (const query_call *at = called; at > first && called - at < QUERY_CALLS_BACK_MAX;) {
        at--;
        if (at->trace != called->trace) {
            break;
        }
        bool is_other = at->jvm != called->jvm && at->track != 0;
        if (is_other && at->end_wall_ns >= called->end_wall_ns) {
            return at;
        }
        before = before == NULL && is_other ? at : before;
    }
    return before;
}

lp_err
query_calls_find(query_call *calls, size_t count,
    lp_err (*on_call)(void *arg, const query_call *caller, const query_call *called), void *arg)
{
    lp_err err = LP_OK;
    LP_QSORT(calls, count, compare_calls);
    for (size_t i = 0; i < count && err == LP_OK; i++) {
        const query_call *caller = calls[i].track == 0 ? NULL : find_caller(calls, &calls[i]);
        err = caller == NULL ? LP_OK : on_call(arg, caller, &calls[i]);
    }
    return err;
}
