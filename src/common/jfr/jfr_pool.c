// SPDX-License-Identifier: Apache-2.0
#include "common/jfr/jfr_pool.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_enumeration.h"
#include "common/jfr/jfr_tails.h"
#include "common/jfr/jfr_walk.h"

#include <stdlib.h>
#include <string.h>

// Design notes
//
// Constants are marked in two stages. While events are read, what they refer to is marked, and
// nothing else. At last each pool is gone through once, in the order of its constants, which is
// that of the memory, and what the marked ones refer to is marked. Where that is behind the place
// that has been reached in its pool it will be met there; only what lies before becomes pending.
// The order of the pools does not matter for the result.
//
// Most of what is marked is what stack traces refer to, and they have most of their frames in
// common: what a trace ends with is walked only if none before ends with it.

// Keys are looked up in a table, or in a set of bits, if there are at most so many slots in it for
// each constant.
enum {
    DENSE_SLOTS_PER_CONSTANT = 4,
    DENSE_SLOTS_MIN = 64,
    SPREAD_SLOTS_PER_CONSTANT = 256, // of a quarter of a byte
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
    if (pools->pools == NULL) {
        return LP_ENOMEM;
    }
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
        free(pools->pools[i].spread);
        free(pools->pools[i].order);
        lp_map_fini(&pools->pools[i].sparse);
    }
    free(pools->pools);
    LP_VEC_FINI(&pools->pending);
    *pools = (jfr_pools){0};
}

static lp_err
add_constant(
    jfr_pools *pools, uint32_t type, uint64_t key, const uint8_t *begin, const uint8_t *end)
{
    jfr_pool *pool = &pools->pools[type];
    if (!LP_VEC_ROOM(&pool->constants)) {
        return LP_ENOMEM;
    }
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

// is_one_text returns whether a program is that of a text, and of nothing else.
static bool
is_one_text(const jfr_layout *layout, jfr_program program)
{
    return program.end - program.begin == 1 &&
           layout->ops.items[program.begin].code == JFR_OP_STRING;
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
    if (!jfr_varint_read(cursor, &type_id) || !jfr_varint_read(cursor, &count)) {
        return lp_problem_at(problem, LP_ECORRUPT, begin, "a constant pool is cut short");
    }
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
    bool is_text = is_one_text(pools->layout, program);
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
        lp_err err = is_wanted ? add_constant(pools, type, key, value.at, cursor->at) : LP_OK;
        if (err != LP_OK) {
            return err;
        }
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
        lp_err err = add_pool(pools, metadata, &cursor, out_problem);
        if (err != LP_OK) {
            return err;
        }
    }
    return LP_OK;
}

