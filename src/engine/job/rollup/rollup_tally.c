// SPDX-License-Identifier: Apache-2.0
#include "engine/job/rollup/rollup_tally.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "common/rollup/rollup_id.h"
#include "engine/job/rollup/rollup_make.h"
#include "engine/job/rollup/tally_types.h"
#include "engine/read/context_sums.h"
#include "engine/read/view.h"
#include "engine/requests/request_steps.h"

struct compact_rollup_tally {
    const compact_frame *frame;
    compact_tally_types types;
};

static void
tally_check(const compact_rollup_tally *t)
{
    LP_ASSERT(t->types.view == t->frame->view && t->types.sums == t->types.view->sums);
    compact_tally_types_check(&t->types);
}

compact_rollup_tally *
compact_rollup_tally_create(const compact_frame *frame, lp_arena *arena)
{
    LP_ASSERT(compact_frame_is_open(frame) && frame->view->sums != NULL);
    compact_rollup_tally *t = LP_ARENA_NEW(arena, compact_rollup_tally);
    uint8_t *numbers = LP_ARENA_ARRAY(arena, uint8_t, frame->view->schema->metadata.types.count);
    LP_REQUIRE(t != NULL && numbers != NULL, NULL);
    t->frame = frame;
    t->types.view = frame->view;
    t->types.sums = frame->view->sums;
    t->types.arena = arena;
    t->types.numbers = numbers;
    return t;
}

// --- Values

static inline uint32_t
find_value(compact_rollup_tally *t, const compact_tally_step *s, compact_tally_attribute *a,
    uint64_t key, jfr_cursor cursor)
{
    uint64_t hash = lp_hash_number(s->key.seed, key);
    size_t at = hash % COMPACT_TALLY_KEYS;
    while (a->keys[at].value != 0 && (a->keys[at].key != key || a->keys[at].form != s->form)) {
        at = (at + 1) % COMPACT_TALLY_KEYS;
    }
    if (a->keys[at].value != 0) {
        return a->keys[at].value - 1;
    }
    uint32_t value = compact_tally_types_learn(&t->types, s, a, cursor);
    at = a->key_count == 0 ? hash % COMPACT_TALLY_KEYS : at; // all keys may be forgotten
    a->keys[at] = (compact_tally_slot){key, s->form, value + 1};
    a->key_count++;
    return value;
}

// meet_value finds the counts of a request's attribute for a value of rows. NULL if the attribute
// has too many.
static __attribute__((noinline)) compact_tally_counts *
meet_value(
    compact_rollup_tally *t, compact_tally_type *type, compact_tally_column *c, uint8_t value)
{
    LP_ASSERT(value < c->sums->value_count);
    compact_tally_attribute *a = type->attributes[c->attribute];
    uint32_t number = compact_tally_types_learn_text(&t->types, a, c->sums->texts[value]);
    if (number == COMPACT_TALLY_NO_VALUE) {
        type->live &= ~(UINT32_C(1) << c->attribute);
        return NULL;
    }
    c->counts[value] = &a->counts[number];
    return c->counts[value];
}

// What is counted of a request.
typedef struct length {
    int bucket;
    uint64_t ns;
    bool is_kept;
} length;

static inline __attribute__((always_inline)) void
add_bucket(compact_rollup_tally *t, compact_tally_counts *counts, const length *added)
{
    histogram *to = &counts->of[added->is_kept];
    uint32_t at = (uint32_t)added->bucket - to->first; // wraps below the first
    if (at < to->bucket_count) {
        to->counts[at]++; // there are fewer events than it could have
        to->count++;
    } else {
        histogram_add_counts(to, t->types.arena, added->bucket, 1);
    }
}

static inline __attribute__((always_inline)) void
add_length(compact_rollup_tally *t, compact_tally_counts *counts, const length *added)
{
    add_bucket(t, counts, added);
    rollup_add_ns(&counts->of[added->is_kept].sum_ns, added->ns);
}

// fields_of returns the fields of a contextual event.
static inline __attribute__((always_inline)) jfr_cursor
fields_of(const compact_view *view, const compact_tally_part *part)
{
    return compact_view_head(view, view->spans.items[part->span].offset).payload;
}

