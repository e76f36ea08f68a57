// SPDX-License-Identifier: Apache-2.0
#include "engine/read/index.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_varint.h"
#include "engine/read/context_columns.h"
#include "engine/read/marks.h"
#include "engine/read/threads.h"
#include "engine/read/worth_event.h"

typedef struct indexer {
    compact_view *view;
    const compact_schema *schema;
    const uint8_t *end;  // of the chunk
    uint64_t thread_key; // of the last event with a thread
    uint32_t thread;
    uint32_t null_thread; // number of key 0: COMPACT_NO_THREAD unless the chunk describes it
    int64_t begin_min;
    int64_t commit_max;
    compact_block block; // the current rows
    uint32_t block_rows;
    uint64_t late_events;
    bool decides;    // a plain event inside is enough to keep a contextual one
    bool has_looked; // searched for the JVM's own samples
    compact_worth worth;
} indexer;

static void
indexer_check(const indexer *x)
{
    LP_ASSERT(x->schema == x->view->schema && x->block_rows <= COMPACT_BLOCK_ROWS);
}

// The decoded head of an event.
typedef struct decoded {
    int64_t begin;
    int64_t commit;
    uint32_t thread;
    jfr_cursor rest; // behind the thread, or the time; up to the event's end
} decoded;

static const char misfit[] = "does not have the fields that the metadata describes";

static __attribute__((noinline)) void
note_event(compact_view *view, lp_slice event, uint32_t type, const char *what)
{
    LP_ASSERT(type < view->schema->metadata.types.count);
    const jfr_metadata *metadata = &view->schema->metadata;
    lp_problem problem;
    (void)lp_problem_at(&problem, LP_ECORRUPT, (uint64_t)(event.ptr - view->chunk.ptr),
        "an event of type %s %s", jfr_metadata_type_name(metadata, type), what);
    compact_damage_add(&view->damage, &problem, event.len);
}

static inline lp_slice
bytes_of(const jfr_event *event)
{
    return (lp_slice){event->begin, (size_t)event->size};
}

static inline void
count_dropped(compact_view *view, uint32_t type, compact_reason reason)
{
    view->dropped[type].by[reason]++;
}

void
compact_index_note_misfit(compact_view *view, uint32_t type, lp_slice event)
{
    compact_view_check(view);
    count_dropped(view, type, COMPACT_BY_DAMAGED);
    note_event(view, event, type, misfit);
}

static __attribute__((noinline)) void
number_thread(indexer *x, uint64_t key)
{
    x->thread = compact_threads_number(x->view, key);
    x->thread_key = key;
}

// The raw head of an event; 0 for what its type lacks.
typedef struct head {
    uint64_t start;
    uint64_t duration;
    uint64_t thread_key;
} head;

enum { HEAD_BYTES_MAX = 3 * JFR_VARINT_BYTES_MAX };

// read_number needs JFR_VARINT_BYTES_MAX readable bytes.
static inline __attribute__((always_inline)) const uint8_t *
read_number(const uint8_t *at, uint64_t *out_number, bool has_pext)
{
    return has_pext ? jfr_varint_read_pext(at, out_number) : jfr_varint_read_word(at, out_number);
}

// read_head reads a head of adjacent numbers. It needs HEAD_BYTES_MAX readable bytes.
static inline __attribute__((always_inline)) const uint8_t *
read_head(const compact_plan *plan, const uint8_t *at, head *out, bool has_pext)
{
    at = read_number(at, &out->start, has_pext);
    if (plan->has_duration) {
        at = read_number(at, &out->duration, has_pext);
    }
    if (plan->thread_field == COMPACT_THREAD_NONE) {
        return at;
    }
    if (*at < 0x80) { // usual, or none
        out->thread_key = *at;
        return at + 1;
    }
    return read_number(at, &out->thread_key, has_pext);
}

