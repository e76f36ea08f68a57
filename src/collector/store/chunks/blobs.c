// SPDX-License-Identifier: Apache-2.0
#include "collector/store/chunks/blobs.h"

#include "collector/store/blob_pack.h"
#include "collector/store/catalog/catalog.h"
#include "collector/store/chunks/chunk_files.h"
#include "collector/store/chunks/object_pack.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_io.h"
#include "common/base/lp_time.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

static_assert(BLOBS_SESSION_ID_CHARS == (int)CATALOG_ID_CHARS, "a reader has room for an id");

struct blobs {
    char *dir;
    int dir_fd;
    chunk_store *chunks;
    bool is_durable; // writes of files wait for the disk
    void (*on_lost)(void *arg, const char *session_id, uint32_t ordinal); // NULL: none
    void *arg;
    pthread_mutex_t mutex; // of the fields below
    blobs_reader *readers;
    uint64_t moment;
};

static lp_err
open_dir(blobs *self)
{
    LP_REQUIRE(mkdir(self->dir, CHUNK_FILES_DIR_MODE) == 0 || errno == EEXIST, LP_EIO);
    self->dir_fd = open(self->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    LP_REQUIRE(self->dir_fd >= 0, LP_EIO);
    self->chunks = chunk_files_open(self->dir, self->dir_fd, &self->is_durable);
    return self->chunks == NULL ? LP_ENOMEM : LP_OK;
}

lp_err
blobs_open(const char *dir, blobs **out_blobs, lp_problem *out_problem)
{
    blobs *opened = malloc(sizeof(*opened));
    LP_REQUIRE(opened != NULL, lp_problem_set(out_problem, LP_ENOMEM, "%s: out of memory", dir));
    *opened = (blobs){.dir = strdup(dir), .dir_fd = -1, .is_durable = true};
    (void)pthread_mutex_init(&opened->mutex, NULL); // Linux's cannot fail
    lp_err err = opened->dir == NULL ? LP_ENOMEM : open_dir(opened);
    if (err != LP_OK) {
        (void)lp_problem_set(out_problem, err, "%s: %s", dir, lp_err_reason(err));
        blobs_close(opened);
        return err;
    }
    *out_blobs = opened;
    return LP_OK;
}

static chunk_store *
chunks_check(const blobs *self)
{
    LP_ASSERT(self->dir_fd >= 0 && self->chunks != NULL && self->chunks->ops != NULL);
    return self->chunks;
}

static const chunk_store_objects *
objects_check(const blobs *self)
{
    const chunk_store_objects *objects = chunks_check(self)->ops->objects;
    LP_ASSERT(objects != NULL);
    return objects;
}

void
blobs_take_chunk_store(blobs *self, chunk_store *chunks)
{
    LP_ASSERT(chunks != NULL && chunks->ops != NULL && self->readers == NULL);
    self->chunks->ops->close(chunks_check(self));
    self->chunks = chunks;
}

bool
blobs_is_remote(const blobs *self)
{
    return chunks_check(self)->ops->is_remote;
}

lp_err
blobs_check(blobs *self)
{
    chunk_store *chunks = chunks_check(self);
    return chunks->ops->check == NULL ? LP_OK : chunks->ops->check(chunks);
}

void
blobs_interrupt(blobs *self)
{
    chunk_store *chunks = chunks_check(self);
    if (chunks->ops->interrupt != NULL) {
        chunks->ops->interrupt(chunks);
    }
}

void
blobs_set_durable(blobs *self, bool is_durable)
{
    self->is_durable = is_durable;
}

void
blobs_close(blobs *self)
{
    if (self == NULL) {
        return;
    }
    LP_ASSERT(self->readers == NULL);
    if (self->chunks != NULL) {
        self->chunks->ops->close(self->chunks);
    }
    lp_io_close(self->dir_fd);
    (void)pthread_mutex_destroy(&self->mutex);
    free(self->dir);
    free(self);
}

void
blobs_set_on_lost(
    blobs *self, void (*on_lost)(void *arg, const char *session_id, uint32_t ordinal), void *arg)
{
    self->on_lost = on_lost;
    self->arg = arg;
}

uint64_t
blobs_hash(lp_slice bytes)
{
    return lp_hash_bytes(LP_HASH_FIXED, bytes);
}

lp_err
blobs_put(
    blobs *self, const char *session_id, uint32_t ordinal, lp_slice bytes, blobs_stored *out_stored)
{
    LP_REQUIRE(catalog_id_is_valid(session_id), LP_ECORRUPT);
    uint64_t stored_bytes;
    lp_err err =
        self->chunks->ops->put(chunks_check(self), session_id, ordinal, bytes, &stored_bytes);
    if (err == LP_OK && out_stored != NULL) {
        *out_stored = (blobs_stored){blobs_hash(bytes), stored_bytes};
    }
    return err;
}

lp_err
blobs_put_hello(blobs *self, const char *session_id, lp_slice hello)
{
    return catalog_id_is_valid(session_id) ? chunk_files_write(self->dir_fd, self->is_durable,
                                                 session_id, "session.pb", hello, NULL)
                                           : LP_ECORRUPT;
}

// --- Further editions

// A store that has objects stores a further edition of a chunk as an object of its own, in the form
// of objects with several chunks (object_pack.h). It begins with as many zero bytes as the edition
// has number, so the chunk's place in the object says which edition it is. An object that the
// catalog does not name is deleted like other orphans (pack_sweep.h).

// hash_file hashes a part of a file. Errors: LP_EIO with errno
static lp_err
hash_file(int fd, uint64_t offset, uint64_t size_bytes, uint64_t *out_hash)
{
    size_t all = (size_t)(offset + size_bytes);
    const uint8_t *bytes = mmap(NULL, all, PROT_READ, MAP_SHARED, fd, 0);
    LP_REQUIRE(bytes != MAP_FAILED, LP_EIO);
    *out_hash = lp_hash_bytes(LP_HASH_FIXED, (lp_slice){bytes + offset, (size_t)size_bytes});
    (void)munmap((void *)(uintptr_t)bytes, all);
    return LP_OK;
}

// write_footer appends the footer of the only chunk, which ends at footer_at.
static lp_err
write_footer(int fd, const blob_name *name, uint64_t footer_at, uint64_t *out_size_bytes)
{
    object_pack_chunk chunk = {.ordinal = name->ordinal,
        .offset = name->place.offset,
        .stored_bytes = name->stored_bytes,
        .size_bytes = name->size_bytes,
        .content_hash = name->content_hash};
    lp_buf footer = {0};
    memcpy(chunk.session_id, name->session_id, sizeof(chunk.session_id));
    LP_TRY(hash_file(fd, chunk.offset, chunk.stored_bytes, &chunk.stored_hash));
    object_pack_append(&footer, &chunk);
    object_pack_finish(&footer, footer_at);
    lp_err err = lp_buf_check(&footer);
    LP_THEN(err, lp_io_write_all(fd, lp_buf_slice(&footer)));
    *out_size_bytes = footer_at + footer.len;
    lp_buf_fini(&footer);
    return err;
}

static lp_err
write_object(chunk_store *to, int fd, lp_slice bytes, blob_name *name)
{
    static const uint8_t zeros[BLOB_EDITIONS];
    uint64_t edition = name->place.offset;
    uint64_t run;
    uint64_t size_bytes;
    LP_REQUIRE(getrandom(&run, sizeof(run), 0) == sizeof(run), LP_EIO);
    object_pack_format_name(lp_time_now(), run, 0, name->place.object);
    LP_TRY(lp_io_write_all(fd, (lp_slice){zeros, (size_t)edition}));
    LP_TRY(blob_pack_write(fd, bytes, &name->stored_bytes));
    uint64_t footer_at = edition + name->stored_bytes;
    LP_TRY(write_footer(fd, name, footer_at, &size_bytes));
    return to->ops->objects->put(to, name->place.object, fd, size_bytes, footer_at);
}

// put_edition_object sets stored_bytes and place.object of name. A retry stores another object.
static lp_err
put_edition_object(const blobs *self, lp_slice bytes, blob_name *name)
{
    LP_ASSERT(self->chunks->ops->objects != NULL && name->size_bytes == bytes.len);
    int fd;
    LP_TRY(chunk_files_make(self->dir_fd, &fd));
    lp_err err = write_object(self->chunks, fd, bytes, name);
    lp_io_close(fd);
    return err;
}

lp_err
blobs_put_edition(blobs *self, lp_slice bytes, blob_name *name)
{
    chunk_store *chunks = chunks_check(self);
    uint64_t edition = name->place.offset;
    LP_ASSERT(edition > BLOB_EDITION_FIRST && edition < BLOB_EDITIONS);
    LP_REQUIRE(catalog_id_is_valid(name->session_id), LP_ECORRUPT);
    name->size_bytes = bytes.len;
    name->content_hash = blobs_hash(bytes);
    return blobs_has_objects(self) ? put_edition_object(self, bytes, name)
                                   : chunks->ops->put_edition(chunks, name->session_id,
                                         name->ordinal, edition, bytes, &name->stored_bytes);
}

// --- Reading

bool
blobs_has_chunk(blobs *self, const char *session_id, uint32_t ordinal, uint64_t stored_bytes)
{
    return self->chunks->ops->has(chunks_check(self), session_id, ordinal, stored_bytes);
}

static lp_err
open_chunk(const blobs *self, const blob_name *name, blob **out_blob)
{
    LP_REQUIRE(catalog_id_is_valid(name->session_id), LP_ENOENT);
    int fd;
    lp_err err = self->chunks->ops->open(chunks_check(self), name, &fd);
    return err == LP_OK ? blob_open(fd, name, out_blob) : err;
}

lp_err
blobs_verify(const blobs *self, const blob_name *name)
{
    enum { BLOCK_BYTES = 1 << 14 };
    uint8_t block[BLOCK_BYTES];
    blob *chunk;
    lp_err err = open_chunk(self, name, &chunk);
    LP_REQUIRE(err == LP_OK, err);
    for (uint64_t at = 0; at < name->size_bytes && err == LP_OK;) {
        uint64_t left = name->size_bytes - at;
        size_t count = left < BLOCK_BYTES ? (size_t)left : BLOCK_BYTES;
        err = blob_read(chunk, at, block, count);
        at += count;
    }
    int error = errno;
    blob_close(chunk);
    errno = error;
    return err;
}

// is_of_file returns whether a failed read is the fault of the chunk's file or disk. Of the
// system's errors only EIO is.
static bool
is_of_file(lp_err err)
{
    return err == LP_ENOENT || err == LP_ECORRUPT || (err == LP_EIO && errno == EIO);
}

void
blobs_note_failure(blobs *self, const blob_name *name, lp_err err)
{
    int error = errno;
    // A disk may fail once.
    bool is_lost = err == LP_ENOENT || (is_of_file(err) && is_of_file(blobs_verify(self, name)));
    if (is_lost && self->on_lost != NULL) {
        self->on_lost(self->arg, name->session_id, name->ordinal);
    }
    errno = error;
}

lp_err
blobs_open_chunk(blobs *self, const blob_name *name, blob **out_blob)
{
    lp_err err = open_chunk(self, name, out_blob);
    blobs_note_failure(self, name, err);
    return err;
}

lp_err
blobs_read_opened(blobs *self, const blob_name *name, blob *chunk, lp_buf *out_bytes)
{
    LP_ASSERT(chunk != NULL);
    uint8_t *to = lp_buf_extend(out_bytes, (size_t)name->size_bytes);
    lp_err err = to == NULL ? LP_ENOMEM : LP_OK;
    if (err == LP_OK && name->size_bytes > 0) {
        err = blob_read(chunk, 0, to, (size_t)name->size_bytes);
        blobs_note_failure(self, name, err);
    }
    blob_close(chunk);
    return err;
}

lp_err
blobs_read_chunk(blobs *self, const blob_name *name, lp_buf *out_bytes)
{
    blob *chunk;
    LP_TRY(blobs_open_chunk(self, name, &chunk));
    return blobs_read_opened(self, name, chunk, out_bytes);
}

int
blobs_get_directory(const blobs *self)
{
    return self->dir_fd;
}

const char *
blobs_get_name(const blobs *self)
{
    return self->chunks->ops->get_name(chunks_check(self));
}

// --- Readers and removal

// The caller holds the mutex.
static void
readers_check(const blobs *self)
{
    LP_ASSERT(self->dir_fd >= 0 && self->chunks != NULL);
    LP_ASSERT(self->readers == NULL || self->readers->of == self);
    LP_ASSERT(self->readers == NULL || self->readers->number < self->moment);
}

void
blobs_reader_begin(blobs_reader *reader, blobs *self, const char *session_id)
{
    LP_ASSERT(reader->of == NULL);
    *reader = (blobs_reader){.of = self};
    (void)snprintf(
        reader->session_id, sizeof(reader->session_id), "%s", session_id == NULL ? "" : session_id);
    (void)pthread_mutex_lock(&self->mutex);
    readers_check(self);
    reader->number = self->moment++;
    reader->next = self->readers;
    self->readers = reader;
    (void)pthread_mutex_unlock(&self->mutex);
}

void
blobs_reader_end(blobs_reader *reader)
{
    blobs *self = reader->of;
    if (self == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&self->mutex);
    readers_check(self);
    blobs_reader **place = &self->readers;
    while (*place != reader) {
        LP_ASSERT(*place != NULL); // blobs_reader_begin added it
        place = &(*place)->next;
    }
    *place = reader->next;
    (void)pthread_mutex_unlock(&self->mutex);
    *reader = (blobs_reader){0};
}

uint64_t
blobs_get_moment(blobs *self)
{
    (void)pthread_mutex_lock(&self->mutex);
    readers_check(self);
    uint64_t moment = self->moment;
    (void)pthread_mutex_unlock(&self->mutex);
    return moment;
}

bool
blobs_is_read(blobs *self, const char *session_id, uint64_t moment)
{
    bool is_read = false;
    (void)pthread_mutex_lock(&self->mutex);
    readers_check(self);
    for (const blobs_reader *r = self->readers; r != NULL && !is_read; r = r->next) {
        bool is_of_it = session_id == NULL || r->session_id[0] == '\0' ||
                        strcmp(r->session_id, session_id) == 0;
        is_read = r->number < moment && is_of_it;
    }
    (void)pthread_mutex_unlock(&self->mutex);
    return is_read;
}

lp_err
blobs_remove(blobs *self, const char *session_id, uint32_t ordinal)
{
    return catalog_id_is_valid(session_id)
               ? self->chunks->ops->remove(chunks_check(self), session_id, ordinal)
               : LP_OK;
}

lp_err
blobs_remove_session(blobs *self, const char *session_id)
{
    if (!catalog_id_is_valid(session_id)) {
        return LP_OK;
    }
    lp_err err = self->chunks->ops->remove_session(chunks_check(self), session_id);
    // Its Hello is always a file.
    return err == LP_OK ? chunk_files_remove_session(self->dir_fd, session_id) : err;
}

// --- Objects with several chunks

bool
blobs_has_objects(const blobs *self)
{
    return chunks_check(self)->ops->objects != NULL;
}

lp_err
blobs_put_object(blobs *self, const char *object, int fd, uint64_t size_bytes, uint64_t footer_at)
{
    LP_ASSERT(footer_at < size_bytes);
    return objects_check(self)->put(self->chunks, object, fd, size_bytes, footer_at);
}

lp_err
blobs_get_object(blobs *self, const char *object, int to_fd)
{
    return objects_check(self)->get(self->chunks, object, to_fd);
}

lp_err
blobs_list_objects(blobs *self, lp_err (*on_object)(void *arg, const char *object), void *arg)
{
    return objects_check(self)->list(self->chunks, on_object, arg);
}

lp_err
blobs_remove_object(blobs *self, const char *object)
{
    return objects_check(self)->remove(self->chunks, object);
}

lp_err
blobs_make_file(const blobs *self, int *out_fd)
{
    return chunk_files_make(self->dir_fd, out_fd);
}

lp_err
blobs_sync_names(blobs *self, const char *session_id)
{
    lp_err err = catalog_id_is_valid(session_id) ? lp_io_sync_dir(self->dir_fd, session_id) : LP_OK;
    return err == LP_OK || errno == ENOENT ? lp_io_sync_dir(self->dir_fd, ".") : err;
}

lp_err
blobs_spill(blobs *self, lp_slice bytes, int *out_fd)
{
    int fd;
    LP_TRY(blobs_make_file(self, &fd));
    lp_err err = lp_io_write_all(fd, bytes);
    if (err != LP_OK) {
        lp_io_close(fd);
        return err;
    }
    *out_fd = fd;
    return LP_OK;
}
