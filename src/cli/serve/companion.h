// SPDX-License-Identifier: Apache-2.0
// companion: a helper process that opens an address in the desktop's browser, and removes a
// directory once its parent, which started it, is gone, even after a crash. The companion and the
// browser have their own POSIX session, so that no signal to the parent's process group ends them.
// Start the companion before the parent gives up the system calls that the start needs, and before
// the parent maps files, which the companion would keep mapped.
//
// Threads: the first thread of the program, before there is another.
// Tests:   tests/e2e/cli.py

#pragma once

#include "common/base/lp_err.h"

#include <sys/types.h>

typedef struct companion {
    pid_t pid;
    int fd; // to write to the companion
} companion;

// companion_begin starts a companion for an existing directory. Errors: LP_EIO, and errno
LP_MUST_USE lp_err companion_begin(const char *directory, companion *out);

// companion_show opens url by xdg-open, whose output is discarded. Errors: LP_EIO, and errno
LP_MUST_USE lp_err companion_show(const companion *self, const char *url);

// companion_end waits until the directory is removed.
void companion_end(companion *self);
