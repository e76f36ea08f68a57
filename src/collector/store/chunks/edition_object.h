// SPDX-License-Identifier: Apache-2.0
// edition_object: stores a further edition of a chunk (blob.h) as an object of its own, in the form
// of objects with several chunks (object_pack.h). It begins with as many zero bytes as the edition
// has number, so the chunk's place in the object says which edition it is.
//
// An object that the catalog does not name is deleted like other orphans (pack_sweep.h).
//
// Threads: any thread.
// Tests:   tests/unit/collector/store/test_chunk_store.c

#pragma once

#include "collector/store/chunk_store.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

// edition_object_put packs and stores the bytes of a chunk in a store that has objects. name has
// all but stored_bytes and place.object, which the function sets; name->place.offset is the
// edition. dir_fd is a directory for a temporary file. Errors: LP_EIO with errno: a retry stores
// another object; LP_ENOMEM
LP_MUST_USE lp_err edition_object_put(chunk_store *to, int dir_fd, lp_slice bytes, blob_name *name);