// read_head_anywhere is read_head near the end of the chunk and for types with fields in between.
// Returns NULL if the event is too short.
static const uint8_t *
read_head_anywhere(
    const compact_schema *schema, const compact_plan *plan, jfr_cursor cursor, head *out)
{
    bool is_whole = (!plan->has_time || jfr_varint_read(&cursor, &out->start)) &&
                    (!plan->has_duration || jfr_varint_read(&cursor, &out->duration));
    if (is_whole && plan->thread_field != COMPACT_THREAD_NONE) {
        is_whole = jfr_layout_walk(&schema->layout, plan->before_thread, &cursor) &&
                   jfr_varint_read(&cursor, &out->thread_key);
    }
    return is_whole ? cursor.at : NULL;
}

// decode reads time, duration and thread. Returns false if the event is too short.
static inline __attribute__((always_inline)) bool
decode(indexer *x, const compact_plan *plan, const jfr_event *event, decoded *out, bool has_pext)
{
    head h = {.start = (uint64_t)x->view->info.start_ticks};
    const uint8_t *at = event->payload.at;
    if (plan->has_plain_head && x->end - at >= HEAD_BYTES_MAX) {
        at = read_head(plan, at, &h, has_pext);
    } else {
        head copy = h; // keeps h in registers
        at = read_head_anywhere(x->schema, plan, event->payload, &copy);
        h = copy;
    }
    LP_REQUIRE(at != NULL && at <= event->payload.end, false);
    if (h.thread_key != 0 && h.thread_key != x->thread_key) {
        number_thread(x, h.thread_key);
    }
    out->begin = (int64_t)h.start;
    out->commit = (int64_t)(h.start + h.duration); // wraps for absurd input
    out->thread = h.thread_key != 0                           ? x->thread
                  : plan->thread_field == COMPACT_THREAD_NONE ? COMPACT_NO_THREAD
                                                              : x->null_thread;
    out->rest = (jfr_cursor){at, event->payload.end};
    return true;
}

// Rows from which on their final number can be estimated.
enum { ROWS_TOLD_MIN = 8192 };

// grow_rows makes room for the row of the event at offset. It grows once if the rest of the chunk
// has as many rows for its size as the part so far.
static __attribute__((noinline)) bool
grow_rows(
    indexer *x, uint32_t offset, void **items, size_t count, size_t *capacity, size_t item_bytes)
{
    indexer_check(x);
    size_t least = count + 1;
    if (count >= ROWS_TOLD_MIN) {
        size_t told = (size_t)((double)count * (double)x->view->chunk.len / offset);
        least = told > count ? told + told / 16 : least;
    }
    bool has_room = lp_vec_grow(items, capacity, least, item_bytes) ||
                    lp_vec_grow(items, capacity, count + 1, item_bytes);
    if (!has_room) {
        lp_arena_fail(&x->view->arena);
    }
    return has_room;
}

// ROWS_HAVE_ROOM is LP_VEC_ROOM for rows.
#define ROWS_HAVE_ROOM(x, vec, offset)                                                             \
    ((vec)->count < (vec)->capacity || grow_rows(x, offset, (void **)&(vec)->items, (vec)->count,  \
                                           &(vec)->capacity, sizeof(*(vec)->items)))

static __attribute__((noinline)) void
end_block(indexer *x)
{
    indexer_check(x);
    compact_view *view = x->view;
    LP_ARENA_PUSH(&view->arena, &view->blocks, x->block);
    x->block = (compact_block){
        .plain_begin = view->plain.count,
        .span_begin = view->spans.count,
        .sure_begin = view->sure.count,
        .commit_min = INT64_MAX,
        .span_begin_min = INT64_MAX,
        .span_commit_max = INT64_MIN,
    };
    x->block_rows = 0;
}

static inline void
count_row(indexer *x, int64_t commit)
{
    x->block.commit_min = commit < x->block.commit_min ? commit : x->block.commit_min;
    if (++x->block_rows == COMPACT_BLOCK_ROWS) {
        end_block(x);
    }
}

// reason_to_drop returns the setting that drops an event which compact_schema_passes rejects.
static inline compact_reason
reason_to_drop(const compact_plan *plan)
{
    return plan->is_disabled || plan->rule == COMPACT_RULE_DROP ? COMPACT_BY_ENABLED
                                                                : COMPACT_BY_THRESHOLD;
}

