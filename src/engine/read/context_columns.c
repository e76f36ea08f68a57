// SPDX-License-Identifier: Apache-2.0
#include "engine/read/context_columns.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "common/jfr/jfr_layout.h"
#include "common/jfr/jfr_string.h"
#include "engine/read/value_key.h"

#include <string.h>

static compact_value_key_plan
column_make(const compact_sums *sums, const compact_sums_step *step)
{
    return compact_value_key_plan_make(sums->view, step->width);
}

// --- Reading

static bool
skip_fields(const compact_sums *sums, const compact_sums_step *step, jfr_cursor *cursor)
{
    return jfr_layout_walk(&sums->view->schema->layout, step->skip, cursor);
}

// read_text sets sums->text to the text of the value at cursor, as answers show it. Returns false
// if it is null.
static bool
read_text(compact_sums *sums, const compact_sums_step *step, jfr_cursor cursor)
{
    bool is_text =
        compact_value_key_text(&sums->view->pools, &step->value, cursor, &sums->value, &sums->text);
    lp_arena_note(&sums->arena, lp_buf_check(&sums->value));
    lp_arena_note(&sums->arena, lp_buf_check(&sums->text));
    return is_text && !sums->arena.is_failed;
}

static __attribute__((noinline)) uint32_t
look_up(compact_sums *sums, const compact_sums_step *step, uint64_t key, jfr_cursor cursor)
{
    uint32_t value = compact_sums_find_key(step->attribute, key);
    if (value != LP_MAP_NONE) {
        return value;
    }
    if (step->attribute->has_too_many) {
        return COMPACT_VALUE_NONE;
    }
    bool is_null = !read_text(sums, step, cursor);
    return compact_sums_learn(sums, step->attribute, key, lp_buf_slice(&sums->text), is_null);
}

// --- Durations

static void
read_trace(compact_sums *sums, const compact_event_sums *type, jfr_cursor cursor,
    char out_trace[ROLLUP_EXEMPLAR_BYTES_MAX + 1])
{
    compact_sums_check(sums);
    for (size_t i = 0; i < type->steps.count; i++) {
        const compact_sums_step *step = &type->steps.items[i];
        const compact_value_key_plan c = column_make(sums, step);
        uint64_t key;
        bool is_whole = skip_fields(sums, step, &cursor);
        const jfr_cursor begin = cursor;
        if (!is_whole || !compact_value_key_read(&c, step->is_string, &cursor, &key)) {
            return;
        }
        if (step->attribute->is_trace && read_text(sums, step, begin)) {
            compact_longest_set_trace(out_trace, lp_buf_slice(&sums->text));
        }
    }
}

static __attribute__((noinline)) void
note_longest(compact_sums *sums, compact_event_sums *type, const compact_waiting *event)
{
    compact_longest *longest =
        compact_sums_find_longest(sums, &type->type, (int64_t)event->ns, event->begin);
    if (longest != NULL) {
        longest->thread = event->thread;
        read_trace(sums, type, event->fields, longest->trace);
    }
}

// make_rows makes the rows of all spans so far. Returns false if memory ran out.
static __attribute__((noinline)) bool
make_rows(compact_sums *sums)
{
    size_t least = sums->view->spans.count + 2; // the first, and one that may come
    size_t before = sums->rows.count;
    if (least > before) {
        size_t capacity = sums->view->spans.capacity + 2;
        if (!LP_VEC_RESERVE(&sums->rows, (capacity > least ? capacity : least) - before)) {
            lp_arena_fail(&sums->arena);
            return false;
        }
        sums->rows.count = sums->rows.capacity;
        memset(
            &sums->rows.items[before], 0, (sums->rows.count - before) * sizeof(*sums->rows.items));
    }
    return true;
}

