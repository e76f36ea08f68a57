// SPDX-License-Identifier: Apache-2.0
// Requests in a session of chunks: which requests are found, which parts are kept for them, and the
// events that describe them in the output. Ticks are nanoseconds. Costs 0.1 s.

#include "unit/engine/compact_session.h"

#include "common/jfr/jfr_metadata.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ctx_entry pay_entries[] = {{.key = "route", .value = SESSION_VALUE("/pay")}};
static ctx_entry fifth_entries[] = {
    {.key = "order", .is_null = true}, {.key = "number", .value = SESSION_VALUE("5")}};
static ctx_entry span_entries[] = {{.key = "rootspanid", .value = SESSION_VALUE("77")}};
static ctx_entry none_entries[] = {{.key = "rootspanid", .value = SESSION_VALUE("0")}};
static ctx_entry ping_entries[] = {{.key = "route", .value = SESSION_VALUE("/ping")}};
static const ctx_recording maps[] = {{7, 1, pay_entries}, {8, 1, ping_entries}};
static const ctx_recording keyed_maps[] = {
    {9, 2, fifth_entries}, {10, 1, span_entries}, {11, 1, none_entries}};

enum { PAY = 7, PING, FIFTH, SPAN, NONE };

static const int64_t SECOND = 1000000000;

static void
begin(session *s)
{
    s->has_requests = true;
    session_chunk(s, 0);
    session_define(s, maps, 2);
}

// value_of returns what stands behind a field's name in the text of an event, up to the next field.
static const char *
value_of(const jfr_read *output, const jfr_read_event *event, const char *field, char *out)
{
    lp_buf text = {0};
    char before[64];
    jfr_read_text(output, event, &text);
    (void)snprintf(before, sizeof(before), " %s=", field);
    const char *at = strstr((char *)text.ptr, before);
    assert_non_null(at);
    at += strlen(before);
    at += *at == '"';
    size_t len = strcspn(at, " \"");
    assert_true(len < 64);
    memcpy(out, at, len);
    out[len] = '\0';
    lp_buf_fini(&text);
    return out;
}

// number_of returns the number of the request with an id: 1 for the first one that is met.
static size_t
number_of(char ids[8][64], const char *id)
{
    size_t i = 0;
    while (ids[i][0] != '\0' && strcmp(ids[i], id) != 0) {
        i++;
    }
    assert_true(i < 7);
    (void)snprintf(ids[i], sizeof(ids[i]), "%s", id);
    return i + 1;
}

// expect_requests compares the events of requests in an output with a text like "1 5+10 20-3-1 2
// over event". It has, in the order of the chunk: number of the request in this and earlier
// outputs, begin and duration of the stay, duration of the request, its time queued and elsewhere,
// its parts, its state and why it is kept.
static void
expect_requests(session *s, size_t chunk, const char *want)
{
    static char ids[8][64];
    lp_buf got = {0};
    const jfr_read *output = &s->outputs[chunk];
    if (chunk == 0) {
        memset(ids, 0, sizeof(ids));
    }
    for (size_t i = 0; i < output->events.count; i++) {
        const jfr_read_event *e = &output->events.items[i];
        if (strcmp(jfr_read_name(output, e), JFR_REQUEST_TYPE) != 0) {
            continue;
        }
        static const char *const fields[] = {
            "id", "requestDuration", "queued", "elsewhere", "parts", "state", "keptBy"};
        char values[7][64];
        char line[600];
        for (size_t k = 0; k < 7; k++) {
            (void)value_of(output, e, fields[k], values[k]);
        }
        (void)snprintf(line, sizeof(line), "%s%zu %" PRId64 "+%" PRId64 " %s-%s-%s %s %s %s",
            got.len > 0 ? ", " : "", number_of(ids, values[0]),
            jfr_read_number(output, e, "startTime"), jfr_read_number(output, e, "duration"),
            values[1], values[2], values[3], values[4], values[5], values[6]);
        lp_buf_append(&got, line, strlen(line));
    }
    lp_buf_append(&got, "", 1);
    assert_string_equal((char *)got.ptr, want);
    lp_buf_fini(&got);
}

