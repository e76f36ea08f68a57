// SPDX-License-Identifier: Apache-2.0
// catalog_expiry: what a catalog forgets: chunks that are not kept any longer, and recordings.
//
// The rows go first, in one transaction, in which it is noted which files have to go (removals),
// and then the files, once the transaction is on the disk; so no row ever names a file that was
// removed, and a start after a crash removes what is left.
//
// The statistics of a chunk go with it. A sum (catalog_rollups.h) goes with the last chunk of its
// service and time; until then it counts the chunks that went before.
//
// Threads: as the catalog.
// Tests:   tests/unit/collector/keep/test_retention.c, test_retention_removal.c
// Errors:  as the catalog's.

#ifndef LP_COLLECTOR_STORE_CATALOG_EXPIRY_H
#define LP_COLLECTOR_STORE_CATALOG_EXPIRY_H

#include "collector/store/catalog/catalog.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A chunk that may go.
typedef struct catalog_old_chunk {
    char session_id[CATALOG_ID_CHARS + 1];
    uint32_t ordinal;
    int64_t start_wall_ns;
    int64_t end_wall_ns;
    uint64_t stored_bytes;
    bool is_in_object; // with others: it has no file of its own
} catalog_old_chunk;

// All chunks of a service.
typedef struct catalog_kept {
    const char *service;
    uint64_t chunks;
    uint64_t stored_bytes;
} catalog_kept;

// In place of an ordinal: all files of a session.
static const int64_t CATALOG_REMOVAL_ALL = -1;

// catalog_list_kept calls on_service for each service that has chunks. service is lent. Cost: a
// look at each chunk.
LP_MUST_USE lp_err catalog_list_kept(
    catalog *catalog, void (*on_service)(void *arg, const catalog_kept *kept), void *arg);

// catalog_list_oldest calls on_chunk for the chunks of a service that started first, in that order,
// count_max at most.
LP_MUST_USE lp_err catalog_list_oldest(catalog *catalog, const char *service, size_t count_max,
    void (*on_chunk)(void *arg, const catalog_old_chunk *chunk), void *arg);

// catalog_expire removes chunks, and notes the removal of their files; an object that they were in
// with others counts them as dead (catalog_objects.h). Their sessions count them (expired_chunks,
// kept_wall_ns).
LP_MUST_USE lp_err catalog_expire(catalog *catalog, const catalog_old_chunk *chunks, size_t count);

// catalog_remove_session removes the row of a session and notes the removal of all of its files;
// chunks that it has are left to catalog_expire. One that is not there is fine.
LP_MUST_USE lp_err catalog_remove_session(catalog *catalog, const char *session_id);

// catalog_list_removed calls on_chunk for chunks of a session that was removed, count_max at most,
// with their service, which is lent.
LP_MUST_USE lp_err catalog_list_removed(catalog *catalog, const char *session_id, size_t count_max,
    void (*on_chunk)(void *arg, const char *service, const catalog_old_chunk *chunk), void *arg);

// catalog_list_removals calls on_removal for each file that has to go: that of a chunk, or with
// CATALOG_REMOVAL_ALL all of a session. catalog_end_removal forgets one that is gone.
LP_MUST_USE lp_err catalog_list_removals(catalog *catalog,
    void (*on_removal)(void *arg, const char *session_id, int64_t ordinal), void *arg);
LP_MUST_USE lp_err catalog_end_removal(catalog *catalog, const char *session_id, int64_t ordinal);

#endif // LP_COLLECTOR_STORE_CATALOG_EXPIRY_H
