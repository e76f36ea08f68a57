// SPDX-License-Identifier: Apache-2.0
// Filters in the engine, the policy's and those that a JVM sets: events by the RecordingContext
// that was installed, by hand and against a naive decision on random sessions.

#include "support/chance.h"
#include "support/large.h"
#include "unit/engine/compact_session.h"

#include <stdio.h>
#include <string.h>

enum {
    MAPS = 4,
    THREADS = 4,
    ROUNDS = 200,
    ROUNDS_SHORT = 60,
    STEPS = 60,
    PARTS = 3, // chunks
};

static ctx_entry first[] = {{.key = "a", .value = SESSION_VALUE("1")}};
static ctx_entry second[] = {
    {.key = "a", .value = SESSION_VALUE("2")}, {.key = "b", .value = SESSION_VALUE("1")}};
static ctx_entry third[] = {{.key = "b", .is_null = true}};
static const ctx_recording maps[MAPS] = {
    {1, 1, first}, {2, 2, second}, {3, 1, third}, {4, 0, NULL}};

// begin makes the first chunk, of a session with a filter in its policy and whatever else a setting
// can say.
static void
begin(session *s, const char *filter, const char *more)
{
    char text[512];
    (void)snprintf(text, sizeof(text),
        "<event name='test.Mark'><setting name='filter'>%s</setting>%s</event>", filter, more);
    session_rules(s, text);
    session_chunk(s, 0);
    session_define(s, maps, MAPS);
}

static void
test_only_what_matches_is_kept_and_triggers(void **state)
{
    session *s = *state;
    begin(s, "has-entry a=1", "");
    session_install(s, 10, 1, 1);
    session_install(s, 20, 1, 2);
    session_uninstall(s, 30, 1);
    session_mark(s, GONE, 9, 1);
    session_mark(s, KEPT, 10, 1);
    session_mark(s, KEPT, 20, 1); // the first still applies
    session_mark(s, GONE, 21, 1);
    session_mark(s, GONE, 31, 1);
    session_mark(s, GONE, 15, 2);
    session_plain(s, KEPT, 40, 41, 1); // another type
    session_run(s);
    // A kept event at 20 is in both: in this one it triggers, too.
    session_expect_parts(s, 0, "#1 10..20 @1 a=\"1\" b=\"null\", #2 20..30 @1 a=\"2\" b=\"1\"");
}

static void
test_no_context_is_one_where_none_applies(void **state)
{
    session *s = *state;
    begin(s, "has-no-context", "");
    session_install(s, 10, 1, 4); // a map without entries is a context
    session_uninstall(s, 30, 1);
    session_mark(s, KEPT, 9, 1);
    session_mark(s, GONE, 10, 1);
    session_mark(s, GONE, 30, 1);
    session_mark(s, KEPT, 31, 1);
    session_mark(s, KEPT, 20, 2);
    session_run(s);
    session_expect_parts(s, 0, "");
}

// The agent had no place for its map, which gives it the id 0.
static void
test_a_context_without_a_map_may_have_any_entry(void **state)
{
    session *s = *state;
    begin(s, "has-entry a=1 and has-null b", "<setting name='select'>if-context</setting>");
    session_install(s, 10, 1, 0);
    session_uninstall(s, 30, 1);
    session_mark(s, GONE, 9, 1);
    session_mark(s, KEPT, 20, 1);
    session_mark(s, GONE, 31, 1);
    session_run(s);
    session_expect_parts(s, 0, "#1 10..30 @1 a=\"null\" b=\"null\"");
}

static void
test_a_context_without_a_map_is_one(void **state)
{
    session *s = *state;
    begin(s, "has-no-context", "");
    session_install(s, 10, 1, 0);
    session_uninstall(s, 30, 1);
    session_mark(s, KEPT, 9, 1);
    session_mark(s, GONE, 20, 1);
    session_run(s);
    session_expect_parts(s, 0, "");
}

