// SPDX-License-Identifier: Apache-2.0
#include "engine/read/context_columns.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "common/jfr/jfr_layout.h"
#include "common/jfr/jfr_string.h"
#include "engine/read/kind_values.h"

#include <string.h>

// What all values of a step share.
typedef struct column {
    const uint8_t *numbers_end; // JFR_VARINT_BYTES_MAX bytes can be read up to here
    uint64_t seed;              // for keys
    size_t width;
} column;

static column
column_make(const compact_sums *sums, const compact_sums_step *step)
{
    const lp_slice chunk = sums->view->chunk;
    return (column){
        .numbers_end = chunk.ptr + chunk.len - JFR_VARINT_BYTES_MAX,
        .seed = lp_hash_seed(),
        .width = step->width,
    };
}

// --- Reading

static inline __attribute__((always_inline)) bool
read_number(const column *c, jfr_cursor *cursor, uint64_t *out_number)
{
    if (cursor->at > c->numbers_end) {
        return jfr_varint_read(cursor, out_number);
    }
    cursor->at = jfr_varint_read_guessed(cursor->at, out_number);
    return cursor->at <= cursor->end;
}

static inline __attribute__((always_inline)) bool
read_bytes(jfr_cursor *cursor, size_t count, uint64_t *out_bits)
{
    LP_REQUIRE(jfr_cursor_left(cursor) >= count, false);
    *out_bits = 0;
    for (; count > 0; count--) {
        *out_bits = *out_bits << 8 | *cursor->at++;
    }
    return true;
}

typedef struct words {
    uint64_t hash;
    uint64_t bits;  // bits set in any byte
    uint64_t upper; // bits 6 set without bit 5: upper case and a few others
} words;

static inline __attribute__((always_inline)) void
add_word(words *sum, uint64_t seed, uint64_t word)
{
    sum->bits |= word;
    sum->upper |= word & ~(word + word);
    sum->hash = lp_hash_number(seed, sum->hash ^ word);
}

// read_ascii moves cursor over a non-empty ASCII string of any encoding (a UTF-16 unit below 0x80
// is one byte, too). With the seed LP_HASH_FIXED_NUMBER the hash is that of rollup_id_hash, unless
// *out_has_upper. Returns false, with cursor unchanged, for other strings.
static inline __attribute__((always_inline)) bool
read_ascii(jfr_cursor *cursor, uint64_t seed, uint64_t *out_hash, bool *out_has_upper)
{
    const uint8_t *at = cursor->at;
    size_t left = jfr_cursor_left(cursor);
    if (left < 2 || (uint8_t)(at[0] - JFR_STRING_UTF8) > JFR_STRING_LATIN1 - JFR_STRING_UTF8) {
        return false;
    }
    size_t len = at[1];
    LP_REQUIRE(len - 1 < 0x7f && left - 2 >= len, false);
    words sum = {.hash = lp_hash_number(seed, len)};
    const uint8_t *end = at + 2 + len;
    for (at += 2; end - at >= 16; at += 16) {
        add_word(&sum, seed, jfr_varint_word(at));
        add_word(&sum, seed, jfr_varint_word(at + 8));
    }
    if (end - at >= 8) {
        add_word(&sum, seed, jfr_varint_word(at));
        at += 8;
    }
    if (at < end) { // the chunk's header lies before the text
        add_word(&sum, seed, jfr_varint_word(end - 8) >> 8 * (8 - (end - at)));
    }
    LP_REQUIRE((sum.bits & 0x8080808080808080u) == 0, false);
    cursor->at = end;
    *out_hash = sum.hash;
    *out_has_upper = (sum.upper & 0x4040404040404040u) != 0;
    return true;
}

// read_other_text is read_text_key for other strings. Returns the end of the string, NULL if the
// event ends before.
static __attribute__((noinline)) const uint8_t *
read_other_text(jfr_cursor cursor, uint64_t *out_key)
{
    const uint8_t *begin = cursor.at;
    LP_REQUIRE(jfr_string_skip(&cursor, out_key), NULL);
    *out_key = lp_hash_bytes(lp_hash_seed(), (lp_slice){begin, (size_t)(cursor.at - begin)});
    return cursor.at;
}

static inline __attribute__((always_inline)) bool
read_text_key(const column *c, jfr_cursor *cursor, uint64_t *out_key)
{
    if (cursor->at < cursor->end && *cursor->at == JFR_STRING_CONSTANT) {
        cursor->at++;
        return read_number(c, cursor, out_key);
    }
    bool has_upper;
    if (read_ascii(cursor, c->seed, out_key, &has_upper)) {
        return true;
    }
    uint64_t key; // *out_key may stay in a register
    cursor->at = read_other_text(*cursor, &key);
    *out_key = key;
    return cursor->at != NULL;
}

