// SPDX-License-Identifier: Apache-2.0
// session_store: a data directory of a test's own, and its catalog: what sessions are stored in.

#pragma once

#include "support/temp_dir.h"

#include "collector/journal/data_dir.h"
#include "collector/store/catalog/catalog.h"

#include <stdlib.h>

typedef struct session_store {
    temp_dir dir;
    data_dir *data;
    catalog *catalog;
} session_store;

static inline session_store
session_store_open(void)
{
    session_store store = {.dir = temp_dir_make()};
    if (data_dir_open(store.dir.path, &store.data, NULL) != LP_OK) {
        abort();
    }
    if (catalog_open(data_dir_at(store.data, DATA_DIR_CATALOG).text, &store.catalog, NULL) !=
        LP_OK) {
        abort();
    }
    return store;
}

static inline void
session_store_close(session_store *store)
{
    catalog_close(store->catalog);
    data_dir_close(store->data);
    temp_dir_remove(&store->dir);
}
