// SPDX-License-Identifier: Apache-2.0
#include "common/rollup/rollup.h"

#include "common/base/lp_bisect.h"
#include "common/base/lp_order.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void
rollup_init(rollup *sums)
{
    *sums = (rollup){.begin_min_ns = INT64_MAX,
        .commit_min_ns = INT64_MAX,
        .commit_max_ns = INT64_MIN,
        .longest_ns = {-1, -1}};
}

void
rollup_fini(rollup *sums)
{
    lp_arena_fini(&sums->arena);
    rollup_init(sums);
}

// --- Places in order

// find_type returns the place at which a type of this name is or belongs.
static size_t
find_type(const rollup_types *types, const char *name, bool *out_is_there)
{
    size_t place = LP_BISECT(types->items, 0, types->count, strcmp(at->name, name) < 0);
    *out_is_there = place < types->count && strcmp(types->items[place].name, name) == 0;
    return place;
}

static size_t
find_attribute(const rollup_type *type, const char *name, bool *out_is_there)
{
    size_t at = 0;
    int order = -1;
    while (at < type->attributes.count &&
           (order = strcmp(type->attributes.items[at].name, name)) < 0) {
        at++;
    }
    *out_is_there = at < type->attributes.count && order == 0;
    return at;
}

static size_t
find_value(const rollup_attribute *attribute, lp_slice text, bool *out_is_there)
{
    const rollup_value *items = attribute->values.items;
    size_t count = attribute->values.count;
    size_t place = LP_BISECT(items, 0, count, lp_order_slices(at->text, text) < 0);
    *out_is_there = place < count && lp_order_slices(items[place].text, text) == 0;
    return place;
}

// INSERT makes room at a place of a vector that may have up to max items, of which the last goes
// where they are all there. False where memory ran out.
#define INSERT(arena, vec, at, max)                                                                \
    (((vec)->count < (max) ? LP_ARENA_RESERVE(arena, vec, 1) && ++(vec)->count : true) &&          \
        memmove(&(vec)->items[(at) + 1], &(vec)->items[at],                                        \
            ((vec)->count - 1 - (at)) * sizeof(*(vec)->items)))

static const rollup_type *
find_type_of(const rollup_types *types, const char *name)
{
    bool is_there;
    size_t at = find_type(types, name, &is_there);
    return is_there ? &types->items[at] : NULL;
}

const rollup_type *
rollup_find_type(const rollup *sums, const char *name)
{
    return find_type_of(&sums->types, name);
}

const rollup_type *
rollup_find_request(const rollup *sums, const char *name)
{
    return find_type_of(&sums->requests, name);
}

const rollup_attribute *
rollup_find_attribute(const rollup_type *type, const char *name)
{
    bool is_there;
    size_t at = find_attribute(type, name, &is_there);
    return is_there ? &type->attributes.items[at] : NULL;
}

void
rollup_leave_out(rollup *sums, rollup_unit unit, uint64_t count)
{
    rollup_add_ns(
        unit == ROLLUP_REQUESTS ? &sums->requests_left_out : &sums->contexts_left_out, count);
}

rollup_type *
rollup_add_type_of(rollup *sums, rollup_unit unit, const char *name)
{
    rollup_types *types = unit == ROLLUP_REQUESTS ? &sums->requests : &sums->types;
    bool is_there;
    size_t at = find_type(types, name, &is_there);
    if (is_there) {
        return &types->items[at];
    }
    LP_REQUIRE(at != ROLLUP_TYPES_MAX && strlen(name) <= ROLLUP_NAME_BYTES_MAX, NULL);
    if (types->count == ROLLUP_TYPES_MAX) { // the last one goes
        rollup_leave_out(sums, unit, types->items[ROLLUP_TYPES_MAX - 1].numbers.all.count);
    }
    const char *copy = lp_arena_text(&sums->arena, name);
    LP_REQUIRE(!sums->arena.is_failed && INSERT(&sums->arena, types, at, ROLLUP_TYPES_MAX), NULL);
    types->items[at] = (rollup_type){.name = copy};
    return &types->items[at];
}

