// SPDX-License-Identifier: Apache-2.0
#include "query/perfetto/perfetto.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_find_or_add.h"
#include "common/base/lp_order.h"
#include "common/rollup/rollup_id.h"
#include "engine/read/threads.h"

#include <inttypes.h>
#include <stdio.h>

// Tracks that are of no thread: the low two bits of an identity are not 0.
enum {
    OF_REQUESTS = 0 << 2,
    OF_PAUSES = 1 << 2,
    OF_NAME = 2, // and larger numbers: a thread that is known by name only
};

enum {
    THREAD_NAME_BYTES = 32,
    NOT_OF_JAVA = 1000000000, // threads that are not of Java have ids from here on
    STEPS_BETWEEN_LOOKS = 4096,
};

typedef struct query_perfetto_track track;
typedef struct query_perfetto_step step;

query_perfetto
query_perfetto_begin(const query_perfetto_wish *wish, query_names *names)
{
    LP_ASSERT(wish->name_process != NULL && wish->on_bytes != NULL);
    query_perfetto made = {
        .wish = *wish,
        .names = names,
        .stacks = {.has_lines = true},
        .words =
            {
                .request = query_names_add(names, "request"),
                .stay = query_names_add(names, "stay"),
                .context = query_names_add(names, "context"),
                .hand_over = query_names_add(names, "dev.loupe.HandOver"),
                .call = query_names_add(names, "call"),
                .called = query_names_add(names, "called"),
            },
    };
    for (unsigned i = 0; i < TIME_CATEGORY_COUNT; i++) {
        made.words.categories[i] = query_names_add(names, time_category_name((time_category)i));
    }
    return made;
}

static void
end_session(query_perfetto *p)
{
    LP_VEC_FINI_EACH(&p->tracks, LP_VEC_FINI(&at->lanes));
    lp_map_fini(&p->track_of);
    lp_map_fini(&p->pauses);
    p->bars.count = 0;
    lp_buf_clear(&p->more);
    p->answers = 0;
    p->has_session = false;
}

void
query_perfetto_fini(query_perfetto *p)
{
    end_session(p);
    LP_VEC_FINI(&p->bars);
    LP_VEC_FINI(&p->steps);
    LP_VEC_FINI(&p->calls);
    lp_buf_fini(&p->more);
    query_packets_fini(&p->packets);
    query_stacks_fini(&p->stacks);
    query_attributes_fini(&p->attributes);
    *p = (query_perfetto){0};
}

static void
perfetto_check(const query_perfetto *p)
{
    LP_ASSERT(p->bars.count <= QUERY_PERFETTO_BARS_MAX);
    LP_ASSERT(p->track_of.count <= p->tracks.count);
}

static bool
has_stack(const query_row *row)
{
    return row->category != TIME_QUEUED; // its frame would be a pool
}

void
query_perfetto_prepare(query_perfetto *p, query_question *question)
{
    perfetto_check(p);
    question->wants_thread_names = true;
    question->wants_parts = true;
    question->stacks = &p->stacks;
    question->wants_stack = has_stack;
    question->attributes = &p->attributes;
    p->packets = (query_packets){
        .names = p->names,
        .stacks = &p->stacks,
        .on_bytes = p->wish.on_bytes,
        .arg = p->wish.arg,
    };
}

// --- Adding

// find_track finds or adds the track of a thread.
static lp_err
find_track(query_perfetto *p, uint64_t thread, uint32_t name, uint32_t *out_track)
{
    LP_TRY(LP_FIND_OR_ADD(&p->tracks, &p->track_of, thread, LP_MAP_NONE, &p->is_truncated,
        out_track, (track){.thread = thread, .name = name}));
    track *found = &p->tracks.items[*out_track];
    LP_ASSERT(found->thread == thread);
    found->name = found->name == QUERY_NAME_NONE ? name : found->name;
    return LP_OK;
}