// expect_same_again compacts an output again, without a policy: events that were kept for whole
// requests stay. It compares the bytes of the first chunk, which has all types in any case.
static void
expect_same_again(const session *s, size_t chunk)
{
    const compact_options options = {.refused = COMPACT_REFUSED_ALL, .has_requests = true};
    const compact_source source = {.jfr = lp_buf_slice(&s->results[chunk].jfr)};
    compact_result again;
    assert_int_equal(compact_chunk(&source, NULL, 0, NULL, &options, &again, NULL), LP_OK);
    assert_int_equal(again.stats.events_out, again.stats.events_in);
    if (chunk == 0) {
        assert_int_equal(again.jfr.len, source.jfr.len);
        assert_memory_equal(again.jfr.ptr, source.jfr.ptr, source.jfr.len);
    }
    assert_int_equal(again.stats.requests_in, 0);
    compact_result_fini(&again);
}

// part adds a RecordingContext for a request.
static void
part(session *s, int64_t from, int64_t to, int64_t thread, int64_t map, uint64_t request)
{
    session_install_for(s, from, thread, map, request);
    session_uninstall(s, to, thread);
}

static void
whole(session *s)
{
    session_rules(s, "<event name=\"dev.loupe.Request\">"
                     "<setting name=\"request-keep\">whole</setting>"
                     "<setting name=\"keep-slow\">500 ms</setting>"
                     "<setting name=\"drop\">has-entry route=/ping</setting></event>");
}

// Something happened in one of two parts, on another thread: both are kept.
static void
test_a_request_is_kept_whole(void **state)
{
    session *s = *state;
    begin(s);
    whole(s);
    session_root(s, 100, 1, 3, false);
    part(s, 110, 200, 1, PAY, 3);
    session_take(s, 250, 2, 1, 150);
    part(s, 250, 300, 2, PAY, 3);
    session_root(s, 400, 2, 3, true);
    session_mark(s, KEPT, 260, 2);
    part(s, 500, 600, 1, PAY, 4); // nothing happens in this one
    session_run(s);
    expect_requests(s, 0, "1 110+90 300-50-110 2 over event, 1 250+50 300-50-110 2 over event");
    session_expect_parts(s, 0, "#1 110..200 @1 route=\"/pay\", #2 250..300 @2 route=\"/pay\"");
    assert_int_equal(s->results[0].stats.requests_in, 2);
    assert_int_equal(s->results[0].stats.requests_out, 1);
    expect_same_again(s, 0);
}

// Without a policy parts decide for themselves.
static void
test_parts_decide_without_a_policy(void **state)
{
    session *s = *state;
    begin(s);
    part(s, 110, 200, 1, PAY, 4);
    part(s, 250, 300, 2, PAY, 4);
    session_mark(s, KEPT, 260, 2);
    session_run(s);
    session_expect_parts(s, 0, "#2 250..300 @2 route=\"/pay\"");
    expect_requests(s, 0, "1 110+90 190-0-50 2 over parts, 1 250+50 190-0-50 2 over parts");
}

// A request of half a second is kept though nothing happened in it, and a short one is not.
static void
test_slow_requests_are_kept(void **state)
{
    session *s = *state;
    begin(s);
    whole(s);
    session_root(s, 100, 1, 3, false);
    part(s, 100, 200, 1, PAY, 3);
    session_root(s, 100 + SECOND / 2, 1, 3, true);
    session_root(s, 100, 2, 5, false);
    part(s, 100, 200, 2, PAY, 5);
    session_root(s, 99 + SECOND / 2, 2, 5, true);
    session_run(s);
    session_expect_parts(s, 0, "#1 100..200 @1 route=\"/pay\"");
    expect_requests(s, 0, "1 100+100 500000000-0-499999900 1 over slow");
    expect_same_again(s, 0);
}

// Whatever happens in it, a request that the policy drops leaves no part.
static void
test_dropped_requests_leave_nothing(void **state)
{
    session *s = *state;
    begin(s);
    whole(s);
    session_root(s, 100, 1, 3, false);
    part(s, 100, 200, 1, PING, 3);
    session_mark(s, KEPT, 150, 1);
    session_root(s, 300, 1, 3, true);
    session_run(s);
    session_expect_parts(s, 0, "");
    expect_requests(s, 0, "");
}

