// SPDX-License-Identifier: Apache-2.0
#include "common/jfr/jfr_pool.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_enumeration.h"
#include "common/jfr/jfr_string.h"

#include <stdlib.h>
#include <string.h>

// Keys are looked up in a table, or in a set of bits, with at most this much for each constant.
enum {
    DENSE_SLOTS_PER_CONSTANT = 4,
    DENSE_SLOTS_MIN = 64,
    SPREAD_PAGES_PER_CONSTANT = 8,
    SPREAD_WORDS_PER_CONSTANT = 4,
    SPREAD_WORDS_MIN = 4,
};

lp_err
jfr_pools_init(
    jfr_pools *pools, lp_slice chunk, const jfr_metadata *metadata, const jfr_layout *layout)
{
    LP_ASSERT(chunk.len <= UINT32_MAX);
    *pools = (jfr_pools){
        .layout = layout,
        .chunk = chunk,
        .pools = calloc(metadata->types.count + 1, sizeof(*pools->pools)),
    };
    LP_REQUIRE(pools->pools != NULL, LP_ENOMEM);
    pools->pool_count = (uint32_t)metadata->types.count;
    for (uint32_t i = 0; i < pools->pool_count; i++) {
        pools->pools[i].is_enumeration = jfr_enumeration_is(metadata, i);
        pools->pools[i].walked_count = SIZE_MAX;
    }
    return LP_OK;
}

void
jfr_pools_fini(jfr_pools *pools)
{
    for (size_t i = 0; i < pools->pool_count; i++) {
        LP_VEC_FINI(&pools->pools[i].constants);
        free(pools->pools[i].marks);
        free(pools->pools[i].dense);
        free(pools->pools[i].pages);
        free(pools->pools[i].spread);
        free(pools->pools[i].order);
        lp_map_fini(&pools->pools[i].sparse);
        LP_VEC_FINI(&pools->pools[i].unprintable);
    }
    free(pools->printables);
    free(pools->pools);
    LP_VEC_FINI(&pools->pending);
    *pools = (jfr_pools){0};
}

static lp_err
add_constant(
    jfr_pools *pools, uint32_t type, uint64_t key, const uint8_t *begin, const uint8_t *end)
{
    jfr_pool *pool = &pools->pools[type];
    LP_REQUIRE(LP_VEC_ROOM(&pool->constants), LP_ENOMEM);
    pool->constants.items[pool->constants.count++] = (jfr_constant){
        .key = key,
        .offset = (uint32_t)(begin - pools->chunk.ptr),
        .size_bytes = (uint32_t)(end - begin),
    };
    return LP_OK;
}

static uint64_t
offset_of(const jfr_pools *pools, const jfr_cursor *cursor)
{
    return (uint64_t)(cursor->at - pools->chunk.ptr);
}

// skip_numbers moves cursor over count constants. Returns false, with cursor as it was, if they are
// not made of numbers alone or do not fit.
static bool
skip_numbers(const jfr_layout *layout, jfr_program program, uint64_t count, jfr_cursor *cursor)
{
    uint64_t width = program.end - program.begin;
    return width > 0 && layout->ops.items[program.begin].varint_run >= width &&
           count <= UINT64_MAX / (width + 1) && jfr_varint_skip_many(cursor, count * (width + 1));
}

static lp_err
add_pool(jfr_pools *pools, const jfr_metadata *metadata, jfr_cursor *cursor, lp_problem *problem)
{
    uint64_t begin = offset_of(pools, cursor);
    uint64_t type_id;
    uint64_t count;
    LP_REQUIRE(jfr_varint_read(cursor, &type_id) && jfr_varint_read(cursor, &count),
        lp_problem_at(problem, LP_ECORRUPT, begin, "a constant pool is cut short"));
    uint32_t type = jfr_metadata_find_type(metadata, type_id);
    if (type == JFR_NONE) {
        return count == 0 ? LP_OK
                          : lp_problem_at(problem, LP_ECORRUPT, begin,
                                "a constant pool of type id %llu, which the metadata does not "
                                "describe",
                                (unsigned long long)type_id);
    }
    const jfr_type *described = &metadata->types.items[type];
    if (count > 0 && described->field_count == 0 && !jfr_layout_is_built_in(metadata, described)) {
        return lp_problem_at(problem, LP_ECORRUPT, begin, // the JDK's reader refuses the file
            "a constant pool of type %s, which has no values",
            jfr_metadata_text(metadata, described->name));
    }
    jfr_program program = pools->layout->types.items[type];
    bool is_wanted = !pools->only_enumerations || pools->pools[type].is_enumeration;
    if (!is_wanted && skip_numbers(pools->layout, program, count, cursor)) {
        return LP_OK;
    }
    bool is_text = jfr_layout_is_text(pools->layout, type);
    for (; count > 0; count--) {
        uint64_t key;
        jfr_cursor value;
        bool is_whole = jfr_varint_read(cursor, &key);
        value = *cursor;
        if (!is_whole || !jfr_layout_walk(pools->layout, program, cursor)) {
            return lp_problem_at(problem, LP_ECORRUPT, offset_of(pools, &value),
                "a constant of type %s does not fit",
                jfr_metadata_text(metadata, metadata->types.items[type].name));
        }
        pools->pools[type].has_text_keys |= is_text && *value.at == JFR_STRING_CONSTANT;
        LP_TRY(is_wanted ? add_constant(pools, type, key, value.at, cursor->at) : LP_OK);
    }
    return LP_OK;
}

