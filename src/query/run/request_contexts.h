// SPDX-License-Identifier: Apache-2.0
// request_contexts: the requests of a session that a selection wants, once its contexts and
// requests are known. A context is a part of the request for which its thread works when it begins.
//
// A request has the attributes of its parts. If parts have different values, the value of the part
// that began first counts. If several parts began first together, the value of the outer one
// counts. Null values do not count.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/run/test_query_requests.c
// Memory:  4 bytes for each request; 8 for each of its attributes

#pragma once

#include "query/run/contexts.h"

enum { QUERY_REQUEST_ATTRIBUTES_MAX = 64 }; // of a request; further ones are left out

// query_request_contexts_make reduces contexts->requests to the wanted ones, replaces
// contexts->items by their stays, and, if wants_parts, moves their parts to contexts->parts by
// request and begin. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_request_contexts_make(
    query_contexts *contexts, const query_wanted *wanted, const query_names *names);

int64_t query_request_wall_ns(const query_contexts *contexts, const query_request *request);
