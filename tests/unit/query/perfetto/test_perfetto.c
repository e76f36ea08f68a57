// SPDX-License-Identifier: Apache-2.0
// Answers by hand, as the packets of a trace. Each packet becomes a line; the expected lines are
// written by hand. That the numbers of fields are Perfetto's is tested in
// tests/e2e/ask_requests.py.
//
// Cost: each of some 200 allocations fails once; 10,000 requests and 1,048,577 bars are written.

#include "perfetto.pb-c.h"
#include "support/chance.h"
#include "support/failing_alloc.h"

#include "engine/read/threads.h"
#include "query/perfetto/perfetto.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

enum { TEXT_BYTES = 1 << 14 };

static void
name_process(const void *arg, uint32_t source, lp_buf *out)
{
    (void)arg;
    lp_buf_append_text(out, source == 0 ? "shop a" : "stock \xff");
}

static lp_err
on_bytes(void *arg, lp_slice bytes)
{
    lp_buf *file = arg;
    lp_buf_append(file, bytes.ptr, bytes.len);
    return lp_buf_check(file);
}

static query_known_attribute
attribute(const char *name, const char *value, uint32_t key, uint32_t number)
{
    return (query_known_attribute){
        .attribute = {.name = name,
            .label = "",
            .is_null = value == NULL,
            .value = {(const uint8_t *)value, value == NULL ? 0 : strlen(value)}},
        .key = key,
        .value = number,
    };
}

// --- A request: main hands a task to pool-1, which waits for a lock. It calls another JVM.

typedef struct world {
    query_names names;
    query_perfetto perfetto;
    query_contexts contexts;
    query_stay stays[2];
    uint32_t stays_of[2];
    query_request_stay times[2];
    query_hand_over hand_over;
    query_context part;
    query_request request;
    query_context context;
    query_row rows[2];
    time_span spans[2];
    query_row pause;
    time_span pause_span;
    query_known_attribute attributes[4];
    query_answer answer;
    lp_buf file;
} world;

static void
set_request(world *w)
{
    uint64_t main = compact_identity_java(1);
    uint64_t pool = compact_identity_java(33);
    uint32_t main_name = query_names_add(&w->names, "main");
    uint32_t type = query_names_add(&w->names, "shop.Order");
    w->stays[0] = (query_stay){.begin = 10, .end = 50, .thread = main, .thread_name = main_name};
    w->stays[1] = (query_stay){.begin = 40, .end = 90, .thread = pool};
    w->stays_of[1] = 1;
    w->part = w->context = (query_context){.begin = 10,
        .end = 50,
        .thread = main,
        .thread_name = main_name,
        .parent = QUERY_NO_CONTEXT,
        .type = type};
    w->hand_over = (query_hand_over){.handed = 30, .taken = 40, .from_id = 1, .to_id = 33};
    w->request = (query_request){
        .facts = {.id = 7, .type = type}, .stay_count = 2, .hand_over_count = 1, .part_count = 1};
    w->contexts.requests.stays.items = w->stays;
    w->contexts.requests.stays_of.items = w->stays_of;
    w->contexts.requests.hand_overs.items = &w->hand_over;
    w->contexts.parts.items = &w->part;
    w->times[1].span_count = 1;
}

static void
set_rows(world *w)
{
    uint32_t stack;
    assert_int_equal(query_stacks_add(&w->perfetto.stacks, QUERY_STACK_ROOT,
                         query_names_add(&w->names, "shop.Main.main"), 5, &stack),
        LP_OK);
    assert_int_equal(query_stacks_add(&w->perfetto.stacks, stack,
                         query_names_add(&w->names, "shop.Stock.take"), 41, &stack),
        LP_OK);
    w->rows[0] = (query_row){.begin = 60,
        .commit = 70,
        .type = query_names_add(&w->names, "jdk.JavaMonitorEnter"),
        .offset = 400,
        .stack = stack,
        .category = TIME_LOCK};
    w->rows[1] = (query_row){.category = TIME_QUEUED}; // behind the stays: not drawn
    w->pause = (query_row){.begin = 20,
        .commit = 25,
        .type = query_names_add(&w->names, "jdk.GCPhasePause"),
        .category = TIME_GC};
    w->attributes[0] = attribute("path", "/a", 0, 0);
    w->attributes[1] = attribute("trace_id", "4BF9", 1, 1);
    w->attributes[2] = attribute("items", "12", 2, 2);
    w->attributes[2].attribute.is_number = true;
    w->attributes[3] = attribute("note", NULL, 3, QUERY_NO_VALUE);
}

