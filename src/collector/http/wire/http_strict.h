// SPDX-License-Identifier: Apache-2.0

// http_strict: refuses requests that a proxy in front may have read in another way than
// libmicrohttpd does (RFC 9112, 11.2), and those that are larger than any that is meant.
//
//   400  more than HTTP_TARGET_PARAMETERS_MAX parameters; a path with a space; a target in absolute
//        form whose host is none; a first line whose words are not one space apart; a 0 anywhere in
//        a head; a head with lines that do not end in CR LF, that go on in a next one (obs-fold),
//        or have a name or a value that none can have; a Host that is no host; two of Host or
//        Content-Length; no Host in HTTP/1.1; Content-Length beside Transfer-Encoding
//   411  a body in pieces (Transfer-Encoding), which nothing here takes; libmicrohttpd 1.0 itself
//        answers 400 to codings that it does not know
//   413  a body of more than HTTP_STRICT_BODY_BYTES_MAX, or HTTP_UPLOAD_BYTES_MAX of a file
//   431  a head of more than HTTP_STRICT_HEAD_BYTES_MAX
//
// The connection ends with the answer: what follows may be no request. libmicrohttpd 1.0 ends it
// without one where a 0 is in the first line.
//
// Threads: the thread that handles the connection; http_strict_get_level and
//          http_strict_count_lines: any; pure.
// Tests:   tests/unit/collector/http/wire/test_http_strict.c

#ifndef LP_COLLECTOR_HTTP_HTTP_STRICT_H
#define LP_COLLECTOR_HTTP_HTTP_STRICT_H

#include "collector/http/wire/http_target.h"
#include "common/base/lp_slice.h"

#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    HTTP_STRICT_HEAD_BYTES_MAX = 16 * 1024,
    HTTP_STRICT_BODY_BYTES_MAX = 64 * 1024,
    // What libmicrohttpd has for a request's head and that of its answer. A head that does not fit
    // is its to refuse (431, or 414).
    HTTP_STRICT_POOL_BYTES = 32 * 1024,
};

typedef struct http_strict_head {
    const char *method; // as libmicrohttpd has it
    const char *version;
    const http_target *target;
    uint64_t body_bytes_max;
} http_strict_head;

// http_strict_get_level returns the value of MHD_OPTION_STRICT_FOR_CLIENT. At 1 libmicrohttpd 1.0
// refuses folds, lines that end in LF alone and zeros, and lets pass one empty line before a
// request. At 1 0.9 ends connections without an answer, and still takes most of these: it is 0, and
// http_strict_check looks at the lines.
int http_strict_get_level(void);

// http_strict_check returns whether a request, whose head has come just now, may be answered. Else
// it is answered with why not, and *out_result is what the handler returns.
bool http_strict_check(
    struct MHD_Connection *connection, const http_strict_head *head, enum MHD_Result *out_result);

// http_strict_count_lines counts the lines of a head as libmicrohttpd 0.9 leaves them: each name
// is followed by a 0 in place of its colon, each value by two in place of CR LF; two more are the
// empty line. Where a value has zeros in it they may be more than libmicrohttpd found. -1: they are
// something else.
int http_strict_count_lines(lp_slice lines);

#endif // LP_COLLECTOR_HTTP_HTTP_STRICT_H
