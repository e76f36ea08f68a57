// SPDX-License-Identifier: Apache-2.0
#include "common/jfr/rewrite/jfr_rewrite.h"

#include "common/base/lp_hash.h"
#include "common/jfr/jfr_string.h"
#include "common/jfr/jfr_table.h"

static const uint64_t PLAIN_KEYS = (uint64_t)1 << 48; // larger ones are hashed; no JVM has them
static const uint64_t HASHED = (uint64_t)1 << 63;     // set in what they become

_Static_assert(JFR_REWRITE_SOURCES_MAX <= 1 << 14, "a plain key leaves the bits of HASHED alone");

static bool
has_own_terms(const jfr_rewrite *rewrite)
{
    return rewrite->source_count > 0;
}

static uint64_t
hashed_key(const jfr_rewrite *rewrite, uint64_t key)
{
    const uint64_t terms[] = {rewrite->source, key};
    return lp_hash_bytes(LP_HASH_FIXED, (lp_slice){(const uint8_t *)terms, sizeof(terms)}) | HASHED;
}

static uint64_t
key_in_output(const jfr_rewrite *rewrite, uint64_t key)
{
    if (!has_own_terms(rewrite)) {
        return key;
    }
    return key < PLAIN_KEYS ? key * rewrite->source_count + rewrite->source + 1
                            : hashed_key(rewrite, key);
}

// undefined_key is jfr_rewrite_key for a key that the chunk does not describe.
static __attribute__((noinline)) uint64_t
undefined_key(const jfr_rewrite *rewrite, uint32_t type, uint64_t key)
{
    bool is_thread = key != 0 && type == rewrite->layout->thread_type;
    if (!is_thread && jfr_pools_find_index(rewrite->pools, type, 0) == LP_MAP_NONE) {
        return 0;
    }
    return has_own_terms(rewrite) && rewrite->pools->pools[type].is_enumeration
               ? hashed_key(rewrite, key)
               : key_in_output(rewrite, key);
}

// rewritten_key is jfr_rewrite_key, made part of the loops.
static inline __attribute__((always_inline)) uint64_t
rewritten_key(const jfr_rewrite *rewrite, uint32_t type, bool has_nulls, uint64_t key)
{
    const jfr_pool *pool = &rewrite->pools->pools[type];
    if (!has_nulls && !pool->is_enumeration && !pool->keeps_unknown) {
        return key == 0 ? 0 : key_in_output(rewrite, key);
    }
    if (jfr_pool_find_index(pool, key) == LP_MAP_NONE) {
        return undefined_key(rewrite, type, key);
    }
    return pool->is_enumeration ? key : key_in_output(rewrite, key);
}

uint64_t
jfr_rewrite_key(const jfr_rewrite *rewrite, uint32_t type, uint64_t key)
{
    return rewritten_key(rewrite, type, true, key);
}

uint64_t
jfr_rewrite_defined_key(const jfr_rewrite *rewrite, uint32_t type, uint64_t key)
{
    return rewrite->pools->pools[type].is_enumeration ? key : key_in_output(rewrite, key);
}

uint64_t
jfr_rewrite_type_id(const jfr_rewrite *rewrite, uint64_t id)
{
    if (!has_own_terms(rewrite)) {
        return id;
    }
    uint32_t type = jfr_metadata_find_type(rewrite->metadata, id);
    return type == JFR_NONE ? ~key_in_output(rewrite, id) | HASHED : rewrite->type_ids[type];
}

uint64_t
jfr_rewrite_context_id(const jfr_rewrite *rewrite, uint64_t id)
{
    return id == 0 ? 0 : key_in_output(rewrite, id);
}

int64_t
jfr_rewrite_time(const jfr_rewrite *rewrite, int64_t ticks)
{
    if (!has_own_terms(rewrite)) {
        return ticks;
    }
    uint64_t wall_ns = (uint64_t)jfr_clock_wall_ns(&rewrite->clock, ticks);
    return (int64_t)(wall_ns - (uint64_t)rewrite->zero_wall_ns);
}

typedef struct rewriter {
    const jfr_rewrite *rewrite;
    bool has_nulls;
    lp_buf *out;
    uint8_t *to;              // next byte to write, behind out->len until give_back
    uint8_t *room_end;        // NULL if there is none, as to is
    const uint8_t *copied_to; // everything before it is in out
    const uint8_t *end;       // of the readable bytes: of the value or the chunk
    int64_t time;             // the last time that was read, in ticks of the input
} rewriter;