static lp_err
add_bar(query_perfetto *p, const query_bar *bar)
{
    perfetto_check(p);
    if (bar->end < bar->begin || bar->end_ns < bar->begin_ns) {
        return LP_OK; // absurd times have wrapped around
    }
    if (p->bars.count == QUERY_PERFETTO_BARS_MAX) {
        p->left_out++;
        return LP_OK;
    }
    return LP_VEC_ADD(&p->bars, *bar);
}

// bar_of returns the bar of two ticks of an answer.
static query_bar
bar_of(const query_perfetto *p, const query_answer *answer, int64_t begin, int64_t end)
{
    return (query_bar){
        .begin = begin,
        .end = end,
        .begin_ns = jfr_clock_wall_ns(&answer->clock, begin),
        .end_ns = jfr_clock_wall_ns(&answer->clock, end),
        .owner = p->answers,
        .call = QUERY_NO_CALL,
    };
}

static uint64_t
place_of(uint32_t chunk, uint32_t offset)
{
    return (uint64_t)chunk << 32 | offset;
}

static lp_err
add_row(query_perfetto *p, const query_answer *answer, const query_row *row, uint32_t on)
{
    query_bar bar = bar_of(p, answer, row->begin, row->commit);
    bar.place = place_of(row->chunk, row->offset);
    bar.track = on;
    bar.category = p->words.categories[row->category];
    bar.name = row->type;
    bar.stack = row->stack;
    bar.kind = QUERY_BAR_EVENT;
    return add_bar(p, &bar);
}

// add_pauses adds the pauses that no answer before had.
static lp_err
add_pauses(query_perfetto *p, const query_answer *answer)
{
    LP_ASSERT(p->has_session && p->session == answer->first_source);
    uint32_t on;
    for (size_t i = 0; i < answer->pause_count; i++) {
        const query_row *row = &answer->pause_rows[i];
        uint64_t place = place_of(row->chunk, row->offset);
        if (lp_map_find(&p->pauses, place) == LP_MAP_NONE) {
            LP_TRY(lp_map_put(&p->pauses, place, 1));
            LP_TRY(find_track(p, OF_PAUSES, query_names_add(p->names, "JVM pauses"), &on));
            LP_TRY(add_row(p, answer, row, on));
        }
    }
    return LP_OK;
}

static lp_slice
trace_of(const query_answer *answer)
{
    for (size_t i = 0; i < answer->attribute_count; i++) {
        const query_attribute *attribute = &answer->attributes[i].attribute;
        if (!attribute->is_null && rollup_id_is_trace(attribute->name)) {
            return attribute->value;
        }
    }
    return (lp_slice){0};
}

// add_call notes an answer that may call others, or be called, if it has a trace. Its track is
// known when its bar is written.
static lp_err
add_call(query_perfetto *p, const query_answer *answer, lp_slice trace, query_bar *bar)
{
    LP_ASSERT(bar->call == QUERY_NO_CALL);
    query_call call = {
        .begin_wall_ns = answer->begin_wall_ns,
        .end_wall_ns = answer->begin_wall_ns + answer->duration_ns,
        .jvm = p->jvms,
    };
    if (!rollup_id_hash(trace, &call.trace)) {
        return LP_OK;
    }
    if (p->calls.count == QUERY_PERFETTO_CALLS_MAX) {
        p->is_truncated = true;
        return LP_OK;
    }
    bar->call = (uint32_t)p->calls.count;
    LP_ASSERT(bar->call < QUERY_PERFETTO_CALLS_MAX);
    return LP_VEC_ADD(&p->calls, call);
}

// describe appends the further fields of an answer: its trace, which all its bars share, then the
// attributes, which only its own bar has.
static lp_err
describe(query_perfetto *p, const query_answer *answer, lp_slice trace, query_bar *bar,
    uint32_t *out_trace_bytes)
{
    size_t begin = p->more.len;
    *out_trace_bytes = 0;
    if (begin >= QUERY_PERFETTO_MORE_BYTES_MAX) {
        p->left_out++;
        return LP_OK;
    }
    if (trace.len > 0) {
        LP_TRY(query_packets_pack_trace(&p->packets, trace, &p->more));
    }
    *out_trace_bytes = (uint32_t)(p->more.len - begin);
    LP_TRY(query_packets_pack_attributes(
        &p->packets, answer->attributes, answer->attribute_count, &p->more));
    bar->more = (uint32_t)begin;
    bar->more_bytes = (uint32_t)(p->more.len - begin);
    return LP_OK;
}

