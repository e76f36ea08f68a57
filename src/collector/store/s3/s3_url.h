// SPDX-License-Identifier: Apache-2.0
// s3_url: a place in an object store: s3://BUCKET[/PREFIX][?endpoint=URL&region=REGION]. Without an
// endpoint the store is AWS's S3, and the bucket is part of the host name. With an endpoint the
// bucket is part of the path.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/store/s3/test_s3_url.c

#pragma once

#include "common/base/lp_err.h"

enum {
    S3_URL_BUCKET_BYTES = 64,
    S3_URL_PREFIX_BYTES = 256,
    S3_URL_REGION_BYTES = 64,
    S3_URL_ORIGIN_BYTES = 320,
};

typedef struct s3_url {
    char name[S3_URL_BUCKET_BYTES + S3_URL_PREFIX_BYTES + 8]; // s3://BUCKET/PREFIX
    char bucket[S3_URL_BUCKET_BYTES];
    char prefix[S3_URL_PREFIX_BYTES]; // of keys: "", or with a slash at its end
    char region[S3_URL_REGION_BYTES];
    char origin[S3_URL_ORIGIN_BYTES];   // http[s]://HOST[:PORT]
    char path[S3_URL_BUCKET_BYTES + 1]; // of a URL, before the / of a key: "", or /BUCKET
} s3_url;

// s3_url_parse parses a URL. region is the default region; NULL: us-east-1.
// Errors: LP_ECORRUPT with the reason in out_problem
LP_MUST_USE lp_err s3_url_parse(
    const char *text, const char *region, s3_url *out_url, lp_problem *out_problem);

// s3_url_get_host returns the host of the origin, with its port if it has one. The result points
// into url.
const char *s3_url_get_host(const s3_url *url);
