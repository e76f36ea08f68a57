// SPDX-License-Identifier: Apache-2.0
#include "engine/job/rollup/rollup_tally.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "engine/job/rollup/rollup_make.h"
#include "engine/read/context_sums.h"
#include "engine/read/kinds.h"
#include "engine/read/text.h"
#include "engine/read/value_key.h"
#include "engine/read/view.h"
#include "engine/requests/requests.h"

#include <assert.h>
#include <string.h>

enum {
    KEYS = 256,          // slots; some more than values
    KEYS_USED_MAX = 192, // then all are forgotten, and read again
    PART_TYPES_MAX = 128,
    ATTRIBUTES_MAX = COMPACT_REQUEST_ATTRIBUTES_MAX,
    NO_VALUE = ROLLUP_VALUES_MAX, // the key means null
};
static_assert(ATTRIBUTES_MAX == 32, "they are bits of a number");

typedef struct slot {
    uint64_t key;
    uint32_t value; // its number + 1; 0: the slot is free
} slot;

// An attribute of a type of requests.
typedef struct attribute {
    const char *name;
    bool has_too_many;
    uint32_t value_count;
    uint32_t key_count;
    slot keys[KEYS]; // by hash; the next free slot where several have one hash
    lp_slice texts[ROLLUP_VALUES_MAX];
    histogram counts[ROLLUP_VALUES_MAX];
} attribute;

// How the events of a type of parts have an attribute of a type of requests.
typedef struct step {
    uint32_t attribute;  // index
    uint32_t before_end; // the ops of the layout before it end here
    bool is_text;
    compact_value_key_plan key;
    struct compact_reading_value how;
} step;

typedef struct steps {
    uint32_t mask;  // bits of their attributes
    uint32_t begin; // ops
    size_t count;
    step items[COMPACT_KIND_ATTRIBUTES_MAX];
} steps;

typedef struct request_type {
    const char *name;
    histogram lengths;
    histogram slices[ROLLUP_SLICES_MAX];
    uint32_t live; // bits of attributes without too many values
    size_t attribute_count;
    attribute *attributes[ATTRIBUTES_MAX];
    const steps *parts[PART_TYPES_MAX]; // by number of a type of parts; NULL: not met yet
} request_type;

typedef struct part_type {
    uint32_t index; // of the metadata
    compact_kind kind;
    compact_reading reading;
} part_type;

struct compact_rollup_tally {
    const compact_frame *frame;
    const compact_view *view;
    compact_sums *sums;
    lp_arena *arena;
    uint8_t *numbers; // by type of the metadata: of a type of parts, + 1
    size_t part_type_count;
    part_type *part_types[PART_TYPES_MAX];
    size_t type_count;
    request_type *types[PART_TYPES_MAX]; // by number of the type of the first part
};
static_assert(PART_TYPES_MAX < UINT8_MAX, "numbers");

// The steps of parts that have too many attributes for the request.
static const steps TOO_MANY = {0};

static void
tally_check(const compact_rollup_tally *t)
{
    LP_ASSERT(t->view == t->frame->view && t->sums == t->view->sums);
    LP_ASSERT(t->part_type_count <= PART_TYPES_MAX && t->type_count <= ROLLUP_TYPES_MAX);
}

compact_rollup_tally *
compact_rollup_tally_create(const compact_frame *frame, lp_arena *arena)
{
    LP_ASSERT(compact_frame_is_open(frame) && frame->view->sums != NULL);
    compact_rollup_tally *t = LP_ARENA_NEW(arena, compact_rollup_tally);
    uint8_t *numbers = LP_ARENA_ARRAY(arena, uint8_t, frame->view->schema->metadata.types.count);
    LP_REQUIRE(t != NULL && numbers != NULL, NULL);
    *t = (compact_rollup_tally){
        .frame = frame,
        .view = frame->view,
        .sums = frame->view->sums,
        .arena = arena,
        .numbers = numbers,
    };
    return t;
}

// --- Types

