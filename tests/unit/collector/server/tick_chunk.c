// SPDX-License-Identifier: Apache-2.0

#include "unit/collector/server/tick_chunk.h"

#include "support/be64.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum {
    TYPE_LONG = 5,
    TYPE_TICK = 100,
    FLUSHED_STATE = 1,
    REASONS = 10,
    LOSS_ID = (1 << 27) + 511,
    REQUEST_IDS = (1 << 27) + 508, // of the three types that say which requests there are
    REQUEST_IDS_END = LOSS_ID,
};

static void
put_byte(lp_buf *out, uint8_t byte)
{
    lp_buf_append(out, &byte, 1);
}

static void
put_varint(lp_buf *out, uint64_t value)
{
    for (int i = 0; i < 8 && value >= 0x80; i++) {
        put_byte(out, (uint8_t)(value | 0x80));
        value >>= 7;
    }
    put_byte(out, (uint8_t)value); // the ninth byte is taken as it is
}

static void
put_be(uint8_t *bytes, uint64_t value, int count)
{
    for (int i = count; i > 0; i--) {
        bytes[i - 1] = (uint8_t)value;
        value >>= 8;
    }
}

// put_event appends an event with this type and body, in front of which its size goes.
static void
put_event(lp_buf *out, uint64_t type, const lp_buf *body)
{
    lp_buf head = {0};
    put_varint(&head, type);
    size_t size = head.len + body->len + 4;
    for (int i = 0; i < 4; i++) { // the size in four bytes, as HotSpot does
        put_byte(out, (uint8_t)((size >> (7 * i) & 0x7f) | (i < 3 ? 0x80 : 0)));
    }
    lp_buf_append(out, head.ptr, head.len);
    lp_buf_append(out, body->ptr, body->len);
    lp_buf_fini(&head);
}

// The strings of the metadata event; elements name them by index.
static const char *const strings[] = {"root", "metadata", "region", "class", "field", "name", "id",
    "superType", "long", "test.Tick", "jdk.jfr.Event", "startTime", "number", "5", "100"};

enum {
    S_ROOT,
    S_METADATA,
    S_REGION,
    S_CLASS,
    S_FIELD,
    S_NAME,
    S_ID,
    S_SUPER_TYPE,
    S_LONG,
    S_TICK,
    S_EVENT,
    S_START_TIME,
    S_NUMBER,
    S_5,
    S_100,
    S_COUNT,
};

static void
put_all(lp_buf *out, const uint8_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        put_varint(out, values[i]);
    }
}

static void
put_metadata(lp_buf *out)
{
    // An element is: name, number of attributes, (key, value)..., number of children, children.
    static const uint8_t elements[] = {
        S_ROOT, 0, 2,                                                      //
        S_METADATA, 0, 2,                                                  //
        S_CLASS, 2, S_NAME, S_LONG, S_ID, S_5, 0,                          //
        S_CLASS, 3, S_NAME, S_TICK, S_SUPER_TYPE, S_EVENT, S_ID, S_100, 2, //
        S_FIELD, 2, S_NAME, S_START_TIME, S_CLASS, S_5, 0,                 //
        S_FIELD, 2, S_NAME, S_NUMBER, S_CLASS, S_5, 0,                     //
        S_REGION, 0, 0,                                                    //
    };
    lp_buf body = {0};
    put_all(&body, (const uint8_t[]){1, 0, 1, S_COUNT}, 4); // start time, duration, metadata id
    for (size_t i = 0; i < S_COUNT; i++) {
        put_byte(&body, 3); // UTF-8
        put_varint(&body, strlen(strings[i]));
        lp_buf_append(&body, strings[i], strlen(strings[i]));
    }
    put_all(&body, elements, sizeof(elements));
    put_event(out, 0, &body);
    lp_buf_fini(&body);
}

void
tick_chunk_init(tick_chunk *chunk, int64_t start_wall_ns)
{
    *chunk = (tick_chunk){.start_wall_ns = start_wall_ns};
    uint8_t header[TICK_HEADER_BYTES] = {0};
    lp_buf_append(&chunk->bytes, header, sizeof(header));
    chunk->metadata_offset = chunk->bytes.len;
    put_metadata(&chunk->bytes);

    lp_buf body = {0}; // start time, duration, delta, flags, pools
    put_all(&body, (const uint8_t[]){1, 0, 0, 1, 0}, 5);
    chunk->checkpoint_offset = chunk->bytes.len;
    put_event(&chunk->bytes, 1, &body);
    lp_buf_fini(&body);
    tick_chunk_header(chunk, 0, header);
    memcpy(chunk->bytes.ptr, header, sizeof(header));
}

void
tick_chunk_fini(tick_chunk *chunk)
{
    lp_buf_fini(&chunk->bytes);
}

void
tick_chunk_add(tick_chunk *chunk, uint64_t number)
{
    lp_buf body = {0};
    put_varint(&body, 1000 + number); // start time
    put_varint(&body, number);
    put_event(&chunk->bytes, TYPE_TICK, &body);
    lp_buf_fini(&body);
    assert_int_equal(lp_buf_check(&chunk->bytes), LP_OK);
}

void
tick_chunk_header(
    const tick_chunk *chunk, int64_t duration_ns, uint8_t out_header[TICK_HEADER_BYTES])
{
    memcpy(out_header, "FLR\0\0\2\0\1", 8);
    put_be(out_header + 8, chunk->bytes.len, 8);
    put_be(out_header + 16, chunk->checkpoint_offset, 8);
    put_be(out_header + 24, chunk->metadata_offset, 8);
    put_be(out_header + 32, (uint64_t)chunk->start_wall_ns, 8);
    put_be(out_header + 40, (uint64_t)duration_ns, 8);
    put_be(out_header + 48, chunk->start_ticks == 0 ? 1 : chunk->start_ticks, 8);
    put_be(out_header + 56, 1000000000, 8); // ticks a second
    memcpy(out_header + 64, "\1\0\0\1", 4); // still being written; varints
}

