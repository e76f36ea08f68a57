// SPDX-License-Identifier: Apache-2.0
#include "collector/index/id_object_writer.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_sort.h"

#include <string.h>

static bool
is_before(const id_object_entry *a, const id_object_entry *b)
{
    if (a->hash != b->hash) {
        return a->hash < b->hash;
    }
    return a->session != b->session ? a->session < b->session : a->ordinal < b->ordinal;
}

LP_SORT_DEFINE(sort_entries, id_object_entry, is_before)

void
id_object_writer_fini(id_object_writer *self)
{
    LP_VEC_FINI(&self->entries);
    LP_VEC_FINI(&self->sessions);
    lp_map_fini(&self->by_hash);
}

// find_session returns the index of a session, which is added if it is not there; LP_MAP_NONE:
// memory ran out. Of two whose hashes are the same the second one is there several times.
static uint32_t
find_session(id_object_writer *self, const uint8_t id[ID_SEGMENT_SESSION_BYTES])
{
    uint64_t hash = lp_hash_bytes(LP_HASH_FIXED, (lp_slice){id, ID_SEGMENT_SESSION_BYTES});
    uint32_t found = lp_map_find(&self->by_hash, hash);
    if (found != LP_MAP_NONE &&
        memcmp(self->sessions.items[found].id, id, ID_SEGMENT_SESSION_BYTES) == 0) {
        return found;
    }
    uint32_t index = (uint32_t)self->sessions.count;
    id_object_session *added = LP_VEC_PUSH(&self->sessions);
    if (added == NULL || lp_map_put(&self->by_hash, hash, index) != LP_OK) {
        return LP_MAP_NONE;
    }
    memcpy(added->id, id, ID_SEGMENT_SESSION_BYTES);
    return index;
}

lp_err
id_object_writer_add(
    id_object_writer *self, const id_segment_chunk *chunk, int64_t start_wall_ns, lp_slice hashes)
{
    size_t count = hashes.len / sizeof(uint64_t);
    if (count > ID_OBJECT_ENTRIES_MAX - self->entries.count) {
        return LP_ELIMIT;
    }
    uint32_t session = find_session(self, chunk->session);
    if (session == LP_MAP_NONE || !LP_VEC_RESERVE(&self->entries, count)) {
        return LP_ENOMEM;
    }
    bool is_first = self->entries.count == 0;
    for (size_t i = 0; i < count; i++) {
        id_object_entry entry = {.session = session, .ordinal = chunk->ordinal};
        memcpy(&entry.hash, hashes.ptr + i * sizeof(entry.hash), sizeof(entry.hash));
        self->entries.items[self->entries.count++] = entry;
    }
    if (is_first || start_wall_ns < self->from_wall_ns) {
        self->from_wall_ns = start_wall_ns;
    }
    if (is_first || start_wall_ns > self->to_wall_ns) {
        self->to_wall_ns = start_wall_ns;
    }
    return LP_OK;
}

// --- The object

static lp_err
order_entries(id_object_writer *self)
{
    size_t count = self->entries.count;
    id_object_entry *spare = lp_large_alloc((count / 2 + 1) * sizeof(*spare));
    if (spare == NULL) {
        return LP_ENOMEM;
    }
    sort_entries(self->entries.items, count, spare);
    lp_large_free(spare);
    return LP_OK;
}

static void
fill_filter(const id_object_writer *self, uint64_t *filter, uint64_t word_count)
{
    memset(filter, 0, word_count * sizeof(*filter));
    for (size_t i = 0; i < self->entries.count; i++) {
        for (unsigned step = 0; step < ID_OBJECT_FILTER_PROBES; step++) {
            uint64_t bit = id_object_probe(self->entries.items[i].hash, step, word_count);
            filter[bit / 64] |= (uint64_t)1 << bit % 64;
        }
    }
}

static void
fill_blocks(const id_object_writer *self, id_object_block *blocks)
{
    for (size_t first = 0; first < self->entries.count; first += ID_OBJECT_BLOCK_ENTRIES) {
        size_t left = self->entries.count - first;
        size_t count = left < ID_OBJECT_BLOCK_ENTRIES ? left : ID_OBJECT_BLOCK_ENTRIES;
        const id_object_entry *entries = &self->entries.items[first];
        const lp_slice bytes = {(const uint8_t *)entries, count * sizeof(*entries)};
        *blocks++ = (id_object_block){entries->hash, lp_hash_bytes(LP_HASH_FIXED, bytes)};
    }
}

lp_err
id_object_writer_finish(id_object_writer *self, lp_buf *out_bytes)
{
    size_t count = self->entries.count;
    LP_ASSERT(count > 0);

    id_object_header header = {
        .magic = {'L', 'P', 'I', 'D', 'O', 'B', 'J'},
        .version = ID_OBJECT_VERSION,
        .entry_count = count,
        .from_wall_ns = self->from_wall_ns,
        .to_wall_ns = self->to_wall_ns,
        .session_count = (uint32_t)self->sessions.count,
        .block_count = (uint32_t)((count + ID_OBJECT_BLOCK_ENTRIES - 1) / ID_OBJECT_BLOCK_ENTRIES),
        .filter_words = (count * ID_OBJECT_FILTER_BITS + 63) / 64,
    };
    size_t filter_bytes = (size_t)header.filter_words * sizeof(uint64_t);
    size_t blocks_bytes = header.block_count * sizeof(id_object_block);
    size_t sessions_bytes = self->sessions.count * sizeof(id_object_session);
    header.head_bytes = sizeof(header) + filter_bytes + blocks_bytes + sessions_bytes;
    lp_err err = order_entries(self);
    lp_buf_reserve(out_bytes, (size_t)header.head_bytes + count * sizeof(id_object_entry));
    uint8_t *head = lp_buf_extend(out_bytes, (size_t)header.head_bytes);
    if (err != LP_OK || head == NULL) {
        return LP_ENOMEM;
    }
    memcpy(head, &header, sizeof(header));
    uint8_t *filter = head + sizeof(header);
    fill_filter(self, (uint64_t *)(void *)filter, header.filter_words);
    fill_blocks(self, (id_object_block *)(void *)(filter + filter_bytes));
    memcpy(filter + filter_bytes + blocks_bytes, self->sessions.items, sessions_bytes);
    id_object_header *placed = (id_object_header *)(void *)head;
    placed->check = id_object_get_check(placed);
    lp_buf_append(out_bytes, self->entries.items, count * sizeof(id_object_entry));
    return lp_buf_check(out_bytes);
}