// A request goes on in the next chunk: its duration is unknown yet, so it is kept. Events that
// happen then are in it, and it counts once, where it ends.
static void
test_a_request_over_a_border_is_kept(void **state)
{
    session *s = *state;
    begin(s);
    whole(s);
    session_root(s, SECOND, 1, 3, false);
    part(s, SECOND, SECOND + 100, 1, PAY, 3);
    session_root(s, SECOND, 2, 5, false);
    part(s, SECOND, SECOND + 100, 2, PAY, 5);
    session_root(s, SECOND + 200, 2, 5, true);
    session_chunk(s, 10 * SECOND);
    part(s, 11 * SECOND, 11 * SECOND + 100, 2, PAY, 3);
    session_root(s, 11 * SECOND + 200, 1, 3, true);
    session_chunk(s, 20 * SECOND);
    session_run(s);
    expect_requests(s, 0, "1 1000000000+100 9000000000-0-8999999900 1 open open");
    expect_requests(s, 1, "1 11000000000+100 10000000200-0-10000000000 2 over slow");
    session_expect_parts(s, 0, "#1 1000000000..1000000100 @1 route=\"/pay\"");
    session_expect_parts(s, 1, "#3 11000000000..11000000100 @2 route=\"/pay\"");
    assert_int_equal(s->results[0].stats.requests_in, 1);
    assert_int_equal(s->results[1].stats.requests_in, 1);
    assert_int_equal(s->results[1].stats.requests_out, 1);
    assert_int_equal(s->results[2].stats.requests_in, 0);
}

// Nested contextual events are one request, the outermost. The next chunk, where it ends,
// distinguishes it from its parts.
static void
test_events_nest(void **state)
{
    session *s = *state;
    begin(s);
    whole(s);
    session_trace(s, KEPT, 200, 300, 1);
    session_mark(s, KEPT, 350, 1);
    session_trace(s, KEPT, 100, 400, 1);
    session_trace(s, GONE, 500, 600, 1);
    session_trace(s, KEPT, SECOND, SECOND + 10, 2);
    session_chunk(s, 2 * SECOND);
    session_trace(s, KEPT, SECOND / 2, 2 * SECOND + 10, 2);
    session_chunk(s, 9 * SECOND);
    session_run(s);
    assert_int_equal(s->results[0].stats.requests_in, 2);
    assert_int_equal(s->results[0].stats.requests_out, 1);
    assert_int_equal(s->results[1].stats.requests_in, 1);
    assert_int_equal(s->results[1].stats.requests_out, 1);
}

// Contexts with one value of an attribute that the policy names are one request, on any threads;
// without its word each is a request.
static void
test_the_policy_names_the_attribute(void **state)
{
    session *s = *state;
    begin(s);
    session_rules(s, "<event name=\"dev.loupe.Request\"><setting name=\"request-by\">none, "
                     "id</setting><setting name=\"request-keep\">whole</setting></event>");
    session_set(s, 100, 1, "a");
    session_unset(s, 200, 1);
    session_set(s, 150, 2, "a");
    session_unset(s, 300, 2);
    session_mark(s, KEPT, 250, 2);
    session_set(s, 100, 3, "b");
    session_unset(s, 200, 3);
    session_chunk(s, 9 * SECOND);
    session_run(s);
    session_expect_parts(s, 0, "#1 100..200 @1 id=\"a\", #2 150..300 @2 id=\"a\"");
    assert_int_equal(s->results[0].stats.requests_in, 2);
    assert_int_equal(s->results[0].stats.requests_out, 1);
}

// order adds a context of the type order.
static void
order(session *s, int64_t from, int64_t to, int64_t thread)
{
    session_set_number(s, from, thread, SESSION_ORDER, 5);
    session_unset_type(s, to, thread, SESSION_ORDER);
}

// An entry of RecordingContexts is an attribute like any other: with the same value as one of a
// ContextType it is one request. The API's own comes first where it has a root, as the last one.
static void
test_entries_name_the_request(void **state)
{
    session *s = *state;
    begin(s);
    session_define(s, keyed_maps, 3);
    session_rules(s, "<event name=\"dev.loupe.Request\"><setting name=\"request-by\">order, number"
                     "</setting><setting name=\"request-keep\">whole</setting></event>");
    part(s, 100, 200, 1, FIFTH, 4);
    order(s, 150, 300, 2);
    session_mark(s, KEPT, 250, 2);
    part(s, 250, 260, 3, FIFTH, 6);
    session_root(s, 100, 4, 3, false);
    part(s, 100, 200, 4, FIFTH, 3);
    session_root(s, 200, 4, 3, true);
    session_run(s);
    session_expect_parts(s, 0,
        "#1 100..200 @1 order=\"null\" number=\"5\" rootspanid=\"null\", #2 150..300 @2 number=5, "
        "#3 250..260 @3 order=\"null\" number=\"5\" rootspanid=\"null\"");
    assert_int_equal(s->results[0].stats.requests_in, 2);
    assert_int_equal(s->results[0].stats.requests_out, 1);
}

