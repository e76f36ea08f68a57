// SPDX-License-Identifier: Apache-2.0
// lp_io: reads and writes descriptors; signals in between do not matter.
//
// Threads: any thread.

#ifndef LP_COMMON_BASE_LP_IO_H
#define LP_COMMON_BASE_LP_IO_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

// lp_io_lacks_descriptors returns whether an errno says that the process, or the system, has no
// descriptor left.
bool lp_io_lacks_descriptors(int error);

// lp_io_close closes a file, where it is open (-1: it is not), and leaves errno as it is: for
// what has failed before, which is to be told.
void lp_io_close(int fd);

// lp_io_read is read(2), again where a signal interrupted it.
ssize_t lp_io_read(int fd, void *out, size_t size_bytes);

// lp_io_pread is pread(2), in the same way.
ssize_t lp_io_pread(int fd, void *out, size_t size_bytes, uint64_t offset);

// lp_io_read_file reads what a file has, up to size_bytes, and gives how much that is. What is no
// regular file is not read: a pipe would wait for a writer. Errors: LP_EIO with errno; EINVAL: no
// file
LP_MUST_USE lp_err lp_io_read_file(
    const char *path, void *out, size_t size_bytes, size_t *out_size);

// lp_io_pread_all reads size_bytes from offset on. Errors: LP_EIO, also where the file ends before
// them
LP_MUST_USE lp_err lp_io_pread_all(int fd, void *out, size_t size_bytes, uint64_t offset);

// lp_io_write_pieces writes all pieces, one behind the other. Errors: LP_EIO, and errno
LP_MUST_USE lp_err lp_io_write_pieces(int fd, const lp_slice *pieces, size_t count);

// lp_io_write_all writes all of bytes. Errors: LP_EIO, and errno
LP_MUST_USE lp_err lp_io_write_all(int fd, lp_slice bytes);

// lp_io_sync_dir makes the names in a directory durable, which stay where they are after a power
// cut then; the content of the files is not. at is a descriptor of the directory that path begins
// at, or AT_FDCWD. Errors: LP_EIO, and errno
LP_MUST_USE lp_err lp_io_sync_dir(int at, const char *path);

// lp_io_is_same_file returns whether two paths are names of the same file; false where either
// cannot be looked at.
bool lp_io_is_same_file(const char *path, const char *other);

// lp_io_make_dir_of makes the directory of a file, where it is missing; the one above it is there.
// Errors: LP_EIO with errno; LP_ENOMEM
LP_MUST_USE lp_err lp_io_make_dir_of(const char *path);

// lp_io_sync_name makes the name of a file durable, or that there is none. Errors: LP_EIO, and
// errno; LP_ENOMEM
LP_MUST_USE lp_err lp_io_sync_name(const char *path);

#endif // LP_COMMON_BASE_LP_IO_H