// use_named_type marks the event type that an event names. The event fits its own type.
static void
use_named_type(compact_view *view, const compact_plan *plan, jfr_cursor payload)
{
    const compact_schema *schema = view->schema;
    uint64_t id;
    bool is_whole = jfr_layout_walk(&schema->layout, plan->before_type_id, &payload) &&
                    jfr_varint_read(&payload, &id);
    LP_ASSERT(is_whole);
    uint32_t named = jfr_metadata_find_type(&schema->metadata, id);
    if (named != JFR_NONE) {
        view->keeps[named] = true;
    }
}

bool
compact_index_mark(compact_view *view, uint32_t type, jfr_cursor payload)
{
    const compact_plan *plan = &view->schema->plans[type];
    jfr_cursor cursor = payload;
    LP_REQUIRE(compact_marks_value(view, plan->whole, &cursor), false);
    view->keeps[type] = true;
    if (plan->has_type_id) {
        use_named_type(view, plan, payload);
    }
    return true;
}

// mark_event is compact_index_mark, but starts behind the decoded head.
static inline bool
mark_event(compact_view *view, const jfr_event *event, uint32_t type, const decoded *d)
{
    const compact_plan *plan = &view->schema->plans[type];
    if (!plan->has_plain_head || plan->has_type_id) {
        return compact_index_mark(view, type, event->payload);
    }
    jfr_cursor cursor = d->rest;
    LP_REQUIRE(compact_marks_value(view, plan->after_thread, &cursor), false);
    if (d->thread != COMPACT_NO_THREAD) {
        compact_threads_mark(view, d->thread);
    }
    view->keeps[type] = true;
    return true;
}

static inline bool
mark_kept(compact_view *view, const jfr_event *event, uint32_t type, const decoded *d)
{
    LP_REQUIRE(mark_event(view, event, type, d), false);
    view->marked_amounts[type].events++;
    view->marked_amounts[type].bytes += event->size;
    return true;
}

// add_stray adds an event that follows a contextual event of its thread with the same or a later
// end.
static __attribute__((noinline)) void
add_stray(compact_view *view, int64_t commit, uint32_t thread)
{
    const compact_stray stray = {.commit = commit, .thread = thread};
    LP_ARENA_PUSH_BESIDE(&view->arena, &view->strays, stray);
}

static inline void
meet_plain(compact_view *view, const decoded *d)
{
    compact_thread *thread = &view->threads.items[d->thread];
    thread->plain_count++;
    if (d->commit <= thread->last_span) {
        thread->is_unsure = true;
        add_stray(view, d->commit, d->thread);
    }
    thread->last_plain = d->commit > thread->last_plain ? d->commit : thread->last_plain;
}

// meet_span notes a contextual event on its thread, and returns its fate so far. If the events of a
// thread come in the order of their ends, as most do, the last plain event decides, and the last
// kept contextual event shows whether they cross. Otherwise a later step finds out.
static inline compact_fate
meet_span(indexer *x, const decoded *d, compact_fate fate)
{
    compact_thread *thread = &x->view->threads.items[d->thread];
    thread->has_spans = true;
    bool is_stray = d->commit <= thread->last_span;
    if (is_stray) {
        add_stray(x->view, d->commit, d->thread);
    }
    thread->last_span = is_stray ? thread->last_span : d->commit;
    bool is_unsure = thread->last_plain > d->commit;
    if (fate == COMPACT_UNDECIDED && x->decides && !is_unsure && thread->last_plain >= d->begin &&
        thread->last_plain != INT64_MIN) {
        fate = COMPACT_KEPT_BY_CONTEXT;
    }
    bool may_cross = is_stray || (fate == COMPACT_UNDECIDED && thread->last_kept >= d->begin);
    thread->is_unsure |= is_unsure;
    thread->may_cross |= may_cross;
    x->block.is_open |= is_unsure || may_cross;
    if ((fate == COMPACT_KEPT || fate == COMPACT_KEPT_BY_CONTEXT) &&
        d->commit > thread->last_kept) {
        thread->last_kept = d->commit;
    }
    return fate;
}

