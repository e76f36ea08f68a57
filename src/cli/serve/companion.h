// SPDX-License-Identifier: Apache-2.0
// companion: a process beside this one that shows an address in the browser of the desktop, and
// removes a directory once this process is gone, however that ended. It has a session of its own,
// as the browser has, so that no signal to this process's group ends it. It is begun before this
// process gives up the system calls for either, and before it maps files, which the companion would
// keep.
//
// Threads: the first thread of the program, before there is another.
// Tests:   tests/e2e/cli.py

#ifndef LP_CLI_COMPANION_H
#define LP_CLI_COMPANION_H

#include "common/base/lp_err.h"

#include <stdbool.h>
#include <sys/types.h>

typedef struct companion {
    pid_t pid;
    int fd; // to it
} companion;

// companion_begin starts it for a directory, which is there. Errors: LP_EIO, and errno
LP_MUST_USE lp_err companion_begin(const char *directory, companion *out);

// companion_show opens url by xdg-open, whose output is discarded. Errors: LP_EIO, and errno
LP_MUST_USE lp_err companion_show(const companion *self, const char *url);

// companion_end returns when the directory is gone.
void companion_end(companion *self);

#endif // LP_CLI_COMPANION_H