static void
test_select_comes_first(void **state)
{
    session *s = *state;
    begin(s, "has-no-context", "<setting name='select'>if-context</setting>");
    session_trace(s, KEPT, 10, 20, 1);
    session_trace(s, GONE, 30, 40, 1);
    session_install(s, 30, 1, 1);
    session_uninstall(s, 35, 1);
    session_mark(s, KEPT, 15, 1); // in a context, and in no RecordingContext
    session_mark(s, GONE, 32, 1);
    session_mark(s, GONE, 50, 1);
    session_mark(s, GONE, 51, 1);
    session_run(s);
    session_expect_parts(s, 0, "");
    const compact_dropped *dropped = &s->results[0].stats.events_dropped;
    assert_int_equal(dropped->by[COMPACT_BY_FILTER], 1); // at 32
    assert_int_equal(dropped->by[COMPACT_BY_SELECT], 3); // with the one from 30 to 40
}

// --- Filters of the JVM

// filters_of gives a chunk what came with it.
static void
filters_of(session *s, size_t chunk, const ctx_filter *filters, size_t count)
{
    s->filters[chunk] = filters;
    s->filter_count[chunk] = count;
}

static void
test_a_filter_holds_from_its_tick_to_the_next(void **state)
{
    session *s = *state;
    ctx_filter_rule key[] = {{"test.Mark", "has-key b"}};
    ctx_filter_rule entry[] = {{"test.Mark", "has-entry a=1"}};
    const ctx_filter filters[] = {{1, 15, 1, key}, {2, 25, 1, entry}, {3, 50, 0, NULL}};
    begin(s, "off", "");
    filters_of(s, 0, filters, 3);
    session_install(s, 10, 1, 1);
    session_install(s, 20, 1, 2);
    session_uninstall(s, 40, 1);
    session_mark(s, KEPT, 5, 1);
    session_mark(s, KEPT, 14, 1);
    session_mark(s, GONE, 15, 1);
    session_mark(s, KEPT, 21, 1);
    session_mark(s, GONE, 25, 1);
    session_mark(s, GONE, 49, 1);
    session_mark(s, KEPT, 50, 1);
    session_plain(s, KEPT, 30, 41, 1); // another type
    session_run(s);
}

static void
test_a_rule_of_its_own_goes_before_the_one_for_all(void **state)
{
    session *s = *state;
    ctx_filter_rule all_and_mark[] = {{"", "has-context"}, {"test.Mark", ""}};
    const ctx_filter filters[] = {{1, 0, 2, all_and_mark}};
    begin(s, "off", "");
    filters_of(s, 0, filters, 1);
    session_install(s, 10, 1, 1);
    session_uninstall(s, 40, 1);
    session_mark(s, KEPT, 5, 1);
    session_plain(s, GONE, 5, 6, 1);
    session_plain(s, KEPT, 5, 10, 1);
    // No context ever applies to a type without thread, and contextual ones are no events to
    // filter.
    session_event_of(s, KEPT, &(jfr_sample){JFR_SAMPLE_IDLE, 50, 60});
    session_trace(s, KEPT, 4, 6, 1);
    session_trace(s, GONE, 50, 60, 1);
    session_plain(s, GONE, 55, 56, 1);
    session_run(s);
}

static void
test_a_filter_outlives_chunks_and_is_known_by_its_id(void **state)
{
    session *s = *state;
    ctx_filter_rule none[] = {{"test.Mark", "has-context"}};
    const ctx_filter first_filter[] = {{7, 100, 1, none}};
    int64_t s_ticks = 1000000000;
    // The first comes again, as after a break of the connection.
    const ctx_filter again[] = {{7, 100, 1, none}, {8, 31 * s_ticks, 0, NULL}};
    begin(s, "off", "");
    filters_of(s, 0, first_filter, 1);
    session_mark(s, KEPT, 99, 1);
    session_mark(s, GONE, 100, 1);
    session_chunk(s, 10 * s_ticks);
    session_mark(s, GONE, 11 * s_ticks, 1);
    session_chunk(s, 20 * s_ticks);
    session_mark(s, GONE, 21 * s_ticks, 1);
    session_chunk(s, 30 * s_ticks);
    filters_of(s, 3, again, 2);
    session_mark(s, GONE, 31 * s_ticks - 1, 1);
    session_mark(s, KEPT, 31 * s_ticks, 1);
    session_run(s);
}