static inline __attribute__((always_inline)) void
count_durations(compact_sums *sums, compact_event_sums *type, compact_queue *queue, compact_way way,
    bool has_ns)
{
    const uint8_t row_type = type->row_type;
    compact_sums_row *rows = sums->rows.items;
    const compact_waiting *end = queue->next;
    for (compact_waiting *event = queue->items; event < end; event++) {
        const uint64_t ns = compact_sums_length_ns(sums, event->begin, event->commit, has_ns);
        const uint32_t place = (uint32_t)(histogram_bucket((int64_t)ns) - HISTOGRAM_ZERO);
        event->ns = ns;
        event->place = place;
        compact_counts_add(&type->type.counts, place, ns, way);
        size_t slice = compact_sums_slice(sums, event->begin);
        compact_sums_add_to_slice(sums, &type->type, slice, place, way);
        if (way != COMPACT_COUNT_KEPT_LATE) {
            LP_DEBUG_ASSERT(event->row < sums->rows.count);
            compact_sums_row *row = &rows[event->row];
            row->type = row_type;
            row->bucket = (uint8_t)place;
            row->slice = (uint8_t)slice;
            memset(row->values, COMPACT_VALUE_NONE, sizeof(row->values));
        }
        if (way == COMPACT_COUNT_DROPPED) {
            continue;
        }
        const compact_longest *all = type->type.longest;
        if (all == NULL || compact_longest_is_beaten(&all[place], (int64_t)ns, event->begin)) {
            note_longest(sums, type, event);
        }
    }
}

// --- Attributes

// remove_event replaces an event by the last one before *end.
static inline void
remove_event(compact_waiting **end, compact_waiting *event)
{
    *event = *--*end;
}

// skip_numbers moves all events over a number: most begin with one.
static void
skip_numbers(compact_queue *queue)
{
    compact_waiting *end = queue->next;
    for (compact_waiting *event = queue->items; event < end;) {
        jfr_cursor cursor = event->fields;
        if (jfr_varint_skip(&cursor)) {
            event->fields.at = cursor.at;
            event++;
        } else {
            remove_event(&end, event);
        }
    }
    queue->next = end;
}

static void
skip_column(const compact_sums *sums, const compact_sums_step *step, compact_queue *queue)
{
    const jfr_layout *layout = &sums->view->schema->layout;
    uint32_t count = step->skip.end - step->skip.begin;
    if (count == 1 && layout->ops.items[step->skip.begin].varint_run > 0) {
        skip_numbers(queue);
        return;
    }
    compact_waiting *end = queue->next;
    for (compact_waiting *event = queue->items; count > 0 && event < end;) {
        if (jfr_layout_walk(layout, step->skip, &event->fields)) {
            event++;
        } else {
            remove_event(&end, event);
        }
    }
    queue->next = end;
}

// note_other_id returns 1 if the value at cursor is an id, else 0.
static __attribute__((noinline)) size_t
note_other_id(
    compact_sums *sums, const compact_sums_step *step, jfr_cursor cursor, uint64_t *out_hash)
{
    return read_text(sums, step, cursor) && rollup_id_hash(lp_buf_slice(&sums->text), out_hash);
}

// pass_value returns the end of a value, NULL if the event ends before.
static __attribute__((noinline)) const uint8_t *
pass_value(const compact_sums *sums, const compact_sums_step *step, jfr_cursor cursor)
{
    const compact_value_key_plan c = column_make(sums, step);
    uint64_t key;
    return compact_value_key_read(&c, step->is_string, &cursor, &key) ? cursor.at : NULL;
}

// note_ids adds the ids among the values of a step. With moves, it moves the events behind the
// values.
static inline __attribute__((always_inline)) void
note_ids(compact_sums *sums, const compact_sums_step *step, compact_queue *queue,
    rollup_hashes *ids, bool moves, bool is_string)
{
    if (!LP_VEC_RESERVE(ids, COMPACT_QUEUE_MAX)) {
        lp_arena_fail(&sums->arena);
        return;
    }
    uint64_t *next = &ids->items[ids->count];
    compact_waiting *end = queue->next;
    for (compact_waiting *event = queue->items; event < end;) {
        jfr_cursor cursor = event->fields;
        bool has_upper;
        if (is_string &&
            compact_value_key_read_ascii(&cursor, LP_HASH_FIXED_NUMBER, next, &has_upper) &&
            !has_upper) {
            next++;
        } else {
            next += note_other_id(sums, step, event->fields, next);
            cursor.at = pass_value(sums, step, event->fields);
        }
        if (cursor.at == NULL) {
            remove_event(&end, event);
            continue;
        }
        event->fields.at = moves ? cursor.at : event->fields.at;
        event++;
    }
    queue->next = end;
    ids->count = (size_t)(next - ids->items);
}

// note_traces adds the ids of a list from index begin on, which are trace ids.
static void
note_traces(compact_sums *sums, const rollup_hashes *ids, size_t begin)
{
    rollup_hashes *traces = &sums->ids.traces;
    LP_ASSERT(begin <= ids->count);
    size_t more = ids->count - begin;
    if (!LP_VEC_RESERVE(traces, more)) {
        lp_arena_fail(&sums->arena);
        return;
    }
    for (size_t i = 0; i < more; i++) {
        traces->items[traces->count++] = ids->items[begin + i];
    }
}

