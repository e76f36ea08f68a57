// SPDX-License-Identifier: Apache-2.0
#include "engine/job/rollup/tally_types.h"

#include "common/base/lp_assert.h"
#include "engine/read/text.h"

#include <string.h>

void
compact_tally_types_check(const compact_tally_types *types)
{
    LP_ASSERT(types->part_type_count <= COMPACT_TALLY_PART_TYPES_MAX);
    LP_ASSERT(types->count <= ROLLUP_TYPES_MAX);
}

// --- Types

// learn_part_type numbers a type of the metadata. Returns its number;
// COMPACT_TALLY_PART_TYPES_MAX if there are too many or memory ran out.
static __attribute__((noinline)) uint32_t
learn_part_type(compact_tally_types *t, uint32_t index)
{
    const uint32_t none = COMPACT_TALLY_PART_TYPES_MAX;
    compact_tally_types_check(t);
    LP_REQUIRE(t->part_type_count < none, none);
    compact_tally_part_type *made = LP_ARENA_NEW(t->arena, compact_tally_part_type);
    compact_kinds kinds = {.arena = t->arena};
    compact_kinds_add_event(&kinds, &t->view->schema->metadata, index);
    LP_REQUIRE(made != NULL && kinds.items.count == 1 && !t->arena->is_failed, none);
    made->index = index;
    made->kind = kinds.items.items[0];
    made->reading =
        compact_reading_make(&made->kind, &t->view->schema->metadata, index, &t->view->pools);
    t->part_types[t->part_type_count++] = made;
    t->numbers[index] = (uint8_t)t->part_type_count;
    return (uint32_t)t->part_type_count - 1;
}

// read_number numbers the type of a part by its event, and notes it for the type of its row.
static __attribute__((noinline)) uint32_t
read_number(compact_tally_types *t, const compact_tally_part *part, uint8_t row_type)
{
    uint32_t index = compact_view_type_at(t->view, t->view->spans.items[part->span].offset);
    uint32_t number = t->numbers[index] != 0 ? t->numbers[index] - 1u : learn_part_type(t, index);
    if (row_type != 0 && number != COMPACT_TALLY_PART_TYPES_MAX) {
        t->of_rows[row_type] = (uint8_t)(number + 1);
    }
    return number;
}

static inline uint32_t
number_of(compact_tally_types *t, const compact_tally_part *part)
{
    uint8_t row_type = compact_sums_find_row(t->sums, part->span)->type;
    return t->of_rows[row_type] != 0 ? t->of_rows[row_type] - 1u : read_number(t, part, row_type);
}

static __attribute__((noinline)) compact_tally_type *
add_type(compact_tally_types *t, uint32_t number)
{
    compact_tally_types_check(t);
    LP_REQUIRE(t->count < ROLLUP_TYPES_MAX, NULL);
    compact_tally_type *type = LP_ARENA_NEW(t->arena, compact_tally_type);
    if (type != NULL) {
        type->name = t->part_types[number]->kind.name;
        t->items[number] = type;
        t->count++;
    }
    return type;
}

// --- Attributes and steps

size_t
compact_tally_types_find_attribute(const compact_tally_type *type, const char *name)
{
    size_t at = 0;
    while (at < type->attribute_count && strcmp(type->attributes[at]->name, name) != 0) {
        at++;
    }
    return at;
}

bool
compact_tally_types_has_attribute(const compact_tally_part_type *part, size_t index)
{
    return part->reading.values[index].is_there && !part->reading.values[index].is_reference &&
           strlen(part->kind.attributes[index].name) <= COMPACT_REQUEST_TEXT_BYTES_MAX;
}

// make_attribute returns the place of the next attribute; NULL if there is none or memory ran out.
// A refused type of parts leaves its places to the next one: there may be many of these.
static compact_tally_attribute *
make_attribute(compact_tally_types *t, compact_tally_type *type)
{
    LP_REQUIRE(type->attribute_count < COMPACT_TALLY_ATTRIBUTES_MAX, NULL);
    compact_tally_attribute **place = &type->attributes[type->attribute_count];
    *place = *place != NULL ? *place : LP_ARENA_NEW(t->arena, compact_tally_attribute);
    return *place;
}

