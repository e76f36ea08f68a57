// SPDX-License-Identifier: Apache-2.0
// A query opens chunks one at a time, none while it answers, and only those that may have something
// wanted. Known times and a second selection do not change its answers: random sessions are queried
// both ways.

#include "support/jfr_sample.h"
#include "support/large.h"

#include "query/run/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    SETTING = 203, // jdk.ActiveSetting: startTime id name value
    PART = 204, // of a context of the Loupe API: startTime duration eventThread contextId endpoint
    CHUNKS = 6,
    CHUNK_TICKS = 100,
    DRIFT_NS = 7,
    ROUNDS = 400,
    ROUNDS_SHORT = 120,
    NO_CHUNK = CHUNKS,
};

static uint64_t
rounds(void)
{
    return is_large ? ROUNDS : ROUNDS_SHORT;
}

static const int64_t WALL_NS = 1700000000000000000; // of tick 0, by the first chunk

static const jfr_build_type part_type = {.id = PART,
    .name = "shop.Part",
    .super = "jdk.jfr.Event",
    .fields = {{.name = "startTime",
                   .type = JFR_SAMPLE_LONG,
                   .annotation = JFR_SAMPLE_TIMESTAMP,
                   .annotation_value = "TICKS"},
        {.name = "duration", .type = JFR_SAMPLE_LONG},
        {.name = "eventThread", .type = JFR_SAMPLE_THREAD, .is_constant = true},
        {.name = "contextId", .type = JFR_SAMPLE_LONG},
        {.name = "endpoint", .type = JFR_SAMPLE_STRING, .annotation = JFR_SAMPLE_CONTEXTUAL}}};

static const jfr_build_type setting_type = {.id = SETTING,
    .name = "jdk.ActiveSetting",
    .super = "jdk.jfr.Event",
    .fields = {{.name = "startTime",
                   .type = JFR_SAMPLE_LONG,
                   .annotation = JFR_SAMPLE_TIMESTAMP,
                   .annotation_value = "TICKS"},
        {.name = "id", .type = JFR_SAMPLE_LONG}, {.name = "name", .type = JFR_SAMPLE_STRING},
        {.name = "value", .type = JFR_SAMPLE_STRING}}};

// A session of CHUNKS chunks, and the answers of a query.
typedef struct world {
    jfr_build builds[CHUNKS];
    lp_slice bytes[CHUNKS];
    query_source items[CHUNKS];
    jfr_clock clock;
    query_names names;
    query_outcome outcome;
    query_attributes attributes;
    lp_buf lines;
    // Of opening
    size_t open;           // the chunk that is, or NO_CHUNK
    size_t opened[CHUNKS]; // how often
    lp_err errors[CHUNKS];
    atomic_bool is_cancelled;
    size_t cancels_at; // the chunk whose opening cancels the query
    uint8_t bit;       // of the selection whose answers on_side writes
} world;

static uint64_t
next_random(uint64_t *seed, uint64_t below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (*seed >> 33) % below;
}

// begin begins all chunks. The clock of each is DRIFT_NS ahead of that of the one before.
static void
begin(world *w)
{
    for (size_t i = 0; i < CHUNKS; i++) {
        jfr_build_type types[JFR_SAMPLE_TYPES_MAX];
        size_t count = jfr_sample_types(types);
        int64_t start = (int64_t)i * CHUNK_TICKS;
        types[count++] = part_type;
        types[count++] = setting_type;
        jfr_build_begin(&w->builds[i], &(jfr_build_clock){.start_ticks = start,
                                           .start_wall_ns = WALL_NS + start + (int64_t)i * DRIFT_NS,
                                           .duration_ns = CHUNK_TICKS});
        jfr_build_metadata(&w->builds[i], 1, types, count);
        jfr_sample_thread(&w->builds[i], 1, 11);
        jfr_sample_thread(&w->builds[i], 2, 12);
        w->items[i].times = (query_source_times){INT64_MAX, INT64_MIN, INT64_MAX};
    }
    w->clock = jfr_clock_make(WALL_NS, 0, 1000000000);
    w->open = NO_CHUNK;
    w->cancels_at = NO_CHUNK;
}

