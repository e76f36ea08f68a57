// SPDX-License-Identifier: Apache-2.0
// recording_file: maps a recording from a file or a pipe into memory, for the offline commands.
//
// Compressed files (unpack.h), pipes and the like are first written to a temporary file
// (temp_file.h). So a recording of any size takes memory only for the pages in use.
//
// Threads: one thread opens and closes; in between any number of threads may read and release.

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <sys/types.h>

typedef struct recording_file {
    const char *name; // for messages: the path, or "standard input"; borrowed
    lp_slice bytes;   // unpacked; lent until recording_file_close
    dev_t device;     // with inode: detects two paths to one file
    ino_t inode;
    bool is_stdin;
    bool is_as_it_is;  // not compressed: `bytes` map the opened file
    bool is_damaged;   // the compression is damaged; `bytes` end there
    lp_problem damage; // of the compression, with an offset in the packed file
} recording_file;

// recording_file_open reads the recording at path, "-" for standard input.
// Owns:   the caller ends it with recording_file_close; path is borrowed until then.
// Errors: LP_ENOENT, LP_EIO, LP_ENOMEM; LP_ECORRUPT an unsupported compression
LP_MUST_USE lp_err recording_file_open(
    const char *path, recording_file *out_file, lp_problem *out_problem);

// recording_file_check detects that the file was truncated while mapped. Up to the end of its last
// page, reads returned zeros for the lost bytes; reads behind that page end the program
// (lost_input.h).
// Errors: LP_EIO it was truncated
LP_MUST_USE lp_err recording_file_check(const recording_file *file, lp_problem *out_problem);

// recording_file_close leaves the file zeroed. A zeroed file is fine.
void recording_file_close(recording_file *file);

// recording_file_release frees the memory of bytes, which lie in the file. A later read takes them
// from the disk cache.
void recording_file_release(const recording_file *file, lp_slice bytes);
