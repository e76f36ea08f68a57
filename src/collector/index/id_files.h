// SPDX-License-Identifier: Apache-2.0
// id_files: files of segments of the index of ids (id_object.h), in a directory of their own, by
// the names of the segments: the segments themselves where chunks are files (ID_FILES_WHOLE), else
// the heads of those in an object store (ID_FILES_HEADS).
//
// Heads can be had again. Where they take more than they may, those go first whose names come
// first, which are of the oldest hours; one that is damaged is removed: it is as good as one that
// was never there. A whole segment stays until it is dropped, also if it is damaged, and is on the
// disk once it was filled. Pages are not looked at here: who finds one of a head damaged drops it.
//
// Threads: any, but for open and close.
// Tests:   tests/unit/collector/index/test_id_files.c
// Memory:  an item for each file; what was searched is mapped.

#ifndef LP_COLLECTOR_INDEX_ID_FILES_H
#define LP_COLLECTOR_INDEX_ID_FILES_H

#include "collector/index/id_object.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    ID_FILES_NAME_BYTES = 96,
    ID_FILES_FILES_MAX = 16384, // heads; each is a mapping, of which a process may have some 65,000
};

static const uint64_t ID_FILES_BYTES_MAX = (uint64_t)2 << 30; // as a rule

typedef enum id_files_kind { ID_FILES_HEADS, ID_FILES_WHOLE } id_files_kind;

typedef struct id_files id_files;

// A file that somebody has; it stays as it is until the last one gives it back.
typedef struct id_file id_file;

// id_files_open makes dir if it is missing (its parent must be there), and finds what is in it.
// bytes_max is for heads. Errors: LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err id_files_open(const char *dir, id_files_kind kind, uint64_t bytes_max,
    id_files **out_files, lp_problem *out_problem);

// id_files_close is for when no file is out any more. NULL is fine.
void id_files_close(id_files *files);

// id_files_has returns whether there is a file for a segment.
bool id_files_has(id_files *files, const char *name);

// id_files_find returns the file of a segment; the caller gives it back. Errors: LP_ENOENT it is
// not there, or a head that was damaged; LP_ECORRUPT, LP_EVERSION of a whole segment; LP_EIO with
// errno, LP_ENOMEM
LP_MUST_USE lp_err id_files_find(id_files *files, const char *name, id_file **out_head);

// id_files_fill adds the file of a segment, to which fill writes it, and returns it, if out_head is
// not NULL. Two may fill the same at once. Errors: LP_ECORRUPT, LP_EVERSION it is none; those of
// fill; LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err id_files_fill(id_files *files, const char *name,
    lp_err (*fill)(void *arg, int fd), void *arg, id_file **out_head);

// id_files_drop removes the file of a segment; one that is not there is fine.
void id_files_drop(id_files *files, const char *name);

// id_files_keep drops all files but those that are asked for. is_kept must not call the cache.
void id_files_keep(
    id_files *files, bool (*is_kept)(const void *arg, const char *flat_name), const void *arg);

// id_files_flatten writes the name of a file: that of its segment, with - for /.
void id_files_flatten(const char *name, char out_flat_name[ID_FILES_NAME_BYTES]);

// id_file_get returns the bytes of a file, lent by it.
lp_slice id_file_get(const id_file *head);

// id_file_get_shape returns the shape of its segment.
id_object_shape id_file_get_shape(const id_file *head);

void id_files_give_back(id_files *files, id_file *head);

uint64_t id_files_count_bytes(id_files *files);

// id_files_make_file makes a file without a name in the cache's directory. Errors: LP_EIO with
// errno
LP_MUST_USE lp_err id_files_make_file(const id_files *files, int *out_fd);

// id_files_get_directory returns a descriptor of the directory; borrowed.
int id_files_get_directory(const id_files *files);

#endif // LP_COLLECTOR_INDEX_ID_FILES_H