// add_attributes adds the attributes of a type of parts to a type of requests. Returns false if
// that has no room for them or memory ran out.
static bool
add_attributes(
    compact_tally_types *t, compact_tally_type *type, const compact_tally_part_type *from)
{
    size_t before = type->attribute_count;
    for (size_t i = 0; i < from->kind.attribute_count; i++) {
        const char *name = from->kind.attributes[i].name;
        if (!compact_tally_types_has_attribute(from, i) ||
            compact_tally_types_find_attribute(type, name) < type->attribute_count) {
            continue;
        }
        compact_tally_attribute *made = make_attribute(t, type);
        if (made == NULL) {
            type->attribute_count = before;
            return false;
        }
        made->name = name;
        type->attribute_count++;
    }
    for (size_t i = before; i < type->attribute_count; i++) {
        type->live |= UINT32_C(1) << i;
    }
    return true;
}

// form_of returns a number for how keys stand for texts: that of the pool of constants, or of the
// primitive. An int and a boolean of the same name may both have the key 1.
static uint32_t
form_of(const struct compact_reading_value *how)
{
    return how->pool != JFR_NONE ? how->pool : JFR_NONE - (uint32_t)how->primitive;
}

// add_step adds a step behind the ops that the steps before pass. Returns where it ends.
static uint32_t
add_step(const compact_tally_types *t, const struct compact_reading_value *how, uint32_t attribute,
    uint32_t passed, compact_tally_steps *out)
{
    uint32_t count = how->before.end - passed;
    bool are_numbers = count > 0 && t->view->schema->layout.ops.items[passed].varint_run >= count;
    out->items[out->count++] = (compact_tally_step){
        .attribute = attribute,
        .is_text = compact_value_key_is_text(how),
        .form = form_of(how),
        .skip_count = are_numbers ? count : 0,
        .skip = {are_numbers ? how->before.end : passed, how->before.end},
        .key = compact_value_key_plan_make(t->view, compact_value_key_width(how)),
        .how = *how,
    };
    return how->before.end + 1; // a value is one op
}

// add_column adds a live attribute that rows have: that has few values in all events of a type.
// Returns false if rows do not have it.
static bool
add_column(const compact_tally_types *t, const compact_tally_part_type *from,
    const struct compact_reading_value *how, uint32_t attribute, compact_tally_steps *out)
{
    const compact_event_sums *counted = t->sums->of_event[from->index];
    LP_REQUIRE(counted != NULL && counted->row_type != 0, false);
    for (size_t i = 0; i < counted->steps.count; i++) {
        const compact_sums_step *step = &counted->steps.items[i];
        if (step->value.before.end == how->before.end && step->column < COMPACT_SUMS_COLUMNS &&
            !step->attribute->has_too_many) {
            LP_ASSERT(out->column_count < COMPACT_SUMS_COLUMNS);
            out->row_mask |= UINT32_C(1) << attribute;
            out->columns[out->column_count++] = (compact_tally_column){.attribute = attribute,
                .bit = UINT32_C(1) << attribute,
                .column = step->column,
                .sums = step->attribute};
            return true;
        }
    }
    return false;
}

// fill_steps finds how a type of parts has the live attributes of a type of requests. A text that
// is not live, or that rows have, has a step only to be passed.
static void
fill_steps(const compact_tally_types *t, const compact_tally_type *type,
    const compact_tally_part_type *from, compact_tally_steps *out)
{
    *out = (compact_tally_steps){0};
    size_t live_count = 0;
    uint32_t seen = 0;
    uint32_t passed = t->view->schema->layout.types.items[from->index].begin;
    for (size_t i = 0; i < from->kind.attribute_count; i++) {
        const struct compact_reading_value *how = &from->reading.values[i];
        size_t at = compact_tally_types_find_attribute(type, from->kind.attributes[i].name);
        if (!compact_tally_types_has_attribute(from, i) || how->before.end < passed ||
            (seen >> at & 1) != 0) {
            continue;
        }
        seen |= UINT32_C(1) << at;
        bool is_live = (type->live >> at & 1) != 0 && !add_column(t, from, how, (uint32_t)at, out);
        out->mask |= (uint32_t)is_live << at;
        if (is_live || compact_value_key_is_text(how)) {
            passed = add_step(t, how, (uint32_t)at, passed, out);
            live_count = is_live ? out->count : live_count;
        }
    }
    out->count = live_count;
}

