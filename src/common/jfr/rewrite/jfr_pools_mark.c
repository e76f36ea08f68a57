// SPDX-License-Identifier: Apache-2.0
#include "common/jfr/rewrite/jfr_pools_mark.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_tails.h"
#include "common/jfr/jfr_walk.h"
#include "common/jfr/rewrite/jfr_printable.h"

#include <stdlib.h>

// Design notes
//
// Constants are marked in two stages. While events are read, what they refer to is marked, and
// nothing else. At last each pool is gone through once, in the order of its constants, which is
// that of the memory, and what the marked ones refer to is marked. Where that is behind the place
// that has been reached in its pool it will be met there; only what lies before becomes pending.
// The order of the pools does not matter for the result.
//
// A constant that cannot be printed (jfr_printable.h) is hidden when it is to be marked for the
// first time, before anything that refers to it is written: to all it is missing.
//
// Most of what is marked is what stack traces refer to, and they have most of their frames in
// common: what a trace ends with is walked only if none before ends with it.

static inline void
count_missing(jfr_pools *pools, const jfr_pool *pool, uint64_t key)
{
    bool is_needed = pool->printable != NULL && pool->printable->is_needed_by_frames;
    pools->null_count += is_needed || (key != 0 && !pool->keeps_unknown);
}

// hide hides a constant that somebody refers to.
static __attribute__((noinline)) void
hide(jfr_pools *pools, uint32_t type, uint32_t index)
{
    const jfr_pool *pool = &pools->pools[type];
    pools->is_failed |= jfr_pools_hide(pools, type, index) != LP_OK;
    count_missing(pools, pool, pool->constants.items[index].key);
}

// mark_new marks a constant that is not marked, or hides it.
static __attribute__((noinline)) void
mark_new(jfr_pools *pools, uint32_t type, uint32_t index)
{
    jfr_pool *pool = &pools->pools[type];
    if (pool->printable != NULL && !jfr_printable_fits(pools, type, index)) {
        hide(pools, type, index);
        return;
    }
    if (index < pool->walked_count) {
        struct jfr_pools_mark *pending = LP_VEC_PUSH(&pools->pending);
        if (pending == NULL) {
            pools->is_failed = true;
            return;
        }
        *pending = (struct jfr_pools_mark){.type = type, .index = index};
    }
    pool->marks[index] |= JFR_MARK_NEEDED;
    pool->marked_count++;
}

static inline void
mark_index(jfr_pools *pools, uint32_t type, uint32_t index)
{
    if ((pools->pools[type].marks[index] & JFR_MARK_NEEDED) == 0) {
        mark_new(pools, type, index);
    }
}

// mark_key marks the constant of a key.
static inline __attribute__((always_inline)) void
mark_key(jfr_pools *pools, uint32_t type, uint64_t key)
{
    const jfr_pool *pool = &pools->pools[type];
    uint32_t index = jfr_pool_find_index(pool, key);
    if (index == LP_MAP_NONE) {
        count_missing(pools, pool, key);
    } else {
        mark_index(pools, type, index);
    }
}

// mark_spread is mark_key in a pool with `spread`, for a key that is not noted there.
static __attribute__((noinline)) void
mark_spread(jfr_pools *pools, uint32_t type, uint64_t key)
{
    const jfr_pool *pool = &pools->pools[type];
    uint32_t index = jfr_pool_find_index(pool, key);
    mark_key(pools, type, key);
    if (index != LP_MAP_NONE && (pool->marks[index] & JFR_MARK_NEEDED) != 0) {
        uint64_t at = key - pool->key_min;
        jfr_pool_find_keys(pool, at)->marked |= (uint64_t)1 << at % 64;
    }
}

static inline bool
is_noted(const jfr_pool *pool, uint64_t key)
{
    uint64_t at = key - pool->key_min;
    const jfr_pool_keys *keys = at < pool->span ? jfr_pool_find_keys(pool, at) : NULL;
    return keys != NULL && (keys->marked >> at % 64 & 1) != 0;
}

