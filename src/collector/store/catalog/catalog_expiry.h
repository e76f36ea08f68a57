// SPDX-License-Identifier: Apache-2.0
// catalog_expiry: deletes expired chunks and recordings from the catalog.
//
// One transaction deletes the rows and notes the files to delete (removals). Once it is on the
// disk, the files are deleted. So no row ever refers to a deleted file, and after a crash the next
// start deletes the remaining files.
//
// The statistics of a chunk are deleted with it. A sum (catalog_rollups.h) is deleted with the last
// chunk of its service and time; until then it still includes the deleted chunks.
//
// Threads: as the catalog.
// Tests:   tests/unit/collector/keep/test_retention.c, test_retention_removal.c
// Errors:  as the catalog.

#pragma once

#include "collector/store/catalog/catalog.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct catalog_old_chunk {
    char session_id[CATALOG_ID_CHARS + 1];
    uint32_t ordinal;
    int64_t start_wall_ns;
    int64_t end_wall_ns;
    uint64_t stored_bytes;
    bool is_in_object; // it is in an object with several chunks, and has no file
} catalog_old_chunk;

// The totals of a service's chunks.
typedef struct catalog_kept {
    const char *service;
    uint64_t chunks;
    uint64_t stored_bytes;
} catalog_kept;

// In place of an ordinal: all files of a session.
static const int64_t CATALOG_REMOVAL_ALL = -1;

// service and chunk are borrowed until the callback returns.
typedef void catalog_on_old_chunk(void *arg, const char *service, const catalog_old_chunk *chunk);

// catalog_list_kept calls on_service for each service that has chunks. kept is borrowed until
// on_service returns. Cost: reads each chunk's row.
LP_MUST_USE lp_err catalog_list_kept(
    catalog *catalog, void (*on_service)(void *arg, const catalog_kept *kept), void *arg);

// catalog_list_oldest calls on_chunk for the first count_max chunks of a service, in the order of
// their starts.
LP_MUST_USE lp_err catalog_list_oldest(catalog *catalog, const char *service, size_t count_max,
    catalog_on_old_chunk *on_chunk, void *arg);

// catalog_expire deletes chunks and notes the removal of their files; bytes in a shared object
// become dead (catalog_objects.h). The sessions count the deleted chunks (expired_chunks,
// kept_wall_ns).
LP_MUST_USE lp_err catalog_expire(catalog *catalog, const catalog_old_chunk *chunks, size_t count);

// catalog_remove_session deletes the row of a session and notes the removal of all its files. The
// session's chunks remain until catalog_expire. It ignores a session without a row.
LP_MUST_USE lp_err catalog_remove_session(catalog *catalog, const char *session_id);

// catalog_list_removed calls on_chunk for up to count_max chunks of a removed session.
LP_MUST_USE lp_err catalog_list_removed(catalog *catalog, const char *session_id, size_t count_max,
    catalog_on_old_chunk *on_chunk, void *arg);

// catalog_list_removals calls on_removal for each noted removal: of a chunk's file or, with
// CATALOG_REMOVAL_ALL, of all files of a session. catalog_end_removal deletes such a note.
LP_MUST_USE lp_err catalog_list_removals(catalog *catalog,
    void (*on_removal)(void *arg, const char *session_id, int64_t ordinal), void *arg);
LP_MUST_USE lp_err catalog_end_removal(catalog *catalog, const char *session_id, int64_t ordinal);
