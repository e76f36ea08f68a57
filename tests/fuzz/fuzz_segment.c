// SPDX-License-Identifier: Apache-2.0
// Segments of the index of ids, as an object store returns them: the reader stays within any bytes,
// also where the checks are right, which no random input has.
//
//   input: 1 byte: how many pages the head has; the object

#include "fuzz.h"

#include "collector/index/id_object.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"

#include <stdlib.h>
#include <string.h>

enum { INPUT_HEAD_BYTES = 1, PAGES_MAX = 16 };

// piece is a copy of a part of the object, behind which nothing may be read. The caller frees it.
typedef struct piece {
    uint8_t *bytes;
    size_t size;
} piece;

// take_piece copies a part, as far as the object has it.
static piece
take_piece(lp_slice object, id_object_place place)
{
    size_t begin = place.offset < object.len ? (size_t)place.offset : object.len;
    size_t left = object.len - begin;
    piece taken = {.size = place.size_bytes < left ? (size_t)place.size_bytes : left};
    taken.bytes = malloc(taken.size + (taken.size == 0));
    LP_ASSERT(taken.bytes != NULL);
    if (taken.size > 0) {
        memcpy(taken.bytes, object.ptr + begin, taken.size);
    }
    return taken;
}

static lp_slice
slice_of(const piece *taken)
{
    return (lp_slice){taken->bytes, taken->size};
}

static void
on_chunk(void *arg, const id_chunk *chunk)
{
    id_chunk_session session = id_chunk_get_session(chunk);
    LP_ASSERT(strlen(session.text) == sizeof(session.text) - 1);
    (*(size_t *)arg)++;
}

// first_hash returns the hash of the first entry of some, else 1.
static uint64_t
first_hash(const piece *entries)
{
    uint64_t hash = 1;
    if (entries->size >= sizeof(hash)) {
        memcpy(&hash, entries->bytes, sizeof(hash));
    }
    return hash;
}

// search_page searches the entries of a page. Where it seals, their check is made right.
static void
search_page(lp_slice object, const id_object_shape *shape, const id_object_root *root,
    uint32_t number, bool seals)
{
    piece page_piece = take_piece(object, id_object_place_page(shape, number));
    const id_object_page *page;
    if (seals && page_piece.size == sizeof(id_object_page)) {
        id_object_page *sealed = (void *)page_piece.bytes;
        piece entries = take_piece(object, id_object_place_entries(shape, sealed));
        sealed->entries_check = lp_hash_bytes(LP_HASH_FIXED, slice_of(&entries));
        sealed->check = id_object_get_page_check(sealed);
        free(entries.bytes);
    }
    if (id_object_open_page(shape, number, slice_of(&page_piece), &page) == LP_OK) {
        piece entries = take_piece(object, id_object_place_entries(shape, page));
        uint64_t hash = first_hash(&entries);
        size_t found = 0;
        (void)id_object_may_have(page, hash);
        if (id_object_search(root, page, slice_of(&entries), hash, on_chunk, &found) == LP_OK) {
            LP_ASSERT(found <= page->count);
        }
        free(entries.bytes);
    }
    free(page_piece.bytes);
}

static lp_err
open_root(const id_object_shape *shape, const piece *head, id_object_root *out_root)
{
    const size_t size = (size_t)id_object_place_root(shape).size_bytes;
    return id_object_open_root(shape, (lp_slice){head->bytes, size}, out_root);
}

static void
read_segment(lp_slice object, size_t page_count, bool seals)
{
    const id_object_place head_place = {.size_bytes = page_count * ID_OBJECT_PAGE_BYTES};
    piece head = take_piece(object, head_place);
    id_object_root root;
    if (seals && head.size >= sizeof(id_object_header)) {
        uint64_t entries = ((const id_object_header *)(void *)head.bytes)->entry_count;
        const id_object_shape shape = {.head_bytes = head.size,
            .size_bytes = head.size + entries * sizeof(id_object_entry),
            .entry_count = entries};
        if (id_object_check_shape(&shape) == LP_OK) {
            const lp_slice bytes = {head.bytes, (size_t)id_object_place_root(&shape).size_bytes};
            uint64_t check = id_object_get_root_check(bytes);
            memcpy(head.bytes + offsetof(id_object_header, check), &check, sizeof(check));
        }
    }
    id_object_shape shape;
    if (id_object_find_shape(slice_of(&head), &shape) == LP_OK &&
        open_root(&shape, &head, &root) == LP_OK) {
        for (uint32_t i = 0; i < id_object_count_pages(shape.entry_count); i++) {
            search_page(object, &shape, &root, i, seals);
        }
    }
    free(head.bytes);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    if (count < INPUT_HEAD_BYTES) {
        return 0;
    }
    const lp_slice object = {bytes + INPUT_HEAD_BYTES, count - INPUT_HEAD_BYTES};
    for (int seals = 0; seals < 2; seals++) {
        read_segment(object, bytes[0] % PAGES_MAX, seals != 0);
    }
    return 0;
}