static world *
begin(void)
{
    world *w = calloc(1, sizeof(*w));
    assert_non_null(w);
    const query_perfetto_wish wish = {
        .name_process = name_process, .on_bytes = on_bytes, .arg = &w->file};
    query_question question = {0};
    w->perfetto = query_perfetto_begin(&wish, &w->names);
    query_perfetto_prepare(&w->perfetto, &question);
    set_request(w);
    set_rows(w);
    w->answer = (query_answer){
        .contexts = &w->contexts,
        .context = &w->context,
        .request = &w->request,
        .in = QUERY_IN_SELECTION,
        .clock = jfr_clock_make(1000, 0, 1000000000),
        .begin_wall_ns = 1010,
        .duration_ns = 90,
        .rows = w->rows,
        .row_count = 2,
        .spans = w->spans,
        .stays = w->times,
        .pause_rows = &w->pause,
        .pauses = &w->pause_span,
        .pause_count = 1,
        .attributes = w->attributes,
        .attribute_count = 4,
    };
    return w;
}

static void
end(world *w)
{
    query_perfetto_fini(&w->perfetto);
    query_names_fini(&w->names);
    lp_buf_fini(&w->file);
    free(w);
}

// --- Packets as lines

static void say(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void
say(char *text, const char *format, ...)
{
    va_list values;
    size_t len = strlen(text);
    va_start(values, format);
    (void)vsnprintf(text + len, TEXT_BYTES - len, format, values);
    va_end(values);
    assert_true(strlen(text) < TEXT_BYTES - 1);
}

static void
say_texts(char *text, const char *kind, Loupe__Perfetto__InternedText **items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        say(text, "%s %d=%.*s", kind, (int)items[i]->iid, (int)items[i]->text.len,
            (const char *)items[i]->text.data);
    }
}

static void
say_interned(char *text, const Loupe__Perfetto__InternedData *data)
{
    say_texts(text, "category", data->event_categories, data->n_event_categories);
    say_texts(text, "name", data->event_names, data->n_event_names);
    say_texts(text, "key", data->debug_annotation_names, data->n_debug_annotation_names);
    say_texts(text, "value", data->debug_annotation_string_values,
        data->n_debug_annotation_string_values);
    say_texts(text, "function", data->function_names, data->n_function_names);
    for (size_t i = 0; i < data->n_frames; i++) {
        say(text, "frame %d=%d:%u", (int)data->frames[i]->iid,
            (int)data->frames[i]->function_name_id, data->frames[i]->line_number);
    }
    for (size_t i = 0; i < data->n_callstacks; i++) {
        say(text, "stack %d=", (int)data->callstacks[i]->iid);
        for (size_t k = 0; k < data->callstacks[i]->n_frame_ids; k++) {
            say(text, " %d", (int)data->callstacks[i]->frame_ids[k]);
        }
    }
}

static void
say_annotation(char *text, const Loupe__Perfetto__DebugAnnotation *annotation)
{
    say(text, " %d:", (int)annotation->name_iid);
    if (annotation->value_case == LOUPE__PERFETTO__DEBUG_ANNOTATION__VALUE_INT_VALUE) {
        say(text, "%d", (int)annotation->int_value);
    } else if (annotation->value_case ==
               LOUPE__PERFETTO__DEBUG_ANNOTATION__VALUE_STRING_VALUE_IID) {
        say(text, "#%d", (int)annotation->string_value_iid);
    } else {
        say(text, "%.*s", (int)annotation->string_value.len,
            (const char *)annotation->string_value.data);
    }
}

static void
say_event(char *text, const Loupe__Perfetto__TracePacket *packet)
{
    static const char *const types[] = {"?", "begin", "end", "instant"};
    Loupe__Perfetto__TrackEvent *event = loupe__perfetto__track_event__unpack(
        NULL, packet->track_event.len, packet->track_event.data);
    assert_non_null(event);
    say(text, "%d %s on %d", (int)packet->timestamp, types[event->type], (int)event->track_uuid);
    if (event->name_iid != 0) {
        say(text, " %d/%d", (int)event->category_iids, (int)event->name_iid);
    }
    if (event->callstack_iid != 0) {
        say(text, " at %d", (int)event->callstack_iid);
    }
    if (event->flow_ids + event->terminating_flow_ids != 0) {
        say(text, event->flow_ids != 0 ? " arrow %d" : " head %d",
            (int)(event->flow_ids + event->terminating_flow_ids));
    }
    if (event->correlation_id_str.len > 0) {
        say(text, " of %.*s", (int)event->correlation_id_str.len,
            (const char *)event->correlation_id_str.data);
    }
    for (size_t i = 0; i < event->n_debug_annotations; i++) {
        say_annotation(text, event->debug_annotations[i]);
    }
    loupe__perfetto__track_event__free_unpacked(event, NULL);
}

