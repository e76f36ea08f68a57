// SPDX-License-Identifier: Apache-2.0

// data_dir: the directory that holds all files of the collector, and the lock that prevents a
// second collector from using it.
//
// Threads: data_dir_open and data_dir_close on one thread; the rest on any thread.
// Tests:   tests/unit/collector/server/test_server_restart.c

#pragma once

#include "common/base/lp_err.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

// The files, as formats for data_dir_at: %s is a session's id, %u a chunk's number (uint32_t).
#define DATA_DIR_LOCK             "lock"                 // locked (flock) while a collector runs
#define DATA_DIR_RUNNING          "running"              // run_mark.h
#define DATA_DIR_NODE             "node"                 // node.h
#define DATA_DIR_LOG_PLACE        "log"                  // data_place.h
#define DATA_DIR_CATALOG_PLACE    "catalog"              // data_place.h
#define DATA_DIR_CHUNK_PLACE      "store"                // chunk_place.h
#define DATA_DIR_CATALOG          "catalog.db"           // store/catalog/catalog.h
#define DATA_DIR_NEW_CATALOG      "catalog.db.new"       // while reconcile.h replaces the catalog
#define DATA_DIR_DAMAGED_CATALOG  "catalog.db.damaged-"  // with the time: a replaced catalog
#define DATA_DIR_CHUNKS           "chunks"               // store/chunks/blobs.h
#define DATA_DIR_CHUNKS_ENDED     "chunks/ended"         // run_mark.h
#define DATA_DIR_HELLO            "chunks/%s/session.pb" // hello_file.h
#define DATA_DIR_IDS              "ids"                  // index/id_index.h
#define DATA_DIR_JOURNALS         "journal"
#define DATA_DIR_JOURNAL_TRIED    "journal/.tried" // readiness.h
#define DATA_DIR_SESSION_JOURNALS "journal/%s"
#define DATA_DIR_JOURNAL          "journal/%s/%u.log" // journal.h
#define DATA_DIR_RAW              "recall"            // journals of compacted chunks: raw_tail.h
#define DATA_DIR_RAW_SESSION      "recall/%s"
#define DATA_DIR_RAW_JOURNAL      "recall/%s/%u.log"
#define DATA_DIR_PINS             "pins.json"          // recall/pin/pin_file.h
#define DATA_DIR_DAMAGED          "damaged"            // damaged_files.h
#define DATA_DIR_LATE             "damaged/%s-%u.late" // batches that came after compaction

enum { DATA_DIR_NAME_BYTES = 512 };

typedef struct data_dir data_dir;

// A path. Use .text of a call's result within the same expression.
typedef struct data_path {
    char text[PATH_MAX];
} data_path;

// data_dir_open makes the missing directories, syncs their names and takes the lock. path has at
// most PATH_MAX - DATA_DIR_NAME_BYTES - 1 characters.
// Errors: LP_ELIMIT if another collector uses the directory; LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err data_dir_open(const char *path, data_dir **out_dir, lp_problem *out_problem);
void data_dir_close(data_dir *dir);

// data_dir_at returns the path of a file of the directory.
data_path data_dir_at(const data_dir *dir, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// data_dir_damaged_path returns a path for a damaged piece of a chunk. `what` names the piece, such
// as ".tail". The function tries the names SESSION-CHUNKwhat, SESSION-CHUNK-2what, ... in this
// order. It returns the first name that has no file, or whose file already holds the same piece
// according to is_kept (NULL: never).
data_path data_dir_damaged_path(const data_dir *dir, const char *session_id, uint32_t ordinal,
    const char *what, bool (*is_kept)(const void *arg, const char *path), const void *arg);

const char *data_dir_get_path(const data_dir *dir);
