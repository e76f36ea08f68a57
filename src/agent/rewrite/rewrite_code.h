// SPDX-License-Identifier: Apache-2.0
// rewrite_code: makes the edits in the code of one method, and moves its stack map frames.
//
// Threads: one thread at a time.
// Tests:   tests/unit/agent/rewrite/test_rewrite_class.c

#pragma once

#include "agent/rewrite/rewrite_edit.h"
#include "agent/rewrite/rewrite_pool.h"

// An edit of a class, and the number of times that it was made.
typedef struct rewrite_task {
    const rewrite_edit *edit;
    uint16_t helper; // the index of the helper method in the pool
    size_t count;
    bool is_here; // the edit applies to this method
} rewrite_task;

// Appends the content of a Code attribute with the edits of the tasks with is_here. Errors:
// LP_ECORRUPT, LP_EVERSION, LP_ELIMIT, LP_ENOMEM: out may have a part of it
LP_MUST_USE lp_err rewrite_code(const rewrite_pool *pool, lp_slice attribute, rewrite_task *tasks,
    size_t task_count, lp_buf *out);

// Appends the content of a StackMapTable whose code has grown by `by` bytes at its beginning.
// Errors: LP_ECORRUPT, LP_ELIMIT, LP_ENOMEM: out may have a part of it
LP_MUST_USE lp_err rewrite_frames_move(lp_slice attribute, uint8_t by, lp_buf *out);