// A request with a root has an entry: contexts that begin with this value on other threads
// meanwhile are part of it, also in the next chunk. Two requests with roots stay two, and an
// earlier context stays a request of its own.
static void
test_entries_lead_to_a_request_with_a_root(void **state)
{
    session *s = *state;
    const int64_t late = 10 * SECOND - 1000;
    begin(s);
    session_define(s, keyed_maps, 3);
    session_rules(s, "<event name=\"dev.loupe.Request\"><setting name=\"request-by\">number"
                     "</setting></event>");
    order(s, SECOND, SECOND + 500, 3);
    for (int64_t i = 1; i <= 2; i++) {
        session_root(s, SECOND + 100, i, (uint64_t)(2 * i + 1), false);
        part(s, SECOND + 100, SECOND + 200, i, FIFTH, (uint64_t)(2 * i + 1));
        session_root(s, SECOND + 200, i, (uint64_t)(2 * i + 1), true);
    }
    session_root(s, late, 1, 7, false);
    part(s, late, late + 100, 1, FIFTH, 7);
    order(s, late + 50, late + 200, 2);
    session_chunk(s, 10 * SECOND);
    order(s, 10 * SECOND, 10 * SECOND + 200, 3);
    session_root(s, 11 * SECOND, 1, 7, true);
    session_chunk(s, 20 * SECOND);
    session_run(s);
    assert_int_equal(s->results[0].stats.requests_in, 3);
    assert_int_equal(s->results[1].stats.requests_in, 1);
}

// Without a policy the names that tracers use do; a tracer's 0 is nothing.
static void
test_usual_names_are_keys_of_entries(void **state)
{
    session *s = *state;
    begin(s);
    session_define(s, keyed_maps, 3);
    part(s, 100, 200, 1, SPAN, 4);
    part(s, 150, 300, 2, SPAN, 6);
    part(s, 100, 200, 3, NONE, 8);
    part(s, 150, 300, 4, NONE, 10);
    session_run(s);
    assert_int_equal(s->results[0].stats.requests_in, 3);
}

// A number, a boolean and a character of a ContextType are one key with their text as an entry, and
// a long with its hexadecimal digits. Sixteen digits that may be either are decimal ones.
static void
test_values_of_any_kind_name_the_request(void **state)
{
    static char nothing[] = "";
    static struct {
        ctx_kind kind;
        uint64_t bits;
        char name[8];
        const char *text;
    } values[] = {
        {CTX_BOOLEAN, 1, "flag", "true"},
        {CTX_CHAR, 'x', "letter", "x"},
        {CTX_FLOAT, 0x3f000000, "share", "0.5"},
        {CTX_DOUBLE, 0x3ff8000000000000, "ratio", "1.5"},
        {CTX_BYTE, 0xfffffffffffffffb, "step", "-5"},
        {CTX_INT, 7, "batch", "7"},
        {CTX_LONG, 1700000000000000, "micros", "1700000000000000"},
        {CTX_HEX, 0x00f067aa0ba902b7, "span", "00f067aa0ba902b7"},
    };
    enum { COUNT = sizeof(values) / sizeof(*values) };
    static ctx_type types[SESSION_TYPES + COUNT];
    static ctx_entry entries[COUNT];
    static ctx_recording of_values[COUNT];
    session *s = *state;
    begin(s);
    session_rules(s, "<event name=\"dev.loupe.Request\"><setting name=\"request-by\">flag, letter, "
                     "share, ratio, step, batch, micros, span</setting></event>");
    memcpy(types, session_types, sizeof(session_types));
    for (uint16_t i = 0; i < COUNT; i++) {
        const lp_slice text = {(const uint8_t *)values[i].text, strlen(values[i].text)};
        uint16_t id = (uint16_t)(SESSION_TYPES + 1 + i);
        entries[i] = (ctx_entry){.key = values[i].name, .value = text};
        of_values[i] = (ctx_recording){20U + i, 1, &entries[i]};
        types[SESSION_TYPES + i] = (ctx_type){
            .id = id,
            .name = values[i].name,
            .label = nothing,
            .description = nothing,
            .attribute_count = 1,
            .attributes = {{values[i].kind, values[i].name, nothing, nothing}},
        };
        part(s, 100 * i, 100 * i + 50, 1, 20 + i, 2U * i + 2);
        session_set_number(s, 100 * i, 2, id, (int64_t)values[i].bits);
        session_unset_type(s, 100 * i + 50, 2, id);
    }
    s->types[0] = types;
    s->type_count[0] = SESSION_TYPES + COUNT;
    session_define(s, of_values, COUNT);
    session_run(s);
    assert_int_equal(s->results[0].stats.requests_in, COUNT);
}