static bool rewrite_value(rewriter *w, jfr_program program, jfr_cursor *cursor, unsigned depth);

enum {
    PIECE_BYTES = 16,  // copied at once, if out has room for them
    ROOM_BYTES = 1024, // reserved at once
};

// give_back ends the output where the next byte would go.
static void
give_back(rewriter *w)
{
    if (w->to != NULL) {
        w->out->len = (size_t)(w->to - w->out->ptr);
    }
    w->to = w->room_end = NULL;
}

// take_room makes the rest of the output room, if it has memory.
static inline void
take_room(rewriter *w)
{
    if (w->out->ptr != NULL && !w->out->is_failed) {
        w->to = w->out->ptr + w->out->len;
        w->room_end = w->out->ptr + w->out->capacity;
    }
}

static __attribute__((noinline)) bool
get_room(rewriter *w, size_t count)
{
    give_back(w);
    w->to = lp_buf_extend(w->out, count + ROOM_BYTES);
    w->room_end = w->to == NULL ? NULL : w->out->ptr + w->out->capacity;
    return w->to != NULL;
}

// has_room returns false once memory ran out, which w->out remembers.
static inline bool
has_room(rewriter *w, size_t count)
{
    return count <= (size_t)(w->room_end - w->to) || get_room(w, count);
}

// copy_to copies what lies before begin and is not in out yet. Returns false once memory ran out,
// else there is room for more_bytes behind it.
static inline bool
copy_to(rewriter *w, const uint8_t *begin, size_t more_bytes)
{
    size_t count = (size_t)(begin - w->copied_to);
    LP_REQUIRE(has_room(w, count + PIECE_BYTES + more_bytes), false);
    if (count <= PIECE_BYTES && w->end - w->copied_to >= PIECE_BYTES) {
        memcpy(w->to, w->copied_to, PIECE_BYTES);
    } else {
        memcpy(w->to, w->copied_to, count);
    }
    w->to += count;
    w->copied_to = begin;
    return true;
}

// put writes value in place of the number that lies between begin and end.
static inline void
put(rewriter *w, const uint8_t *begin, const uint8_t *end, uint64_t number, uint64_t value)
{
    if (value != number && copy_to(w, begin, JFR_VARINT_BYTES_MAX)) {
        w->to += jfr_varint_encode(value, w->to);
        w->copied_to = end;
    }
}

static bool
rewrite_key(rewriter *w, uint32_t type, jfr_cursor *cursor)
{
    const uint8_t *begin = cursor->at;
    uint64_t key;
    LP_REQUIRE(jfr_varint_read(cursor, &key), false);
    put(w, begin, cursor->at, key, rewritten_key(w->rewrite, type, w->has_nulls, key));
    return true;
}

static bool
rewrite_string(rewriter *w, jfr_cursor *cursor)
{
    uint32_t type = w->rewrite->layout->string_type;
    if (cursor->at < cursor->end && *cursor->at == JFR_STRING_CONSTANT && type != JFR_NONE) {
        cursor->at++;
        return rewrite_key(w, type, cursor);
    }
    uint64_t key;
    return jfr_string_skip(cursor, &key);
}

// convert returns value, a number of the kind of code, in the output's terms.
static inline __attribute__((always_inline)) int64_t
convert(rewriter *w, jfr_op_code code, int64_t value)
{
    if (code == JFR_OP_TIMESTAMP) {
        w->time = value;
    }
    if (value == INT64_MIN || value == INT64_MAX) { // readers do not convert these either
        return value;
    }
    switch (code) {
    case JFR_OP_TIMESTAMP:
        return jfr_rewrite_time(w->rewrite, value);
    case JFR_OP_TIMESPAN:
        return jfr_clock_length_ns(&w->rewrite->clock, value);
    case JFR_OP_DURATION: {
        if (value == 0) {
            return 0;
        }
        int64_t end = (int64_t)((uint64_t)w->time + (uint64_t)value); // may wrap around
        return (int64_t)((uint64_t)jfr_rewrite_time(w->rewrite, end) -
                         (uint64_t)jfr_rewrite_time(w->rewrite, w->time));
    }
    case JFR_OP_TYPE_ID:
        return (int64_t)jfr_rewrite_type_id(w->rewrite, (uint64_t)value);
    case JFR_OP_CONTEXT_ID:
        return (int64_t)jfr_rewrite_context_id(w->rewrite, (uint64_t)value);
    case JFR_OP_VARINT:
    case JFR_OP_BYTES:
    case JFR_OP_STRING:
    case JFR_OP_CONSTANT:
    case JFR_OP_ARRAY:
    case JFR_OP_CONSTANT_ARRAY:
    case JFR_OP_UNKNOWN:
        break;
    }
    return value;
}