// How much of the next chunk is known is chance, and so is whether a filter is known that begins
// there. Sizes are longer than necessary, as in JVMs, and nothing describes one key.
static void
test_a_filter_of_the_next_chunk_changes_no_byte(void **state)
{
    ctx_filter_rule none[] = {{"test.Mark", "has-context"}};
    const ctx_filter next_filter[] = {{1, 2000000000, 1, none}};
    session *sessions[] = {*state, session_create()};
    for (size_t i = 0; i < 2; i++) {
        session *s = sessions[i];
        begin(s, "off", "");
        session_build(s)->size_width = 4;
        jfr_sample_stack(session_build(s), 100);
        session_trace(s, KEPT, 5, 20, 1);
        session_event_of(
            s, KEPT, &(jfr_sample){JFR_SAMPLE_PLAIN, 9, 10, .thread = 1, .stack = 100});
        session_event_of(
            s, KEPT, &(jfr_sample){JFR_SAMPLE_PLAIN, 9, 11, .thread = 1, .stack = 999});
        session_chunk(s, 1000000000);
        filters_of(s, 1, next_filter, i);
        session_run(s);
    }
    lp_slice with = lp_buf_slice(&sessions[1]->results[0].jfr);
    lp_slice without = lp_buf_slice(&sessions[0]->results[0].jfr);
    assert_int_equal(with.len, without.len);
    assert_memory_equal(with.ptr, without.ptr, with.len);
    session_destroy(sessions[1]);
}

// --- Against a naive decision

static uint64_t seed;

static uint64_t
draw(uint64_t below)
{
    return chance_below(&seed, below);
}

// Which maps were installed on which threads, in the simplest form.
typedef struct installation {
    int64_t thread;
    int64_t begin;
    int64_t end;
    uint64_t id;
} installation;

typedef struct naive {
    installation items[PARTS * STEPS];
    size_t count;
} naive;

static bool
has(uint64_t id, const char *key, const char *value)
{
    for (size_t i = 0; i < maps[id - 1].entry_count; i++) {
        const ctx_entry *entry = &maps[id - 1].entries[i];
        if (strcmp(entry->key, key) == 0) {
            return value == NULL || (!entry->is_null && entry->value.len == strlen(value) &&
                                        memcmp(entry->value.ptr, value, entry->value.len) == 0);
        }
    }
    return false;
}

enum { FILTERS = 7 };

static const char *const filters[FILTERS] = {"has-context", "has-no-context", "has-key a",
    "has-key b", "has-entry a=1", "has-entry a=2 and has-key b", "has-context and has-no-context"};

static bool
matches(size_t filter, uint64_t id)
{
    switch (filter) {
    case 0:
        return true;
    case 2:
        return has(id, "a", NULL);
    case 3:
        return has(id, "b", NULL);
    case 4:
        return has(id, "a", "1");
    case 5:
        return has(id, "a", "2") && has(id, "b", NULL);
    default:
        return false;
    }
}

static bool
is_kept(const naive *n, size_t filter, int64_t thread, int64_t time)
{
    bool is_in_any = false;
    for (size_t i = 0; i < n->count; i++) {
        const installation *item = &n->items[i];
        if (item->thread == thread && item->begin <= time && time <= item->end) {
            is_in_any = true;
            if (matches(filter, item->id)) {
                return true;
            }
        }
    }
    return !is_in_any && filter == 1;
}

