// SPDX-License-Identifier: Apache-2.0
// http_base: the path under which a proxy shows this server: that of --base-path, or, where the
// operator allows it, of the proxy's X-Forwarded-Prefix, which then counts in its place.
//
//   "/tools/loupe"   what browsers ask for has it in front. The proxy may take it away or leave it
//   ""               none
//
// Each part of it is of A-Z a-z 0-9 . _ ~ -, so that it is the same in a URL, a header and HTML.
//
// Threads: any thread; pure.
// Tests:   tests/unit/collector/http/routes/test_http_base.c

#ifndef LP_COLLECTOR_HTTP_HTTP_BASE_H
#define LP_COLLECTOR_HTTP_HTTP_BASE_H

#include "common/base/lp_err.h"

enum { HTTP_BASE_BYTES = 256 }; // with the 0 at its end

typedef struct http_base {
    char path[HTTP_BASE_BYTES];
} http_base;

// http_base_read reads a path, which may end in a /; NULL and "/" are none.
// Errors: LP_ECORRUPT it cannot be one. LP_ELIMIT it is too long
LP_MUST_USE lp_err http_base_read(const char *text, http_base *out, lp_problem *out_problem);

// http_base_take returns what is asked for of this server at a path: the path without base where
// that is in front. It borrows path.
const char *http_base_take(const http_base *base, const char *path);

#endif // LP_COLLECTOR_HTTP_HTTP_BASE_H
