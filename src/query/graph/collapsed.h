// SPDX-License-Identifier: Apache-2.0
// collapsed: a flame graph as text, which most tools that draw them read: a line for each stack
// trace, with its own amount, in the order of the flame graph.
//
//   java.lang.Thread.run;shop.Checkout.pay;shop.Inventory.reserve;[lock] 70
//
// Amounts that were cut are missing. Characters that would end a frame or a line are _, and what
// counts at the root has no frame.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/graph/test_flame.c

#ifndef LP_QUERY_COLLAPSED_H
#define LP_QUERY_COLLAPSED_H

#include "common/base/lp_buf.h"
#include "query/graph/flame.h"

// query_collapsed_write appends the text, and returns whether it is whole: it has up to
// QUERY_PROFILE_BYTES_MAX and a line. Where memory runs out, out fails.
bool query_collapsed_write(const query_flame *flame, const query_profile *profile, lp_buf *out);

#endif // LP_QUERY_COLLAPSED_H
