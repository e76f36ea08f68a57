// SPDX-License-Identifier: Apache-2.0
// s3_http: single HTTP exchanges with an object store, by libcurl, over connections that are used
// again. It asks once; who tries again is s3_client.
//
// Threads: any thread.
// Tests:   tests/unit/collector/store/test_chunk_store.c, tests/e2e/object_store.py

#ifndef LP_COLLECTOR_STORE_S3_HTTP_H
#define LP_COLLECTOR_STORE_S3_HTTP_H

#include "collector/store/s3/s3_sign.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    S3_HTTP_CONNECT_MS_MAX = 5000,
    // A peer that takes or sends less than that a second, for so long, is given up.
    S3_HTTP_SLOW_BYTES = 1024,
    S3_HTTP_SLOW_S_MAX = 10,
    S3_HTTP_ANSWER_BYTES_MAX = 4 << 20, // in memory: a page of a list has a thousand keys
    S3_HTTP_IDLE_MAX = 16,              // connections that wait for the next exchange
};

typedef struct s3_http s3_http;

typedef struct s3_http_request {
    const char *method;
    const char *url;
    const s3_pair *headers;
    size_t header_count;
    lp_slice body;
    int to_fd; // where the body of an answer of 200 or 206 is appended; -1: memory
    uint64_t deadline_mono_ms;
    unsigned slow_s_max; // in place of S3_HTTP_SLOW_S_MAX; 0: that
    bool is_direct;      // by no proxy of the environment's
} s3_http_request;

typedef struct s3_http_answer {
    unsigned status;
    bool has_etag;           // which a store names what it has stored by
    lp_buf body;             // what did not go to to_fd
    uint64_t received_bytes; // of any body
} s3_http_answer;

// s3_http_create returns NULL if memory ran out.
s3_http *s3_http_create(void);

// s3_http_destroy is for when nobody asks any more. NULL is fine.
void s3_http_destroy(s3_http *http);

// s3_http_interrupt has each exchange end within end_ms from now on, those included that begin
// later, and s3_http_wait return at once.
void s3_http_interrupt(s3_http *http, uint64_t end_ms);

// s3_http_is_interrupted returns whether it was.
bool s3_http_is_interrupted(s3_http *http);

// s3_http_wait waits, until interrupted.
void s3_http_wait(s3_http *http, uint64_t ms);

// s3_http_ask asks, and returns LP_OK for whatever status the answer has. The caller ends
// out_answer->body with lp_buf_fini, also after an error; received_bytes is right after an error.
// Errors: LP_EIO with errno, which is EIO for to_fd alone, and a reason in out_problem; LP_ENOMEM
LP_MUST_USE lp_err s3_http_ask(s3_http *http, const s3_http_request *request,
    s3_http_answer *out_answer, lp_problem *out_problem);

// s3_http_count_running returns how many exchanges of this process are not done. Threads: any
// thread
uint64_t s3_http_count_running(void);

// s3_http_now_ms returns the monotonic time that deadlines are of.
uint64_t s3_http_now_ms(void);

#endif // LP_COLLECTOR_STORE_S3_HTTP_H