// --- Requests

static lp_err
add_hand_over_end(query_perfetto *p, query_bar *bar, uint64_t thread, uint32_t name, bool is_head)
{
    LP_ASSERT(p->arrows > 0);
    bar->more = (uint32_t)p->more.len;
    LP_TRY(find_track(p, thread, name, &bar->track));
    LP_TRY(query_packets_pack_arrow(p->arrows, is_head, &p->more));
    bar->more_bytes = (uint32_t)p->more.len - bar->more;
    return add_bar(p, bar);
}

static uint64_t
thread_of(int64_t java_id, uint32_t name)
{
    return java_id > 0 ? compact_identity_java(java_id) : ((uint64_t)name + OF_NAME) << 2;
}

// after returns a time, or one that is just after another if that is not before it: Perfetto draws
// an arrow forward in time.
static int64_t
after(int64_t wall_ns, int64_t other_ns)
{
    return wall_ns > other_ns || other_ns == INT64_MAX ? wall_ns : other_ns + 1;
}

// add_hand_over adds both ends of an arrow, or none.
static lp_err
add_hand_over(query_perfetto *p, const query_answer *answer, const query_hand_over *task)
{
    query_bar from = bar_of(p, answer, task->handed, task->handed);
    query_bar to = bar_of(p, answer, task->taken, task->taken);
    bool has_room =
        p->bars.count + 2 <= QUERY_PERFETTO_BARS_MAX && p->more.len < QUERY_PERFETTO_MORE_BYTES_MAX;
    if (!has_room) {
        p->left_out++;
        return LP_OK;
    }
    p->arrows++;
    from.place = place_of(task->chunk, task->offset);
    to.place = ~from.place; // another one, even on the same thread at the same time
    from.category = to.category = p->words.categories[TIME_QUEUED];
    from.name = to.name = p->words.hand_over;
    from.kind = to.kind = QUERY_BAR_EVENT;
    LP_TRY(add_hand_over_end(p, &from, thread_of(task->from_id, task->from), task->from, false));
    to.begin_ns = to.end_ns = after(to.begin_ns, from.begin_ns);
    return add_hand_over_end(p, &to, thread_of(task->to_id, task->to), task->to, true);
}

static lp_err
add_hand_overs(query_perfetto *p, const query_answer *answer)
{
    LP_ASSERT(answer->request != NULL);
    const query_request *request = answer->request;
    const query_hand_over *tasks =
        answer->contexts->requests.hand_overs.items + request->first_hand_over;
    lp_err err = LP_OK;
    for (uint32_t i = 0; i < request->hand_over_count && err == LP_OK; i++) {
        err = add_hand_over(p, answer, &tasks[i]);
    }
    return err;
}

static lp_err
add_parts(query_perfetto *p, const query_answer *answer, uint32_t more, uint32_t more_bytes)
{
    LP_ASSERT(answer->request != NULL && more + more_bytes <= p->more.len);
    const query_request *request = answer->request;
    for (uint32_t i = 0; i < request->part_count; i++) {
        const query_context *part = &answer->contexts->parts.items[request->first_part + i];
        query_bar bar = bar_of(p, answer, part->begin, part->end);
        LP_TRY(find_track(p, part->thread, part->thread_name, &bar.track));
        bar.place = place_of(part->chunk, part->offset);
        bar.category = p->words.context;
        bar.name = part->type;
        bar.more = more;
        bar.more_bytes = more_bytes;
        bar.kind = QUERY_BAR_CONTEXT;
        LP_TRY(add_bar(p, &bar));
    }
    return LP_OK;
}

