// SPDX-License-Identifier: Apache-2.0
// recording_file: a recording out of a file, for the commands that work offline: mapped, or read
// from standard input, unpacked if it is gzip.
//
// Threads: one thread at a time.

#ifndef LP_COLLECTOR_OFFLINE_RECORDING_FILE_H
#define LP_COLLECTOR_OFFLINE_RECORDING_FILE_H

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/jfr/jfr_chunk.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct recording_file {
    const char *name; // for messages: the path, or "standard input"; borrowed
    lp_slice bytes;   // unpacked
    uint64_t size_on_disk;
    dev_t device; // of the file, to tell whether two paths are the same; 0 for standard input
    ino_t inode;
    void *map; // NULL if the bytes are in `unpacked`
    size_t map_bytes;
    lp_buf unpacked;
} recording_file;

// recording_file_open reads the recording at path, "-" for standard input.
// Owns:   the caller ends it with recording_file_close; path is borrowed until then.
// Errors: LP_ENOENT, LP_EIO; LP_ECORRUPT for damaged gzip; LP_ENOMEM
LP_MUST_USE lp_err recording_file_open(
    const char *path, recording_file *out_file, lp_problem *out_problem);

void recording_file_close(recording_file *file);

// recording_file_release gives the memory of bytes back, which lie in the file: reading them again
// takes them from the disk cache. Threads: any, also several at once
void recording_file_release(const recording_file *file, lp_slice bytes);

// recording_file_next finds the chunk at *offset (0 for the first) and moves *offset behind it.
// What a JVM that was killed has written behind its last flush is not part of any chunk; such a
// rest at the end is passed over, and *out_rest says how many bytes it has.
//
// Errors: LP_EEND no more chunks
//         LP_ECORRUPT, LP_EVERSION with an offset into the file
LP_MUST_USE lp_err recording_file_next(const recording_file *file, uint64_t *offset,
    lp_slice *out_chunk, uint64_t *out_rest, lp_problem *out_problem);

#endif // LP_COLLECTOR_OFFLINE_RECORDING_FILE_H
