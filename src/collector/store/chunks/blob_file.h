// SPDX-License-Identifier: Apache-2.0
// blob_file: the content of a chunk's file of which the catalog knows nothing.
//
// Threads: any thread.
// Tests:   tests/unit/collector/mend/test_reconcile.c

#ifndef LP_COLLECTOR_STORE_BLOB_FILE_H
#define LP_COLLECTOR_STORE_BLOB_FILE_H

#include "collector/store/catalog/blob_list.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"

// A file whose content is longer is no chunk: one that is compacted is at most a little longer than
// what came of it.
static const uint64_t BLOB_FILE_BYTES_MAX = (uint64_t)2 << 30;

// blob_file_read reads a file of a list of dir into out_bytes, which is empty: as many bytes as
// the header of the chunk in it says.
// Errors: LP_ECORRUPT it is damaged, or no chunk; LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err blob_file_read(
    const char *dir, const char *session_id, const blob_list_file *file, lp_buf *out_bytes);

// blob_file_read_path is the same for a file at any path.
LP_MUST_USE lp_err blob_file_read_path(const char *path, lp_buf *out_bytes);

#endif // LP_COLLECTOR_STORE_BLOB_FILE_H
