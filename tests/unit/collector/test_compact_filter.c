// SPDX-License-Identifier: Apache-2.0
// The setting `filter` in the engine: events by the RecordingContext that was installed, by hand
// and against a naive decision on random sessions.

#include "compact_session.h"
#include "support/chance.h"

#include <stdio.h>
#include <string.h>

enum {
    MAPS = 4,
    THREADS = 4,
    ROUNDS = 60,
    STEPS = 60,
    PARTS = 3, // chunks
    PART_TICKS = 10000,
};

static ctx_entry first[] = {{.key = "a", .value = SESSION_VALUE("1")}};
static ctx_entry second[] = {
    {.key = "a", .value = SESSION_VALUE("2")}, {.key = "b", .value = SESSION_VALUE("1")}};
static ctx_entry third[] = {{.key = "b", .is_null = true}};
static const ctx_recording maps[MAPS] = {
    {1, 1, first}, {2, 2, second}, {3, 1, third}, {4, 0, NULL}};

// begin makes the first chunk, of a session with a filter and whatever else a setting can say.
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
    session_run(s);
    session_expect_parts(s, 0, "");
}

// --- Against a naive decision

// What was installed where, in the plainest of forms.
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

// run_random makes the records of all chunks first: an event may be in a context that is ended in a
// later one.
static void
run_random(session *s, uint64_t seed)
{
    static struct step {
        int64_t time;
        int64_t thread;
        uint64_t what; // a map to set, 0: unset, over MAPS: an event
    } steps[PARTS][STEPS];
    naive n = {0};
    size_t filter = chance_below(&seed, FILTERS);
    begin(s, filters[filter], "");
    int64_t time = 10;
    for (size_t c = 0; c < PARTS; c++) {
        time = time < (int64_t)c * PART_TICKS ? (int64_t)c * PART_TICKS + 10 : time;
        for (size_t i = 0; i < STEPS; i++) {
            time += (int64_t)chance_below(&seed, 3);
            struct step step = {
                time, 1 + (int64_t)chance_below(&seed, THREADS), chance_below(&seed, 3 * MAPS)};
            steps[c][i] = step;
            if (step.what > MAPS) {
                continue;
            }
            end_open(&n, step.thread, time);
            if (step.what > 0) {
                n.items[n.count++] = (installation){step.thread, time, INT64_MAX, step.what};
            }
        }
    }
    for (size_t c = 0; c < PARTS; c++) {
        if (c > 0) {
            session_chunk(s, (int64_t)c * PART_TICKS);
        }
        for (size_t i = 0; i < STEPS; i++) {
            const struct step *step = &steps[c][i];
            if (step->what > MAPS) {
                session_mark(s, is_kept(&n, filter, step->thread, step->time) ? KEPT : GONE,
                    step->time, (uint64_t)step->thread);
            } else if (step->what > 0) {
                session_install(s, step->time, step->thread, (int64_t)step->what);
            } else {
                session_uninstall(s, step->time, step->thread);
            }
        }
    }
    session_run(s);
}

static void
test_against_a_naive_decision(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        session *s = session_create();
        run_random(s, seed);
        session_destroy(s);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_only_what_matches_is_kept_and_triggers),
        SESSION_TEST(test_no_context_is_one_where_none_applies),
        SESSION_TEST(test_select_comes_first),
        cmocka_unit_test(test_against_a_naive_decision),
    };
    return cmocka_run_group_tests_name("compact_filter", tests, NULL, NULL);
}
