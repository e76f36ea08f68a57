// SPDX-License-Identifier: Apache-2.0
// The functions of catalog.h that choose a driver.
//
// Tests:   tests/unit/collector/store/catalog/test_catalog.c

#include "collector/store/catalog/catalog.h"
#include "collector/store/catalog/catalog_db.h"
#include "collector/store/catalog/postgres/catalog_postgres.h"
#include "collector/store/catalog/sqlite/catalog_sqlite.h"
#include "common/base/lp_assert.h"

#include <string.h>

bool
catalog_is_file(const char *place)
{
    return !catalog_postgres_is_uri(place);
}

lp_err
catalog_format_name(const char *place, char *out_name, size_t name_bytes)
{
    return catalog_postgres_format_name(place, out_name, name_bytes);
}

static lp_err
open_at(const char *place, catalog_db_use use, catalog **out_catalog, lp_problem *out_problem)
{
    return catalog_is_file(place) ? catalog_sqlite_open(place, use, out_catalog, out_problem)
                                  : catalog_postgres_open(place, use, out_catalog, out_problem);
}

lp_err
catalog_open(const char *place, catalog **out_catalog, lp_problem *out_problem)
{
    return open_at(place, CATALOG_DB_WRITES_ALONE, out_catalog, out_problem);
}

lp_err
catalog_open_shared(
    const char *place, const char *node, catalog **out_catalog, lp_problem *out_problem)
{
    LP_ASSERT(strlen(node) == CATALOG_NODE_ID_CHARS);
    lp_err err = open_at(place, CATALOG_DB_WRITES, out_catalog, out_problem);
    if (err == LP_OK) {
        memcpy((*out_catalog)->node, node, CATALOG_NODE_ID_CHARS + 1);
    }
    return err;
}

lp_err
catalog_open_reader(const char *place, catalog **out_catalog, lp_problem *out_problem)
{
    return open_at(place, CATALOG_DB_READS, out_catalog, out_problem);
}

catalog_counts
catalog_get_counts(void)
{
    return (catalog_counts){
        .errors = catalog_db_count_errors(), .reconnects = catalog_postgres_count_reconnects()};
}
