// SPDX-License-Identifier: Apache-2.0

// data_place: where the catalog and the batches of a data directory are. Files of the directory say
// it, so that a start with another --catalog or --journal does no harm:
//
//   catalog   names the database in PostgreSQL; without that file, the catalog is the file
//             catalog.db. With another catalog, all data of the directory would be unknown, or all
//             data of the catalog lost.
//   log       names the log whose scratch files the journals are; without that file, they are the
//             only copy of their batches. A mistake would delete that copy, or take scratch files
//             for it.
//
// Threads: the one that opens the directory, before any journal is read.
// Tests:   tests/unit/collector/cluster/test_catalog_place.c, test_log_place.c,
//          tests/e2e/postgres.py

#pragma once

#include "collector/cluster/log_url.h"
#include "collector/journal/data_dir.h"
#include "common/base/lp_err.h"

#include <stdbool.h>

// data_place_check_catalog returns LP_OK if the catalog of dir is at place, a URI of PostgreSQL, or
// in its file if place is NULL. A directory without a catalog accepts any place. Changes nothing.
// Errors: LP_ELIMIT it is elsewhere; LP_ECORRUPT, LP_EIO, LP_ENOMEM. out_problem has the reason
LP_MUST_USE lp_err data_place_check_catalog(
    const data_dir *dir, const char *place, lp_problem *out_problem);

// data_place_begin_catalog writes the place to dir, after data_place_check_catalog, unless dir
// names it already. has_others: the catalog has recordings whose chunks are files of another
// directory; a directory new to the catalog is refused then. Errors: LP_ELIMIT; LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err data_place_begin_catalog(
    const data_dir *dir, const char *place, bool has_others, lp_problem *out_problem);

// data_place_begin_log writes the log's name to a dir without journals. If dir has this name
// already, it deletes the journals of earlier runs instead. If url is NULL, it only checks that dir
// belongs to no log. Errors: LP_ELIMIT dir belongs to another log (to any log if url is NULL), or
// has journals and no log; LP_EIO, LP_ENOMEM. out_problem has the reason
LP_MUST_USE lp_err data_place_begin_log(
    const data_dir *dir, const log_url *url, lp_problem *out_problem);
