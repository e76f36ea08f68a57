// SPDX-License-Identifier: Apache-2.0

// run_mark: the file DATA/running, which is there while a collector runs, with the name of the boot
// of the machine. A start that finds one of this boot comes after a process that was killed, which
// lost nothing; one of another boot comes after a machine that went down while a collector ran.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/journal/test_run_mark.c

#ifndef LP_COLLECTOR_SERVER_RUN_MARK_H
#define LP_COLLECTOR_SERVER_RUN_MARK_H

#include "common/base/lp_err.h"

#include <stdbool.h>

// What the mark of the runs before says.
typedef struct run_mark {
    bool was_cut;  // the machine went down while one of them ran
    bool is_lossy; // not all were of SYNC_ALWAYS: more is acknowledged than is on the disk, or was
} run_mark;

// run_mark_look reads the mark. boot names the boot; NULL: that of this machine.
run_mark run_mark_look(const char *path, const char *boot);

// run_mark_begin writes the mark, which is on the disk then: after what run_mark_look said has been
// counted, and before anything is acknowledged. is_lossy: a power cut may take what is
// acknowledged. Errors: LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err run_mark_begin(const char *path, const char *boot, bool is_lossy);

// run_mark_end removes it, after all else is on the disk. Errors: LP_EIO with errno
LP_MUST_USE lp_err run_mark_end(const char *path);

#endif // LP_COLLECTOR_SERVER_RUN_MARK_H
