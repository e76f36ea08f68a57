// SPDX-License-Identifier: Apache-2.0
// lp_io: reads and writes descriptors; signals in between do not matter.
//
// Threads: any thread.

#ifndef LP_COMMON_BASE_LP_IO_H
#define LP_COMMON_BASE_LP_IO_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <sys/types.h>

// lp_io_read is read(2), again where a signal interrupted it.
ssize_t lp_io_read(int fd, void *out, size_t size_bytes);

// lp_io_write_pieces writes all pieces, one behind the other. Errors: LP_EIO, and errno
LP_MUST_USE lp_err lp_io_write_pieces(int fd, const lp_slice *pieces, size_t count);

// lp_io_write_all writes all of bytes. Errors: LP_EIO, and errno
LP_MUST_USE lp_err lp_io_write_all(int fd, lp_slice bytes);

#endif // LP_COMMON_BASE_LP_IO_H