static inline bool
pass_fields(const compact_rollup_tally *t, const compact_tally_step *s, jfr_cursor *cursor)
{
    return (s->skip_count == 0 || jfr_varint_skip_words(cursor, s->skip_count)) &&
           (s->skip.begin == s->skip.end ||
               jfr_layout_walk(&t->types.view->schema->layout, s->skip, cursor));
}

// count_value counts the value of a wanted attribute at cursor, and moves cursor behind it. Returns
// false if the event ends before.
static inline bool
count_value(compact_rollup_tally *t, compact_tally_type *type, const compact_tally_step *s,
    const length *added, jfr_cursor *cursor, uint32_t *found)
{
    const jfr_cursor begin = *cursor;
    uint64_t key;
    LP_REQUIRE(compact_value_key_read(&s->key, s->is_text, cursor, &key), false);
    compact_tally_attribute *a = type->attributes[s->attribute];
    uint32_t value = find_value(t, s, a, key, begin);
    if (value != COMPACT_TALLY_NO_VALUE) {
        add_length(t, &a->counts[value], added);
        *found |= UINT32_C(1) << s->attribute;
    } else if (a->has_too_many) {
        type->live &= ~(UINT32_C(1) << s->attribute);
    }
    return true;
}

// pass_value moves cursor behind a value. Returns false if the event ends before.
static inline bool
pass_value(const compact_tally_step *s, jfr_cursor *cursor)
{
    uint64_t key;
    return s->is_text ? compact_value_key_pass_string(cursor)
                      : compact_value_key_read(&s->key, false, cursor, &key);
}

// count_row counts the wanted attributes of a row. Returns those that it has, as bits.
static inline __attribute__((always_inline)) uint32_t
count_row(compact_rollup_tally *t, compact_tally_type *type, compact_tally_steps *how,
    const compact_sums_row *row, uint32_t wanted, const length *added)
{
    uint32_t found = 0;
    for (size_t i = 0; i < how->column_count; i++) {
        compact_tally_column *c = &how->columns[i];
        uint8_t value = row->values[c->column];
        uint32_t bit = c->bit;
        if (value == COMPACT_VALUE_NONE || (wanted & bit) == 0) {
            continue;
        }
        compact_tally_counts *counts = c->counts[value] ?: meet_value(t, type, c, value);
        if (counts != NULL) {
            add_length(t, counts, added);
            found |= bit;
        }
    }
    return found;
}

// count_values counts the values of a part whose attributes are wanted. Returns those that it has,
// as bits.
static __attribute__((noinline)) uint32_t
count_values(compact_rollup_tally *t, compact_tally_type *type, const compact_tally_part *part,
    uint32_t wanted, const length *added)
{
    const compact_tally_steps *how = type->parts[part->type];
    jfr_cursor cursor = fields_of(t->types.view, part);
    uint32_t found = 0;
    bool is_whole = true;
    for (size_t i = 0; i < how->count && is_whole && wanted != 0; i++) {
        const compact_tally_step *s = &how->items[i];
        bool is_wanted = (wanted >> s->attribute & 1) != 0;
        wanted &= ~(UINT32_C(1) << s->attribute);
        is_whole =
            pass_fields(t, s, &cursor) &&
            (is_wanted ? count_value(t, type, s, added, &cursor, &found) : pass_value(s, &cursor));
    }
    return found;
}

static inline __attribute__((always_inline)) uint32_t
count_part(compact_rollup_tally *t, compact_tally_type *type, const compact_tally_part *part,
    uint32_t wanted, const length *added)
{
    compact_tally_steps *how = type->parts[part->type];
    const uint32_t live = type->live;
    uint32_t of_row = how->row_mask & live & wanted;
    uint32_t of_event = how->mask & live & wanted;
    uint32_t found = 0;
    if (of_row != 0) {
        const compact_sums_row *row = compact_sums_find_row(t->types.sums, part->span);
        found |= count_row(t, type, how, row, of_row, added);
    }
    if (of_event != 0) {
        const length copy = *added; // added stays in registers
        found |= count_values(t, type, part, of_event, &copy);
    }
    if (type->live != live) {
        compact_tally_types_stop(&t->types, type);
    }
    return found;
}

// --- Exemplars

