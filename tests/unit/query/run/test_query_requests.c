// SPDX-License-Identifier: Apache-2.0
// Queries for requests over chunks made by hand, with ticks of a nanosecond. Each request is
// answered once, with the events of its stays on all threads and the attributes of its parts. The
// parts of its time add up to its duration. Each answer becomes a line; the expected lines are
// written by hand.
//
// Cost: 300 random sessions, less than a second.

#include "support/chance.h"
#include "support/query_world.h"

#include "query/detail/detail.h"
#include "query/graph/profile.h"
#include "query/list/listing_json.h"
#include "query/run/request_contexts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// More types than jfr_sample has.
enum {
    ENTER = 201,     // jdk.JavaMonitorEnter: startTime duration eventThread
    PARK = 202,      // jdk.ThreadPark: the same
    PAUSE = 203,     // jdk.GCPhasePause: startTime duration
    REQUEST = 204,   // dev.loupe.Request
    HAND_OVER = 205, // dev.loupe.HandOver
    ROUTE = 206,     // shop.Route: startTime duration eventThread route user
};

enum { REQUESTS_MAX = 4 };

#define FIELD(field_name, type_id)                                                                 \
    {                                                                                              \
        .name = (field_name), .type = (type_id)                                                    \
    }
#define CONTEXTUAL(field_name, type_id)                                                            \
    {                                                                                              \
        .name = (field_name), .type = (type_id), .annotation = JFR_SAMPLE_CONTEXTUAL               \
    }

static const jfr_build_type more_types[] = {
    {.id = ENTER,
        .name = "jdk.JavaMonitorEnter",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION, JFR_SAMPLE_EVENT_THREAD}},
    {.id = PARK,
        .name = "jdk.ThreadPark",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION, JFR_SAMPLE_EVENT_THREAD}},
    {.id = PAUSE,
        .name = "jdk.GCPhasePause",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION}},
    {.id = REQUEST,
        .name = "dev.loupe.Request",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION, JFR_SAMPLE_EVENT_THREAD,
            CONTEXTUAL("id", JFR_SAMPLE_STRING), FIELD("requestStart", JFR_SAMPLE_LONG),
            CONTEXTUAL("requestDuration", JFR_SAMPLE_LONG), FIELD("busy", JFR_SAMPLE_LONG),
            FIELD("queued", JFR_SAMPLE_LONG), FIELD("elsewhere", JFR_SAMPLE_LONG),
            FIELD("parts", JFR_SAMPLE_LONG), FIELD("state", JFR_SAMPLE_STRING),
            FIELD("keptBy", JFR_SAMPLE_STRING), FIELD("type", JFR_SAMPLE_STRING)}},
    {.id = HAND_OVER,
        .name = "dev.loupe.HandOver",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION, JFR_SAMPLE_EVENT_THREAD,
            {.name = "from", .type = JFR_SAMPLE_THREAD, .is_constant = true},
            FIELD("request", JFR_SAMPLE_STRING)}},
    {.id = ROUTE,
        .name = "shop.Route",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION, JFR_SAMPLE_EVENT_THREAD,
            CONTEXTUAL("route", JFR_SAMPLE_STRING), CONTEXTUAL("user", JFR_SAMPLE_STRING)}},
};

enum { MORE_TYPES = sizeof(more_types) / sizeof(more_types[0]) };

// begin_chunk begins the next chunk of the session.
static jfr_build *
begin_chunk(query_world *w, int64_t start_ticks)
{
    return query_world_begin_chunk(w, start_ticks, 1000000000, more_types, MORE_TYPES);
}

static void
add_event(jfr_build *build, uint64_t type, uint64_t thread, int64_t start, int64_t end)
{
    query_world_add_times(build, start, end);
    if (type != PAUSE) {
        jfr_build_varint(&build->payload, thread);
    }
    jfr_build_event(build, type);
}

static void
add_route(jfr_build *build, uint64_t thread, int64_t start, int64_t end, const char *route,
    const char *user)
{
    query_world_add_times(build, start, end);
    jfr_build_varint(&build->payload, thread);
    jfr_build_string(&build->payload, route);
    jfr_build_string(&build->payload, user);
    jfr_build_event(build, ROUTE);
}

