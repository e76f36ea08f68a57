// SPDX-License-Identifier: Apache-2.0
#include "agent/rewrite/rewrite_pool.h"

#include <stdlib.h>
#include <string.h>

// Tags of entries.
enum {
    POOL_UTF8 = 1,
    POOL_LONG = 5,
    POOL_DOUBLE = 6,
    POOL_CLASS = 7,
    POOL_METHOD = 10,
    POOL_INTERFACE_METHOD = 11,
    POOL_NAME_AND_TYPE = 12,
};

// The number of bytes behind an entry's tag, by tag; 0: invalid, or UTF-8.
static const uint8_t entry_bytes[] = {
    0, 0, 0, 4, 4, 8, 8, 2, 2, 4, 4, 4, 4, 0, 0, 3, 2, 4, 4, 2, 2};

static bool
skip_entry(rewrite_bytes *file, uint8_t tag)
{
    size_t size = tag < sizeof(entry_bytes) ? entry_bytes[tag] : 0;
    if (tag == POOL_UTF8) {
        size = rewrite_bytes_u2(file);
    } else if (size == 0) {
        return false;
    }
    (void)rewrite_bytes_take(file, size);
    return !file->is_bad;
}

lp_err
rewrite_pool_read(rewrite_pool *pool, rewrite_bytes *file)
{
    pool->file = file->bytes;
    pool->count = rewrite_bytes_u2(file);
    pool->offsets = calloc((size_t)pool->count + 1, sizeof(*pool->offsets));
    LP_REQUIRE(pool->offsets != NULL, LP_ENOMEM);
    for (uint32_t index = 1; index < pool->count; index++) {
        pool->offsets[index] = (uint32_t)file->at;
        uint8_t tag = rewrite_bytes_u1(file);
        LP_REQUIRE(skip_entry(file, tag), LP_ECORRUPT);
        index += tag == POOL_LONG || tag == POOL_DOUBLE; // these have two indexes
    }
    pool->end = file->at;
    return pool->count == 0 || file->is_bad ? LP_ECORRUPT : LP_OK;
}

void
rewrite_pool_fini(rewrite_pool *pool)
{
    free(pool->offsets);
    lp_buf_fini(&pool->added);
    memset(pool, 0, sizeof(*pool));
}

// Returns the entry's bytes behind its tag; rewrite_pool_read checked their size. NULL if it has
// another tag.
static const uint8_t *
find_entry(const rewrite_pool *pool, uint16_t index, uint8_t tag)
{
    uint32_t offset = index < pool->count ? pool->offsets[index] : 0;
    const uint8_t *entry = pool->file.ptr + offset;
    return offset == 0 || entry[0] != tag ? NULL : entry + 1;
}

bool
rewrite_pool_is(const rewrite_pool *pool, uint16_t index, const char *text)
{
    const uint8_t *entry = find_entry(pool, index, POOL_UTF8);
    size_t len = strlen(text);
    return entry != NULL && rewrite_bytes_peek_u2(entry) == len &&
           memcmp(entry + 2, text, len) == 0;
}

bool
rewrite_pool_has(const rewrite_pool *pool, const char *text)
{
    uint32_t index = 1;
    while (index < pool->count && !rewrite_pool_is(pool, (uint16_t)index, text)) {
        index++;
    }
    return index < pool->count;
}

lp_slice
rewrite_pool_class_name(const rewrite_pool *pool, uint16_t index)
{
    const uint8_t *entry = find_entry(pool, index, POOL_CLASS);
    const uint8_t *text =
        entry == NULL ? NULL : find_entry(pool, rewrite_bytes_peek_u2(entry), POOL_UTF8);
    return text == NULL ? (lp_slice){0} : (lp_slice){text + 2, rewrite_bytes_peek_u2(text)};
}

// Returns whether the entry is the class of this name, or any class if name is NULL.
static bool
is_class(const rewrite_pool *pool, uint16_t index, const char *name)
{
    lp_slice found = rewrite_pool_class_name(pool, index);
    return found.len > 0 &&
           (name == NULL || (found.len == strlen(name) && memcmp(found.ptr, name, found.len) == 0));
}

bool
rewrite_pool_calls(const rewrite_pool *pool, uint16_t index, const char *class_name,
    const char *name, const char *descriptor)
{
    const uint8_t *method = find_entry(pool, index, POOL_METHOD);
    if (method == NULL) {
        method = find_entry(pool, index, POOL_INTERFACE_METHOD);
    }
    LP_REQUIRE(method != NULL, false);
    const uint8_t *name_and_type =
        find_entry(pool, rewrite_bytes_peek_u2(method + 2), POOL_NAME_AND_TYPE);
    return name_and_type != NULL && is_class(pool, rewrite_bytes_peek_u2(method), class_name) &&
           rewrite_pool_is(pool, rewrite_bytes_peek_u2(name_and_type), name) &&
           rewrite_pool_is(pool, rewrite_bytes_peek_u2(name_and_type + 2), descriptor);
}

// Begins an entry and returns its index.
static uint16_t
begin_entry(rewrite_pool *pool, uint8_t tag)
{
    rewrite_bytes_put_u1(&pool->added, tag);
    return (uint16_t)(pool->count + pool->added_count++);
}

static uint16_t
add_text(rewrite_pool *pool, const char *text)
{
    uint16_t index = begin_entry(pool, POOL_UTF8);
    rewrite_bytes_put_u2(&pool->added, (uint16_t)strlen(text));
    lp_buf_append(&pool->added, text, strlen(text));
    return index;
}

static uint16_t
add_pair(rewrite_pool *pool, uint8_t tag, uint16_t first, uint16_t second)
{
    uint16_t index = begin_entry(pool, tag);
    rewrite_bytes_put_u2(&pool->added, first);
    rewrite_bytes_put_u2(&pool->added, second);
    return index;
}

lp_err
rewrite_pool_add_method(rewrite_pool *pool, const char *helper_class, const char *name,
    const char *descriptor, uint16_t *out_index)
{
    enum { ENTRIES_MAX = 6 };
    LP_REQUIRE(pool->count + pool->added_count + ENTRIES_MAX <= UINT16_MAX, LP_ELIMIT);
    if (pool->helper_class == 0) {
        uint16_t text = add_text(pool, helper_class);
        pool->helper_class = begin_entry(pool, POOL_CLASS);
        rewrite_bytes_put_u2(&pool->added, text);
    }
    uint16_t name_index = add_text(pool, name);
    uint16_t descriptor_index = add_text(pool, descriptor);
    uint16_t name_and_type = add_pair(pool, POOL_NAME_AND_TYPE, name_index, descriptor_index);
    *out_index = add_pair(pool, POOL_METHOD, pool->helper_class, name_and_type);
    return lp_buf_check(&pool->added);
}
