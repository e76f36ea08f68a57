// SPDX-License-Identifier: Apache-2.0
// catalog_postgres_schema: the tables of a catalog in PostgreSQL, and how those of earlier versions
// become the present ones.
//
// They are those of catalog_schema.h of the same version, with three differences: texts compare and
// order by bytes (COLLATE "C"), a carry-over is in pieces, and the version is in the table
// loupe_schema, which has one row. All are in the schema in which a connection makes tables.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/store/catalog/test_catalog_postgres_writers.c

#ifndef LP_COLLECTOR_STORE_CATALOG_POSTGRES_SCHEMA_H
#define LP_COLLECTOR_STORE_CATALOG_POSTGRES_SCHEMA_H

#include "collector/store/catalog/postgres/postgres_link.h"
#include "common/base/lp_err.h"

#include <stdbool.h>

// catalog_postgres_schema_ensure makes the tables where there are none and brings earlier ones up
// to date, but not for a reader: several that begin at once wait for each other. *out_version is
// the version that the database has then, which is a later one where a later program made it, and 0
// where there are no tables. Where it changes tables it sets the link's limit to
// POSTGRES_LINK_START_MS_MAX, which the caller sets back. Errors: as of postgres_link_next
LP_MUST_USE lp_err catalog_postgres_schema_ensure(
    postgres_link *link, bool is_reader, long *out_version);

#endif // LP_COLLECTOR_STORE_CATALOG_POSTGRES_SCHEMA_H
