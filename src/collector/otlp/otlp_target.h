// SPDX-License-Identifier: Apache-2.0

// otlp_target: where OTLP goes to (--otlp), and with which headers (--otlp-headers).
//
//   https://otel.example:4318/base   ->  https://otel.example:4318/base/v1/metrics
//                                        https://otel.example:4318/base/v1development/profiles
//
// A file of headers has a line for each, `Name: value`. Empty lines, and lines that begin with #,
// mean nothing. Values are secrets: no message has one.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/otlp/test_otlp_target.c

#pragma once

#include "collector/client/client_http.h"
#include "common/base/lp_err.h"

#include <stddef.h>

enum {
    OTLP_TARGET_URL_BYTES_MAX = 1024, // of --otlp
    OTLP_TARGET_HEADERS_MAX = 32,
    OTLP_TARGET_FILE_BYTES_MAX = 64 << 10,
};

typedef enum otlp_signal { OTLP_METRICS, OTLP_PROFILES, OTLP_SIGNALS } otlp_signal;

typedef struct otlp_target {
    char *urls[OTLP_SIGNALS];
    char *text; // of the headers: secrets
    client_http_pair headers[OTLP_TARGET_HEADERS_MAX];
    size_t header_count;
} otlp_target;

// otlp_target_check returns LP_ECORRUPT, with the reason, if a URL is not http:// or https:// with
// a host and a port that can be, or if it has a user, a query or a fragment.
LP_MUST_USE lp_err otlp_target_check(const char *url, lp_problem *out_problem);

// otlp_target_open reads the file of headers; NULL: none. End it with otlp_target_close.
// Errors: as otlp_target_check; LP_ECORRUPT for the file; LP_EIO; LP_ENOMEM
LP_MUST_USE lp_err otlp_target_open(
    const char *url, const char *headers_path, otlp_target *out, lp_problem *out_problem);
void otlp_target_close(otlp_target *target);