static void
say_packet(char *text, const Loupe__Perfetto__TracePacket *packet, bool is_first)
{
    const Loupe__Perfetto__TrackDescriptor *track = packet->track_descriptor;
    assert_int_equal(packet->trusted_packet_sequence_id, 1);
    assert_int_equal(packet->sequence_flags, is_first ? 1 : 2);
    if (packet->clock_snapshot != NULL) {
        assert_int_equal(packet->clock_snapshot->n_clocks, 2);
        say(text, "clocks at %d", (int)packet->clock_snapshot->clocks[0]->timestamp);
    } else if (track != NULL && track->process != NULL) {
        say(text, "track %d: process %d %s", (int)track->uuid, track->process->pid,
            track->process->process_name);
    } else if (track != NULL && track->thread != NULL) {
        say(text, "track %d: thread %d.%d %s", (int)track->uuid, track->thread->pid,
            (int)track->thread->tid, track->thread->thread_name);
    } else if (track != NULL) {
        say(text, "track %d: of %d %s", (int)track->uuid, (int)track->parent_uuid, track->name);
    } else if (packet->interned_data != NULL) {
        say_interned(text, packet->interned_data);
    } else {
        say_event(text, packet);
    }
    say(text, "\n");
}

static void
assert_lines(const world *w, const char *expected)
{
    static char text[TEXT_BYTES];
    text[0] = '\0';
    Loupe__Perfetto__Trace *trace = loupe__perfetto__trace__unpack(NULL, w->file.len, w->file.ptr);
    assert_non_null(trace);
    for (size_t i = 0; i < trace->n_packet; i++) {
        say_packet(text, trace->packet[i], i == 0);
    }
    loupe__perfetto__trace__free_unpacked(trace, NULL);
    assert_string_equal(text, expected);
}

// --- Tests

static void
test_a_request_is_drawn_on_all_its_threads(void **state)
{
    (void)state;
    world *w = begin();
    assert_int_equal(query_perfetto_add(&w->perfetto, &w->answer), LP_OK);
    assert_int_equal(query_perfetto_finish(&w->perfetto), LP_OK);
    assert_false(w->perfetto.is_truncated);
    assert_lines(w, "clocks at 1010\n"
                    "track 1: process 1 shop a\n"
                    "key 1=path\nvalue 1=/a\nkey 2=trace_id\nvalue 2=4BF9\nkey 3=items\n"
                    "track 2: of 1 requests\n"
                    "category 1=request\nname 1=shop.Order\n"
                    "1010 begin on 2 1/1 of 4BF9 1:#1 2:#2 3:12\n"
                    "track 3: thread 1.1 main\n"
                    "category 2=context\n"
                    "1010 begin on 3 2/1 of 4BF9\n"
                    "track 4: of 1 JVM pauses\n"
                    "category 3=gc\nname 2=jdk.GCPhasePause\n"
                    "1020 begin on 4 3/2\n1025 end on 4\n"
                    "category 4=queued\nname 3=dev.loupe.HandOver\n"
                    "1030 instant on 3 4/3 arrow 1\n"
                    "track 5: thread 1.33 thread 33\n"
                    "category 5=stay\n"
                    "1040 begin on 5 5/1 of 4BF9\n"
                    "1040 instant on 5 4/3 head 1\n"
                    "1050 end on 3\n"
                    "category 6=lock\nname 4=jdk.JavaMonitorEnter\n"
                    "function 1=shop.Main.main\nframe 1=1:5\nfunction 2=shop.Stock.take\n"
                    "frame 2=2:41\nstack 1= 1 2\n"
                    "1060 begin on 5 6/4 at 1\n1070 end on 5\n1090 end on 5\n1100 end on 2\n");
    end(w);
}

static void
test_a_thread_that_nothing_tells_of_has_no_number(void **state)
{
    (void)state;
    world *w = begin();
    w->hand_over.from_id = 0;
    w->request.stay_count = w->request.part_count = 0;
    w->answer.pause_count = 0;
    w->answer.attribute_count = 0;
    assert_int_equal(query_perfetto_add(&w->perfetto, &w->answer), LP_OK);
    assert_int_equal(query_perfetto_finish(&w->perfetto), LP_OK);
    assert_lines(w, "clocks at 1010\n"
                    "track 1: process 1 shop a\n"
                    "track 2: of 1 requests\n"
                    "category 1=request\nname 1=shop.Order\n"
                    "1010 begin on 2 1/1\n"
                    "track 3: of 1 unknown thread\n"
                    "category 2=queued\nname 2=dev.loupe.HandOver\n"
                    "1030 instant on 3 2/2 arrow 1\n"
                    "track 4: thread 1.33 thread 33\n"
                    "1040 instant on 4 2/2 head 1\n"
                    "1100 end on 2\n");
    end(w);
}

