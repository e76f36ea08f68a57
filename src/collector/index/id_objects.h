// SPDX-License-Identifier: Apache-2.0
// id_objects: the segments of the index of ids: files of a directory (id_cache.h) where chunks are
// files, else objects of a store, with their heads in files here. Their keys are ID_OBJECTS_FOLDER
// and the name, which ends in ID_OBJECT_SUFFIX.
//
// Of a segment of a store whose head is not here a search reads the page that may have the id, and
// what that leads to (id_object.h).
//
// Threads: any, but for open and close.
// Tests:   tests/unit/collector/index/test_id_shared.c
// Errors:  of what reads or writes segments: LP_EIO with errno, the store does not answer or
//          refuses (s3_client.h), or a file cannot be read; LP_ENOENT there is no such segment;
//          LP_ECORRUPT it is damaged, or cut; LP_EVERSION; LP_ENOMEM

#ifndef LP_COLLECTOR_INDEX_ID_OBJECTS_H
#define LP_COLLECTOR_INDEX_ID_OBJECTS_H

#include "collector/index/id_cache.h"
#include "collector/store/catalog/catalog_ids.h"
#include "collector/store/s3/s3_client.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_vec.h"

#include <pthread.h>
#include <stdatomic.h>

#define ID_OBJECTS_FOLDER "index/"

enum { ID_OBJECTS_PATIENCE_MS = 10 * 1000 };

// {0} is closed.
typedef struct id_objects {
    bool is_open;
    s3_client *client; // NULL: segments are files
    id_cache *cache;
    atomic_uint_fast64_t complained; // hash of the last name that was complained of; orders nothing
    pthread_mutex_t mutex;           // around what follows
    pthread_cond_t searched;         // no search goes on any more
    unsigned searches;               // that go on: heads wait for their end
} id_objects;

// id_objects_open makes dir if it is missing, and asks the store nothing yet; store NULL: segments
// are files of dir. Either way id_objects_close ends it. Errors: those of id_cache_open and
// s3_client_create
LP_MUST_USE lp_err id_objects_open(
    id_objects *objects, const char *dir, const s3_client_config *store, lp_problem *out_problem);
void id_objects_close(id_objects *objects);

// Between id_objects_begin_search and id_objects_end_search, which several threads may be, no head
// is fetched but for a search, so that it need not share processors and the line.
void id_objects_begin_search(id_objects *objects);
void id_objects_end_search(id_objects *objects);

// id_objects_fetch_heads fetches the heads of segments that are not in the cache, one after the
// other, the last one first, while nobody searches, until the store does not give one: who wants it
// then finds out why. Where somebody searches ID_OBJECTS_PATIENCE_MS after it began, the rest
// is left for another time.
void id_objects_fetch_heads(id_objects *objects, const catalog_segment *segments, size_t count,
    const atomic_bool *is_stopping);

// id_objects_is_remote returns whether they are in a store.
bool id_objects_is_remote(const id_objects *objects);

// id_objects_excludes returns whether the head of a segment is here and excludes that it has a
// hash.
bool id_objects_excludes(id_objects *objects, const catalog_segment *segment, uint64_t hash);

// id_objects_search calls on_chunk for each chunk of a segment that has a hash, some twice.
LP_MUST_USE lp_err id_objects_search(id_objects *objects, const catalog_segment *segment,
    uint64_t hash, void (*on_chunk)(void *arg, const id_chunk *chunk), void *arg);

// id_objects_complain logs that a segment cannot be read, not twice of one after the other.
void id_objects_complain(id_objects *objects, const catalog_segment *segment, lp_err why);

// id_objects_put stores a segment, unless it is there, and its head here.
LP_MUST_USE lp_err id_objects_put(
    id_objects *objects, const catalog_segment *segment, lp_slice bytes);

// id_objects_check reads all of a segment.
LP_MUST_USE lp_err id_objects_check(id_objects *objects, const catalog_segment *segment);

// id_objects_delete deletes a segment; one that is not there is fine.
LP_MUST_USE lp_err id_objects_delete(id_objects *objects, const char *name);

// id_objects_keep removes the files of segments that the catalog does not have: of a process that
// was killed before it added one, or of another catalog. Of a store nothing is removed.
void id_objects_keep(
    id_objects *objects, bool (*is_kept)(const void *arg, const char *flat_name), const void *arg);

#endif // LP_COLLECTOR_INDEX_ID_OBJECTS_H
