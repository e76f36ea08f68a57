// SPDX-License-Identifier: Apache-2.0
#include "collector/store/blob_pack.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_io.h"
#include "common/jfr/jfr_chunk.h"

#include <stdbool.h>
#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

enum {
    OUT_BYTES = 128 * 1024,
    FIRST_IN_BYTES = 512, // the header's frame, and little more
    IN_BYTES = 128 * 1024,
};

// --- Writing

static lp_err
write_frame(ZSTD_CCtx *context, int fd, lp_slice bytes, uint8_t *room, uint64_t *size_bytes)
{
    // Readers of a frame with a known size need no larger window.
    size_t left = ZSTD_CCtx_setPledgedSrcSize(context, bytes.len);
    ZSTD_inBuffer in = {bytes.ptr, bytes.len, 0};
    lp_err err = LP_OK;
    do {
        ZSTD_outBuffer out = {room, OUT_BYTES, 0};
        if (!ZSTD_isError(left)) {
            left = ZSTD_compressStream2(context, &out, &in, ZSTD_e_end);
        }
        if (ZSTD_isError(left)) { // nothing else can go wrong with these parameters
            return LP_ENOMEM;
        }
        err = lp_io_write_all(fd, (lp_slice){room, out.pos});
        *size_bytes += out.pos;
    } while (left > 0 && err == LP_OK);
    return err;
}

static bool
set_up(ZSTD_CCtx *context)
{
    return !ZSTD_isError(
               ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, BLOB_PACK_LEVEL)) &&
           !ZSTD_isError(ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, BLOB_PACK_WINDOW_LOG)) &&
           !ZSTD_isError(ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1));
}

lp_err
blob_pack_write(int fd, lp_slice bytes, uint64_t *out_size_bytes)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    uint8_t *room = malloc(OUT_BYTES);
    lp_err err = context == NULL || room == NULL || !set_up(context) ? LP_ENOMEM : LP_OK;
    uint64_t size_bytes = 0;
    size_t head = bytes.len < JFR_CHUNK_HEADER_SIZE ? bytes.len : JFR_CHUNK_HEADER_SIZE;
    LP_THEN(err, write_frame(context, fd, (lp_slice){bytes.ptr, head}, room, &size_bytes));
    if (err == LP_OK && bytes.len > head) {
        lp_slice rest = {bytes.ptr + head, bytes.len - head};
        err = write_frame(context, fd, rest, room, &size_bytes);
    }
    (void)ZSTD_freeCCtx(context);
    free(room);
    *out_size_bytes = size_bytes;
    return err;
}

// --- Reading

struct blob_unpacker {
    int fd;
    ZSTD_DStream *stream;
    size_t wanted; // 0 at the end of a frame
    uint64_t offset;
    bool is_at_end; // of the file
    ZSTD_inBuffer in;
    uint8_t bytes[IN_BYTES]; // the buffer of in
};

blob_unpacker *
blob_unpacker_create(int fd)
{
    blob_unpacker *self = malloc(sizeof(*self));
    LP_REQUIRE(self != NULL, NULL);
    self->fd = fd;
    self->stream = ZSTD_createDStream();
    self->wanted = 1;
    self->offset = 0;
    self->is_at_end = false;
    self->in = (ZSTD_inBuffer){self->bytes, 0, 0};
    // A damaged header must not use up the memory.
    if (self->stream == NULL || ZSTD_isError(ZSTD_DCtx_setParameter(
                                    self->stream, ZSTD_d_windowLogMax, BLOB_PACK_WINDOW_LOG))) {
        blob_unpacker_destroy(self);
        return NULL;
    }
    return self;
}

void
blob_unpacker_destroy(blob_unpacker *self)
{
    if (self != NULL) {
        (void)ZSTD_freeDStream(self->stream); // NULL is fine
        free(self);
    }
}

static void
unpacker_check(const blob_unpacker *self)
{
    LP_ASSERT(self->stream != NULL && self->in.src == self->bytes);
    LP_ASSERT(self->in.pos <= self->in.size && self->in.size <= IN_BYTES);
}

// fill reads more of the file if the input is used up.
static lp_err
fill(blob_unpacker *self)
{
    unpacker_check(self);
    if (self->in.pos < self->in.size || self->is_at_end) {
        return LP_OK;
    }
    size_t count = self->offset == 0 ? FIRST_IN_BYTES : IN_BYTES;
    ssize_t done = lp_io_pread(self->fd, self->bytes, count, self->offset);
    LP_REQUIRE(done >= 0, LP_EIO);
    self->is_at_end = done == 0;
    self->offset += (uint64_t)done;
    self->in.size = (size_t)done;
    self->in.pos = 0;
    return LP_OK;
}

// step unpacks some more to out. Errors: LP_ECORRUPT also if there is no more, or no room for it
static lp_err
step(blob_unpacker *self, ZSTD_outBuffer *out)
{
    unpacker_check(self);
    LP_TRY(fill(self));
    size_t in_before = self->in.pos;
    size_t out_before = out->pos;
    self->wanted = ZSTD_decompressStream(self->stream, out, &self->in);
    LP_REQUIRE(!ZSTD_isError(self->wanted),
        ZSTD_getErrorCode(self->wanted) == ZSTD_error_memory_allocation ? LP_ENOMEM : LP_ECORRUPT);
    return self->in.pos > in_before || out->pos > out_before ? LP_OK : LP_ECORRUPT;
}

lp_err
blob_unpacker_read(blob_unpacker *self, void *to, size_t size_bytes)
{
    unpacker_check(self);
    ZSTD_outBuffer out = {to, size_bytes, 0};
    lp_err err = LP_OK;
    while (out.pos < out.size && err == LP_OK) {
        err = step(self, &out);
    }
    return err;
}

lp_err
blob_unpacker_finish(blob_unpacker *self)
{
    unpacker_check(self);
    ZSTD_outBuffer none = {NULL, 0, 0};
    lp_err err = LP_OK;
    while (self->wanted > 0 && err == LP_OK) {
        err = step(self, &none);
    }
    LP_THEN(err, fill(self));
    return err == LP_OK && !self->is_at_end ? LP_ECORRUPT : err;
}
