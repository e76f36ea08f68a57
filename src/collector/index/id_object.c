// SPDX-License-Identifier: Apache-2.0
#include "collector/index/id_object.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_sort.h"

#include <assert.h>
#include <string.h>

enum { PAGE_FILTER_BITS = ID_OBJECT_FILTER_WORDS * 64 };

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "objects are read without conversion");
static_assert(sizeof(id_object_header) == 48, "no padding");
static_assert(sizeof(id_object_page) == ID_OBJECT_PAGE_BYTES, "no padding");
static_assert(sizeof(id_object_entry) == 16, "no padding");

id_chunk_session
id_chunk_get_session(const id_chunk *chunk)
{
    static const char digits[] = "0123456789abcdef";
    id_chunk_session id = {.text = ""};
    for (size_t i = 0; i < ID_CHUNK_SESSION_BYTES; i++) {
        id.text[2 * i] = digits[chunk->session[i] >> 4];
        id.text[2 * i + 1] = digits[chunk->session[i] & 15];
    }
    return id;
}

// --- Places

uint32_t
id_object_count_pages(uint64_t entry_count)
{
    return (uint32_t)((entry_count + ID_OBJECT_PAGE_ENTRIES - 1) / ID_OBJECT_PAGE_ENTRIES);
}

static uint64_t
count_root_bytes(size_t session_count)
{
    uint64_t used = sizeof(id_object_header) + (uint64_t)session_count * sizeof(id_object_session);
    return (used + ID_OBJECT_PAGE_BYTES - 1) / ID_OBJECT_PAGE_BYTES * ID_OBJECT_PAGE_BYTES;
}

uint32_t
id_object_choose_page(uint64_t hash, uint32_t page_count)
{
    uint32_t number = (uint32_t)((unsigned __int128)hash * page_count >> 64);
    LP_ASSERT(number < page_count);
    return number;
}

static uint64_t
count_page_bytes(const id_object_shape *shape)
{
    return (uint64_t)id_object_count_pages(shape->entry_count) * ID_OBJECT_PAGE_BYTES;
}

// shape_check is for shapes that id_object_check_shape accepted.
static void
shape_check(const id_object_shape *shape)
{
    LP_ASSERT(shape->entry_count > 0 && shape->head_bytes > count_page_bytes(shape));
}

lp_err
id_object_check_shape(const id_object_shape *shape)
{
    LP_REQUIRE(shape->entry_count != 0 && shape->entry_count <= ID_OBJECT_ENTRIES_MAX &&
                   shape->head_bytes <= ID_OBJECT_HEAD_BYTES_MAX &&
                   shape->head_bytes % ID_OBJECT_PAGE_BYTES == 0 &&
                   shape->head_bytes > count_page_bytes(shape),
        LP_ECORRUPT);
    uint64_t entry_bytes = shape->entry_count * sizeof(id_object_entry);
    return shape->size_bytes == shape->head_bytes + entry_bytes ? LP_OK : LP_ECORRUPT;
}

id_object_place
id_object_place_root(const id_object_shape *shape)
{
    return (id_object_place){.size_bytes = shape->head_bytes - count_page_bytes(shape)};
}

id_object_place
id_object_place_page(const id_object_shape *shape, uint32_t number)
{
    shape_check(shape);
    LP_ASSERT(number < id_object_count_pages(shape->entry_count));
    return (id_object_place){
        .offset =
            shape->head_bytes - count_page_bytes(shape) + (uint64_t)number * ID_OBJECT_PAGE_BYTES,
        .size_bytes = ID_OBJECT_PAGE_BYTES,
    };
}

id_object_place
id_object_place_entries(const id_object_shape *shape, const id_object_page *page)
{
    shape_check(shape);
    return (id_object_place){
        .offset = shape->head_bytes + page->first * sizeof(id_object_entry),
        .size_bytes = page->count * sizeof(id_object_entry),
    };
}

// --- Pieces

uint64_t
id_object_get_root_check(lp_slice root)
{
    const size_t before = offsetof(id_object_header, entry_count);
    return lp_hash_bytes(LP_HASH_FIXED, (lp_slice){root.ptr + before, root.len - before});
}

uint64_t
id_object_get_page_check(const id_object_page *page)
{
    const size_t before = offsetof(id_object_page, entries_check);
    const lp_slice rest = {(const uint8_t *)page + before, sizeof(*page) - before};
    return lp_hash_bytes(LP_HASH_FIXED, rest);
}

