// SPDX-License-Identifier: Apache-2.0
// id_files: the files of segments of the index of ids (id_object.h), in a directory, named after
// their segments. Without an object store these are whole segments (ID_FILES_WHOLE), else the heads
// of the store's segments (ID_FILES_HEADS).
//
// Heads are a cache. Above their limit, the heads with the first names are removed; they are of the
// oldest hours. A damaged head is removed too. A whole segment stays until it is dropped, even if
// damaged, and is on the disk once it is filled. id_files does not check pages: a caller that finds
// a damaged page of a head drops the head.
//
// Threads: any, except for open and close.
// Tests:   tests/unit/collector/index/test_id_files.c
// Memory:  an item for each file; searched files are mapped.

#pragma once

#include "collector/index/id_object.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    ID_FILES_NAME_BYTES = 96,
    // Heads. Each is mapped, and a process may have some 65,000 mappings.
    ID_FILES_FILES_MAX = 16384,
};

static const uint64_t ID_FILES_BYTES_MAX = (uint64_t)2 << 30; // of heads

typedef enum id_files_kind { ID_FILES_HEADS, ID_FILES_WHOLE } id_files_kind;

typedef struct id_files id_files;

// A file with owners. It does not change until its last owner gives it back.
typedef struct id_file id_file;

// id_files_open creates dir if it is missing (its parent must exist), and lists its files.
// bytes_max limits heads. Errors: LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err id_files_open(const char *dir, id_files_kind kind, uint64_t bytes_max,
    id_files **out_files, lp_problem *out_problem);

// Call id_files_close after the last id_files_give_back. NULL is fine.
void id_files_close(id_files *files);

// id_files_has returns whether a segment has a file.
bool id_files_has(id_files *files, const char *name);

// id_files_find returns the file of a segment, which the caller gives back (id_files_give_back).
// Errors: LP_ENOENT no file, or a damaged head; LP_ECORRUPT, LP_EVERSION for a whole segment;
// LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err id_files_find(id_files *files, const char *name, id_file **out_file);

// id_files_fill adds the file of a segment, which fill writes. It returns the file if out_file is
// not NULL. Two threads may fill the same file at once. Errors: LP_ECORRUPT, LP_EVERSION not a
// segment; the errors of fill; LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err id_files_fill(id_files *files, const char *name,
    lp_err (*fill)(void *arg, int fd), void *arg, id_file **out_file);

// id_files_drop removes the file of a segment, if it exists.
void id_files_drop(id_files *files, const char *name);

// id_files_keep removes all files for which is_kept returns false. is_kept must not call id_files.
void id_files_keep(
    id_files *files, bool (*is_kept)(const void *arg, const char *flat_name), const void *arg);

// id_files_flatten writes the file name of a segment: its name with - for /.
void id_files_flatten(const char *name, char out_flat_name[ID_FILES_NAME_BYTES]);

// id_file_get returns the bytes of a file, borrowed from it.
lp_slice id_file_get(const id_file *file);

// id_file_get_shape returns the shape of the file's segment.
id_object_shape id_file_get_shape(const id_file *file);

void id_files_give_back(id_files *files, id_file *file);

uint64_t id_files_count_bytes(id_files *files);

// id_files_make_file creates a file without a name in the directory. Errors: LP_EIO with errno
LP_MUST_USE lp_err id_files_make_file(const id_files *files, int *out_fd);

// id_files_get_directory returns the directory's descriptor, borrowed.
int id_files_get_directory(const id_files *files);
