// SPDX-License-Identifier: Apache-2.0

// id_segments: the segments of the index of ids: files of a directory (id_files.h), or objects of a
// store with their heads in files. The key of an object is ID_SEGMENTS_FOLDER and the segment's
// name, which ends in ID_OBJECT_SUFFIX.
//
// If a segment's head is not in a file, a search reads only the page that may have the id, and the
// pieces to which the page leads (id_object.h).
//
// Threads: any, except for open and close.
// Tests:   tests/unit/collector/index/test_id_index.c
// Errors:  LP_EIO with errno: the store does not answer or refuses (s3_client.h), or a file cannot
//          be read; LP_ENOENT: no such segment; LP_ECORRUPT: the segment is damaged or cut;
//          LP_EVERSION; LP_ENOMEM. Functions that read or write segments return these

#pragma once

#include "collector/index/id_files.h"
#include "collector/store/catalog/catalog_ids.h"
#include "collector/store/s3/s3_client.h"

#include <pthread.h>
#include <stdatomic.h>

#define ID_SEGMENTS_FOLDER "index/"

enum { ID_SEGMENTS_PATIENCE_MS = 10 * 1000 };

// {0} is closed.
typedef struct id_segments {
    bool is_open;
    s3_client *client; // NULL: segments are files
    id_files *files;
    atomic_uint_fast64_t complained; // hash of the last logged name; orders nothing
    pthread_mutex_t mutex;           // guards the rest
    pthread_cond_t searched;         // a search ended
    unsigned searches;               // running ones: heads wait for their end
} id_segments;

// id_segments_open creates dir if it is missing, and does not use the store yet. If store is NULL,
// segments are files of dir. End it with id_segments_close, also after an error. Errors: as
// id_files_open and s3_client_create
LP_MUST_USE lp_err id_segments_open(
    id_segments *segments, const char *dir, const s3_client_config *store, lp_problem *out_problem);
void id_segments_close(id_segments *segments);

// While any thread is between id_segments_begin_search and id_segments_end_search,
// id_segments_fetch_heads begins no fetch: searches need the processors and the network.
void id_segments_begin_search(id_segments *segments);
void id_segments_end_search(id_segments *segments);

// id_segments_fetch_heads fetches missing heads of segments one by one, the last one first, while
// no search runs. It ends at the first LP_EIO or LP_ENOMEM, and skips segments with other errors:
// later searches report them. It also ends if searches still run ID_SEGMENTS_PATIENCE_MS after it
// began.
void id_segments_fetch_heads(id_segments *segments, const catalog_segment *wanted, size_t count,
    const atomic_bool *is_stopping);

// id_segments_is_remote returns whether the segments are in a store.
bool id_segments_is_remote(const id_segments *segments);

// id_segments_excludes returns whether the head of a segment is in a file and excludes a hash.
bool id_segments_excludes(id_segments *segments, const catalog_segment *segment, uint64_t hash);

// id_segments_search calls on_chunk for each chunk that has the hash in a segment, for some chunks
// twice.
LP_MUST_USE lp_err id_segments_search(id_segments *segments, const catalog_segment *segment,
    uint64_t hash, void (*on_chunk)(void *arg, const id_chunk *chunk), void *arg);

// id_segments_complain logs that a segment is unreadable, but not the same one twice in a row.
void id_segments_complain(id_segments *segments, const catalog_segment *segment, lp_err why);

// id_segments_put stores a segment unless it exists, and keeps its head in a file.
LP_MUST_USE lp_err id_segments_put(
    id_segments *segments, const catalog_segment *segment, lp_slice bytes);

// id_segments_check reads and checks a whole segment.
LP_MUST_USE lp_err id_segments_check(id_segments *segments, const catalog_segment *segment);

// id_segments_delete deletes a segment, if it exists.
LP_MUST_USE lp_err id_segments_delete(id_segments *segments, const char *name);

// id_segments_keep removes all files for which is_kept returns false: a process was killed
// before the segment was in the catalog, or the segment is of another catalog. It removes nothing
// from a store.
void id_segments_keep(id_segments *segments,
    bool (*is_kept)(const void *arg, const char *flat_name), const void *arg);
