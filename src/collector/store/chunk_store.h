// SPDX-License-Identifier: Apache-2.0
// chunk_store: the interface of a driver that stores compacted chunks: in files (chunk_files.h) or
// in an object store (chunk_objects.h). Callers use blobs.h.
//
// A driver stores packed chunks (blob_pack.h) by session and ordinal. It does not depend on the
// catalog. When put returns, the chunk is on the disk, or in the object store.
//
//   operation               threads                       longest wait for a network
//   check                   any                           none
//   put                     compaction                    CHUNK_STORE_CALL_MS_MAX
//   open                    queries, downloads; HTTP,     CHUNK_STORE_CALL_MS_MAX
//                           if is_remote is false
//   has                     HTTP                          none
//   remove, remove_session  the loop                      none: LP_EAGAIN
//   objects.put             compaction                    CHUNK_STORE_CALL_MS_MAX, plus 1 ms for
//                                                         each CHUNK_STORE_BYTES_PER_MS
//   objects.get             compaction                    CHUNK_STORE_CALL_MS_MAX
//   objects.list            compaction                    CHUNK_STORE_CALL_MS_MAX for each page
//   objects.remove          the loop                      none: LP_EAGAIN
//   interrupt               the loop                      none
//
// Threads: as in the table; interrupt is called once, close last.
// Tests:   tests/unit/collector/store/test_chunk_store.c

#pragma once

#include "collector/store/blob.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CHUNK_STORE_CALL_MS_MAX = 60 * 1000, // all tries of a call together
    // 1 Mbit/s: the time for a put grows with the object, because a large one could otherwise never
    // succeed.
    CHUNK_STORE_BYTES_PER_MS = 128,
    CHUNK_STORE_END_MS = 3000, // until a call ends after interrupt
};

typedef struct chunk_store chunk_store;

// The functions of a driver that stores several chunks in an object (object_pack.h). A driver has
// all or none.
typedef struct chunk_store_objects {
    // Stores the first size_bytes of a file, whose footer begins at footer_at, as a new object.
    // Returns LP_OK also if an earlier call stored the same file. Errors: LP_EIO with errno, EEXIST
    // if another object has the name; LP_ENOMEM
    lp_err (*put)(
        chunk_store *store, const char *object, int fd, uint64_t size_bytes, uint64_t footer_at);

    // Copies an object to an empty file. Errors: as chunk_store_ops.open
    lp_err (*get)(chunk_store *store, const char *object, int to_fd);

    // Calls on_object for the name of each object. on_object must not call the store. Errors:
    // LP_EIO with errno; LP_ENOMEM; as on_object
    lp_err (*list)(
        chunk_store *store, lp_err (*on_object)(void *arg, const char *object), void *arg);

    // Removes an object, as chunk_store_ops.remove removes a chunk.
    lp_err (*remove)(chunk_store *store, const char *object);
} chunk_store_objects;

// Session ids are valid: safe as part of a path.
typedef struct chunk_store_ops {
    bool is_remote; // behind a network: see the table

    // Returns the name for messages, borrowed until close.
    const char *(*get_name)(const chunk_store *store);

    // Returns LP_OK unless a put is known to fail now. Call it before expensive work for a put.
    // NULL: only a put finds out. Errors: LP_EIO with errno
    lp_err (*check)(chunk_store *store);

    // Packs and stores a chunk, completely or not at all. It replaces an earlier version, which
    // stays readable while it is open. Errors: LP_EIO with errno: a retry is safe; LP_ENOMEM
    lp_err (*put)(chunk_store *store, const char *session_id, uint32_t ordinal, lp_slice bytes,
        uint64_t *out_stored_bytes);

    // Stores a further edition (blob.h) beside the others, as put does. NULL if the driver has
    // objects: blobs.h stores an object.
    lp_err (*put_edition)(chunk_store *store, const char *session_id, uint32_t ordinal,
        uint64_t edition, lp_slice bytes, uint64_t *out_stored_bytes);

    // Opens a chunk as a file (blob_pack.h), which does not change even if the chunk is removed.
    // The caller closes *out_fd. Errors: LP_ENOENT if the chunk certainly does not exist; LP_EIO
    // with errno, which is never EIO for a network problem; LP_ENOMEM
    lp_err (*open)(chunk_store *store, const blob_name *name, int *out_fd);

    // Returns whether an edition of a chunk exists and its stored size is stored_bytes. Returns
    // true if it would have to wait for the answer.
    bool (*has)(
        chunk_store *store, const char *session_id, uint32_t ordinal, uint64_t stored_bytes);

    // The next two functions remove a chunk, with all editions, or all chunks of a session, if they
    // exist. Errors:
    // LP_EAGAIN if the removal continues in the background: call again for its result; LP_EIO with
    // errno
    lp_err (*remove)(chunk_store *store, const char *session_id, uint32_t ordinal);
    lp_err (*remove_session)(chunk_store *store, const char *session_id);

    // Ends all calls within CHUNK_STORE_END_MS, including later ones. NULL: calls never wait for
    // long.
    void (*interrupt)(chunk_store *store);

    void (*close)(chunk_store *store);

    const chunk_store_objects *objects; // NULL: each chunk is stored by itself
} chunk_store_ops;

// Each driver's object begins with this.
struct chunk_store {
    const chunk_store_ops *ops;
};
