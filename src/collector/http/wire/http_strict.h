// SPDX-License-Identifier: Apache-2.0

// http_strict: refuses requests that a proxy in front may read differently than libmicrohttpd does
// (RFC 9112, 11.2), and requests larger than any valid one.
//
//   400  one of:
//        - more than HTTP_TARGET_PARAMETERS_MAX parameters
//        - a path with a space, or an absolute target without a valid host
//        - words of the first line that are not one space apart
//        - a 0 byte in the head
//        - a line that does not end in CR LF, or continues on the next line (obs-fold)
//        - an invalid name or value
//        - an invalid Host, no Host in HTTP/1.1, several Hosts or Content-Lengths
//        - Content-Length beside Transfer-Encoding
//   411  Transfer-Encoding, which no path takes; libmicrohttpd 1.0 itself answers 400 to codings
//        that it does not know
//   413  a body of more than HTTP_STRICT_BODY_BYTES_MAX, or a file of more than
//        HTTP_UPLOAD_BYTES_MAX
//   431  a head of more than HTTP_STRICT_HEAD_BYTES_MAX
//
// The answer closes the connection, as the following bytes may not be a request. libmicrohttpd 1.0
// closes it without an answer if a 0 byte is in the first line.
//
// Threads: the thread that handles the connection; http_strict_get_level and
//          http_strict_count_lines: any; pure.
// Tests:   tests/unit/collector/http/wire/test_http_strict.c

#pragma once

#include "collector/http/wire/http_target.h"
#include "common/base/lp_slice.h"

#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    HTTP_STRICT_HEAD_BYTES_MAX = 16 * 1024,
    HTTP_STRICT_BODY_BYTES_MAX = 64 * 1024,
    // libmicrohttpd's memory for the heads of a request and its answer. libmicrohttpd itself
    // refuses a head that does not fit (431 or 414).
    HTTP_STRICT_POOL_BYTES = 32 * 1024,
};

typedef struct http_strict_head {
    const char *method; // in libmicrohttpd's memory
    const char *version;
    const http_target *target;
    uint64_t body_bytes_max;
} http_strict_head;

// http_strict_get_level returns the value of MHD_OPTION_STRICT_FOR_CLIENT. libmicrohttpd 1.0 gets
// 1: it then refuses zeros, folds and lines that end in LF alone, and allows one empty line before
// a request. 0.9 gets 0, because at 1 it closes connections without an answer and still accepts
// most of these lines. So http_strict_check checks the lines for 0.9.
int http_strict_get_level(void);

// http_strict_check checks a request whose head has just arrived. Returns false with the answer if
// it is refused.
bool http_strict_check(
    struct MHD_Connection *connection, const http_strict_head *head, enum MHD_Result *out_result);

// http_strict_count_lines returns the number of lines in a head as libmicrohttpd 0.9 leaves it in
// memory: it replaces each colon by a 0, and each CR LF by two. A value with zeros in it may count
// as several lines. -1: not such a head.
int http_strict_count_lines(lp_slice lines);