// A request, by its events.
typedef struct said {
    const char *id;
    int64_t begin;
    int64_t duration;
    int64_t parts;
    const char *state;
    const char *type;
} said;

static void
add_request(jfr_build *build, const said *request, uint64_t thread, int64_t start, int64_t end)
{
    query_world_add_times(build, start, end);
    jfr_build_varint(&build->payload, thread);
    jfr_build_string(&build->payload, request->id);
    jfr_build_varint(&build->payload, (uint64_t)request->begin);
    jfr_build_varint(&build->payload, (uint64_t)request->duration);
    jfr_build_varint(&build->payload, 7);
    jfr_build_varint(&build->payload, 8);
    jfr_build_varint(&build->payload, 9);
    jfr_build_varint(&build->payload, (uint64_t)request->parts);
    jfr_build_string(&build->payload, request->state);
    jfr_build_string(&build->payload, "slow");
    jfr_build_string(&build->payload, request->type);
    jfr_build_event(build, REQUEST);
}

static void
add_hand_over(
    jfr_build *build, const char *id, uint64_t from, uint64_t to, int64_t handed, int64_t taken)
{
    query_world_add_times(build, handed, taken);
    jfr_build_varint(&build->payload, to);
    jfr_build_varint(&build->payload, from);
    jfr_build_string(&build->payload, id);
    jfr_build_event(build, HAND_OVER);
}

// --- Queries

// expect_whole checks that the parts of a request make up its duration.
static void
expect_whole(const query_answer *answer)
{
    int64_t sum = answer->left_ns;
    for (size_t i = 0; i < answer->row_count; i++) {
        sum += answer->spans[i].own_ns;
    }
    for (size_t i = 0; i < answer->pause_count; i++) {
        sum += answer->pauses[i].own_ns;
    }
    assert_int_equal(sum, answer->duration_ns);
}

static void
say_rows(query_world *w, const query_answer *answer)
{
    for (size_t i = 0; i < answer->row_count; i++) {
        const query_row *row = &answer->rows[answer->spans[i].event];
        query_world_say(w, ", %s %lld",
            row->category == TIME_QUEUED || row->category == TIME_ELSEWHERE
                ? time_category_name((time_category)row->category)
                : query_world_short_name(w, row->type),
            (long long)answer->spans[i].own_ns);
        if (row->frame != QUERY_NAME_NONE) {
            query_world_say(w, " by %s", query_names_text(&w->names, row->frame));
        }
    }
    for (size_t i = 0; i < answer->pause_count; i++) {
        query_world_say(w, ", %s %lld", query_world_short_name(w, answer->pause_rows[i].type),
            (long long)answer->pauses[i].own_ns);
    }
}

static lp_err
on_request(void *arg, const query_answer *answer)
{
    query_world *w = arg;
    const query_request_facts *facts = &answer->request->facts;
    char id[QUERY_REQUEST_ID_BYTES];
    query_request_id_format(facts->id, id);
    query_world_say(w, "%s %s %s %lld+%lld left %lld", id + 14,
        query_world_short_name(w, answer->context->type), query_names_text(&w->names, facts->state),
        query_world_after(answer->begin_wall_ns), (long long)answer->duration_ns,
        (long long)answer->left_ns);
    say_rows(w, answer);
    for (size_t i = 0; i < (w->wants_attributes ? answer->attribute_count : 0); i++) {
        const query_attribute *attribute = &answer->attributes[i].attribute;
        query_world_say(w, " %s=%.*s", attribute->name, (int)attribute->value.len,
            (const char *)attribute->value.ptr);
    }
    query_world_say(w, "\n");
    expect_whole(answer);
    assert_int_equal(answer->context->parent, QUERY_NO_CONTEXT);
    return LP_OK;
}

static query_selection
select_requests(const char *name, const char *value)
{
    lp_problem problem;
    query_selection selection = query_selection_begin(false);
    selection.unit = QUERY_UNIT_REQUESTS;
    if (name != NULL) {
        assert_int_equal(query_selection_set(&selection, name, value, &problem), LP_OK);
        assert_int_equal(query_selection_check(&selection, &problem), LP_OK);
    }
    return selection;
}

