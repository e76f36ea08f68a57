// SPDX-License-Identifier: Apache-2.0
#include "common/jfr/jfr_rewrite.h"

#include "common/base/lp_hash.h"
#include "common/jfr/jfr_string.h"

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

static bool
is_null(const jfr_rewrite *rewrite, uint32_t type, uint64_t key)
{
    return (key == 0 || type != rewrite->layout->thread_type) &&
           jfr_pools_find_index(rewrite->pools, type, key) == LP_MAP_NONE &&
           jfr_pools_find_index(rewrite->pools, type, 0) == LP_MAP_NONE;
}

static uint64_t
key_of_enumeration(const jfr_rewrite *rewrite, uint32_t type, uint64_t key)
{
    bool is_defined = jfr_pools_find_index(rewrite->pools, type, key) != LP_MAP_NONE;
    return is_defined ? key : hashed_key(rewrite, key);
}

uint64_t
jfr_rewrite_key(const jfr_rewrite *rewrite, uint32_t type, uint64_t key)
{
    if (is_null(rewrite, type, key)) {
        return 0;
    }
    return has_own_terms(rewrite) && rewrite->pools->pools[type].is_enumeration
               ? key_of_enumeration(rewrite, type, key)
               : key_in_output(rewrite, key);
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
    lp_buf *out;
    const uint8_t *copied_to; // what lies before it is in out
    int64_t time;             // the last point in time that was met, in the input's ticks
} rewriter;

static bool rewrite_value(rewriter *w, jfr_program program, jfr_cursor *cursor, unsigned depth);

// put writes value in place of the number that lies between begin and end.
static void
put(rewriter *w, const uint8_t *begin, const uint8_t *end, uint64_t number, uint64_t value)
{
    if (value == number) {
        return;
    }
    lp_buf_append(w->out, w->copied_to, (size_t)(begin - w->copied_to));
    jfr_varint_append(w->out, value);
    w->copied_to = end;
}

static bool
rewrite_key(rewriter *w, uint32_t type, jfr_cursor *cursor)
{
    const uint8_t *begin = cursor->at;
    uint64_t key;
    if (!jfr_varint_read(cursor, &key)) {
        return false;
    }
    put(w, begin, cursor->at, key, jfr_rewrite_key(w->rewrite, type, key));
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
static int64_t
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

static bool
rewrite_number(rewriter *w, const jfr_op *op, jfr_cursor *cursor)
{
    if (!has_own_terms(w->rewrite)) {
        return jfr_varint_skip(cursor);
    }
    const uint8_t *begin = cursor->at;
    uint64_t bits;
    if (!jfr_varint_read(cursor, &bits)) {
        return false;
    }
    unsigned unused = 64 - op->arg;
    int64_t value = convert(w, op->code, (int64_t)(bits << unused) >> unused);
    int64_t value_max = INT64_MAX >> unused;
    value = value > value_max ? value_max : value < ~value_max ? ~value_max : value;
    put(w, begin, cursor->at, bits, (uint64_t)value & UINT64_MAX >> unused);
    return true;
}

static bool
rewrite_array(rewriter *w, const jfr_op *op, jfr_cursor *cursor, unsigned depth)
{
    uint64_t count;
    if (!jfr_varint_read(cursor, &count) || depth > JFR_PROGRAM_DEPTH_MAX) {
        return false;
    }
    jfr_program element = w->rewrite->layout->types.items[op->arg];
    if (op->code == JFR_OP_ARRAY && element.begin == element.end) { // values without bytes
        return true;
    }
    for (; count > 0; count--) { // each takes a byte at least, so the end stops a false count
        bool is_whole = op->code == JFR_OP_CONSTANT_ARRAY
                            ? rewrite_key(w, op->arg, cursor)
                            : rewrite_value(w, element, cursor, depth + 1);
        if (!is_whole) {
            return false;
        }
    }
    return true;
}

static bool
rewrite_value(rewriter *w, jfr_program program, jfr_cursor *cursor, unsigned depth)
{
    for (uint32_t i = program.begin; i < program.end; i++) {
        const jfr_op *op = &w->rewrite->layout->ops.items[i];
        bool is_whole = false;
        switch (op->code) {
        case JFR_OP_VARINT:
            is_whole = jfr_varint_skip(cursor);
            break;
        case JFR_OP_TIMESTAMP:
        case JFR_OP_TIMESPAN:
        case JFR_OP_DURATION:
        case JFR_OP_TYPE_ID:
        case JFR_OP_CONTEXT_ID:
            is_whole = rewrite_number(w, op, cursor);
            break;
        case JFR_OP_BYTES:
            is_whole = jfr_cursor_skip(cursor, op->arg);
            break;
        case JFR_OP_STRING:
            is_whole = rewrite_string(w, cursor);
            break;
        case JFR_OP_CONSTANT:
            is_whole = rewrite_key(w, op->arg, cursor);
            break;
        case JFR_OP_ARRAY:
        case JFR_OP_CONSTANT_ARRAY:
            is_whole = rewrite_array(w, op, cursor, depth);
            break;
        case JFR_OP_UNKNOWN:
            break;
        }
        if (!is_whole) {
            return false;
        }
    }
    return true;
}

bool
jfr_rewrite_value(const jfr_rewrite *rewrite, jfr_program program, jfr_cursor *cursor, lp_buf *out)
{
    rewriter w = {.rewrite = rewrite, .out = out, .copied_to = cursor->at};
    bool is_whole = rewrite_value(&w, program, cursor, 0);
    lp_buf_append(out, w.copied_to, (size_t)(cursor->at - w.copied_to));
    return is_whole;
}