// learn_part_type numbers a type of the metadata. Returns its number; PART_TYPES_MAX if there are
// too many or memory ran out.
static __attribute__((noinline)) uint32_t
learn_part_type(compact_rollup_tally *t, uint32_t index)
{
    tally_check(t);
    LP_REQUIRE(t->part_type_count < PART_TYPES_MAX, PART_TYPES_MAX);
    part_type *made = LP_ARENA_NEW(t->arena, part_type);
    compact_kinds kinds = {.arena = t->arena};
    compact_kinds_add_event(&kinds, &t->view->schema->metadata, index);
    LP_REQUIRE(made != NULL && kinds.items.count == 1 && !t->arena->is_failed, PART_TYPES_MAX);
    made->index = index;
    made->kind = kinds.items.items[0];
    made->reading =
        compact_reading_make(&made->kind, &t->view->schema->metadata, index, &t->view->pools);
    t->part_types[t->part_type_count++] = made;
    t->numbers[index] = (uint8_t)t->part_type_count;
    return (uint32_t)t->part_type_count - 1;
}

static inline uint32_t
number_of(compact_rollup_tally *t, const compact_rollup_part *part)
{
    uint32_t index = compact_view_type_at(t->view, t->view->spans.items[part->span].offset);
    return t->numbers[index] != 0 ? t->numbers[index] - 1u : learn_part_type(t, index);
}

static __attribute__((noinline)) request_type *
add_type(compact_rollup_tally *t, uint32_t number)
{
    tally_check(t);
    LP_REQUIRE(t->type_count < ROLLUP_TYPES_MAX, NULL);
    request_type *type = LP_ARENA_NEW(t->arena, request_type);
    if (type != NULL) {
        type->name = t->part_types[number]->kind.name;
        t->types[number] = type;
        t->type_count++;
    }
    return type;
}

// find_attribute returns the index of an attribute; attribute_count if the type lacks it.
static size_t
find_attribute(const request_type *type, const char *name)
{
    size_t at = 0;
    while (at < type->attribute_count && strcmp(type->attributes[at]->name, name) != 0) {
        at++;
    }
    return at;
}

// counts returns whether an attribute of events is one of their requests (request_attributes.c).
static bool
counts(const part_type *from, size_t index)
{
    return from->reading.values[index].is_there && !from->reading.values[index].is_reference &&
           strlen(from->kind.attributes[index].name) <= COMPACT_REQUEST_TEXT_BYTES_MAX;
}

static bool
has_room(const request_type *type, const part_type *from)
{
    size_t count = type->attribute_count;
    for (size_t i = 0; i < from->kind.attribute_count; i++) {
        const char *name = from->kind.attributes[i].name;
        count += counts(from, i) && find_attribute(type, name) == type->attribute_count;
    }
    return count <= ATTRIBUTES_MAX;
}

static void
add_step(
    compact_rollup_tally *t, request_type *type, const part_type *from, size_t index, steps *out)
{
    const struct compact_reading_value *how = &from->reading.values[index];
    const char *name = from->kind.attributes[index].name;
    uint32_t at = (uint32_t)find_attribute(type, name);
    if (at == type->attribute_count) {
        attribute *made = LP_ARENA_NEW(t->arena, attribute);
        if (made == NULL) {
            return;
        }
        made->name = name;
        type->attributes[type->attribute_count++] = made;
        type->live |= UINT32_C(1) << at;
    }
    uint32_t passed = out->count == 0 ? out->begin : out->items[out->count - 1].before_end + 1;
    if ((out->mask >> at & 1) != 0 || how->before.end < passed) {
        return; // a second field of one name: the first one counts
    }
    out->mask |= UINT32_C(1) << at;
    out->items[out->count++] = (step){
        .attribute = at,
        .before_end = how->before.end,
        .is_text = compact_value_key_is_text(how),
        .key = compact_value_key_plan_make(t->view, compact_value_key_width(how)),
        .how = *how,
    };
}

