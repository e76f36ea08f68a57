// SPDX-License-Identifier: Apache-2.0
// catalog_postgres in a build without PostgreSQL: every open fails.
//
// Tests: tests/unit/collector/server/test_missing.c

#include "collector/store/catalog/postgres/catalog_postgres.h"

lp_err
catalog_postgres_check(lp_problem *out_problem)
{
    return lp_problem_set(out_problem, LP_EVERSION,
        "this loupe was built without PostgreSQL: leave it out, or take a loupe that was built "
        "with -DLOUPE_POSTGRES=ON");
}

lp_err
catalog_postgres_format_name(const char *uri, char *out_name, size_t name_bytes)
{
    (void)uri;
    (void)out_name;
    (void)name_bytes;
    return catalog_postgres_check(NULL);
}

uint64_t
catalog_postgres_count_reconnects(void)
{
    return 0;
}

lp_err
catalog_postgres_open(
    const char *uri, catalog_db_use use, catalog **out_catalog, lp_problem *out_problem)
{
    (void)uri;
    (void)use;
    (void)out_catalog;
    return catalog_postgres_check(out_problem);
}