// add_stays adds the stays of a request, and the events in them.
static lp_err
add_stays(query_perfetto *p, const query_answer *answer, uint32_t more, uint32_t more_bytes)
{
    LP_ASSERT(answer->request != NULL && more + more_bytes <= p->more.len);
    const query_requests *requests = &answer->contexts->requests;
    const query_row *row = answer->rows;
    for (uint32_t i = 0; i < answer->request->stay_count; i++) {
        uint32_t index = requests->stays_of.items[answer->request->first_stay + i];
        const query_stay *stay = &requests->stays.items[index];
        query_bar bar = bar_of(p, answer, stay->begin, stay->end);
        LP_TRY(find_track(p, stay->thread, stay->thread_name, &bar.track));
        bar.place = index;
        bar.category = p->words.stay;
        bar.name = answer->request->facts.type;
        bar.more = more;
        bar.more_bytes = more_bytes;
        bar.kind = QUERY_BAR_STAY;
        LP_TRY(add_bar(p, &bar));
        for (const query_row *end = row + answer->stays[i].span_count; row < end; row++) {
            LP_TRY(add_row(p, answer, row, bar.track));
        }
    }
    return LP_OK;
}

// add_request adds the bar of a whole request. Requests are ordered by wall times: a request may
// last longer than its stays.
static lp_err
add_request(query_perfetto *p, const query_answer *answer)
{
    LP_ASSERT(answer->request != NULL);
    query_bar bar = {
        .begin = answer->begin_wall_ns,
        .end = answer->begin_wall_ns + answer->duration_ns,
        .begin_ns = answer->begin_wall_ns,
        .end_ns = answer->begin_wall_ns + answer->duration_ns,
        .place = answer->request->facts.id,
        .owner = p->answers,
        .call = QUERY_NO_CALL,
        .category = p->words.request,
        .name = answer->request->facts.type,
        .kind = QUERY_BAR_REQUEST,
    };
    lp_slice trace = trace_of(answer);
    uint32_t trace_bytes;
    LP_TRY(find_track(p, OF_REQUESTS, query_names_add(p->names, "requests"), &bar.track));
    LP_TRY(describe(p, answer, trace, &bar, &trace_bytes));
    LP_TRY(add_call(p, answer, trace, &bar));
    LP_TRY(add_bar(p, &bar));
    LP_TRY(add_parts(p, answer, bar.more, trace_bytes));
    LP_TRY(add_stays(p, answer, bar.more, trace_bytes));
    return add_hand_overs(p, answer);
}

// add_context adds a context, and the events in it unless it lies in another one.
static lp_err
add_context(query_perfetto *p, const query_answer *answer)
{
    const query_context *context = answer->context;
    query_bar bar = bar_of(p, answer, context->begin, context->end);
    lp_slice trace = trace_of(answer);
    uint32_t trace_bytes;
    LP_TRY(find_track(p, context->thread, context->thread_name, &bar.track));
    LP_TRY(describe(p, answer, trace, &bar, &trace_bytes));
    bar.place = place_of(context->chunk, context->offset);
    bar.category = p->words.context;
    bar.name = context->type;
    bar.kind = QUERY_BAR_CONTEXT;
    if (query_answer_is_inner(answer, QUERY_IN_SELECTION)) {
        return add_bar(p, &bar);
    }
    LP_TRY(add_call(p, answer, trace, &bar));
    LP_TRY(add_bar(p, &bar));
    for (size_t i = 0; i < answer->row_count; i++) {
        LP_TRY(add_row(p, answer, &answer->rows[i], bar.track));
    }
    return LP_OK;
}

// --- Writing