// note widens the known times of a chunk. Contexts may have begun in an earlier chunk, by its
// clock.
static void
note(world *w, size_t chunk, int64_t commit, int64_t begin)
{
    query_source_times *times = &w->items[chunk].times;
    int64_t commit_ns = WALL_NS + commit + (int64_t)chunk * DRIFT_NS;
    times->commit_min_wall_ns =
        commit_ns < times->commit_min_wall_ns ? commit_ns : times->commit_min_wall_ns;
    times->commit_max_wall_ns =
        commit_ns > times->commit_max_wall_ns ? commit_ns : times->commit_max_wall_ns;
    if (begin != INT64_MAX && WALL_NS + begin < times->begin_min_wall_ns) {
        times->begin_min_wall_ns = WALL_NS + begin;
    }
}

static size_t
add_event(world *w, size_t chunk, uint64_t thread, int64_t start, int64_t end)
{
    note(w, chunk, end, INT64_MAX);
    return jfr_sample_event(&w->builds[chunk],
        &(jfr_sample){.type = JFR_SAMPLE_PLAIN, .start = start, .end = end, .thread = thread});
}

static void
add_sample(world *w, size_t chunk, uint64_t thread, int64_t time)
{
    note(w, chunk, time, INT64_MAX);
    (void)jfr_sample_event(&w->builds[chunk],
        &(jfr_sample){.type = JFR_SAMPLE_EXECUTION, .start = time, .thread = thread});
}

// add_period sets the period of samples.
static void
add_period(world *w, size_t chunk, int64_t time, int64_t ns)
{
    jfr_build *build = &w->builds[chunk];
    char value[32];
    (void)snprintf(value, sizeof(value), "%lld ns", (long long)ns);
    note(w, chunk, time, INT64_MAX);
    w->items[chunk].has_period = true;
    jfr_build_varint(&build->payload, (uint64_t)time);
    jfr_build_varint(&build->payload, JFR_SAMPLE_EXECUTION);
    jfr_build_string(&build->payload, "period");
    jfr_build_string(&build->payload, value);
    (void)jfr_build_event(build, SETTING);
}

static void
add_trace(world *w, size_t chunk, uint64_t thread, int64_t start, int64_t end, const char *id)
{
    note(w, chunk, end, start);
    (void)jfr_sample_event(&w->builds[chunk],
        &(jfr_sample){
            .type = JFR_SAMPLE_TRACE, .start = start, .end = end, .thread = thread, .text = id});
}

// add_part adds a part of a context whose first part begins at first.
static void
add_part(world *w, size_t chunk, int64_t first, int64_t start, int64_t end, uint64_t id)
{
    jfr_build *build = &w->builds[chunk];
    note(w, chunk, end, first);
    jfr_build_varint(&build->payload, (uint64_t)start);
    jfr_build_varint(&build->payload, (uint64_t)(end - start));
    jfr_build_varint(&build->payload, 1); // thread
    jfr_build_varint(&build->payload, id);
    jfr_build_string(&build->payload, end % 2 == 0 ? "/even" : "/odd");
    jfr_build_event(build, PART);
}

static void
finish(world *w)
{
    for (size_t i = 0; i < CHUNKS; i++) {
        jfr_build_checkpoint(&w->builds[i]);
        w->bytes[i] = jfr_build_finish(&w->builds[i]);
    }
}

static void
end(world *w)
{
    for (size_t i = 0; i < CHUNKS; i++) {
        jfr_build_fini(&w->builds[i]);
    }
    query_names_fini(&w->names);
    query_attributes_fini(&w->attributes);
    lp_buf_fini(&w->lines);
}

// --- Queries

