// SPDX-License-Identifier: Apache-2.0
// Random sessions in which types are throttled. How a throttle chooses is not repeated here. What
// it chose is read from the output, and then
//
// - everything else is as a naive decision has it that is told what was chosen: what a throttle
//   drops triggers nothing, and it is offered nothing that fails another setting;
// - no unit has more than it may;
// - wherever the session is cut into chunks, the same events are kept as if it were one chunk.
//
// The last two hold as far as the engine looks ahead (is_within_reach).
//
//   LOUPE_PROP_SEED=N LOUPE_PROP_ROUNDS=N    other sessions than the usual ones

#include "support/chance.h"
#include "support/compact_run.h"
#include "support/jfr_read.h"
#include "world_judge.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NS_PER_S = 1000000000 };

// What was seen over all rounds: properties of nothing prove nothing.
static size_t seen_sessions;
static size_t seen_cut; // of these, in several chunks, and within reach
static size_t seen_dropped;

static bool
is_throttled(const world *w, const world_item *it)
{
    return w->rules[it->type].throttle.per_ns > 0;
}

// --- Reach

// is_possible says whether an event is stored no more than a second before it is committed, and no
// more than a second after.
static bool
is_possible(const world *w, const world_item *it)
{
    bool is_early =
        it->chunk + 1 < w->chunk_count && it->commit > w->borders[it->chunk + 1] + w->ticks_per_s;
    return !is_early && it->commit + w->ticks_per_s >= w->borders[it->chunk];
}

static bool
has_records_of(const world *w, uint64_t thread)
{
    for (size_t i = 0; i < w->record_count; i++) {
        if (w->records[i].thread == thread) {
            return true;
        }
    }
    return false;
}

static bool
is_within_reach(const world *w)
{
    for (size_t i = 0; i < w->item_count; i++) {
        const world_item *it = &w->items[i];
        bool has_records = world_decided_with(w, it) >= world_chunk_at(w, it->commit) ||
                           !has_records_of(w, it->thread);
        if (!has_records || !is_possible(w, it)) {
            return false;
        }
    }
    return true;
}

// --- What the engine chose

typedef struct outputs {
    size_t count;
    compact_result results[WORLD_CHUNKS_MAX];
    jfr_read reads[WORLD_CHUNKS_MAX];
} outputs;

static void
outputs_make(outputs *o, const world *w, const policy *rules, compact_run_carry how)
{
    world_bytes b;
    world_build(w, &b);
    o->count = w->chunk_count;
    compact_run(b.sources, w->chunk_count, rules, how, o->results);
    for (size_t i = 0; i < o->count; i++) {
        compact_run_read(&o->results[i], &o->reads[i]);
    }
    world_bytes_fini(w, &b);
}

static void
outputs_fini(outputs *o)
{
    for (size_t i = 0; i < o->count; i++) {
        jfr_read_close(&o->reads[i]);
        compact_result_fini(&o->results[i]);
    }
}

// read_samples notes which events the engine kept; of those that look the same, the first ones.
static void
read_samples(world *w, const outputs *o)
{
    for (size_t i = 0; i < w->item_count; i++) {
        world_item *it = &w->items[i];
        size_t before = 0;
        for (size_t k = 0; k < i; k++) {
            before += world_is_like(it, &w->items[k]);
        }
        it->is_sampled = before < world_count_like(it, &o->reads[it->chunk]);
    }
}

static bool
is_same(const outputs *a, const outputs *b)
{
    for (size_t i = 0; i < a->count; i++) {
        if (a->results[i].jfr.len != b->results[i].jfr.len ||
            memcmp(a->results[i].jfr.ptr, b->results[i].jfr.ptr, a->results[i].jfr.len) != 0) {
            print_error("chunk %zu differs if carry-overs are saved\n", i);
            return false;
        }
    }
    return true;
}

// --- Properties

// is_bounded counts in each unit that has an event what was kept of its type.
static bool
is_bounded(const world *w)
{
    int64_t tick_ns = NS_PER_S / w->ticks_per_s;
    for (size_t i = 0; i < w->item_count; i++) {
        const world_item *it = &w->items[i];
        const policy_throttle *rate = &w->rules[it->type].throttle;
        int64_t kept = 0;
        for (size_t k = 0; k < w->item_count && is_throttled(w, it); k++) {
            const world_item *other = &w->items[k];
            kept += other->type == it->type && other->is_kept &&
                    other->commit * tick_ns / rate->per_ns == it->commit * tick_ns / rate->per_ns;
        }
        if (kept > rate->count) {
            print_error("%" PRId64 " events of type %" PRIu64 " in the unit of %" PRId64 "\n", kept,
                it->type, it->commit);
            return false;
        }
    }
    return true;
}

