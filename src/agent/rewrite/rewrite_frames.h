// SPDX-License-Identifier: Apache-2.0
// rewrite_frames: moves the frames of a StackMapTable, as the code before them has grown.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/agent/rewrite/test_rewrite_class.c

#ifndef LP_AGENT_REWRITE_REWRITE_FRAMES_H
#define LP_AGENT_REWRITE_REWRITE_FRAMES_H

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdint.h>

// Appends the content of a StackMapTable whose code has grown by `by` bytes at its beginning.
// Errors: LP_ECORRUPT, LP_ELIMIT, LP_ENOMEM: out may have a part of it
LP_MUST_USE lp_err rewrite_frames_move(lp_slice attribute, uint8_t by, lp_buf *out);

#endif // LP_AGENT_REWRITE_REWRITE_FRAMES_H