// make_steps returns how a type of parts has the attributes of a type of requests. NULL if memory
// ran out.
static __attribute__((noinline)) const steps *
make_steps(compact_rollup_tally *t, request_type *type, uint32_t number)
{
    tally_check(t);
    const part_type *from = t->part_types[number];
    if (!has_room(type, from)) {
        type->parts[number] = &TOO_MANY;
        return &TOO_MANY;
    }
    steps *made = LP_ARENA_NEW(t->arena, steps);
    LP_REQUIRE(made != NULL, NULL);
    made->begin = t->view->schema->layout.types.items[from->index].begin;
    for (size_t i = 0; i < from->kind.attribute_count; i++) {
        if (counts(from, i)) {
            add_step(t, type, from, i, made);
        }
    }
    type->parts[number] = made;
    return made;
}

// find_type returns the type of a request, and has all of its parts met. NULL if the tally has no
// room for it.
static request_type *
find_type(compact_rollup_tally *t, compact_rollup_part *parts, size_t count)
{
    request_type *type = NULL;
    for (size_t i = 0; i < count; i++) {
        uint32_t number = number_of(t, &parts[i]);
        LP_REQUIRE(number != PART_TYPES_MAX, NULL);
        parts[i].type = number;
        if (i == 0) {
            type = t->types[number] != NULL ? t->types[number] : add_type(t, number);
            LP_REQUIRE(type != NULL, NULL);
        }
        const steps *met =
            type->parts[number] != NULL ? type->parts[number] : make_steps(t, type, number);
        LP_REQUIRE(met != NULL && met != &TOO_MANY, NULL);
    }
    return type;
}

// --- Values

// number_text returns the number of the value with this text; NO_VALUE if the attribute has too
// many.
static uint32_t
number_text(compact_rollup_tally *t, attribute *a, lp_slice text)
{
    text.len = compact_text_cut(text, COMPACT_REQUEST_TEXT_BYTES_MAX);
    uint32_t value = 0;
    while (value < a->value_count && (a->texts[value].len != text.len ||
                                         memcmp(a->texts[value].ptr, text.ptr, text.len) != 0)) {
        value++;
    }
    if (value == a->value_count) {
        a->has_too_many = value == ROLLUP_VALUES_MAX;
        LP_REQUIRE(!a->has_too_many, NO_VALUE);
        a->texts[value] = lp_arena_copy(t->arena, text);
        a->value_count++;
    }
    return value;
}

// learn returns the value of a new key at cursor; NO_VALUE if it is null.
static __attribute__((noinline)) uint32_t
learn(compact_rollup_tally *t, const step *s, attribute *a, jfr_cursor cursor)
{
    tally_check(t);
    lp_buf *text = &t->sums->text;
    bool is_text = compact_value_key_text(&t->view->pools, &s->how, cursor, &t->sums->value, text);
    lp_arena_note(t->arena, lp_buf_check(&t->sums->value));
    lp_arena_note(t->arena, lp_buf_check(text));
    if (a->key_count == KEYS_USED_MAX) {
        memset(a->keys, 0, sizeof(a->keys));
        a->key_count = 0;
    }
    return is_text ? number_text(t, a, lp_buf_slice(text)) : (uint32_t)NO_VALUE;
}

static inline uint32_t
find_value(compact_rollup_tally *t, const step *s, attribute *a, uint64_t key, jfr_cursor cursor)
{
    uint64_t hash = lp_hash_number(s->key.seed, key);
    size_t at = hash % KEYS;
    while (a->keys[at].value != 0 && a->keys[at].key != key) {
        at = (at + 1) % KEYS;
    }
    if (a->keys[at].value != 0) {
        return a->keys[at].value - 1;
    }
    uint32_t value = learn(t, s, a, cursor);
    at = a->key_count == 0 ? hash % KEYS : at; // learn has forgotten all
    a->keys[at] = (slot){key, value + 1};
    a->key_count++;
    return value;
}

// A duration.
typedef struct length {
    int bucket;
    uint64_t ns;
} length;

static void
add_length(compact_rollup_tally *t, histogram *to, const length *added)
{
    histogram_add_counts(to, t->arena, added->bucket, 1);
    rollup_add_ns(&to->sum_ns, added->ns);
}

