// SPDX-License-Identifier: Apache-2.0
// pack_files: the files in which chunks gather that are to become one object (object_pack.h). They
// have no names, so that the end of the process leaves nothing of them.
//
// One is open at a time. Threads that compact append to it, and the loop gets to know of each chunk
// later (pack_files_settle); so a file that was closed is complete once nothing of it is unsettled.
//
// Threads: append, and the references, any thread; everything else the loop, which never waits for
//          those who append.
// Tests:   tests/unit/collector/chunks/test_packs.c

#ifndef LP_COLLECTOR_SERVER_PACK_FILES_H
#define LP_COLLECTOR_SERVER_PACK_FILES_H

#include "collector/store/chunks/blobs.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pack_files pack_files;

// A file, for as long as somebody has a reference: pack_files while it is open, each piece until it
// is settled, and who took it.
typedef struct pack_file pack_file;

// Where a chunk lies.
typedef struct pack_piece {
    pack_file *file; // NULL: it is settled, or lies in no file
    uint64_t offset;
    uint64_t stored_bytes;
} pack_piece;

// pack_files_create borrows blobs, which says where files are. NULL if memory ran out.
pack_files *pack_files_create(const blobs *blobs);

// pack_files_destroy closes the open file. NULL is fine.
void pack_files_destroy(pack_files *files);

// pack_files_append packs a chunk into the open file, or begins one. The piece is to be settled.
// Errors: LP_EIO with errno, LP_ENOMEM: nothing of it is used
LP_MUST_USE lp_err pack_files_append(pack_files *files, lp_slice chunk, pack_piece *out_piece);

// pack_files_append_packed does so with a chunk that is packed already.
LP_MUST_USE lp_err pack_files_append_packed(
    pack_files *files, lp_slice packed, pack_piece *out_piece);

// pack_files_settle notes that the loop knows of a piece, and takes its file from it. A piece
// without one is fine.
void pack_files_settle(pack_piece *piece);

// pack_files_close closes a file, if it is the open one: nothing is appended to it any more.
void pack_files_close(pack_files *files, pack_file *file);

pack_file *pack_file_ref(pack_file *file);
void pack_file_unref(pack_file *file); // NULL is fine

// pack_file_is_complete returns whether a closed file gets no more chunks.
bool pack_file_is_complete(const pack_file *file);

// pack_file_get_bytes returns how many bytes of chunks it has so far.
uint64_t pack_file_get_bytes(const pack_file *file);

// pack_file_get_fd lends the descriptor, which nobody may seek in while the file is open.
int pack_file_get_fd(const pack_file *file);

#endif // LP_COLLECTOR_SERVER_PACK_FILES_H
