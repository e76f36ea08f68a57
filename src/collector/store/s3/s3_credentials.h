// SPDX-License-Identifier: Apache-2.0
// s3_credentials: the keys that sign requests to an object store. They come from the first of these
// sources that exists:
//
//   environment   AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN
//   web identity  of a pod: AWS_WEB_IDENTITY_TOKEN_FILE, AWS_ROLE_ARN. AWS's STS, or the URL in
//                 AWS_ENDPOINT_URL_STS, returns keys that are renewed before they expire
//   file          AWS_SHARED_CREDENTIALS_FILE, or ~/.aws/credentials: the profile AWS_PROFILE, or
//                 default
//
// Threads: any thread. While one thread waits for STS, the others wait for that thread.
// Tests:   tests/unit/collector/store/s3/test_s3_credentials.c

#pragma once

#include "collector/client/client_http.h"
#include "common/base/lp_err.h"

#include <stdint.h>

enum {
    S3_KEY_ID_BYTES = 160,
    S3_SECRET_BYTES = 256,
    S3_TOKEN_BYTES = 4096,
    S3_CREDENTIALS_FILE_BYTES_MAX = 64 << 10,
    S3_CREDENTIALS_EARLY_S = 300, // keys are renewed this long before they expire
};

typedef struct s3_keys {
    char key_id[S3_KEY_ID_BYTES];
    char secret[S3_SECRET_BYTES];
    char token[S3_TOKEN_BYTES]; // "": none
} s3_keys;

typedef struct s3_credentials s3_credentials;

// s3_credentials_create reads the environment. region is the region of STS; it is copied.
// Errors: LP_ENOENT if there are no credentials; LP_ECORRUPT if a key is malformed; LP_ENOMEM.
//         out_problem has the reason
LP_MUST_USE lp_err s3_credentials_create(
    const char *region, s3_credentials **out_credentials, lp_problem *out_problem);

// credentials may be NULL.
void s3_credentials_destroy(s3_credentials *credentials);

// s3_credentials_get writes the current keys. It may fetch them over http, until the deadline.
// Errors: LP_EIO with errno, which is never EIO, and a reason in out_problem; LP_ENOMEM
LP_MUST_USE lp_err s3_credentials_get(s3_credentials *credentials, client_http *http,
    uint64_t deadline_mono_ms, s3_keys *out_keys, lp_problem *out_problem);

// s3_credentials_renew makes the next s3_credentials_get fetch the keys again. Call it if the store
// has rejected them.
void s3_credentials_renew(s3_credentials *credentials);
