// SPDX-License-Identifier: Apache-2.0

// place_mark: a file of the data directory with one line that names where data is stored outside
// the directory: the chunks, the catalog or the log. The collector refuses to start with another
// place.
//
// Threads: any; one at a time for a file.
// Tests:   tests/unit/collector/chunks/test_chunk_place.c, test_catalog_place.c

#pragma once

#include "common/base/lp_err.h"

enum { PLACE_MARK_BYTES = 1024 };

// place_mark_read reads the name of the place; "" if there is no file. Errors: LP_EIO with errno
LP_MUST_USE lp_err place_mark_read(const char *path, char out_name[PLACE_MARK_BYTES]);

// place_mark_write replaces the file atomically and syncs it. Errors: LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err place_mark_write(const char *path, const char *name);
