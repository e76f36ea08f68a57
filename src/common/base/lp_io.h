// SPDX-License-Identifier: Apache-2.0
// lp_io: reads and writes descriptors, and retries after signals.
//
// Threads: any thread.

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

// lp_io_lacks_descriptors returns whether an errno means that the process or the system ran out of
// descriptors.
bool lp_io_lacks_descriptors(int error);

// lp_io_read calls read(2), and retries if a signal interrupted the call.
ssize_t lp_io_read(int fd, void *out, size_t size_bytes);

// lp_io_pread does the same with pread(2).
ssize_t lp_io_pread(int fd, void *out, size_t size_bytes, uint64_t offset);

// lp_io_read_file reads up to size_bytes of a regular file. It refuses other files, because a pipe
// would block. Errors: LP_EIO with errno; EINVAL: not a regular file
LP_MUST_USE lp_err lp_io_read_file(
    const char *path, void *out, size_t size_bytes, size_t *out_size);

// lp_io_pread_all reads size_bytes from offset on. Errors: LP_EIO, also if the file ends earlier
LP_MUST_USE lp_err lp_io_pread_all(int fd, void *out, size_t size_bytes, uint64_t offset);

// lp_io_write_pieces writes all pieces in order. Errors: LP_EIO, and errno
LP_MUST_USE lp_err lp_io_write_pieces(int fd, const lp_slice *pieces, size_t count);

// lp_io_write_all writes all of bytes. Errors: LP_EIO, and errno
LP_MUST_USE lp_err lp_io_write_all(int fd, lp_slice bytes);

// lp_io_close closes a descriptor, unless it is -1. It preserves errno, so that an earlier error
// can still be reported.
void lp_io_close(int fd);

// lp_io_sync_dir makes the names in a directory survive a power cut, but not the content of the
// files. path is relative to the directory descriptor at, or to the working directory if at is
// AT_FDCWD. Errors: LP_EIO, and errno
LP_MUST_USE lp_err lp_io_sync_dir(int at, const char *path);

// lp_io_list calls on_name for each name in a directory except . and .., in no particular order,
// until on_name fails. dir_fd is the directory's descriptor. A missing directory has no names.
// Errors: LP_EIO, and errno; LP_ENOMEM; as on_name
LP_MUST_USE lp_err lp_io_list(
    const char *path, lp_err (*on_name)(void *arg, int dir_fd, const char *name), void *arg);

// lp_io_changed_ns returns when a file, its names or its attributes changed last.
static inline int64_t
lp_io_changed_ns(const struct stat *info)
{
    return info->st_ctim.tv_sec * (int64_t)1000000000 + info->st_ctim.tv_nsec;
}

// lp_io_is_same_file returns whether two paths name the same file; false if stat fails for either.
bool lp_io_is_same_file(const char *path, const char *other);

// lp_io_make_dir_of makes a file's directory if it is missing. The parent directory must exist.
// Errors: LP_EIO with errno; LP_ENOMEM
LP_MUST_USE lp_err lp_io_make_dir_of(const char *path);

// lp_io_sync_name makes the creation or removal of a file's name survive a power cut.
// Errors: LP_EIO with errno; LP_ENOMEM
LP_MUST_USE lp_err lp_io_sync_name(const char *path);