static void
trace(session *s, session_fate fate, int64_t from, int64_t to, uint64_t thread, const char *id)
{
    session_event_of(
        s, fate, &(jfr_sample){JFR_SAMPLE_TRACE, from, to, .thread = thread, .text = id});
}

// Contextual events with one value of a field are one request, on any threads. One that is stored
// with the next chunk belongs to it from its begin on.
static void
test_fields_of_events_name_the_request(void **state)
{
    session *s = *state;
    begin(s);
    session_rules(s, "<event name=\"dev.loupe.Request\"><setting name=\"request-by\">traceId"
                     "</setting><setting name=\"request-keep\">whole</setting></event>");
    trace(s, KEPT, SECOND, 2 * SECOND, 1, "a");
    trace(s, KEPT, 3 * SECOND, 4 * SECOND, 2, "a");
    session_mark(s, KEPT, 3 * SECOND + 5, 2);
    trace(s, GONE, SECOND, 2 * SECOND, 3, "b");
    trace(s, GONE, SECOND, 2 * SECOND, 4, ""); // it has none
    session_chunk(s, 10 * SECOND);
    trace(s, KEPT, 5 * SECOND, 11 * SECOND, 3, "a");
    session_chunk(s, 20 * SECOND);
    session_run(s);
    expect_requests(s, 0,
        "1 1000000000+1000000000 9000000000-0-2000000000 2 open open, "
        "1 3000000000+1000000000 9000000000-0-2000000000 2 open open, "
        "1 5000000000+5000000000 9000000000-0-2000000000 2 open open");
    expect_requests(s, 1, "1 10000000000+1000000000 10000000000-0-2000000000 3 over event");
    assert_int_equal(s->results[0].stats.requests_in, 2);
    assert_int_equal(s->results[1].stats.requests_in, 1);
    assert_int_equal(s->results[1].stats.requests_out, 1);
}

// A batch has two orders, each with a part in it; each of them is a request, and the batch is none.
static void
test_the_policy_names_the_type(void **state)
{
    session *s = *state;
    begin(s);
    session_rules(s, "<event name=\"dev.loupe.Request\"><setting name=\"request\">order</setting>"
                     "<setting name=\"request-keep\">whole</setting></event>");
    session_root(s, 100, 1, 3, false);
    session_install_for(s, 100, 1, PAY, 3);
    order(s, 110, 200, 1);
    session_set(s, 120, 1, "in the first");
    session_unset(s, 130, 1);
    session_mark(s, KEPT, 150, 1);
    order(s, 300, 400, 1);
    session_set(s, 320, 1, "in the second");
    session_unset(s, 330, 1);
    session_set(s, 350, 2, "elsewhere");
    session_unset(s, 360, 2);
    session_uninstall(s, 500, 1);
    session_root(s, 500, 1, 3, true);
    session_run(s);
    session_expect_parts(s, 0,
        "#1 100..500 @1 route=\"/pay\", #2 110..200 @1 number=5, #3 120..130 @1 id=\"in the "
        "first\"");
    assert_int_equal(s->results[0].stats.requests_in, 2);
    assert_int_equal(s->results[0].stats.requests_out, 1);
}

// The same of contextual events, over the end of a chunk.
static void
test_the_type_may_be_of_events(void **state)
{
    session *s = *state;
    begin(s);
    session_rules(s, "<event name=\"dev.loupe.Request\"><setting name=\"request\">test.Trace"
                     "</setting><setting name=\"request-keep\">whole</setting></event>");
    part(s, 100, 8 * SECOND, 2, PAY, 3);
    part(s, SECOND, SECOND + 10, 1, PAY, 3);
    session_trace(s, GONE, 500, 600, 2);
    session_chunk(s, 2 * SECOND);
    session_mark(s, KEPT, 2 * SECOND + 5, 1);
    session_trace(s, KEPT, SECOND / 2, 2 * SECOND + 10, 1);
    session_chunk(s, 9 * SECOND);
    session_run(s);
    session_expect_parts(s, 0, "#2 1000000000..1000000010 @1 route=\"/pay\"");
    assert_int_equal(s->results[0].stats.requests_in, 1);
    assert_int_equal(s->results[0].stats.requests_out, 0);
    assert_int_equal(s->results[1].stats.requests_in, 1);
    assert_int_equal(s->results[1].stats.requests_out, 1);
}

