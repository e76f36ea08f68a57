// SPDX-License-Identifier: Apache-2.0
// temp_file: space on disk for data that may exceed memory. The file has no name (on file systems
// that need one, it is unlinked at once), so it disappears with its last descriptor, even after a
// crash.
//
// Threads: any thread.
// Tests:   tests/unit/offline/test_recording_file.c

#pragma once

#include "common/base/lp_err.h"

// temp_file_open creates an empty file for reading and writing in $TMPDIR, else in /var/tmp (on a
// disk, unlike /tmp on some systems), else in /tmp.
//
// Owns:   the caller closes *out_fd. *out_directory is where the file is, valid until the
//         environment changes.
// Errors: LP_EIO
LP_MUST_USE lp_err temp_file_open(int *out_fd, const char **out_directory, lp_problem *out_problem);

enum { TEMP_FILE_PATH_BYTES = 4096 };

// temp_file_make_directory creates a private directory in one of the directories above. The caller
// removes it. Errors: LP_EIO
LP_MUST_USE lp_err temp_file_make_directory(
    char out_path[TEMP_FILE_PATH_BYTES], lp_problem *out_problem);
