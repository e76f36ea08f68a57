// SPDX-License-Identifier: Apache-2.0
// chunk_files: chunks as files, DIR/<session id>/<ordinal>.jfr.zst.
//
// Threads: as chunk_store.h
// Tests:   tests/unit/collector/store/chunks/test_blobs.c,
//          tests/unit/collector/store/test_chunk_store.c

#pragma once

#include "collector/store/chunk_store.h"

enum {
    CHUNK_FILES_DIR_MODE = 0750,
    CHUNK_FILES_MODE = 0640,
};

// chunk_files_open opens the driver. It borrows path and dir_fd, of the same directory, and
// *is_durable, which says whether put waits for the disk. NULL if memory ran out.
chunk_store *chunk_files_open(const char *path, int dir_fd, const bool *is_durable);

// chunk_files_make creates a file without a name in a directory. The caller closes *out_fd, which
// is -1 after an error. Errors: LP_EIO with errno
LP_MUST_USE lp_err chunk_files_make(int dir_fd, int *out_fd);

// chunk_files_write writes bytes to DIR/<session id>/<name>. The file is named <name>.tmp until it
// is complete. If out_packed_bytes is not NULL, the bytes are packed. Errors: LP_EIO with errno,
// LP_ENOMEM
LP_MUST_USE lp_err chunk_files_write(int dir_fd, bool is_durable, const char *session_id,
    const char *name, lp_slice bytes, uint64_t *out_packed_bytes);

// chunk_files_remove_session removes the directory of a session and its files, if there is one.
// Errors: LP_EIO with errno
LP_MUST_USE lp_err chunk_files_remove_session(int dir_fd, const char *session_id);
