// SPDX-License-Identifier: Apache-2.0
// blobs: stores the compacted chunks (blob_pack.h), in files (chunk_files.h) or in an object store
// (chunk_objects.h). An object has one chunk, or several (object_pack.h). The Hello of
// each session (proto/loupe.proto) is always in a file, DIR/<session id>/session.pb, from which a
// lost catalog can be rebuilt.
//
// Durability: a chunk is complete or absent even after a power cut, because its file has a
// temporary name until the bytes are on the disk. When blobs_put returns, the final name is on the
// disk, too. After blobs_set_durable(false) nothing waits for the disk: a power cut may delete,
// empty or truncate the files of the last seconds.
//
// Threads: any thread; one writer for each chunk. A reader belongs to one thread at a time.

#pragma once

#include "collector/store/blob.h"
#include "collector/store/chunk_store.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stdint.h>

enum { BLOBS_SESSION_ID_CHARS = 32 };

typedef struct blobs blobs;

// blobs_open creates dir if it is missing; its parent must exist. Errors: LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err blobs_open(const char *dir, blobs **out_blobs, lp_problem *out_problem);
void blobs_close(blobs *blobs);

// blobs_take_chunk_store makes blobs store chunks with this driver, and not in the files of dir.
// Takes ownership of the driver. Call it before other threads use blobs.
void blobs_take_chunk_store(blobs *blobs, chunk_store *chunks);

// blobs_is_remote returns whether storing and reading chunks wait for a network (chunk_store.h).
bool blobs_is_remote(const blobs *blobs);

// blobs_check returns LP_OK unless blobs_put is known to fail now. Errors: LP_EIO with errno
LP_MUST_USE lp_err blobs_check(blobs *blobs);

// blobs_interrupt ends calls that wait for a network, including later ones, within
// CHUNK_STORE_END_MS.
void blobs_interrupt(blobs *blobs);

// blobs_set_durable sets whether writes of files wait for the disk; the default is true. Call it
// before other threads use blobs.
void blobs_set_durable(blobs *blobs, bool is_durable);

// blobs_set_on_lost sets a callback for each read that finds a chunk of the catalog missing or
// damaged. It is called on any thread. Call blobs_set_on_lost before other threads use blobs.
void blobs_set_on_lost(
    blobs *blobs, void (*on_lost)(void *arg, const char *session_id, uint32_t ordinal), void *arg);

// blobs_hash returns the content hash of a chunk (XXH3, 64 bits) for the catalog. All builds
// compute the same hash, so a download's ETag survives an upgrade.
uint64_t blobs_hash(lp_slice bytes);

typedef struct blobs_stored {
    uint64_t content_hash; // blobs_hash of the chunk
    uint64_t stored_bytes; // of its file, or object
} blobs_stored;

// blobs_put packs and stores a chunk. It replaces an earlier version, which stays readable while it
// is open. out_stored may be NULL. Errors: LP_ECORRUPT if the session id is invalid; LP_EIO with
// errno: a retry is safe; LP_ENOMEM
LP_MUST_USE lp_err blobs_put(blobs *blobs, const char *session_id, uint32_t ordinal, lp_slice bytes,
    blobs_stored *out_stored);

// blobs_put_edition packs and stores a further edition of a chunk (blob.h), beside the others. name
// has the session, the ordinal, and the edition as its place.offset; the function sets the rest.
// Errors: as blobs_put
LP_MUST_USE lp_err blobs_put_edition(blobs *blobs, lp_slice bytes, blob_name *name);

// blobs_put_hello stores the packed Hello of a session. Errors: as blobs_put
LP_MUST_USE lp_err blobs_put_hello(blobs *blobs, const char *session_id, lp_slice hello);

// blobs_open_chunk opens a chunk for reading; the caller closes it with blob_close.
// Errors: LP_ENOENT, also for an invalid session id; as blob_open
LP_MUST_USE lp_err blobs_open_chunk(blobs *blobs, const blob_name *name, blob **out_blob);

// blobs_has_chunk returns whether a chunk exists. If the chunk is a regular file, its size must be
// stored_bytes. Returns true if the answer is unknown.
bool blobs_has_chunk(blobs *blobs, const char *session_id, uint32_t ordinal, uint64_t stored_bytes);