// A contextual event that began in the chunk before, of which the stay is cut at the border.
static void
test_an_event_over_a_border_stays(void **state)
{
    session *s = *state;
    begin(s);
    whole(s);
    session_chunk(s, 10 * SECOND);
    session_trace(s, KEPT, 9 * SECOND, 11 * SECOND, 1);
    session_chunk(s, 20 * SECOND);
    session_run(s);
    assert_int_equal(s->results[1].stats.requests_out, 1);
    expect_same_again(s, 1);
}

// compact_before compacts a chunk of a session with these behind it.
static void
compact_before(session *s, size_t chunk, const compact_source *nexts, size_t next_count,
    bool has_ended, const compact_carry *carry, compact_result *out)
{
    const compact_options options = {.policy = s->rules,
        .refused = COMPACT_REFUSED_ALL,
        .has_requests = true,
        .has_ended = has_ended};
    for (uint64_t key = 1; key <= 4; key++) {
        jfr_sample_thread(&s->chunks[chunk], key, (int64_t)key);
    }
    jfr_build_checkpoint(&s->chunks[chunk]);
    const compact_source source = {
        .jfr = jfr_build_finish(&s->chunks[chunk]),
        .records = lp_buf_slice(&s->records[chunk]),
        .types = s->types[chunk],
        .type_count = s->type_count[chunk],
        .recordings = s->recordings[chunk],
        .recording_count = s->recording_count[chunk],
    };
    assert_int_equal(compact_chunk(&source, nexts, next_count, carry, &options, out, NULL), LP_OK);
}

// compact_alone compacts a chunk of a session as if none followed.
static void
compact_alone(session *s, size_t chunk, const compact_carry *carry, compact_result *out)
{
    compact_before(s, chunk, NULL, 0, false, carry, out);
}

// No chunk behind can be read. While others may come, the requests that are open wait for these.
// Once the session has ended they count with the time so far, without an end; and if it goes on
// nevertheless, not once more.
static void
test_a_last_chunk_that_cannot_be_read_ends_requests(void **state)
{
    session *s = *state;
    const compact_source garbage = {.jfr = {(const uint8_t *)"garbage", 7}};
    const compact_source behind[] = {garbage, garbage};
    begin(s);
    session_root(s, SECOND, 1, 3, false);
    session_install_for(s, SECOND, 1, PAY, 3);
    session_install_for(s, SECOND, 2, PAY, 4);
    session_chunk(s, 10 * SECOND);
    session_uninstall(s, 11 * SECOND, 1);
    session_root(s, 11 * SECOND, 1, 3, true);
    session_uninstall(s, 11 * SECOND, 2);
    compact_result results[3];
    compact_before(s, 0, behind, 2, false, NULL, &results[0]);
    assert_int_equal(results[0].stats.requests_in, 0);
    compact_before(s, 0, behind, 2, true, NULL, &results[1]);
    assert_int_equal(results[1].stats.requests_in, 2);
    assert_int_equal(results[1].stats.request_losses.roots_without_end, 1);
    compact_carry *carry = compact_run_through_bytes(results[1].carry);
    compact_before(s, 1, NULL, 0, true, carry, &results[2]);
    assert_int_equal(results[2].stats.requests_in, 0);
    assert_int_equal(compact_request_losses_sum(&results[2].stats.request_losses), 0);
    compact_carry_destroy(carry);
    for (size_t i = 0; i < 3; i++) {
        compact_result_fini(&results[i]);
    }
}

// The JVM is silent for long, or the chunk behind cannot be read: the requests that are open count.
// Then there is another chunk, with their ends, and they do not count again.
static void
test_what_follows_an_end_counts_no_request_again(void **state)
{
    session *s = *state;
    begin(s);
    session_root(s, SECOND, 1, 3, false);
    session_install_for(s, SECOND, 1, PAY, 3);
    session_install_for(s, SECOND, 2, PAY, 4);
    session_set(s, SECOND, 3, "a");
    session_chunk(s, 100 * SECOND);
    session_uninstall(s, 101 * SECOND, 1);
    session_root(s, 101 * SECOND, 1, 3, true);
    session_uninstall(s, 101 * SECOND, 2);
    session_unset(s, 101 * SECOND, 3);
    part(s, 102 * SECOND, 103 * SECOND, 4, PAY, 6);
    compact_result results[2];
    compact_alone(s, 0, NULL, &results[0]);
    assert_int_equal(results[0].stats.requests_in, 3);
    assert_int_equal(results[0].stats.request_losses.roots_without_end, 1);
    compact_carry *carry = compact_run_through_bytes(results[0].carry);
    compact_alone(s, 1, carry, &results[1]);
    assert_int_equal(results[1].stats.requests_in, 1);
    assert_int_equal(compact_request_losses_sum(&results[1].stats.request_losses), 0);
    compact_carry_destroy(carry);
    compact_result_fini(&results[0]);
    compact_result_fini(&results[1]);
}

