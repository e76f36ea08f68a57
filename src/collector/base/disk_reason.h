// SPDX-License-Identifier: Apache-2.0

// disk_reason: why a file cannot be written. The system says "no space left on device" for a file
// system without free inodes, too.
//
// Threads: any thread.
// Tests:   tests/e2e/full_disk.py

#pragma once

#include "common/base/lp_err.h"

// disk_reason returns lp_err_reason(err), or that inodes are used up, for a file below directory.
// For LP_EIO errno is the reason.
const char *disk_reason(const char *directory, lp_err err);
