// SPDX-License-Identifier: Apache-2.0
// Context types as an agent's batch has them, then their records, in one piece: what is taken makes
// contexts that can be completed and copied.
//
// The input begins with the number of types. Each is its id, a flag whether it is of
// RecordingContexts, the id of the type that it completes, the number of its attributes, and of
// each attribute one byte: its kind in the lower four bits, which of the names it has in the upper.

#include "fuzz.h"

#include "common/base/lp_assert.h"
#include "common/context/ctx_type.h"
#include "common/jfr/jfr_varint.h"
#include "common/wire/wire.h"
#include "engine/carry/carry.h"
#include "engine/contexts/contexts.h"

enum { TYPES_MAX = 5, NAMES = 4 };

static char names[NAMES][2] = {"n", "i", "k", ""};

// take_byte takes a byte below limit; 0 at the end of the input.
static uint8_t
take_byte(jfr_cursor *cursor, unsigned limit)
{
    if (jfr_cursor_left(cursor) == 0) {
        return 0;
    }
    return (uint8_t)(*cursor->at++ % limit);
}

// take_type takes a type as the wire lets it through.
static void
take_type(jfr_cursor *cursor, compact_carry *carry)
{
    ctx_type type = {.id = take_byte(cursor, 256),
        .name = names[0],
        .label = names[NAMES - 1],
        .description = names[NAMES - 1],
        .is_recording = take_byte(cursor, 2) != 0,
        .completes = take_byte(cursor, 256),
        .attribute_count = take_byte(cursor, CTX_TYPE_ATTRIBUTES_MAX + 1)};
    for (size_t i = 0; i < type.attribute_count; i++) {
        uint8_t byte = take_byte(cursor, 256);
        char *name = names[(byte >> 4) % NAMES];
        type.attributes[i] = (ctx_attribute){(ctx_kind)(byte & 15), name, name, name};
    }
    wire_type message;
    ctx_type decoded;
    wire_type_encode(&type, &message);
    if (wire_type_decode(&message.message, &decoded) == LP_OK) {
        LP_ASSERT(compact_carry_add_types(carry, &decoded, 1) == LP_OK);
        ctx_type_fini(&decoded);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    compact_carry *carry = compact_carry_create();
    compact_contexts copy;
    lp_problem problem;
    jfr_cursor cursor = {bytes, bytes + count};
    LP_ASSERT(carry != NULL);
    for (size_t left = take_byte(&cursor, TYPES_MAX); left > 0; left--) {
        take_type(&cursor, carry);
    }
    compact_contexts *contexts = &carry->contexts;
    compact_completions completions = {.arena = &carry->arena,
        .types = carry->completing.items,
        .type_count = carry->completing.count};
    const lp_slice records = {cursor.at, jfr_cursor_left(&cursor)};
    compact_contexts_init(&copy, &carry->arena);
    if (compact_contexts_feed(contexts, records, &completions, &problem) == LP_OK) {
        compact_completions_apply(&completions, carry->types.items, carry->types.count, contexts);
        compact_contexts_copy(contexts, INT64_MIN, &copy);
        LP_ASSERT(compact_contexts_err(contexts) == LP_OK && compact_contexts_err(&copy) == LP_OK);
        LP_ASSERT(copy.items.count == contexts->items.count);
    } else {
        LP_ASSERT(!problem.has_offset || problem.offset <= records.len);
    }
    compact_contexts_fini(&copy);
    compact_completions_fini(&completions);
    compact_carry_destroy(carry);
    return 0;
}
