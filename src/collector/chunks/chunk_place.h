// SPDX-License-Identifier: Apache-2.0

// chunk_place: where the chunks of a data directory are: in its files, or in an object store. Its
// file `store` names the object store; where there is none it is files. It is there so that nobody
// looks in the wrong place, and takes every chunk for lost.
//
// Threads: the one that opens the directory.
// Tests:   tests/unit/collector/chunks/test_chunk_place.c, tests/e2e/object_store.py

#ifndef LP_COLLECTOR_SERVER_CHUNK_PLACE_H
#define LP_COLLECTOR_SERVER_CHUNK_PLACE_H

#include "collector/journal/data_dir.h"
#include "collector/store/chunks/blobs.h"
#include "collector/store/s3/s3_client.h"
#include "common/base/lp_err.h"

// chunk_place_check returns LP_OK if the chunks of dir are, or will be, in the object store; NULL:
// in files. It names the store in dir, where no chunk is yet.
// Errors: LP_ELIMIT they are elsewhere; LP_EIO, LP_ENOMEM. out_problem has the reason
LP_MUST_USE lp_err chunk_place_check(
    const data_dir *dir, const s3_url *url, lp_problem *out_problem);

// chunk_place_get_config returns how the object store is asked, with its requests counted. url is
// borrowed no longer than that.
s3_client_config chunk_place_get_config(const s3_url *url);

// chunk_place_use has the chunks of a blobs in the object store, whose requests are counted.
// Errors: LP_ENOENT there are no credentials; LP_ENOMEM. out_problem has the reason
LP_MUST_USE lp_err chunk_place_use(blobs *of, const s3_url *url, lp_problem *out_problem);

#endif // LP_COLLECTOR_SERVER_CHUNK_PLACE_H
