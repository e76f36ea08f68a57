// SPDX-License-Identifier: Apache-2.0
// output_file: where a command writes its result. A regular file is written beside its place and
// put there in one step, so that nobody sees half of one and a command that fails leaves what was
// there. A pipe or a device is written to as it is, and so is the file that standard output is.
//
// Threads: one thread; any may write to the descriptor.

#ifndef LP_OFFLINE_OUTPUT_FILE_H
#define LP_OFFLINE_OUTPUT_FILE_H

#include "common/base/lp_err.h"

#include <stdbool.h>

typedef struct output_file {
    const char *path; // borrowed until output_file_close
    int fd;           // to write to
    // Standard output goes to the same file or pipe. A device such as /dev/null or a terminal does
    // not count: it keeps nothing that could be mixed up.
    bool is_standard_output;
    char *temporary; // path of the file to put in place; NULL: path is written to as it is
} output_file;

// output_file_open makes an output ready to be written to. A signal for a lost input (lost_input.h)
// removes an unfinished file.
//
// Owns:   the caller ends *out_file with output_file_close
// Errors: LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err output_file_open(
    const char *path, output_file *out_file, lp_problem *out_problem);

// output_file_commit puts the finished file in its place, once. Errors: LP_EIO
LP_MUST_USE lp_err output_file_commit(output_file *file, lp_problem *out_problem);

// output_file_close removes a file that was not committed. A zeroed file is fine.
void output_file_close(output_file *file);

#endif // LP_OFFLINE_OUTPUT_FILE_H
