// SPDX-License-Identifier: Apache-2.0

// carry_bytes: saves a carry-over as bytes and loads it.
//
// Threads: one thread at a time for each carry-over; any number of threads may save the same one.
// Tests:   tests/unit/engine/carry/test_carry_bytes.c,
//          tests/unit/engine/job/request/test_request_step.c, tests/fuzz/fuzz_carry.c,
//          tests/prop/test_compact_prop.c

#pragma once

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "engine/types.h"

LP_MUST_USE lp_err compact_carry_save(const compact_carry *carry, lp_buf *out);

// compact_carry_load loads a carry-over of this version. The caller ends it with
// compact_carry_destroy. Errors: LP_ECORRUPT and LP_EVERSION, with a problem; LP_ENOMEM
LP_MUST_USE lp_err compact_carry_load(
    lp_slice bytes, compact_carry **out_carry, lp_problem *out_problem);
