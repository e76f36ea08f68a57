// SPDX-License-Identifier: Apache-2.0

// http_target: the target of a request as it arrived: a path or, in absolute form, http://HOST/PATH
// (RFC 9112, 3.2.2).
//
// Threads: any thread; pure.
// Tests:   tests/unit/collector/http/wire/test_http_strict.c

#pragma once

#include <stddef.h>

enum {
    HTTP_TARGET_HOST_BYTES = 272, // a name of 255 bytes, a port and the 0
    HTTP_TARGET_PARAMETERS_MAX = 128,
};

typedef struct http_target {
    const char *begin;                 // in libmicrohttpd's memory. NULL: unknown
    const char *end;                   // the first byte that is not part of a target
    size_t prefix_len;                 // of http://HOST, also after decoding; 0: a path
    char host[HTTP_TARGET_HOST_BYTES]; // with its port. "": none, or invalid if prefix_len > 0
    const char *surplus;               // parameters above HTTP_TARGET_PARAMETERS_MAX; NULL: none
} http_target;

// http_target_find reads a target from the text of a first line. The target does not end at the
// first 0: libmicrohttpd 0.9.75 writes a 0 after the target, and a hostile target may have one
// inside.
http_target http_target_find(const char *text);

// http_target_path returns the path in a target that libmicrohttpd has decoded.
const char *http_target_path(const http_target *target, const char *decoded);
