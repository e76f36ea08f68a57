// SPDX-License-Identifier: Apache-2.0
#include "common/context/ctx_pack.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// Numbers are written and read as they lie in memory.
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a little-endian machine");

enum {
    KIND_BITS = 2,
    TYPE_BITS = 4,
    COUNT_SHIFT = KIND_BITS + TYPE_BITS,
    COUNT_ELSEWHERE = 3,
    WORD_BYTES = 8,
    PAIR_BYTES_MAX = 1 + 2 * WORD_BYTES,
};

// The most bytes that packed records of size_bytes take, with the scratch space of put_pair. The
// three header words leave room for lead, count and one pair.
static size_t
room_for(size_t bytes)
{
    return (bytes / WORD_BYTES + 1) * PAIR_BYTES_MAX;
}

_Static_assert(CTX_RECORD_BYTES_MAX / WORD_BYTES <= UINT16_MAX, "two bytes count the words");

static int64_t
min_ticks(int64_t left, int64_t right)
{
    return left < right ? left : right;
}

static uint64_t
zigzag(int64_t to, int64_t from)
{
    uint64_t difference = (uint64_t)to - (uint64_t)from;
    return difference << 1 ^ (0 - (difference >> 63));
}

static int64_t
unzigzag(uint64_t word, int64_t from)
{
    return (int64_t)((uint64_t)from + (word >> 1 ^ (0 - (word & 1))));
}

// --- Packing

static unsigned
bytes_of(uint64_t word)
{
    return word == 0 ? 0 : (unsigned)(71 - __builtin_clzll(word)) / 8;
}

// put_pair needs room for PAIR_BYTES_MAX. A call would cost as much as its work.
static inline __attribute__((always_inline)) uint8_t *
put_pair(uint8_t *out, uint64_t first, uint64_t second)
{
    unsigned first_bytes = bytes_of(first);
    unsigned second_bytes = bytes_of(second);
    *out++ = (uint8_t)(first_bytes | second_bytes << 4);
    memcpy(out, &first, sizeof(first));
    out += first_bytes;
    memcpy(out, &second, sizeof(second));
    return out + second_bytes;
}

static uint8_t *
put_words(uint8_t *out, const uint8_t *words, size_t count)
{
    uint64_t pair[2] = {0};
    for (; count >= 2; count -= 2, words += sizeof(pair)) {
        memcpy(pair, words, sizeof(pair));
        out = put_pair(out, pair[0], pair[1]);
    }
    if (count == 1) {
        memcpy(pair, words, WORD_BYTES);
        out = put_pair(out, pair[0], 0);
    }
    return out;
}

// put_copy packs a record that does not fit into the form of the others.
static uint8_t *
put_copy(uint8_t *out, const ctx_record_header *header, const uint8_t *record)
{
    *out++ = 0;
    memcpy(out, &header->size_bytes, sizeof(header->size_bytes));
    out += sizeof(header->size_bytes);
    memcpy(out, header, sizeof(*header));
    out[offsetof(ctx_record_header, flags)] = 0;
    memcpy(out + sizeof(*header), record + sizeof(*header), header->size_bytes - sizeof(*header));
    return out + header->size_bytes;
}

// put_record packs a record after the one of *before, which becomes this one.
static inline __attribute__((always_inline)) uint8_t *
put_record(
    ctx_pack_state *before, uint8_t *out, const ctx_record_header *header, const uint8_t *record)
{
    bool is_regular = header->kind != 0 && header->kind >> KIND_BITS == 0 &&
                      header->type_id >> TYPE_BITS == 0 && header->size_bytes % WORD_BYTES == 0;
    if (__builtin_expect(!is_regular, false)) {
        const ctx_record_header copy = *header; // so that *header itself can stay in registers
        return put_copy(out, &copy, record);
    }
    uint16_t count = (uint16_t)((header->size_bytes - sizeof(*header)) / WORD_BYTES);
    unsigned lead_count = count < COUNT_ELSEWHERE ? count : COUNT_ELSEWHERE;
    *out++ = (uint8_t)(header->kind | (unsigned)header->type_id << KIND_BITS |
                       lead_count << COUNT_SHIFT);
    if (lead_count == COUNT_ELSEWHERE) {
        memcpy(out, &count, sizeof(count));
        out += sizeof(count);
    }
    out = put_pair(out, zigzag(header->thread_id, before->thread_id),
        zigzag(header->time_ticks, before->time_ticks));
    *before = (ctx_pack_state){header->thread_id, header->time_ticks};
    return put_words(out, record + sizeof(*header), count);
}