static inline __attribute__((always_inline)) void
push_span(indexer *x, const compact_span *row)
{
    compact_view *view = x->view;
    if (!ROWS_HAVE_ROOM(x, &view->spans, row->offset)) {
        return;
    }
    if (compact_span_is_kept(row)) {
        if (!ROWS_HAVE_ROOM(x, &view->sure, row->offset)) {
            return;
        }
        view->sure.items[view->sure.count++] = (uint32_t)view->spans.count;
    }
    view->spans.items[view->spans.count++] = *row;
    compact_block *block = &x->block;
    block->span_begin_min = row->begin < block->span_begin_min ? row->begin : block->span_begin_min;
    block->span_commit_max =
        row->commit > block->span_commit_max ? row->commit : block->span_commit_max;
    compact_thread_set_add(&block->threads, row->thread);
    count_row(x, row->commit);
}

static inline __attribute__((always_inline)) void
count_context(const indexer *x, const compact_plan *plan, const jfr_event *event, uint32_t type,
    const decoded *d, bool is_kept, size_t row)
{
    const jfr_cursor fields = plan->has_plain_head ? d->rest : event->payload;
    compact_columns_add(x->view->sums, type, is_kept ? COMPACT_COUNT_KEPT : COMPACT_COUNT_DROPPED,
        fields, d->begin, d->commit, d->thread, row);
}

static inline __attribute__((always_inline)) void
add_span(
    indexer *x, const compact_plan *plan, const jfr_event *event, uint32_t type, const decoded *d)
{
    compact_view *view = x->view;
    compact_fate fate = COMPACT_UNDECIDED;
    if (!compact_schema_passes(plan, (int64_t)((uint64_t)d->commit - (uint64_t)d->begin))) {
        fate = COMPACT_DROPPED;
        count_dropped(view, type, reason_to_drop(plan));
    } else if (plan->is_kept_untriggered && plan->throttle.per_ns == 0) {
        fate = COMPACT_KEPT;
    }
    if (d->thread != COMPACT_NO_THREAD) {
        fate = meet_span(x, d, fate);
    }
    bool is_sure = x->decides && (fate == COMPACT_KEPT || fate == COMPACT_KEPT_BY_CONTEXT);
    const compact_span row = {
        .begin = d->begin,
        .commit = d->commit,
        .offset = (uint32_t)(event->begin - view->chunk.ptr),
        .thread = d->thread & COMPACT_NO_THREAD,
        .is_marked =
            is_sure && mark_kept(view, event, type, d), // otherwise writing notes the misfit
        .fate = fate & 3,
    };
    if (view->sums != NULL) {
        count_context(x, plan, event, type, d, row.is_marked, view->spans.count + 1);
    }
    push_span(x, &row);
}

static __attribute__((noinline)) void
add_asked(indexer *x, const jfr_event *event, uint32_t type, const decoded *d)
{
    indexer_check(x);
    const compact_plan *plan = &x->schema->plans[type];
    int64_t duration = (int64_t)((uint64_t)d->commit - (uint64_t)d->begin);
    compact_worth_answer answer = compact_worth_ask(&x->worth, type, event->payload, duration);
    if (answer.matters) {
        add_span(x, plan, event, type, d);
        return;
    }
    if (x->view->sums != NULL) {
        count_context(x, plan, event, type, d, false, 0);
    }
    bool is_dropped_before = !compact_schema_passes(plan, duration);
    count_dropped(x->view, type, is_dropped_before ? reason_to_drop(plan) : answer.reason);
}

static inline void
add_row(indexer *x, const compact_plain *row)
{
    if (!ROWS_HAVE_ROOM(x, &x->view->plain, row->offset)) {
        return;
    }
    x->view->plain.items[x->view->plain.count++] = *row;
    count_row(x, row->commit);
}