static void
end_open(naive *n, int64_t thread, int64_t time)
{
    for (size_t i = 0; i < n->count; i++) {
        if (n->items[i].thread == thread && n->items[i].end == INT64_MAX) {
            n->items[i].end = time;
        }
    }
}

// A rule of a JVM's filter for a type.
enum { RULE_EMPTY = FILTERS, RULE_UNKNOWN, RULE_NONE };

enum { TYPE_ALL, TYPE_MARK, TYPE_PLAIN, TYPE_IDLE, TYPES };

static const char *const type_names[TYPES] = {"", "test.Mark", "test.Plain", "test.Idle"};

typedef struct filter_step {
    int64_t time;
    size_t rules[TYPES];
} filter_step;

typedef struct step {
    int64_t time;
    int64_t thread;
    uint64_t what; // a map to set, 0: unset, over MAPS: an event
    size_t type;   // of the event
    size_t chunk;  // where it is stored
} step;

// One session, as it is made up before any of it is built.
typedef struct plot {
    int64_t ticks; // of a unit of time
    int64_t starts[PARTS];
    bool are_early; // all filters come with the first chunk, as after a time without collector
    size_t policy;  // a filter for marks; RULE_NONE: none
    step steps[PARTS * STEPS];
    size_t step_count;
    filter_step filters[PARTS * STEPS];
    size_t filter_chunks[PARTS * STEPS]; // with which each of them comes, ascending
    size_t filter_count;
    ctx_filter made[PARTS * STEPS + PARTS];
    ctx_filter_rule rules[PARTS * STEPS][TYPES];
} plot;

// make_up_filter adds a filter at a time. It comes with that chunk, or late, with the next one.
static void
make_up_filter(plot *p, int64_t time, size_t chunk)
{
    filter_step *filter = &p->filters[p->filter_count];
    filter->time = time;
    for (size_t t = 0; t < TYPES; t++) {
        filter->rules[t] = draw(2) == 0 ? RULE_NONE : draw(RULE_NONE);
    }
    size_t before = p->filter_count == 0 ? 0 : p->filter_chunks[p->filter_count - 1];
    size_t late = chunk + (chunk + 1 < PARTS && draw(8) == 0);
    p->filter_chunks[p->filter_count++] = p->are_early ? 0 : late > before ? late : before;
}

static void
make_up(plot *p, naive *n)
{
    static const int64_t units[] = {1, 100000000}; // events of a chunk ago are recent, or are not
    *p = (plot){.ticks = units[draw(2)], .are_early = draw(4) == 0};
    p->policy = draw(2) == 0 ? RULE_NONE : draw(FILTERS);
    int64_t time = 10;
    for (size_t c = 0; c < PARTS; c++) {
        p->starts[c] = c == 0 ? 0 : ++time;
        for (size_t i = 0; i < STEPS; i++) {
            time += (int64_t)draw(3);
            if (draw(12) == 0) {
                make_up_filter(p, time, c);
            }
            step *made = &p->steps[p->step_count++];
            *made = (step){time, 1 + (int64_t)draw(THREADS), draw(3 * MAPS), .chunk = c};
            made->type = TYPE_MARK + draw(TYPES - TYPE_MARK);
            if (made->what > MAPS) {
                bool is_late = i + 4 > STEPS && c + 1 < PARTS && draw(2) == 0;
                made->chunk += is_late;
                continue;
            }
            end_open(n, made->thread, time);
            if (made->what > 0) {
                n->items[n->count++] = (installation){made->thread, time, INT64_MAX, made->what};
            }
        }
    }
}

static bool
passes_jvm(const plot *p, const naive *n, const step *event, int64_t thread)
{
    size_t rule = RULE_NONE;
    for (size_t i = 0; i < p->filter_count && p->filters[i].time <= event->time; i++) {
        rule = p->filters[i].rules[event->type];
        if (rule == RULE_NONE && event->type != TYPE_IDLE) {
            rule = p->filters[i].rules[TYPE_ALL];
        }
    }
    return rule >= FILTERS || is_kept(n, rule, thread, event->time);
}