// read_key moves cursor over a value and reads its key. Returns false if the event ends before.
static inline __attribute__((always_inline)) bool
read_key(const column *c, bool is_text, jfr_cursor *cursor, uint64_t *out_key)
{
    return is_text         ? read_text_key(c, cursor, out_key)
           : c->width != 0 ? read_bytes(cursor, c->width, out_key)
                           : read_number(c, cursor, out_key);
}

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
    const compact_kind kind = {
        .attribute_count = 1, .attributes = {{.name = step->attribute->name}}};
    compact_reading reading = {.pools = &sums->view->pools};
    reading.values[0] = step->value;
    reading.values[0].before = (jfr_program){0, 0};
    lp_buf_clear(&sums->value);
    lp_buf_clear(&sums->text);
    compact_kind_append_event(&kind, &reading, cursor, false, &sums->value);
    lp_arena_note(&sums->arena, lp_buf_check(&sums->value));
    if (sums->arena.is_failed || step->value.is_reference || *sums->value.ptr == JFR_STRING_NULL) {
        return false;
    }
    jfr_cursor text = jfr_cursor_over(lp_buf_slice(&sums->value));
    bool is_text = jfr_string_read_utf8(&text, &sums->text);
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
        const column c = column_make(sums, step);
        uint64_t key;
        bool is_whole = skip_fields(sums, step, &cursor);
        const jfr_cursor begin = cursor;
        if (!is_whole || !read_key(&c, step->is_string, &cursor, &key)) {
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

// duration_of is compact_sums_duration_ns; fast if ticks are nanoseconds, as usual.
static inline uint64_t
duration_of(const compact_sums *sums, const compact_waiting *event, bool has_ns)
{
    uint64_t ticks = (uint64_t)event->commit - (uint64_t)event->begin;
    bool is_short = event->commit >= event->begin && ticks < (uint64_t)1 << 53;
    return is_short && has_ns
               ? ticks
               : (uint64_t)compact_sums_duration_ns(sums, event->begin, event->commit);
}

static inline __attribute__((always_inline)) void
count_durations(compact_sums *sums, compact_event_sums *type, compact_queue *queue, compact_way way)
{
    const bool has_ns = sums->clock.ticks_per_s == 1000000000;
    for (compact_waiting *event = queue->items; event < queue->next; event++) {
        event->ns = duration_of(sums, event, has_ns);
        event->place = (uint32_t)(histogram_bucket((int64_t)event->ns) - HISTOGRAM_ZERO);
        compact_counts_add(&type->type.counts, event->place, event->ns, way);
        compact_sums_add_to_slice(sums, &type->type, event->begin, event->place, way);
        if (way == COMPACT_COUNT_DROPPED) {
            continue;
        }
        const compact_longest *all = type->type.longest;
        if (all == NULL ||
            compact_longest_is_beaten(&all[event->place], (int64_t)event->ns, event->begin)) {
            note_longest(sums, type, event);
        }
    }
}

// --- Attributes

// remove_event replaces an event by the last of its queue.
static inline void
remove_event(compact_queue *queue, compact_waiting *event)
{
    *event = *--queue->next;
}

// skip_numbers moves all events over a number: most begin with one.
static void
skip_numbers(compact_queue *queue)
{
    for (compact_waiting *event = queue->items; event < queue->next;) {
        jfr_cursor cursor = event->fields;
        if (jfr_varint_skip(&cursor)) {
            event->fields.at = cursor.at;
            event++;
        } else {
            remove_event(queue, event);
        }
    }
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
    for (compact_waiting *event = queue->items; count > 0 && event < queue->next;) {
        if (jfr_layout_walk(layout, step->skip, &event->fields)) {
            event++;
        } else {
            remove_event(queue, event);
        }
    }
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
    const column c = column_make(sums, step);
    uint64_t key;
    return read_key(&c, step->is_string, &cursor, &key) ? cursor.at : NULL;
}

// note_ids adds the ids among the values of a step. With moves, it moves the events behind the
// values.
static void
note_ids(compact_sums *sums, const compact_sums_step *step, compact_queue *queue,
    rollup_hashes *ids, bool moves)
{
    if (!LP_VEC_RESERVE(ids, COMPACT_QUEUE_MAX)) {
        lp_arena_fail(&sums->arena);
        return;
    }
    const bool is_string = step->is_string;
    uint64_t *next = &ids->items[ids->count];
    for (compact_waiting *event = queue->items; event < queue->next;) {
        jfr_cursor cursor = event->fields;
        bool has_upper;
        if (is_string && read_ascii(&cursor, LP_HASH_FIXED_NUMBER, next, &has_upper) &&
            !has_upper) {
            next++;
        } else {
            next += note_other_id(sums, step, event->fields, next);
            cursor.at = pass_value(sums, step, event->fields);
        }
        if (cursor.at == NULL) {
            remove_event(queue, event);
            continue;
        }
        event->fields.at = moves ? cursor.at : event->fields.at;
        event++;
    }
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
    const column c = column_make(sums, step);
    compact_attribute_sums *attribute = step->attribute;
    for (compact_waiting *event = queue->items; event < queue->next;) {
        jfr_cursor cursor = event->fields;
        uint64_t key;
        if (!read_key(&c, is_text, &cursor, &key)) {
            remove_event(queue, event);
            continue;
        }
        size_t place = key % COMPACT_SUMS_RECENT;
        uint32_t value = attribute->recent[place].key == key
                             ? attribute->recent[place].value
                             : look_up(sums, step, key, event->fields);
        compact_counts_add(attribute->counts[value], event->place, event->ns, way);
        event->fields.at = cursor.at;
        event++;
    }
}

static void
pass_column(const compact_sums *sums, const compact_sums_step *step, compact_queue *queue)
{
    for (compact_waiting *event = queue->items; event < queue->next;) {
        event->fields.at = pass_value(sums, step, event->fields);
        if (event->fields.at != NULL) {
            event++;
        } else {
            remove_event(queue, event);
        }
    }
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
        note_ids(sums, step, queue, ids, has_too_many);
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
    count_durations(sums, type, queue, way);
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
        const column c = column_make(sums, step);
        uint64_t key;
        bool is_whole = skip_fields(sums, step, &fields);
        const jfr_cursor begin = fields;
        if (!is_whole || !read_key(&c, step->is_string, &fields, &key)) {
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
            fields_of(sums, of_events, event), begin, commit, thread);
    }
}