// read_traces sets out_trace to the first id of a trace that fits, among the attributes of a part
// that no earlier part has. Returns the attributes that it has, as bits.
static uint32_t
read_traces(compact_rollup_tally *t, const compact_tally_type *type, const compact_tally_part *part,
    uint32_t known, char out_trace[ROLLUP_EXEMPLAR_BYTES_MAX + 1])
{
    const compact_tally_part_type *from = t->types.part_types[part->type];
    compact_sums *sums = t->types.sums;
    for (size_t i = 0; i < from->kind.attribute_count && out_trace[0] == '\0'; i++) {
        const char *name = from->kind.attributes[i].name;
        if (!compact_tally_types_has_attribute(from, i) || !rollup_id_is_trace(name)) {
            continue;
        }
        uint32_t bit = UINT32_C(1) << compact_tally_types_find_attribute(type, name);
        const struct compact_reading_value *how = &from->reading.values[i];
        jfr_cursor cursor = fields_of(t->types.view, part);
        if ((known & bit) == 0 &&
            jfr_layout_walk(&t->types.view->schema->layout, how->before, &cursor) &&
            compact_value_key_text(&t->types.view->pools, how, cursor, &sums->value, &sums->text)) {
            known |= bit;
            compact_longest_set_trace(out_trace, lp_buf_slice(&sums->text));
        }
        lp_arena_note(t->types.arena, lp_buf_check(&sums->value));
        lp_arena_note(t->types.arena, lp_buf_check(&sums->text));
    }
    return known;
}

// is_better returns whether a request is the exemplar of its bucket, rather than another one.
static bool
is_better(const rollup_exemplar *a, const rollup_exemplar *b)
{
    if (a->duration_ns != b->duration_ns) {
        return a->duration_ns > b->duration_ns;
    }
    return a->begin_wall_ns != b->begin_wall_ns ? a->begin_wall_ns < b->begin_wall_ns
                                                : a->request < b->request;
}

// may_be_exemplar returns false for most requests: a longer one is the exemplar of the bucket.
static inline bool
may_be_exemplar(const compact_tally_type *type, const length *added)
{
    return type->exemplars == NULL ||
           (int64_t)added->ns >= type->exemplars[added->bucket - HISTOGRAM_ZERO].duration_ns;
}

static __attribute__((noinline)) void
note_exemplar(compact_rollup_tally *t, compact_tally_type *type, const compact_tally_part *parts,
    size_t count, const length *added)
{
    if (type->exemplars == NULL) {
        type->exemplars = LP_ARENA_ARRAY(t->types.arena, rollup_exemplar, HISTOGRAM_BUCKETS + 1);
        for (size_t i = 0; i <= HISTOGRAM_BUCKETS && type->exemplars != NULL; i++) {
            type->exemplars[i].duration_ns = -1;
        }
    }
    rollup_exemplar *known =
        type->exemplars == NULL ? NULL : &type->exemplars[added->bucket - HISTOGRAM_ZERO];
    if (known == NULL) {
        return;
    }
    const jfr_clock clock = compact_clock_of_jfr(&t->frame->shown);
    uint32_t thread = t->types.view->spans.items[parts[0].span].thread;
    rollup_exemplar exemplar = {
        .duration_ns = (int64_t)added->ns,
        .begin_wall_ns = jfr_clock_wall_ns(&clock, parts[0].begin),
        .request = compact_requests_nested_key(t->frame->identities[thread], parts[0].begin),
    };
    if (!is_better(&exemplar, known)) {
        return;
    }
    uint32_t has = 0;
    for (size_t i = 0; i < count; i++) {
        has = read_traces(t, type, &parts[i], has, exemplar.trace);
    }
    *known = exemplar;
}

// --- Requests

// find_type returns the type of a request, and sets the types of its parts. NULL if the tally has
// no room for them.
static inline __attribute__((always_inline)) compact_tally_type *
find_type(compact_rollup_tally *t, compact_tally_part *parts, size_t count)
{
    compact_tally_types *types = &t->types;
    const compact_sums_row *rows = compact_sums_find_row(types->sums, 0);
    uint32_t first = types->of_rows[rows[parts[0].span].type];
    compact_tally_type *type = first != 0 ? types->items[first - 1] : NULL;
    for (size_t i = 0; i < count && type != NULL; i++) {
        uint32_t number = types->of_rows[rows[parts[i].span].type];
        if (number == 0 || type->parts[number - 1] == NULL) {
            type = NULL;
        } else {
            parts[i].type = number - 1;
        }
    }
    return type != NULL ? type : compact_tally_types_find(types, parts, count);
}

