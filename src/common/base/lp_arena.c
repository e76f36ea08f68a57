// SPDX-License-Identifier: Apache-2.0
#include "common/base/lp_arena.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_large.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__
#endif
#endif

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
static const bool is_each_large = true;
#define POISON(at, bytes) ASAN_POISON_MEMORY_REGION(at, bytes)
#else
static const bool is_each_large = false;
#define POISON(at, bytes) ((void)(at), (void)(bytes))
#endif

struct lp_arena_block {
    lp_arena_block *next;
    size_t size_bytes; // with this header
    alignas(max_align_t) uint8_t bytes[];
};

enum {
    FIRST_CAPACITY = 8,
    SMALL_BLOCKS = 64, // of LP_ARENA_BLOCK_BYTES
    // Vectors from here on leave nothing behind as they grow. Fewer bytes are not worth a search.
    GROWN_BYTES = 65536,
};

static void
free_list(lp_arena_block *block)
{
    while (block != NULL) {
        lp_arena_block *next = block->next;
        lp_large_free(block);
        block = next;
    }
}

void
lp_arena_fini(lp_arena *arena)
{
    free_list(arena->blocks);
    free_list(arena->large);
    *arena = (lp_arena){0};
}

static void
use_block(lp_arena *arena, lp_arena_block *block)
{
    arena->current = block;
    arena->at = block == NULL ? NULL : block->bytes;
    arena->end = block == NULL ? NULL : (uint8_t *)block + block->size_bytes;
}

void
lp_arena_reset(lp_arena *arena)
{
    free_list(arena->large);
    arena->large = NULL;
    arena->is_failed = false;
    use_block(arena, arena->blocks);
}

// new_block returns a block of this size, its header included, as first of a list; NULL if memory
// ran out.
static lp_arena_block *
new_block(lp_arena *arena, size_t bytes, lp_arena_block **list)
{
    lp_arena_block *block = lp_large_alloc(bytes);
    if (block == NULL) {
        arena->is_failed = true;
        return NULL;
    }
    block->size_bytes = bytes;
    block->next = *list;
    *list = block;
    return block;
}

// choose_size returns how large the next block is: where memory is short, it belongs into a file,
// but for the first few.
static size_t
choose_size(lp_arena *arena)
{
    size_t large = lp_large_get_least();
    return large > 0 && arena->block_count++ >= SMALL_BLOCKS ? large : LP_ARENA_BLOCK_BYTES;
}

// next_block uses a block that was kept, or a new one, behind the current.
static bool
next_block(lp_arena *arena)
{
    lp_arena_block **list = arena->current == NULL ? &arena->blocks : &arena->current->next;
    lp_arena_block *block = *list != NULL ? *list : new_block(arena, choose_size(arena), list);
    if (block != NULL) {
        use_block(arena, block);
    }
    return block != NULL;
}

static void *
alloc_large(lp_arena *arena, size_t bytes)
{
    if (bytes > PTRDIFF_MAX - sizeof(lp_arena_block)) {
        arena->is_failed = true;
        return NULL;
    }
    lp_arena_block *block = new_block(arena, sizeof(lp_arena_block) + bytes, &arena->large);
    return block == NULL ? NULL : block->bytes;
}

void *
lp_arena_alloc(lp_arena *arena, size_t bytes, size_t alignment)
{
    LP_ASSERT(
        alignment > 0 && alignment <= alignof(max_align_t) && (alignment & (alignment - 1)) == 0);
    LP_REQUIRE(!arena->is_failed, NULL);
    if (is_each_large || bytes > LP_ARENA_LARGE_BYTES) {
        return alloc_large(arena, bytes);
    }
    size_t skipped = -(uintptr_t)arena->at & (alignment - 1);
    if (arena->current == NULL || (size_t)(arena->end - arena->at) < skipped + bytes) {
        LP_REQUIRE(next_block(arena), NULL);
        skipped = 0; // a block begins aligned for all
    }
    uint8_t *begin = arena->at + skipped;
    arena->at = begin + bytes;
    return begin;
}

void *
lp_arena_array(lp_arena *arena, size_t count, size_t item_bytes, size_t alignment)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, item_bytes, &bytes)) {
        arena->is_failed = true;
        return NULL;
    }
    void *items = lp_arena_alloc(arena, bytes, alignment);
    return items == NULL ? NULL : memset(items, 0, bytes);
}

