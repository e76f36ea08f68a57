// SPDX-License-Identifier: Apache-2.0

// http_target: what a request asks for, as it came, where libmicrohttpd has it: a path, or, in
// absolute form, http://HOST/PATH (RFC 9112, 3.2.2).
//
// Threads: any thread; pure.
// Tests:   tests/unit/collector/http/wire/test_http_strict.c

#ifndef LP_COLLECTOR_HTTP_HTTP_TARGET_H
#define LP_COLLECTOR_HTTP_HTTP_TARGET_H

#include <stdbool.h>
#include <stddef.h>

enum {
    HTTP_TARGET_HOST_BYTES = 272, // a name of 255 bytes, a port, and the 0 at the end
    HTTP_TARGET_PARAMETERS_MAX = 128,
};

typedef struct http_target {
    const char *begin; // NULL: it is not known
    const char *end;   // the first byte that none can have
    // Of http://HOST in front of the path, which no decoding changes. 0: it is a path.
    size_t prefix_len;
    char host[HTTP_TARGET_HOST_BYTES]; // with its port; "", where prefix_len is not 0: none fits
    // Behind HTTP_TARGET_PARAMETERS_MAX; NULL: they are no more.
    const char *surplus;
} http_target;

// http_target_find reads a target. libmicrohttpd 0.9.75 writes a 0 behind it: another one may be in
// it.
http_target http_target_find(const char *text);

// http_target_path returns the path of a target that libmicrohttpd has decoded.
const char *http_target_path(const http_target *target, const char *decoded);

#endif // LP_COLLECTOR_HTTP_HTTP_TARGET_H
