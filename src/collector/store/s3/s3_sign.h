// SPDX-License-Identifier: Apache-2.0
// s3_sign: AWS's Signature Version 4, which authenticates a request without sending the secret.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/store/s3/test_s3_sign.c

#pragma once

#include "collector/client/client_http.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    S3_SIGN_DATE_BYTES = sizeof("20150830T123600Z"),
    S3_SIGN_HASH_BYTES = 2 * 32 + 1, // SHA-256 in hexadecimal
    S3_SIGN_PAIRS_MAX = 16,          // parameters, or headers, of a request
};

typedef struct s3_sign_request {
    const char *method;
    const char *path;              // as in the URL: encoded
    const client_http_pair *query; // not encoded, in any order
    size_t query_count;
    const client_http_pair
        *headers; // names in lower case, in any order; host and x-amz-date are needed
    size_t header_count;
    const char *body_hash; // s3_sign_hash of the body
} s3_sign_request;

// The keys and the scope of a signature.
typedef struct s3_sign_scope {
    const char *key_id;
    const char *secret;
    const char *region;
    const char *service;
    const char *date; // of the header x-amz-date
} s3_sign_scope;

// s3_sign_hash writes the SHA-256 of bytes, in hexadecimal.
void s3_sign_hash(lp_slice bytes, char out_hash[S3_SIGN_HASH_BYTES]);

// s3_sign_date writes a time, given in nanoseconds since 1970, in the form of the header
// x-amz-date.
void s3_sign_date(int64_t wall_ns, char out_date[S3_SIGN_DATE_BYTES]);

// s3_sign_encode appends text. All bytes but letters, digits and -._~ (and, if keeps_slashes, /)
// become %XX. The caller checks the buffer (lp_buf_check), also after s3_sign_query.
void s3_sign_encode(const char *text, bool keeps_slashes, lp_buf *out_text);

// s3_sign_query appends the query of a URL, without the ?, in the order that the signature needs.
void s3_sign_query(const client_http_pair *query, size_t count, lp_buf *out_text);

// s3_sign appends the value of the header Authorization, zero-terminated, to out_authorization,
// which must be empty. Errors: LP_ENOMEM
LP_MUST_USE lp_err s3_sign(
    const s3_sign_request *request, const s3_sign_scope *scope, lp_buf *out_authorization);
