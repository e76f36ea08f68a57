// SPDX-License-Identifier: Apache-2.0
// chunk_objects: chunks as objects in a store that speaks S3: PREFIX/packs/<name>.pack has many of
// them (object_pack.h), PREFIX/<session id>/<ordinal>.jfr.zst one; in both the same bytes as the
// files of chunk_files.h.
//
// A chunk is opened by copying it into a file without a name, as whoever reads one reads all of it.
// Objects are deleted one after the other by a thread of its own, as the loop does not wait;
// CHUNK_OBJECTS_REMOVALS_MAX may wait for it, and others get LP_EAGAIN as well, until there is
// room.
//
// Threads: as chunk_store.h
// Tests:   tests/unit/collector/store/test_chunk_store.c, tests/e2e/object_store.py

#ifndef LP_COLLECTOR_STORE_CHUNK_OBJECTS_H
#define LP_COLLECTOR_STORE_CHUNK_OBJECTS_H

#include "collector/store/chunk_store.h"
#include "collector/store/s3/s3_client.h"
#include "common/base/lp_err.h"

enum { CHUNK_OBJECTS_REMOVALS_MAX = 256 };

// chunk_objects_open asks the store nothing yet. dir_fd is a directory with room for chunks that
// are written or read, and borrowed until it is closed.
// Errors: LP_ENOENT there are no credentials; LP_ENOMEM, for a thread as well
LP_MUST_USE lp_err chunk_objects_open(
    const s3_client_config *config, int dir_fd, chunk_store **out_store, lp_problem *out_problem);

#endif // LP_COLLECTOR_STORE_CHUNK_OBJECTS_H
