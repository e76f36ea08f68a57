// SPDX-License-Identifier: Apache-2.0
// http_base: the base path under which a proxy shows this server, such as "/tools/loupe"; "": none.
// It is --base-path, or the proxy's X-Forwarded-Prefix if the operator allows it. The proxy may
// strip the base path from requests or leave it there.
//
// Its characters are A-Z a-z 0-9 . _ ~ - and /, so that it needs no escapes in a URL, a header or
// HTML.
//
// Threads: any thread; pure.
// Tests:   tests/unit/collector/http/routes/test_http_base.c

#pragma once

#include "common/base/lp_err.h"

enum { HTTP_BASE_BYTES = 256 }; // including the 0

typedef struct http_base {
    char path[HTTP_BASE_BYTES];
} http_base;

// http_base_read reads a path, which may end in a /. NULL and "/" mean none.
// Errors: LP_ECORRUPT it is malformed. LP_ELIMIT it is too long
LP_MUST_USE lp_err http_base_read(const char *text, http_base *out, lp_problem *out_problem);

// http_base_take returns path without the base; path itself if it is not below the base. Borrows
// path.
const char *http_base_take(const http_base *base, const char *path);
