// SPDX-License-Identifier: Apache-2.0
// output_file: where a command writes its result. A regular file is written beside its place and
// put there in one step, so that nobody sees half of one and a command that fails leaves what was
// there. What is no regular file, a pipe or a device, and whatever standard output is, are written
// to as they are.
//
// Threads: one thread; any may write to the descriptor.

#ifndef LP_OFFLINE_OUTPUT_FILE_H
#define LP_OFFLINE_OUTPUT_FILE_H

#include "common/base/lp_err.h"

#include <stdbool.h>

typedef struct output_file {
    const char *path; // borrowed until output_file_close
    int fd;           // to write to
    // What is written comes out where the program's own output does. A device such as /dev/null or
    // a terminal keeps nothing that could be mixed up.
    bool is_standard_output;
    char *temporary; // what is to be put at path; NULL: path is written to as it is
} output_file;

// output_file_open makes an output ready to be written to. A signal for a lost input (lost_input.h)
// removes what has been written.
//
// Owns:   the caller ends *out_file with output_file_close
// Errors: LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err output_file_open(
    const char *path, output_file *out_file, lp_problem *out_problem);

// output_file_commit puts what was written in its place, once. Errors: LP_EIO
LP_MUST_USE lp_err output_file_commit(output_file *file, lp_problem *out_problem);

// output_file_close removes what was not committed. A zeroed file is fine.
void output_file_close(output_file *file);

#endif // LP_OFFLINE_OUTPUT_FILE_H
