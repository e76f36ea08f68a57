// SPDX-License-Identifier: Apache-2.0
// s3_client: sends requests to an object store. They are PUT, GET, DELETE and LIST with
// If-None-Match and Range, so any S3 store will do. A call signs its request (s3_sign.h) and sends
// it (client_http.h). After network failures, 429 and 5xx it tries again, with waits that double,
// up to S3_CLIENT_TRIES tries in all; a GET resumes where it broke off. If the store rejects the
// keys, the call renews them once.
//
// After a failed call, calls fail at once for S3_CLIENT_REST_MS_MIN; after each further failure
// twice as long, up to S3_CLIENT_REST_MS_MAX. If the store did not answer, the pause applies to all
// calls. If the store rejected a PUT, the pause applies only to PUTs; if it rejected a DELETE or a
// LIST, only to these two. A rejected GET causes no pause. Keys that lack one right may have the
// others. The first pause and the end of the pauses are logged.
//
// Threads: any thread.
// Tests:   tests/unit/collector/store/s3/test_s3_client.c,
//          tests/unit/collector/store/test_chunk_store.c, tests/e2e/object_store.py

#pragma once

#include "collector/store/s3/s3_url.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdint.h>

enum {
    S3_CLIENT_TRIES = 4,
    S3_CLIENT_WAIT_MS = 200, // before the second try
    S3_CLIENT_REST_MS_MIN = 1000,
    S3_CLIENT_REST_MS_MAX = 5000,
};

// The counts for on_count.
typedef enum s3_count {
    S3_COUNT_PUT, // requests, retries included
    S3_COUNT_GET,
    S3_COUNT_DELETE,
    S3_COUNT_LIST,
    S3_COUNT_FAILED, // failed requests
    S3_COUNT_SENT_BYTES,
    S3_COUNT_RECEIVED_BYTES,
} s3_count;

typedef struct s3_client_config {
    s3_url url;
    void (*on_count)(s3_count what, uint64_t amount); // on any thread
} s3_client_config;

typedef struct s3_client s3_client;

// s3_client_create creates a client. It sends no request. Errors: as s3_credentials_create
LP_MUST_USE lp_err s3_client_create(
    const s3_client_config *config, s3_client **out_client, lp_problem *out_problem);

// Call s3_client_destroy when no call is running. client may be NULL.
void s3_client_destroy(s3_client *client);

const s3_url *s3_client_get_url(const s3_client *client);

// s3_client_check returns LP_OK unless PUTs fail at once now. Errors: LP_EIO with errno
LP_MUST_USE lp_err s3_client_check(s3_client *client);

// s3_client_interrupt ends all calls, including later ones, within end_ms.
void s3_client_interrupt(s3_client *client, uint64_t end_ms);

// The names of objects (`key`, `begin`) lack the URL's prefix. A call ends within
// CHUNK_STORE_CALL_MS_MAX, a LIST within this time for each page; a PUT has 1 ms more for each
// CHUNK_STORE_BYTES_PER_MS.
//
// Errors: LP_EIO with errno: EACCES if the credentials or their rights do not suffice; EREMOTEIO
//         if the store rejected the request or failed; EIO only if to_fd fails; others as
//         client_http_ask. LP_ENOMEM

// s3_client_put stores an object. An answer without an ETag counts as a failure: it comes from a
// proxy, not from a store.
LP_MUST_USE lp_err s3_client_put(s3_client *client, const char *key, lp_slice bytes);

// s3_client_put_new does the same, unless the key exists. Errors: LP_EIO with EEXIST if it exists:
// the object may come from an earlier try whose answer was lost
LP_MUST_USE lp_err s3_client_put_new(s3_client *client, const char *key, lp_slice bytes);

// s3_client_get writes an object to an empty file. Errors: also LP_ENOENT if the bucket exists but
// lacks the object
LP_MUST_USE lp_err s3_client_get(s3_client *client, const char *key, int to_fd);

// s3_client_get_range writes size_bytes (at least 1) of an object, at offset. Errors: as
// s3_client_get; LP_ENOENT also if the object is too short
LP_MUST_USE lp_err s3_client_get_range(
    s3_client *client, const char *key, uint64_t offset, uint64_t size_bytes, int to_fd);

// s3_client_delete deletes an object, if it exists.
LP_MUST_USE lp_err s3_client_delete(s3_client *client, const char *key);

// s3_client_list calls on_key for each key that starts with begin. on_key must not call the client.
LP_MUST_USE lp_err s3_client_list(
    s3_client *client, const char *begin, lp_err (*on_key)(void *arg, const char *key), void *arg);
