// SPDX-License-Identifier: Apache-2.0
// s3_http: exchanges HTTP requests and answers with an object store, by libcurl, over reused
// connections. It never retries; s3_client does.
//
// Threads: any thread.
// Tests:   tests/unit/collector/store/test_chunk_store.c, tests/e2e/object_store.py

#pragma once

#include "collector/store/s3/s3_sign.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    S3_HTTP_CONNECT_MS_MAX = 5000,
    // An exchange with less than S3_HTTP_SLOW_BYTES/s for S3_HTTP_SLOW_S_MAX seconds is aborted.
    S3_HTTP_SLOW_BYTES = 1024,
    S3_HTTP_SLOW_S_MAX = 10,
    S3_HTTP_ANSWER_BYTES_MAX = 4 << 20, // in memory: a page of a list has a thousand keys
    S3_HTTP_IDLE_MAX = 16,              // idle connections
};

typedef struct s3_http s3_http;

typedef struct s3_http_request {
    const char *method;
    const char *url;
    const s3_pair *headers;
    size_t header_count;
    lp_slice body;
    int to_fd; // the body of a 200 or 206 is appended to it; -1: to memory
    uint64_t deadline_mono_ms;
    unsigned slow_s_max; // 0: S3_HTTP_SLOW_S_MAX
    bool is_direct;      // ignore the environment's proxies
} s3_http_request;

typedef struct s3_http_answer {
    unsigned status;
    bool has_etag;           // a store's answer to a PUT has one
    lp_buf body;             // unless it went to to_fd
    uint64_t received_bytes; // of the body
} s3_http_answer;

// s3_http_create returns NULL if memory ran out.
s3_http *s3_http_create(void);

// Call s3_http_destroy when no exchange is running. http may be NULL.
void s3_http_destroy(s3_http *http);

// s3_http_interrupt ends all exchanges, including later ones, within end_ms, and s3_http_wait at
// once.
void s3_http_interrupt(s3_http *http, uint64_t end_ms);

// s3_http_is_interrupted returns whether s3_http_interrupt was called.
bool s3_http_is_interrupted(s3_http *http);

// s3_http_wait waits for ms milliseconds, or until s3_http_interrupt is called.
void s3_http_wait(s3_http *http, uint64_t ms);

// s3_http_ask sends a request and waits for the answer. Returns LP_OK whatever the status is. The
// caller frees out_answer->body with lp_buf_fini, even after an error; received_bytes is valid
// after an error, too. Errors: LP_EIO with errno, which is EIO only if to_fd fails, and a reason in
// out_problem; LP_ENOMEM
LP_MUST_USE lp_err s3_http_ask(s3_http *http, const s3_http_request *request,
    s3_http_answer *out_answer, lp_problem *out_problem);

// s3_http_count_running returns the number of running exchanges in this process. Threads: any
// thread
uint64_t s3_http_count_running(void);

// s3_http_now_ms returns the current time of the monotonic clock that deadlines use.
uint64_t s3_http_now_ms(void);