static lp_err
index_dense(jfr_pool *pool, uint64_t key_min, uint64_t slot_count)
{
    pool->dense = malloc(slot_count * sizeof(*pool->dense));
    if (pool->dense == NULL) {
        return LP_ENOMEM;
    }
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

static lp_err
index_spread(jfr_pool *pool, uint64_t key_min, uint64_t slot_count)
{
    LP_ASSERT(pool->constants.count > 0); // others have no index
    size_t word_count = (size_t)(slot_count / 64 + 1);
    pool->spread = calloc(word_count, sizeof(*pool->spread));
    if (pool->spread == NULL) {
        return LP_ENOMEM;
    }
    pool->key_min = key_min;
    pool->span = slot_count;
    for (size_t i = 0; i < pool->constants.count; i++) {
        uint64_t at = pool->constants.items[i].key - key_min;
        pool->spread[at / 64].defined |= (uint64_t)1 << at % 64;
    }
    for (size_t i = 1; i < word_count; i++) {
        pool->spread[i].before =
            pool->spread[i - 1].before + lp_bits_count(pool->spread[i - 1].defined);
    }
    if (is_in_order(pool)) {
        return LP_OK;
    }
    uint32_t *order = malloc(pool->constants.count * sizeof(*order));
    if (order == NULL) {
        return LP_ENOMEM;
    }
    for (size_t i = pool->constants.count; i > 0; i--) { // the first of a key wins
        order[jfr_pool_find_spread(pool, pool->constants.items[i - 1].key - key_min)] =
            (uint32_t)(i - 1);
    }
    pool->order = order;
    return LP_OK;
}

static lp_err
index_pool(jfr_pool *pool)
{
    pool->marks = calloc(pool->constants.count, sizeof(*pool->marks));
    if (pool->marks == NULL) {
        return LP_ENOMEM;
    }
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
    return last < pool->constants.count * SPREAD_SLOTS_PER_CONSTANT
               ? index_spread(pool, key_min, last + 1)
               : index_sparse(pool);
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

// mark_new marks a constant that is not marked.
static __attribute__((noinline)) void
mark_new(jfr_pools *pools, uint32_t type, uint32_t index)
{
    jfr_pool *pool = &pools->pools[type];
    if (index < pool->walked_count) {
        struct jfr_pools_mark *pending = LP_VEC_PUSH(&pools->pending);
        if (pending == NULL) {
            pools->is_failed = true;
            return;
        }
        *pending = (struct jfr_pools_mark){.type = type, .index = index};
    }
    pool->marks[index] = JFR_MARK_NEEDED;
    pool->marked_count++;
}

static inline void
mark_index(jfr_pools *pools, uint32_t type, uint32_t index)
{
    if (pools->pools[type].marks[index] == 0) {
        mark_new(pools, type, index);
    }
}

// mark_keys marks the constants of some keys (jfr_walk_visitor).
static inline __attribute__((always_inline)) void
mark_keys(void *arg, uint32_t type, const uint64_t *keys, size_t count)
{
    jfr_pools *pools = arg;
    const jfr_pool *pool = &pools->pools[type];
    const uint8_t *marks = pool->marks;
    for (size_t i = 0; i < count; i++) {
        uint32_t index = jfr_pool_find_index(pool, keys[i]);
        if (index == LP_MAP_NONE) {
            pools->null_count += keys[i] != 0 && !pool->keeps_unknown;
        } else if (marks[index] == 0) {
            mark_new(pools, type, index);
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

// unmark takes back all marks but the first count.
static void
unmark(jfr_pools *pools, size_t count)
{
    while (pools->pending.count > count) {
        struct jfr_pools_mark last = pools->pending.items[--pools->pending.count];
        jfr_pool *pool = &pools->pools[last.type];
        pool->marks[last.index] = 0;
        pool->marked_count--;
    }
}

// Bytes behind a value that are read with it.
enum { READ_AHEAD_BYTES = JFR_BLOCK_BYTES + JFR_VARINT_BYTES_MAX };

// read_ahead returns cursor, which lies in the chunk, with more behind it, as numbers are read
// faster there. What is read behind the end has to be noticed at last.
static jfr_cursor
read_ahead(const jfr_pools *pools, const jfr_cursor *cursor)
{
    const uint8_t *chunk_end = pools->chunk.ptr + pools->chunk.len;
    size_t behind = (size_t)(chunk_end - cursor->end);
    behind = behind < READ_AHEAD_BYTES ? behind : READ_AHEAD_BYTES;
    return (jfr_cursor){cursor->at, cursor->end + behind};
}

// mark_value is jfr_pools_mark_value, but leaves what it has marked where it fails.
static bool
mark_value(jfr_pools *pools, jfr_program program, jfr_cursor *cursor)
{
    jfr_cursor rest = read_ahead(pools, cursor);
    const jfr_walk_visitor visitor = {mark_keys, wants_keys, pools};
    if (!jfr_walk(pools->layout, program, &rest, visitor) || rest.at > cursor->end) {
        return false;
    }
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

// mark_references marks what a constant refers to.
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
    jfr_program program = pools->layout->types.items[type];
    for (uint32_t i = program.begin; i < program.end; i++) {
        jfr_op_code code = pools->layout->ops.items[i].code;
        bool is_text = code == JFR_OP_STRING;
        if (code == JFR_OP_CONSTANT || code == JFR_OP_ARRAY || code == JFR_OP_CONSTANT_ARRAY ||
            (is_text && !is_one_text(pools->layout, program))) {
            return true;
        }
    }
    return pools->pools[type].has_text_keys;
}

enum { CACHE_LINE_BYTES = 64 };

// A pool of constants that refer to others by the rows at their end only, as stack traces do.
typedef struct row_pool {
    jfr_pools *pools;
    uint32_t type;
    jfr_program head; // of what is before the rows, and how many these are
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

// find_known returns the begin of what is known of rows: bytes that rows walked before end with,
// too.
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
    // What follows is looked at next, from its end on, which the CPU does not expect.
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

// walk_pool marks what the marked constants of a pool refer to.
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
    for (size_t i = 0; i < pool->constants.count; i++) {
        pool->walked_count = i + 1;
        if (pool->marks[i] != 0 && has_rows) {
            mark_rows(&rows, i);
        } else if (pool->marks[i] != 0) {
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
