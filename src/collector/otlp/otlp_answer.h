// SPDX-License-Identifier: Apache-2.0

// otlp_answer: what a receiver's answer to an export means, by OTLP 1.11 over HTTP.
//
//   200, application/x-protobuf, an ExportResponse   taken; what it rejected in part is counted
//   another 2xx or another body                      unconfirmed: no receiver of this protocol
//   429, 502, 503, 504                               retry, perhaps after Retry-After
//   all others                                       refused: the same request would be refused
//   again
//
// An empty body is an empty ExportResponse, whatever its type.
//
// Threads: pure, any thread.
// Tests:   tests/unit/collector/otlp/test_otlp_answer.c

#pragma once

#include "collector/client/client_http.h"

#include <stdint.h>

enum { OTLP_ANSWER_TEXT_BYTES = 512 };

typedef enum otlp_outcome {
    OTLP_TAKEN,
    OTLP_UNCONFIRMED,
    OTLP_RETRY,
    OTLP_REFUSED,
} otlp_outcome;

typedef struct otlp_answer {
    otlp_outcome outcome;
    uint64_t rejected; // data points or profiles
    // For a person: the receiver's message, or what is wrong; "": nothing to say.
    char text[OTLP_ANSWER_TEXT_BYTES];
} otlp_answer;

// otlp_answer_read decides about an answer. Without memory for an ExportResponse, the answer is
// unconfirmed.
otlp_answer otlp_answer_read(const client_http_answer *from);
