// SPDX-License-Identifier: Apache-2.0
#include "engine/read/marks.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_string.h"
#include "common/jfr/rewrite/jfr_pools_mark.h"

enum {
    REMEMBERED_BITS = 9,
    // Readable bytes that a simple walk needs behind an event. It detects an overrun before it
    // marks.
    BEHIND_BYTES = 1 + JFR_VARINT_BYTES_MAX,
    NEW_MAX = 16, // constants of a simple walk; others take the slow way
};

// The constants of a walk that are not remembered.
typedef struct found {
    compact_marked items[NEW_MAX];
    unsigned count;
} found;

void
compact_marks_init(compact_view *view)
{
    LP_ASSERT(view->schema != NULL);
    view->marked = LP_ARENA_ARRAY(&view->arena, compact_marked, 1 << REMEMBERED_BITS);
}

static inline compact_marked *
slot_of(const compact_view *view, uint32_t type, uint64_t key)
{
    uint64_t mixed = (key + type) * 0x9e3779b97f4a7c15u; // golden ratio: spreads neighbours
    return &view->marked[mixed >> (64 - REMEMBERED_BITS)];
}

static inline __attribute__((always_inline)) bool
find(const compact_view *view, found *f, uint32_t type, uint64_t key)
{
    const compact_marked *slot = slot_of(view, type, key);
    if (slot->key == key && slot->type_number == type + 1) {
        return true;
    }
    LP_REQUIRE(f->count != NEW_MAX, false);
    f->items[f->count++] = (compact_marked){.key = key, .type_number = type + 1};
    return true;
}

// skip_ascii moves over count one-byte characters before end. Returns NULL if one is longer.
static inline __attribute__((always_inline)) const uint8_t *
skip_ascii(const uint8_t *at, uint64_t count)
{
    for (; count >= sizeof(uint64_t); count -= sizeof(uint64_t)) {
        LP_REQUIRE((jfr_varint_word(at) & JFR_VARINT_MORE) == 0, NULL);
        at += sizeof(uint64_t);
    }
    uint64_t ours = ((uint64_t)1 << 8 * count) - 1;
    return (jfr_varint_word(at) & JFR_VARINT_MORE & ours) == 0 ? at + count : NULL;
}

// find_in_string is find for a text, which may be a constant. Returns its end, or NULL if it is not
// simple.
static inline __attribute__((always_inline)) const uint8_t *
find_in_string(const compact_view *view, found *f, const uint8_t *at, const uint8_t *end)
{
    uint64_t number;
    uint32_t type = view->pools.layout->string_type;
    switch (*at++) {
    case JFR_STRING_NULL:
    case JFR_STRING_EMPTY:
        return at;
    case JFR_STRING_CONSTANT:
        at = jfr_varint_read_guessed(at, &number);
        return type == JFR_NONE || find(view, f, type, number) ? at : NULL;
    case JFR_STRING_UTF8:
    case JFR_STRING_LATIN1:
        at = jfr_varint_read_guessed(at, &number);
        return at <= end && number <= (uint64_t)(end - at) ? at + number : NULL;
    case JFR_STRING_UTF16:
        at = jfr_varint_read_guessed(at, &number);
        return at <= end && number <= (uint64_t)(end - at) ? skip_ascii(at, number) : NULL;
    default:
        return NULL;
    }
}

// walk_simply moves cursor over a value and finds its constants. Returns false, with cursor
// unchanged, if the value does not fit or is not simple.
static bool
walk_simply(const compact_view *view, jfr_program program, jfr_cursor *cursor, found *f)
{
    const jfr_op *op = view->pools.layout->ops.items + program.begin;
    const jfr_op *ops_end = view->pools.layout->ops.items + program.end;
    const uint8_t *at = cursor->at;
    const uint8_t *end = cursor->end;
    for (; op < ops_end && at <= end; op++) {
        uint64_t number;
        switch (op->code) {
        case JFR_OP_VARINT:
        case JFR_OP_TIMESTAMP:
        case JFR_OP_TIMESPAN:
        case JFR_OP_DURATION:
        case JFR_OP_TYPE_ID:
        case JFR_OP_CONTEXT_ID:
            at = jfr_varint_read_guessed(at, &number);
            break;
        case JFR_OP_BYTES:
            at += op->arg;
            break;
        case JFR_OP_CONSTANT:
            at = jfr_varint_read_guessed(at, &number);
            LP_REQUIRE(find(view, f, op->arg, number), false);
            break;
        case JFR_OP_STRING:
            at = find_in_string(view, f, at, end);
            LP_REQUIRE(at != NULL, false);
            break;
        case JFR_OP_ARRAY:
        case JFR_OP_CONSTANT_ARRAY:
        case JFR_OP_UNKNOWN:
            return false;
        }
    }
    LP_REQUIRE(at <= end, false);
    cursor->at = at;
    return true;
}

static void
mark_found(compact_view *view, const found *f)
{
    for (unsigned i = 0; i < f->count; i++) {
        uint32_t type = f->items[i].type_number - 1;
        jfr_pools_mark(&view->pools, type, f->items[i].key);
        *slot_of(view, type, f->items[i].key) = f->items[i];
    }
}

bool
compact_marks_value(compact_view *view, jfr_program program, jfr_cursor *cursor)
{
    found f;
    f.count = 0; // items are written before they are read
    size_t behind = (size_t)(view->chunk.ptr + view->chunk.len - cursor->end);
    if (behind < BEHIND_BYTES || !walk_simply(view, program, cursor, &f)) {
        return jfr_pools_mark_value(&view->pools, program, cursor);
    }
    if (f.count > 0) {
        mark_found(view, &f);
    }
    return true;
}
