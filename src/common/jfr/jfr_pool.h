// SPDX-License-Identifier: Apache-2.0
// jfr_pool: the constants of a chunk, by type and key, as they lie in its checkpoint events.
//
//   event  size  type 1  startTime  duration  delta  flags (1 byte)  count of pools
//   pool   type id  count  (key value)*
//
// Values stay where they are; an entry has offset and size of a value. If a key is defined twice,
// the first definition counts, as in the JDK's reader.
//
// Threads: one thread at a time.

#pragma once

#include "common/base/lp_bits.h"
#include "common/base/lp_err.h"
#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"
#include "common/jfr/jfr_layout.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct jfr_printable jfr_printable;

typedef struct jfr_constant {
    uint64_t key;
    uint32_t offset; // of the value in the chunk
    uint32_t size_bytes;
} jfr_constant;

// The bits of a constant's mark.
enum {
    JFR_MARK_NEEDED = 1,   // a kept event needs it
    JFR_MARK_HAS_NULL = 2, // it refers to a null of the output (jfr_rewrite.h); valid once all
                           // reachable constants are marked
    // Cached results of jfr_printable.h:
    JFR_MARK_FITS = 4,   // printable
    JFR_MARK_LACKS = 8,  // not printable
    JFR_MARK_NAMES = 16, // it is a text that can be the name of a class
    JFR_MARK_NAMES_NO = JFR_MARK_NAMES << 1,
    JFR_MARK_METHODS = 64, // it is a text that can be the descriptor of a method
    JFR_MARK_METHODS_NO = JFR_MARK_METHODS << 1,
};

// 64 keys in a row.
typedef struct jfr_pool_keys {
    uint64_t defined; // a bit for each, the first one's lowest
    uint64_t marked;  // those whose constants are known to be marked (jfr_pools_mark.c)
    uint32_t before;  // the number of defined keys before these 64
} jfr_pool_keys;

enum { JFR_POOL_PAGE_BITS = 16 };

// 65,536 keys in a row. HotSpot's keys of methods have the class in the bits above.
typedef struct jfr_pool_page {
    uint32_t begin;      // of its words in spread
    uint16_t first_word; // those before have no key
    uint16_t word_count; // up to the last key
} jfr_pool_page;

// Dense keys index a table. Sparse ones, such as HotSpot's methods, symbols and classes, use a bit
// set, of which only the parts that have keys exist. Others are in a map.
typedef struct jfr_pool {
    LP_VEC(jfr_constant) constants; // in order of appearance
    uint8_t *marks;                 // parallel to constants, once they are indexed
    uint64_t key_min;               // the first key of dense or pages
    uint64_t span;                  // how many keys dense or pages cover; all others are in sparse
    uint32_t *dense;                // key - key_min to an index of constants, or LP_MAP_NONE
    jfr_pool_page *pages;           // if dense is NULL: key - key_min to words of spread
    jfr_pool_keys *spread;          // 64 keys each
    uint32_t *order;                // the indexes of constants by key; NULL: sorted already
    lp_map sparse;                  // key to an index of constants; empty if another table is used
    size_t marked_count;
    size_t walked_count; // marking one of the first walked_count constants makes it pending
    bool is_enumeration; // jfr_enumeration.h
    bool has_text_keys;  // a constant that is only a text has a key in place of the text
    bool keeps_unknown;  // undefined keys do not mean null: keys of threads, or 0 is defined
    const jfr_printable *printable;   // what its constants need (jfr_printable.h); NULL: nothing
    LP_VEC(jfr_constant) unprintable; // removed, because they lack a needed part
} jfr_pool;

