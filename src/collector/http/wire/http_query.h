// SPDX-License-Identifier: Apache-2.0
// http_query: parameters of a query string.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/http/test_http.c

#ifndef LP_COLLECTOR_HTTP_HTTP_QUERY_H
#define LP_COLLECTOR_HTTP_HTTP_QUERY_H

#include "common/base/lp_err.h"

#include <stdbool.h>

// http_query_take_text sets *out_text, NULL so far, to the value of the parameter key. False, with
// the reason in problem, for a parameter that is given twice.
bool http_query_take_text(
    const char *key, const char *value, const char **out_text, lp_problem *problem);

#endif // LP_COLLECTOR_HTTP_HTTP_QUERY_H
