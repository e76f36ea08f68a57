// SPDX-License-Identifier: Apache-2.0

// http_target: what a request asks for, as it came, where libmicrohttpd has it.
//
// Threads: any thread; pure.
// Tests:   tests/unit/collector/http/test_http_strict.c

#ifndef LP_COLLECTOR_HTTP_HTTP_TARGET_H
#define LP_COLLECTOR_HTTP_HTTP_TARGET_H

typedef struct http_target {
    const char *begin; // NULL: it is not known
    const char *end;   // the first byte that none can have
} http_target;

// http_target_find finds the end of a target, which libmicrohttpd 0.9.75 writes a 0 behind: another
// one may be in it.
http_target http_target_find(const char *text);

#endif // LP_COLLECTOR_HTTP_HTTP_TARGET_H
