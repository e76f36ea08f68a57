// SPDX-License-Identifier: Apache-2.0
// temp_file: room on disk for bytes that may be too many for memory. The file has no name (where
// the file system needs one, it is taken away at once), so it is gone when its last user is,
// however that ended.
//
// Threads: any thread.
// Tests:   tests/unit/offline/test_recording_file.c

#ifndef LP_OFFLINE_TEMP_FILE_H
#define LP_OFFLINE_TEMP_FILE_H

#include "common/base/lp_err.h"

// temp_file_open makes an empty file for reading and writing, in $TMPDIR where that is set, else in
// /var/tmp (which is on a disk, where /tmp may be memory), else in /tmp.
//
// Owns:   the caller closes *out_fd. *out_directory is where the file is, valid until the
//         environment changes.
// Errors: LP_EIO
LP_MUST_USE lp_err temp_file_open(int *out_fd, const char **out_directory, lp_problem *out_problem);

enum { TEMP_FILE_PATH_BYTES = 4096 };

// temp_file_make_directory makes a directory for the user alone in one of these places, which stays
// until it is removed. Errors: LP_EIO
LP_MUST_USE lp_err temp_file_make_directory(
    char out_path[TEMP_FILE_PATH_BYTES], lp_problem *out_problem);

#endif // LP_OFFLINE_TEMP_FILE_H
