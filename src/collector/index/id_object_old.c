// SPDX-License-Identifier: Apache-2.0
#include "collector/index/id_object_old.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"

#include <assert.h>
#include <string.h>

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "objects are read as they lie there");
static_assert(sizeof(id_object_old_header) == 64, "there is no room between its fields");

// probe returns the bit of a filter that is looked at for a hash at a step.
static uint64_t
probe(uint64_t hash, unsigned step, uint64_t word_count)
{
    // Two numbers make all bits (Kirsch and Mitzenmacher 2006).
    uint64_t stride = (hash >> 32 | hash << 32) | 1;
    return (hash + step * stride) % (word_count * 64);
}

// get_check returns the check of a head, of which the header says how long it is.
static uint64_t
get_check(const id_object_old_header *head)
{
    const size_t before = offsetof(id_object_old_header, head_bytes);
    const lp_slice rest = {(const uint8_t *)head + before, (size_t)head->head_bytes - before};
    return lp_hash_bytes(LP_HASH_FIXED, rest);
}

// is_consistent returns whether a head has the parts that its header says.
static bool
is_consistent(const id_object_old_header *header, size_t size)
{
    uint64_t blocks =
        (header->entry_count + ID_OBJECT_OLD_BLOCK_ENTRIES - 1) / ID_OBJECT_OLD_BLOCK_ENTRIES;
    if (header->entry_count == 0 || header->entry_count > ID_OBJECT_ENTRIES_MAX ||
        header->block_count != blocks || header->session_count == 0 || header->filter_words == 0 ||
        header->filter_words > ID_OBJECT_HEAD_BYTES_MAX / sizeof(uint64_t)) {
        return false;
    }
    uint64_t expected = sizeof(*header) + header->filter_words * sizeof(uint64_t) +
                        header->block_count * sizeof(id_object_old_block) +
                        (uint64_t)header->session_count * sizeof(id_object_session);
    return header->head_bytes == expected && size == expected;
}

lp_err
id_object_old_open(lp_slice head, id_object_old *out_object)
{
    const id_object_old_header *header = (const void *)head.ptr;
    if (head.len < sizeof(*header) ||
        memcmp(header->magic, "LPIDOBJ", sizeof(header->magic)) != 0) {
        return LP_ECORRUPT;
    }
    if (header->version != ID_OBJECT_OLD_VERSION) {
        return LP_EVERSION;
    }
    if (!is_consistent(header, head.len) || get_check(header) != header->check) {
        return LP_ECORRUPT;
    }
    id_object_old object = {.header = header, .filter = (const uint64_t *)(header + 1)};
    object.blocks = (const id_object_old_block *)(object.filter + header->filter_words);
    object.sessions = (const id_object_session *)(object.blocks + header->block_count);
    *out_object = object;
    return LP_OK;
}

bool
id_object_old_may_have(const id_object_old *object, uint64_t hash)
{
    bool has = true;
    for (unsigned i = 0; i < ID_OBJECT_OLD_FILTER_PROBES && has; i++) {
        uint64_t bit = probe(hash, i, object->header->filter_words);
        has = (object->filter[bit / 64] >> bit % 64 & 1) != 0;
    }
    return has;
}

uint32_t
id_object_old_find(const id_object_old *object, uint64_t hash, uint32_t *out_count)
{
    uint32_t low = 0;
    uint32_t high = object->header->block_count;
    while (low < high) { // the first block that begins with the hash or one behind it
        uint32_t middle = low + (high - low) / 2;
        if (object->blocks[middle].first_hash < hash) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    uint32_t first = low > 0 ? low - 1 : 0; // in which it may be as well
    uint32_t end = low;
    while (end < object->header->block_count && object->blocks[end].first_hash == hash) {
        end++;
    }
    *out_count = end - first;
    return first;
}

id_object_place
id_object_old_get_place(const id_object_old *object, uint32_t block)
{
    LP_ASSERT(block < object->header->block_count);

    uint64_t first = (uint64_t)block * ID_OBJECT_OLD_BLOCK_ENTRIES;
    uint64_t left = object->header->entry_count - first;
    uint64_t count = left < ID_OBJECT_OLD_BLOCK_ENTRIES ? left : ID_OBJECT_OLD_BLOCK_ENTRIES;
    return (id_object_place){
        .offset = object->header->head_bytes + first * sizeof(id_object_entry),
        .size_bytes = count * sizeof(id_object_entry),
    };
}

lp_err
id_object_old_search(const id_object_old *object, uint32_t block, lp_slice bytes, uint64_t hash,
    void (*on_chunk)(void *arg, const id_segment_chunk *chunk), void *arg)
{
    const id_object_place place = id_object_old_get_place(object, block);
    if (bytes.len != place.size_bytes ||
        lp_hash_bytes(LP_HASH_FIXED, bytes) != object->blocks[block].check) {
        return LP_ECORRUPT;
    }
    for (size_t i = 0; i < bytes.len / sizeof(id_object_entry); i++) {
        id_object_entry entry;
        memcpy(&entry, bytes.ptr + i * sizeof(entry), sizeof(entry));
        if (entry.hash == hash && entry.session < object->header->session_count) {
            id_segment_chunk chunk = {.ordinal = entry.ordinal};
            memcpy(chunk.session, object->sessions[entry.session].id, sizeof(chunk.session));
            on_chunk(arg, &chunk);
        }
    }
    return LP_OK;
}
