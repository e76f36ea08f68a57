// SPDX-License-Identifier: Apache-2.0
// http_links: the operator's templates of links from the page to other tools.
//
//   trace    https://tempo.example/trace/{trace_id}
//   source   https://git.example/{service}/blob/v{version}/src/main/java/{path}.java#L{line}
//
// The page replaces these names in braces by values (web/src/base/links.ts) and leaves other braces
// unchanged.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/http/test_http.c

#pragma once

#include "common/base/lp_err.h"

enum { HTTP_LINKS_BYTES_MAX = 2048 }; // of a template

typedef struct http_links {
    const char *trace;  // has {trace_id}; NULL: none
    const char *source; // has {path}; NULL: none
} http_links;

// http_links_check refuses templates that cannot be links.
// Errors: LP_ECORRUPT or LP_ELIMIT, with the allowed form in *out_problem
LP_MUST_USE lp_err http_links_check(const http_links *links, lp_problem *out_problem);