static inline __attribute__((always_inline)) bool
take(compact_rollup_tally *tally, compact_tally_part *parts, size_t count, bool is_kept)
{
    LP_ASSERT(count > 0 && parts[0].begin <= parts[count - 1].begin);
    compact_tally_type *type = find_type(tally, parts, count);
    LP_REQUIRE(type != NULL, false);
    const compact_sums *sums = tally->types.sums;
    const compact_sums_row *outer = compact_sums_find_row(sums, parts[0].span);
    const uint64_t ns =
        compact_sums_length_ns(sums, parts[0].begin, parts[0].end, compact_sums_has_ns(sums));
    const bool has_row = outer->type != 0;
    const length added = {
        has_row ? outer->bucket + HISTOGRAM_ZERO : histogram_bucket((int64_t)ns), ns, is_kept};
    size_t slice = has_row ? outer->slice : compact_sums_slice(sums, parts[0].begin);
    add_length(tally, &type->lengths, &added);
    add_bucket(tally, &type->slices[slice], &added);
    uint32_t found = 0;
    for (size_t i = 0; i < count; i++) {
        found |= count_part(tally, type, &parts[i], ~found, &added);
    }
    if (is_kept && may_be_exemplar(type, &added)) {
        const length copy = added; // added stays in registers
        note_exemplar(tally, type, parts, count, &copy);
    }
    return true;
}

bool
compact_rollup_tally_take(
    compact_rollup_tally *tally, compact_tally_part *parts, size_t count, bool is_kept)
{
    return is_kept ? take(tally, parts, count, true) : take(tally, parts, count, false);
}

// --- The rollup

static void
add_counts(const compact_tally_counts *from, rollup *out, histogram *all, histogram *kept)
{
    histogram_merge(all, &out->arena, &from->of[0]);
    histogram_merge(all, &out->arena, &from->of[1]);
    histogram_merge(kept, &out->arena, &from->of[1]);
}

static void
add_attribute(const compact_tally_attribute *from, rollup *out, rollup_type *type)
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
            add_counts(&from->counts[i], out, &value->numbers.all, &value->numbers.kept);
        }
    }
}

static void
add_slices(
    const compact_frame *frame, const compact_tally_type *from, rollup *out, rollup_type *type)
{
    for (size_t i = 0; i < ROLLUP_SLICES_MAX; i++) {
        const compact_tally_counts *counts = &from->slices[i];
        rollup_slice *slice = counts->of[0].count + counts->of[1].count == 0
                                  ? NULL
                                  : compact_rollup_add_slice(frame, out, type, i);
        if (slice != NULL) {
            add_counts(counts, out, &slice->all, &slice->kept);
        }
    }
}

static void
add_requests(const compact_frame *frame, const compact_tally_type *from, rollup *out)
{
    rollup_type *type = rollup_add_type_of(out, ROLLUP_REQUESTS, from->name);
    if (type == NULL) {
        rollup_leave_out(
            out, ROLLUP_REQUESTS, from->lengths.of[0].count + from->lengths.of[1].count);
        return;
    }
    add_counts(&from->lengths, out, &type->numbers.all, &type->numbers.kept);
    for (size_t i = 0; i < from->attribute_count; i++) {
        add_attribute(from->attributes[i], out, type);
    }
    add_slices(frame, from, out, type);
    for (size_t i = 0; from->exemplars != NULL && i <= HISTOGRAM_BUCKETS; i++) {
        if (from->exemplars[i].duration_ns >= 0) {
            rollup_add_exemplar(out, type, &from->exemplars[i]);
        }
    }
}

void
compact_rollup_tally_add(const compact_rollup_tally *tally, rollup *out)
{
    tally_check(tally);
    for (size_t i = 0; i < tally->types.part_type_count && !out->arena.is_failed; i++) {
        const compact_tally_type *type = tally->types.items[i];
        if (type != NULL && type->lengths.of[0].count + type->lengths.of[1].count > 0) {
            add_requests(tally->frame, type, out);
        }
    }
}
