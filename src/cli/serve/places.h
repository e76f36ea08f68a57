// SPDX-License-Identifier: Apache-2.0
// places: the options --store and --catalog, which locate a collector's data.
//
// Threads: one thread at a time.
// Tests:   tests/e2e/object_store.py, tests/e2e/postgres.py

#pragma once

#include "collector/store/s3/s3_url.h"
#include "common/base/lp_err.h"

// places_read_store reads --store; the region may come from the environment. Errors: as
// s3_url_parse
LP_MUST_USE lp_err places_read_store(const char *text, s3_url *out_url, lp_problem *out_problem);

// places_check_catalog rejects a path as --catalog: the catalog's file is in --data. The message
// does not repeat the value, as it may be a URI with a password. Errors: LP_ECORRUPT
LP_MUST_USE lp_err places_check_catalog(const char *place, lp_problem *out_problem);