// converted_bits returns what becomes of a number of bits of an op.
static inline __attribute__((always_inline)) uint64_t
converted_bits(rewriter *w, const jfr_op *op, uint64_t bits)
{
    if (!has_own_terms(w->rewrite)) {
        return bits;
    }
    unsigned unused = 64 - op->arg;
    int64_t value = convert(w, op->code, (int64_t)(bits << unused) >> unused);
    int64_t value_max = INT64_MAX >> unused;
    value = value > value_max ? value_max : value < ~value_max ? ~value_max : value;
    return (uint64_t)value & UINT64_MAX >> unused;
}

static bool
rewrite_number(rewriter *w, const jfr_op *op, jfr_cursor *cursor)
{
    const uint8_t *begin = cursor->at;
    uint64_t bits;
    LP_REQUIRE(jfr_varint_read(cursor, &bits), false);
    put(w, begin, cursor->at, bits, converted_bits(w, op, bits));
    return true;
}

// --- Rows of numbers

// make_table returns whether the elements of an array are rows of which only keys change.
static bool
make_table(const rewriter *w, jfr_program element, jfr_table *out_table)
{
    for (uint32_t i = element.begin; i < element.end && has_own_terms(w->rewrite); i++) {
        jfr_op_code code = w->rewrite->layout->ops.items[i].code;
        if (code != JFR_OP_VARINT && code != JFR_OP_CONSTANT) {
            return false;
        }
    }
    return jfr_table_make(w->rewrite->layout, element, out_table);
}

// The most bytes that the rows of a block take in the output.
enum { ROWS_BYTES_MAX = JFR_BLOCK_BYTES * JFR_VARINT_BYTES_MAX + JFR_TABLE_AHEAD_BYTES };

// copy_piece copies what lies between from and end, and some bytes that mean nothing behind it.
static inline uint8_t *
copy_piece(uint8_t *to, const uint8_t *from, const uint8_t *end)
{
    uint8_t *to_end = to + (end - from);
    for (; to < to_end; to += JFR_TABLE_AHEAD_BYTES, from += JFR_TABLE_AHEAD_BYTES) {
        memcpy(to, from, JFR_TABLE_AHEAD_BYTES);
    }
    return to_end;
}

// Where rewriting a block is.
typedef struct block_cursor {
    const uint8_t *at; // of the block
    jfr_table_place place;
    const uint8_t *copied_to;
    uint8_t *to;
} block_cursor;

// rewrite_at writes the key at the place.
static inline __attribute__((always_inline)) block_cursor
rewrite_at(const rewriter *w, uint32_t type, block_cursor c)
{
    uint64_t key;
    jfr_varint_read_short(c.at + c.place.begin, &key);
    uint64_t value = rewritten_key(w->rewrite, type, w->has_nulls, key);
    if (value != key) {
        c.to = copy_piece(c.to, c.copied_to, c.at + c.place.begin);
        c.to += jfr_varint_encode_short(value, c.to);
        c.copied_to = c.at + __builtin_ctzll(c.place.stops) + 1;
    }
    return c;
}

// rewrite_rows writes count rows.
static block_cursor
rewrite_rows(const rewriter *w, const jfr_table *table, block_cursor c, uint32_t count)
{
    for (; count > 0; count--) {
        uint32_t column = 0;
        for (uint32_t i = 0; i < table->key_count; i++) {
            c.place = jfr_table_hop(c.place, table->keys[i].at - column);
            column = table->keys[i].at;
            c = rewrite_at(w, table->keys[i].type, c);
        }
        c.place = jfr_table_hop(c.place, table->width - column);
    }
    return c;
}

// is_frames returns whether rows are frames of HotSpot's stack traces: method, line, bytecode index
// and kind.
static bool
is_frames(const jfr_table *table)
{
    return table->width == 4 && table->key_count == 2 && table->keys[0].at == 0 &&
           table->keys[1].at == 3;
}

// rewrite_frames is rewrite_rows for these.
static block_cursor
rewrite_frames(const rewriter *w, const jfr_table *table, block_cursor c, uint32_t count)
{
    const uint32_t methods = table->keys[0].type;
    const uint32_t kinds = table->keys[1].type;
    for (; count > 0; count--) {
        c = rewrite_at(w, methods, c);
        c.place = jfr_table_hop(c.place, 3);
        c = rewrite_at(w, kinds, c);
        c.place = jfr_table_hop(c.place, 1);
    }
    return c;
}