static void
test_a_call_of_another_jvm_is_an_arrow(void **state)
{
    (void)state;
    world *w = begin();
    w->answer.pause_count = 0;
    w->answer.attributes = &w->attributes[1];
    w->answer.attribute_count = 1;
    w->request.stay_count = w->request.part_count = w->request.hand_over_count = 0;
    assert_int_equal(query_perfetto_add(&w->perfetto, &w->answer), LP_OK);
    w->answer.first_source = 3;
    w->answer.begin_wall_ns = 1030;
    w->answer.duration_ns = 0;
    w->attributes[1].attribute.value.ptr = (const uint8_t *)"4bf9"; // case does not matter
    assert_int_equal(query_perfetto_add(&w->perfetto, &w->answer), LP_OK);
    assert_int_equal(query_perfetto_finish(&w->perfetto), LP_OK);
    assert_lines(w, "clocks at 1010\n"
                    "track 1: process 1 shop a\n"
                    "key 1=trace_id\nvalue 1=4BF9\n"
                    "track 2: of 1 requests\n"
                    "category 1=request\nname 1=shop.Order\n"
                    "1010 begin on 2 1/1 of 4BF9 1:#1\n1100 end on 2\n"
                    "track 3: process 2 stock \xef\xbf\xbd\n"
                    "track 4: of 3 requests\n"
                    "1030 instant on 4 1/1 of 4bf9 1:#1\n"
                    "category 2=call\nname 2=call\n"
                    "1030 instant on 2 2/2 arrow 1\n"
                    "name 3=called\n"
                    "1031 instant on 4 2/3 head 1\n");
    end(w);
}

static void
test_contexts_are_drawn_on_their_thread(void **state)
{
    (void)state;
    world *w = begin();
    query_context inner = w->context;
    w->answer.request = NULL;
    w->answer.pause_count = w->answer.attribute_count = 0;
    w->answer.row_count = 1;
    w->rows[0].begin = w->rows[0].commit = 20; // a sample
    w->rows[0].stack = QUERY_STACK_ROOT;
    inner.begin = 15;
    inner.end = 40;
    inner.parent = 0;
    inner.offset = 9;
    w->answer.context = &inner; // its events are those of the one around it
    assert_int_equal(query_perfetto_add(&w->perfetto, &w->answer), LP_OK);
    w->answer.context = &w->context;
    assert_int_equal(query_perfetto_add(&w->perfetto, &w->answer), LP_OK);
    assert_int_equal(query_perfetto_finish(&w->perfetto), LP_OK);
    assert_lines(w, "clocks at 1010\n"
                    "track 1: process 1 shop a\n"
                    "track 2: thread 1.1 main\n"
                    "category 1=context\nname 1=shop.Order\n"
                    "1010 begin on 2 1/1\n1015 begin on 2 1/1\n"
                    "category 2=lock\nname 2=jdk.JavaMonitorEnter\n"
                    "1020 instant on 2 2/2\n1040 end on 2\n1050 end on 2\n");
    end(w);
}

static lp_err
end_soon(void *arg)
{
    (void)arg;
    return LP_ECLOSED;
}

static void
test_a_trace_that_nobody_needs_ends(void **state)
{
    (void)state;
    world *w = begin();
    w->perfetto.wish.look = end_soon;
    assert_int_equal(query_perfetto_add(&w->perfetto, &w->answer), LP_OK);
    assert_int_equal(query_perfetto_finish(&w->perfetto), LP_ECLOSED);
    end(w);
}

static void
test_nothing_is_an_empty_file(void **state)
{
    (void)state;
    world *w = begin();
    assert_int_equal(query_perfetto_finish(&w->perfetto), LP_OK);
    assert_int_equal(w->file.len, 0);
    end(w);
}

static void
test_bars_beyond_the_limit_are_counted(void **state)
{
    (void)state;
    world *w = begin();
    w->answer.pause_count = 0;
    w->request.stay_count = w->request.part_count = w->request.hand_over_count = 0;
    for (unsigned i = 0; i <= QUERY_PERFETTO_BARS_MAX; i++) {
        w->answer.begin_wall_ns += w->answer.duration_ns;
        w->answer.attribute_count = 0;
        w->request.facts.id++;
        assert_int_equal(query_perfetto_add(&w->perfetto, &w->answer), LP_OK);
    }
    assert_int_equal(query_perfetto_finish(&w->perfetto), LP_OK);
    assert_true(w->perfetto.is_truncated);
    assert_int_equal(w->perfetto.packets.bars, QUERY_PERFETTO_BARS_MAX);
    end(w);
}

