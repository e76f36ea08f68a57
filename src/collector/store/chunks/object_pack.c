// SPDX-License-Identifier: Apache-2.0
#include "collector/store/chunks/object_pack.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"

#include <endian.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ID_BYTES = CATALOG_ID_CHARS / 2,
    MAGIC_BYTES = 8,
    HASHED_TAIL_BYTES = OBJECT_PACK_TAIL_BYTES - 8,
    TIME_DIGITS = 12,
    NUMBER_MAX = 999999,
};

static const char magic[MAGIC_BYTES + 1] = "LPPACK1\n";
static const int64_t NS_PER_S = 1000000000;

// --- Writing

static void
put_number(lp_buf *to, uint64_t value, size_t size_bytes)
{
    value = htole64(value);
    lp_buf_append(to, &value, size_bytes);
}

static uint8_t
digit_of(char c)
{
    return (uint8_t)(c <= '9' ? c - '0' : c - 'a' + 10);
}

static void
put_id(lp_buf *to, const char *session_id)
{
    uint8_t bytes[ID_BYTES];
    for (size_t i = 0; i < ID_BYTES; i++) {
        bytes[i] = (uint8_t)(digit_of(session_id[2 * i]) << 4 | digit_of(session_id[2 * i + 1]));
    }
    lp_buf_append(to, bytes, sizeof(bytes));
}

void
object_pack_append(lp_buf *footer, const object_pack_chunk *chunk)
{
    LP_ASSERT(catalog_id_is_valid(chunk->session_id));

    put_id(footer, chunk->session_id);
    put_number(footer, chunk->ordinal, 4);
    put_number(footer, 0, 4);
    put_number(footer, chunk->offset, 8);
    put_number(footer, chunk->stored_bytes, 8);
    put_number(footer, chunk->size_bytes, 8);
    put_number(footer, chunk->content_hash, 8);
    put_number(footer, chunk->stored_hash, 8);
}

void
object_pack_finish(lp_buf *footer, uint64_t footer_at)
{
    LP_ASSERT(footer->is_failed || footer->len % OBJECT_PACK_ENTRY_BYTES == 0);
    uint64_t count = footer->len / OBJECT_PACK_ENTRY_BYTES;
    lp_buf_append(footer, magic, MAGIC_BYTES);
    put_number(footer, count, 4);
    put_number(footer, 0, 4);
    put_number(footer, footer_at, 8);
    put_number(footer, lp_hash_bytes(LP_HASH_FIXED, lp_buf_slice(footer)), 8);
}

// --- Reading

static uint64_t
get_number(const uint8_t *from, size_t size_bytes)
{
    uint64_t value = 0;
    memcpy(&value, from, size_bytes);
    return le64toh(value);
}

// read_entry returns false if the chunk does not lie before the footer.
static bool
read_entry(const uint8_t *from, uint64_t footer_at, object_pack_chunk *out_chunk)
{
    object_pack_chunk chunk = {
        .ordinal = (uint32_t)get_number(from + 16, 4),
        .offset = get_number(from + 24, 8),
        .stored_bytes = get_number(from + 32, 8),
        .size_bytes = get_number(from + 40, 8),
        .content_hash = get_number(from + 48, 8),
        .stored_hash = get_number(from + 56, 8),
    };
    for (size_t i = 0; i < ID_BYTES; i++) {
        (void)snprintf(chunk.session_id + 2 * i, 3, "%02x", from[i]);
    }
    *out_chunk = chunk;
    return chunk.offset <= footer_at && chunk.stored_bytes <= footer_at - chunk.offset;
}

lp_err
object_pack_read(lp_slice object, object_pack_chunks *out_chunks)
{
    LP_REQUIRE(object.len >= OBJECT_PACK_TAIL_BYTES, LP_ECORRUPT);
    const uint8_t *tail = object.ptr + object.len - OBJECT_PACK_TAIL_BYTES;
    LP_REQUIRE(memcmp(tail, magic, MAGIC_BYTES) == 0,
        memcmp(tail, magic, MAGIC_BYTES - 2) == 0 ? LP_EVERSION : LP_ECORRUPT);
    uint64_t count = get_number(tail + 8, 4);
    uint64_t footer_at = get_number(tail + 16, 8);
    uint64_t entries_at = object.len - OBJECT_PACK_TAIL_BYTES;
    if (count > entries_at / OBJECT_PACK_ENTRY_BYTES ||
        footer_at != entries_at - count * OBJECT_PACK_ENTRY_BYTES) {
        return LP_ECORRUPT;
    }
    const lp_slice hashed = {
        object.ptr + footer_at, (size_t)count * OBJECT_PACK_ENTRY_BYTES + HASHED_TAIL_BYTES};
    LP_REQUIRE(lp_hash_bytes(LP_HASH_FIXED, hashed) == get_number(tail + HASHED_TAIL_BYTES, 8),
        LP_ECORRUPT);
    for (uint64_t i = 0; i < count; i++) {
        object_pack_chunk chunk;
        if (!read_entry(object.ptr + footer_at + i * OBJECT_PACK_ENTRY_BYTES, footer_at, &chunk)) {
            return LP_ECORRUPT;
        }
        LP_TRY(LP_VEC_ADD(out_chunks, chunk));
    }
    return LP_OK;
}

// --- Names

void
object_pack_format_name(
    int64_t wall_ns, uint64_t run, uint32_t number, char out_name[BLOB_OBJECT_CHARS + 1])
{
    uint64_t seconds = wall_ns < 0 ? 0 : (uint64_t)(wall_ns / NS_PER_S);
    (void)snprintf(out_name, BLOB_OBJECT_CHARS + 1, "%0*" PRIu64 "-%016" PRIx64 "-%06" PRIu32,
        (int)TIME_DIGITS, seconds, run, number % (NUMBER_MAX + 1));
}

bool
object_pack_name_time(const char *name, int64_t *out_wall_ns)
{
    static const char form[BLOB_OBJECT_CHARS + 1] = "000000000000-xxxxxxxxxxxxxxxx-000000";
    LP_REQUIRE(strlen(name) == BLOB_OBJECT_CHARS, false);
    for (size_t i = 0; i < BLOB_OBJECT_CHARS; i++) {
        char c = name[i];
        bool is_digit = c >= '0' && c <= '9';
        bool fits = form[i] == '-'   ? c == '-'
                    : form[i] == 'x' ? is_digit || (c >= 'a' && c <= 'f')
                                     : is_digit;
        LP_REQUIRE(fits, false);
    }
    int64_t seconds = strtoll(name, NULL, 10);
    *out_wall_ns = seconds < INT64_MAX / NS_PER_S ? seconds * NS_PER_S : INT64_MAX;
    return true;
}
