// SPDX-License-Identifier: Apache-2.0
// chunk_store: where the compacted chunks are: in files (chunk_files.h) or in an object store
// (chunk_objects.h). blobs.h is for those who store and read; this is for who writes a driver.
//
// A driver stores packed chunks (blob_pack.h) by session and ordinal, and knows nothing of the
// catalog. Its bytes are on the disk, or in the object store, before put returns.
//
// Who calls what, and what may wait for a network:
//
//   operation               thread                            may wait
//   check                   any                               no
//   put                     those that compact                CHUNK_STORE_CALL_MS_MAX
//   open                    those that answer questions and   CHUNK_STORE_CALL_MS_MAX
//                           gather downloads; with a driver
//                           that is not remote those of HTTP
//                           as well
//   has                     those of HTTP                     no
//   remove, remove_session  the loop                          no: LP_EAGAIN
//   objects.put, .get       those that compact                the same, and a put a millisecond for
//                                                             each CHUNK_STORE_BYTES_PER_MS more
//   objects.list            those that compact                the same for each page
//   objects.remove          the loop                          no: LP_EAGAIN
//   interrupt               the loop                          no
//
// Threads: any thread, as the table says; interrupt once, close last.
// Tests:   tests/unit/collector/store/test_chunk_store.c

#ifndef LP_COLLECTOR_STORE_CHUNK_STORE_H
#define LP_COLLECTOR_STORE_CHUNK_STORE_H

#include "collector/store/blob.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    // What a call that waits for a network takes at most, all of its tries together.
    CHUNK_STORE_CALL_MS_MAX = 60 * 1000,
    // What is stored may take longer, as much as a line of 1 Mbit/s does: else an object that is
    // too large for it would be tried for ever.
    CHUNK_STORE_BYTES_PER_MS = 128,
};

typedef struct chunk_store chunk_store;

// What a driver does that can have several chunks in an object (object_pack.h). All are required.
typedef struct chunk_store_objects {
    // Stores the first size_bytes of a file, the footer of which begins at footer_at, as an object
    // that is not there yet. LP_OK also where it is there, by an earlier call with the same file.
    // Errors: LP_EIO with errno, EEXIST: another object has the name; LP_ENOMEM
    lp_err (*put)(
        chunk_store *store, const char *object, int fd, uint64_t size_bytes, uint64_t footer_at);

    // Copies an object to a file, which is empty. Errors: as chunk_store_ops.open
    lp_err (*get)(chunk_store *store, const char *object, int to_fd);

    // Calls on_object for the name of each object that there is. It must not call the store.
    // Errors: LP_EIO with errno; LP_ENOMEM; what on_object returns
    lp_err (*list)(
        chunk_store *store, lp_err (*on_object)(void *arg, const char *object), void *arg);

    // As chunk_store_ops.remove.
    lp_err (*remove)(chunk_store *store, const char *object);
} chunk_store_objects;

// All are required, but for objects. Session ids have been checked: they are no path.
typedef struct chunk_store_ops {
    // Whether it is behind a network: see the table.
    bool is_remote;

    // What it is called in messages; borrowed until close.
    const char *(*get_name)(const chunk_store *store);

    // LP_OK unless it is known that a put would fail now: who would do much for one asks before.
    // Errors: LP_EIO with errno
    lp_err (*check)(chunk_store *store);

    // Packs and stores a chunk, replacing an older one, which stays readable for those that have
    // it open. It is there, and whole, or not at all.
    // Errors: LP_EIO with errno: once more is safe; LP_ENOMEM
    lp_err (*put)(chunk_store *store, const char *session_id, uint32_t ordinal, lp_slice bytes,
        uint64_t *out_stored_bytes);

    // Opens a chunk as a file that stays as it is, whatever becomes of the chunk, a blob_pack; the
    // caller closes it.
    // Errors: LP_ENOENT, if that is certain; LP_EIO with errno, never EIO for a network; LP_ENOMEM
    lp_err (*open)(chunk_store *store, const blob_name *name, int *out_fd);

    // Whether a chunk is there, and has so many bytes; true where that is not known at once.
    bool (*has)(
        chunk_store *store, const char *session_id, uint32_t ordinal, uint64_t stored_bytes);

    // Remove a chunk, or all of a session. What is not there is fine.
    // Errors: LP_EAGAIN it goes on by itself: ask again, some time later, how it ended; LP_EIO with
    //         errno
    lp_err (*remove)(chunk_store *store, const char *session_id, uint32_t ordinal);
    lp_err (*remove_session)(chunk_store *store, const char *session_id);

    // Ends all waiting: calls that are under way have CHUNK_STORE_CALL_MS_MAX no more, but
    // CHUNK_STORE_END_MS.
    void (*interrupt)(chunk_store *store);

    void (*close)(chunk_store *store);

    const chunk_store_objects *objects; // NULL: each chunk is stored by itself
} chunk_store_ops;

enum { CHUNK_STORE_END_MS = 3000 };

// A driver's object begins with this.
struct chunk_store {
    const chunk_store_ops *ops;
};

#endif // LP_COLLECTOR_STORE_CHUNK_STORE_H
