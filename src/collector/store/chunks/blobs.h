// SPDX-License-Identifier: Apache-2.0
// blobs: the compacted chunks (blob_pack.h), in files (chunk_files.h) or in an object store
// (chunk_objects.h), alone or with others in an object (object_pack.h), and in files in any case
// what their session is called, DIR/<session id>/session.pb: the Hello of its agent
// (proto/loupe.proto), by which a catalog that is lost can be made again.
//
// Durability: a chunk is complete or absent whatever happens, a power cut included: a file is
// written under a temporary name, which becomes its own once the bytes are on the disk. When
// blobs_put returns, the name is there, too, so a row that is written afterwards finds its chunk.
// Without blobs_set_durable(true) nothing waits for the disk, and a power cut may take the files of
// the last seconds with it, or leave them empty or cut short.
//
// Threads: any thread; one writer a chunk at a time. A reader belongs to one thread at a time.

#ifndef LP_COLLECTOR_STORE_BLOBS_H
#define LP_COLLECTOR_STORE_BLOBS_H

#include "collector/store/blob.h"
#include "collector/store/chunk_store.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stdint.h>

enum { BLOBS_SESSION_ID_CHARS = 32 };

typedef struct blobs blobs;

// blobs_open makes dir if it is missing (its parent must be there). Errors: LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err blobs_open(const char *dir, blobs **out_blobs, lp_problem *out_problem);
void blobs_close(blobs *blobs);

// blobs_take_chunk_store has the chunks elsewhere than in files of dir, and closes chunks with
// blobs_close. Before any other thread knows of blobs.
void blobs_take_chunk_store(blobs *blobs, chunk_store *chunks);

// blobs_is_remote returns whether blobs_put and reading a chunk wait for a network: nobody whose
// thread has something else to do calls these then (chunk_store.h).
bool blobs_is_remote(const blobs *blobs);

// blobs_check returns LP_OK unless it is known that blobs_put would fail now. Errors: LP_EIO with
// errno
LP_MUST_USE lp_err blobs_check(blobs *blobs);

// blobs_interrupt has calls that wait for a network end soon, from now on (CHUNK_STORE_END_MS).
void blobs_interrupt(blobs *blobs);

// blobs_set_durable chooses whether what is written to files waits for the disk, as it does at
// first. Before any other thread knows of blobs.
void blobs_set_durable(blobs *blobs, bool is_durable);

// blobs_set_on_lost chooses what is called, on any thread, when a chunk of the catalog's turns out
// to be missing or damaged, each time that it does. Before any other thread knows of blobs.
void blobs_set_on_lost(
    blobs *blobs, void (*on_lost)(void *arg, const char *session_id, uint32_t ordinal), void *arg);

// blobs_hash is the content hash of a chunk (XXH3, 64 bits), as kept in the catalog: equal content
// has equal hashes in every build, so that a download's ETag survives a restart.
uint64_t blobs_hash(lp_slice bytes);

typedef struct blobs_stored {
    uint64_t content_hash; // blobs_hash of the chunk
    uint64_t stored_bytes; // of its file, or object
} blobs_stored;

// blobs_put packs and writes the chunk, replacing an older one, which stays readable for those that
// have it open. out_stored may be NULL.
// Errors: LP_ECORRUPT for a session id that is none; LP_EIO with errno, also where the disk did not
//         take it: writing it once more is safe, as nothing of the failed try is used; LP_ENOMEM
LP_MUST_USE lp_err blobs_put(blobs *blobs, const char *session_id, uint32_t ordinal, lp_slice bytes,
    blobs_stored *out_stored);

// blobs_put_hello writes the packed Hello of a session, as blobs_put does a chunk. Errors: the same
LP_MUST_USE lp_err blobs_put_hello(blobs *blobs, const char *session_id, lp_slice hello);

// blobs_open_chunk opens a chunk for reading; the caller ends it with blob_close.
// Errors: LP_ENOENT (also for a session id that is none); as blob_open
LP_MUST_USE lp_err blobs_open_chunk(blobs *blobs, const blob_name *name, blob **out_blob);

// blobs_has_chunk returns whether the file of a chunk is there, and has stored_bytes if it is a
// regular one; true where that cannot be found out.
bool blobs_has_chunk(blobs *blobs, const char *session_id, uint32_t ordinal, uint64_t stored_bytes);