// count_values counts the values of a part whose attributes are wanted. Returns those that it has,
// as bits.
static uint32_t
count_values(compact_rollup_tally *t, request_type *type, const steps *how, uint32_t wanted,
    uint32_t offset, const length *added)
{
    jfr_cursor cursor = compact_view_event(t->view, offset).payload;
    uint32_t passed = how->begin;
    uint32_t found = 0;
    for (size_t i = 0; i < how->count; i++) {
        const step *s = &how->items[i];
        if ((wanted >> s->attribute & 1) == 0) {
            continue;
        }
        const jfr_program skip = {passed, s->before_end};
        bool is_whole = jfr_layout_walk(&t->view->schema->layout, skip, &cursor);
        const jfr_cursor begin = cursor;
        uint64_t key;
        if (!is_whole || !compact_value_key_read(&s->key, s->is_text, &cursor, &key)) {
            break;
        }
        passed = s->before_end + 1; // a value is one op
        attribute *a = type->attributes[s->attribute];
        uint32_t value = find_value(t, s, a, key, begin);
        if (value != NO_VALUE) {
            add_length(t, &a->counts[value], added);
            found |= UINT32_C(1) << s->attribute;
        } else if (a->has_too_many) {
            type->live &= ~(UINT32_C(1) << s->attribute);
        }
    }
    return found;
}

bool
compact_rollup_tally_take(compact_rollup_tally *tally, compact_rollup_part *parts, size_t count)
{
    LP_ASSERT(count > 0 && parts[0].begin <= parts[count - 1].begin);
    request_type *type = find_type(tally, parts, count);
    LP_REQUIRE(type != NULL, false);
    const compact_sums *sums = tally->sums;
    int64_t ns = compact_sums_duration_ns(sums, parts[0].begin, parts[0].end);
    const length added = {histogram_bucket(ns), (uint64_t)ns};
    add_length(tally, &type->lengths, &added);
    histogram *slice = &type->slices[compact_sums_slice(sums, parts[0].begin)];
    histogram_add_counts(slice, tally->arena, added.bucket, 1);
    uint32_t found = 0;
    for (size_t i = 0; i < count; i++) {
        const steps *how = type->parts[parts[i].type];
        uint32_t wanted = how->mask & type->live & ~found;
        if (wanted != 0) {
            uint32_t offset = tally->view->spans.items[parts[i].span].offset;
            found |= count_values(tally, type, how, wanted, offset, &added);
        }
    }
    return true;
}

// --- The rollup

static void
add_attribute(const attribute *from, rollup *out, rollup_type *type)
{
    if (from->value_count == 0) {
        return; // always null
    }
    rollup_attribute *to = rollup_add_attribute(out, type, from->name);
    if (to != NULL && from->has_too_many) {
        rollup_attribute_drop(to);
    }
    for (uint32_t i = 0; to != NULL && !to->has_too_many && i < from->value_count; i++) {
        rollup_value *value = rollup_add_value(out, to, from->texts[i]);
        if (value != NULL) {
            histogram_merge(&value->numbers.all, &out->arena, &from->counts[i]);
        }
    }
}

static void
add_requests(const compact_frame *frame, const request_type *from, rollup *out)
{
    rollup_type *type = rollup_add_type_of(out, ROLLUP_REQUESTS, from->name);
    if (type == NULL) {
        rollup_leave_out(out, ROLLUP_REQUESTS, from->lengths.count);
        return;
    }
    histogram_merge(&type->numbers.all, &out->arena, &from->lengths);
    for (size_t i = 0; i < from->attribute_count; i++) {
        add_attribute(from->attributes[i], out, type);
    }
    for (size_t i = 0; i < ROLLUP_SLICES_MAX; i++) {
        rollup_slice *slice =
            from->slices[i].count == 0 ? NULL : compact_rollup_add_slice(frame, out, type, i);
        if (slice != NULL) {
            histogram_merge(&slice->all, &out->arena, &from->slices[i]);
        }
    }
}

void
compact_rollup_tally_add(const compact_rollup_tally *tally, rollup *out)
{
    tally_check(tally);
    for (size_t i = 0; i < tally->part_type_count && !out->arena.is_failed; i++) {
        if (tally->types[i] != NULL && tally->types[i]->lengths.count > 0) {
            add_requests(tally->frame, tally->types[i], out);
        }
    }
}