typedef struct jfr_pools {
    const jfr_layout *layout;
    lp_slice chunk;
    uint64_t bytes;         // of the checkpoints, about
    bool only_enumerations; // constants of other types are not added
    jfr_pool *pools;        // parallel to metadata->types
    uint32_t pool_count;
    jfr_printable *printables; // of the pools, or NULL
    // Marked constants: first those of the value being marked, then those behind the current
    // position while all reachable constants are marked.
    LP_VEC(struct jfr_pools_mark {
        uint32_t type;
        uint32_t index;
    })
    pending;
    uint64_t null_count; // marks of keys that are null in the output (jfr_rewrite.h); key 0
                         // counts only if frames need the constant
    bool is_failed;      // memory ran out while marking
} jfr_pools;

// chunk and layout are borrowed until jfr_pools_fini. Errors: LP_ENOMEM
LP_MUST_USE lp_err jfr_pools_init(
    jfr_pools *pools, lp_slice chunk, const jfr_metadata *metadata, const jfr_layout *layout);
void jfr_pools_fini(jfr_pools *pools);

// jfr_pools_add reads one checkpoint event; payload is what follows its type id, and lies in chunk.
// Errors: LP_ECORRUPT with an offset into chunk; LP_ENOMEM
LP_MUST_USE lp_err jfr_pools_add(
    jfr_pools *pools, const jfr_metadata *metadata, lp_slice payload, lp_problem *out_problem);

// jfr_pools_index makes the constants findable and markable, once all checkpoints are added.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err jfr_pools_index(jfr_pools *pools);

// jfr_pools_hide removes the constant at index of its pool, because it cannot be printed. Its key
// is undefined from then on. Errors: LP_ENOMEM
LP_MUST_USE lp_err jfr_pools_hide(jfr_pools *pools, uint32_t type, uint32_t index);

// jfr_pool_find_keys returns the keys among which key_min + at is, in a pool with `spread`. NULL if
// none of them is defined.
static inline jfr_pool_keys *
jfr_pool_find_keys(const jfr_pool *pool, uint64_t at)
{
    const jfr_pool_page *page = &pool->pages[at >> JFR_POOL_PAGE_BITS];
    uint32_t word = (uint32_t)(at % (1 << JFR_POOL_PAGE_BITS) / 64) - page->first_word;
    return word < page->word_count ? &pool->spread[page->begin + word] : NULL;
}

// jfr_pool_find_place returns how many keys of `spread` are before key_min + at. LP_MAP_NONE if
// that is not one of them.
static inline uint32_t
jfr_pool_find_place(const jfr_pool *pool, uint64_t at)
{
    const jfr_pool_keys *keys = jfr_pool_find_keys(pool, at);
    uint64_t bit = (uint64_t)1 << at % 64;
    return keys == NULL || (keys->defined & bit) == 0
               ? LP_MAP_NONE
               : keys->before + lp_bits_count(keys->defined & (bit - 1));
}

// jfr_pool_find_spread is jfr_pool_find_index for the key key_min + at, in a pool with `spread`.
static inline uint32_t
jfr_pool_find_spread(const jfr_pool *pool, uint64_t at)
{
    uint32_t place = jfr_pool_find_place(pool, at);
    return place == LP_MAP_NONE || pool->order == NULL ? place : pool->order[place];
}

// jfr_pool_find_index returns the place of a constant in its pool's constants, LP_MAP_NONE if the
// chunk does not define it.
static inline uint32_t
jfr_pool_find_index(const jfr_pool *pool, uint64_t key)
{
    uint64_t at = key - pool->key_min;
    if (at >= pool->span) {
        return lp_map_find(&pool->sparse, key);
    }
    return pool->dense != NULL ? pool->dense[at] : jfr_pool_find_spread(pool, at);
}

static inline uint32_t
jfr_pools_find_index(const jfr_pools *pools, uint32_t type, uint64_t key)
{
    return jfr_pool_find_index(&pools->pools[type], key);
}

// jfr_pools_find returns a constant, NULL if the chunk does not define it.
static inline jfr_constant *
jfr_pools_find(const jfr_pools *pools, uint32_t type, uint64_t key)
{
    uint32_t index = jfr_pools_find_index(pools, type, key);
    return index == LP_MAP_NONE ? NULL : &pools->pools[type].constants.items[index];
}
