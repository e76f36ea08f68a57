// SPDX-License-Identifier: Apache-2.0
// policy_text: the content of a policy's file.
//
// Threads: any thread.
// Tests:   tests/unit/policy/test_policy.c, tests/unit/policy/test_policy_dir.c

#pragma once

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"

// policy_text_load appends the content of the file at path to out. After an error out may have a
// part of the content. Errors: LP_ENOENT, LP_EIO; LP_ELIMIT over POLICY_FILE_BYTES_MAX; LP_ENOMEM
LP_MUST_USE lp_err policy_text_load(const char *path, lp_buf *out, lp_problem *out_problem);
