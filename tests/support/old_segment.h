// SPDX-License-Identifier: Apache-2.0
// old_segment: makes segments of version 1 (id_object_old.h), as their writer made them, which is
// gone. It knows nothing of how they are read.

#ifndef LP_TESTS_SUPPORT_OLD_SEGMENT_H
#define LP_TESTS_SUPPORT_OLD_SEGMENT_H

#include "common/base/lp_buf.h"
#include "common/base/lp_hash.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    OLD_SEGMENT_BLOCK_ENTRIES = 1024,
    OLD_SEGMENT_ENTRY_BYTES = 16,
    OLD_SEGMENT_HEADER_BYTES = 64,
};

typedef struct old_segment_entry {
    uint64_t hash;
    uint32_t session; // index
    uint32_t ordinal;
} old_segment_entry;

static inline int
old_segment_compare(const void *a, const void *b)
{
    const old_segment_entry *one = a;
    const old_segment_entry *other = b;
    if (one->hash != other->hash) {
        return one->hash < other->hash ? -1 : 1;
    }
    if (one->session != other->session) {
        return one->session < other->session ? -1 : 1;
    }
    return one->ordinal < other->ordinal ? -1 : one->ordinal > other->ordinal;
}

static inline void
old_segment_append(lp_buf *to, uint64_t number, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        uint8_t byte = (uint8_t)(number >> 8 * i);
        lp_buf_append(to, &byte, 1);
    }
}

static inline void
old_segment_append_filter(lp_buf *to, const old_segment_entry *entries, size_t count)
{
    uint64_t words = (count * 12 + 63) / 64;
    uint8_t *filter = lp_buf_extend(to, (size_t)words * 8);
    if (filter == NULL) {
        abort();
    }
    memset(filter, 0, (size_t)words * 8);
    for (size_t i = 0; i < count; i++) {
        uint64_t stride = (entries[i].hash >> 32 | entries[i].hash << 32) | 1;
        for (unsigned step = 0; step < 8; step++) {
            uint64_t bit = (entries[i].hash + step * stride) % (words * 64);
            filter[bit / 8] |= (uint8_t)(1 << bit % 8);
        }
    }
}

// old_segment_append_head_end appends filter, blocks and sessions; bytes are those of the entries.
static inline void
old_segment_append_head_end(lp_buf *to, const old_segment_entry *entries, size_t count,
    lp_slice bytes, const uint8_t (*sessions)[16], uint32_t session_count)
{
    const size_t block_bytes = OLD_SEGMENT_BLOCK_ENTRIES * OLD_SEGMENT_ENTRY_BYTES;
    old_segment_append_filter(to, entries, count);
    for (size_t at = 0; at < bytes.len; at += block_bytes) {
        size_t left = bytes.len - at;
        const lp_slice block = {bytes.ptr + at, left < block_bytes ? left : block_bytes};
        old_segment_append(to, entries[at / OLD_SEGMENT_ENTRY_BYTES].hash, 8);
        old_segment_append(to, lp_hash_bytes(LP_HASH_FIXED, block), 8);
    }
    lp_buf_append(to, sessions, session_count * sizeof(*sessions));
}

// old_segment_make appends a segment to an empty buffer, and returns how long its head is. It puts
// the entries in order.
static inline uint64_t
old_segment_make(lp_buf *to, old_segment_entry *entries, size_t count,
    const uint8_t (*sessions)[16], uint32_t session_count, int64_t from_wall_ns, int64_t to_wall_ns)
{
    lp_buf bytes = {0};
    qsort(entries, count, sizeof(*entries), old_segment_compare);
    for (size_t i = 0; i < count; i++) {
        old_segment_append(&bytes, entries[i].hash, 8);
        old_segment_append(&bytes, entries[i].session, 4);
        old_segment_append(&bytes, entries[i].ordinal, 4);
    }
    uint64_t words = (count * 12 + 63) / 64;
    uint64_t blocks = (count + OLD_SEGMENT_BLOCK_ENTRIES - 1) / OLD_SEGMENT_BLOCK_ENTRIES;
    uint64_t head_bytes =
        OLD_SEGMENT_HEADER_BYTES + words * 8 + blocks * 16 + (uint64_t)session_count * 16;
    lp_buf rest = {0}; // of the head, behind the check
    old_segment_append(&rest, head_bytes, 8);
    old_segment_append(&rest, count, 8);
    old_segment_append(&rest, (uint64_t)from_wall_ns, 8);
    old_segment_append(&rest, (uint64_t)to_wall_ns, 8);
    old_segment_append(&rest, session_count, 4);
    old_segment_append(&rest, blocks, 4);
    old_segment_append(&rest, words, 8);
    old_segment_append_head_end(
        &rest, entries, count, lp_buf_slice(&bytes), sessions, session_count);
    lp_buf_append(to, "LPIDOBJ\1", 8);
    old_segment_append(to, lp_hash_bytes(LP_HASH_FIXED, lp_buf_slice(&rest)), 8);
    lp_buf_append(to, rest.ptr, rest.len);
    lp_buf_append(to, bytes.ptr, bytes.len);
    if (lp_buf_check(to) != LP_OK) {
        abort();
    }
    lp_buf_fini(&rest);
    lp_buf_fini(&bytes);
    return head_bytes;
}

#endif // LP_TESTS_SUPPORT_OLD_SEGMENT_H
