// SPDX-License-Identifier: Apache-2.0
// catalog_postgres_schema: creates the tables of a catalog in PostgreSQL, and upgrades them from
// earlier versions.
//
// The tables differ from those of catalog_schema.h of the same version in three ways: texts compare
// by bytes (COLLATE "C"), a carry-over is in pieces, and the version is in the only row of table
// loupe_schema. The tables are in the connection's current schema.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/store/catalog/test_catalog_postgres_writers.c

#pragma once

#include "collector/store/catalog/postgres/postgres_link.h"
#include "common/base/lp_err.h"

#include <stdbool.h>

// catalog_postgres_schema_ensure creates or upgrades the tables, but not for a reader. Concurrent
// calls wait for each other. *out_version is the version of the database: 0 if it has no tables;
// higher than this program's if a later program has upgraded it. If the function changes tables, it
// sets the link's limit to POSTGRES_LINK_START_MS_MAX; the caller resets it. Errors: as
// postgres_link_next
LP_MUST_USE lp_err catalog_postgres_schema_ensure(
    postgres_link *link, bool is_reader, long *out_version);