// blobs_note_failure is for who reads a blob: it has on_lost called where err says that the chunk
// is lost, and a second reading says so too; errno is that of an LP_EIO, and stays. What has
// nothing to do with the file, as a lack of memory or descriptors, says nothing.
void blobs_note_failure(blobs *blobs, const blob_name *name, lp_err err);

// blobs_verify reads a chunk to its end, block by block, without telling anybody what it finds.
// Errors: as blobs_read_chunk; LP_EIO with errno
LP_MUST_USE lp_err blobs_verify(const blobs *blobs, const blob_name *name);

// blobs_read_chunk reads a chunk into out_bytes, which is empty.
// Errors: LP_ENOENT; LP_ECORRUPT it has another size or content; LP_EIO; LP_ENOMEM
LP_MUST_USE lp_err blobs_read_chunk(blobs *blobs, const blob_name *name, lp_buf *out_bytes);

// blobs_get_directory returns a descriptor of the directory, which has room for what does not fit
// into memory; borrowed until blobs_close.
int blobs_get_directory(const blobs *blobs);

// blobs_get_name returns what the place of the chunks is called: the directory's path, or the
// URL of an object store without its parameters. Borrowed until blobs_close.
const char *blobs_get_name(const blobs *blobs);

// Who lists chunks and reads them one after the other is a reader from before the list is made
// until the last one is read; so none of them is removed meanwhile. {0} is none.
typedef struct blobs_reader {
    struct blobs_reader *next;
    blobs *of;                                   // NULL: it does not read
    char session_id[BLOBS_SESSION_ID_CHARS + 1]; // whose chunks; "": of any
    uint64_t number;                             // when it began
} blobs_reader;

// blobs_reader_begin begins a reader, which stays where it is until blobs_reader_end. session_id
// NULL: it may read all.
void blobs_reader_begin(blobs_reader *reader, blobs *blobs, const char *session_id);

// blobs_reader_end ends it. One that has ended, or never began, is fine.
void blobs_reader_end(blobs_reader *reader);

// blobs_get_moment returns the present moment among the beginnings of readers.
uint64_t blobs_get_moment(blobs *blobs);

// blobs_is_read returns whether somebody who began before the moment may read chunks of the
// session; NULL: of any.
bool blobs_is_read(blobs *blobs, const char *session_id, uint64_t moment);

// blobs_remove removes a chunk. One that is not there is fine.
// Errors: LP_EAGAIN that goes on by itself, and a later call returns how it ended; LP_EIO with
//         errno
LP_MUST_USE lp_err blobs_remove(blobs *blobs, const char *session_id, uint32_t ordinal);

// blobs_remove_session removes everything that there is of a session. Errors: as blobs_remove
LP_MUST_USE lp_err blobs_remove_session(blobs *blobs, const char *session_id);

// blobs_has_objects returns whether several chunks can be in one object. Those that follow are
// for a blobs that has them, and do what chunk_store_objects says.
bool blobs_has_objects(const blobs *blobs);
LP_MUST_USE lp_err blobs_put_object(
    blobs *blobs, const char *object, int fd, uint64_t size_bytes, uint64_t footer_at);
LP_MUST_USE lp_err blobs_get_object(blobs *blobs, const char *object, int to_fd);
LP_MUST_USE lp_err blobs_list_objects(
    blobs *blobs, lp_err (*on_object)(void *arg, const char *object), void *arg);
LP_MUST_USE lp_err blobs_remove_object(blobs *blobs, const char *object);

// blobs_make_file makes a file without a name, which goes away with *out_fd; the caller closes it.
// Errors: LP_EIO with errno
LP_MUST_USE lp_err blobs_make_file(const blobs *blobs, int *out_fd);

// blobs_sync_names makes durable which names there are in the directory of a session, and its own:
// also that they are gone. Errors: LP_EIO with errno
LP_MUST_USE lp_err blobs_sync_names(blobs *blobs, const char *session_id);

// blobs_spill writes bytes into a file without a name, which goes away with *out_fd; the caller
// closes it. For content that is too large to stay in memory while it is sent to a slow reader.
// Errors: LP_EIO
LP_MUST_USE lp_err blobs_spill(blobs *blobs, lp_slice bytes, int *out_fd);

#endif // LP_COLLECTOR_STORE_BLOBS_H