// check_magic checks the magic and the version of a root.
static lp_err
check_magic(lp_slice bytes)
{
    const id_object_header *header = (const void *)bytes.ptr;
    LP_REQUIRE(bytes.len >= sizeof(*header) &&
                   memcmp(header->magic, "LPIDOBJ", sizeof(header->magic)) == 0,
        LP_ECORRUPT);
    return header->version == ID_OBJECT_VERSION ? LP_OK : LP_EVERSION;
}

lp_err
id_object_open_root(const id_object_shape *shape, lp_slice bytes, id_object_root *out_root)
{
    shape_check(shape);
    const id_object_header *header = (const void *)bytes.ptr;
    LP_TRY(check_magic(bytes));
    uint64_t used = sizeof(*header) + (uint64_t)header->session_count * sizeof(id_object_session);
    LP_REQUIRE(bytes.len == id_object_place_root(shape).size_bytes && used <= bytes.len &&
                   id_object_get_root_check(bytes) == header->check &&
                   header->entry_count == shape->entry_count &&
                   header->page_count == id_object_count_pages(shape->entry_count),
        LP_ECORRUPT);
    *out_root = (id_object_root){header, (const id_object_session *)(header + 1)};
    return LP_OK;
}

lp_err
id_object_find_shape(lp_slice bytes, id_object_shape *out_shape)
{
    LP_TRY(check_magic(bytes));
    const id_object_header *header = (const void *)bytes.ptr;
    const uint64_t root_bytes = count_root_bytes(header->session_count);
    id_object_shape shape = {.entry_count = header->entry_count};
    shape.head_bytes = root_bytes + count_page_bytes(&shape);
    shape.size_bytes = shape.head_bytes + shape.entry_count * sizeof(id_object_entry);
    lp_err err = id_object_check_shape(&shape);
    LP_REQUIRE(err == LP_OK && header->page_count == id_object_count_pages(shape.entry_count) &&
                   (bytes.len == shape.head_bytes || bytes.len == shape.size_bytes),
        LP_ECORRUPT);
    *out_shape = shape;
    return LP_OK;
}

lp_err
id_object_open_page(
    const id_object_shape *shape, uint32_t number, lp_slice bytes, const id_object_page **out_page)
{
    shape_check(shape);
    LP_ASSERT(number < id_object_count_pages(shape->entry_count));
    LP_ASSERT((uintptr_t)bytes.ptr % _Alignof(id_object_page) == 0);
    const id_object_page *page = (const void *)bytes.ptr;
    if (bytes.len != sizeof(*page) || id_object_get_page_check(page) != page->check ||
        page->number != number || page->page_count != id_object_count_pages(shape->entry_count) ||
        (uint64_t)page->first + page->count > shape->entry_count) {
        return LP_ECORRUPT;
    }
    *out_page = page;
    return LP_OK;
}

// --- Searching

// get_bit returns the bit of a filter for a step of a hash.
static uint64_t
get_bit(uint64_t hash, unsigned step)
{
    // Two numbers determine all bits (Kirsch and Mitzenmacher 2006). The hashes of a page share
    // their high half, not the low one.
    LP_ASSERT(step < ID_OBJECT_FILTER_PROBES);
    uint64_t stride = (hash >> 32 | hash << 32) | 1;
    return (hash + step * stride) % PAGE_FILTER_BITS;
}

bool
id_object_may_have(const id_object_page *page, uint64_t hash)
{
    bool has = page->count > 0;
    for (unsigned i = 0; i < ID_OBJECT_FILTER_PROBES && has; i++) {
        uint64_t bit = get_bit(hash, i);
        has = (page->filter[bit / 64] >> bit % 64 & 1) != 0;
    }
    return has;
}

static id_object_entry
entry_at(lp_slice entries, size_t index)
{
    id_object_entry entry;
    memcpy(&entry, entries.ptr + index * sizeof(entry), sizeof(entry));
    return entry;
}

