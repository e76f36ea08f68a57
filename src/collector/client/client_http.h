// SPDX-License-Identifier: Apache-2.0
// client_http: sends HTTP requests to other programs (object stores, other collectors, receivers of
// OTLP), by libcurl, over reused connections. It never retries; its callers do.
//
// Threads: any thread.
// Tests:   tests/unit/collector/store/test_chunk_store.c, tests/e2e/object_store.py

#pragma once

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CLIENT_HTTP_CONNECT_MS_MAX = 5000,
    // An exchange with less than CLIENT_HTTP_SLOW_BYTES/s for CLIENT_HTTP_SLOW_S_MAX seconds is
    // aborted.
    CLIENT_HTTP_SLOW_BYTES = 1024,
    CLIENT_HTTP_SLOW_S_MAX = 10,
    CLIENT_HTTP_ANSWER_BYTES_MAX = 4 << 20, // in memory: a page of a list has a thousand keys
    CLIENT_HTTP_IDLE_MAX = 16,              // idle connections
    CLIENT_HTTP_VALUE_BYTES = 64,           // of a header of an answer; longer ones are cut
};

typedef struct client_http client_http;

// A header, or a parameter of a query.
typedef struct client_http_pair {
    const char *name;
    const char *value;
} client_http_pair;

typedef struct client_http_request {
    const char *method;
    const char *url;
    const client_http_pair *headers;
    size_t header_count;
    lp_slice body;
    int to_fd; // the body of a 200 or 206 is appended to it; -1: to memory
    uint64_t deadline_mono_ms;
    unsigned slow_s_max; // 0: CLIENT_HTTP_SLOW_S_MAX
    bool is_direct;      // ignore the environment's proxies
} client_http_request;

typedef struct client_http_answer {
    unsigned status;
    bool has_etag;                              // a store's answer to a PUT has one
    char content_type[CLIENT_HTTP_VALUE_BYTES]; // "": none
    uint64_t retry_after_s;                     // of the header Retry-After; 0: none
    lp_buf body;                                // unless it went to to_fd
    uint64_t received_bytes;                    // of the body
} client_http_answer;

// client_http_check_url returns LP_ECORRUPT, with the reason, if client_http_ask would refuse a URL
// before it connects. LP_ENOMEM
LP_MUST_USE lp_err client_http_check_url(const char *url, lp_problem *out_problem);

// client_http_create returns NULL if memory ran out.
client_http *client_http_create(void);

// Call client_http_destroy when no exchange is running. http may be NULL.
void client_http_destroy(client_http *http);

// client_http_interrupt ends all exchanges, including later ones, within end_ms, and
// client_http_wait at once. Without it they end within a second of the deadline of lp_end.h.
void client_http_interrupt(client_http *http, uint64_t end_ms);

// client_http_is_interrupted returns whether client_http_interrupt was called, or that deadline has
// passed.
bool client_http_is_interrupted(client_http *http);

// client_http_wait waits for ms milliseconds, or until client_http_interrupt is called.
void client_http_wait(client_http *http, uint64_t ms);

// client_http_ask sends a request and waits for the answer. Returns LP_OK whatever the status is.
// The caller frees out_answer->body with lp_buf_fini, even after an error; received_bytes is valid
// after an error, too. Errors: LP_EIO with errno, which is EIO only if to_fd fails, and a reason in
// out_problem; LP_ENOMEM
LP_MUST_USE lp_err client_http_ask(client_http *http, const client_http_request *request,
    client_http_answer *out_answer, lp_problem *out_problem);

// client_http_count_running returns the number of running exchanges in this process. Threads: any
// thread
uint64_t client_http_count_running(void);

// client_http_now_ms returns the current time of the monotonic clock that deadlines use.
uint64_t client_http_now_ms(void);
