// SPDX-License-Identifier: Apache-2.0
// recording_file: a recording out of a file or a pipe, mapped into memory, for the commands that
// work offline.
//
// A file that is wrapped (unpack.h), a pipe and the like are first written to a temporary file
// (temp_file.h), so a recording of any size takes no memory but for the bytes that are looked at.
//
// Threads: opened and closed by one; in between any number may read and release.

#ifndef LP_OFFLINE_RECORDING_FILE_H
#define LP_OFFLINE_RECORDING_FILE_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <sys/types.h>

typedef struct recording_file {
    const char *name; // for messages: the path, or "standard input"; borrowed
    lp_slice bytes;   // unpacked; lent until recording_file_close
    dev_t device;     // of the opened file, by which two paths to it are known to be one
    ino_t inode;
    bool is_stdin;
    bool is_as_it_is;  // not wrapped: bytes are those of the opened file
    bool is_damaged;   // the wrapping is; `bytes` are those that could be unpacked
    lp_problem damage; // of the wrapping, with an offset into the packed file
} recording_file;

// recording_file_open reads the recording at path, "-" for standard input.
// Owns:   the caller ends it with recording_file_close; path is borrowed until then.
// Errors: LP_ENOENT, LP_EIO, LP_ENOMEM; LP_ECORRUPT it is packed in a way that unpack.h refuses
LP_MUST_USE lp_err recording_file_open(
    const char *path, recording_file *out_file, lp_problem *out_problem);

// recording_file_check finds out whether the file was truncated while it was mapped: up to the end
// of the page in which it ends now, zeros have been read in place of the lost bytes. Reading beyond
// that page ends the program (lost_input.h).
// Errors: LP_EIO it was
LP_MUST_USE lp_err recording_file_check(const recording_file *file, lp_problem *out_problem);

// recording_file_close takes a zeroed file, too, and leaves it zeroed.
void recording_file_close(recording_file *file);

// recording_file_release frees the memory of bytes, which lie in the file: reading them again takes
// them from the disk cache.
void recording_file_release(const recording_file *file, lp_slice bytes);

#endif // LP_OFFLINE_RECORDING_FILE_H