// mark_keys marks the constants of some keys (jfr_walk_visitor).
static inline __attribute__((always_inline)) void
mark_keys(void *arg, uint32_t type, const uint64_t *keys, size_t count)
{
    jfr_pools *pools = arg;
    const jfr_pool *pool = &pools->pools[type];
    if (pool->spread == NULL) {
        for (size_t i = 0; i < count; i++) {
            mark_key(pools, type, keys[i]);
        }
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (!is_noted(pool, keys[i])) {
            mark_spread(pools, type, keys[i]);
        }
    }
}

// wants_keys returns whether it matters which constants of a pool are marked (jfr_walk_visitor):
// not where all will be, and none is null.
static inline __attribute__((always_inline)) bool
wants_keys(void *arg, uint32_t type)
{
    const jfr_pool *pool = &((const jfr_pools *)arg)->pools[type];
    return !(pool->is_enumeration && pool->marked_count > 0 && pool->keeps_unknown);
}

void
jfr_pools_mark_index(jfr_pools *pools, uint32_t type, uint32_t index)
{
    mark_index(pools, type, index);
}

void
jfr_pools_mark(jfr_pools *pools, uint32_t type, uint64_t key)
{
    mark_keys(pools, type, &key, 1);
}

// forget takes back the note that the constant of a key is marked.
static void
forget(const jfr_pool *pool, uint64_t key)
{
    uint64_t at = key - pool->key_min;
    if (pool->spread != NULL) {
        jfr_pool_find_keys(pool, at)->marked &= ~((uint64_t)1 << at % 64);
    }
}

// unmark takes back all marks but the first count.
static void
unmark(jfr_pools *pools, size_t count)
{
    while (pools->pending.count > count) {
        struct jfr_pools_mark last = pools->pending.items[--pools->pending.count];
        jfr_pool *pool = &pools->pools[last.type];
        pool->marks[last.index] &= (uint8_t)~JFR_MARK_NEEDED;
        forget(pool, pool->constants.items[last.index].key);
        pool->marked_count--;
    }
}

// Bytes behind a value that are read with it.
enum { READ_AHEAD_BYTES = JFR_BLOCK_BYTES + JFR_VARINT_BYTES_MAX };

// read_ahead returns cursor, which lies in the chunk, with a later end, as numbers are read faster
// with spare bytes. The caller must check in the end that nothing was read past the value.
static jfr_cursor
read_ahead(const jfr_pools *pools, const jfr_cursor *cursor)
{
    const uint8_t *chunk_end = pools->chunk.ptr + pools->chunk.len;
    size_t behind = (size_t)(chunk_end - cursor->end);
    behind = behind < READ_AHEAD_BYTES ? behind : READ_AHEAD_BYTES;
    return (jfr_cursor){cursor->at, cursor->end + behind};
}

// mark_value is jfr_pools_mark_value, but on failure its marks stay.
static bool
mark_value(jfr_pools *pools, jfr_program program, jfr_cursor *cursor)
{
    jfr_cursor rest = read_ahead(pools, cursor);
    const jfr_walk_visitor visitor = {mark_keys, wants_keys, pools};
    LP_REQUIRE(jfr_walk(pools->layout, program, &rest, visitor) && rest.at <= cursor->end, false);
    cursor->at = rest.at;
    return true;
}

bool
jfr_pools_mark_value(jfr_pools *pools, jfr_program program, jfr_cursor *cursor)
{
    size_t marks = pools->pending.count;
    uint64_t nulls = pools->null_count;
    if (!mark_value(pools, program, cursor)) {
        unmark(pools, marks);
        pools->null_count = nulls;
        return false;
    }
    pools->pending.count = marks;
    return true;
}

// --- Everything reachable