// add_process writes the description of the JVM of an answer.
static lp_err
add_process(query_perfetto *p, const query_answer *answer)
{
    LP_ASSERT(p->packets.has_begun && p->jvms > 0);
    lp_buf name = {0};
    p->wish.name_process(p->wish.process_arg, answer->first_source, &name);
    lp_buf_append(&name, "", 1); // ends it
    lp_err err = lp_buf_check(&name);
    const query_packets_track process = {.pid = (int32_t)p->jvms, .name = (const char *)name.ptr};
    LP_THEN(err, query_packets_add_track(&p->packets, &process, &p->process));
    lp_buf_fini(&name);
    return err;
}

static lp_err
begin_session(query_perfetto *p, const query_answer *answer)
{
    LP_ASSERT(!p->has_session && p->tracks.count == 0);
    if (!p->packets.has_begun) {
        LP_TRY(query_packets_begin(&p->packets, answer->begin_wall_ns));
    }
    p->has_session = true;
    p->session = answer->first_source;
    p->jvms++;
    return add_process(p, answer);
}

// tid_of returns the thread id of a track, which no other one of its JVM has: two tracks of one
// thread would be one track to Perfetto.
static int64_t
tid_of(const query_perfetto *p, const track *of)
{
    LP_ASSERT(of >= p->tracks.items && of < p->tracks.items + p->tracks.count);
    int64_t id = (int64_t)(of->thread >> 2);
    bool is_of_java = (of->thread & 3) == COMPACT_IDENTITY_JAVA && id < NOT_OF_JAVA;
    return is_of_java ? id : NOT_OF_JAVA + (of - p->tracks.items);
}

// name_track returns the name of a track, which may be in text.
static const char *
name_track(const query_perfetto *p, const track *of, char text[static THREAD_NAME_BYTES])
{
    if (of->name != QUERY_NAME_NONE) {
        return query_names_text(p->names, of->name);
    }
    if ((of->thread & 3) == 0) {
        return "unknown thread";
    }
    (void)snprintf(text, THREAD_NAME_BYTES, "thread %" PRIu64, of->thread >> 2);
    return text;
}

// add_lane writes the description of the next lane of a track.
static lp_err
add_lane(query_perfetto *p, track *of)
{
    char text[THREAD_NAME_BYTES];
    bool is_thread = of->lanes.count == 0 && (of->thread & 3) != 0;
    uint64_t uuid;
    const query_packets_track added = {
        .process = p->process,
        .pid = (int32_t)p->jvms,
        .tid = is_thread ? tid_of(p, of) : 0,
        .name = name_track(p, of, text),
    };
    LP_TRY(query_packets_add_track(&p->packets, &added, &uuid));
    return LP_VEC_ADD(&of->lanes, uuid);
}

// on_step notes a step.
static lp_err
on_step(void *arg, const query_bar *bar, uint32_t lane, query_bar_step kind, int64_t wall_ns)
{
    query_perfetto *p = arg;
    const step taken = {
        .wall_ns = wall_ns,
        .order = (uint32_t)p->steps.count,
        .bar = (uint32_t)(bar - p->bars.items),
        .lane = (uint16_t)lane,
        .kind = (uint8_t)kind,
    };
    return LP_VEC_ADD(&p->steps, taken);
}

static lp_err
look(void *arg)
{
    const query_perfetto *p = arg;
    return p->wish.look == NULL ? LP_OK : p->wish.look(p->wish.arg);
}

static size_t
count_of_track(const query_perfetto *p, size_t first)
{
    size_t count = 1;
    while (first + count < p->bars.count &&
           p->bars.items[first + count].track == p->bars.items[first].track) {
        count++;
    }
    return count;
}

LP_COMPARE(compare_steps, step,
    LP_ORDER(one->wall_ns, other->wall_ns) ?: LP_ORDER(one->order, other->order))

