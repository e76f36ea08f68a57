// SPDX-License-Identifier: Apache-2.0
// opened: a collector with the recordings of files, on a temporary directory. It serves only this
// machine, at a free port, and takes further files from its page.
//
// Threads: the first thread of the program.
// Tests:   tests/e2e/cli.py

#pragma once

#include "cli/base/options.h"
#include "collector/base/uploads.h"
#include "common/base/lp_err.h"

#include <stdint.h>

typedef struct opened opened;

// An opened_use returns the exit code of the command. It ends soon after end_watch_is_told.
typedef int opened_use(const opened *self, const options *opts);

// opened_run starts a collector, sends it the recordings in opts->operands as agents do, calls use,
// and removes the directory, also after a kill. Returns the exit code of use; CMD_FAILED after
// printing the problem; CMD_DONE if a signal ended the process before use.
int opened_run(const options *opts, opened_use *use);

uint16_t opened_get_http_port(const opened *self);

// opened_get_shown returns what is known of the operands.
const uploads_shown *opened_get_shown(const opened *self);

// opened_browse opens a URL in the desktop's browser. Errors: LP_EIO, and errno
LP_MUST_USE lp_err opened_browse(const opened *self, const char *url);