// find_first returns the index of the first entry with at least a hash.
static size_t
find_first(lp_slice entries, uint64_t hash)
{
    size_t low = 0;
    size_t high = entries.len / sizeof(id_object_entry);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (entry_at(entries, middle).hash < hash) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

lp_err
id_object_search(const id_object_root *root, const id_object_page *page, lp_slice entries,
    uint64_t hash, void (*on_chunk)(void *arg, const id_chunk *chunk), void *arg)
{
    LP_REQUIRE(entries.len == page->count * sizeof(id_object_entry) &&
                   lp_hash_bytes(LP_HASH_FIXED, entries) == page->entries_check,
        LP_ECORRUPT);
    for (size_t i = find_first(entries, hash); i < page->count; i++) {
        id_object_entry entry = entry_at(entries, i);
        if (entry.hash != hash) {
            break;
        }
        if (entry.session < root->header->session_count) {
            id_chunk chunk = {.ordinal = entry.ordinal};
            memcpy(chunk.session, root->sessions[entry.session].id, sizeof(chunk.session));
            on_chunk(arg, &chunk);
        }
    }
    return LP_OK;
}

// --- Writing

static bool
is_before(const id_object_entry *a, const id_object_entry *b)
{
    return a->hash != b->hash         ? a->hash < b->hash
           : a->session != b->session ? a->session < b->session
                                      : a->ordinal < b->ordinal;
}

LP_SORT_DEFINE(sort_entries, id_object_entry, is_before)

void
id_object_writer_fini(id_object_writer *self)
{
    LP_VEC_FINI(&self->entries);
    LP_VEC_FINI(&self->sessions);
    lp_map_fini(&self->by_hash);
}

static void
writer_check(const id_object_writer *self)
{
    LP_ASSERT(self->entries.count <= ID_OBJECT_ENTRIES_MAX);
    LP_ASSERT(self->entries.count == 0 || self->from_wall_ns <= self->to_wall_ns);
}

// find_session returns the index of a session, which it adds if necessary; LP_MAP_NONE if memory
// ran out. If two sessions share a hash, the second may be there several times.
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
    LP_REQUIRE(added != NULL && lp_map_put(&self->by_hash, hash, index) == LP_OK, LP_MAP_NONE);
    memcpy(added->id, id, ID_CHUNK_SESSION_BYTES);
    return index;
}

lp_err
id_object_writer_add(
    id_object_writer *self, const id_chunk *chunk, int64_t start_wall_ns, lp_slice hashes)
{
    writer_check(self);
    size_t count = hashes.len / sizeof(uint64_t);
    LP_REQUIRE(count <= ID_OBJECT_ENTRIES_MAX - self->entries.count, LP_ELIMIT);
    uint32_t session = find_session(self, chunk->session);
    LP_REQUIRE(session != LP_MAP_NONE && LP_VEC_RESERVE(&self->entries, count), LP_ENOMEM);
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

static lp_err
order_entries(id_object_writer *self)
{
    size_t count = self->entries.count;
    id_object_entry *spare = lp_large_alloc((count / 2 + 1) * sizeof(*spare));
    LP_REQUIRE(spare != NULL, LP_ENOMEM);
    sort_entries(self->entries.items, count, spare);
    lp_large_free(spare);
    return LP_OK;
}

// fill_page fills a zeroed page with its entries from first on. Returns the first entry of a later
// page.
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
            uint64_t bit = get_bit(entries[end].hash, step);
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
    LP_ASSERT(first == self->entries.count); // entries and pages are in the same order
}

// fill_root fills a zeroed root.
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
    writer_check(self);
    size_t count = self->entries.count;
    LP_ASSERT(count > 0 && count <= ID_OBJECT_ENTRIES_MAX);
    LP_ASSERT(out_bytes->len == 0);
    size_t root_bytes = (size_t)count_root_bytes(self->sessions.count);
    size_t head_bytes = root_bytes + id_object_count_pages(count) * sizeof(id_object_page);
    lp_err err = order_entries(self);
    lp_buf_reserve(out_bytes, head_bytes + count * sizeof(id_object_entry));
    uint8_t *head = lp_buf_extend(out_bytes, head_bytes);
    LP_REQUIRE(err == LP_OK && head != NULL, LP_ENOMEM);
    memset(head, 0, head_bytes);
    fill_root(self, head, root_bytes);
    fill_pages(self, (id_object_page *)(void *)(head + root_bytes));
    lp_buf_append(out_bytes, self->entries.items, count * sizeof(id_object_entry));
    return lp_buf_check(out_bytes);
}

id_object_shape
id_object_writer_get_shape(const id_object_writer *self, lp_slice bytes)
{
    writer_check(self);
    return (id_object_shape){
        .head_bytes = bytes.len - self->entries.count * sizeof(id_object_entry),
        .size_bytes = bytes.len,
        .entry_count = self->entries.count,
    };
}
