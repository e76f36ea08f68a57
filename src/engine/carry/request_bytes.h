// SPDX-License-Identifier: Apache-2.0
// request_bytes: what a carry-over says of requests, as bytes: open requests, the keys that are
// joined to theirs, and signs of later chunks.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/job/test_request_step.c, tests/fuzz/fuzz_carry.c

#ifndef LP_ENGINE_CARRY_REQUEST_BYTES_H
#define LP_ENGINE_CARRY_REQUEST_BYTES_H

#include "common/base/lp_buf.h"
#include "common/jfr/jfr_varint.h"
#include "engine/carry/carry.h"

// compact_request_bytes_save appends the part of carry; a failure stays in out.
void compact_request_bytes_save(const compact_carry *carry, lp_buf *out);

// compact_request_bytes_load reads it into carry.
// Errors: LP_ECORRUPT, with cursor where the damage is; LP_ENOMEM
LP_MUST_USE lp_err compact_request_bytes_load(jfr_cursor *cursor, compact_carry *carry);

#endif // LP_ENGINE_CARRY_REQUEST_BYTES_H