rollup_attribute *
rollup_add_attribute(rollup *sums, rollup_type *type, const char *name)
{
    bool is_there;
    size_t at = find_attribute(type, name, &is_there);
    if (is_there) {
        return &type->attributes.items[at];
    }
    bool is_left_out = at == ROLLUP_ATTRIBUTES_MAX || strlen(name) > ROLLUP_NAME_BYTES_MAX;
    type->has_more_attributes |= is_left_out || type->attributes.count == ROLLUP_ATTRIBUTES_MAX;
    LP_REQUIRE(!is_left_out, NULL);
    const char *copy = lp_arena_text(&sums->arena, name);
    if (sums->arena.is_failed ||
        !INSERT(&sums->arena, &type->attributes, at, ROLLUP_ATTRIBUTES_MAX)) {
        return NULL;
    }
    type->attributes.items[at] = (rollup_attribute){.name = copy};
    return &type->attributes.items[at];
}

void
rollup_attribute_drop(rollup_attribute *attribute)
{
    attribute->has_too_many = true;
    attribute->values.count = 0;
}

rollup_value *
rollup_add_value(rollup *sums, rollup_attribute *attribute, lp_slice text)
{
    bool is_there;
    size_t at = find_value(attribute, text, &is_there);
    if (is_there) {
        return &attribute->values.items[at];
    }
    if (attribute->has_too_many || attribute->values.count == ROLLUP_VALUES_MAX ||
        text.len > ROLLUP_VALUE_BYTES_MAX) {
        rollup_attribute_drop(attribute);
        return NULL;
    }
    lp_slice copy = lp_arena_copy(&sums->arena, text);
    if (sums->arena.is_failed || !INSERT(&sums->arena, &attribute->values, at, ROLLUP_VALUES_MAX)) {
        return NULL;
    }
    attribute->values.items[at] = (rollup_value){.text = copy};
    return &attribute->values.items[at];
}

// --- Exemplars

// is_better returns whether a is the exemplar of a bucket rather than b. The order is total but for
// equal ones, so that it does not matter in which order they come.
static bool
is_better(const rollup_exemplar *a, const rollup_exemplar *b)
{
    int order = LP_ORDER(b->duration_ns, a->duration_ns)
                    ?: LP_ORDER(a->begin_wall_ns, b->begin_wall_ns)
                    ?: LP_ORDER(a->ref.begin, b->ref.begin)
                    ?: LP_ORDER(a->ref.hash, b->ref.hash)
                    ?: LP_ORDER(a->request, b->request)
                    ?: strcmp(a->trace, b->trace) ?: strcmp(a->recording, b->recording);
    return order < 0;
}

void
rollup_add_exemplar(rollup *sums, rollup_type *type, const rollup_exemplar *exemplar)
{
    int bucket = histogram_bucket(exemplar->duration_ns);
    size_t at = type->exemplars.count;
    while (at > 0 && histogram_bucket(type->exemplars.items[at - 1].duration_ns) > bucket) {
        at--;
    }
    rollup_exemplar *known = at == 0 ? NULL : &type->exemplars.items[at - 1];
    if (known != NULL && histogram_bucket(known->duration_ns) == bucket) {
        if (is_better(exemplar, known)) {
            *known = *exemplar;
        }
    } else if (INSERT(&sums->arena, &type->exemplars, at, HISTOGRAM_BUCKETS + 1)) {
        type->exemplars.items[at] = *exemplar;
    }
}

void
rollup_exemplar_format(const rollup_exemplar *exemplar, char out_text[ROLLUP_EXEMPLAR_ID_BYTES])
{
    if (exemplar->request != 0) {
        (void)snprintf(out_text, ROLLUP_EXEMPLAR_ID_BYTES, "%016" PRIx64, exemplar->request);
    } else {
        ctx_ref_format(exemplar->ref, out_text);
    }
}

// --- Slices

rollup_slice *
rollup_add_slice(rollup *sums, rollup_type *type, int64_t begin_wall_ns)
{
    size_t at = type->slices.count;
    while (at > 0 && type->slices.items[at - 1].begin_wall_ns > begin_wall_ns) {
        at--;
    }
    if (at > 0 && type->slices.items[at - 1].begin_wall_ns == begin_wall_ns) {
        return &type->slices.items[at - 1];
    }
    if (type->slices.count == ROLLUP_SLICES_MAX ||
        !INSERT(&sums->arena, &type->slices, at, ROLLUP_SLICES_MAX)) {
        return NULL;
    }
    type->slices.items[at] = (rollup_slice){.begin_wall_ns = begin_wall_ns};
    return &type->slices.items[at];
}