// note_before notes the trace ids of events that began before the chunk.
static void
note_before(compact_sums *sums, const compact_sums_step *step, const compact_queue *queue)
{
    int64_t start_ticks = sums->view->info.start_ticks;
    for (const compact_waiting *event = queue->items; event < queue->next; event++) {
        if (event->begin < start_ticks && read_text(sums, step, event->fields)) {
            compact_sums_add_before(sums, lp_buf_slice(&sums->text));
        }
    }
}

static inline __attribute__((always_inline)) void
count_values(compact_sums *sums, const compact_sums_step *step, compact_queue *queue,
    compact_way way, bool is_text)
{
    const compact_value_key_plan c = column_make(sums, step);
    compact_attribute_sums *attribute = step->attribute;
    // Events counted again and values without a column fill the row that is never read.
    const bool fills = way != COMPACT_COUNT_KEPT_LATE && step->column < COMPACT_SUMS_COLUMNS;
    const uint32_t row_mask = fills ? UINT32_MAX : 0;
    uint8_t *values = &sums->rows.items->values[fills ? step->column : 0];
    compact_waiting *end = queue->next;
    for (compact_waiting *event = queue->items; event < end;) {
        jfr_cursor cursor = event->fields;
        uint64_t key;
        if (!compact_value_key_read(&c, is_text, &cursor, &key)) {
            remove_event(&end, event);
            continue;
        }
        size_t place = key % COMPACT_SUMS_RECENT;
        uint32_t value = attribute->recent[place].key == key
                             ? attribute->recent[place].value
                             : look_up(sums, step, key, event->fields);
        compact_counts_add(attribute->counts[value], event->place, event->ns, way);
        values[sizeof(compact_sums_row) * (event->row & row_mask)] = (uint8_t)value;
        event->fields.at = cursor.at;
        event++;
    }
    queue->next = end;
}

static void
pass_column(const compact_sums *sums, const compact_sums_step *step, compact_queue *queue)
{
    compact_waiting *end = queue->next;
    for (compact_waiting *event = queue->items; event < end;) {
        event->fields.at = pass_value(sums, step, event->fields);
        if (event->fields.at != NULL) {
            event++;
        } else {
            remove_event(&end, event);
        }
    }
    queue->next = end;
}

// drop_step removes a step that counts nothing, if that is faster than passing its values. Returns
// whether it did.
static bool
drop_step(compact_event_sums *type, size_t index)
{
    LP_ASSERT(index < type->steps.count);
    compact_sums_step *step = &type->steps.items[index];
    bool is_last = index + 1 == type->steps.count;
    LP_REQUIRE(is_last || !step->is_string, false);
    if (!is_last) { // the next step skips it, too
        step[1].skip.begin = step->skip.begin;
        memmove(step, step + 1, (type->steps.count - index - 1) * sizeof(*step));
    }
    type->steps.count--;
    return true;
}

static inline __attribute__((always_inline)) void
count_column(
    compact_sums *sums, const compact_sums_step *step, compact_queue *queue, compact_way way)
{
    bool has_too_many = step->attribute->has_too_many;
    skip_column(sums, step, queue);
    if (step->attribute->is_id) {
        rollup_hashes *ids = way == COMPACT_COUNT_DROPPED ? &sums->ids.dropped : &sums->ids.kept;
        size_t before = ids->count;
        bool is_trace = step->attribute->is_trace && sums->has_traces;
        if (is_trace && way == COMPACT_COUNT_DROPPED) {
            note_before(sums, step, queue);
        }
        if (step->is_string && has_too_many) { // the usual ones
            note_ids(sums, step, queue, ids, true, true);
        } else {
            note_ids(sums, step, queue, ids, has_too_many, step->is_string);
        }
        if (is_trace) {
            note_traces(sums, ids, before);
        }
    } else if (has_too_many) {
        pass_column(sums, step, queue);
    }
    if (!has_too_many && step->is_string) {
        count_values(sums, step, queue, way, true);
    } else if (!has_too_many) {
        count_values(sums, step, queue, way, false);
    }
}

