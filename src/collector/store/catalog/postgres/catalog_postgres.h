// SPDX-License-Identifier: Apache-2.0
// catalog_postgres: the driver of catalog_db.h for catalogs in PostgreSQL 12 or later.
//
// A commit is on the server's disk when it returns: the driver turns synchronous_commit on if it is
// off. An advisory lock admits one writer, or several nodes (catalog_open_shared). After a lost
// connection the next call reconnects (postgres_link.h), but within a transaction all calls fail
// until the transaction ends. If the connection is lost during a commit, the commit counts as
// failed, although it may have succeeded: each write may be repeated.
//
// PostgreSQL rejects text that is not UTF-8, and with it the transaction. So the driver replaces
// each invalid byte by U+FFFD.
//
// Threads: as the catalog.
// Tests:   tests/unit/collector/store/catalog/test_catalog_postgres.c, test_catalog.c

#pragma once

#include "collector/store/catalog/catalog_db.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    CATALOG_POSTGRES_LOCK_MS_MAX = 3000,    // how long a start waits for another writer to end
    CATALOG_POSTGRES_STOPPED_MS_MAX = 2000, // how long a transaction may be idle, if shared
    CATALOG_POSTGRES_HELD_MS_MAX = 1000,    // how long a statement waits for a row lock, if shared
    CATALOG_POSTGRES_PROBE_MS = 5000,       // since the last answer, before a probe asks the server
    CATALOG_POSTGRES_READERS_MAX = 16,      // open in this process; each has a connection
    CATALOG_POSTGRES_IDLE_READERS_MAX = 4,  // connections kept open for the next readers
};

// catalog_postgres_is_uri returns whether a place of catalog_open is a URI of PostgreSQL.
static inline bool
catalog_postgres_is_uri(const char *place)
{
    return strncmp(place, "postgres://", strlen("postgres://")) == 0 ||
           strncmp(place, "postgresql://", strlen("postgresql://")) == 0;
}

// catalog_postgres_check returns LP_OK if this build supports PostgreSQL. Errors: LP_EVERSION if it
// does not; out_problem says how to get such a build
LP_MUST_USE lp_err catalog_postgres_check(lp_problem *out_problem);

// catalog_postgres_format_name is catalog_format_name.
LP_MUST_USE lp_err catalog_postgres_format_name(const char *uri, char *out_name, size_t name_bytes);

// catalog_postgres_count_reconnects is postgres_link_count_reconnects. Threads: any thread.
uint64_t catalog_postgres_count_reconnects(void);

// catalog_postgres_open does the work of catalog_open or, for a reader, of catalog_open_reader. If
// a writer's statement times out, the writer's next calls fail at once with LP_EAGAIN and
// ETIMEDOUT, for twice as long as the statement took. Errors also: LP_ELIMIT if another collector
// has the catalog open, the server has not ended an earlier connection, or
// CATALOG_POSTGRES_READERS_MAX readers are open
LP_MUST_USE lp_err catalog_postgres_open(
    const char *uri, catalog_db_use use, catalog **out_catalog, lp_problem *out_problem);