// set_three_events gives the request one stay, which is its context, and three events in it, at
// times by chance.
static void
set_three_events(world *w, query_row rows[3], uint64_t *seed)
{
    int64_t begin = w->context.end + (int64_t)chance_below(seed, 1000000);
    int64_t length = 1000000 + (int64_t)chance_below(seed, 100000000);
    w->part.begin = w->context.begin = w->stays[0].begin = begin;
    w->part.end = w->context.end = w->stays[0].end = begin + length;
    w->part.thread = w->stays[0].thread =
        compact_identity_java(20 + (int64_t)chance_below(seed, 8));
    w->answer.begin_wall_ns = jfr_clock_wall_ns(&w->answer.clock, begin);
    w->answer.duration_ns = length;
    w->times[0].span_count = 3;
    for (int i = 0; i < 3; i++) {
        rows[i] = w->rows[0];
        rows[i].begin = begin + i * length / 3 + (int64_t)chance_below(seed, (uint64_t)length / 6);
        rows[i].commit = rows[i].begin + 1 + (int64_t)chance_below(seed, (uint64_t)length / 6);
        rows[i].offset = (uint32_t)i;
    }
}

static void
test_a_request_of_three_events_takes_at_most_100_bytes(void **state)
{
    (void)state;
    enum { REQUESTS = 10000, ID_BYTES = 33 };
    world *w = begin();
    query_row rows[3];
    uint64_t seed = 1;
    char trace[ID_BYTES];
    w->answer.pause_count = 0;
    w->answer.attribute_count = 3;
    w->answer.rows = rows;
    w->request.stay_count = 1;
    w->request.hand_over_count = 0;
    for (unsigned i = 0; i < REQUESTS; i++) {
        set_three_events(w, rows, &seed);
        (void)snprintf(trace, sizeof(trace), "%016llx%016llx",
            (unsigned long long)chance_below(&seed, UINT64_MAX),
            (unsigned long long)chance_below(&seed, UINT64_MAX));
        w->attributes[1] = attribute("trace_id", trace, 1, QUERY_NO_VALUE);
        w->attributes[0].value = (uint32_t)chance_below(&seed, 20);
        assert_int_equal(query_perfetto_add(&w->perfetto, &w->answer), LP_OK);
    }
    assert_int_equal(query_perfetto_finish(&w->perfetto), LP_OK);
    assert_int_equal(w->perfetto.packets.bars, 5 * REQUESTS); // the request, its part, its events
    uLongf deflated = compressBound(w->file.len);
    uint8_t *out = malloc(deflated);
    assert_non_null(out);
    assert_int_equal(compress(out, &deflated, w->file.ptr, w->file.len), Z_OK);
    print_message(
        "%zu bytes a request, %zu deflated\n", w->file.len / REQUESTS, (size_t)deflated / REQUESTS);
    assert_true(deflated / REQUESTS <= 100);
    free(out);
    end(w);
}

static void
test_out_of_memory_is_an_error(void **state)
{
    (void)state;
    bool has_failed = true;
    size_t failing = 1;
    for (; has_failed; failing++) {
        world *w = begin();
        allocations_left = failing;
        lp_err err = query_perfetto_add(&w->perfetto, &w->answer);
        w->answer.first_source = 5;
        err = err == LP_OK ? query_perfetto_add(&w->perfetto, &w->answer) : err;
        err = err == LP_OK ? query_perfetto_finish(&w->perfetto) : err;
        has_failed = allocations_left == 0;
        allocations_left = 0;
        assert_int_equal(err, has_failed ? LP_ENOMEM : LP_OK);
        end(w);
    }
    assert_true(failing > 10);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_request_is_drawn_on_all_its_threads),
        cmocka_unit_test(test_a_thread_that_nothing_tells_of_has_no_number),
        cmocka_unit_test(test_a_call_of_another_jvm_is_an_arrow),
        cmocka_unit_test(test_contexts_are_drawn_on_their_thread),
        cmocka_unit_test(test_a_trace_that_nobody_needs_ends),
        cmocka_unit_test(test_nothing_is_an_empty_file),
        cmocka_unit_test(test_a_request_of_three_events_takes_at_most_100_bytes),
        cmocka_unit_test(test_bars_beyond_the_limit_are_counted),
        cmocka_unit_test(test_out_of_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