static inline __attribute__((always_inline)) void
add_plain(
    indexer *x, const compact_plan *plan, const jfr_event *event, uint32_t type, const decoded *d)
{
    compact_view *view = x->view;
    bool is_kept = plan->rule == COMPACT_RULE_KEEP && !view->is_filtered;
    if (is_kept && !mark_kept(view, event, type, d)) {
        compact_index_note_misfit(view, type, bytes_of(event));
        return;
    }
    if (is_kept && d->thread != COMPACT_NO_THREAD) {
        meet_plain(view, d);
    }
    view->has_undecided |= !is_kept;
    const compact_plain row = {
        .commit = d->commit,
        .offset = (uint32_t)(event->begin - view->chunk.ptr),
        .thread = d->thread & COMPACT_NO_THREAD,
        .fate = is_kept ? COMPACT_KEPT : COMPACT_UNDECIDED,
    };
    add_row(x, &row);
}

// add_plain_passing adds a plain event, or counts it as dropped if its settings drop it without a
// look at contexts.
static inline __attribute__((always_inline)) void
add_plain_passing(
    indexer *x, const compact_plan *plan, const jfr_event *event, uint32_t type, const decoded *d)
{
    bool is_dropped =
        plan->rule == COMPACT_RULE_DROP ||
        !compact_schema_passes(plan, (int64_t)((uint64_t)d->commit - (uint64_t)d->begin));
    if (is_dropped) {
        count_dropped(x->view, type, reason_to_drop(plan));
        return;
    }
    add_plain(x, plan, event, type, d);
}

static bool
has_sample_behind(const indexer *x, const jfr_event *event)
{
    indexer_check(x);
    const uint64_t id = x->schema->metadata.types.items[x->schema->sample_type].id;
    jfr_cursor rest = {event->begin + event->size, x->end};
    jfr_event next;
    while (jfr_event_next(&rest, &next) == LP_OK) {
        if (next.type_id == id) {
            return true;
        }
    }
    return false;
}

// makes_samples returns whether allocation events make samples. Only the first one of a chunk
// searches: most chunks have none, or a sample soon behind it.
static bool
makes_samples(indexer *x, const jfr_event *event)
{
    if (!x->has_looked) {
        x->has_looked = true;
        x->view->makes_samples =
            x->view->amounts[x->schema->sample_type].events == 0 && !has_sample_behind(x, event);
    }
    return x->view->makes_samples;
}

// add_allocation adds an allocation event, if it remains, and its sample.
static __attribute__((noinline)) void
add_allocation(
    indexer *x, const compact_plan *plan, const jfr_event *event, uint32_t type, const decoded *d)
{
    indexer_check(x);
    compact_view *view = x->view;
    uint32_t sample = x->schema->sample_type;
    view->amounts[sample].events++;
    jfr_cursor cursor = event->payload;
    if (!jfr_layout_walk(&x->schema->layout, plan->whole, &cursor)) {
        count_dropped(view, sample, COMPACT_BY_DAMAGED);
        count_dropped(view, type, plan->is_left ? COMPACT_BY_DAMAGED : COMPACT_BY_ENABLED);
        note_event(view, bytes_of(event), type, misfit);
        return;
    }
    if (plan->is_left) {
        add_plain_passing(x, plan, event, type, d);
    } else {
        count_dropped(view, type, COMPACT_BY_ENABLED);
    }
    const compact_plain row = {
        .commit = d->commit,
        .offset = (uint32_t)(event->begin - view->chunk.ptr),
        .thread = d->thread & COMPACT_NO_THREAD,
        .is_sample = true,
        .fate = COMPACT_UNDECIDED,
    };
    view->has_undecided = true;
    add_row(x, &row);
}

static inline __attribute__((always_inline)) void
add_contextual(
    indexer *x, const compact_plan *plan, const jfr_event *event, uint32_t type, const decoded *d)
{
    if (plan->is_unused) {
        count_dropped(x->view, type, COMPACT_BY_ENABLED);
        if (x->view->sums != NULL) {
            count_context(x, plan, event, type, d, false, 0);
        }
    } else {
        add_span(x, plan, event, type, d);
    }
}