static uint64_t
get_varint(const uint8_t **at)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint8_t byte = *(*at)++;
        if (shift == 56) {
            return value | (uint64_t)byte << shift;
        }
        value |= (uint64_t)(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0) {
            return value;
        }
    }
}

// What is read of a chunk.
typedef struct chunk_count {
    const uint8_t *header;
    unsigned *counts;
    uint64_t limit;
    uint64_t ticks;
    uint64_t kept; // by what the chunk says itself
    uint64_t dropped;
    unsigned accounts;
    tick_losses *losses; // NULL: they are not wanted
} chunk_count;

static void
count_tick(chunk_count *c, const uint8_t *at)
{
    (void)get_varint(&at);
    uint64_t number = get_varint(&at);
    assert_true(number < c->limit);
    c->counts[number]++;
    c->ticks++;
}

// count_account reads an event dev.loupe.Accounting, which goes up to end.
static void
count_account(chunk_count *c, const uint8_t *at, const uint8_t *end)
{
    static const char name[] = "test.Tick offered="; // the only type
    assert_int_equal(get_varint(&at), be64_get(c->header + 48));
    assert_int_equal(get_varint(&at), be64_get(c->header + 40)); // a tick is a nanosecond
    uint64_t offered = get_varint(&at);
    c->kept = get_varint(&at);
    for (size_t i = 0; i < REASONS; i++) {
        c->dropped += get_varint(&at);
    }
    assert_int_equal(*at++, 3); // UTF-8
    uint64_t length = get_varint(&at);
    assert_true(length == (uint64_t)(end - at) && length > sizeof(name));
    assert_memory_equal(at, name, sizeof(name) - 1);
    assert_true(c->dropped > 0);
    assert_int_equal(offered, c->kept + c->dropped);
    c->accounts++;
}

static const uint8_t *
read_text(const uint8_t *at, char *text, size_t room)
{
    uint8_t encoding = *at++;
    uint64_t length = 0;
    if (encoding != 1) {               // empty
        assert_int_equal(encoding, 3); // UTF-8
        length = get_varint(&at);
    }
    assert_true(length < room);
    memcpy(text, at, length);
    text[length] = '\0';
    return at + length;
}

// count_loss reads an event dev.loupe.Loss, which goes up to end.
static void
count_loss(const chunk_count *c, const uint8_t *at, const uint8_t *end)
{
    char kind[32];
    char message[256];
    assert_int_equal(get_varint(&at), be64_get(c->header + 48));
    assert_int_equal(get_varint(&at), be64_get(c->header + 40));
    at = read_text(at, kind, sizeof(kind));
    uint64_t amount = get_varint(&at);
    assert_ptr_equal(read_text(at, message, sizeof(message)), end);
    assert_true(amount > 0 && message[0] != '\0');
    if (c->losses != NULL) {
        assert_true(c->losses->count < 16);
        memcpy(c->losses->items[c->losses->count].kind, kind, sizeof(kind));
        memcpy(c->losses->items[c->losses->count].message, message, sizeof(message));
        c->losses->items[c->losses->count++].amount = amount;
    }
}

// count_event counts the event at the start of bytes and gives its size.
static uint64_t
count_event(chunk_count *c, const uint8_t *bytes)
{
    const uint8_t *at = bytes;
    uint64_t size = get_varint(&at);
    uint64_t type = get_varint(&at);
    assert_true(size > 0);
    // Neither metadata nor checkpoint. There is one other type, and those that Loupe adds, which
    // have such large ids.
    bool is_of_requests = type >= REQUEST_IDS && type < REQUEST_IDS_END;
    if (type == LOSS_ID) {
        count_loss(c, at, bytes + size);
    } else if (type >= 1 << 27 && !is_of_requests) {
        count_account(c, at, bytes + size);
    } else if (type > 1 && !is_of_requests) {
        count_tick(c, at);
    }
    return size;
}

static uint64_t
read_chunks(
    const uint8_t *bytes, size_t size, unsigned *counts, uint64_t limit, tick_losses *losses)
{
    uint64_t dropped = 0;
    for (size_t chunk = 0; chunk < size;) {
        assert_true(size - chunk >= TICK_HEADER_BYTES);
        assert_memory_equal(bytes + chunk, "FLR", 4);
        assert_int_equal(bytes[chunk + 64], 0); // finished
        uint64_t end = chunk + be64_get(bytes + chunk + 8);
        assert_true(end <= size);
        chunk_count c = {
            .header = bytes + chunk, .counts = counts, .limit = limit, .losses = losses};
        for (uint64_t at = chunk + TICK_HEADER_BYTES; at < end;) {
            at += count_event(&c, bytes + at);
        }
        assert_true(c.accounts == 0 || (c.accounts == 1 && c.kept == c.ticks));
        dropped += c.dropped;
        chunk = end;
    }
    return dropped;
}

uint64_t
tick_chunk_count(const uint8_t *bytes, size_t size, unsigned *counts, uint64_t limit)
{
    return read_chunks(bytes, size, counts, limit, NULL);
}

void
tick_chunk_list_losses(const uint8_t *bytes, size_t size, tick_losses *out)
{
    enum { NUMBERS_MAX = 10000 };
    unsigned counts[NUMBERS_MAX] = {0};
    (void)read_chunks(bytes, size, counts, NUMBERS_MAX, out);
}