void
ctx_packer_fini(ctx_packer *packer)
{
    lp_buf_fini(&packer->packed);
    LP_VEC_FINI(&packer->runs);
    *packer = (ctx_packer){.run_bytes = packer->run_bytes};
}

void
ctx_packer_clear(ctx_packer *packer)
{
    lp_buf_clear(&packer->packed);
    packer->runs.count = 0;
    packer->size_bytes = 0;
}

lp_err
ctx_packer_reserve(ctx_packer *packer, size_t size_bytes)
{
    size_t before = packer->packed.len;
    bool has_room = LP_VEC_RESERVE(&packer->runs, size_bytes / packer->run_bytes + 2) &&
                    lp_buf_extend(&packer->packed, room_for(size_bytes)) != NULL;
    packer->packed.len = before;
    packer->packed.is_failed = false;
    return has_room ? LP_OK : LP_ENOMEM;
}

// find_run returns the run that has room for a record.
static ctx_pack_run *
find_run(ctx_packer *packer)
{
    size_t count = packer->runs.count;
    if (count == 0 || packer->runs.items[count - 1].size_bytes >= packer->run_bytes) {
        packer->runs.items[count] = (ctx_pack_run){.first_ticks = INT64_MAX};
        packer->runs.count = ++count;
        packer->before = (ctx_pack_state){0};
    }
    return &packer->runs.items[count - 1];
}

// finish notes that the run's records have these sizes and this first time now.
static void
finish(ctx_packer *packer, ctx_pack_run *run, const uint8_t *packed_end, size_t size_bytes,
    int64_t first_ticks)
{
    packer->packed.len = (size_t)(packed_end - packer->packed.ptr);
    packer->size_bytes += size_bytes - run->size_bytes;
    *run = (ctx_pack_run){packer->packed.len, size_bytes, first_ticks};
}

void
ctx_packer_put(ctx_packer *packer, const ctx_record_header *header, const uint8_t *record)
{
    ctx_pack_run *run = find_run(packer);
    uint8_t *out = packer->packed.ptr + packer->packed.len;
    out = put_record(&packer->before, out, header, record);
    finish(packer, run, out, run->size_bytes + header->size_bytes,
        min_ticks(run->first_ticks, header->time_ticks));
}

// put_in_run does the work of ctx_packer_put_plain until the run is full.
static const uint8_t *
put_in_run(ctx_packer *packer, ctx_pack_run *run, const uint8_t *at, const uint8_t *end,
    uint64_t *inout_sets)
{
    // In registers: the compiler cannot tell that the packed bytes are not the packer.
    ctx_pack_state before = packer->before;
    uint8_t *out = packer->packed.ptr + packer->packed.len;
    size_t run_bytes = packer->run_bytes;
    size_t size_bytes = run->size_bytes;
    int64_t first_ticks = run->first_ticks;
    uint64_t sets = 0;
    while (at < end && size_bytes < run_bytes) {
        ctx_record_header header = ctx_record_read(at);
        if ((header.flags & CTX_RECORD_LOOSE) != 0 ||
            !ctx_record_is_valid(&header, (size_t)(end - at))) {
            break;
        }
        out = put_record(&before, out, &header, at);
        at += header.size_bytes;
        size_bytes += header.size_bytes;
        first_ticks = min_ticks(first_ticks, header.time_ticks);
        sets += header.kind == CTX_RECORD_SET;
    }
    packer->before = before;
    finish(packer, run, out, size_bytes, first_ticks);
    *inout_sets += sets;
    return at;
}

