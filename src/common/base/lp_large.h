// SPDX-License-Identifier: Apache-2.0
// lp_large: memory of vectors, buffers, maps and arenas; large blocks may lie in files.
//
// A chunk with millions of contexts may need more memory than the machine has. Between
// lp_large_begin and lp_large_end a thread gets large blocks as shared mappings of unnamed files.
// The kernel writes their pages out under memory pressure instead of killing the process. The disk
// space is allocated up front, so writing to a block cannot fail. Other blocks come from malloc.
//
// Threads: any thread. lp_large_begin and lp_large_end affect only the calling thread. Any thread
//          may free a block, and blocks stay valid after lp_large_end.
// Errors:  functions return NULL if memory ran out, or the disk has no room for a block in a file.
// Tests:   tests/unit/common/base/test_lp_large.c

#pragma once

#include <stddef.h>

enum { LP_LARGE_BYTES = 1 << 20 }; // fewer are not worth a file

// lp_large_begin starts to allocate blocks of least_bytes and more in files in a directory.
// directory_fd is borrowed until lp_large_end; -1: no files. Values of least_bytes below
// LP_LARGE_BYTES count as LP_LARGE_BYTES. The call has no effect on file systems without O_TMPFILE
// or fallocate(2).
void lp_large_begin(int directory_fd, size_t least_bytes);
void lp_large_end(void);

// lp_large_get_least returns the size from which on the calling thread's blocks are in files; 0: no
// block is in a file.
size_t lp_large_get_least(void);

void *lp_large_alloc(size_t bytes);

// lp_large_grow is realloc from old_bytes to bytes. old is NULL if old_bytes is 0.
void *lp_large_grow(void *old, size_t old_bytes, size_t bytes);

void lp_large_free(void *block);
