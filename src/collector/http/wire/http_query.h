// SPDX-License-Identifier: Apache-2.0
// http_query: the parameters of a request that takes a fixed set of them.
//
// Threads: the thread that handles the connection.
// Tests:   tests/unit/collector/http/wire/test_http_query.c

#pragma once

#include "common/base/lp_err.h"

#include <microhttpd.h>
#include <stddef.h>

// A parameter that a request may have. *out is NULL at first, then borrows the value from the
// request.
typedef struct http_query_text {
    const char *key;
    const char **out;
} http_query_text;

typedef struct http_query {
    const http_query_text *texts;
    size_t count;
} http_query;

// http_query_read reads the parameters of a request. Errors: LP_ECORRUPT a parameter is unknown or
// given twice
LP_MUST_USE lp_err http_query_read(
    const http_query *query, struct MHD_Connection *connection, lp_problem *out_problem);

// http_query_take reads one parameter. Pure. Errors: as http_query_read
LP_MUST_USE lp_err http_query_take(
    const http_query *query, const char *key, const char *value, lp_problem *out_problem);