// find_steps finds the steps of all bars, in the order of time. The steps of a request are then
// close together in the file, which compresses better.
static lp_err
find_steps(query_perfetto *p)
{
    LP_ASSERT(p->has_session);
    const query_bars_receiver to = {.on_step = on_step, .look = look, .arg = p};
    p->steps.count = 0;
    p->bars.count = query_bars_order(p->bars.items, p->bars.count);
    for (size_t i = 0, count; i < p->bars.count; i += count) {
        bool is_flat = p->tracks.items[p->bars.items[i].track].thread == OF_REQUESTS;
        count = count_of_track(p, i);
        LP_TRY(query_bars_walk(&p->bars.items[i], count, is_flat, &to, &p->left_out));
    }
    LP_QSORT(p->steps.items, p->steps.count, compare_steps);
    return LP_OK;
}

static lp_err
write_step(query_perfetto *p, const step *taken)
{
    LP_ASSERT(taken->bar < p->bars.count && p->bars.items[taken->bar].track < p->tracks.count);
    const query_bar *bar = &p->bars.items[taken->bar];
    query_bar_step kind = (query_bar_step)taken->kind;
    track *of = &p->tracks.items[bar->track];
    const lp_slice more = {p->more.ptr + bar->more, kind == QUERY_BAR_ENDS ? 0 : bar->more_bytes};
    while (taken->lane >= of->lanes.count) {
        LP_TRY(add_lane(p, of));
    }
    uint64_t uuid = of->lanes.items[taken->lane];
    if (bar->call != QUERY_NO_CALL) {
        p->calls.items[bar->call].track = uuid;
    }
    return query_packets_add_step(&p->packets, bar, uuid, kind, taken->wall_ns, more);
}

// write_session writes the JVM at hand.
static lp_err
write_session(query_perfetto *p)
{
    perfetto_check(p);
    lp_err err = lp_buf_check(&p->more);
    LP_THEN(err, find_steps(p));
    for (size_t i = 0; i < p->steps.count && err == LP_OK; i++) {
        err = i % STEPS_BETWEEN_LOOKS == 0 ? look(p) : LP_OK;
        LP_THEN(err, write_step(p, &p->steps.items[i]));
    }
    end_session(p);
    return err;
}

lp_err
query_perfetto_add(void *arg, const query_answer *answer)
{
    query_perfetto *p = arg;
    perfetto_check(p);
    if (p->has_session && p->session != answer->first_source) {
        LP_TRY(write_session(p));
    }
    if (!p->has_session) {
        LP_TRY(begin_session(p, answer));
    }
    p->answers++;
    LP_TRY(add_pauses(p, answer));
    return answer->request != NULL ? add_request(p, answer) : add_context(p, answer);
}

// write_call_end writes one end of an arrow between JVMs.
static lp_err
write_call_end(query_perfetto *p, const query_call *call, int64_t wall_ns, bool is_called)
{
    const query_bar bar = {
        .category = p->words.call,
        .name = is_called ? p->words.called : p->words.call,
    };
    lp_buf_clear(&p->more);
    LP_TRY(query_packets_pack_arrow(p->arrows, is_called, &p->more));
    return query_packets_add_step(
        &p->packets, &bar, call->track, QUERY_BAR_INSTANT, wall_ns, lp_buf_slice(&p->more));
}

static lp_err
on_call(void *arg, const query_call *caller, const query_call *called)
{
    LP_ASSERT(caller->track != 0 && called->track != 0);
    query_perfetto *p = arg;
    int64_t begin_ns = called->begin_wall_ns;
    int64_t from_ns = begin_ns < caller->end_wall_ns ? begin_ns : caller->end_wall_ns;
    p->arrows++;
    LP_TRY(write_call_end(p, caller, from_ns, false));
    return write_call_end(p, called, after(begin_ns, from_ns), true);
}

lp_err
query_perfetto_finish(query_perfetto *p)
{
    perfetto_check(p);
    if (!p->has_session) {
        return LP_OK;
    }
    LP_TRY(write_session(p));
    LP_TRY(query_calls_find(p->calls.items, p->calls.count, on_call, p));
    LP_TRY(lp_arena_err(&p->names->arena));
    p->is_truncated |= p->left_out > 0 || p->attributes.is_truncated || p->stacks.is_truncated;
    return query_packets_finish(&p->packets);
}
