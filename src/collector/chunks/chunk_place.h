// SPDX-License-Identifier: Apache-2.0

// chunk_place: where the chunks of a data directory are: in its files, or in an object store. The
// directory's file `store` names the object store; without that file the chunks are files. The file
// `store` keeps a collector from looking in the wrong place and counting every chunk as lost.
//
// Threads: the one that opens the directory.
// Tests:   tests/unit/collector/chunks/test_chunk_place.c, tests/e2e/object_store.py

#pragma once

#include "collector/journal/data_dir.h"
#include "collector/store/chunks/blobs.h"
#include "collector/store/s3/s3_client.h"
#include "common/base/lp_err.h"

// chunk_place_check returns LP_OK if the chunks of dir are, or will be, in the object store of url,
// or in files if url is NULL. It writes the store's name to a dir without chunks.
// Errors: LP_ELIMIT they are elsewhere; LP_EIO, LP_ENOMEM. out_problem has the reason
LP_MUST_USE lp_err chunk_place_check(
    const data_dir *dir, const s3_url *url, lp_problem *out_problem);

// chunk_place_get_config returns the configuration of an object store's client, with its requests
// counted. It borrows url.
s3_client_config chunk_place_get_config(const s3_url *url);

// chunk_place_use makes the object store the place for the chunks of a blobs, and counts the
// requests.
// Errors: LP_ENOENT there are no credentials; LP_ENOMEM. out_problem has the reason
LP_MUST_USE lp_err chunk_place_use(blobs *of, const s3_url *url, lp_problem *out_problem);
