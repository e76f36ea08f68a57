// SPDX-License-Identifier: Apache-2.0
// catalog_objects: the objects that hold several chunks (object_pack.h). A chunk's row names its
// object. The bytes of an object that belong to chunks in the catalog are live. The other bytes are
// dead: their chunks were deleted, or never committed. The footer does not count.
//
// An object is settled once all its commits are done. Before that, its live bytes are meaningless,
// and no one moves or deletes it. If a process dies and leaves an object unsettled, another process
// settles the object some time later (catalog_settle_objects).
//
// Threads: as the catalog.
// Tests:   tests/unit/collector/store/catalog/test_catalog_objects.c
// Errors:  as the catalog.

#pragma once

#include "collector/store/catalog/catalog.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CATALOG_OBJECTS_SPARSE = 2 }; // an object is sparse if one byte in 2, or less, is live

typedef struct catalog_object {
    char name[BLOB_OBJECT_CHARS + 1];
    uint64_t bytes; // without the footer
    uint64_t live_bytes;
    bool is_settled;
} catalog_object;

// A chunk to move to another object.
typedef struct catalog_move {
    char session_id[CATALOG_ID_CHARS + 1];
    uint32_t ordinal;
    uint64_t stored_bytes;
    // Its object. A chunk that is in another object by now is not moved.
    char from[BLOB_OBJECT_CHARS + 1];
    blob_place to;
} catalog_move;

// A chunk to commit, as catalog_add_chunk does.
typedef struct catalog_commit {
    const catalog_session *session;
    const catalog_chunk *chunk;
    lp_slice carry;
    // Out: the reason if this commit was skipped.
    bool is_refused; // the session's row already includes a later chunk
    bool is_lost;    // the session has another owner or term (catalog_owners.h)
} catalog_commit;

// catalog_commit_object commits chunks of an object, at most one of each session, and moves other
// chunks to the object, in one transaction. It skips commits that are refused or lost, and moves of
// deleted chunks. It ignores object->live_bytes. commits and moves may be NULL if their count is 0.
LP_MUST_USE lp_err catalog_commit_object(catalog *catalog, const catalog_object *object,
    catalog_commit *commits, size_t commit_count, const catalog_move *moves, size_t move_count);

// catalog_find_place writes the place of a chunk and its stored size. Errors: LP_ENOENT
LP_MUST_USE lp_err catalog_find_place(catalog *catalog, const char *session_id, uint32_t ordinal,
    blob_place *out_place, uint64_t *out_stored_bytes);

// catalog_has_object returns LP_OK if the catalog has a row for an object. Errors: LP_ENOENT
LP_MUST_USE lp_err catalog_has_object(catalog *catalog, const char *name);

// catalog_list_empty_objects calls on_object for up to count_max settled objects without live
// bytes. catalog_list_sparse_objects does so for settled, sparse objects with live bytes.
LP_MUST_USE lp_err catalog_list_empty_objects(catalog *catalog, size_t count_max,
    void (*on_object)(void *arg, const catalog_object *object), void *arg);
LP_MUST_USE lp_err catalog_list_sparse_objects(catalog *catalog, size_t count_max,
    void (*on_object)(void *arg, const catalog_object *object), void *arg);

// catalog_sum_objects writes the sums over all objects.
LP_MUST_USE lp_err catalog_sum_objects(
    catalog *catalog, uint64_t *out_bytes, uint64_t *out_live_bytes);

// catalog_settle_objects settles the objects whose names sort before before_name. Names begin with
// the time.
LP_MUST_USE lp_err catalog_settle_objects(catalog *catalog, const char *before_name);

// catalog_forget_object deletes the row of an empty object that was deleted from the store.
LP_MUST_USE lp_err catalog_forget_object(catalog *catalog, const char *name);