// rewrite_block writes count rows of a block that begins at at. What lies before is in out.
static void
rewrite_block(
    rewriter *w, const jfr_table *table, const uint8_t *at, uint64_t stops, uint32_t count)
{
    block_cursor c = {.at = at, .place = {stops, 0}, .copied_to = at, .to = w->to};
    c = is_frames(table) ? rewrite_frames(w, table, c, count) : rewrite_rows(w, table, c, count);
    w->copied_to = at + c.place.begin;
    w->to = copy_piece(c.to, c.copied_to, w->copied_to);
}

// rewrite_table is rewrite_value for count elements of an array that are the rows of a table.
static bool
rewrite_table(rewriter *w, const jfr_table *table, jfr_program element, uint64_t count,
    jfr_cursor *cursor, unsigned depth)
{
    while (count > 0) {
        uint64_t stops;
        const jfr_cursor readable = {cursor->at, w->end};
        uint32_t rows = jfr_table_find_rows(table, count, &readable, &stops);
        if (rows > 0 && copy_to(w, cursor->at, ROWS_BYTES_MAX)) {
            rewrite_block(w, table, cursor->at, stops, rows);
            LP_REQUIRE(w->copied_to <= cursor->end, false);
            cursor->at = w->copied_to;
            count -= rows;
        } else if (rewrite_value(w, element, cursor, depth + 1)) {
            count--;
        } else {
            return false;
        }
    }
    return true;
}

static bool
rewrite_array(rewriter *w, const jfr_op *op, jfr_cursor *cursor, unsigned depth)
{
    uint64_t count;
    LP_REQUIRE(jfr_varint_read(cursor, &count) && depth <= JFR_PROGRAM_DEPTH_MAX, false);
    jfr_program element = w->rewrite->layout->types.items[op->arg];
    if (op->code == JFR_OP_ARRAY && element.begin == element.end) { // values without bytes
        return true;
    }
    jfr_table table;
    if (op->code == JFR_OP_ARRAY && count > 1 && make_table(w, element, &table)) {
        return rewrite_table(w, &table, element, count, cursor, depth);
    }
    for (; count > 0; count--) { // each takes a byte at least, so the end stops a false count
        bool is_whole = op->code == JFR_OP_CONSTANT_ARRAY
                            ? rewrite_key(w, op->arg, cursor)
                            : rewrite_value(w, element, cursor, depth + 1);
        LP_REQUIRE(is_whole, false);
    }
    return true;
}

// --- Values

static __attribute__((noinline)) bool
rewrite_op(rewriter *w, const jfr_op *op, jfr_cursor *cursor, unsigned depth)
{
    switch (op->code) {
    case JFR_OP_VARINT:
        return jfr_varint_skip(cursor);
    case JFR_OP_TIMESTAMP:
    case JFR_OP_TIMESPAN:
    case JFR_OP_DURATION:
    case JFR_OP_TYPE_ID:
    case JFR_OP_CONTEXT_ID:
        return rewrite_number(w, op, cursor);
    case JFR_OP_BYTES:
        return jfr_cursor_skip(cursor, op->arg);
    case JFR_OP_STRING:
        return rewrite_string(w, cursor);
    case JFR_OP_CONSTANT:
        return rewrite_key(w, op->arg, cursor);
    case JFR_OP_ARRAY:
    case JFR_OP_CONSTANT_ARRAY:
        return rewrite_array(w, op, cursor, depth);
    case JFR_OP_UNKNOWN:
        break;
    }
    return false;
}

// Where a simple walk is.
typedef struct simple_cursor {
    const uint8_t *at;
    const uint8_t *copied_to;
    uint8_t *to;
} simple_cursor;

// The bytes that a simple walk may read ahead, and may write behind its copy.
enum { SIMPLE_BYTES = 2 * JFR_VARINT_BYTES_MAX + JFR_TABLE_AHEAD_BYTES };

// put_simply writes value in place of the number between at and end. Returns false, and does
// nothing, if there is no room.
static inline __attribute__((always_inline)) bool
put_simply(const rewriter *w, simple_cursor *c, const uint8_t *end, uint64_t value)
{
    LP_REQUIRE(w->room_end - c->to >= c->at - c->copied_to + SIMPLE_BYTES, false);
    c->to = copy_piece(c->to, c->copied_to, c->at);
    c->to += jfr_varint_encode_short(value, c->to);
    c->copied_to = c->at = end;
    return true;
}

