// SPDX-License-Identifier: Apache-2.0
// output_file: the output of a command. A regular file is written under a temporary name and
// renamed at the end: readers never see a partial file, and a failing command keeps the old file.
// Pipes, devices and the file that is standard output are written directly.
//
// Threads: one thread; any thread may write to the descriptor.

#pragma once

#include "common/base/lp_err.h"

#include <stdbool.h>

typedef struct output_file {
    const char *path; // borrowed until output_file_close
    int fd;           // to write to
    // Standard output goes to the same file or pipe. Devices such as /dev/null or a terminal do not
    // count: they store nothing that could get mixed up.
    bool is_standard_output;
    char *temporary; // path of the file to rename; NULL: path is written directly
} output_file;

// output_file_open opens an output. If an input is lost (lost_input.h), the unfinished file is
// removed.
//
// Owns:   the caller ends *out_file with output_file_close
// Errors: LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err output_file_open(
    const char *path, output_file *out_file, lp_problem *out_problem);

// output_file_commit renames the finished file to path. Further calls do nothing. Errors: LP_EIO
LP_MUST_USE lp_err output_file_commit(output_file *file, lp_problem *out_problem);

// output_file_close removes an uncommitted file. A zeroed file is fine.
void output_file_close(output_file *file);
