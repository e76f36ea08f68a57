// SPDX-License-Identifier: Apache-2.0

#include "collector/net/sp_frame.h"

#include "common/base/lp_assert.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

enum {
    PROTOCOL_OFFSET = 5, // of the lower byte; the higher one is 0
    PROTOCOL_REQ = 0x30,
    PROTOCOL_REP = 0x31,
    UNIX_MARK = 1, // an inline message; NNG has others in shared memory
    SIZE_BYTES = sizeof(uint64_t),
    ID_BYTES = sizeof(uint32_t),
};

static const uint8_t LAST_ID = 0x80; // in the first byte of an id

static void
write_greeting(uint8_t protocol, uint8_t out_greeting[SP_GREETING_BYTES])
{
    memcpy(out_greeting, (const uint8_t[SP_GREETING_BYTES]){0, 'S', 'P'}, SP_GREETING_BYTES);
    out_greeting[PROTOCOL_OFFSET] = protocol;
}

void
sp_greet(uint8_t out_greeting[SP_GREETING_BYTES])
{
    write_greeting(PROTOCOL_REP, out_greeting);
}

size_t
sp_encode_prefix(sp_transport transport, size_t size_bytes, uint8_t out_prefix[SP_PREFIX_BYTES_MAX])
{
    LP_ASSERT(size_bytes > 0);
    size_t mark_bytes = transport == SP_UNIX ? 1 : 0;
    uint64_t size = htobe64(size_bytes);
    out_prefix[0] = UNIX_MARK;
    memcpy(out_prefix + mark_bytes, &size, sizeof(size));
    return mark_bytes + sizeof(size);
}

size_t
sp_find_header(lp_slice request)
{
    for (size_t at = 0; at < SP_HEADER_BYTES_MAX && at + ID_BYTES <= request.len; at += ID_BYTES) {
        if ((request.ptr[at] & LAST_ID) != 0) {
            return at + ID_BYTES;
        }
    }
    return 0;
}

// --- Reading

static size_t
prefix_size(const sp_reader *reader)
{
    LP_REQUIRE(reader->is_greeted, SP_GREETING_BYTES);
    return reader->transport == SP_UNIX ? 1 + SIZE_BYTES : SIZE_BYTES;
}

void
sp_reader_fini(sp_reader *reader)
{
    free(reader->message.bytes);
    *reader = (sp_reader){0};
}

int
sp_reader_get_room(sp_reader *reader, struct iovec out_pieces[SP_READER_PIECES])
{
    LP_ASSERT(reader->count <= reader->capacity);
    LP_ASSERT(reader->prefix_count <= prefix_size(reader));
    int count = 0;
    if (reader->is_admitted) {
        if (reader->count == reader->capacity) {
            return 0;
        }
        out_pieces[count++] =
            (struct iovec){reader->message.bytes + reader->count, reader->capacity - reader->count};
    }
    // The prefix of the next message is read with this one, which saves a system call. Later bytes
    // stay in the kernel until they are wanted.
    bool is_whole = reader->capacity == reader->message.size_bytes;
    size_t missing = prefix_size(reader) - reader->prefix_count;
    if (missing > 0 && (!reader->is_admitted || is_whole)) {
        out_pieces[count++] = (struct iovec){reader->prefix + reader->prefix_count, missing};
    }
    return count;
}

void
sp_reader_fill(sp_reader *reader, size_t count)
{
    if (reader->is_admitted) {
        size_t missing = reader->capacity - reader->count;
        size_t here = count < missing ? count : missing;
        reader->count += here;
        count -= here;
    }
    reader->prefix_count += count;
    LP_ASSERT(reader->prefix_count <= prefix_size(reader));
    LP_ASSERT(reader->count <= reader->capacity);
}

// check_greeting takes the complete greeting. Returns whether a requester sent it.
static bool
check_greeting(sp_reader *reader)
{
    LP_ASSERT(!reader->is_greeted && reader->prefix_count == SP_GREETING_BYTES);
    uint8_t wanted[SP_GREETING_BYTES];
    write_greeting(PROTOCOL_REQ, wanted);
    LP_REQUIRE(memcmp(reader->prefix, wanted, sizeof(wanted)) == 0, false);
    reader->is_greeted = true;
    reader->prefix_count = 0;
    return true;
}

static sp_event
announce(sp_reader *reader)
{
    LP_ASSERT(reader->is_greeted && !reader->is_admitted);
    uint64_t size;
    memcpy(&size, reader->prefix + prefix_size(reader) - sizeof(size), sizeof(size));
    size = be64toh(size);
    LP_REQUIRE(reader->transport != SP_UNIX || reader->prefix[0] == UNIX_MARK, SP_FOREIGN);
    LP_REQUIRE(size >= ID_BYTES, SP_FOREIGN); // no room for a header
    LP_REQUIRE(size <= reader->message_bytes_max, SP_TOO_LARGE);
    reader->message.size_bytes = (size_t)size;
    return SP_ANNOUNCED;
}

static sp_event
grow(sp_reader *reader)
{
    LP_ASSERT(reader->count == reader->capacity);
    LP_ASSERT(reader->capacity < reader->message.size_bytes);
    uint8_t *bytes = realloc(reader->message.bytes, reader->message.size_bytes);
    LP_REQUIRE(bytes != NULL, SP_NO_MEMORY);
    reader->message.bytes = bytes;
    reader->capacity = reader->message.size_bytes;
    return SP_WAITS;
}

sp_event
sp_reader_next(sp_reader *reader)
{
    if (reader->is_admitted) {
        LP_REQUIRE(reader->count >= reader->capacity, SP_WAITS);
        return reader->count < reader->message.size_bytes ? grow(reader) : SP_MESSAGE;
    }
    LP_REQUIRE(reader->prefix_count >= prefix_size(reader), SP_WAITS);
    if (reader->is_greeted) {
        return announce(reader);
    }
    return check_greeting(reader) ? SP_WAITS : SP_FOREIGN;
}

lp_err
sp_reader_admit(sp_reader *reader)
{
    LP_ASSERT(!reader->is_admitted && reader->message.bytes == NULL);
    LP_ASSERT(reader->message.size_bytes >= ID_BYTES);
    size_t size = reader->message.size_bytes;
    size_t first = size < SP_FIRST_BYTES ? size : SP_FIRST_BYTES;
    uint8_t *bytes = malloc(first);
    LP_REQUIRE(bytes != NULL, LP_ENOMEM);
    reader->message.bytes = bytes;
    reader->capacity = first;
    reader->count = 0;
    reader->is_admitted = true;
    reader->prefix_count = 0; // from now on of the next message
    return LP_OK;
}

sp_message
sp_reader_take(sp_reader *reader)
{
    LP_ASSERT(reader->is_admitted && reader->count == reader->message.size_bytes);
    sp_message message = reader->message;
    reader->message = (sp_message){0};
    reader->is_admitted = false;
    reader->capacity = 0;
    reader->count = 0;
    return message;
}

bool
sp_reader_is_partial(const sp_reader *reader)
{
    return !reader->is_greeted || reader->is_admitted || reader->prefix_count > 0;
}