// expect asks with one parameter or none, and compares the lines.
static void
expect(query_world *w, const char *name, const char *value, const char *lines)
{
    const query_selection selection = select_requests(name, value);
    const query_sources sources = query_world_sources(w);
    const query_question question = {
        .sources = &sources,
        .selection = &selection,
        .wants_frames = true,
        .attributes = w->wants_attributes ? &w->attributes : NULL,
        .on_context = on_request,
        .arg = w,
    };
    w->lines[0] = '\0';
    assert_int_equal(query_run(&question, &w->names, &w->outcome), LP_OK);
    assert_string_equal(w->lines, lines);
    assert_false(w->outcome.is_truncated);
}

// --- Times

static const said one = {"0000000000000001", 100, 100, 2, "over", "shop.Route"};
static const said other = {"0000000000000002", 120, 30, 1, "over", "shop.Order"};

// Thread 1 works from 100 to 140 and hands a task over, which thread 2 does from 160 to 190.
static jfr_build *
add_one(query_world *w)
{
    jfr_build *build = begin_chunk(w, 100);
    add_request(build, &one, 1, 100, 140);
    add_request(build, &one, 2, 160, 190);
    add_hand_over(build, one.id, 1, 2, 130, 160);
    add_event(build, ENTER, 1, 110, 130);
    add_event(build, PARK, 2, 170, 185);
    add_event(build, ENTER, 1, 145, 158); // in no stay
    add_route(build, 1, 100, 140, "/orders", NULL);
    add_route(build, 2, 160, 190, "/task", "bob");
    return build;
}

static void
test_a_request_has_the_events_of_its_stays(void **state)
{
    (void)state;
    query_world w = {0};
    (void)add_one(&w);
    query_world_finish(&w);
    // Left: 100 to 110, 130 to 140, 160 to 170, 185 to 190. Queued: 140 to 160. Then 190 to 200.
    expect(&w, NULL, NULL,
        "01 Route over 100+100 left 35, JavaMonitorEnter 20, ThreadPark 15, queued 20 by thread-*, "
        "elsewhere 10\n");
    assert_int_equal(w.outcome.contexts, 1);
    query_world_fini(&w);
}

static void
test_a_pause_counts_in_a_stay(void **state)
{
    (void)state;
    query_world w = {0};
    jfr_build *build = add_one(&w);
    add_event(build, PAUSE, 0, 135, 165);
    query_world_finish(&w);
    expect(&w, NULL, NULL,
        "01 Route over 100+100 left 25, JavaMonitorEnter 20, ThreadPark 15, queued 20 by thread-*, "
        "elsewhere 10, GCPhasePause 10\n");
    query_world_fini(&w);
}

static void
test_requests_side_by_side(void **state)
{
    (void)state;
    query_world w = {0};
    jfr_build *build = add_one(&w);
    add_request(build, &other, 2, 120, 145);
    add_event(build, PARK, 2, 125, 140);
    query_world_finish(&w);
    expect(&w, NULL, NULL,
        "02 Order over 120+30 left 10, ThreadPark 15, elsewhere 5\n"
        "01 Route over 100+100 left 35, JavaMonitorEnter 20, ThreadPark 15, queued 20 by thread-*, "
        "elsewhere 10\n");
    query_world_fini(&w);
}

// An event goes on where a chunk ends. The latest numbers count.
static void
test_a_stay_goes_on_in_the_next_chunk(void **state)
{
    (void)state;
    static const said before = {"0000000000000001", 90, 110, 1, "open", "shop.Route"};
    static const said behind = {"0000000000000001", 90, 210, 4, "over", "shop.Route"};
    query_world w = {0};
    jfr_build *first = begin_chunk(&w, 100);
    jfr_build *second = begin_chunk(&w, 200);
    jfr_build *third = begin_chunk(&w, 300);
    add_request(first, &before, 1, 100, 199);
    add_request(second, &behind, 1, 200, 250);
    add_event(second, ENTER, 1, 150, 240);
    add_request(third, &behind, 1, 300, 300); // it ended where no thread worked for it
    query_world_finish(&w);
    // It began at 90, ten before a thread worked for it.
    expect(&w, NULL, NULL, "01 Route over 90+210 left 60, JavaMonitorEnter 90, elsewhere 60\n");
    query_world_fini(&w);
}

