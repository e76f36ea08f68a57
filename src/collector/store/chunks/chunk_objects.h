// SPDX-License-Identifier: Apache-2.0
// chunk_objects: stores chunks as objects in an S3 store, with the same bytes as the files of
// chunk_files.h. An object is PREFIX/packs/<name>.pack with several chunks (object_pack.h), or
// PREFIX/<session id>/<ordinal>.jfr.zst with one.
//
// Opening a chunk copies it to a file without a name, because readers read all of it. A thread
// deletes objects one after the other, because the loop must not wait. Up to
// CHUNK_OBJECTS_REMOVALS_MAX removals may be queued; further ones get LP_EAGAIN.
//
// Threads: as chunk_store.h
// Tests:   tests/unit/collector/store/test_chunk_store.c, tests/e2e/object_store.py

#pragma once

#include "collector/store/chunk_store.h"
#include "collector/store/s3/s3_client.h"
#include "common/base/lp_err.h"

enum { CHUNK_OBJECTS_REMOVALS_MAX = 256 };

// chunk_objects_open opens the driver without a request to the store. It borrows dir_fd, a
// directory for temporary files of chunks. Errors: LP_ENOENT if there are no credentials;
// LP_ENOMEM, also if the thread cannot start
LP_MUST_USE lp_err chunk_objects_open(
    const s3_client_config *config, int dir_fd, chunk_store **out_store, lp_problem *out_problem);