// would_be_kept says whether an event is kept if its throttle, alone, lets everything pass.
static bool
would_be_kept(const world *w, size_t index)
{
    world open = *w;
    open.items[index].is_sampled = true;
    world_decide(&open);
    return open.items[index].is_kept;
}

// is_like_joined compares with the session in one chunk. Of events that look the same there, as
// many must be kept.
static bool
is_like_joined(const world *w, const policy *rules)
{
    world joined;
    world_join(w, &joined);
    outputs o;
    outputs_make(&o, &joined, rules, COMPACT_RUN_AS_IT_IS);
    bool is_good = true;
    for (size_t i = 0; i < w->item_count && is_good; i++) {
        world_item it = joined.items[i];
        size_t want = world_count_like(&it, &o.reads[0]);
        size_t got = 0;
        for (size_t k = 0; k < w->item_count; k++) {
            const world_item *other = &w->items[k];
            got += other->is_kept && other->type == it.type && other->begin == it.begin &&
                   other->commit == it.commit &&
                   (other->thread == it.thread || it.type == JFR_SAMPLE_ODD);
        }
        if (want != got) {
            print_error("event of type %" PRIu64 " [%" PRId64 ", %" PRId64 "] thread %" PRIu64
                        ": %zu kept, %zu in one chunk\n",
                it.type, it.begin, it.commit, it.thread, got, want);
            is_good = false;
        }
    }
    outputs_fini(&o);
    return is_good;
}

// is_counted compares how many events throttles dropped with what the statistics say.
static bool
is_counted(const world *w, const outputs *o)
{
    uint64_t want = 0;
    uint64_t got = 0;
    for (size_t i = 0; i < w->item_count; i++) {
        want += is_throttled(w, &w->items[i]) && !w->items[i].is_kept && would_be_kept(w, i);
    }
    for (size_t i = 0; i < o->count; i++) {
        got += o->results[i].stats.events_dropped.by[COMPACT_BY_THROTTLE];
    }
    seen_dropped += want;
    if (want != got) {
        print_error("%" PRIu64 " events dropped, %" PRIu64 " counted\n", want, got);
    }
    return want == got;
}

static bool
is_cut_right(world *w, const policy *rules)
{
    outputs o;
    outputs saved;
    outputs_make(&o, w, rules, COMPACT_RUN_AS_IT_IS);
    outputs_make(&saved, w, rules, COMPACT_RUN_SAVED);
    read_samples(w, &o);
    world_decide(w);
    bool is_good = is_same(&o, &saved) && world_is_right(w, o.reads);
    seen_sessions++;
    if (is_good && is_within_reach(w)) {
        seen_cut += w->chunk_count > 1;
        is_good = is_bounded(w) && is_counted(w, &o) && is_like_joined(w, rules);
    }
    outputs_fini(&o);
    outputs_fini(&saved);
    return is_good;
}

static bool
is_round_right(uint64_t seed)
{
    uint64_t chance = seed;
    world w = {0};
    world_make(&w, &chance);
    world_throttle(&w, &chance);
    policy *rules = world_policy(&w);
    bool is_good = true;
    for (int cut = 0; cut < 3 && is_good; cut++) {
        world_cut(&w, &chance);
        is_good = is_cut_right(&w, rules);
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
test_throttles_choose_among_what_is_kept_without_them_and_no_cut_shows(void **state)
{
    (void)state;
    uint64_t seed = number_of("LOUPE_PROP_SEED", 1);
    uint64_t rounds = number_of("LOUPE_PROP_ROUNDS", 1200);
    for (uint64_t i = 0; i < rounds; i++) {
        if (!is_round_right(seed + i)) {
            print_error("LOUPE_PROP_SEED=%" PRIu64 " LOUPE_PROP_ROUNDS=1 shows it\n", seed + i);
            fail();
        }
    }
    print_message("%zu sessions, %zu of them cut within reach; %zu events dropped\n", seen_sessions,
        seen_cut, seen_dropped);
    assert_true(rounds < 300 || (seen_cut > seen_sessions / 5 && seen_dropped > seen_sessions / 2));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_throttles_choose_among_what_is_kept_without_them_and_no_cut_shows),
    };
    return cmocka_run_group_tests_name("throttle_prop", tests, NULL, NULL);
}
