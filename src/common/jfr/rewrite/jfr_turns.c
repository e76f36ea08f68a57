// SPDX-License-Identifier: Apache-2.0
#include "common/jfr/rewrite/jfr_turns.h"

#include <stdlib.h>
#include <string.h>

// The reader's table: its slots are a power of 2, of which at most 3 in 4 are taken.
enum { SLOT_BITS_FIRST = 5, SLOT_BITS_MORE = 2 };

// Types in the order of the table; JFR_NONE where a slot is free.
typedef struct table {
    uint32_t *slots;
    unsigned bits;
    size_t count;
} table;

typedef struct work {
    const jfr_metadata *metadata;
    const bool *is_simple;
    bool *is_late;
    bool *is_met;    // parallel to the types: the reader has a parser of it
    uint32_t *stack; // types whose fields have not been looked at
    size_t depth;
} work;

bool
jfr_turns_is_simple(const jfr_metadata *metadata, uint32_t type)
{
    return jfr_metadata_find_attribute(
               metadata, metadata->types.items[type].element, "simpleType") != NULL;
}

// --- The table

static lp_err
make_slots(table *t, unsigned bits)
{
    size_t size = ((size_t)1 << bits) * sizeof(*t->slots);
    *t = (table){.slots = malloc(size), .bits = bits};
    LP_REQUIRE(t->slots != NULL, LP_ENOMEM);
    memset(t->slots, 0xff, size); // JFR_NONE
    return LP_OK;
}

static void
put(const jfr_metadata *metadata, table *t, uint32_t type)
{
    size_t mask = ((size_t)1 << t->bits) - 1;
    size_t i = jfr_turns_hash(metadata->types.items[type].id) >> (64 - t->bits);
    while (t->slots[i] != JFR_NONE) {
        i = (i + 1) & mask;
    }
    t->slots[i] = type;
    t->count++;
}

static lp_err
grow(const jfr_metadata *metadata, table *t)
{
    table bigger;
    lp_err err = make_slots(&bigger, t->bits + SLOT_BITS_MORE);
    for (size_t i = 0; i >> t->bits == 0 && err == LP_OK; i++) {
        if (t->slots[i] != JFR_NONE) {
            put(metadata, &bigger, t->slots[i]);
        }
    }
    if (err == LP_OK) {
        free(t->slots);
        *t = bigger;
    }
    return err;
}

// fill puts all types into an empty table, which the caller frees.
static lp_err
fill(const jfr_metadata *metadata, const bool *is_gone, table *t)
{
    lp_err err = make_slots(t, SLOT_BITS_FIRST);
    for (uint32_t i = 0; i < metadata->types.count && err == LP_OK; i++) {
        if (!is_gone[i]) {
            put(metadata, t, i);
            err = t->count > ((size_t)3 << t->bits) / 4 ? grow(metadata, t) : LP_OK;
        }
    }
    return err;
}

// --- Turns

static void
meet(work *w, uint32_t type)
{
    if (!w->is_met[type]) {
        w->is_met[type] = true;
        w->stack[w->depth++] = type;
    }
}

// take_turn simulates the reader's work for a type: it makes the missing parsers of all contained
// types.
static void
take_turn(work *w, uint32_t turn)
{
    const jfr_metadata *metadata = w->metadata;
    meet(w, turn);
    while (w->depth > 0) {
        const jfr_type *type = &metadata->types.items[w->stack[--w->depth]];
        for (uint32_t i = type->field_begin; i < type->field_begin + type->field_count; i++) {
            const jfr_field *field = &metadata->fields.items[i];
            if (field->is_constant || field->type == JFR_NONE ||
                metadata->types.items[field->type].field_count == 0) {
                continue;
            }
            w->is_late[field->type] |= w->is_simple[field->type] && !w->is_met[field->type];
            meet(w, field->type);
        }
    }
}

lp_err
jfr_turns_find_late(
    const jfr_metadata *metadata, const bool *is_gone, const bool *is_simple, bool *out_is_late)
{
    size_t count = metadata->types.count;
    table t = {0};
    work w = {
        .metadata = metadata,
        .is_simple = is_simple,
        .is_late = out_is_late,
        .is_met = calloc(count + 1, sizeof(*w.is_met)),
        .stack = malloc((count + 1) * sizeof(*w.stack)),
    };
    memset(out_is_late, 0, count * sizeof(*out_is_late));
    lp_err err = w.is_met == NULL || w.stack == NULL ? LP_ENOMEM : fill(metadata, is_gone, &t);
    for (size_t i = 0; err == LP_OK && i >> t.bits == 0; i++) {
        if (t.slots[i] != JFR_NONE) {
            take_turn(&w, t.slots[i]);
        }
    }
    free(t.slots);
    free(w.is_met);
    free(w.stack);
    return err;
}
