// SPDX-License-Identifier: Apache-2.0
// blob_list: lists the files in the directory of chunks (blobs.h), with their sizes but not their
// content.
//
// Threads: any thread.
// Tests:   tests/unit/collector/store/catalog/test_blob_list.c

#pragma once

#include "collector/store/catalog/catalog.h"
#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct blob_list_session {
    char id[CATALOG_ID_CHARS + 1];
} blob_list_session;

typedef LP_VEC(blob_list_session) blob_list_sessions;

// Each edition of a chunk (blob.h) is a kind, with its number.
typedef enum blob_list_kind {
    BLOB_LIST_CHUNK = BLOB_EDITION_FIRST,
    BLOB_LIST_ALL = BLOB_EDITION_ALL,
    BLOB_LIST_PART = BLOB_EDITION_PART,
    BLOB_LIST_TEMPORARY = BLOB_EDITIONS, // an unfinished write of a killed process
} blob_list_kind;

typedef struct blob_list_file {
    blob_list_kind kind;
    uint32_t ordinal;
    const char *suffix;  // of its name, after the ordinal
    uint64_t file_bytes; // 0 if blob_list_read_files did not read it
} blob_list_file;

typedef LP_VEC(blob_list_file) blob_list_files;

// blob_list_read_sessions lists the ids of the sessions with a directory in dir, sorted. If dir is
// missing, there are none. The caller frees out_sessions->items. Errors: LP_EIO with errno,
// LP_ENOMEM
LP_MUST_USE lp_err blob_list_read_sessions(const char *dir, blob_list_sessions *out_sessions);

// blob_list_sort sorts a list. blob_list_has_session returns whether a sorted list has a session.
void blob_list_sort(blob_list_sessions *sessions);
bool blob_list_has_session(const blob_list_sessions *sessions, const char *session_id);

// blob_list_read_files lists the chunk files of a session, finished or not, by ordinal. If
// has_sizes, it reads their sizes (a system call for each). A session without a directory has no
// files. The caller frees out_files->items. Errors: LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err blob_list_read_files(
    const char *dir, const char *session_id, bool has_sizes, blob_list_files *out_files);

// blob_list_find returns the file of a chunk in a list, of this kind; NULL if there is none.
const blob_list_file *blob_list_find(
    const blob_list_files *files, blob_list_kind kind, uint32_t ordinal);

// blob_list_path writes the path of a listed file, at most PATH_MAX bytes.
void blob_list_path(
    const char *dir, const char *session_id, const blob_list_file *file, char *out_path);
