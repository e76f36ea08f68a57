// SPDX-License-Identifier: Apache-2.0
// lp_large: memory of vectors, buffers, maps and arenas, which may lie in files where it is much.
//
// A chunk with millions of contexts needs more memory than a machine may have for it. Between
// lp_large_begin and lp_large_end a thread gets blocks of so many bytes and more as shared
// mappings of files without a name: the kernel writes their pages out where memory is short,
// instead of ending the process. They have their room on the disk from the beginning, so that
// writing to them cannot fail. Everywhere else this is malloc, realloc and free.
//
// Threads: any thread. lp_large_begin and lp_large_end are about the calling thread alone; any
//          thread may free a block, and blocks outlive lp_large_end.
// Errors:  NULL: no memory, or no room on the disk for a block in a file.
// Tests:   tests/unit/common/base/test_lp_large.c

#ifndef LP_COMMON_BASE_LP_LARGE_H
#define LP_COMMON_BASE_LP_LARGE_H

#include <stddef.h>

enum { LP_LARGE_BYTES = 1 << 20 }; // fewer are not worth a file

// lp_large_begin has files made in a directory, which is borrowed until lp_large_end, for blocks of
// least_bytes, at least LP_LARGE_BYTES. -1: nowhere. On file systems without O_TMPFILE or
// fallocate(2) blocks are as everywhere else.
void lp_large_begin(int directory_fd, size_t least_bytes);
void lp_large_end(void);

// lp_large_get_least returns how many bytes a block of the calling thread has at least that is in a
// file; 0: none is.
size_t lp_large_get_least(void);

// lp_large_alloc is malloc.
void *lp_large_alloc(size_t bytes);

// lp_large_grow is realloc of a block of old_bytes to more of them. old is NULL where old_bytes
// is 0.
void *lp_large_grow(void *old, size_t old_bytes, size_t bytes);

// lp_large_free is free, for blocks of these two.
void lp_large_free(void *block);

#endif // LP_COMMON_BASE_LP_LARGE_H