char *
lp_arena_text(lp_arena *arena, const char *text)
{
    static char none[1];
    size_t size = text == NULL ? 1 : strlen(text) + 1;
    char *copy = lp_arena_alloc(arena, size, 1);
    return copy == NULL ? none : memcpy(copy, text == NULL ? "" : text, size);
}

lp_slice
lp_arena_copy(lp_arena *arena, lp_slice bytes)
{
    uint8_t *copy = lp_arena_alloc(arena, bytes.len, 1);
    LP_REQUIRE(copy != NULL, (lp_slice){0});
    if (bytes.len > 0) {
        memcpy(copy, bytes.ptr, bytes.len);
    }
    return (lp_slice){copy, bytes.len};
}

const char *
lp_arena_string(lp_arena *arena, lp_slice bytes)
{
    char *copy = lp_arena_alloc(arena, bytes.len + 1, 1);
    if (copy == NULL) {
        return "";
    }
    if (bytes.len > 0) {
        memcpy(copy, bytes.ptr, bytes.len);
    }
    copy[bytes.len] = '\0';
    return copy;
}

const char *
lp_arena_print(lp_arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    LP_ASSERT(len >= 0); // formats are literals, and the arguments texts and numbers
    char *text = lp_arena_alloc(arena, (size_t)len + 1, 1);
    if (text == NULL) {
        return "";
    }
    va_start(args, format);
    (void)vsnprintf(text, (size_t)len + 1, format, args);
    va_end(args);
    return text;
}

// extend makes the newest allocation longer where it is; false if it is not the newest, or its
// block has no room.
static bool
extend(lp_arena *arena, const uint8_t *begin, size_t old_bytes, size_t new_bytes)
{
    if (arena->is_failed || begin == NULL || begin + old_bytes != arena->at ||
        (size_t)(arena->end - begin) < new_bytes) {
        return false;
    }
    arena->at = arena->at + (new_bytes - old_bytes);
    return true;
}

// find_large returns the link to the allocation with memory of its own that the items are; NULL if
// they are none, or few.
static lp_arena_block **
find_large(lp_arena *arena, const void *items, size_t bytes)
{
    if (arena->is_failed || bytes < GROWN_BYTES) {
        return NULL;
    }
    lp_arena_block **link = &arena->large;
    while (*link != NULL && (*link)->bytes != items) {
        link = &(*link)->next;
    }
    return *link == NULL ? NULL : link;
}

// grow_large makes an allocation with memory of its own longer. NULL if memory ran out.
static void *
grow_large(lp_arena *arena, lp_arena_block **link, size_t new_bytes)
{
    size_t old_size = (*link)->size_bytes;
    bool is_possible = new_bytes <= PTRDIFF_MAX - sizeof(lp_arena_block);
    lp_arena_block *block =
        is_possible ? lp_large_grow(*link, old_size, sizeof(lp_arena_block) + new_bytes) : NULL;
    if (block == NULL) {
        arena->is_failed = true;
        return NULL;
    }
    block->size_bytes = sizeof(lp_arena_block) + new_bytes;
    *link = block;
    return block->bytes;
}

// move copies an allocation to a longer one. NULL if memory ran out.
static void *
move(lp_arena *arena, void *items, size_t old_bytes, size_t new_bytes, size_t alignment)
{
    void *moved = lp_arena_alloc(arena, new_bytes, alignment);
    if (moved != NULL && old_bytes > 0) {
        LP_ASSERT(items != NULL);
        memcpy(moved, items, old_bytes);
        POISON(items, old_bytes);
    }
    return moved;
}

bool
lp_arena_grow(lp_arena *arena, void **items, size_t *capacity, size_t least, size_t item_bytes,
    size_t alignment)
{
    size_t larger = *capacity == 0 ? FIRST_CAPACITY : *capacity * 2;
    larger = larger < least ? least : larger;
    size_t old_bytes = *capacity * item_bytes;
    size_t new_bytes;
    if (__builtin_mul_overflow(larger, item_bytes, &new_bytes)) {
        arena->is_failed = true;
        return false;
    }
    if (!extend(arena, *items, old_bytes, new_bytes)) {
        lp_arena_block **large = find_large(arena, *items, old_bytes);
        void *moved = large != NULL ? grow_large(arena, large, new_bytes)
                                    : move(arena, *items, old_bytes, new_bytes, alignment);
        LP_REQUIRE(moved != NULL, false);
        *items = moved;
    }
    *capacity = larger;
    return true;
}
