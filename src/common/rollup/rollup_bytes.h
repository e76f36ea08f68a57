// SPDX-License-Identifier: Apache-2.0
// rollup_bytes: encodes a rollup as a message of proto/rollup.proto. Equal rollups have equal
// bytes.
//
// Threads: any thread; no other thread may use the arguments of a call until it returns.
// Tests:   tests/unit/common/rollup/test_rollup_bytes.c, tests/fuzz/fuzz_rollup.c

#pragma once

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/rollup/rollup.h"

enum { ROLLUP_VERSION = 1 };

// rollup_bytes_encode appends the bytes of a rollup. Errors: LP_ENOMEM
LP_MUST_USE lp_err rollup_bytes_encode(const rollup *sums, lp_buf *out);

// rollup_bytes_add adds an encoded rollup to total, as rollup_add does.
//
// Errors: LP_ECORRUPT not a rollup, LP_EVERSION a later version: total is unchanged.
//         LP_ENOMEM
LP_MUST_USE lp_err rollup_bytes_add(rollup *total, lp_slice bytes, const char *recording);

// rollup_bytes_read adds the rollup of a chunk, or a part of that rollup, to `chunk`, which has
// only other parts of the same rollup. Unlike rollup_bytes_add it also reads slices.
LP_MUST_USE lp_err rollup_bytes_read(rollup *chunk, lp_slice bytes, const char *recording);
