// SPDX-License-Identifier: Apache-2.0

// run_mark: the file DATA/running, which exists while a collector runs and names the machine's
// boot. If a start finds the file with the current boot, a collector was killed, which loses
// nothing. If it names another boot, the machine went down while a collector ran.
//
// After a clean end DATA/running.ended and DATA/chunks/ended have the time at which the collector
// closed its files. What changed later, also by a copy of the directory, was changed by somebody
// else. If the two times differ, DATA or DATA/chunks alone was replaced by an earlier state, such
// as a snapshot of its file system, whose files have their old times.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/journal/test_run_mark.c

#pragma once

#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>

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

// run_mark_find_end returns when the last run closed its files, after a clean end; 0: unknown.
// chunks_path is the path of DATA/chunks/ended.
int64_t run_mark_find_end(const char *path, const char *chunks_path);

// run_mark_note_end writes the time of the end to both files, when all others are closed. Call it
// only if the catalog and the files of the chunks agree. Without it the next start compares all.
void run_mark_note_end(const char *path, const char *chunks_path);
