// SPDX-License-Identifier: Apache-2.0
// s3_client: the requests to an object store. They are PUT, GET, DELETE and LIST with If-None-Match
// and Range, so any S3 store will do. A call signs (s3_sign.h) and sends (s3_http.h) its request.
// It retries network failures, 429 and 5xx, up to S3_CLIENT_TRIES tries, with a wait that doubles;
// a GET resumes where it broke off. If the store rejects the keys, the call renews them once.
//
// After a failed call the store rests: calls fail at once for S3_CLIENT_REST_MS_MIN, after each
// further failure twice as long, up to S3_CLIENT_REST_MS_MAX. If the store does not answer, all
// calls rest. If it rejects a PUT or a DELETE, only those calls rest, and after a rejected GET
// none: keys may lack one right and have the others. The first rest is logged, and its end.
//
// Threads: any thread.
// Tests:   tests/unit/collector/store/s3/test_s3_client.c,
//          tests/unit/collector/store/test_chunk_store.c, tests/e2e/object_store.py

#pragma once

#include "collector/store/s3/s3_url.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    S3_CLIENT_TRIES = 4,
    S3_CLIENT_WAIT_MS = 200, // before the second try
    S3_CLIENT_REST_MS_MIN = 1000,
    S3_CLIENT_REST_MS_MAX = 5000,
};

// The counts for on_count.
typedef enum s3_count {
    S3_COUNT_PUT, // requests: each try
    S3_COUNT_GET,
    S3_COUNT_DELETE,
    S3_COUNT_LIST,
    S3_COUNT_FAILED, // of these
    S3_COUNT_SENT_BYTES,
    S3_COUNT_RECEIVED_BYTES,
} s3_count;

typedef struct s3_client_config {
    s3_url url;
    void (*on_count)(s3_count what, uint64_t amount); // on any thread
} s3_client_config;

typedef struct s3_client s3_client;

// s3_client_create creates a client, without a request. Errors: as s3_credentials_create
LP_MUST_USE lp_err s3_client_create(
    const s3_client_config *config, s3_client **out_client, lp_problem *out_problem);

// Call s3_client_destroy when no call is running. NULL is fine.
void s3_client_destroy(s3_client *client);

const s3_url *s3_client_get_url(const s3_client *client);

// s3_client_check returns LP_OK unless the store rests from PUTs. Errors: LP_EIO with errno
LP_MUST_USE lp_err s3_client_check(s3_client *client);

// s3_client_interrupt ends all calls within end_ms, also later ones.
void s3_client_interrupt(s3_client *client, uint64_t end_ms);

// Keys do not include the URL's prefix. A call ends within CHUNK_STORE_CALL_MS_MAX, as does each
// page of a LIST; a PUT has 1 ms more for each CHUNK_STORE_BYTES_PER_MS. Errors: LP_EIO with errno:
// EACCES the keys or rights do not suffice; EREMOTEIO the store rejected the
//         request or failed; EIO only from to_fd; others as s3_http_ask; LP_ENOMEM

// s3_client_put stores an object. An answer without an ETag counts as a failure: it is from a
// proxy, not from a store.
LP_MUST_USE lp_err s3_client_put(s3_client *client, const char *key, lp_slice bytes);

// s3_client_put_new does that unless the key exists. Errors: LP_EIO with EEXIST: the object may be
// from an earlier try whose answer was lost
LP_MUST_USE lp_err s3_client_put_new(s3_client *client, const char *key, lp_slice bytes);

// s3_client_get writes an object to an empty file. Errors: also LP_ENOENT the bucket exists and has
// no such object
LP_MUST_USE lp_err s3_client_get(s3_client *client, const char *key, int to_fd);

// s3_client_get_range does that with size_bytes, at least 1, at offset. Errors: LP_ENOENT also if
// the object is too short
LP_MUST_USE lp_err s3_client_get_range(
    s3_client *client, const char *key, uint64_t offset, uint64_t size_bytes, int to_fd);

// s3_client_delete deletes an object, if it exists.
LP_MUST_USE lp_err s3_client_delete(s3_client *client, const char *key);

// s3_client_list calls on_key for each key that starts with begin. on_key must not call the client.
LP_MUST_USE lp_err s3_client_list(
    s3_client *client, const char *begin, lp_err (*on_key)(void *arg, const char *key), void *arg);