lp_err
jfr_pools_add(
    jfr_pools *pools, const jfr_metadata *metadata, lp_slice payload, lp_problem *out_problem)
{
    jfr_cursor cursor = jfr_cursor_over(payload);
    uint64_t count;
    pools->bytes += payload.len;
    bool is_whole = jfr_varint_skip(&cursor)       // start
                    && jfr_varint_skip(&cursor)    // duration
                    && jfr_varint_skip(&cursor)    // delta to the checkpoint before
                    && jfr_cursor_skip(&cursor, 1) // flags
                    && jfr_varint_read(&cursor, &count);
    if (!is_whole) {
        return lp_problem_at(
            out_problem, LP_ECORRUPT, offset_of(pools, &cursor), "a checkpoint is cut short");
    }
    for (; count > 0; count--) {
        LP_TRY(add_pool(pools, metadata, &cursor, out_problem));
    }
    return LP_OK;
}

static lp_err
index_dense(jfr_pool *pool, uint64_t key_min, uint64_t slot_count)
{
    pool->dense = malloc(slot_count * sizeof(*pool->dense));
    LP_REQUIRE(pool->dense != NULL, LP_ENOMEM);
    memset(pool->dense, 0xff, slot_count * sizeof(*pool->dense)); // LP_MAP_NONE
    pool->key_min = key_min;
    pool->span = slot_count;
    for (size_t i = pool->constants.count; i > 0; i--) { // the first of a key wins
        pool->dense[pool->constants.items[i - 1].key - key_min] = (uint32_t)(i - 1);
    }
    return LP_OK;
}

static lp_err
index_sparse(jfr_pool *pool)
{
    lp_err err = lp_map_reserve(&pool->sparse, pool->constants.count);
    for (size_t i = pool->constants.count; i > 0 && err == LP_OK; i--) { // the first of a key wins
        err = lp_map_put(&pool->sparse, pool->constants.items[i - 1].key, (uint32_t)(i - 1));
    }
    return err;
}

static bool
is_in_order(const jfr_pool *pool)
{
    for (size_t i = 1; i < pool->constants.count; i++) {
        if (pool->constants.items[i - 1].key >= pool->constants.items[i].key) {
            return false;
        }
    }
    return true;
}

// widen makes a page cover the word of a key.
static void
widen(jfr_pool_page *page, uint64_t at)
{
    uint16_t word = (uint16_t)(at % (1 << JFR_POOL_PAGE_BITS) / 64);
    uint16_t end = (uint16_t)(page->first_word + page->word_count);
    if (page->word_count == 0) {
        page->first_word = word;
        end = word;
    }
    page->first_word = word < page->first_word ? word : page->first_word;
    end = word < end ? end : (uint16_t)(word + 1);
    page->word_count = (uint16_t)(end - page->first_word);
}

// make_pages returns the number of words that the pages cover.
static uint64_t
make_pages(jfr_pool *pool, uint64_t page_count)
{
    for (size_t i = 0; i < pool->constants.count; i++) {
        uint64_t at = pool->constants.items[i].key - pool->key_min;
        LP_ASSERT(at >> JFR_POOL_PAGE_BITS < page_count);
        widen(&pool->pages[at >> JFR_POOL_PAGE_BITS], at);
    }
    uint64_t word_count = 0;
    for (uint64_t i = 0; i < page_count; i++) {
        pool->pages[i].begin = (uint32_t)word_count;
        word_count += pool->pages[i].word_count;
    }
    return word_count;
}

// fill_spread enters the keys.
static void
fill_spread(jfr_pool *pool, uint64_t word_count)
{
    for (size_t i = 0; i < pool->constants.count; i++) {
        uint64_t at = pool->constants.items[i].key - pool->key_min;
        const jfr_pool_page *page = &pool->pages[at >> JFR_POOL_PAGE_BITS];
        uint64_t word = at % (1 << JFR_POOL_PAGE_BITS) / 64 - page->first_word;
        pool->spread[page->begin + word].defined |= (uint64_t)1 << at % 64;
    }
    for (uint64_t i = 1; i < word_count; i++) {
        pool->spread[i].before =
            pool->spread[i - 1].before + lp_bits_count(pool->spread[i - 1].defined);
    }
}

