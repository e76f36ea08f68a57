// SPDX-License-Identifier: Apache-2.0
#include "collector/server/pack_files.h"

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
    atomic_uint_fast64_t bytes; // the loop asks for them while others append; orders nothing
    // Counted under the mutex of pack_files, and by the loop: it pairs its release with an acquire.
    atomic_uint references;
    atomic_uint unsettled;
    atomic_bool is_open;
};

struct pack_files {
    const blobs *blobs;
    pthread_mutex_t mutex; // of what follows, and of writing
    pack_file *open;       // NULL: none yet
};

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

// open_file has an open file. Under the mutex.
static lp_err
open_file(pack_files *self)
{
    if (self->open != NULL) {
        return LP_OK;
    }
    pack_file *file = calloc(1, sizeof(*file));
    if (file == NULL) {
        return LP_ENOMEM;
    }
    lp_err err = blobs_make_file(self->blobs, &file->fd);
    if (err != LP_OK) {
        free(file);
        return err;
    }
    atomic_init(&file->references, 1);
    atomic_init(&file->is_open, true);
    self->open = file;
    return LP_OK;
}

typedef lp_err append_function(int fd, lp_slice chunk, uint64_t *out_stored_bytes);

static lp_err
write_packed(int fd, lp_slice packed, uint64_t *out_stored_bytes)
{
    *out_stored_bytes = packed.len;
    return lp_io_write_all(fd, packed);
}

// append writes a chunk behind the others: what a failed try left there is written over.
static lp_err
append(pack_files *self, lp_slice chunk, append_function *write_chunk, pack_piece *out_piece)
{
    (void)pthread_mutex_lock(&self->mutex);
    lp_err err = open_file(self);
    pack_file *file = self->open;
    uint64_t offset = 0;
    uint64_t stored_bytes = 0;
    if (err == LP_OK) {
        offset = atomic_load_explicit(&file->bytes, memory_order_relaxed);
        err = lseek(file->fd, (off_t)offset, SEEK_SET) < 0
                  ? LP_EIO
                  : write_chunk(file->fd, chunk, &stored_bytes);
    }
    if (err == LP_OK) {
        atomic_store_explicit(&file->bytes, offset + stored_bytes, memory_order_relaxed);
        atomic_fetch_add_explicit(&file->unsettled, 1, memory_order_relaxed);
        *out_piece = (pack_piece){
            .file = pack_file_ref(file), .offset = offset, .stored_bytes = stored_bytes};
    }
    int error = errno;
    (void)pthread_mutex_unlock(&self->mutex);
    errno = error;
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
    (void)pthread_mutex_lock(&self->mutex);
    bool is_open = self->open == file;
    if (is_open) {
        self->open = NULL;
        atomic_store_explicit(&file->is_open, false, memory_order_relaxed);
    }
    (void)pthread_mutex_unlock(&self->mutex);
    if (is_open) {
        pack_file_unref(file);
    }
}

pack_file *
pack_file_ref(pack_file *file)
{
    atomic_fetch_add_explicit(&file->references, 1, memory_order_relaxed);
    return file;
}

void
pack_file_unref(pack_file *file)
{
    // Who ends it has seen all that the others did: each releases, and the last one acquires.
    if (file != NULL &&
        atomic_fetch_sub_explicit(&file->references, 1, memory_order_acq_rel) == 1) {
        (void)close(file->fd);
        free(file);
    }
}

// The counts were changed under the mutex before pack_files_close took it, or by the loop.
bool
pack_file_is_complete(const pack_file *file)
{
    return !atomic_load_explicit(&file->is_open, memory_order_relaxed) &&
           atomic_load_explicit(&file->unsettled, memory_order_relaxed) == 0;
}

uint64_t
pack_file_get_bytes(const pack_file *file)
{
    return atomic_load_explicit(&file->bytes, memory_order_relaxed);
}

int
pack_file_get_fd(const pack_file *file)
{
    return file->fd;
}