static void
test_a_request_that_no_thread_works_for(void **state)
{
    (void)state;
    static const said alone = {"0000000000000003", 110, 90, 0, "over", ""};
    query_world w = {0};
    jfr_build *build = begin_chunk(&w, 100);
    add_request(build, &alone, 1, 200, 200);
    add_hand_over(build, alone.id, 1, 2, 120, 150);
    add_hand_over(build, "0000000000000009", 1, 2, 120, 150); // of a request without events
    query_world_finish(&w);
    expect(&w, NULL, NULL, "03  over 110+90 left 0, queued 30 by thread-*, elsewhere 60\n");
    query_world_fini(&w);
}

// Whatever a recording says, each moment counts once.
static void
test_absurd_times(void **state)
{
    (void)state;
    static const said absurd[] = {
        {"0000000000000001", INT64_MAX, INT64_MAX, 1, "over", ""},
        {"0000000000000002", INT64_MIN, INT64_MAX, 1, "over", ""},
        {"0000000000000003", 100, INT64_MAX, 1, "over", ""},
        {"0000000000000004", 100, INT64_MIN, INT64_MIN, "over", ""},
        {"0000000000000005", 150, 10, 1, "over", ""},
    };
    query_world w = {0};
    jfr_build *build = begin_chunk(&w, 100);
    for (size_t i = 0; i < sizeof(absurd) / sizeof(absurd[0]); i++) {
        add_request(build, &absurd[i], 1, 110, 120);
        add_request(build, &absurd[i], 2, INT64_MIN, INT64_MAX - 1);
        add_hand_over(build, absurd[i].id, 1, 2, INT64_MIN, 130);
    }
    add_event(build, ENTER, 1, INT64_MIN, 115);
    query_world_finish(&w);
    const query_selection selection = select_requests(NULL, NULL);
    const query_sources sources = query_world_sources(&w);
    const query_question question = {
        .sources = &sources, .selection = &selection, .on_context = on_request, .arg = &w};
    assert_int_equal(query_run(&question, &w.names, &w.outcome), LP_OK);
    query_world_fini(&w);
}

// --- Attributes and conditions

static void
test_the_attributes_of_the_first_part_win(void **state)
{
    (void)state;
    query_world w = {.wants_attributes = true};
    (void)add_one(&w);
    query_world_finish(&w);
    expect(&w, NULL, NULL,
        "01 Route over 100+100 left 35, JavaMonitorEnter 20, ThreadPark 15, queued 20 by thread-*, "
        "elsewhere 10 route=/orders user=bob\n");
    query_world_fini(&w);
}

static void
test_conditions(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        const char *value;
        bool has_one;
        bool has_other;
    } cases[] = {
        {"where", "route=/orders", true, false},
        {"where", "route=/task", false, false}, // of its second part
        {"where", "user=bob", true, false},
        {"where", "user!=bob", false, true},
        {"pool", "thread-*", true, true}, // a thread of it worked for them
        {"pool", "thread", false, false},
        {"context", "Route", true, false},
        {"context", "shop.Order", false, true},
        {"min_duration_ns", "31", true, false},
        {"max_duration_ns", "99", false, true},
        {"from", "1700000000000000101", false, true},
        {"to", "1700000000000000120", true, false},
        {"thread", "thread-11", true, false},
        {"thread", "12", true, true},
        {"request", "0000000000000002", false, true},
        {"request", "0000000000000003", false, false},
    };
    query_world w = {0};
    jfr_build *build = add_one(&w);
    add_request(build, &other, 2, 120, 145);
    query_world_finish(&w);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char lines[QUERY_WORLD_LINES_BYTES];
        (void)snprintf(lines, sizeof(lines), "%s%s",
            cases[i].has_other ? "02 Order over 120+30 left 25, elsewhere 5\n" : "",
            cases[i].has_one
                ? "01 Route over 100+100 left 35, JavaMonitorEnter 20, ThreadPark 15, queued 20 by "
                  "thread-*, elsewhere 10\n"
                : "");
        expect(&w, cases[i].name, cases[i].value, lines);
    }
    query_world_fini(&w);
}

