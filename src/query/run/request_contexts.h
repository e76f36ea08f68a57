// SPDX-License-Identifier: Apache-2.0
// request_contexts: which of a session's requests a selection wants, once its contexts and its
// requests are known. A context is a part of the request for which its thread works when it begins.
//
// A request has the attributes of its parts. Where two parts differ, it has that of the part that
// began first; of two that began at once, of the one around the other. Those that are null do not
// count.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/run/test_query_requests.c
// Memory:  4 bytes for each request; 8 for each of its attributes

#ifndef LP_QUERY_REQUEST_CONTEXTS_H
#define LP_QUERY_REQUEST_CONTEXTS_H

#include "query/run/contexts.h"

enum { QUERY_REQUEST_ATTRIBUTES_MAX = 64 }; // of one request; further ones are left out

// query_request_contexts_make leaves the wanted requests in contexts->requests, their stays in
// contexts->items, which are finished contexts, and their parts, by request and begin, in
// contexts->parts if they are asked for. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_request_contexts_make(query_contexts *contexts, const query_names *names);

// query_request_wall_ns returns when a request began.
int64_t query_request_wall_ns(const query_contexts *contexts, const query_request *request);

#endif // LP_QUERY_REQUEST_CONTEXTS_H
