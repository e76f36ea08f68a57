// SPDX-License-Identifier: Apache-2.0
// NNG's wire protocol, as the collector reads it: however the bytes are cut into pieces, the same
// messages come. The first byte chooses the transport and the lengths of pieces.

#include "fuzz.h"

#include "collector/net/sp_frame.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"

#include <stdlib.h>
#include <string.h>

enum { MESSAGE_BYTES_MAX = 1 << 20 };

// What came of some bytes.
typedef struct outcome {
    uint64_t hash; // of the messages and their headers
    sp_event end;
} outcome;

// read_into fills the room with as much of bytes as there is, up to count, and returns that.
static size_t
read_into(sp_reader *reader, lp_slice bytes, size_t count)
{
    struct iovec pieces[SP_READER_PIECES];
    size_t at = 0;
    int piece_count = sp_reader_get_room(reader, pieces);
    LP_ASSERT(piece_count > 0);
    count = count < bytes.len ? count : bytes.len;
    for (int i = 0; i < piece_count && at < count; i++) {
        size_t n = pieces[i].iov_len < count - at ? pieces[i].iov_len : count - at;
        memcpy(pieces[i].iov_base, bytes.ptr + at, n);
        at += n;
    }
    sp_reader_fill(reader, at);
    return at;
}

static void
take(sp_reader *reader, outcome *out)
{
    sp_message message = sp_reader_take(reader);
    lp_slice request = {message.bytes, message.size_bytes};
    size_t header_bytes = sp_find_header(request);
    LP_ASSERT(header_bytes <= request.len && header_bytes <= SP_HEADER_BYTES_MAX);
    out->hash = lp_hash_bytes(out->hash + header_bytes, request);
    free(message.bytes);
}

static outcome
read_all(sp_transport transport, lp_slice bytes, size_t count)
{
    sp_reader reader = {.transport = transport, .message_bytes_max = MESSAGE_BYTES_MAX};
    outcome out = {.end = SP_WAITS};
    size_t at = 0;
    bool is_going_on = true;
    while (is_going_on) {
        out.end = sp_reader_next(&reader);
        switch (out.end) {
        case SP_WAITS:
            is_going_on = at < bytes.len;
            at += is_going_on
                      ? read_into(&reader, (lp_slice){bytes.ptr + at, bytes.len - at}, count)
                      : 0;
            break;
        case SP_ANNOUNCED:
            LP_ASSERT(sp_reader_admit(&reader) == LP_OK);
            break;
        case SP_MESSAGE:
            take(&reader, &out);
            break;
        case SP_FOREIGN:
        case SP_TOO_LARGE:
        case SP_NO_MEMORY:
            is_going_on = false;
            break;
        }
    }
    sp_reader_fini(&reader);
    return out;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    if (count == 0) {
        return 0;
    }
    sp_transport transport = bytes[0] % 2 == 0 ? SP_TCP : SP_UNIX;
    lp_slice rest = {bytes + 1, count - 1};
    outcome whole = read_all(transport, rest, SIZE_MAX);
    outcome cut = read_all(transport, rest, 1 + bytes[0] / 2);
    LP_ASSERT(whole.end == cut.end && whole.hash == cut.hash);
    return 0;
}
