// SPDX-License-Identifier: Apache-2.0
// gzip: compression to gzip (RFC 1952), and back.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/base/test_gzip.c

#pragma once

#include "common/base/lp_buf.h"

// gzip_compress appends the bytes, at most 1 GiB, to *out, compressed at the fastest level: about
// 100 MB a second. Errors: LP_ENOMEM; *out is unchanged
LP_MUST_USE lp_err gzip_compress(lp_slice bytes, lp_buf *out);

// gzip_expand appends the uncompressed bytes of one member, fewer than 4 GB, to *out.
// Errors: LP_ENOMEM; LP_ECORRUPT: not exactly one such member; *out is unchanged
LP_MUST_USE lp_err gzip_expand(lp_slice gzip, lp_buf *out);
