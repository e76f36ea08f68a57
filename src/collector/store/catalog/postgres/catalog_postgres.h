// SPDX-License-Identifier: Apache-2.0
// catalog_postgres: catalogs in PostgreSQL, of version 12 or later: a driver of catalog_db.h.
//
// Commits are on the server's disk when they return (synchronous_commit is not off). One writer has
// a catalog, or several that are nodes (catalog_open_shared), by a lock of their connections':
// another one is refused. A connection that is lost is
// made again at the next call (postgres_link.h); a call within a transaction fails until that has
// ended. Where it was lost in a commit, nobody knows whether that was done. It counts as failed,
// and each function that writes may be called again with the same values.
//
// Texts that are not UTF-8, which nobody should write, have U+FFFD in place of each byte that is of
// no character: PostgreSQL refuses others, and would so all of the transaction.
//
// Threads: as the catalog.
// Tests:   tests/unit/collector/store/catalog/test_catalog_postgres.c, test_catalog.c

#ifndef LP_COLLECTOR_STORE_CATALOG_POSTGRES_H
#define LP_COLLECTOR_STORE_CATALOG_POSTGRES_H

#include "collector/store/catalog/catalog_db.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    CATALOG_POSTGRES_LOCK_MS_MAX = 3000, // for which a start waits for another writer to end
    // Where collectors share the catalog: for how long one may hold rows in a transaction in which
    // it has stopped, and another one waits for rows, and tries it again later.
    CATALOG_POSTGRES_STOPPED_MS_MAX = 2000,
    CATALOG_POSTGRES_HELD_MS_MAX = 1000,
    CATALOG_POSTGRES_PROBE_MS = 5000,      // without an answer until the server is asked for one
    CATALOG_POSTGRES_READERS_MAX = 16,     // of this process at a time: each has a connection
    CATALOG_POSTGRES_IDLE_READERS_MAX = 4, // connections that stay open for the next ones
};

// catalog_postgres_is_uri returns whether a place of catalog_open's is a URI of PostgreSQL's.
static inline bool
catalog_postgres_is_uri(const char *place)
{
    return strncmp(place, "postgres://", strlen("postgres://")) == 0 ||
           strncmp(place, "postgresql://", strlen("postgresql://")) == 0;
}

// catalog_postgres_check returns LP_OK where this build has PostgreSQL. Errors: LP_EVERSION it was
// left out, and out_problem says what to do
LP_MUST_USE lp_err catalog_postgres_check(lp_problem *out_problem);

// catalog_postgres_format_name is catalog_format_name.
LP_MUST_USE lp_err catalog_postgres_format_name(const char *uri, char *out_name, size_t name_bytes);

// catalog_postgres_count_reconnects is postgres_link_count_reconnects. Any thread.
uint64_t catalog_postgres_count_reconnects(void);

// catalog_postgres_open is catalog_open, or for a reader catalog_open_reader. After a statement of
// a writer's that took its whole time, calls fail with LP_EAGAIN and ETIMEDOUT for twice as long,
// and ask nothing. Errors besides: LP_ELIMIT another collector has the catalog, or an earlier
// connection that the server has not ended, or there are CATALOG_POSTGRES_READERS_MAX
LP_MUST_USE lp_err catalog_postgres_open(
    const char *uri, catalog_db_use use, catalog **out_catalog, lp_problem *out_problem);

#endif // LP_COLLECTOR_STORE_CATALOG_POSTGRES_H
