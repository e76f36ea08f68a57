// SPDX-License-Identifier: Apache-2.0
// pack_files: files in which chunks gather to become one object (object_pack.h). They have no
// names, so a process leaves none behind.
//
// One file is open at a time. Threads that compact append to it; the loop learns of each chunk
// later (pack_files_settle). So a closed file is complete once all its pieces are settled.
//
// Threads: append and the references: any; the rest: the loop, which never waits for threads that
//          append.
// Tests:   tests/unit/collector/chunks/test_packs.c

#pragma once

#include "collector/store/chunks/blobs.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct pack_files pack_files;

// A file with a count of references. While the file is open, pack_files has one; each unsettled
// piece has one; pack_file_ref adds one.
typedef struct pack_file pack_file;

// The place of a chunk.
typedef struct pack_piece {
    pack_file *file; // NULL: settled, or in no file
    uint64_t offset;
    uint64_t stored_bytes;
} pack_piece;

// pack_files_create borrows blobs, which places the files. NULL if memory ran out.
pack_files *pack_files_create(const blobs *blobs);

// pack_files_destroy closes the open file. NULL is fine.
void pack_files_destroy(pack_files *files);

// pack_files_append compresses a chunk and appends it to the open file. If no file is open, it
// opens one. The caller must settle the piece.
// Errors: LP_EIO with errno, LP_ENOMEM: the piece is unused
LP_MUST_USE lp_err pack_files_append(pack_files *files, lp_slice chunk, pack_piece *out_piece);

// pack_files_append_packed does the same with a chunk that is compressed already.
LP_MUST_USE lp_err pack_files_append_packed(
    pack_files *files, lp_slice packed, pack_piece *out_piece);

// pack_files_settle notes that the loop knows a piece, and releases the piece's file. A piece
// without a file is fine.
void pack_files_settle(pack_piece *piece);

// pack_files_close closes a file if it is the open one: nothing is appended afterwards.
void pack_files_close(pack_files *files, pack_file *file);

pack_file *pack_file_ref(pack_file *file);
void pack_file_unref(pack_file *file); // NULL is fine

// pack_file_is_complete returns whether a file is closed and all its pieces are settled.
bool pack_file_is_complete(const pack_file *file);

// pack_file_get_bytes returns the bytes of its chunks so far.
uint64_t pack_file_get_bytes(const pack_file *file);

// pack_file_get_fd returns the descriptor, borrowed. Do not seek in an open file.
int pack_file_get_fd(const pack_file *file);