// --- Adding up

void
rollup_numbers_add(rollup *sums, rollup_numbers *numbers, const rollup_numbers *from)
{
    histogram_merge(&numbers->all, &sums->arena, &from->all);
    histogram_merge(&numbers->kept, &sums->arena, &from->kept);
    for (size_t i = 0; i < TIME_CATEGORY_COUNT; i++) {
        rollup_add_ns(&numbers->time_ns[i], from->time_ns[i]);
    }
    rollup_add_ns(&numbers->left_ns, from->left_ns);
}

void
rollup_note_begin(rollup *sums, int64_t begin_wall_ns)
{
    sums->begin_min_ns = begin_wall_ns < sums->begin_min_ns ? begin_wall_ns : sums->begin_min_ns;
}

void
rollup_note_commits(rollup *sums, int64_t min_wall_ns, int64_t max_wall_ns)
{
    sums->commit_min_ns = min_wall_ns < sums->commit_min_ns ? min_wall_ns : sums->commit_min_ns;
    sums->commit_max_ns = max_wall_ns > sums->commit_max_ns ? max_wall_ns : sums->commit_max_ns;
}

void
rollup_note_length(rollup *sums, rollup_unit unit, int64_t duration_ns)
{
    int64_t *longest_ns = &sums->longest_ns[unit];
    *longest_ns = duration_ns > *longest_ns ? duration_ns : *longest_ns;
}

static void
add_attribute(rollup *total, rollup_type *type, const rollup_attribute *part)
{
    rollup_attribute *attribute = rollup_add_attribute(total, type, part->name);
    if (attribute == NULL) {
        return;
    }
    if (part->has_too_many) {
        rollup_attribute_drop(attribute);
    }
    for (size_t i = 0; i < part->values.count && !attribute->has_too_many; i++) {
        rollup_value *value = rollup_add_value(total, attribute, part->values.items[i].text);
        if (value != NULL) {
            rollup_numbers_add(total, &value->numbers, &part->values.items[i].numbers);
        }
    }
}

static void
add_exemplar(rollup *total, rollup_type *type, rollup_exemplar exemplar, const char *recording)
{
    size_t len = strlen(recording);
    if (exemplar.recording[0] == '\0' && len <= ROLLUP_EXEMPLAR_BYTES_MAX) {
        memcpy(exemplar.recording, recording, len + 1);
    }
    rollup_add_exemplar(total, type, &exemplar);
}

static void
add_types(rollup *total, rollup_unit unit, const rollup_types *part, const char *recording)
{
    for (size_t i = 0; i < part->count; i++) {
        const rollup_type *from = &part->items[i];
        rollup_type *type = rollup_add_type_of(total, unit, from->name);
        if (type == NULL) {
            rollup_leave_out(total, unit, from->numbers.all.count);
            continue;
        }
        rollup_numbers_add(total, &type->numbers, &from->numbers);
        type->has_more_attributes |= from->has_more_attributes;
        for (size_t k = 0; k < from->attributes.count; k++) {
            add_attribute(total, type, &from->attributes.items[k]);
        }
        for (size_t k = 0; k < from->exemplars.count; k++) {
            add_exemplar(total, type, from->exemplars.items[k], recording);
        }
    }
}

void
rollup_add(rollup *total, const rollup *part, const char *recording)
{
    rollup_note_begin(total, part->begin_min_ns);
    rollup_note_commits(total, part->commit_min_ns, part->commit_max_ns);
    rollup_leave_out(total, ROLLUP_CONTEXTS, part->contexts_left_out);
    rollup_leave_out(total, ROLLUP_REQUESTS, part->requests_left_out);
    rollup_add_ns(&total->chunks_left_out, part->chunks_left_out);
    add_types(total, ROLLUP_CONTEXTS, &part->types, recording);
    add_types(total, ROLLUP_REQUESTS, &part->requests, recording);
}
