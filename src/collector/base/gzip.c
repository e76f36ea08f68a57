// SPDX-License-Identifier: Apache-2.0
#include "collector/base/gzip.h"

#include "common/base/lp_assert.h"

#include <zlib.h>

enum {
    WINDOW = 15 + 16, // zlib's way to say gzip
    MEMORY_LEVEL = 9, // 256 KB
    TRAILER_BYTES = 8,
    BYTES_MAX = 1 << 30, // of input: zlib counts in 32 bits
};

// make_room returns the place of count bytes behind out->len, or NULL if memory ran out.
static uint8_t *
make_room(lp_buf *out, size_t count)
{
    uint8_t *room = lp_buf_extend(out, count);
    if (room != NULL) {
        out->len -= count;
    }
    return room;
}

lp_err
gzip_compress(lp_slice bytes, lp_buf *out)
{
    LP_ASSERT(bytes.len <= BYTES_MAX);
    z_stream stream = {0};
    if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, WINDOW, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
        return LP_ENOMEM;
    }
    size_t room_bytes = deflateBound(&stream, bytes.len);
    uint8_t *room = make_room(out, room_bytes);
    if (room != NULL) {
        stream.next_in = (z_const Bytef *)(uintptr_t)bytes.ptr; // zlib only reads
        stream.avail_in = (uInt)bytes.len;
        stream.next_out = room;
        stream.avail_out = (uInt)room_bytes;
        int end = deflate(&stream, Z_FINISH);
        LP_ASSERT(end == Z_STREAM_END); // deflateBound is enough
        out->len += stream.total_out;
    }
    (void)deflateEnd(&stream);
    return room == NULL ? LP_ENOMEM : LP_OK;
}

// size_of reads the uncompressed size, the last four bytes.
static uint32_t
size_of(lp_slice gzip)
{
    const uint8_t *at = gzip.ptr + gzip.len - sizeof(uint32_t);
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

lp_err
gzip_expand(lp_slice gzip, lp_buf *out)
{
    LP_REQUIRE(gzip.len >= TRAILER_BYTES && gzip.len <= BYTES_MAX, LP_ECORRUPT);
    uint32_t size_bytes = size_of(gzip);
    z_stream stream = {0};
    LP_REQUIRE(inflateInit2(&stream, WINDOW) == Z_OK, LP_ENOMEM);
    lp_err err = LP_ENOMEM;
    uint8_t *room = make_room(out, size_bytes);
    if (room != NULL) {
        stream.next_in = (z_const Bytef *)(uintptr_t)gzip.ptr;
        stream.avail_in = (uInt)gzip.len;
        stream.next_out = room;
        stream.avail_out = size_bytes;
        bool is_whole = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_in == 0;
        LP_ASSERT(stream.total_out <= size_bytes);
        err = is_whole ? LP_OK : LP_ECORRUPT;
        out->len += is_whole ? stream.total_out : 0;
    }
    (void)inflateEnd(&stream);
    return err;
}
