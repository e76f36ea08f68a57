// SPDX-License-Identifier: Apache-2.0
// catalog_objects: what a catalog knows of objects with several chunks (object_pack.h): how many of
// their bytes are of chunks that it has. Their chunks say which object they are in.
//
// An object is settled once all its chunks were committed that will be. Before, its live bytes say
// nothing, and nobody touches it; what was left so by the end of a process is settled when it is
// old. Bytes of an object that are not live are dead: of chunks that are gone, or were never
// committed. Its footer does not count.
//
// Threads: as the catalog.
// Tests:   tests/unit/collector/store/catalog/test_catalog_objects.c
// Errors:  as the catalog's.

#ifndef LP_COLLECTOR_STORE_CATALOG_OBJECTS_H
#define LP_COLLECTOR_STORE_CATALOG_OBJECTS_H

#include "collector/store/catalog/catalog.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CATALOG_OBJECTS_SPARSE = 2 }; // an object is sparse once only one of so many bytes is live

typedef struct catalog_object {
    char name[BLOB_OBJECT_CHARS + 1];
    uint64_t bytes; // without the footer
    uint64_t live_bytes;
    bool is_settled;
} catalog_object;

// A chunk that gets another place.
typedef struct catalog_move {
    char session_id[CATALOG_ID_CHARS + 1];
    uint32_t ordinal;
    uint64_t stored_bytes;
    char from[BLOB_OBJECT_CHARS + 1]; // its object; it stays where it is if that is another one
    blob_place to;
} catalog_move;

// A chunk to be committed, as of catalog_add_chunk.
typedef struct catalog_commit {
    const catalog_session *session;
    const catalog_chunk *chunk;
    lp_slice carry;
    // Out: the session's row in the catalog is of a later chunk, so somebody else has committed
    // for it; or it is another collector's (catalog_owners.h). Nothing of this commit was written.
    bool is_refused;
    bool is_lost;
} catalog_commit;

// catalog_commit_object commits chunks of an object, of each session one at most, and moves others
// there, in one transaction. A commit that is refused or lost and a move of a chunk that is gone
// leave out nothing else. The object's live_bytes are not looked at. Moves or commits may be NULL
// with 0.
LP_MUST_USE lp_err catalog_commit_object(catalog *catalog, const catalog_object *object,
    catalog_commit *commits, size_t commit_count, const catalog_move *moves, size_t move_count);

// catalog_find_place returns where a chunk is, and how many bytes it has there. Errors: LP_ENOENT
LP_MUST_USE lp_err catalog_find_place(catalog *catalog, const char *session_id, uint32_t ordinal,
    blob_place *out_place, uint64_t *out_stored_bytes);

// catalog_has_object returns LP_OK if the catalog knows an object. Errors: LP_ENOENT
LP_MUST_USE lp_err catalog_has_object(catalog *catalog, const char *name);

// catalog_list_empty_objects calls on_object for settled objects without live bytes;
// catalog_list_sparse_objects for those that are sparse and have some. count_max at most.
LP_MUST_USE lp_err catalog_list_empty_objects(catalog *catalog, size_t count_max,
    void (*on_object)(void *arg, const catalog_object *object), void *arg);
LP_MUST_USE lp_err catalog_list_sparse_objects(catalog *catalog, size_t count_max,
    void (*on_object)(void *arg, const catalog_object *object), void *arg);

// catalog_sum_objects returns the bytes of all objects, and how many of them are live.
LP_MUST_USE lp_err catalog_sum_objects(
    catalog *catalog, uint64_t *out_bytes, uint64_t *out_live_bytes);

// catalog_settle_objects settles those whose names come before one (they begin with the time).
LP_MUST_USE lp_err catalog_settle_objects(catalog *catalog, const char *before_name);

// catalog_forget_object forgets an object that was removed from the store: an empty one.
LP_MUST_USE lp_err catalog_forget_object(catalog *catalog, const char *name);

#endif // LP_COLLECTOR_STORE_CATALOG_OBJECTS_H
