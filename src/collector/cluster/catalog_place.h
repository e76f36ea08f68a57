// SPDX-License-Identifier: Apache-2.0

// catalog_place: where the catalog of a data directory is: in its file catalog.db, or in
// PostgreSQL. The directory's file `catalog` names the database; without that file, the catalog is
// catalog.db. The file `catalog` prevents a start with another catalog, which would treat all data
// of the directory as unknown, or all data of the catalog as lost.
//
// Threads: the one that opens the directory.
// Tests:   tests/unit/collector/cluster/test_catalog_place.c, tests/e2e/postgres.py

#pragma once

#include "collector/journal/data_dir.h"
#include "common/base/lp_err.h"

#include <stdbool.h>

// catalog_place_check returns LP_OK if the catalog of dir is at place, a URI of PostgreSQL, or in
// its file if place is NULL. A directory without a catalog accepts any place. Changes nothing.
// Errors: LP_ELIMIT it is elsewhere; LP_ECORRUPT, LP_EIO, LP_ENOMEM. out_problem has the reason
LP_MUST_USE lp_err catalog_place_check(
    const data_dir *dir, const char *place, lp_problem *out_problem);

// catalog_place_begin writes the place to dir, after catalog_place_check, unless dir names it
// already. has_others: the catalog has recordings whose chunks are files of another directory; a
// directory new to the catalog is refused then. Errors: LP_ELIMIT; LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err catalog_place_begin(
    const data_dir *dir, const char *place, bool has_others, lp_problem *out_problem);
