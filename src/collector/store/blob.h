// SPDX-License-Identifier: Apache-2.0
// blob: a stored chunk that is open for reading. If it is read in order, the read of the last bytes
// fails unless the whole content has the catalog's hash: so a reader notices any damage. Reading
// from another offset unpacks everything before it.
//
// An open chunk stays readable after it is removed or replaced.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/store/chunks/test_blobs.c
// Memory:  a blob_unpacker, from the first blob_read on

#pragma once

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"

#include <stddef.h>
#include <stdint.h>

typedef struct blob blob;

enum { BLOB_OBJECT_CHARS = 36 }; // the name of an object with several chunks (object_pack.h)

// The place of a chunk in an object. {""}: the chunk has a file, or an object of its own. A small
// offset says in which edition it is stored: as it was compacted first, with all events, or with
// what some pins want besides; of these a later one has all that an earlier one has. An edition has
// a file or an object (blobs.h) of its own that is never written again, so that readers of
// an earlier one go on.
typedef struct blob_place {
    char object[BLOB_OBJECT_CHARS + 1];
    uint64_t offset;
} blob_place;

// The editions. No packed chunk has so few bytes: the second one of an object is behind them.
enum {
    BLOB_EDITION_FIRST,
    BLOB_EDITION_ALL,
    BLOB_EDITION_PART, // the first of those with a part of the dropped events
    BLOB_EDITION_PART_LAST = BLOB_EDITION_PART + 3,
    BLOB_EDITIONS,
};

// blob_place_get_edition returns the edition of a chunk in an object.
static inline uint64_t
blob_place_get_edition(const blob_place *place)
{
    return place->offset < BLOB_EDITIONS ? place->offset : (uint64_t)BLOB_EDITION_FIRST;
}

// blob_edition_has_more returns whether an edition has all of another one, and more.
static inline bool
blob_edition_has_more(uint64_t edition, uint64_t than)
{
    return than != BLOB_EDITION_ALL && (edition == BLOB_EDITION_ALL || edition > than);
}

// A chunk, as the catalog describes it.
typedef struct blob_name {
    const char *session_id;
    uint32_t ordinal;
    uint64_t size_bytes; // unpacked
    uint64_t content_hash;
    uint64_t stored_bytes; // packed; used only if place has an object
    blob_place place;
} blob_name;

// blob_open opens a chunk from its file (blob_pack.h). Takes ownership of fd, even if it fails.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err blob_open(int fd, const blob_name *name, blob **out_blob);

// blob_close closes the file. NULL is fine.
void blob_close(blob *blob);

// blob_read reads size_bytes (at least 1) at offset. The chunk must have these bytes.
// Errors: LP_ECORRUPT if the content does not match the catalog; LP_EIO with errno; LP_ENOMEM
LP_MUST_USE lp_err blob_read(blob *blob, uint64_t offset, void *out, size_t size_bytes);
