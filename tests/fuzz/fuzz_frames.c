// SPDX-License-Identifier: Apache-2.0
// A stream of any bytes on the agents' port: the same messages come of it, whole or in pieces of
// any size, and none is larger than it may be, or than what was sent.
//
//   input: 1 byte: whether it is a Unix socket; 1 byte: from which the sizes of the pieces are
//   made; the stream

#include "fuzz.h"

#include "collector/net/sp_frame.h"
#include "common/base/lp_assert.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD_BYTES = 2, MESSAGE_BYTES_MAX = 1 << 19, PIECE_BYTES_MAX = 37 };

// What came of a stream.
typedef struct outcome {
    sp_event end; // SP_WAITS: of the stream
    size_t count;
    size_t bytes;
    uint64_t sum;
} outcome;

static void
take(sp_reader *reader, outcome *o)
{
    sp_message message = sp_reader_take(reader);
    LP_ASSERT(message.size_bytes <= MESSAGE_BYTES_MAX);
    size_t header_bytes = sp_find_header((lp_slice){message.bytes, message.size_bytes});
    LP_ASSERT(header_bytes <= message.size_bytes && header_bytes <= SP_HEADER_BYTES_MAX);
    o->count++;
    o->bytes += message.size_bytes;
    o->sum += header_bytes;
    for (size_t i = 0; i < message.size_bytes; i++) {
        o->sum = o->sum * 31 + message.bytes[i];
    }
    free(message.bytes);
}

// give gives the reader the next bytes, as many as it has room for and at most max. Returns how
// many.
static size_t
give(sp_reader *reader, lp_slice rest, size_t max)
{
    struct iovec pieces[SP_READER_PIECES];
    int count = sp_reader_get_room(reader, pieces);
    size_t given = 0;
    LP_ASSERT(count > 0 && count <= SP_READER_PIECES);
    for (int i = 0; i < count; i++) {
        size_t left = rest.len - given < max - given ? rest.len - given : max - given;
        size_t here = pieces[i].iov_len < left ? pieces[i].iov_len : left;
        memcpy(pieces[i].iov_base, rest.ptr + given, here);
        given += here;
    }
    sp_reader_fill(reader, given);
    return given;
}

// run reads a stream. seed: of the sizes of its pieces; 0: as large as there is room for.
static outcome
run(sp_transport transport, lp_slice stream, unsigned seed)
{
    sp_reader reader = {.transport = transport, .message_bytes_max = MESSAGE_BYTES_MAX};
    outcome o = {.end = SP_WAITS};
    size_t at = 0;
    for (unsigned turn = 0;; turn++) {
        o.end = sp_reader_next(&reader);
        if (o.end == SP_ANNOUNCED) {
            LP_ASSERT(sp_reader_admit(&reader) == LP_OK);
        } else if (o.end == SP_MESSAGE) {
            take(&reader, &o);
        } else if (o.end != SP_WAITS || at == stream.len) {
            break;
        } else {
            const lp_slice rest = {stream.ptr + at, stream.len - at};
            at += give(&reader, rest, seed == 0 ? SIZE_MAX : 1 + seed * turn % PIECE_BYTES_MAX);
        }
    }
    LP_ASSERT(o.bytes <= stream.len);
    sp_reader_fini(&reader);
    return o;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    if (count < HEAD_BYTES) {
        return 0;
    }
    sp_transport transport = bytes[0] % 2 == 0 ? SP_TCP : SP_UNIX;
    const lp_slice stream = {bytes + HEAD_BYTES, count - HEAD_BYTES};
    outcome whole = run(transport, stream, 0);
    outcome cut = run(transport, stream, 1 + bytes[1]);
    LP_ASSERT(whole.end == cut.end && whole.count == cut.count);
    LP_ASSERT(whole.bytes == cut.bytes && whole.sum == cut.sum);
    return 0;
}