// skip_simple_text moves over a text that refers to nothing. Returns false, and does nothing, for
// any other, and for some that are.
static inline __attribute__((always_inline)) bool
skip_simple_text(simple_cursor *c, const uint8_t *value_end)
{
    if (*c->at == JFR_STRING_NULL || *c->at == JFR_STRING_EMPTY) {
        c->at++;
        return true;
    }
    if (*c->at != JFR_STRING_UTF8 && *c->at != JFR_STRING_LATIN1) {
        return false;
    }
    uint64_t size;
    const uint8_t *text = jfr_varint_read_guessed(c->at + 1, &size);
    if (text > value_end || size > (uint64_t)(value_end - text)) {
        return false;
    }
    c->at = text + size;
    return true;
}

// rewrite_simple_op is rewrite_op without a call, for what most values are made of. Returns false,
// and does nothing, for anything else and where there is no room.
static inline __attribute__((always_inline)) bool
rewrite_simple_op(rewriter *w, const jfr_op *op, const uint8_t *value_end, simple_cursor *c)
{
    uint64_t number;
    switch (op->code) {
    case JFR_OP_VARINT:
        c->at = jfr_varint_read_guessed(c->at, &number);
        return true;
    case JFR_OP_BYTES:
        c->at += op->arg <= sizeof(number) ? op->arg : 0;
        return op->arg <= sizeof(number);
    case JFR_OP_STRING:
        return skip_simple_text(c, value_end);
    case JFR_OP_ARRAY:
    case JFR_OP_CONSTANT_ARRAY:
    case JFR_OP_UNKNOWN:
        return false;
    case JFR_OP_CONSTANT:
    case JFR_OP_TIMESTAMP:
    case JFR_OP_TIMESPAN:
    case JFR_OP_DURATION:
    case JFR_OP_TYPE_ID:
    case JFR_OP_CONTEXT_ID:
        break;
    }
    const uint8_t *end = jfr_varint_read_guessed(c->at, &number);
    uint64_t value = op->code == JFR_OP_CONSTANT
                         ? rewritten_key(w->rewrite, op->arg, w->has_nulls, number)
                         : converted_bits(w, op, number);
    if (value != number) {
        return put_simply(w, c, end, value);
    }
    c->at = end;
    return true;
}

// rewrite_simply rewrites ops as long as they are simple, and returns the first that is not. It may
// read behind the end of cursor, which is then behind that.
static const jfr_op *
rewrite_simply(rewriter *w, const jfr_op *op, const jfr_op *ops_end, jfr_cursor *cursor)
{
    simple_cursor c = {cursor->at, w->copied_to, w->to};
    while (op < ops_end && w->end - c.at >= SIMPLE_BYTES &&
           rewrite_simple_op(w, op, cursor->end, &c)) {
        op++;
    }
    cursor->at = c.at;
    w->copied_to = c.copied_to;
    w->to = c.to;
    return op;
}

static bool
rewrite_value(rewriter *w, jfr_program program, jfr_cursor *cursor, unsigned depth)
{
    const jfr_op *end = w->rewrite->layout->ops.items + program.end;
    const jfr_op *op = w->rewrite->layout->ops.items + program.begin;
    op = rewrite_simply(w, op, end, cursor);
    while (op < end) {
        LP_REQUIRE(cursor->at <= cursor->end && rewrite_op(w, op, cursor, depth), false);
        op = rewrite_simply(w, op + 1, end, cursor);
    }
    return cursor->at <= cursor->end;
}

// readable_end returns the end of the chunk where cursor lies in it.
static const uint8_t *
readable_end(const jfr_rewrite *rewrite, const jfr_cursor *cursor)
{
    lp_slice chunk = rewrite->pools->chunk;
    bool is_inside =
        chunk.len > 0 && cursor->at >= chunk.ptr && cursor->end <= chunk.ptr + chunk.len;
    return is_inside ? chunk.ptr + chunk.len : cursor->end;
}

bool
jfr_rewrite_value(const jfr_rewrite *rewrite, jfr_program program, bool has_nulls,
    jfr_cursor *cursor, lp_buf *out)
{
    rewriter w = {.rewrite = rewrite,
        .has_nulls = has_nulls,
        .out = out,
        .copied_to = cursor->at,
        .end = readable_end(rewrite, cursor)};
    take_room(&w);
    bool is_whole = rewrite_value(&w, program, cursor, 0);
    if (is_whole) {
        (void)copy_to(&w, cursor->at, 0);
    }
    give_back(&w);
    return is_whole;
}