// count_queue counts the events of a queue; each call has a constant way.
static inline __attribute__((always_inline)) void
count_queue(compact_sums *sums, compact_event_sums *type, compact_way way)
{
    compact_queue *queue = &type->queues[way];
    bool has_rows = make_rows(sums);
    if (has_rows && compact_sums_has_ns(sums)) {
        count_durations(sums, type, queue, way, true);
    } else if (has_rows) {
        count_durations(sums, type, queue, way, false);
    }
    for (size_t i = 0; i < type->steps.count && !sums->arena.is_failed;) {
        const compact_attribute_sums *attribute = type->steps.items[i].attribute;
        if (attribute->has_too_many && !attribute->is_id && drop_step(type, i)) {
            continue;
        }
        count_column(sums, &type->steps.items[i], queue, way);
        i++;
    }
    queue->next = queue->items;
}

static void
count_waiting(compact_sums *sums, compact_event_sums *type, compact_way way)
{
    LP_ASSERT(type->queues[way].next >= type->queues[way].items);
    if (way == COMPACT_COUNT_DROPPED) {
        count_queue(sums, type, COMPACT_COUNT_DROPPED);
    } else if (way == COMPACT_COUNT_KEPT) {
        count_queue(sums, type, COMPACT_COUNT_KEPT);
    } else {
        count_queue(sums, type, COMPACT_COUNT_KEPT_LATE);
    }
}

static void
find_values(compact_sums *sums, const compact_event_sums *type, jfr_cursor fields,
    compact_sums_values *out_values)
{
    compact_sums_check(sums);
    memset(out_values->of, COMPACT_VALUE_NONE, sizeof(out_values->of));
    for (size_t i = 0; i < type->steps.count; i++) {
        const compact_sums_step *step = &type->steps.items[i];
        const compact_value_key_plan c = column_make(sums, step);
        uint64_t key;
        bool is_whole = skip_fields(sums, step, &fields);
        const jfr_cursor begin = fields;
        if (!is_whole || !compact_value_key_read(&c, step->is_string, &fields, &key)) {
            break;
        }
        out_values->of[step->index] = step->attribute->has_too_many
                                          ? (uint8_t)COMPACT_VALUE_NONE
                                          : (uint8_t)look_up(sums, step, key, begin);
    }
}

// --- Queues

compact_queue *
compact_columns_make_room(compact_sums *sums, uint32_t type, compact_way way)
{
    compact_sums_check(sums);
    compact_event_sums *of_events = compact_sums_events(sums, type);
    if (of_events == NULL) {
        sums->contexts_left_out += way != COMPACT_COUNT_KEPT_LATE;
        return NULL;
    }
    compact_queue *queue = &of_events->queues[way];
    if (queue->next == queue->items + COMPACT_QUEUE_MAX) {
        count_waiting(sums, of_events, way);
    }
    return queue;
}

void
compact_columns_end(compact_sums *sums)
{
    compact_sums_check(sums);
    for (size_t i = 0; i < sums->types.count; i++) {
        compact_event_sums *of_events = sums->types.items[i]->of_events;
        for (int way = 0; of_events != NULL && way < COMPACT_COUNT_WAYS; way++) {
            count_waiting(sums, of_events, (compact_way)way);
        }
    }
    (void)make_rows(sums); // also of events that were not counted
}

// fields_of returns the fields at the first step. The event fits its type.
static jfr_cursor
fields_of(const compact_sums *sums, const compact_event_sums *of_events, const compact_event *event)
{
    const compact_plan *plan = &sums->view->schema->plans[event->type];
    jfr_cursor fields = event->payload;
    if (of_events->is_from_head) { // a head has numbers alone
        bool is_whole =
            jfr_varint_skip_words(&fields, plan->after_thread.begin - plan->whole.begin);
        LP_ASSERT(is_whole);
    }
    return fields;
}

compact_type_sums *
compact_columns_find(
    compact_sums *sums, const compact_event *event, compact_sums_values *out_values)
{
    compact_sums_check(sums);
    compact_event_sums *of_events = compact_sums_events(sums, event->type);
    LP_REQUIRE(of_events != NULL, NULL);
    find_values(sums, of_events, fields_of(sums, of_events, event), out_values);
    return &of_events->type;
}

void
compact_columns_keep(
    compact_sums *sums, const compact_event *event, int64_t begin, int64_t commit, uint32_t thread)
{
    compact_sums_check(sums);
    const compact_event_sums *of_events = compact_sums_events(sums, event->type);
    if (of_events != NULL) {
        compact_columns_add(sums, event->type, COMPACT_COUNT_KEPT_LATE,
            fields_of(sums, of_events, event), begin, commit, thread, 0);
    }
}
