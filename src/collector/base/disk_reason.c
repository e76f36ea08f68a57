// SPDX-License-Identifier: Apache-2.0

#include "collector/base/disk_reason.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/statvfs.h>

const char *
disk_reason(const char *directory, lp_err err)
{
    struct statvfs info;
    int error = errno;
    bool has_no_inodes = err == LP_EIO && error == ENOSPC && statvfs(directory, &info) == 0 &&
                         info.f_files > 0 && info.f_favail == 0;
    errno = error;
    return has_no_inodes ? "no inodes left on device: it can hold no more files"
                         : lp_err_reason(err);
}
