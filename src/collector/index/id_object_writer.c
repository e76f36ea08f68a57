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
find_session(id_object_writer *self, const uint8_t id[ID_CHUNK_SESSION_BYTES])
{
    uint64_t hash = lp_hash_bytes(LP_HASH_FIXED, (lp_slice){id, ID_CHUNK_SESSION_BYTES});
    uint32_t found = lp_map_find(&self->by_hash, hash);
    if (found != LP_MAP_NONE &&
        memcmp(self->sessions.items[found].id, id, ID_CHUNK_SESSION_BYTES) == 0) {
        return found;
    }
    uint32_t index = (uint32_t)self->sessions.count;
    id_object_session *added = LP_VEC_PUSH(&self->sessions);
    if (added == NULL || lp_map_put(&self->by_hash, hash, index) != LP_OK) {
        return LP_MAP_NONE;
    }
    memcpy(added->id, id, ID_CHUNK_SESSION_BYTES);
    return index;
}

lp_err
id_object_writer_add(
    id_object_writer *self, const id_chunk *chunk, int64_t start_wall_ns, lp_slice hashes)
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

// fill_page fills a page, whose bytes are 0, with its entries from the first one on. Returns the
// first one that is of a later page.
static size_t
fill_page(const id_object_writer *self, size_t first, uint32_t number, id_object_page *page)
{
    const id_object_entry *entries = self->entries.items;
    uint32_t page_count = id_object_count_pages(self->entries.count);
    size_t end = first;
    for (; end < self->entries.count &&
           id_object_choose_page(entries[end].hash, page_count) == number;
         end++) {
        for (unsigned step = 0; step < ID_OBJECT_FILTER_PROBES; step++) {
            uint64_t bit = id_object_probe(entries[end].hash, step);
            page->filter[bit / 64] |= (uint64_t)1 << bit % 64;
        }
    }
    const lp_slice bytes = {(const uint8_t *)(entries + first), (end - first) * sizeof(*entries)};
    LP_ASSERT(end >= first);
    page->entries_check = lp_hash_bytes(LP_HASH_FIXED, bytes);
    page->number = number;
    page->page_count = page_count;
    page->first = (uint32_t)first;
    page->count = (uint32_t)(end - first);
    page->check = id_object_get_page_check(page);
    return end;
}

static void
fill_pages(const id_object_writer *self, id_object_page *pages)
{
    size_t first = 0;
    for (uint32_t i = 0; i < id_object_count_pages(self->entries.count); i++) {
        first = fill_page(self, first, i, &pages[i]);
    }
    LP_ASSERT(first == self->entries.count); // they are in order, and so are the pages
}

// fill_root fills a root, whose bytes are 0.
static void
fill_root(const id_object_writer *self, uint8_t *root, size_t size)
{
    id_object_header *header = (id_object_header *)(void *)root;
    *header = (id_object_header){
        .magic = {'L', 'P', 'I', 'D', 'O', 'B', 'J'},
        .version = ID_OBJECT_VERSION,
        .entry_count = self->entries.count,
        .from_wall_ns = self->from_wall_ns,
        .to_wall_ns = self->to_wall_ns,
        .page_count = id_object_count_pages(self->entries.count),
        .session_count = (uint32_t)self->sessions.count,
    };
    memcpy(header + 1, self->sessions.items, self->sessions.count * sizeof(id_object_session));
    header->check = id_object_get_root_check((lp_slice){root, size});
}

lp_err
id_object_writer_finish(id_object_writer *self, lp_buf *out_bytes)
{
    size_t count = self->entries.count;
    LP_ASSERT(count > 0 && count <= ID_OBJECT_ENTRIES_MAX);
    LP_ASSERT(out_bytes->len == 0);

    size_t root_bytes = (size_t)id_object_count_root_bytes(self->sessions.count);
    size_t head_bytes = root_bytes + id_object_count_pages(count) * sizeof(id_object_page);
    lp_err err = order_entries(self);
    lp_buf_reserve(out_bytes, head_bytes + count * sizeof(id_object_entry));
    uint8_t *head = lp_buf_extend(out_bytes, head_bytes);
    if (err != LP_OK || head == NULL) {
        return LP_ENOMEM;
    }
    memset(head, 0, head_bytes);
    fill_root(self, head, root_bytes);
    fill_pages(self, (id_object_page *)(void *)(head + root_bytes));
    lp_buf_append(out_bytes, self->entries.items, count * sizeof(id_object_entry));
    return lp_buf_check(out_bytes);
}

id_object_shape
id_object_writer_get_shape(const id_object_writer *self, lp_slice bytes)
{
    return (id_object_shape){
        .head_bytes = bytes.len - self->entries.count * sizeof(id_object_entry),
        .size_bytes = bytes.len,
        .entry_count = self->entries.count,
    };
}
