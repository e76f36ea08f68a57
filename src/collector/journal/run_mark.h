// SPDX-License-Identifier: Apache-2.0

// run_mark: the file DATA/running, which exists while a collector runs and names the machine's
// boot. If a start finds the file with the current boot, a collector was killed, which loses
// nothing. If it names another boot, the machine went down while a collector ran.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/journal/test_run_mark.c

#pragma once

#include "common/base/lp_err.h"

#include <stdbool.h>

typedef struct run_mark {
    bool was_cut;  // the machine went down while a collector ran
    bool is_lossy; // a run was without SYNC_ALWAYS: acknowledged batches may be missing
} run_mark;

// run_mark_look reads the mark that earlier runs left. boot identifies the current boot; NULL: ask
// the kernel.
run_mark run_mark_look(const char *path, const char *boot);

// run_mark_begin writes and syncs the mark. Call it after the caller has handled the result of
// run_mark_look, and before anything is acknowledged. is_lossy: a power cut may cost acknowledged
// batches. Errors: LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err run_mark_begin(const char *path, const char *boot, bool is_lossy);

// run_mark_end deletes the mark. Call it when everything else is on the disk.
// Errors: LP_EIO with errno
LP_MUST_USE lp_err run_mark_end(const char *path);