static void
test_parameters_of_other_units_are_refused(void **state)
{
    (void)state;
    lp_problem problem;
    query_selection selection = select_requests(NULL, NULL);
    assert_int_equal(query_selection_set(&selection, "id", "6f1a-9f86d081", &problem), LP_OK);
    assert_int_equal(query_selection_check(&selection, &problem), LP_ECORRUPT);
    assert_string_equal(problem.text, "id: only of contexts, not of requests");
    selection = query_selection_begin(false);
    assert_int_equal(
        query_selection_set(&selection, "request", "0000000000000001", &problem), LP_OK);
    assert_int_equal(query_selection_check(&selection, &problem), LP_ECORRUPT);
    assert_string_equal(problem.text, "request: only of requests, not of contexts");
    static const char *const wrong[] = {
        "", "1", "0000000000000000", "000000000000000g", "00000000000000001", "000000000000000A"};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        selection = query_selection_begin(false);
        assert_int_equal(
            query_selection_set(&selection, "request", wrong[i], &problem), LP_ECORRUPT);
    }
}

// --- Requests are no contexts

static lp_err
on_context(void *arg, const query_answer *answer)
{
    query_world *w = arg;
    query_world_say(w, "%s %lld+%lld", query_world_short_name(w, answer->context->type),
        query_world_after(answer->begin_wall_ns), (long long)answer->duration_ns);
    say_rows(w, answer);
    query_world_say(w, "\n");
    return LP_OK;
}

static void
expect_others(query_world *w, query_unit unit, const char *lines)
{
    query_selection selection = query_selection_begin(false);
    selection.unit = unit;
    const query_sources sources = query_world_sources(w);
    const query_question question = {
        .sources = &sources, .selection = &selection, .on_context = on_context, .arg = w};
    w->lines[0] = '\0';
    assert_int_equal(query_run(&question, &w->names, &w->outcome), LP_OK);
    assert_string_equal(w->lines, lines);
}

static void
test_requests_are_no_contexts_and_no_events_in_them(void **state)
{
    (void)state;
    query_world w = {0};
    (void)add_one(&w);
    query_world_finish(&w);
    expect_others(&w, QUERY_UNIT_CONTEXTS,
        "Route 100+40, JavaMonitorEnter 20\nRoute 160+30, ThreadPark 15\n");
    expect_others(&w, QUERY_UNIT_THREADS,
        " 100+58, JavaMonitorEnter 20, JavaMonitorEnter 13\n 160+30, ThreadPark 15\n");
    query_world_fini(&w);
}

// --- Lists and details

static const char *
recording(const void *arg, uint32_t source)
{
    (void)source;
    return arg;
}

static lp_err
on_listed(void *arg, const query_answer *answer)
{
    return query_listing_add(arg, answer);
}

static char *
list(query_world *w, query_listing *listing)
{
    const query_selection selection = select_requests(NULL, NULL);
    const query_sources sources = query_world_sources(w);
    const query_question question = {
        .sources = &sources,
        .selection = &selection,
        .contexts_only = true,
        .attributes = &w->attributes,
        .on_context = on_listed,
        .arg = listing,
    };
    assert_int_equal(query_run(&question, &w->names, &w->outcome), LP_OK);
    assert_int_equal(query_listing_read(listing, &sources, &w->names, NULL), LP_OK);
    json_t *json = query_listing_json(
        listing, QUERY_UNIT_REQUESTS, &w->names, &w->outcome, true, recording, "a.jfr");
    char *text = json_dumps(json, JSON_COMPACT);
    json_decref(json);
    return text;
}

static void
test_a_list_in_pages(void **state)
{
    (void)state;
    query_world w = {0};
    jfr_build *build = add_one(&w);
    add_request(build, &other, 2, 120, 145);
    query_world_finish(&w);
    query_listing first = {.sort = QUERY_SORT_DURATION, .limit = 1};
    char *text = list(&w, &first);
    assert_string_equal(text,
        "{\"t0_ns\":\"1700000000000000100\",\"columns\":[\"recording\",\"type\",\"start\","
        "\"duration\",\"busy\",\"queued\",\"elsewhere\",\"parts\",\"state\",\"kept_by\",\"id\","
        "\"attr.route\",\"attr.user\"],\"rows\":[[\"a.jfr\",\"shop.Route\",0,100,7,8,9,2,\"over\","
        "\"slow\",\"0000000000000001\",\"/"
        "orders\",\"bob\"]],\"matched\":2,\"p50_ns\":32,\"p99_ns\":107,\"is_truncated\":false,"
        "\"next\":\"d.-100.1700000000000000100.1\"}");
    free(text);
    query_listing second = {.sort = QUERY_SORT_DURATION, .limit = 1, .after = &first.next};
    text = list(&w, &second);
    assert_non_null(strstr(text, "\"rows\":[[\"a.jfr\",\"shop.Order\",0,30,7,8,9,1,\"over\","
                                 "\"slow\",\"0000000000000002\"]]"));
    assert_non_null(strstr(text, "\"next\":null"));
    free(text);
    query_listing_fini(&first);
    query_listing_fini(&second);
    query_world_fini(&w);
}

