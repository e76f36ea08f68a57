// SPDX-License-Identifier: Apache-2.0
#include "common/base/lp_io.h"

#include <errno.h>
#include <unistd.h>

ssize_t
lp_io_read(int fd, void *out, size_t size_bytes)
{
    ssize_t count;
    do {
        count = read(fd, out, size_bytes);
    } while (count < 0 && errno == EINTR);
    return count;
}

lp_err
lp_io_write_all(int fd, lp_slice bytes)
{
    while (bytes.len > 0) {
        ssize_t count = write(fd, bytes.ptr, bytes.len);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return LP_EIO;
        }
        bytes.ptr += count;
        bytes.len -= (size_t)count;
    }
    return LP_OK;
}