// meet_parts prepares a type of requests for parts of a type. Returns false if it has no room for
// them, or memory ran out.
static __attribute__((noinline)) bool
meet_parts(compact_tally_types *t, compact_tally_type *type, uint32_t number)
{
    compact_tally_types_check(t);
    const compact_tally_part_type *from = t->part_types[number];
    uint64_t bit = UINT64_C(1) << number % 64;
    LP_REQUIRE((type->refused[number / 64] & bit) == 0, false);
    if (!add_attributes(t, type, from)) {
        type->refused[number / 64] |= bit;
        return false;
    }
    type->parts[number] = LP_ARENA_NEW(t->arena, compact_tally_steps);
    LP_REQUIRE(type->parts[number] != NULL, false);
    fill_steps(t, type, from, type->parts[number]);
    return true;
}

compact_tally_type *
compact_tally_types_find(compact_tally_types *types, compact_tally_part *parts, size_t count)
{
    compact_tally_type *type = NULL;
    for (size_t i = 0; i < count; i++) {
        uint32_t number = number_of(types, &parts[i]);
        LP_REQUIRE(number != COMPACT_TALLY_PART_TYPES_MAX, NULL);
        parts[i].type = number;
        if (i == 0) {
            type = types->items[number] != NULL ? types->items[number] : add_type(types, number);
            LP_REQUIRE(type != NULL, NULL);
        }
        LP_REQUIRE(type->parts[number] != NULL || meet_parts(types, type, number), NULL);
    }
    return type;
}

void
compact_tally_types_stop(const compact_tally_types *types, compact_tally_type *type)
{
    for (size_t i = 0; i < types->part_type_count; i++) {
        if (type->parts[i] != NULL) {
            fill_steps(types, type, types->part_types[i], type->parts[i]);
        }
    }
}

// --- Values

uint32_t
compact_tally_types_learn_text(
    compact_tally_types *types, compact_tally_attribute *attribute, lp_slice text)
{
    compact_tally_types_check(types);
    compact_tally_attribute *a = attribute;
    text.len = compact_text_cut(text, COMPACT_REQUEST_TEXT_BYTES_MAX);
    uint32_t value = 0;
    while (value < a->value_count && (a->texts[value].len != text.len ||
                                         memcmp(a->texts[value].ptr, text.ptr, text.len) != 0)) {
        value++;
    }
    if (value == a->value_count) {
        a->has_too_many = value == ROLLUP_VALUES_MAX;
        LP_REQUIRE(!a->has_too_many, COMPACT_TALLY_NO_VALUE);
        a->texts[value] = lp_arena_copy(types->arena, text);
        a->value_count++;
    }
    return value;
}

uint32_t
compact_tally_types_learn(compact_tally_types *types, const compact_tally_step *step,
    compact_tally_attribute *attribute, jfr_cursor cursor)
{
    compact_tally_types_check(types);
    compact_sums *sums = types->sums;
    bool is_text =
        compact_value_key_text(&types->view->pools, &step->how, cursor, &sums->value, &sums->text);
    lp_arena_note(types->arena, lp_buf_check(&sums->value));
    lp_arena_note(types->arena, lp_buf_check(&sums->text));
    if (attribute->key_count == COMPACT_TALLY_KEYS_USED_MAX) {
        memset(attribute->keys, 0, sizeof(attribute->keys));
        attribute->key_count = 0;
    }
    return is_text ? compact_tally_types_learn_text(types, attribute, lp_buf_slice(&sums->text))
                   : (uint32_t)COMPACT_TALLY_NO_VALUE;
}
