// SPDX-License-Identifier: Apache-2.0

// server_store: where a server keeps what it has: data directory, catalog, chunks and index of ids,
// opened together and checked to belong together.
//
// Threads: open and close the one that starts the server; what each part says in between.
// Tests:   tests/unit/collector/server/test_server.c, tests/e2e/object_store.py,
// tests/e2e/postgres.py

#ifndef LP_COLLECTOR_SERVER_SERVER_STORE_H
#define LP_COLLECTOR_SERVER_SERVER_STORE_H

#include "collector/index/id_index.h"
#include "collector/journal/data_dir.h"
#include "collector/journal/run_mark.h"
#include "collector/store/catalog/catalog.h"
#include "collector/store/chunks/blobs.h"
#include "collector/store/s3/s3_url.h"
#include "common/base/lp_err.h"

#include <stdbool.h>

typedef struct server_store {
    data_dir *dir;
    char *running_path;  // of the run mark
    run_mark before;     // as the runs before left it
    char *catalog_place; // for catalog_open_reader
    catalog *catalog;    // of the loop
    blobs *blobs;
    id_index *ids;
} server_store;

// Borrowed until server_store_open returns. NULL: in data_dir, and nobody shares the catalog.
typedef struct server_store_config {
    const char *data_dir;
    const char *catalog; // a URI of PostgreSQL
    const s3_url *chunks;
    bool is_shared; // the catalog, with other collectors
} server_store_config;

// server_store_open locks the data directory and opens what is in it, or beside it, in a zeroed
// *store.
// Owns:   the caller ends it with server_store_close, also after an error.
// Errors: LP_ELIMIT another collector runs on the directory, or what it has is elsewhere; LP_EIO,
//         LP_EVERSION, LP_ENOENT, LP_ENOMEM. out_problem has the reason
LP_MUST_USE lp_err server_store_open(
    server_store *store, const server_store_config *config, lp_problem *out_problem);

// server_store_close closes what is open. A zeroed one is fine.
void server_store_close(server_store *store);

#endif // LP_COLLECTOR_SERVER_SERVER_STORE_H