static session_fate
fate_of(const plot *p, const naive *n, const step *event)
{
    int64_t thread = event->type == TYPE_IDLE ? 0 : event->thread; // nothing is installed on 0
    bool passes_policy = event->type != TYPE_MARK || p->policy == RULE_NONE ||
                         is_kept(n, p->policy, thread, event->time);
    return passes_policy && passes_jvm(p, n, event, thread) ? KEPT : GONE;
}

// build_filters makes the filters of a chunk. The last one of the previous chunk may come again.
static void
build_filters(session *s, plot *p, size_t chunk, ctx_filter *made)
{
    static const char *const others[] = {"", "has-wings"};
    size_t count = 0;
    for (size_t i = 0; i < p->filter_count; i++) {
        bool is_again = p->filter_chunks[i] + 1 == chunk && draw(4) == 0 &&
                        (i + 1 == p->filter_count || p->filter_chunks[i + 1] >= chunk);
        if (p->filter_chunks[i] != chunk && !is_again) {
            continue;
        }
        ctx_filter *filter = &made[count++];
        *filter = (ctx_filter){i + 1, p->filters[i].time * p->ticks, 0, p->rules[i]};
        for (size_t t = TYPES; t-- > 0;) {
            size_t rule = p->filters[i].rules[t];
            if (rule != RULE_NONE) {
                p->rules[i][filter->rule_count++] = (ctx_filter_rule){
                    type_names[t], rule < FILTERS ? filters[rule] : others[rule - RULE_EMPTY]};
            }
        }
    }
    filters_of(s, chunk, made, count);
}

static void
build_event(session *s, const step *event, int64_t ticks, session_fate fate)
{
    int64_t time = event->time * ticks;
    uint64_t thread = (uint64_t)event->thread;
    if (event->type == TYPE_MARK) {
        session_mark(s, fate, time, thread);
    } else if (event->type == TYPE_PLAIN) {
        session_plain(s, fate, time - 5 * ticks, time, thread);
    } else {
        session_event_of(s, fate, &(jfr_sample){JFR_SAMPLE_IDLE, time - 1, time});
    }
}

// expect_counts expects that every missing event was counted as dropped by a filter.
static void
expect_counts(const session *s)
{
    for (size_t c = 0; c < s->count; c++) {
        uint64_t gone = 0;
        for (size_t i = 0; i < s->events.count; i++) {
            gone += s->events.items[i].chunk == c && !s->events.items[i].is_kept;
        }
        const compact_dropped *dropped = &s->results[c].stats.events_dropped;
        assert_int_equal(dropped->by[COMPACT_BY_FILTER], gone);
        assert_int_equal(compact_dropped_sum(dropped), gone);
    }
}

// run makes a session of the random events, and compacts it.
static void
run(session *s, plot *p, const naive *n)
{
    begin(s, p->policy == RULE_NONE ? "off" : filters[p->policy], "");
    size_t made = 0;
    for (size_t c = 0; c < PARTS; c++) {
        if (c > 0) {
            session_chunk(s, p->starts[c] * p->ticks);
        }
        build_filters(s, p, c, p->made + made);
        made += s->filter_count[c];
        for (size_t i = 0; i < p->step_count; i++) {
            const step *at = &p->steps[i];
            if (at->chunk != c) {
                continue;
            }
            if (at->what > MAPS) {
                build_event(s, at, p->ticks, fate_of(p, n, at));
            } else if (at->what > 0) {
                session_install(s, at->time * p->ticks, at->thread, (int64_t)at->what);
            } else {
                session_uninstall(s, at->time * p->ticks, at->thread);
            }
        }
    }
    session_run(s);
    expect_counts(s);
}

