// SPDX-License-Identifier: Apache-2.0
// blob_file: reads a chunk's file without the catalog.
//
// Threads: any thread.
// Tests:   tests/unit/collector/mend/test_reconcile.c

#pragma once

#include "collector/store/catalog/blob_list.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"

// Longer content is not a chunk: a compacted chunk is at most slightly longer than its batches.
static const uint64_t BLOB_FILE_BYTES_MAX = (uint64_t)2 << 30;

// blob_file_read reads a listed file of dir into out_bytes, which must be empty. The size is in the
// chunk's header. Errors: LP_ECORRUPT if the file is damaged or no chunk; LP_EIO with errno,
// LP_ENOMEM
LP_MUST_USE lp_err blob_file_read(
    const char *dir, const char *session_id, const blob_list_file *file, lp_buf *out_bytes);

// blob_file_read_path does the same for any path.
LP_MUST_USE lp_err blob_file_read_path(const char *path, lp_buf *out_bytes);
