// SPDX-License-Identifier: Apache-2.0
// Random sessions: the engine keeps exactly the events and contexts that a naive decision,
// quadratic and written straight from docs/internals/elimination.md, keeps; wherever the borders of
// chunks are, and whether or not carry-overs are saved and loaded between chunks.
//
//   LOUPE_PROP_SEED=N LOUPE_PROP_ROUNDS=N    other sessions than the usual ones
//
// Of a session only this is fixed: a contextual event is not committed later than the chunk after
// those whose if-context events it covers (the engine looks ahead one chunk), and an event is
// stored at most one chunk late.

#include "support/compact_run.h"
#include "support/ctx_build.h"
#include "support/jfr_read.h"
#include "support/jfr_sample.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    ROUNDS = 400,
    EVENTS_MAX = 40,
    RECORDS_MAX = 24,
    THREADS = 3,
    CHUNKS_MAX = 4,
    CHUNK_TICKS_MIN = 1000,
};

typedef struct random_source {
    uint64_t state;
} random_source;

// below gives a number in [0, limit): splitmix64, good enough to choose test data.
static uint64_t
below(random_source *r, uint64_t limit)
{
    r->state += 0x9e3779b97f4a7c15u;
    uint64_t z = r->state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (z ^ z >> 31) % limit;
}

// What the policy says of a type.
typedef struct settings {
    bool is_disabled;
    bool is_contextual;
    policy_select select;
    int64_t threshold;
} settings;

typedef struct item {
    uint64_t type;
    int64_t begin;
    int64_t commit;
    uint64_t thread; // Java thread id; 0 where the type has none
    size_t chunk;    // in which it is stored
    size_t order;    // in the files
    bool is_decided;
    bool is_kept; // by the naive decision
} item;

typedef struct record {
    ctx_record_kind kind;
    uint16_t type;
    uint64_t thread;
    int64_t time;
} record;

// A context of the API, put together by the naive reading of the records.
typedef struct context {
    uint16_t type;
    uint64_t thread;
    int64_t begin;
    int64_t end;
    bool is_kept;
} context;

typedef struct world {
    item items[EVENTS_MAX];
    size_t item_count;
    record records[RECORDS_MAX];
    size_t record_count;
    context contexts[RECORDS_MAX];
    size_t context_count;
    settings rules[JFR_SAMPLE_BOTH + 1]; // by type id
    int64_t borders[CHUNKS_MAX];         // where each chunk begins
    size_t chunk_count;
    int64_t ticks; // of the whole session
} world;

