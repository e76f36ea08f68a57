// SPDX-License-Identifier: Apache-2.0
#include "collector/chunks/pack_files.h"

#include "collector/store/blob_pack.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_io.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

struct pack_file {
    int fd;
    pthread_mutex_t writing; // held while a thread appends
    // The loop reads these after the appending job returned to it, which orders them.
    atomic_uint_fast64_t bytes;
    atomic_uint unsettled; // counted under the mutex of pack_files, before the chunk is written
    atomic_uint references;
    bool is_open; // under that mutex
};

struct pack_files {
    const blobs *blobs;
    pthread_mutex_t mutex; // guards the rest; never held while waiting
    pack_file *open;       // may be NULL
};

// file_check is for a file of which the caller has a reference.
static void
file_check(const pack_file *file)
{
    LP_ASSERT(file->fd >= 0);
    LP_ASSERT(atomic_load_explicit(&file->references, memory_order_relaxed) > 0);
}

pack_files *
pack_files_create(const blobs *in)
{
    pack_files *self = calloc(1, sizeof(*self));
    if (self != NULL) {
        self->blobs = in;
        (void)pthread_mutex_init(&self->mutex, NULL); // Linux's cannot fail
    }
    return self;
}

void
pack_files_destroy(pack_files *self)
{
    if (self != NULL) {
        pack_file_unref(self->open);
        (void)pthread_mutex_destroy(&self->mutex);
        free(self);
    }
}

static lp_err
make_file(const pack_files *self, pack_file **out_file)
{
    pack_file *file = calloc(1, sizeof(*file));
    LP_REQUIRE(file != NULL, LP_ENOMEM);
    lp_err err = blobs_make_file(self->blobs, &file->fd);
    if (err != LP_OK) {
        free(file);
        return err;
    }
    (void)pthread_mutex_init(&file->writing, NULL); // Linux's cannot fail
    atomic_init(&file->references, 1);
    file->is_open = true;
    *out_file = file;
    return LP_OK;
}

// reserve counts a piece of the open file, or of a new one, and references the file.
static lp_err
reserve(pack_files *self, pack_file **out_file)
{
    (void)pthread_mutex_lock(&self->mutex);
    lp_err err = self->open == NULL ? make_file(self, &self->open) : LP_OK;
    if (err == LP_OK) {
        atomic_fetch_add_explicit(&self->open->unsettled, 1, memory_order_relaxed);
        *out_file = pack_file_ref(self->open);
    }
    int error = errno;
    (void)pthread_mutex_unlock(&self->mutex);
    errno = error;
    return err;
}

typedef lp_err append_function(int fd, lp_slice chunk, uint64_t *out_stored_bytes);

static lp_err
write_packed(int fd, lp_slice packed, uint64_t *out_stored_bytes)
{
    *out_stored_bytes = packed.len;
    return lp_io_write_all(fd, packed);
}

// write_behind appends a chunk, over the bytes of a failed try.
static lp_err
write_behind(pack_file *file, lp_slice chunk, append_function *write_chunk, pack_piece *piece)
{
    file_check(file);
    (void)pthread_mutex_lock(&file->writing);
    piece->offset = atomic_load_explicit(&file->bytes, memory_order_relaxed);
    lp_err err = lseek(file->fd, (off_t)piece->offset, SEEK_SET) < 0
                     ? LP_EIO
                     : write_chunk(file->fd, chunk, &piece->stored_bytes);
    if (err == LP_OK) {
        atomic_store_explicit(
            &file->bytes, piece->offset + piece->stored_bytes, memory_order_relaxed);
    }
    int error = errno;
    (void)pthread_mutex_unlock(&file->writing);
    errno = error;
    return err;
}

static lp_err
append(pack_files *self, lp_slice chunk, append_function *write_chunk, pack_piece *out_piece)
{
    pack_piece piece = {.file = NULL};
    LP_TRY(reserve(self, &piece.file));
    lp_err err = write_behind(piece.file, chunk, write_chunk, &piece);
    if (err == LP_OK) {
        *out_piece = piece;
    } else {
        int error = errno;
        pack_files_settle(&piece);
        errno = error;
    }
    return err;
}

lp_err
pack_files_append(pack_files *self, lp_slice chunk, pack_piece *out_piece)
{
    return append(self, chunk, blob_pack_write, out_piece);
}

lp_err
pack_files_append_packed(pack_files *self, lp_slice packed, pack_piece *out_piece)
{
    return append(self, packed, write_packed, out_piece);
}

void
pack_files_settle(pack_piece *piece)
{
    if (piece->file != NULL) {
        unsigned before =
            atomic_fetch_sub_explicit(&piece->file->unsettled, 1, memory_order_relaxed);
        LP_ASSERT(before > 0);
        pack_file_unref(piece->file);
        piece->file = NULL;
    }
}

void
pack_files_close(pack_files *self, pack_file *file)
{
    file_check(file);
    (void)pthread_mutex_lock(&self->mutex);
    bool is_open = self->open == file;
    if (is_open) {
        self->open = NULL;
        file->is_open = false;
    }
    (void)pthread_mutex_unlock(&self->mutex);
    if (is_open) {
        pack_file_unref(file);
    }
}

pack_file *
pack_file_ref(pack_file *file)
{
    file_check(file);
    atomic_fetch_add_explicit(&file->references, 1, memory_order_relaxed);
    return file;
}

void
pack_file_unref(pack_file *file)
{
    // The last thread must see the writes of the others: each releases, and the last one acquires.
    if (file != NULL &&
        atomic_fetch_sub_explicit(&file->references, 1, memory_order_acq_rel) == 1) {
        (void)close(file->fd);
        (void)pthread_mutex_destroy(&file->writing);
        free(file);
    }
}

// The loop closed the file, so it sees is_open, and all pieces were counted before.
bool
pack_file_is_complete(const pack_file *file)
{
    file_check(file);
    return !file->is_open && atomic_load_explicit(&file->unsettled, memory_order_relaxed) == 0;
}

uint64_t
pack_file_get_bytes(const pack_file *file)
{
    file_check(file);
    return atomic_load_explicit(&file->bytes, memory_order_relaxed);
}

int
pack_file_get_fd(const pack_file *file)
{
    file_check(file);
    return file->fd;
}
