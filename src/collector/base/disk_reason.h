// SPDX-License-Identifier: Apache-2.0

// disk_reason: why a file cannot be written. The system says "no space left on device" too where
// there is space, and the file system has no room for another file (no inodes).
//
// Threads: any thread.
// Tests:   tests/e2e/full_disk.py

#ifndef LP_COLLECTOR_BASE_DISK_REASON_H
#define LP_COLLECTOR_BASE_DISK_REASON_H

#include "common/base/lp_err.h"

// disk_reason returns lp_err_reason for a file below the directory; errno is that of an LP_EIO.
const char *disk_reason(const char *directory, lp_err err);

#endif // LP_COLLECTOR_BASE_DISK_REASON_H