static jfr_cursor
value_of(const jfr_pools *pools, uint32_t type, size_t index)
{
    const jfr_constant *constant = &pools->pools[type].constants.items[index];
    const uint8_t *value = pools->chunk.ptr + constant->offset;
    return (jfr_cursor){value, value + constant->size_bytes};
}

// mark_references marks the constants that a constant refers to.
static void
mark_references(jfr_pools *pools, uint32_t type, size_t index)
{
    jfr_cursor cursor = value_of(pools, type, index);
    uint64_t nulls = pools->null_count;
    bool is_whole = mark_value(pools, pools->layout->types.items[type], &cursor);
    LP_ASSERT(is_whole); // it was when it was added
    if (pools->null_count != nulls) {
        pools->pools[type].marks[index] |= JFR_MARK_HAS_NULL;
    }
}

static void
mark_pending(jfr_pools *pools)
{
    while (pools->pending.count > 0) {
        struct jfr_pools_mark last = pools->pending.items[--pools->pending.count];
        mark_references(pools, last.type, last.index);
    }
}

bool
jfr_pools_may_refer(const jfr_pools *pools, uint32_t type)
{
    if (jfr_layout_is_text(pools->layout, type)) {
        return pools->pools[type].has_text_keys;
    }
    jfr_program program = pools->layout->types.items[type];
    for (uint32_t i = program.begin; i < program.end; i++) {
        jfr_op_code code = pools->layout->ops.items[i].code;
        if (code == JFR_OP_CONSTANT || code == JFR_OP_ARRAY || code == JFR_OP_CONSTANT_ARRAY ||
            code == JFR_OP_STRING) {
            return true;
        }
    }
    return false;
}

// --- Rows that constants end with

enum { CACHE_LINE_BYTES = 64 };

// A pool of constants that refer to others by the rows at their end only, as stack traces do.
typedef struct row_pool {
    jfr_pools *pools;
    uint32_t type;
    jfr_program head; // of the part before the rows, with their number
    uint32_t head_bytes_max;
    jfr_table table;
    jfr_tails *tails; // of the rows that were walked
} row_pool;

// row_pool_make returns whether a pool is one, where its constants may refer to others at all.
static bool
row_pool_make(jfr_pools *pools, uint32_t type, row_pool *out)
{
    const jfr_layout *layout = pools->layout;
    jfr_program program = layout->types.items[type];
    *out = (row_pool){.pools = pools, .type = type, .head = {program.begin, program.end - 1}};
    out->head_bytes_max = JFR_VARINT_BYTES_MAX;
    for (uint32_t i = program.begin; i + 1 < program.end; i++) {
        const jfr_op *op = &layout->ops.items[i];
        if (op->code != JFR_OP_BYTES && op->number_run == 0) {
            return false;
        }
        out->head_bytes_max += op->code == JFR_OP_BYTES ? op->arg : JFR_VARINT_BYTES_MAX;
    }
    const jfr_op *last = &layout->ops.items[program.end - 1];
    return last->code == JFR_OP_ARRAY &&
           jfr_table_make(layout, layout->types.items[last->arg], &out->table);
}

// check_all checks which constants of the pools that rows refer to can be printed.
static void
check_all(const row_pool *r)
{
    for (uint32_t i = 0; i < r->table.key_count; i++) {
        jfr_printable_check_all(r->pools, r->table.keys[i].type);
    }
}

// find_rows returns where the rows of a constant are.
static jfr_cursor
find_rows(const row_pool *r, size_t index, uint64_t *out_count)
{
    jfr_cursor cursor = value_of(r->pools, r->type, index);
    bool is_whole =
        jfr_layout_walk(r->pools->layout, r->head, &cursor) && jfr_varint_read(&cursor, out_count);
    LP_ASSERT(is_whole); // it was when it was added
    return cursor;
}