static lp_err
on_found(void *arg, const query_answer *answer)
{
    return query_detail_add(arg, answer);
}

static void
test_one_request_on_one_time_axis(void **state)
{
    (void)state;
    query_world w = {0};
    jfr_build *build = add_one(&w);
    add_event(build, PAUSE, 0, 135, 165);
    query_world_finish(&w);
    const query_selection selection = select_requests("request", one.id);
    const query_sources sources = query_world_sources(&w);
    query_detail detail = query_detail_begin(QUERY_UNIT_REQUESTS, &w.names);
    query_question question = {
        .sources = &sources, .selection = &selection, .on_context = on_found, .arg = &detail};
    query_detail_prepare(&detail, &question);
    assert_int_equal(query_run(&question, &w.names, &w.outcome), LP_OK);
    assert_true(detail.is_found);
    json_t *json = NULL;
    assert_int_equal(query_detail_read(&detail, &sources, &w.names, NULL), LP_OK);
    assert_int_equal(
        query_detail_json(&detail, "a.jfr", &sources, &w.names, &w.outcome, NULL, &json), LP_OK);
    assert_int_equal(json_array_size(json_object_get(json_object_get(json, "events"), "rows")), 3);
    assert_int_equal(
        json_integer_value(json_object_get(json_object_get(json, "why"), "total_ns")), 100);
    (void)json_object_del(json, "events");
    (void)json_object_del(json, "why");
    for (size_t i = 0; i < 2; i++) { // their ids: ctx_ref.h
        json_t *part = json_array_get(json_object_get(json, "parts"), i);
        assert_int_equal(json_object_del(part, "id"), 0);
    }
    char *text = json_dumps(json, JSON_COMPACT);
    assert_string_equal(text,
        "{\"t0_ns\":\"1700000000000000100\",\"recording\":\"a.jfr\",\"id\":\"0000000000000001\","
        "\"type\":\"shop.Route\",\"state\":\"over\",\"kept_by\":\"slow\",\"duration\":100,"
        "\"busy\":7,\"queued\":8,\"elsewhere\":9,\"part_count\":2,\"attributes\":{\"route\":"
        "\"/orders\",\"user\":\"bob\"},\"threads\":[{\"name\":\"thread-11\",\"id\":11},{\"name\":"
        "\"thread-12\",\"id\":12}],\"stays\":[{\"thread\":0,\"start\":0,\"duration\":40},"
        "{\"thread\":1,\"start\":60,\"duration\":30}],\"parts\":[{\"type\":\"shop.Route\","
        "\"thread\":0,\"start\":0,\"duration\":40,\"attributes\":{\"route\":\"/orders\",\"user\":"
        "null}},{\"type\":\"shop.Route\",\"thread\":1,\"start\":60,\"duration\":30,"
        "\"attributes\":{\"route\":\"/task\",\"user\":\"bob\"}}],\"hand_overs\":[{\"from\":"
        "\"thread-11\",\"from_id\":11,\"to\":\"thread-12\",\"to_id\":12,\"pool\":\"thread-*\","
        "\"start\":30,\"duration\":30}],"
        "\"owners\":[],\"is_truncated\":false}");
    free(text);
    json_decref(json);
    query_detail_fini(&detail);
    query_world_fini(&w);
}

static lp_err
on_profiled(void *arg, const query_answer *answer)
{
    return query_profile_add(arg, answer, 0);
}

