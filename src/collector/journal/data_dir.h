// SPDX-License-Identifier: Apache-2.0

// data_dir: the directory that the collector keeps everything in, and its lock against a second
// collector.
//
//   lock                          held (flock) while a collector runs
//   running                       see run_mark.h
//   node                          see node.h
//   log                           see log_place.h
//   catalog.db                    see store/catalog.h
//   catalog.db.damaged-TIME       one that was damaged, put aside by reconcile.h
//   catalog.db.new                the one that takes its place, while that makes it
//   chunks/                       see store/blobs.h
//   chunks/<session>/session.pb   see hello_file.h
//   ids/                          see index/id_index.h
//   journal/<session>/<chunk>.log see journal.h
//   damaged/<session>-<chunk>...  pieces that are not used, for a person or fsck (damaged_files.h)
//
// Threads: open and close on one thread; the rest any thread.
// Tests:   tests/unit/collector/server/test_server_restart.c

#ifndef LP_COLLECTOR_SERVER_DATA_DIR_H
#define LP_COLLECTOR_SERVER_DATA_DIR_H

#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct data_dir data_dir;

// data_dir_open makes the missing folders, whose names are on the disk then, and takes the lock.
// Errors: LP_ELIMIT if another collector runs on it; LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err data_dir_open(const char *path, data_dir **out_dir, lp_problem *out_problem);
void data_dir_close(data_dir *dir);

// These build paths. The caller frees them; NULL if memory ran out.
char *data_dir_catalog_path(const data_dir *dir);
char *data_dir_find_catalog(const char *path); // of a directory that a collector may have open
char *data_dir_running_path(const data_dir *dir);
char *data_dir_blobs_path(const data_dir *dir);
char *data_dir_store_path(const data_dir *dir);        // see chunk_place.h
char *data_dir_catalog_mark_path(const data_dir *dir); // see catalog_place.h
char *data_dir_node_path(const data_dir *dir);         // see node.h
char *data_dir_log_mark_path(const data_dir *dir);     // see log_place.h
char *data_dir_ids_path(const data_dir *dir);
char *data_dir_journals_path(const data_dir *dir);
char *data_dir_hello_path(const data_dir *dir, const char *session_id); // of hello_file.h
char *data_dir_tried_path(const data_dir *dir);                         // see readiness.h
char *data_dir_session_path(const data_dir *dir, const char *session_id);
char *data_dir_journal_path(const data_dir *dir, const char *session_id, uint32_t ordinal);

char *data_dir_damaged_dir(const data_dir *dir);

// data_dir_late_path is of the batches that came for a chunk that was compacted.
char *data_dir_late_path(const data_dir *dir, const char *session_id, uint32_t ordinal);

// data_dir_damaged_path returns a path for a damaged piece of a chunk; what names the piece, such
// as ".tail". It is the first that no file has, SESSION-CHUNKwhat, SESSION-CHUNK-2what and so on,
// or the one whose file has the piece already: is_kept says so, and NULL that none has.
char *data_dir_damaged_path(const data_dir *dir, const char *session_id, uint32_t ordinal,
    const char *what, bool (*is_kept)(const void *arg, const char *path), const void *arg);

const char *data_dir_get_path(const data_dir *dir);

#endif // LP_COLLECTOR_SERVER_DATA_DIR_H
