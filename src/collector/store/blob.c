// SPDX-License-Identifier: Apache-2.0
#include "collector/store/blob.h"

#include "collector/store/blob_pack.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"

#include <stdlib.h>
#include <unistd.h>

struct blob {
    int fd;
    uint64_t size_bytes;
    uint64_t content_hash;
    lp_hash_run *hash;
    uint64_t hashed_bytes;   // from the start
    blob_unpacker *unpacker; // NULL: nothing was read
    uint64_t unpacked_bytes;
};

lp_err
blob_open(int fd, const blob_name *name, blob **out_blob)
{
    LP_ASSERT(fd >= 0);
    blob *self = calloc(1, sizeof(*self));
    if (self == NULL) {
        (void)close(fd);
        return LP_ENOMEM;
    }
    self->fd = fd;
    self->size_bytes = name->size_bytes;
    self->content_hash = name->content_hash;
    self->hash = lp_hash_run_create();
    if (self->hash == NULL) {
        blob_close(self);
        return LP_ENOMEM;
    }
    *out_blob = self;
    return LP_OK;
}

void
blob_close(blob *self)
{
    if (self != NULL) {
        blob_unpacker_destroy(self->unpacker);
        lp_hash_run_destroy(self->hash);
        (void)close(self->fd);
        free(self);
    }
}

static void
blob_check(const blob *self)
{
    LP_ASSERT(self->fd >= 0 && self->hash != NULL);
    LP_ASSERT(self->hashed_bytes <= self->size_bytes);
    LP_ASSERT(self->unpacked_bytes <= self->size_bytes);
    LP_ASSERT(self->unpacker != NULL || self->unpacked_bytes == 0);
}

// check compares the content's hash with the catalog's once all of the content was read in order.
static lp_err
check(blob *self, uint64_t offset, lp_slice bytes)
{
    blob_check(self);
    LP_ASSERT(offset + bytes.len <= self->size_bytes);
    if (offset == self->hashed_bytes) {
        lp_hash_run_add(self->hash, bytes);
        self->hashed_bytes += bytes.len;
    }
    bool is_end = offset + bytes.len == self->size_bytes && self->hashed_bytes == self->size_bytes;
    return is_end && lp_hash_run_get(self->hash) != self->content_hash ? LP_ECORRUPT : LP_OK;
}

static lp_err
begin_again(blob *self)
{
    blob_check(self);
    blob_unpacker_destroy(self->unpacker);
    self->unpacker = blob_unpacker_create(self->fd);
    self->unpacked_bytes = 0;
    return self->unpacker == NULL ? LP_ENOMEM : LP_OK;
}

static lp_err
unpack(blob *self, uint8_t *out, size_t size_bytes)
{
    blob_check(self);
    lp_err err = blob_unpacker_read(self->unpacker, out, size_bytes);
    if (err == LP_OK) {
        err = check(self, self->unpacked_bytes, (lp_slice){out, size_bytes});
        self->unpacked_bytes += size_bytes;
    }
    if (err == LP_OK && self->unpacked_bytes == self->size_bytes) {
        err = blob_unpacker_finish(self->unpacker);
    }
    return err;
}

lp_err
blob_read(blob *self, uint64_t offset, void *out, size_t size_bytes)
{
    blob_check(self);
    LP_ASSERT(size_bytes > 0 && size_bytes <= self->size_bytes);
    LP_ASSERT(offset <= self->size_bytes - size_bytes);

    lp_err err = LP_OK;
    if (self->unpacker == NULL || offset < self->unpacked_bytes) {
        err = begin_again(self);
    }
    while (err == LP_OK && self->unpacked_bytes < offset) { // out is overwritten below
        uint64_t more = offset - self->unpacked_bytes;
        err = unpack(self, out, more < size_bytes ? (size_t)more : size_bytes);
    }
    return err == LP_OK ? unpack(self, out, size_bytes) : err;
}