// A pool is a frame, and what waits for it is below.
static void
test_a_profile_has_what_was_queued_by_pool(void **state)
{
    (void)state;
    query_world w = {0};
    (void)add_one(&w);
    query_world_finish(&w);
    const query_selection selection = select_requests(NULL, NULL);
    const query_sources sources = query_world_sources(&w);
    query_profile profile = query_profile_begin(QUERY_MEASURE_TIME, &w.names);
    query_question question = {
        .sources = &sources, .selection = &selection, .on_context = on_profiled, .arg = &profile};
    query_profile_prepare(&profile, &question);
    assert_int_equal(query_run(&question, &w.names, &w.outcome), LP_OK);
    assert_int_equal(query_profile_finish(&profile, NULL), LP_OK);
    assert_int_equal(profile.totals[0].value, 100);
    for (size_t i = 0; i < profile.cells.count; i++) {
        const query_cell *cell = &profile.cells.items[i];
        const query_stack_node *node = &profile.stacks.nodes.items[cell->stack];
        const char *below =
            query_names_text(&w.names, profile.stacks.nodes.items[node->parent].name);
        query_world_say(&w, "%s %s %lld\n", below, query_names_text(&w.names, node->name),
            (long long)cell->sides[0].value);
    }
    assert_string_equal(w.lines,
        " [lock] 20\n [park] 15\nthread-* [queued] 20\n [elsewhere] 10\n [not accounted] 35\n");
    query_profile_fini(&profile);
    query_world_fini(&w);
}

// --- Random sessions

typedef struct random_world {
    query_world w;
    uint64_t seed;
    uint32_t answered;
} random_world;

static int64_t
below(random_world *r, int64_t limit)
{
    return (int64_t)chance_below(&r->seed, (uint64_t)limit);
}

static lp_err
on_random(void *arg, const query_answer *answer)
{
    random_world *r = arg;
    expect_whole(answer);
    r->answered |= 1u << answer->request->facts.id;
    return LP_OK;
}

// add_random adds stays, events and hand-overs of random requests to a chunk.
static void
add_random(random_world *r, jfr_build *build, int64_t from)
{
    static const uint64_t types[] = {ENTER, PARK, PAUSE};
    for (uint64_t thread = 1; thread <= 2; thread++) {
        for (int64_t at = from; at < from + 90;) {
            char id[QUERY_REQUEST_ID_BYTES];
            uint64_t number = 1 + (uint64_t)below(r, REQUESTS_MAX);
            const said request = {
                id, 50 * (int64_t)number, 40 + 60 * (int64_t)number, 1, "over", "shop.Route"};
            query_request_id_format(number, id);
            int64_t end = at + below(r, 30);
            add_request(build, &request, thread, at, end);
            add_hand_over(build, id, 1, 2, at - below(r, 20), at);
            add_event(build, types[below(r, 3)], thread, at - below(r, 10), at + below(r, 30));
            at = end + 1 + below(r, 10);
        }
    }
}

static void
test_parts_make_up_random_requests(void **state)
{
    (void)state;
    random_world r = {.seed = 7};
    for (size_t round = 0; round < 300; round++) {
        const query_selection selection = select_requests(NULL, NULL);
        r.w = (query_world){0};
        r.answered = 0;
        for (int64_t from = 100; from <= 300; from += 100) {
            add_random(&r, begin_chunk(&r.w, from), from);
        }
        query_world_finish(&r.w);
        const query_sources sources = query_world_sources(&r.w);
        const query_question question = {
            .sources = &sources, .selection = &selection, .on_context = on_random, .arg = &r};
        assert_int_equal(query_run(&question, &r.w.names, &r.w.outcome), LP_OK);
        assert_int_equal(r.w.outcome.contexts, __builtin_popcount(r.answered));
        assert_false(r.w.outcome.is_truncated);
        query_world_fini(&r.w);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_request_has_the_events_of_its_stays),
        cmocka_unit_test(test_a_pause_counts_in_a_stay),
        cmocka_unit_test(test_requests_side_by_side),
        cmocka_unit_test(test_a_stay_goes_on_in_the_next_chunk),
        cmocka_unit_test(test_a_request_that_no_thread_works_for),
        cmocka_unit_test(test_absurd_times),
        cmocka_unit_test(test_the_attributes_of_the_first_part_win),
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_parameters_of_other_units_are_refused),
        cmocka_unit_test(test_requests_are_no_contexts_and_no_events_in_them),
        cmocka_unit_test(test_a_list_in_pages),
        cmocka_unit_test(test_one_request_on_one_time_axis),
        cmocka_unit_test(test_a_profile_has_what_was_queued_by_pool),
        cmocka_unit_test(test_parts_make_up_random_requests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