const uint8_t *
ctx_packer_put_plain(
    ctx_packer *packer, const uint8_t *at, const uint8_t *end, uint64_t *inout_sets)
{
    bool is_full = true;
    while (at < end && is_full) {
        ctx_pack_run *run = find_run(packer);
        at = put_in_run(packer, run, at, end, inout_sets);
        is_full = run->size_bytes >= packer->run_bytes;
        packer->runs.count -= run->size_bytes == 0; // it stopped at the first record of a new run
    }
    return at;
}

// --- Unpacking

// take copies count bytes from packed; false if there are fewer.
static bool
take(lp_slice *packed, void *bytes, size_t count)
{
    LP_REQUIRE(packed->len >= count, false);
    memcpy(bytes, packed->ptr, count);
    packed->ptr += count;
    packed->len -= count;
    return true;
}

static bool
take_pair(lp_slice *packed, uint64_t pair[2])
{
    uint8_t sizes;
    pair[0] = pair[1] = 0;
    return take(packed, &sizes, 1) && (sizes & 15) <= WORD_BYTES && sizes >> 4 <= WORD_BYTES &&
           take(packed, &pair[0], sizes & 15) && take(packed, &pair[1], sizes >> 4);
}

static bool
take_words(lp_slice *packed, uint8_t *words, size_t count)
{
    uint64_t pair[2];
    for (; count >= 2; count -= 2, words += sizeof(pair)) {
        LP_REQUIRE(take_pair(packed, pair), false);
        memcpy(words, pair, sizeof(pair));
    }
    if (count == 1) {
        LP_REQUIRE(take_pair(packed, pair) && pair[1] == 0, false);
        memcpy(words, pair, WORD_BYTES);
    }
    return true;
}

// unpack_record returns the size of the record that it writes to out, 0 if there is none that fits
// into room.
static size_t
unpack_record(ctx_pack_state *state, lp_slice *packed, uint8_t *out, size_t room)
{
    uint8_t lead = 0;
    uint32_t size;
    LP_REQUIRE(take(packed, &lead, 1), 0);
    if (lead == 0) {
        bool is_there = take(packed, &size, sizeof(size)) && size > 0 && size <= room &&
                        take(packed, out, size);
        return is_there ? size : 0;
    }
    uint16_t count = lead >> COUNT_SHIFT;
    uint64_t pair[2];
    if ((count == COUNT_ELSEWHERE && !take(packed, &count, sizeof(count))) ||
        !take_pair(packed, pair)) {
        return 0;
    }
    size = (uint32_t)sizeof(ctx_record_header) + (uint32_t)count * WORD_BYTES;
    const ctx_record_header header = {
        .size_bytes = size,
        .type_id = lead >> KIND_BITS & ((1 << TYPE_BITS) - 1),
        .kind = lead & ((1 << KIND_BITS) - 1),
        .thread_id = unzigzag(pair[0], state->thread_id),
        .time_ticks = unzigzag(pair[1], state->time_ticks),
    };
    LP_REQUIRE(size <= room && take_words(packed, out + sizeof(header), count), 0);
    memcpy(out, &header, sizeof(header));
    *state = (ctx_pack_state){header.thread_id, header.time_ticks};
    return size;
}

lp_err
ctx_unpack(lp_slice packed, size_t size_bytes, lp_buf *out)
{
    if (size_bytes == 0) {
        return packed.len == 0 ? LP_OK : LP_ECORRUPT;
    }
    size_t before = out->len;
    uint8_t *records = lp_buf_extend(out, size_bytes);
    LP_REQUIRE(records != NULL, LP_ENOMEM);
    ctx_pack_state state = {0};
    size_t done = 0;
    size_t size = 1;
    while (packed.len > 0 && size > 0) {
        size = unpack_record(&state, &packed, records + done, size_bytes - done);
        done += size;
    }
    if (size == 0 || done != size_bytes) {
        out->len = before;
        return LP_ECORRUPT;
    }
    return LP_OK;
}