// The same with a policy: a request that is open where the session seems to end may turn out to be
// slow, so it is kept there. The first one goes on for two chunks and is slow, the second ends in
// the next one and is not, and the policy drops the third. The fourth was over but for a part that
// may come, which does.
static void
test_requests_outlast_an_end_that_seemed_to_be(void **state)
{
    session *s = *state;
    const int64_t late = SECOND - 1000;
    begin(s);
    session_rules(s, "<event name=\"dev.loupe.Request\">"
                     "<setting name=\"keep-slow\">500 ms</setting>"
                     "<setting name=\"drop\">has-entry route=/ping</setting></event>");
    session_root(s, late, 1, 3, false);
    session_install_for(s, late, 1, PAY, 3);
    session_root(s, late, 2, 5, false);
    session_install_for(s, late, 2, PAY, 5);
    session_root(s, late, 3, 7, false);
    session_install_for(s, late, 3, PING, 7);
    part(s, late, late + 100, 4, PAY, 8);
    session_chunk(s, SECOND + 1000);
    session_uninstall(s, SECOND + 2000, 2);
    session_root(s, SECOND + 2000, 2, 5, true);
    session_uninstall(s, SECOND + 2000, 3);
    session_root(s, SECOND + 2000, 3, 7, true);
    part(s, SECOND + 2000, 2 * SECOND, 4, PAY, 8);
    session_chunk(s, 10 * SECOND);
    session_uninstall(s, 11 * SECOND, 1);
    session_root(s, 11 * SECOND, 1, 3, true);
    compact_carry *carry = NULL;
    for (size_t i = 0; i < 3; i++) {
        compact_alone(s, i, carry, &s->results[i]);
        compact_run_read(&s->results[i], &s->outputs[i]);
        compact_carry_destroy(carry);
        carry = compact_run_through_bytes(s->results[i].carry);
        assert_int_equal(s->results[i].stats.requests_in, i == 0 ? 4 : 0);
    }
    s->has_run = true;
    compact_carry_destroy(carry);
    expect_requests(
        s, 0, "1 999999000+1001 1001-0-0 1 unended open, 2 999999000+1001 1001-0-0 1 unended open");
    expect_requests(s, 1,
        "1 1000000001+1000001000 1000002001-0-0 1 unended open, "
        "2 1000000001+1999 3000-0-0 1 over open, "
        "3 1000002000+999998000 1000001000-0-2900 2 over slow");
    expect_requests(s, 2,
        "1 2000001001+8999998999 10000001000-0-0 1 over slow, "
        "3 2000000000+0 1000001000-0-2900 2 over slow");
}

static void
expect_reasons(const session *s, size_t chunk, compact_request_reasons want)
{
    const compact_request_reasons *found = &s->results[chunk].stats.request_reasons;
    for (size_t i = 0; i < COMPACT_REQUEST_KEPT_COUNT; i++) {
        assert_int_equal(found->kept[i], want.kept[i]);
    }
    for (size_t i = 0; i < COMPACT_REQUEST_DROPPED_COUNT; i++) {
        assert_int_equal(found->dropped[i], want.dropped[i]);
    }
}

// Each request counts by reason where it counts, also if it was decided with the chunk before: the
// ends of the last three are known there, but for another part that may come.
static void
test_reasons_count_where_requests_do(void **state)
{
    session *s = *state;
    const int64_t late = 8 * SECOND + SECOND / 2;
    begin(s);
    session_rules(s, "<event name=\"dev.loupe.Request\">"
                     "<setting name=\"request-keep\">whole</setting>"
                     "<setting name=\"drop\">has-entry route=/ping</setting>"
                     "<setting name=\"budget\">16/d</setting></event>");
    part(s, SECOND, SECOND + 100, 1, PAY, 4);
    session_mark(s, KEPT, SECOND + 50, 1);
    part(s, SECOND + 200, SECOND + 300, 1, PAY, 4); // for this one the budget goes
    part(s, late, late + 100, 1, PAY, 6);
    session_mark(s, KEPT, late + 50, 1);
    part(s, late, late + 100, 2, PING, 8);
    session_mark(s, KEPT, late + 50, 2);
    part(s, late, late + 100, 3, PAY, 10);
    session_chunk(s, 10 * SECOND);
    session_chunk(s, 20 * SECOND);
    session_run(s);
    expect_reasons(s, 0, (compact_request_reasons){.kept[COMPACT_REQUEST_KEPT_EVENT] = 1});
    expect_reasons(s, 1,
        (compact_request_reasons){
            .kept[COMPACT_REQUEST_KEPT_PARTS] = 1,
            .dropped[COMPACT_REQUEST_DROPPED_BUDGET] = 1,
            .dropped[COMPACT_REQUEST_DROPPED_DROP] = 1,
        });
    assert_int_equal(s->results[1].stats.requests_in, 3);
}