// add_installed adds a RecordingContext for filters, kept or not.
static __attribute__((noinline)) void
add_installed(indexer *x, const jfr_event *event, const decoded *d)
{
    if (d->thread == COMPACT_NO_THREAD) {
        return;
    }
    const compact_span row = {
        .begin = d->begin,
        .commit = d->commit,
        .offset = (uint32_t)(event->begin - x->view->chunk.ptr),
        .thread = d->thread & COMPACT_NO_THREAD,
    };
    LP_ARENA_PUSH_BESIDE(&x->view->arena, &x->view->installed, row);
}

// --- Withheld events
//
// The agent reports events that the JVM did not record, because they were outside of all contexts
// and the policy wants them inside of one, with an event dev.loupe.Withheld for each type and
// chunk. They count as dropped events of the chunk; the events dev.loupe.Withheld do not count.

// Limit for a type in a chunk. A JVM that commits an event each nanosecond reaches it in 18
// minutes; sums over millions of chunks stay below the catalog's 2^63.
static const uint64_t WITHHELD_MAX = (uint64_t)1 << 40;

static bool
read_withheld(
    const compact_schema *schema, jfr_program before, jfr_cursor payload, uint64_t *out_number)
{
    return jfr_layout_walk(&schema->layout, before, &payload) &&
           jfr_varint_read(&payload, out_number);
}

// take_withheld moves the count of an event, already counted as one of its own type, to the type
// that it names. Returns false if the event does not fit its type or names no event type.
static bool
take_withheld(compact_view *view, uint32_t type, const jfr_event *event)
{
    LP_ASSERT(view->schema->plans[type].is_withheld);
    const compact_schema *schema = view->schema;
    const compact_plan *plan = &schema->plans[type];
    uint64_t id;
    uint64_t count;
    if (!read_withheld(schema, plan->before_type, event->payload, &id) ||
        !read_withheld(schema, plan->before_count, event->payload, &count)) {
        return false;
    }
    LP_ASSERT(view->amounts[type].events > 0); // index_event has counted it
    uint32_t named = jfr_metadata_find_type(&schema->metadata, id);
    if (named == JFR_NONE || schema->plans[named].rule == COMPACT_RULE_NONE ||
        count > WITHHELD_MAX - view->dropped[named].by[COMPACT_BY_WITHHELD]) {
        return false;
    }
    view->amounts[type].events--;
    view->amounts[type].bytes -= event->size;
    view->amounts[named].events += count;
    view->dropped[named].by[COMPACT_BY_WITHHELD] += count;
    return true;
}

// --- Events

// add_specially adds an event of a type that is_special. Copies let the caller keep event and head
// in registers.
static __attribute__((noinline)) void
add_specially(indexer *x, jfr_event event, uint32_t type, decoded d)
{
    indexer_check(x);
    const compact_plan *plan = &x->schema->plans[type];
    size_t plain_count = x->view->plain.count;
    if (plan->is_withheld) {
        if (!take_withheld(x->view, type, &event)) {
            compact_index_note_misfit(x->view, type, bytes_of(&event));
        }
        return;
    }
    if (plan->is_installed) {
        add_installed(x, &event, &d);
    }
    if (plan->is_asked && !plan->is_unused) {
        add_asked(x, &event, type, &d);
    } else if (plan->rule == COMPACT_RULE_CONTEXTUAL) {
        add_contextual(x, plan, &event, type, &d);
    } else if (plan->is_allocation && makes_samples(x, &event)) {
        add_allocation(x, plan, &event, type, &d);
    } else {
        add_plain_passing(x, plan, &event, type, &d);
    }
    if (plan->is_noted && x->view->sums != NULL && x->view->plain.count > plain_count) {
        compact_sums_note(x->view->sums, (uint32_t)plain_count);
    }
}