static void say(world *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void
say(world *w, const char *format, ...)
{
    char line[256];
    va_list args;
    va_start(args, format);
    int len = vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    assert_true(len >= 0 && (size_t)len < sizeof(line));
    lp_buf_append(&w->lines, line, (size_t)len);
}

static lp_err
on_open(void *arg, size_t source, lp_slice *out_bytes, lp_problem *out_problem)
{
    world *w = arg;
    assert_int_equal(w->open, NO_CHUNK);
    w->opened[source]++;
    if (source == w->cancels_at) {
        w->is_cancelled = true;
    }
    if (w->errors[source] != LP_OK) {
        return lp_problem_set(out_problem, w->errors[source], "gone");
    }
    *out_bytes = w->bytes[source];
    w->open = source;
    return LP_OK;
}

static void
on_release(void *arg, size_t source, lp_slice bytes)
{
    world *w = arg;
    assert_int_equal(w->open, source);
    assert_ptr_equal(bytes.ptr, w->bytes[source].ptr);
    assert_int_equal(bytes.len, w->bytes[source].len);
    w->open = NO_CHUNK;
}

static void
say_answer(world *w, const query_answer *answer, uint8_t bit)
{
    char id[CTX_REF_BYTES];
    ctx_ref_format(answer->ref, id);
    say(w, "%s %lld+%lld%s", id, (long long)((uint64_t)answer->begin_wall_ns - (uint64_t)WALL_NS),
        (long long)answer->duration_ns, query_answer_is_inner(answer, bit) ? " inner" : "");
    for (size_t i = 0; i < answer->row_count; i++) {
        say(w, " %u:%u", answer->rows[i].chunk, answer->rows[i].offset);
        if (answer->rows[i].period_ns != 0) {
            say(w, "=%lld", (long long)answer->rows[i].period_ns);
        }
    }
    for (size_t i = 0; i < answer->attribute_count; i++) {
        const query_attribute *attribute = &answer->attributes[i].attribute;
        say(w, " %s=%.*s", attribute->name, (int)attribute->value.len,
            (const char *)attribute->value.ptr);
    }
    say(w, "\n");
}

static lp_err
on_context(void *arg, const query_answer *answer)
{
    world *w = arg;
    assert_int_equal(w->open, NO_CHUNK);
    assert_int_equal(answer->first_source, 0);
    assert_int_equal(answer->in, QUERY_IN_SELECTION);
    say_answer(w, answer, QUERY_IN_SELECTION);
    return LP_OK;
}

static lp_err
on_unreadable(void *arg, size_t source, const lp_problem *problem)
{
    say(arg, "chunk %zu: %s\n", source, problem->text);
    return LP_OK;
}

// ask runs a query, the answers of which are w->lines then.
static lp_err
ask(world *w, query_question question)
{
    const query_sources sources = {
        .items = w->items, .count = CHUNKS, .open = on_open, .release = on_release, .arg = w};
    question.sources = &sources;
    question.on_unreadable = on_unreadable;
    question.arg = w;
    question.is_cancelled = &w->is_cancelled;
    lp_buf_clear(&w->lines);
    memset(w->opened, 0, sizeof(w->opened));
    lp_err err = query_run(&question, &w->names, &w->outcome);
    assert_int_equal(w->open, NO_CHUNK);
    lp_buf_append(&w->lines, "", 1);
    return err;
}

static const char *
lines_of(const world *w)
{
    return (const char *)w->lines.ptr;
}

// know makes the clock, and the times of the chunks, known.
static void
know(world *w, bool is_known)
{
    for (size_t i = 0; i < CHUNKS; i++) {
        w->items[i].clock = is_known ? &w->clock : NULL;
        w->items[i].has_times = is_known;
        w->items[i].drift = (query_drift){0, (CHUNKS - 1) * DRIFT_NS};
    }
}

static void
expect_opened(const world *w, const char *wanted)
{
    char found[CHUNKS + 1] = "";
    for (size_t i = 0; i < CHUNKS; i++) {
        found[i] = (char)('0' + w->opened[i]);
    }
    assert_string_equal(found, wanted);
}

// --- Tests

static query_selection
between(int64_t from, int64_t to)
{
    query_selection selection = query_selection_begin(false);
    selection.from_wall_ns = WALL_NS + from;
    selection.to_wall_ns = WALL_NS + to;
    return selection;
}

// is_long wants the events of contexts of 50 ns and more.
static bool
is_long(void *arg, int64_t begin_wall_ns, int64_t duration_ns)
{
    (void)arg;
    assert_true(begin_wall_ns >= WALL_NS);
    return duration_ns >= 50;
}

static void
test_only_wanted_events_are_read(void **state)
{
    (void)state;
    static world w;
    w = (world){0};
    begin(&w);
    add_trace(&w, 0, 1, 10, 20, "a");
    add_event(&w, 0, 1, 12, 14);
    add_event(&w, 1, 1, 110, 120);
    add_trace(&w, 2, 1, 105, 210, "b");
    add_event(&w, 3, 1, 312, 314);
    add_trace(&w, 3, 1, 310, 320, "c");
    finish(&w);
    const query_selection all = query_selection_begin(false);
    query_question question = {.selection = &all, .on_context = on_context};
    assert_int_equal(ask(&w, question), LP_OK);
    expect_opened(&w, "222211");
    const uint64_t count = w.outcome.contexts;
    assert_string_equal(lines_of(&w), "a-5ecb3fa4 10+10 0:2092\n"
                                      "69-5ecb3fa4 119+105 1:2084\n"
                                      "136-5ecb3fa4 331+10 3:2085\n");
    question.wants_events = is_long;
    assert_int_equal(ask(&w, question), LP_OK);
    assert_int_equal(w.outcome.contexts, count);
    expect_opened(&w, "122111");
    assert_non_null(strstr(lines_of(&w), "a-5ecb3fa4 10+10\n"));
    assert_non_null(strstr(lines_of(&w), "136-5ecb3fa4 331+10\n"));
    assert_non_null(strstr(lines_of(&w), "69-5ecb3fa4 119+105 1:2084\n"));
    end(&w);
}

static void
test_only_what_is_needed_is_opened(void **state)
{
    (void)state;
    static world w;
    w = (world){0};
    begin(&w);
    add_trace(&w, 0, 1, 10, 20, "a");
    add_event(&w, 1, 1, 110, 120);
    add_event(&w, 2, 1, 210, 220);
    add_trace(&w, 3, 1, 150, 310, "b"); // the second has an event in it
    add_trace(&w, 4, 1, 410, 420, "c");
    add_trace(&w, 5, 1, 510, 520, "d");
    finish(&w);
    know(&w, true);
    query_selection selection = between(150, 400);
    const query_question question = {.selection = &selection, .on_context = on_context};
    assert_int_equal(ask(&w, question), LP_OK);
    assert_non_null(strstr(lines_of(&w), "96-"));
    assert_null(strchr(strchr(lines_of(&w), '\n'), '-'));
    expect_opened(&w, "001200"); // contexts and events of the fourth, events of the third
    selection = query_selection_begin(false);
    assert_int_equal(ask(&w, question), LP_OK);
    expect_opened(&w, "201222"); // in the second there is nothing that counts
    query_question only = question;
    only.contexts_only = true;
    assert_int_equal(ask(&w, only), LP_OK);
    expect_opened(&w, "100111");
    assert_int_equal(w.outcome.contexts, 4);
    end(&w);
}

// JFR writes settings where a recording begins and where they change.
static void
test_the_period_of_samples_is_set_far_before(void **state)
{
    (void)state;
    static world w;
    w = (world){0};
    begin(&w);
    add_period(&w, 0, 10, 20);
    add_period(&w, 1, 110, 30);
    add_trace(&w, 2, 1, 210, 220, "a");
    add_trace(&w, 4, 1, 410, 450, "b");
    add_sample(&w, 4, 1, 420);
    finish(&w);
    know(&w, true);
    query_selection selection = between(400, 500);
    query_question question = {.selection = &selection, .on_context = on_context};
    assert_int_equal(ask(&w, question), LP_OK);
    assert_non_null(strstr(lines_of(&w), "=30\n"));
    expect_opened(&w, "010020");
    question.contexts_only = true;
    assert_int_equal(ask(&w, question), LP_OK);
    expect_opened(&w, "000010");
    end(&w);
}

static void
test_chunks_that_cannot_be_opened_are_left_out(void **state)
{
    (void)state;
    static world w;
    w = (world){0};
    begin(&w);
    add_trace(&w, 0, 1, 10, 20, "a");
    add_trace(&w, 1, 1, 110, 120, "b");
    finish(&w);
    const query_selection all = query_selection_begin(false);
    const query_question question = {.selection = &all, .on_context = on_context};
    w.errors[0] = LP_EIO;
    assert_int_equal(ask(&w, question), LP_OK);
    assert_non_null(strstr(lines_of(&w), "chunk 0: gone\n6e-"));
    assert_int_equal(w.outcome.contexts, 1);
    w.errors[0] = LP_ENOMEM;
    assert_int_equal(ask(&w, question), LP_ENOMEM);
    w.errors[0] = LP_ECLOSED;
    assert_int_equal(ask(&w, question), LP_ECLOSED);
    // One of whose times is known, and that turns out to be unreadable when its events are read.
    w.errors[0] = LP_OK;
    w.errors[1] = LP_EIO;
    know(&w, true);
    w.items[1].times = (query_source_times){INT64_MIN, INT64_MAX, INT64_MAX};
    assert_int_equal(ask(&w, question), LP_OK);
    assert_non_null(strstr(lines_of(&w), "chunk 1: gone\na-"));
    end(&w);
}

static void
test_a_query_is_cancelled_within_a_chunk(void **state)
{
    (void)state;
    static world w;
    w = (world){0};
    begin(&w);
    for (int i = 0; i < 2 * QUERY_EVENTS_UNTIL_CHECK; i++) {
        add_event(&w, CHUNKS - 1, 1, 510, 520);
    }
    finish(&w);
    w.cancels_at = CHUNKS - 1; // behind it nobody would ask any more
    const query_selection all = query_selection_begin(false);
    const query_question question = {
        .selection = &all, .on_context = on_context, .contexts_only = true};
    assert_int_equal(ask(&w, question), LP_ECLOSED);
    end(&w);
}

static void
test_rows_have_the_place_of_their_event(void **state)
{
    (void)state;
    static world w;
    w = (world){0};
    begin(&w);
    add_trace(&w, 2, 1, 110, 220, "a");
    size_t first = add_event(&w, 1, 1, 120, 130);
    size_t second = add_event(&w, 2, 1, 210, 215);
    finish(&w);
    const query_selection all = query_selection_begin(false);
    const query_question question = {
        .selection = &all, .on_context = on_context, .attributes = &w.attributes};
    char line[128];
    char id[CTX_REF_BYTES];
    ctx_ref_format(ctx_ref_make(110, "test.Trace", 11 << 2 | 1), id);
    (void)snprintf(line, sizeof(line), "%s 124+110 1:%zu 2:%zu traceId=a\n", id, first, second);
    assert_int_equal(ask(&w, question), LP_OK);
    assert_string_equal(lines_of(&w), line);
    end(&w);
}

// --- Random sessions

// add_whole adds a context of the API, in parts in some of the chunks in which it is.
static void
add_whole(world *w, uint64_t *seed, uint64_t id)
{
    int64_t start = (int64_t)next_random(seed, CHUNKS * CHUNK_TICKS);
    int64_t last = start + (int64_t)next_random(seed, 3 * CHUNK_TICKS);
    int64_t first = -1;
    for (int64_t i = start / CHUNK_TICKS; i < CHUNKS && i <= last / CHUNK_TICKS; i++) {
        int64_t part_start = start > i * CHUNK_TICKS ? start : i * CHUNK_TICKS;
        int64_t part_end = (i + 1) * CHUNK_TICKS - 1 < last ? (i + 1) * CHUNK_TICKS - 1 : last;
        if (next_random(seed, 3) > 0) {
            first = first < 0 ? part_start : first;
            add_part(w, (size_t)i, first, part_start, part_end, id);
        }
    }
}

static void
make_session(world *w, uint64_t *seed)
{
    *w = (world){0};
    begin(w);
    add_period(w, 0, 0, 10);
    if (next_random(seed, 2) == 0) {
        int64_t time = (int64_t)next_random(seed, CHUNKS * CHUNK_TICKS);
        add_period(w, (size_t)time / CHUNK_TICKS, time, 20);
    }
    for (int i = 0; i < 40; i++) {
        int64_t last = (int64_t)next_random(seed, CHUNKS * CHUNK_TICKS);
        int64_t start = last - (int64_t)next_random(seed, 250);
        uint64_t thread = 1 + next_random(seed, 2);
        switch (next_random(seed, 4)) {
        case 0:
            add_whole(w, seed, (uint64_t)i + 1);
            break;
        case 1:
            add_trace(w, (size_t)last / CHUNK_TICKS, thread, start < 0 ? 0 : start, last,
                next_random(seed, 2) == 0 ? "x" : "y");
            break;
        case 2:
            add_sample(w, (size_t)last / CHUNK_TICKS, thread, last);
            break;
        default:
            (void)add_event(w, (size_t)last / CHUNK_TICKS, thread, start < 0 ? 0 : start, last);
            break;
        }
    }
    finish(w);
}

static query_selection
make_selection(uint64_t *seed)
{
    static const char *const conditions[] = {
        "traceId=x", "traceId!=x", "endpoint=/even", "endpoint!=/odd"};
    query_selection selection = query_selection_begin(false);
    lp_problem problem;
    if (next_random(seed, 4) > 0) {
        int64_t from = (int64_t)next_random(seed, CHUNKS * CHUNK_TICKS);
        selection = between(from, from + 1 + (int64_t)next_random(seed, 200));
    }
    if (next_random(seed, 3) == 0) {
        selection.ended_wall_ns = WALL_NS + (int64_t)next_random(seed, CHUNKS * CHUNK_TICKS);
    }
    if (next_random(seed, 2) == 0) {
        assert_int_equal(
            query_selection_set(&selection, "where", conditions[next_random(seed, 4)], &problem),
            LP_OK);
    }
    if (next_random(seed, 3) == 0) {
        selection.min_duration_ns = (int64_t)next_random(seed, 150);
    }
    return selection;
}

// drop_inner drops whether contexts lie in others: alone they do not.
static void
drop_inner(char *lines)
{
    static const char word[] = " inner";
    for (char *at = strstr(lines, word); at != NULL; at = strstr(at, word)) {
        memmove(at, at + sizeof(word) - 1, strlen(at + sizeof(word) - 1) + 1);
    }
}

static void
test_answers_do_not_depend_on_what_is_known(void **state)
{
    (void)state;
    size_t opened = 0;
    for (uint64_t round = 0; round < rounds(); round++) {
        static world w;
        uint64_t seed = round;
        make_session(&w, &seed);
        query_selection selection = make_selection(&seed);
        query_question question = {.selection = &selection,
            .on_context = on_context,
            .contexts_only = round % 3 == 0,
            .attributes = round % 2 == 0 ? &w.attributes : NULL};
        assert_int_equal(ask(&w, question), LP_OK);
        char *all = strdup(lines_of(&w));
        assert_non_null(all);
        know(&w, true);
        assert_int_equal(ask(&w, question), LP_OK);
        assert_string_equal(lines_of(&w), all);
        for (size_t i = 0; i < CHUNKS; i++) {
            opened += w.opened[i] > 0;
        }
        // Each of them is found by its id, and with the same events.
        char *rest = all;
        for (char *line = strsep(&rest, "\n"); rest != NULL; line = strsep(&rest, "\n")) {
            char id[CTX_REF_BYTES] = "";
            lp_problem problem;
            query_selection of_id = query_selection_begin(false);
            memcpy(id, line, strcspn(line, " "));
            assert_int_equal(query_selection_set(&of_id, "id", id, &problem), LP_OK);
            question.selection = &of_id;
            assert_int_equal(ask(&w, question), LP_OK);
            drop_inner(line);
            drop_inner((char *)w.lines.ptr);
            assert_non_null(strstr(lines_of(&w), line));
        }
        free(all);
        end(&w);
    }
    assert_true(opened > rounds() && opened < (CHUNKS - 1) * rounds()); // of CHUNKS * rounds()
}

static lp_err
on_side(void *arg, const query_answer *answer)
{
    world *w = arg;
    if ((answer->in & w->bit) != 0) {
        say_answer(w, answer, w->bit);
    }
    return LP_OK;
}

static void
test_a_selection_beside_another_one_has_the_same_answers(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < rounds(); round++) {
        static world w;
        uint64_t seed = round;
        make_session(&w, &seed);
        know(&w, round % 2 == 0);
        const query_selection sides[] = {make_selection(&seed), make_selection(&seed)};
        for (size_t i = 0; i < 2; i++) {
            query_question question = {.selection = &sides[i], .on_context = on_context};
            assert_int_equal(ask(&w, question), LP_OK);
            uint64_t count = w.outcome.contexts;
            char *alone = strdup(lines_of(&w));
            assert_non_null(alone);
            w.bit = i == 0 ? QUERY_IN_SELECTION : QUERY_IN_BASE;
            question =
                (query_question){.selection = &sides[0], .base = &sides[1], .on_context = on_side};
            assert_int_equal(ask(&w, question), LP_OK);
            assert_string_equal(lines_of(&w), alone);
            assert_int_equal(i == 0 ? w.outcome.contexts : w.outcome.base_contexts, count);
            free(alone);
        }
        end(&w);
    }
}

