// SPDX-License-Identifier: Apache-2.0
// s3_client: what we ask of an object store: PUT, GET, DELETE and LIST, with If-None-Match and
// Range, and nothing else, so that any store that speaks S3 will do. Each call signs (s3_sign.h),
// asks (s3_http.h), and asks again where that may help: after a network's failure, 429 and 5xx,
// S3_CLIENT_TRIES times in all, after a wait that doubles; a GET goes on where it broke off. After
// keys were refused it asks for other ones, once.
//
// After a call that failed the store rests: calls fail at once, for S3_CLIENT_REST_MS_MIN, twice as
// long after the next one that fails, S3_CLIENT_REST_MS_MAX at most. A store that does not answer
// rests from all calls. One that refuses a PUT, or to delete, rests from that alone, and after a
// GET that it refuses not at all: keys may lack one right and have the others. It is logged when a
// rest begins that none precedes, and when what failed is done again.
//
// Threads: any thread.
// Tests:   tests/unit/collector/store/s3/test_s3_client.c,
//          tests/unit/collector/store/test_chunk_store.c, tests/e2e/object_store.py

#ifndef LP_COLLECTOR_STORE_S3_CLIENT_H
#define LP_COLLECTOR_STORE_S3_CLIENT_H

#include "collector/store/s3/s3_credentials.h"
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

// What is counted, by whoever is told of it.
typedef enum s3_count {
    S3_COUNT_PUT, // requests, each try
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

// s3_client_create asks nothing yet. Errors: as s3_credentials_create
LP_MUST_USE lp_err s3_client_create(
    const s3_client_config *config, s3_client **out_client, lp_problem *out_problem);

// s3_client_destroy is for when no call is under way. NULL is fine.
void s3_client_destroy(s3_client *client);

const s3_url *s3_client_get_url(const s3_client *client);

// s3_client_check returns LP_OK unless the store rests from PUTs. Errors: LP_EIO with errno
LP_MUST_USE lp_err s3_client_check(s3_client *client);

// s3_client_interrupt has calls end within end_ms, and never wait again.
void s3_client_interrupt(s3_client *client, uint64_t end_ms);

// Keys are without the URL's prefix. All calls of a client end within CHUNK_STORE_CALL_MS_MAX, a
// LIST each of its pages, and a PUT a millisecond for each CHUNK_STORE_BYTES_PER_MS later.
// Errors: LP_EIO with errno, which is EIO for to_fd alone: EACCES keys or rights lack, EREMOTEIO
// the store
//         refused or failed, others as s3_http_ask; LP_ENOMEM

// s3_client_put stores an object. An answer without an ETag is none of a store: something on the
// way there took the request.
LP_MUST_USE lp_err s3_client_put(s3_client *client, const char *key, lp_slice bytes);

// s3_client_put_new does that unless there is an object with this key: LP_EIO with EEXIST then. It
// may be the one of an earlier try, whose answer did not come.
LP_MUST_USE lp_err s3_client_put_new(s3_client *client, const char *key, lp_slice bytes);

// s3_client_get appends an object to a file, which is empty. Errors: LP_ENOENT besides: the bucket
// is there and has no such object
LP_MUST_USE lp_err s3_client_get(s3_client *client, const char *key, int to_fd);

// s3_client_get_range does that with size_bytes of it from offset on, of which there is one at
// least. LP_ENOENT also where it ends before them.
LP_MUST_USE lp_err s3_client_get_range(
    s3_client *client, const char *key, uint64_t offset, uint64_t size_bytes, int to_fd);

// s3_client_delete deletes an object; one that is not there is fine.
LP_MUST_USE lp_err s3_client_delete(s3_client *client, const char *key);

// s3_client_list calls on_key for each key that begins so. on_key must not ask the client.
LP_MUST_USE lp_err s3_client_list(
    s3_client *client, const char *begin, lp_err (*on_key)(void *arg, const char *key), void *arg);

#endif // LP_COLLECTOR_STORE_S3_CLIENT_H