static const struct {
    uint64_t id;
    const char *name;
    bool has_duration;
    bool has_thread;
    bool is_contextual;
} kinds[] = {
    {JFR_SAMPLE_PLAIN, "test.Plain", true, true, false},
    {JFR_SAMPLE_MARK, "test.Mark", false, true, false},
    {JFR_SAMPLE_TRACE, "test.Trace", true, true, true},
    {JFR_SAMPLE_SPAN, "test.Span", true, true, true},
    {JFR_SAMPLE_IDLE, "test.Idle", true, false, false},
    {JFR_SAMPLE_EXECUTION, "jdk.ExecutionSample", false, true, false},
    {JFR_SAMPLE_ODD, "test.Odd", true, true, false},
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static const ctx_type context_types[2] = {
    {.id = 1,
        .name = (char[]){"tracer"},
        .label = (char[]){""},
        .description = (char[]){""},
        .attribute_count = 1,
        .attributes = {{CTX_LONG, (char[]){"n"}, (char[]){""}, (char[]){""}}}},
    {.id = 2,
        .name = (char[]){"order"},
        .label = (char[]){""},
        .description = (char[]){""},
        .attribute_count = 1,
        .attributes = {{CTX_LONG, (char[]){"n"}, (char[]){""}, (char[]){""}}}},
};

static void
make_rules(world *w, random_source *r)
{
    for (size_t i = 0; i < KINDS; i++) {
        settings *s = &w->rules[kinds[i].id];
        s->is_contextual =
            kinds[i].is_contextual || (kinds[i].id == JFR_SAMPLE_PLAIN && below(r, 8) == 0);
        if (below(r, 12) == 0) {
            s->is_disabled = true;
        }
        if (below(r, 6) == 0) {
            s->threshold = (int64_t)below(r, (uint64_t)w->ticks / 4);
        }
        if (s->is_contextual) {
            s->select = below(r, 8) == 0 ? POLICY_SELECT_ALL : POLICY_SELECT_IF_TRIGGERED;
        } else {
            s->select = below(r, 3) == 0 ? POLICY_SELECT_IF_CONTEXT : POLICY_SELECT_ALL;
        }
    }
}

static policy *
policy_of(const world *w)
{
    static const char *const selects[] = {"", "all", "if-context", "if-triggered"};
    char text[4096];
    size_t used = 0;
    for (size_t i = 0; i < KINDS; i++) {
        const settings *s = &w->rules[kinds[i].id];
        used += (size_t)snprintf(text + used, sizeof(text) - used,
            "<event name='%s'><setting name='enabled'>%s</setting>"
            "<setting name='threshold'>%" PRId64 " ns</setting>"
            "<setting name='contextual'>%s</setting>"
            "<setting name='select'>%s</setting></event>",
            kinds[i].name, s->is_disabled ? "false" : "true",
            kinds[i].has_duration ? s->threshold : 0,
            s->is_contextual && !kinds[i].is_contextual ? "true" : "false", selects[s->select]);
        assert_true(used < sizeof(text));
    }
    return compact_run_policy(text);
}

static void
make_items(world *w, random_source *r)
{
    w->item_count = 1 + below(r, EVENTS_MAX);
    for (size_t i = 0; i < w->item_count; i++) {
        size_t kind = below(r, KINDS);
        int64_t a = (int64_t)below(r, (uint64_t)w->ticks);
        int64_t length = 0;
        if (kinds[kind].has_duration) {
            length = (int64_t)below(r, below(r, 4) == 0 ? (uint64_t)w->ticks : 60);
        }
        if (a + length >= w->ticks) {
            a = w->ticks - 1 - length;
        }
        w->items[i] = (item){.type = kinds[kind].id,
            .begin = a,
            .commit = a + length,
            .thread = kinds[kind].has_thread ? 1 + below(r, THREADS) : 0};
    }
}

static int
compare_times(const void *a, const void *b)
{
    const record *ra = a;
    const record *rb = b;
    return ra->time < rb->time ? -1 : ra->time > rb->time;
}

static void
make_records(world *w, random_source *r)
{
    w->record_count = below(r, RECORDS_MAX);
    for (size_t i = 0; i < w->record_count; i++) {
        uint64_t kind = below(r, 9);
        w->records[i] = (record){
            .kind = kind < 5   ? CTX_RECORD_SET
                    : kind < 8 ? CTX_RECORD_UNSET
                               : CTX_RECORD_THREAD_END,
            .type = (uint16_t)(1 + below(r, 2)),
            .thread = 1 + below(r, THREADS),
            .time = (int64_t)below(r, (uint64_t)w->ticks),
        };
    }
    qsort(w->records, w->record_count, sizeof(record), compare_times);
}

// put_together makes the contexts out of the records, which are in the order of their times.
static void
put_together(world *w)
{
    for (size_t i = 0; i < w->record_count; i++) {
        const record *from = &w->records[i];
        if (from->kind != CTX_RECORD_SET) {
            continue;
        }
        int64_t end = INT64_MAX;
        for (size_t k = i + 1; k < w->record_count && end == INT64_MAX; k++) {
            const record *to = &w->records[k];
            if (to->thread == from->thread &&
                (to->kind == CTX_RECORD_THREAD_END || to->type == from->type)) {
                end = to->time;
            }
        }
        w->contexts[w->context_count++] =
            (context){.type = from->type, .thread = from->thread, .begin = from->time, .end = end};
    }
}

static int
compare_borders(const void *a, const void *b)
{
    const int64_t *ta = a;
    const int64_t *tb = b;
    return *ta < *tb ? -1 : *ta > *tb;
}

static size_t
chunk_at(const world *w, int64_t time)
{
    size_t chunk = 0;
    while (chunk + 1 < w->chunk_count && w->borders[chunk + 1] <= time) {
        chunk++;
    }
    return chunk;
}

// make_borders cuts the session, and stores each event in the chunk of its commit time or, now and
// then, in the next one.
static void
make_borders(world *w, random_source *r)
{
    w->chunk_count = 1 + below(r, CHUNKS_MAX);
    w->borders[0] = 0;
    for (size_t i = 1; i < w->chunk_count; i++) {
        w->borders[i] = (int64_t)(1 + below(r, (uint64_t)w->ticks - 1));
    }
    qsort(w->borders, w->chunk_count, sizeof(int64_t), compare_borders);
    size_t count = 1;
    for (size_t i = 1; i < w->chunk_count; i++) { // no two of them at the same tick
        if (w->borders[i] != w->borders[count - 1]) {
            w->borders[count++] = w->borders[i];
        }
    }
    w->chunk_count = count;
    for (size_t i = 0; i < w->item_count; i++) {
        item *it = &w->items[i];
        it->chunk = chunk_at(w, it->commit);
        if (it->chunk + 1 < w->chunk_count && below(r, 6) == 0) {
            it->chunk++;
        }
    }
    for (size_t i = 0, order = 0; i < w->chunk_count; i++) {
        for (size_t k = 0; k < w->item_count; k++) {
            if (w->items[k].chunk == i) {
                w->items[k].order = order++;
            }
        }
    }
}

// is_within_reach is true if the engine can know what it needs: whatever covers an if-context event
// is stored at most one chunk behind the chunk in which that event, or what it may trigger, is.
static bool
is_within_reach(const world *w)
{
    for (size_t i = 0; i < w->item_count; i++) {
        const item *event = &w->items[i];
        if (w->rules[event->type].select != POLICY_SELECT_IF_CONTEXT) {
            continue;
        }
        size_t needed_in = chunk_at(w, event->commit);
        for (size_t k = 0; k < w->item_count; k++) {
            const item *c = &w->items[k];
            if (w->rules[c->type].is_contextual && c->thread == event->thread &&
                c->begin <= event->commit && event->commit <= c->commit &&
                c->chunk > needed_in + 1) {
                return false;
            }
        }
    }
    return true;
}

// comes_before is the order of decisions.
static bool
comes_before(const world *w, const item *a, const item *b)
{
    bool a_is_context = w->rules[a->type].is_contextual;
    bool b_is_context = w->rules[b->type].is_contextual;
    if (a->commit != b->commit) {
        return a->commit < b->commit;
    }
    if (a_is_context != b_is_context) {
        return b_is_context;
    }
    if (a_is_context && a->begin != b->begin) {
        return a->begin > b->begin;
    }
    return a->order < b->order;
}

static bool
is_covered(const world *w, const item *event)
{
    for (size_t i = 0; i < w->item_count; i++) {
        const item *c = &w->items[i];
        if (c != event && w->rules[c->type].is_contextual && c->thread == event->thread &&
            c->begin <= event->commit && event->commit <= c->commit) {
            return event->thread != 0;
        }
    }
    for (size_t i = 0; i < w->context_count; i++) {
        const context *c = &w->contexts[i];
        if (c->thread == event->thread && c->begin <= event->commit && event->commit <= c->end) {
            return true;
        }
    }
    return false;
}

static bool
is_triggered(const world *w, const item *c)
{
    for (size_t i = 0; i < w->item_count; i++) {
        const item *event = &w->items[i];
        if (event != c && event->is_decided && event->is_kept && event->thread == c->thread &&
            c->begin <= event->commit && event->commit <= c->commit) {
            return true;
        }
    }
    return false;
}

static bool
is_item_kept(const world *w, const item *it)
{
    const settings *s = &w->rules[it->type];
    if (s->is_disabled) {
        return false;
    }
    if (it->type != JFR_SAMPLE_MARK && it->type != JFR_SAMPLE_EXECUTION &&
        it->commit - it->begin < s->threshold) {
        return false;
    }
    return s->select == POLICY_SELECT_ALL ||
           (s->select == POLICY_SELECT_IF_CONTEXT && is_covered(w, it)) ||
           (s->select == POLICY_SELECT_IF_TRIGGERED && is_triggered(w, it));
}

// triggers says whether a kept event triggers a context of the API. At equal ends an inner context
// is decided before the contextual event around it, as between events.
static bool
triggers(const world *w, const item *event, const context *c)
{
    if (event->thread != c->thread || event->commit < c->begin || event->commit > c->end) {
        return false;
    }
    return event->commit < c->end || !w->rules[event->type].is_contextual ||
           event->begin >= c->begin;
}

static void
decide(world *w)
{
    for (size_t done = 0; done < w->item_count; done++) {
        item *next = NULL;
        for (size_t i = 0; i < w->item_count; i++) {
            item *it = &w->items[i];
            it->is_decided = done == 0 ? false : it->is_decided;
            if (!it->is_decided && (next == NULL || comes_before(w, it, next))) {
                next = it;
            }
        }
        next->is_kept = is_item_kept(w, next);
        next->is_decided = true;
    }
    for (size_t i = 0; i < w->context_count; i++) {
        context *c = &w->contexts[i];
        c->is_kept = false;
        for (size_t k = 0; k < w->item_count; k++) {
            const item *event = &w->items[k];
            c->is_kept |= event->is_kept && triggers(w, event, c);
        }
    }
}

// A session as bytes.
typedef struct built {
    jfr_build chunks[CHUNKS_MAX];
    lp_buf records[CHUNKS_MAX];
    compact_source sources[CHUNKS_MAX];
} built;

static void
build_records(const world *w, built *b, random_source *r)
{
    lp_buf values = {0};
    size_t late_chunk[THREADS + 1] = {0}; // records of a thread stay in order
    for (size_t i = 0; i < w->record_count; i++) {
        const record *from = &w->records[i];
        size_t chunk = chunk_at(w, from->time);
        if (chunk + 1 < w->chunk_count && below(r, 8) == 0) {
            chunk++;
        }
        if (chunk < late_chunk[from->thread]) {
            chunk = late_chunk[from->thread];
        }
        late_chunk[from->thread] = chunk;
        ctx_build_le(&values, i, 8);
        ctx_build_record(&b->records[chunk], (uint8_t)from->kind,
            from->kind == CTX_RECORD_THREAD_END ? 0 : from->type, (int64_t)from->thread, from->time,
            from->kind == CTX_RECORD_SET ? &values : NULL);
        lp_buf_clear(&values);
    }
    lp_buf_fini(&values);
}

static void
build_session(const world *w, built *b, random_source *r)
{
    memset(b, 0, sizeof(*b));
    build_records(w, b, r);
    for (size_t i = 0; i < w->chunk_count; i++) {
        jfr_sample_begin(&b->chunks[i], w->borders[i]);
        for (size_t k = 0; k < w->item_count; k++) {
            const item *it = &w->items[k];
            char name[24];
            (void)snprintf(name, sizeof(name), "%zu", k);
            if (it->chunk == i) {
                (void)jfr_sample_event(&b->chunks[i],
                    &(jfr_sample){.type = it->type,
                        .start = it->begin,
                        .end = it->commit,
                        .thread = it->thread * 10 + i, // keys differ from chunk to chunk
                        .text = name});
            }
        }
        for (uint64_t id = 1; id <= THREADS; id++) {
            jfr_sample_thread(&b->chunks[i], id * 10 + i, (int64_t)id);
        }
        jfr_build_checkpoint(&b->chunks[i]);
        b->sources[i] = (compact_source){.jfr = jfr_build_finish(&b->chunks[i]),
            .records = lp_buf_slice(&b->records[i]),
            .types = context_types,
            .type_count = i == 0 ? 2 : 0};
    }
}

static void
free_session(const world *w, built *b)
{
    for (size_t i = 0; i < w->chunk_count; i++) {
        jfr_build_fini(&b->chunks[i]);
        lp_buf_fini(&b->records[i]);
    }
}

static bool
is_of(const item *it, const jfr_read *read, const jfr_read_event *event)
{
    const char *name = jfr_read_name(read, event);
    bool has_same_type = false;
    bool has_duration = false;
    bool has_thread = false;
    for (size_t i = 0; i < KINDS; i++) {
        if (kinds[i].id == it->type) {
            has_same_type = strcmp(kinds[i].name, name) == 0;
            has_duration = kinds[i].has_duration;
            has_thread = kinds[i].has_thread && it->type != JFR_SAMPLE_ODD; // not behind varints
        }
    }
    if (!has_same_type || jfr_read_number(read, event, "startTime") != it->begin) {
        return false;
    }
    if (has_duration && jfr_read_number(read, event, "duration") != it->commit - it->begin) {
        return false;
    }
    const char *field = it->type == JFR_SAMPLE_EXECUTION ? "sampledThread" : "eventThread";
    return !has_thread ||
           jfr_read_number(read, event, field) == (int64_t)(it->thread * 10 + it->chunk);
}

// is_like_output compares how many kept events look like item it, by the naive decision and in the
// output: equal ones cannot be told apart.
static bool
is_like_output(const world *w, const item *it, const jfr_read *output)
{
    size_t want = 0;
    size_t got = 0;
    for (size_t i = 0; i < w->item_count; i++) {
        const item *other = &w->items[i];
        want += other->is_kept && other->type == it->type && other->begin == it->begin &&
                other->commit == it->commit && other->chunk == it->chunk &&
                (other->thread == it->thread || it->type == JFR_SAMPLE_ODD);
    }
    for (size_t i = 0; i < output->events.count; i++) {
        got += is_of(it, output, &output->events.items[i]);
    }
    return want == got;
}

// is_context_written is true if a part of the context is in one of the outputs.
static bool
is_context_written(const world *w, size_t context_index, const jfr_read *outputs)
{
    const context *c = &w->contexts[context_index];
    const char *name = context_types[c->type - 1].name;
    for (size_t i = 0; i < w->chunk_count; i++) {
        for (size_t k = 0; k < outputs[i].events.count; k++) {
            const jfr_read_event *event = &outputs[i].events.items[k];
            if (strcmp(jfr_read_name(&outputs[i], event), name) == 0) {
                int64_t begin = jfr_read_number(&outputs[i], event, "startTime");
                int64_t end = begin + jfr_read_number(&outputs[i], event, "duration");
                int64_t n = jfr_read_number(&outputs[i], event, "n");
                if (w->records[n].time == c->begin && w->records[n].thread == c->thread &&
                    w->records[n].type == c->type && begin >= c->begin && end <= c->end) {
                    return true;
                }
            }
        }
    }
    return false;
}

static bool
is_right(const world *w, const jfr_read *outputs)
{
    size_t kept = 0;
    size_t written = 0;
    for (size_t i = 0; i < w->item_count; i++) {
        kept += w->items[i].is_kept;
        if (!is_like_output(w, &w->items[i], &outputs[w->items[i].chunk])) {
            print_error("event %zu: type %" PRIu64 " [%" PRId64 ", %" PRId64 "] thread %" PRIu64
                        " in chunk %zu should be %s\n",
                i, w->items[i].type, w->items[i].begin, w->items[i].commit, w->items[i].thread,
                w->items[i].chunk, w->items[i].is_kept ? "kept" : "gone");
            return false;
        }
    }
    for (size_t i = 0; i < w->context_count; i++) {
        const context *c = &w->contexts[i];
        bool has_twin = false; // of the same type, thread and begin: not told apart
        for (size_t k = 0; k < w->context_count; k++) {
            has_twin |= k != i && w->contexts[k].begin == c->begin &&
                        w->contexts[k].thread == c->thread && w->contexts[k].type == c->type;
        }
        if (!has_twin && is_context_written(w, i, outputs) != c->is_kept) {
            print_error("context %zu: type %u [%" PRId64 ", %" PRId64 "] thread %" PRIu64
                        " should be %s\n",
                i, c->type, c->begin, c->end, c->thread, c->is_kept ? "kept" : "gone");
            return false;
        }
    }
    for (size_t i = 0; i < w->chunk_count; i++) {
        written += outputs[i].events.count - jfr_read_count(&outputs[i], "tracer") -
                   jfr_read_count(&outputs[i], "order");
    }
    return kept == written;
}

static bool
is_same_with_saved_carries(
    const world *w, const built *b, const policy *rules, const compact_result *results)
{
    compact_result again[CHUNKS_MAX];
    bool is_same = true;
    compact_run(b->sources, w->chunk_count, rules, COMPACT_RUN_SAVED, again);
    for (size_t i = 0; i < w->chunk_count; i++) {
        is_same &= again[i].jfr.len == results[i].jfr.len &&
                   memcmp(again[i].jfr.ptr, results[i].jfr.ptr, results[i].jfr.len) == 0;
        compact_result_fini(&again[i]);
    }
    return is_same;
}

// is_round_right makes one session out of seed, cuts it in three ways, and compares.
static bool
is_round_right(uint64_t seed)
{
    random_source r = {seed};
    world w = {.ticks = (int64_t)(CHUNK_TICKS_MIN + below(&r, 4) * 500)};
    if (below(&r, 3) == 0) {
        w.ticks = 40; // many equal times
    }
    make_rules(&w, &r);
    make_items(&w, &r);
    make_records(&w, &r);
    put_together(&w);
    policy *rules = policy_of(&w);
    bool is_good = true;
    for (int cut = 0; cut < 3 && is_good; cut++) {
        do {
            make_borders(&w, &r);
        } while (!is_within_reach(&w));
        decide(&w);
        built b;
        compact_result results[CHUNKS_MAX];
        jfr_read outputs[CHUNKS_MAX];
        build_session(&w, &b, &r);
        compact_run(b.sources, w.chunk_count, rules, COMPACT_RUN_AS_IT_IS, results);
        for (size_t i = 0; i < w.chunk_count; i++) {
            jfr_read_open(&outputs[i], lp_buf_slice(&results[i].jfr));
        }
        is_good = is_right(&w, outputs) && is_same_with_saved_carries(&w, &b, rules, results);
        for (size_t i = 0; i < w.chunk_count; i++) {
            jfr_read_close(&outputs[i]);
            compact_result_fini(&results[i]);
        }
        free_session(&w, &b);
    }
    policy_destroy(rules);
    return is_good;
}

static uint64_t
number_of(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    return text == NULL ? otherwise : strtoull(text, NULL, 10);
}

static void
test_the_engine_keeps_what_the_naive_decision_keeps(void **state)
{
    (void)state;
    uint64_t seed = number_of("LOUPE_PROP_SEED", 1);
    uint64_t rounds = number_of("LOUPE_PROP_ROUNDS", ROUNDS);
    for (uint64_t i = 0; i < rounds; i++) {
        if (!is_round_right(seed + i)) {
            print_error("LOUPE_PROP_SEED=%" PRIu64 " LOUPE_PROP_ROUNDS=1 shows it\n", seed + i);
            fail();
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_engine_keeps_what_the_naive_decision_keeps),
    };
    return cmocka_run_group_tests_name("compact_prop", tests, NULL, NULL);
}
