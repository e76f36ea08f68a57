// SPDX-License-Identifier: Apache-2.0

// catalog_place: where the catalog of a data directory is: in its file catalog.db, or in
// PostgreSQL. Its file `catalog` names that database; where there is none it is the file. It is
// there so that a start with another catalog does not take all that the directory has for unknown,
// or all that the catalog has for lost.
//
// Threads: the one that opens the directory.
// Tests:   tests/unit/collector/cluster/test_catalog_place.c, tests/e2e/postgres.py

#ifndef LP_COLLECTOR_SERVER_CATALOG_PLACE_H
#define LP_COLLECTOR_SERVER_CATALOG_PLACE_H

#include "collector/journal/data_dir.h"
#include "common/base/lp_err.h"

#include <stdbool.h>

// catalog_place_check returns LP_OK if the catalog of dir is at a place of PostgreSQL's; NULL: in
// its file. Of a directory that has no catalog yet it may be at any. It changes nothing.
// Errors: LP_ELIMIT it is elsewhere; LP_ECORRUPT, LP_EIO, LP_ENOMEM. out_problem has the reason
LP_MUST_USE lp_err catalog_place_check(
    const data_dir *dir, const char *place, lp_problem *out_problem);

// catalog_place_begin names the place in dir, after catalog_place_check, if it is not named there.
// has_others: the catalog has recordings whose chunks are in the files of their own directory,
// which this one, new to it, cannot be. Errors: LP_ELIMIT; LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err catalog_place_begin(
    const data_dir *dir, const char *place, bool has_others, lp_problem *out_problem);

#endif // LP_COLLECTOR_SERVER_CATALOG_PLACE_H