// make_order makes pool->order, for constants that are not in the order of their keys.
static lp_err
make_order(jfr_pool *pool)
{
    uint32_t *order = malloc(pool->constants.count * sizeof(*order));
    LP_REQUIRE(order != NULL, LP_ENOMEM);
    for (size_t i = pool->constants.count; i > 0; i--) { // the first of a key wins
        order[jfr_pool_find_place(pool, pool->constants.items[i - 1].key - pool->key_min)] =
            (uint32_t)(i - 1);
    }
    pool->order = order;
    return LP_OK;
}

// index_spread makes pages and spread, or sparse where these would take too much.
static lp_err
index_spread(jfr_pool *pool, uint64_t key_min, uint64_t key_max)
{
    LP_ASSERT(pool->constants.count > 0); // others have no index
    pool->key_min = key_min >> JFR_POOL_PAGE_BITS << JFR_POOL_PAGE_BITS;
    uint64_t page_count = ((key_max - pool->key_min) >> JFR_POOL_PAGE_BITS) + 1;
    pool->pages = calloc(page_count, sizeof(*pool->pages));
    LP_REQUIRE(pool->pages != NULL, LP_ENOMEM);
    uint64_t word_count = make_pages(pool, page_count);
    if (word_count > pool->constants.count * SPREAD_WORDS_PER_CONSTANT + SPREAD_WORDS_MIN) {
        free(pool->pages);
        pool->pages = NULL;
        return index_sparse(pool);
    }
    pool->spread = calloc(word_count, sizeof(*pool->spread));
    LP_REQUIRE(pool->spread != NULL, LP_ENOMEM);
    pool->span = page_count << JFR_POOL_PAGE_BITS;
    fill_spread(pool, word_count);
    return is_in_order(pool) ? LP_OK : make_order(pool);
}

static lp_err
index_pool(jfr_pool *pool)
{
    pool->marks = calloc(pool->constants.count, sizeof(*pool->marks));
    LP_REQUIRE(pool->marks != NULL, LP_ENOMEM);
    uint64_t key_min = UINT64_MAX;
    uint64_t key_max = 0;
    for (size_t i = 0; i < pool->constants.count; i++) {
        uint64_t key = pool->constants.items[i].key;
        key_min = key < key_min ? key : key_min;
        key_max = key > key_max ? key : key_max;
    }
    uint64_t last = key_max - key_min; // how many slots there are would be 0 for all keys
    if (last < pool->constants.count * DENSE_SLOTS_PER_CONSTANT + DENSE_SLOTS_MIN) {
        return index_dense(pool, key_min, last + 1);
    }
    return last >> JFR_POOL_PAGE_BITS < pool->constants.count * SPREAD_PAGES_PER_CONSTANT
               ? index_spread(pool, key_min, key_max)
               : index_sparse(pool);
}

// order_spread makes pool->order where the constants are in order.
static lp_err
order_spread(jfr_pool *pool)
{
    if (pool->order == NULL) {
        pool->order = malloc(pool->constants.count * sizeof(*pool->order));
        for (size_t i = 0; pool->order != NULL && i < pool->constants.count; i++) {
            pool->order[i] = (uint32_t)i;
        }
    }
    return pool->order == NULL ? LP_ENOMEM : LP_OK;
}

lp_err
jfr_pools_hide(jfr_pools *pools, uint32_t type, uint32_t index)
{
    jfr_pool *pool = &pools->pools[type];
    const jfr_constant *constant = &pool->constants.items[index];
    uint64_t at = constant->key - pool->key_min;
    LP_ASSERT((pool->marks[index] & JFR_MARK_NEEDED) == 0);
    LP_ASSERT(jfr_pool_find_index(pool, constant->key) == index);
    LP_REQUIRE(LP_VEC_ROOM(&pool->unprintable), LP_ENOMEM);
    if (at >= pool->span) {
        lp_map_remove(&pool->sparse, constant->key);
    } else if (pool->dense != NULL) {
        pool->dense[at] = LP_MAP_NONE;
    } else if (order_spread(pool) == LP_OK) {
        pool->order[jfr_pool_find_place(pool, at)] = LP_MAP_NONE;
    } else {
        return LP_ENOMEM;
    }
    pool->unprintable.items[pool->unprintable.count++] = *constant;
    return LP_OK;
}

lp_err
jfr_pools_index(jfr_pools *pools)
{
    lp_err err = LP_OK;
    for (uint32_t i = 0; i < pools->pool_count && err == LP_OK; i++) {
        if (pools->pools[i].constants.count > 0) {
            err = index_pool(&pools->pools[i]);
        }
        pools->pools[i].keeps_unknown =
            i == pools->layout->thread_type || jfr_pools_find_index(pools, i, 0) != LP_MAP_NONE;
    }
    return err;
}
