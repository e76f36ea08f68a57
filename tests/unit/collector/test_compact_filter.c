// SPDX-License-Identifier: Apache-2.0
// The setting `filter` in the engine: events by the RecordingContext that was installed, by hand
// and against a naive decision on random sessions.

#include "compact_session.h"
#include "support/ctx_build.h"

#include <stdio.h>
#include <string.h>

enum {
    RECORDING = 1,
    MAPS = 4,
    THREADS = 4,
    ROUNDS = 60,
    STEPS = 60,
    PARTS = 3, // chunks
    PART_TICKS = 10000,
};

static const ctx_type types[] = {
    {.id = RECORDING,
        .name = "loupe.RecordingContext",
        .label = "",
        .description = "",
        .is_recording = true,
        .attribute_count = 1,
        .attributes = {{CTX_LONG, "id", "", ""}}},
};

#define TEXT(text)                                                                                 \
    {                                                                                              \
        (const uint8_t *)(text), sizeof(text) - 1                                                  \
    }

static ctx_entry first[] = {{.key = "a", .value = TEXT("1")}};
static ctx_entry second[] = {{.key = "a", .value = TEXT("2")}, {.key = "b", .value = TEXT("1")}};
static ctx_entry third[] = {{.key = "b", .is_null = true}};
static const ctx_recording maps[MAPS] = {
    {1, 1, first}, {2, 2, second}, {3, 1, third}, {4, 0, NULL}};

static void
begin(session *s, int64_t start)
{
    session_chunk(s, start);
    if (s->count == 1) {
        s->types[0] = types;
        s->type_count[0] = 1;
        s->recordings[0] = maps;
        s->recording_count[0] = MAPS;
    }
}

static void
set(session *s, int64_t time, int64_t thread, uint64_t id)
{
    lp_buf values = {0};
    ctx_build_le(&values, id, 8);
    ctx_build_record(&s->records[s->count - 1], CTX_RECORD_SET, RECORDING, thread, time, &values);
    lp_buf_fini(&values);
}

static void
unset(session *s, int64_t time, int64_t thread)
{
    ctx_build_record(&s->records[s->count - 1], CTX_RECORD_UNSET, RECORDING, thread, time, NULL);
}

static void
rules(session *s, const char *filter, const char *more)
{
    char text[512];
    (void)snprintf(text, sizeof(text),
        "<event name='test.Mark'><setting name='filter'>%s</setting>%s</event>", filter, more);
    session_rules(s, text);
}

static void
test_only_what_matches_is_kept_and_triggers(void **state)
{
    session *s = *state;
    rules(s, "has-entry a=1", "");
    begin(s, 0);
    set(s, 10, 1, 1);
    set(s, 20, 1, 2);
    unset(s, 30, 1);
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
    rules(s, "has-no-context", "");
    begin(s, 0);
    set(s, 10, 1, 4); // a map without entries is a context
    unset(s, 30, 1);
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
    rules(s, "has-no-context", "<setting name='select'>if-context</setting>");
    begin(s, 0);
    session_trace(s, KEPT, 10, 20, 1);
    session_trace(s, GONE, 30, 40, 1);
    set(s, 30, 1, 1);
    unset(s, 35, 1);
    session_mark(s, KEPT, 15, 1); // in a context, and in no RecordingContext
    session_mark(s, GONE, 32, 1);
    session_mark(s, GONE, 50, 1);
    session_run(s);
    session_expect_parts(s, 0, "");
}

// --- Against a naive decision

static uint64_t seed;

static uint64_t
draw(uint64_t below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (seed >> 33) % below;
}

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
run_random(session *s, uint64_t round)
{
    static struct step {
        int64_t time;
        int64_t thread;
        uint64_t what; // a map to set, 0: unset, over MAPS: an event
    } steps[PARTS][STEPS];
    naive n = {0};
    seed = round * 2654435761u + 1;
    size_t filter = draw(FILTERS);
    rules(s, filters[filter], "");
    int64_t time = 10;
    for (size_t c = 0; c < PARTS; c++) {
        time = time < (int64_t)c * PART_TICKS ? (int64_t)c * PART_TICKS + 10 : time;
        for (size_t i = 0; i < STEPS; i++) {
            time += (int64_t)draw(3);
            struct step step = {time, 1 + (int64_t)draw(THREADS), draw(3 * MAPS)};
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
        begin(s, (int64_t)c * PART_TICKS);
        for (size_t i = 0; i < STEPS; i++) {
            const struct step *step = &steps[c][i];
            if (step->what > MAPS) {
                session_mark(s, is_kept(&n, filter, step->thread, step->time) ? KEPT : GONE,
                    step->time, (uint64_t)step->thread);
            } else if (step->what > 0) {
                set(s, step->time, step->thread, step->what);
            } else {
                unset(s, step->time, step->thread);
            }
        }
    }
    session_run(s);
}

static void
test_against_a_naive_decision(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        session *s = session_create();
        run_random(s, round);
        session_destroy(s);
    }
}

int
main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, session_setup, session_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_only_what_matches_is_kept_and_triggers),
        TEST(test_no_context_is_one_where_none_applies),
        TEST(test_select_comes_first),
        cmocka_unit_test(test_against_a_naive_decision),
    };
    return cmocka_run_group_tests_name("compact_filter", tests, NULL, NULL);
}
