// SPDX-License-Identifier: Apache-2.0

// ask_answer: the answer to a question, before HTTP sends it.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/ask/test_ask.c

#ifndef LP_COLLECTOR_ASK_ASK_ANSWER_H
#define LP_COLLECTOR_ASK_ASK_ANSWER_H

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"

#include <jansson.h>

enum { ASK_ANSWER_BYTES_MAX = 64 << 20 };

// {0} has no answer yet.
typedef struct ask_answer {
    lp_err err;            // LP_OK: body is the answer. Else problem is: LP_ECORRUPT of what was
                           // asked, LP_ENOENT there is no such thing, LP_ELIMIT it would be too
                           // large, LP_EAGAIN not now, LP_ECLOSED the collector stops
    lp_problem problem;    // where err is not LP_OK
    const char *type;      // Content-Type; static
    const char *file_name; // what a download is to be called; static. NULL: it is none
    // Of a download: something is missing, which an answer in JSON says itself.
    bool is_truncated;
    uint64_t left_out; // chunks
    lp_buf body;
} ask_answer;

// ask_answer_destroy frees the answer, which is on the heap. NULL is fine.
void ask_answer_destroy(ask_answer *answer);

// ask_answer_set_json makes json, which it takes, the body, in place of what was there; NULL:
// memory ran out.
// Errors: LP_ENOMEM; LP_ELIMIT over ASK_ANSWER_BYTES_MAX, with the problem in *answer
LP_MUST_USE lp_err ask_answer_set_json(ask_answer *answer, json_t *json);

// ask_answer_refuse makes it an answer that would be too large. Returns LP_ELIMIT
lp_err ask_answer_refuse(ask_answer *answer);

#endif // LP_COLLECTOR_ASK_ASK_ANSWER_H