static inline __attribute__((always_inline)) void
index_event(indexer *x, const jfr_event *event, uint32_t type, bool has_pext)
{
    compact_view *view = x->view;
    const compact_plan *plan = &x->schema->plans[type];
    decoded d;
    view->amounts[type].events++;
    view->amounts[type].bytes += event->size;
    if (!decode(x, plan, event, &d, has_pext)) {
        count_dropped(view, type, COMPACT_BY_DAMAGED);
        note_event(view, bytes_of(event), type, "is cut short");
        return;
    }
    x->late_events += d.commit < view->info.start_ticks;
    x->begin_min = d.begin < x->begin_min ? d.begin : x->begin_min;
    x->commit_max = d.commit > x->commit_max ? d.commit : x->commit_max;
    if (plan->is_special) {
        add_specially(x, *event, type, d);
    } else if (plan->rule == COMPACT_RULE_CONTEXTUAL) {
        add_contextual(x, plan, event, type, &d);
    } else {
        add_plain_passing(x, plan, event, type, &d);
    }
}

bool
compact_index_meets(compact_meeting *meeting, const jfr_event *event)
{
    const compact_events *expected = event->type_id == JFR_TYPE_ID_METADATA
                                         ? &meeting->expected->metadata
                                         : &meeting->expected->checkpoints;
    size_t index = meeting->counts[event->type_id]++;
    return index < expected->count && expected->items[index].begin == event->begin;
}

// index_all reads events and moves *out_rest to the end of the last one. With may_give_up it
// returns false at the first unexpected metadata event or checkpoint.
static inline __attribute__((always_inline)) bool
index_all(indexer *x, const compact_described *expected, jfr_cursor *out_rest, bool may_give_up,
    bool has_pext)
{
    indexer_check(x);
    jfr_cursor rest = *out_rest; // may stay in registers
    compact_meeting meeting = {.expected = expected};
    jfr_event event;
    while (jfr_event_next(&rest, &event) == LP_OK) {
        if (event.type_id > JFR_TYPE_ID_CHECKPOINT) {
            uint32_t type = jfr_metadata_find_type(&x->schema->metadata, event.type_id);
            if (type != JFR_NONE && x->schema->plans[type].rule != COMPACT_RULE_NONE) {
                index_event(x, &event, type, has_pext);
            } else {
                x->view->unknown_events++;
            }
        } else if (!compact_index_meets(&meeting, &event) && may_give_up) {
            return false;
        }
    }
    *out_rest = rest;
    return true;
}

// index_by_word and index_by_pext are index_all for CPUs without and with pext.
static __attribute__((noinline)) bool
index_by_word(indexer *x, const compact_described *expected, jfr_cursor *rest, bool may_give_up)
{
    return index_all(x, expected, rest, may_give_up, false);
}

static __attribute__((noinline)) bool
index_by_pext(indexer *x, const compact_described *expected, jfr_cursor *rest, bool may_give_up)
{
    return index_all(x, expected, rest, may_give_up, true);
}

static void
note_rest(compact_view *view, const compact_described *expected, jfr_cursor rest)
{
    size_t count = expected->checkpoints.count;
    bool is_cut_checkpoint = count > 0 && expected->checkpoints.items[count - 1].begin == rest.at;
    if (rest.at == rest.end || is_cut_checkpoint) { // a cut checkpoint is read up to the cut
        return;
    }
    lp_problem problem;
    (void)jfr_event_problem(view->chunk, &rest, &problem);
    compact_damage_add(&view->damage, &problem, jfr_cursor_left(&rest));
}

static indexer
begin(compact_view *view)
{
    compact_view_check(view);
    LP_ASSERT(view->plain.count == 0 && view->spans.count == 0 && view->blocks.count == 0);
    indexer x = {
        .view = view,
        .schema = view->schema,
        .end = view->chunk.ptr + view->chunk.len,
        .thread = COMPACT_NO_THREAD,
        .decides = compact_view_decides(view),
        .begin_min = view->info.start_ticks,
        .commit_max = view->info.start_ticks,
        .block = {.commit_min = INT64_MAX,
            .span_begin_min = INT64_MAX,
            .span_commit_max = INT64_MIN},
    };
    uint32_t null_thread = compact_threads_find(view, 0);
    x.null_thread = null_thread == LP_MAP_NONE ? COMPACT_NO_THREAD : null_thread;
    return x;
}