static void
test_the_rest_is_what_the_selection_does_not_have(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < rounds(); round++) {
        static world w;
        uint64_t seed = round;
        make_session(&w, &seed);
        query_selection all = query_selection_begin(false);
        const query_selection selection = make_selection(&seed);
        query_question question = {
            .selection = &all, .on_context = on_context, .contexts_only = true};
        all.from_wall_ns = selection.from_wall_ns;
        all.to_wall_ns = selection.to_wall_ns;
        assert_int_equal(ask(&w, question), LP_OK);
        uint64_t count = w.outcome.contexts;
        question.selection = &selection;
        assert_int_equal(ask(&w, question), LP_OK);
        uint64_t wanted = w.outcome.contexts;
        all.is_rest = true;
        question.base = &all;
        question.on_context = on_side;
        assert_int_equal(ask(&w, question), LP_OK);
        assert_int_equal(w.outcome.contexts, wanted);
        assert_int_equal(w.outcome.base_contexts, count - wanted);
        end(&w);
    }
}

static void
test_sources_may_be_of_one_selection_alone(void **state)
{
    (void)state;
    static world w;
    w = (world){0};
    begin(&w);
    for (size_t i = 0; i < CHUNKS; i++) {
        w.items[i].session = (uint32_t)i;
        w.items[i].in = i < 2 ? QUERY_IN_SELECTION : i < 5 ? QUERY_IN_BASE : 0;
        add_trace(&w, i, 1, (int64_t)i * CHUNK_TICKS, (int64_t)i * CHUNK_TICKS + 5, "a");
    }
    finish(&w);
    const query_selection all = query_selection_begin(false);
    const query_question question = {.selection = &all, .base = &all, .on_context = on_side};
    assert_int_equal(ask(&w, question), LP_OK);
    assert_int_equal(w.outcome.contexts, 3);
    assert_int_equal(w.outcome.base_contexts, 4);
    end(&w);
}

int
main(int argc, char **argv)
{
    large_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_wanted_events_are_read),
        cmocka_unit_test(test_only_what_is_needed_is_opened),
        cmocka_unit_test(test_the_period_of_samples_is_set_far_before),
        cmocka_unit_test(test_chunks_that_cannot_be_opened_are_left_out),
        cmocka_unit_test(test_a_query_is_cancelled_within_a_chunk),
        cmocka_unit_test(test_rows_have_the_place_of_their_event),
        cmocka_unit_test(test_answers_do_not_depend_on_what_is_known),
        cmocka_unit_test(test_a_selection_beside_another_one_has_the_same_answers),
        cmocka_unit_test(test_the_rest_is_what_the_selection_does_not_have),
        cmocka_unit_test(test_sources_may_be_of_one_selection_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
