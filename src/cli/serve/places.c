// SPDX-License-Identifier: Apache-2.0
#include "cli/serve/places.h"

#include "collector/store/catalog/catalog.h"
#include "collector/store/catalog/postgres/catalog_postgres.h"

#include <stdlib.h>

lp_err
places_read_store(const char *text, s3_url *out_url, lp_problem *out_problem)
{
    const char *region = getenv("AWS_REGION");
    region = region == NULL || region[0] == '\0' ? getenv("AWS_DEFAULT_REGION") : region;
    lp_problem problem;
    lp_err err =
        s3_url_parse(text, region == NULL || region[0] == '\0' ? NULL : region, out_url, &problem);
    return err == LP_OK ? LP_OK : lp_problem_set(out_problem, err, "--store: %s", problem.text);
}

lp_err
places_check_catalog(const char *place, lp_problem *out_problem)
{
    if (catalog_is_file(place)) {
        return lp_problem_set(
            out_problem, LP_ECORRUPT, "--catalog: must begin with postgres:// or postgresql://");
    }
    lp_problem problem;
    lp_err err = catalog_postgres_check(&problem);
    return err == LP_OK ? LP_OK : lp_problem_set(out_problem, err, "--catalog: %s", problem.text);
}