// find_known returns the begin of the row bytes at the end that earlier walked rows also ended
// with.
static const uint8_t *
find_known(const row_pool *r, size_t index, const jfr_cursor *rows)
{
    lp_slice bytes = {rows->at, jfr_cursor_left(rows)};
    uint32_t before = jfr_tails_add(r->tails, bytes, (uint32_t)index);
    if (before == JFR_TAILS_NONE ||
        (r->pools->pools[r->type].marks[before] & JFR_MARK_HAS_NULL) != 0) { // maybe there
        return rows->end;
    }
    jfr_cursor others = value_of(r->pools, r->type, before);
    if (!jfr_cursor_skip(&others, r->head_bytes_max)) { // looking for its rows would be a miss
        return rows->end;
    }
    return rows->end - jfr_tails_shared(bytes, (lp_slice){others.at, jfr_cursor_left(&others)});
}

// mark_rows is mark_references for the rows of a constant.
static void
mark_rows(const row_pool *r, size_t index)
{
    jfr_pools *pools = r->pools;
    uint64_t count;
    jfr_cursor rows = find_rows(r, index, &count);
    // The next reads go backwards, which the CPU does not prefetch.
    for (size_t i = 0; i < jfr_cursor_left(&rows); i += CACHE_LINE_BYTES) {
        __builtin_prefetch(rows.end + i);
    }
    const uint8_t *known = find_known(r, index, &rows);
    const jfr_walker w = {pools->layout, {mark_keys, wants_keys, pools}};
    jfr_table table = r->table;
    uint64_t nulls = pools->null_count;
    rows = read_ahead(pools, &rows);
    bool is_whole = jfr_walk_table(w, &table, count, known, &rows);
    LP_ASSERT(is_whole); // it was when it was added
    if (pools->null_count != nulls) {
        pools->pools[r->type].marks[index] |= JFR_MARK_HAS_NULL;
    }
}

// --- Pool by pool

// walk_pool marks the references of the marked constants of a pool.
static void
walk_pool(jfr_pools *pools, uint32_t type)
{
    jfr_pool *pool = &pools->pools[type];
    row_pool rows;
    bool has_rows = row_pool_make(pools, type, &rows);
    rows.tails = has_rows ? calloc(1, sizeof(*rows.tails)) : NULL;
    if (has_rows && rows.tails == NULL) {
        pools->is_failed = true;
        return;
    }
    if (has_rows && pool->marked_count > pool->constants.count / 2) {
        check_all(&rows);
    }
    for (size_t i = 0; i < pool->constants.count; i++) {
        pool->walked_count = i + 1;
        bool is_needed = (pool->marks[i] & JFR_MARK_NEEDED) != 0;
        if (is_needed && has_rows) {
            mark_rows(&rows, i);
        } else if (is_needed) {
            mark_references(pools, type, i);
        }
    }
    free(rows.tails);
}

// mark_whole marks all constants of a pool but those whose key has been defined before.
static void
mark_whole(jfr_pools *pools, uint32_t type)
{
    const jfr_pool *pool = &pools->pools[type];
    for (uint32_t i = 0; i < pool->constants.count; i++) {
        if (jfr_pools_find_index(pools, type, pool->constants.items[i].key) == i) {
            mark_index(pools, type, i);
        }
    }
}

lp_err
jfr_pools_mark_reachable(jfr_pools *pools)
{
    pools->pending.count = 0; // all of them will be met in their pools
    for (uint32_t i = 0; i < pools->pool_count; i++) {
        pools->pools[i].walked_count = 0;
    }
    for (uint32_t i = 0; i < pools->pool_count; i++) {
        if (pools->pools[i].constants.count > 0 && jfr_pools_may_refer(pools, i)) {
            walk_pool(pools, i);
        }
    }
    mark_pending(pools);
    for (uint32_t i = 0; i < pools->pool_count; i++) {
        if (pools->pools[i].is_enumeration && pools->pools[i].marked_count > 0) {
            mark_whole(pools, i);
        }
    }
    mark_pending(pools); // an enumeration refers to texts alone
    return pools->is_failed ? LP_ENOMEM : LP_OK;
}