// A reader of a blob calls blobs_note_failure with the error that it got. The function calls
// on_lost if the chunk is missing, or if err points to the chunk's file or disk and a second read
// confirms it. For LP_EIO, errno must be set; the function preserves it.
void blobs_note_failure(blobs *blobs, const blob_name *name, lp_err err);

// blobs_verify reads a whole chunk to check it, and never calls on_lost. Errors: as
// blobs_read_chunk; LP_EIO with errno
LP_MUST_USE lp_err blobs_verify(const blobs *blobs, const blob_name *name);

// blobs_read_chunk reads a whole chunk into out_bytes, which must be empty. Errors: LP_ENOENT;
// LP_ECORRUPT if its size or content differs from the catalog's; LP_EIO; LP_ENOMEM
LP_MUST_USE lp_err blobs_read_chunk(blobs *blobs, const blob_name *name, lp_buf *out_bytes);

// blobs_read_opened is blobs_read_chunk for an open chunk, which it closes.
LP_MUST_USE lp_err blobs_read_opened(
    blobs *blobs, const blob_name *name, blob *chunk, lp_buf *out_bytes);

// blobs_get_directory returns the descriptor of dir, for temporary files; borrowed until
// blobs_close.
int blobs_get_directory(const blobs *blobs);

// blobs_get_name returns the path of dir, or the object store's URL without parameters; borrowed
// until blobs_close.
const char *blobs_get_name(const blobs *blobs);

// A reader protects chunks from removal while they are read. Begin it before listing the chunks,
// and end it after the last read. {0}: not reading.
typedef struct blobs_reader {
    struct blobs_reader *next;
    blobs *of;                                   // NULL: not reading
    char session_id[BLOBS_SESSION_ID_CHARS + 1]; // of its chunks; "": any
    uint64_t number;                             // the moment of its begin
} blobs_reader;

// blobs_reader_begin begins a reader, which must not move until blobs_reader_end. If session_id is
// NULL, it may read all chunks.
void blobs_reader_begin(blobs_reader *reader, blobs *blobs, const char *session_id);

// blobs_reader_end ends a reader. {0} is fine.
void blobs_reader_end(blobs_reader *reader);

// blobs_get_moment returns the present moment. All existing readers began before it.
uint64_t blobs_get_moment(blobs *blobs);

// blobs_is_read returns whether a reader that began before the moment may read chunks of the
// session; NULL: of any session.
bool blobs_is_read(blobs *blobs, const char *session_id, uint64_t moment);

// blobs_remove removes a chunk if it exists. Errors: LP_EAGAIN if the removal continues in the
// background: a later call returns its result; LP_EIO with errno
LP_MUST_USE lp_err blobs_remove(blobs *blobs, const char *session_id, uint32_t ordinal);

// blobs_remove_session removes all chunks of a session and its Hello. Errors: as blobs_remove
LP_MUST_USE lp_err blobs_remove_session(blobs *blobs, const char *session_id);

// blobs_has_objects returns whether an object can hold several chunks. Only then may the next four
// functions be called. They call the functions of chunk_store_objects.
bool blobs_has_objects(const blobs *blobs);
LP_MUST_USE lp_err blobs_put_object(
    blobs *blobs, const char *object, int fd, uint64_t size_bytes, uint64_t footer_at);
LP_MUST_USE lp_err blobs_get_object(blobs *blobs, const char *object, int to_fd);
LP_MUST_USE lp_err blobs_list_objects(
    blobs *blobs, lp_err (*on_object)(void *arg, const char *object), void *arg);
LP_MUST_USE lp_err blobs_remove_object(blobs *blobs, const char *object);

// blobs_make_file creates a file without a name. It is deleted when the caller closes *out_fd.
// Errors: LP_EIO with errno
LP_MUST_USE lp_err blobs_make_file(const blobs *blobs, int *out_fd);

// blobs_sync_names syncs the directory of a session, which may be missing, and its parent. Errors:
// LP_EIO with errno
LP_MUST_USE lp_err blobs_sync_names(blobs *blobs, const char *session_id);

// blobs_spill writes bytes to a new file of blobs_make_file. Use it for content that is too large
// to stay in memory while it is sent to a slow reader. Errors: LP_EIO
LP_MUST_USE lp_err blobs_spill(blobs *blobs, lp_slice bytes, int *out_fd);