// run_random makes up all chunks first: an event may be in a context that is ended in a later one.
static void
run_random(session *s, uint64_t round)
{
    static plot p;
    naive n = {0};
    seed = round;
    make_up(&p, &n);
    run(s, &p, &n);
}

static void
test_against_a_naive_decision(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < (is_large ? ROUNDS : ROUNDS_SHORT); round++) {
        session *s = session_create();
        run_random(s, round);
        session_destroy(s);
    }
}

// --- What Loupe wrote

// append_events appends the events of a chunk that are no contexts and no accounts, as text.
static void
append_events(const jfr_read *read, lp_buf *out)
{
    for (size_t i = 0; i < read->events.count; i++) {
        const jfr_read_event *event = &read->events.items[i];
        if (strncmp(jfr_read_name(read, event), "test.", 5) == 0) {
            jfr_read_text(read, event, out);
            lp_buf_append(out, "\n", 1);
        }
    }
}

// expect_same_events compares the output with a filter with the output of filtering an unfiltered
// output.
static void
expect_same_events(const session *at_once, const session *without)
{
    compact_source sources[PARTS];
    compact_result results[PARTS];
    for (size_t c = 0; c < PARTS; c++) {
        sources[c] = (compact_source){.jfr = lp_buf_slice(&without->results[c].jfr)};
    }
    compact_run(sources, PARTS, at_once->rules, COMPACT_RUN_AS_IT_IS, results);
    for (size_t c = 0; c < PARTS; c++) {
        lp_buf want = {0};
        lp_buf found = {0};
        jfr_read read;
        jfr_read_open(&read, lp_buf_slice(&results[c].jfr));
        append_events(&at_once->outputs[c], &want);
        append_events(&read, &found);
        lp_buf_append(&want, "", 1);
        lp_buf_append(&found, "", 1);
        assert_string_equal((char *)found.ptr, (char *)want.ptr);
        jfr_read_close(&read);
        lp_buf_fini(&want);
        lp_buf_fini(&found);
        compact_result_fini(&results[c]);
    }
}

// The reader cannot tell a key that is bound to null from an unbound one, so no filter uses it.
static void
test_contexts_that_are_events_count_as_those_that_were_recorded(void **state)
{
    (void)state;
    static const size_t asked[] = {0, 1, 2, 4, 5, 6};
    for (uint64_t round = 0; round < (is_large ? ROUNDS : ROUNDS_SHORT); round++) {
        static plot p;
        naive n = {0};
        seed = round;
        make_up(&p, &n);
        p.filter_count = 0;
        p.policy = RULE_NONE;
        session *without = session_create();
        run(without, &p, &n);
        p.policy = asked[round % (sizeof(asked) / sizeof(asked[0]))];
        session *at_once = session_create();
        run(at_once, &p, &n);
        expect_same_events(at_once, without);
        session_destroy(at_once);
        session_destroy(without);
    }
}

int
main(int argc, char **argv)
{
    large_init(argc, argv);
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_only_what_matches_is_kept_and_triggers),
        SESSION_TEST(test_no_context_is_one_where_none_applies),
        SESSION_TEST(test_a_context_without_a_map_may_have_any_entry),
        SESSION_TEST(test_a_context_without_a_map_is_one),
        SESSION_TEST(test_select_comes_first),
        SESSION_TEST(test_a_filter_holds_from_its_tick_to_the_next),
        SESSION_TEST(test_a_rule_of_its_own_goes_before_the_one_for_all),
        SESSION_TEST(test_a_filter_outlives_chunks_and_is_known_by_its_id),
        SESSION_TEST(test_a_filter_of_the_next_chunk_changes_no_byte),
        cmocka_unit_test(test_against_a_naive_decision),
        cmocka_unit_test(test_contexts_that_are_events_count_as_those_that_were_recorded),
    };
    return cmocka_run_group_tests_name("compact_filter", tests, NULL, NULL);
}