// Three requests outlast a chunk, which keeps them as open. Something happens in the first one in
// that chunk and in the second one in the next, so these are kept for an event. In the third one
// nothing does.
static void
test_what_was_kept_as_open_has_no_event(void **state)
{
    session *s = *state;
    begin(s);
    whole(s);
    const int64_t late = 10 * SECOND - 1000;
    for (int64_t i = 1; i <= 3; i++) {
        session_root(s, late, i, (uint64_t)(2 * i + 1), false);
        part(s, late, late + 100, i, PAY, (uint64_t)(2 * i + 1));
    }
    session_mark(s, KEPT, late + 50, 1);
    session_chunk(s, 10 * SECOND);
    for (int64_t i = 1; i <= 3; i++) {
        part(s, 10 * SECOND, 10 * SECOND + 100, i, PAY, (uint64_t)(2 * i + 1));
        session_root(s, 10 * SECOND + 100, i, (uint64_t)(2 * i + 1), true);
    }
    session_mark(s, KEPT, 10 * SECOND + 50, 2);
    session_chunk(s, 20 * SECOND);
    session_run(s);
    expect_reasons(s, 0, (compact_request_reasons){{0}, {0}});
    expect_reasons(s, 1,
        (compact_request_reasons){
            .kept[COMPACT_REQUEST_KEPT_EVENT] = 2, .kept[COMPACT_REQUEST_KEPT_OPEN] = 1});
    assert_int_equal(s->results[1].stats.requests_out, 3);
}

// A request of three chunks, for which no thread works in the last two: the second chunk has no
// event of it, and not even the type, and the third has its end.
static void
test_a_request_that_waits_elsewhere_ends(void **state)
{
    session *s = *state;
    begin(s);
    whole(s);
    session_root(s, SECOND, 1, 3, false);
    part(s, SECOND, SECOND + 100, 1, PAY, 3);
    session_chunk(s, 10 * SECOND);
    session_chunk(s, 20 * SECOND);
    session_root(s, 21 * SECOND, 2, 3, true);
    session_run(s);
    expect_requests(s, 0, "1 1000000000+100 9000000000-0-8999999900 1 open open");
    for (size_t i = 0; i < s->outputs[1].types.count; i++) {
        assert_string_not_equal(s->outputs[1].types.items[i].name, JFR_REQUEST_TYPE);
    }
    expect_requests(s, 2, "1 21000000000+0 20000000000-0-19999999900 1 over slow");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_a_request_is_kept_whole),
        SESSION_TEST(test_parts_decide_without_a_policy),
        SESSION_TEST(test_slow_requests_are_kept),
        SESSION_TEST(test_dropped_requests_leave_nothing),
        SESSION_TEST(test_a_request_over_a_border_is_kept),
        SESSION_TEST(test_events_nest),
        SESSION_TEST(test_an_event_over_a_border_stays),
        SESSION_TEST(test_a_request_that_waits_elsewhere_ends),
        SESSION_TEST(test_what_follows_an_end_counts_no_request_again),
        SESSION_TEST(test_a_last_chunk_that_cannot_be_read_ends_requests),
        SESSION_TEST(test_requests_outlast_an_end_that_seemed_to_be),
        SESSION_TEST(test_reasons_count_where_requests_do),
        SESSION_TEST(test_what_was_kept_as_open_has_no_event),
        SESSION_TEST(test_the_policy_names_the_attribute),
        SESSION_TEST(test_entries_name_the_request),
        SESSION_TEST(test_entries_lead_to_a_request_with_a_root),
        SESSION_TEST(test_usual_names_are_keys_of_entries),
        SESSION_TEST(test_values_of_any_kind_name_the_request),
        SESSION_TEST(test_fields_of_events_name_the_request),
        SESSION_TEST(test_the_policy_names_the_type),
        SESSION_TEST(test_the_type_may_be_of_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