bool
compact_index_events(compact_view *view, const compact_described *expected, bool may_give_up)
{
    indexer x = begin(view);
    jfr_cursor rest = {view->chunk.ptr + JFR_CHUNK_HEADER_SIZE, x.end};
    compact_worth_init(&x.worth, view);
    if (view->sums != NULL) {
        compact_sums_begin(view->sums, view);
        lp_arena_note(&view->arena, lp_arena_err(&view->sums->arena));
    }
    bool is_complete = lp_arena_err(&view->arena) != LP_OK ||
                       (jfr_varint_has_pext() ? index_by_pext(&x, expected, &rest, may_give_up)
                                              : index_by_word(&x, expected, &rest, may_give_up));
    compact_worth_fini(&x.worth);
    end_block(&x);
    if (view->sums != NULL) {
        compact_columns_end(view->sums);
        lp_arena_note(&view->arena, lp_arena_err(&view->sums->arena));
    }
    view->begin_min = x.begin_min;
    view->commit_max = x.commit_max;
    view->late_events = x.late_events;
    if (is_complete) {
        note_rest(view, expected, rest);
    }
    return is_complete;
}

// --- Contexts alone

// may_begin is a fast check for events that begin before a time; few do.
static inline bool
may_begin(const indexer *x, const compact_plan *plan, const jfr_event *event, int64_t before)
{
    const uint8_t *at = event->payload.at;
    uint64_t start;
    if (!plan->has_plain_head || x->end - at < JFR_VARINT_BYTES_MAX) {
        return true;
    }
    (void)jfr_varint_read_word(at, &start);
    return (int64_t)start < before;
}

static void
note_context(indexer *x, const jfr_event *event, uint32_t type, int64_t before)
{
    const compact_plan *plan = &x->schema->plans[type];
    decoded d;
    if (!may_begin(x, plan, event, before) || !decode(x, plan, event, &d, false) ||
        d.begin >= before) {
        return;
    }
    int64_t duration = (int64_t)((uint64_t)d.commit - (uint64_t)d.begin);
    if (plan->is_asked && !compact_worth_ask(&x->worth, type, event->payload, duration).matters) {
        return;
    }
    const compact_span row = {
        .begin = d.begin,
        .commit = d.commit,
        .offset = (uint32_t)(event->begin - x->view->chunk.ptr),
        .thread = d.thread & COMPACT_NO_THREAD,
    };
    LP_ARENA_PUSH_BESIDE(&x->view->arena, &x->view->spans, row);
}

static bool
note_contexts(indexer *x, const compact_described *expected, bool may_give_up, int64_t before)
{
    indexer_check(x);
    compact_meeting meeting = {.expected = expected};
    jfr_cursor rest = {x->view->chunk.ptr + JFR_CHUNK_HEADER_SIZE, x->end};
    jfr_event event;
    while (jfr_event_next(&rest, &event) == LP_OK) {
        if (event.type_id > JFR_TYPE_ID_CHECKPOINT) {
            uint32_t type = jfr_metadata_find_type(&x->schema->metadata, event.type_id);
            const compact_plan *plan = type == JFR_NONE ? NULL : &x->schema->plans[type];
            if (plan != NULL && plan->rule == COMPACT_RULE_CONTEXTUAL && !plan->is_unused) {
                note_context(x, &event, type, before);
            }
        } else if (!compact_index_meets(&meeting, &event) && may_give_up) {
            return false;
        }
    }
    return true;
}

bool
compact_index_contexts(
    compact_view *view, const compact_described *expected, bool may_give_up, int64_t before)
{
    indexer x = begin(view);
    compact_worth_init(&x.worth, view);
    bool is_complete =
        lp_arena_err(&view->arena) != LP_OK || note_contexts(&x, expected, may_give_up, before);
    compact_worth_fini(&x.worth);
    return is_complete;
}
