// SPDX-License-Identifier: Apache-2.0

// data_dir: the directory that the collector keeps everything in, and its lock against a second
// collector.
//
//   lock                          held (flock) while a collector runs
//   catalog.db                    see store/catalog.h
//   chunks/                       see store/blobs.h
//   ids/                          see index/id_index.h
//   journal/<session>/<chunk>.log see journal.h
//   damaged/<session>-<chunk>...  unusable pieces, for a person to look at
//
// Threads: open and close on one thread; the rest any thread.
// Tests:   tests/unit/collector/server/test_server.c

#ifndef LP_COLLECTOR_SERVER_DATA_DIR_H
#define LP_COLLECTOR_SERVER_DATA_DIR_H

#include "common/base/lp_err.h"

#include <stdint.h>

typedef struct data_dir data_dir;

// data_dir_open makes the missing folders and takes the lock.
// Errors: LP_ELIMIT if another collector runs on it; LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err data_dir_open(const char *path, data_dir **out_dir, lp_problem *out_problem);
void data_dir_close(data_dir *dir);

// These build paths. The caller frees them; NULL if memory ran out.
char *data_dir_catalog_path(const data_dir *dir);
char *data_dir_blobs_path(const data_dir *dir);
char *data_dir_ids_path(const data_dir *dir);
char *data_dir_journals_path(const data_dir *dir);
char *data_dir_session_path(const data_dir *dir, const char *session_id);
char *data_dir_journal_path(const data_dir *dir, const char *session_id, uint32_t ordinal);

// data_dir_damaged_path returns a path for a damaged piece of a chunk; what names the piece, such
// as ".tail".
char *data_dir_damaged_path(
    const data_dir *dir, const char *session_id, uint32_t ordinal, const char *what);

#endif // LP_COLLECTOR_SERVER_DATA_DIR_H
