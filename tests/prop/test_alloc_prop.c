// SPDX-License-Identifier: Apache-2.0
// Random sessions with events of allocations. Which samples a throttle keeps is read from the
// output; everything else is as a naive model has it, quadratic and without chunks:
//
// - a sample passes if its own settings say so; all that pass are kept where there is no throttle,
//   and as many in each second as it may be where there is one;
// - a sample that is kept weighs its own bytes if it was sure to be kept; the others of a second
//   share the bytes of all that were not sure;
// - events are left themselves only if the policy enables them by name or by pattern;
// - a context is kept if something was kept in it;
// - offered = kept + dropped, for each type;
// - the output says the same wherever the session is cut into chunks, and if carry-overs are saved.
//
//   LOUPE_PROP_SEED=N LOUPE_PROP_ROUNDS=N    other sessions than the usual ones

#include "support/alloc_build.h"
#include "support/chance.h"
#include "support/compact_run.h"

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
    ITEMS_MAX = 60,
    CHUNKS_MAX = 4,
    THREADS = 3,
    GAP_NS = 600000000,   // between the borders of chunks
    SPAN_NS = 500000000,  // contexts are no longer
    LATE_NS = 1000000000, // events are stored no later
};
static const int64_t SESSION_NS = 4000000000;
static const int64_t SECOND_NS = 1000000000;

typedef struct item {
    bool is_trace; // a context; else an allocation
    uint64_t type;
    int64_t begin; // the commit time of an allocation
    int64_t commit;
    uint64_t thread; // 0: none
    uint64_t class;  // no two items have the same
    uint64_t bytes;
    size_t chunk;
    bool passes;
    bool is_sure;
    int64_t weight; // -1: no sample of it was kept
    bool is_left;   // it is in the output itself
    bool is_kept;   // a trace, by the model
} item;

typedef struct session {
    item items[ITEMS_MAX]; // in the order of the files
    size_t count;
    int64_t borders[CHUNKS_MAX];
    size_t chunk_count;
    alloc_jvm jvm;
    bool needs_context; // what the policy says of samples
    int rate;           // per second; 0: no throttle
    bool leaves_in_tlab;
    bool leaves_outside;
    int left_rate; // of those that are left in TLABs; 0: no throttle
    char policy[1000];
} session;

static size_t seen_samples;
static size_t seen_heavy; // that weigh more than their own event
static size_t seen_cut;

// --- Making sessions

static void
make_item(item *it, size_t index, uint64_t *chance)
{
    it->class = ALLOC_CLASS + index;
    it->is_trace = chance_below(chance, 4) == 0;
    it->thread = chance_below(chance, THREADS + (it->is_trace ? 0 : 1)) + (it->is_trace ? 1 : 0);
    it->type = it->is_trace                   ? (uint64_t)JFR_SAMPLE_TRACE
               : chance_below(chance, 2) == 0 ? (uint64_t)ALLOC_IN_TLAB
                                              : (uint64_t)ALLOC_OUTSIDE;
    it->begin = (int64_t)(chance_below(chance, 40) * 100000000); // some at the same time
    it->begin += chance_below(chance, 2) == 0 ? (int64_t)chance_below(chance, 100000000) : 0;
    it->commit = it->begin + (it->is_trace ? (int64_t)chance_below(chance, SPAN_NS) : 0);
    it->bytes = chance_below(chance, 2) == 0 ? chance_below(chance, 100) : 1 + (index << 20);
}

static void
append(session *s, const char *event, const char *settings)
{
    size_t length = strlen(s->policy);
    (void)snprintf(s->policy + length, sizeof(s->policy) - length, "<event name='%s'>%s</event>",
        event, settings);
}

static void
make_policy(session *s, uint64_t *chance)
{
    char settings[200];
    s->needs_context = chance_below(chance, 2) == 0;
    s->rate = (int)chance_below(chance, 4);
    (void)snprintf(settings, sizeof(settings),
        "<setting name='enabled'>true</setting><setting name='select'>%s</setting>",
        s->needs_context ? "if-context" : "all");
    append(s, chance_below(chance, 2) == 0 ? "jdk.ObjectAllocationSample" : "*AllocationSample",
        settings);
    (void)snprintf(settings, sizeof(settings), "<setting name='throttle'>%d/s</setting>", s->rate);
    if (s->rate > 0) {
        append(s, "jdk.ObjectAllocationSample", settings);
    }
    switch (chance_below(chance, 4)) {
    case 0:
        break; // nothing is said
    case 1:
        append(s, "jdk.*TLAB", "<setting name='enabled'>false</setting>");
        break;
    case 2:
        s->leaves_in_tlab = s->leaves_outside = true;
        append(s, "jdk.*TLAB", "<setting name='enabled'>true</setting>");
        break;
    default:
        s->leaves_in_tlab = true;
        s->left_rate = 2;
        append(s, "jdk.ObjectAllocationInNewTLAB",
            "<setting name='enabled'>true</setting><setting name='throttle'>2/s</setting>");
        break;
    }
}

static void
make_session(session *s, uint64_t *chance)
{
    s->jvm = chance_below(chance, 2) == 0 ? ALLOC_JDK_11 : ALLOC_JDK_17;
    s->count = 1 + chance_below(chance, ITEMS_MAX);
    for (size_t i = 0; i < s->count; i++) {
        make_item(&s->items[i], i, chance);
    }
    make_policy(s, chance);
}

static size_t
chunk_at(const session *s, int64_t time)
{
    size_t chunk = s->chunk_count - 1;
    while (chunk > 0 && s->borders[chunk] > time) {
        chunk--;
    }
    return chunk;
}

static int
compare_chunks(const void *a, const void *b)
{
    const item *x = a;
    const item *y = b;
    int order = (x->chunk > y->chunk) - (x->chunk < y->chunk);
    return order != 0 ? order : (x->class > y->class) - (x->class < y->class);
}

// cut cuts the session into chunks and stores some events in the chunk after their own.
static void
cut(session *s, uint64_t *chance)
{
    s->chunk_count = 1;
    int64_t border = 0;
    while (s->chunk_count < CHUNKS_MAX) {
        border += GAP_NS + (int64_t)chance_below(chance, 1500) * 1000000;
        if (border >= SESSION_NS) {
            break;
        }
        s->borders[s->chunk_count++] = border;
    }
    for (size_t i = 0; i < s->count; i++) {
        item *it = &s->items[i];
        it->chunk = chunk_at(s, it->commit);
        bool may_be_late = it->chunk + 1 < s->chunk_count &&
                           s->borders[it->chunk + 1] - it->commit < LATE_NS &&
                           chunk_at(s, it->begin) == it->chunk;
        it->chunk += may_be_late && chance_below(chance, 3) == 0;
    }
    qsort(s->items, s->count, sizeof(*s->items), compare_chunks);
}

// --- The engine

typedef struct outputs {
    compact_result results[CHUNKS_MAX];
    jfr_read reads[CHUNKS_MAX];
    size_t count;
} outputs;

static void
append_item(jfr_build *build, const item *it)
{
    if (it->is_trace) {
        char text[20];
        (void)snprintf(text, sizeof(text), "%" PRIu64, it->class);
        (void)jfr_sample_event(build, &(jfr_sample){.type = it->type,
                                          .start = it->begin,
                                          .end = it->commit,
                                          .thread = it->thread,
                                          .text = text});
        return;
    }
    (void)alloc_build_event(build, &(alloc_event){.type = it->type,
                                       .time = it->commit,
                                       .thread = it->thread,
                                       .stack = 5,
                                       .class = it->class,
                                       .bytes = it->bytes});
    alloc_build_class(build, it->class);
}

static void
outputs_make(outputs *o, const session *s, const policy *rules, compact_run_carry how)
{
    jfr_build builds[CHUNKS_MAX];
    compact_source sources[CHUNKS_MAX] = {{.jfr = {0}}};
    for (size_t c = 0; c < s->chunk_count; c++) {
        alloc_build_begin(&builds[c], s->borders[c], s->jvm);
        for (size_t i = 0; i < s->count; i++) {
            if (s->items[i].chunk == c) {
                append_item(&builds[c], &s->items[i]);
            }
        }
        for (uint64_t thread = 1; thread <= THREADS; thread++) {
            jfr_sample_thread(&builds[c], thread, (int64_t)thread);
        }
        jfr_sample_stack(&builds[c], 5);
        jfr_build_checkpoint(&builds[c]);
        sources[c].jfr = jfr_build_finish(&builds[c]);
    }
    o->count = s->chunk_count;
    compact_run(sources, o->count, rules, how, o->results);
    for (size_t c = 0; c < o->count; c++) {
        compact_run_read(&o->results[c], &o->reads[c]);
        jfr_build_fini(&builds[c]);
    }
}

static void
outputs_fini(outputs *o)
{
    for (size_t c = 0; c < o->count; c++) {
        jfr_read_close(&o->reads[c]);
        compact_result_fini(&o->results[c]);
    }
}

static const char *
name_of(const item *it)
{
    return it->type == ALLOC_IN_TLAB ? "jdk.ObjectAllocationInNewTLAB"
                                     : "jdk.ObjectAllocationOutsideTLAB";
}

// read_samples notes what the engine kept of the allocations.
static void
read_samples(session *s, const outputs *o)
{
    for (size_t i = 0; i < s->count; i++) {
        item *it = &s->items[i];
        if (!it->is_trace) {
            it->weight = alloc_build_weight(&o->reads[it->chunk], it->class);
            it->is_left = alloc_build_find(&o->reads[it->chunk], name_of(it), it->class) != NULL;
        }
    }
}

// --- The model

static bool
leaves(const session *s, const item *it)
{
    return it->type == ALLOC_IN_TLAB ? s->leaves_in_tlab : s->leaves_outside;
}

static bool
is_in_context(const session *s, const item *it)
{
    for (size_t i = 0; i < s->count; i++) {
        const item *trace = &s->items[i];
        if (trace->is_trace && trace->thread == it->thread && trace->begin <= it->commit &&
            it->commit <= trace->commit) {
            return true;
        }
    }
    return false;
}

static int
compare_commits(const void *a, const void *b)
{
    const item *x = *(item *const *)a;
    const item *y = *(item *const *)b;
    if (x->commit != y->commit) {
        return x->commit > y->commit ? 1 : -1;
    }
    return (x > y) - (x < y); // the order of the files
}

static size_t
list_in_order(session *s, bool is_trace, item *list[ITEMS_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (s->items[i].is_trace == is_trace) {
            list[count++] = &s->items[i];
        }
    }
    qsort(list, count, sizeof(*list), compare_commits);
    return count;
}

// is_sure says whether a sample would have a chance of 1 or more by its bytes: room is for so many
// of those that are not sure, which have so many bytes. An allocation of none counts as one byte.
static bool
is_sure(const item *it, uint64_t room, uint64_t bytes)
{
    return (it->bytes > 0 ? it->bytes : 1) * room >= bytes;
}

// find_sure sets is_sure of the samples of a second as often as that makes others sure.
static void
find_sure(item **list, size_t count, uint64_t rate, uint64_t *out_room)
{
    bool has_more = true;
    *out_room = rate;
    for (size_t i = 0; i < count; i++) {
        list[i]->is_sure = count <= rate;
    }
    while (has_more && count > rate) {
        uint64_t bytes = 0;
        for (size_t i = 0; i < count; i++) {
            bytes += list[i]->is_sure ? 0 : list[i]->bytes > 0 ? list[i]->bytes : 1;
        }
        has_more = false;
        uint64_t room = *out_room;
        for (size_t i = 0; i < count; i++) {
            bool is_new = !list[i]->is_sure && is_sure(list[i], room, bytes);
            list[i]->is_sure |= is_new;
            *out_room -= is_new;
            has_more |= is_new;
        }
    }
}

// is_second_right looks at the samples of a second that passed.
static bool
is_second_right(item **list, size_t count, int rate)
{
    uint64_t room;
    find_sure(list, count, rate == 0 ? count : (uint64_t)rate, &room);
    uint64_t bytes = 0; // of those that are not sure
    uint64_t weights = 0;
    uint64_t kept = 0;
    bool is_good = true;
    for (size_t i = 0; i < count; i++) {
        bytes += list[i]->is_sure ? 0 : list[i]->bytes;
    }
    for (size_t i = 0; i < count; i++) {
        const item *it = list[i];
        uint64_t share = it->is_sure ? it->bytes : room == 0 ? 0 : bytes / room;
        uint64_t weight = (uint64_t)it->weight;
        is_good &= it->is_sure ? it->weight >= 0 && weight == share
                               : it->weight < 0 || weight == share || weight == share + 1;
        kept += !it->is_sure && it->weight >= 0;
        weights += !it->is_sure && it->weight >= 0 ? weight : 0;
        seen_samples += it->weight >= 0;
        seen_heavy += it->weight > (int64_t)it->bytes;
    }
    bool is_sampled = rate > 0 && count > (uint64_t)rate;
    if (!is_good || (is_sampled && (kept != room || weights != bytes))) {
        print_error("%zu samples: %" PRIu64 " kept, not %" PRIu64 "; %" PRIu64
                    " bytes, not %" PRIu64 "\n",
            count, kept, room, weights, bytes);
        return false;
    }
    return true;
}

static bool
are_weights_right(session *s)
{
    item *list[ITEMS_MAX];
    size_t count = list_in_order(s, false, list);
    size_t passed = 0;
    for (size_t i = 0; i < count; i++) {
        item *it = list[i];
        it->passes = !s->needs_context || is_in_context(s, it);
        bool is_wrong = (!it->passes && it->weight >= 0) || (it->is_left && !leaves(s, it)) ||
                        (!it->is_left && leaves(s, it) && s->left_rate == 0);
        if (is_wrong) {
            print_error("class %" PRIu64 " is%s left, weight %" PRId64 "\n", it->class,
                it->is_left ? "" : " not", it->weight);
            return false;
        }
        if (it->passes) {
            list[passed++] = it;
        }
    }
    for (size_t i = 0, end = 0; i < passed; i = end) {
        while (end < passed && list[end]->commit / SECOND_NS == list[i]->commit / SECOND_NS) {
            end++;
        }
        if (!is_second_right(list + i, end - i, s->rate)) {
            return false;
        }
    }
    return true;
}

static bool
is_first_for_ties(const item *x, const item *y)
{
    if (x->commit != y->commit) {
        return x->commit < y->commit;
    }
    return x->begin != y->begin ? x->begin > y->begin : x < y;
}

static bool
is_in(const item *trace, int64_t commit)
{
    return trace->begin <= commit && commit <= trace->commit;
}

static void
decide_traces(session *s)
{
    item *list[ITEMS_MAX];
    size_t count = list_in_order(s, true, list);
    for (size_t i = 0; i < count; i++) { // those of equal ends, the inner one first
        for (size_t k = i; k > 0 && is_first_for_ties(list[k], list[k - 1]); k--) {
            item *moved = list[k];
            list[k] = list[k - 1];
            list[k - 1] = moved;
        }
    }
    for (size_t i = 0; i < count; i++) {
        item *trace = list[i];
        trace->is_kept = false;
        for (size_t k = 0; k < s->count; k++) {
            const item *it = &s->items[k];
            trace->is_kept |= !it->is_trace && it->thread == trace->thread &&
                              (it->weight >= 0 || it->is_left) && is_in(trace, it->commit);
        }
        for (size_t k = 0; k < i; k++) {
            trace->is_kept |= list[k]->is_kept && list[k]->thread == trace->thread &&
                              is_in(trace, list[k]->commit);
        }
    }
}

static bool
has_trace(const jfr_read *read, const item *trace)
{
    char text[20];
    bool is_there = false;
    (void)snprintf(text, sizeof(text), "%" PRIu64, trace->class);
    for (size_t i = 0; i < read->events.count; i++) {
        lp_buf value = {0};
        if (strcmp(jfr_read_name(read, &read->events.items[i]), "test.Trace") == 0 &&
            jfr_read_value(read, &read->events.items[i], "traceId", &value)) {
            is_there |= strstr((const char *)value.ptr, text) != NULL;
        }
        lp_buf_fini(&value);
    }
    return is_there;
}

static bool
are_traces_right(session *s, const outputs *o)
{
    decide_traces(s);
    for (size_t i = 0; i < s->count; i++) {
        const item *it = &s->items[i];
        if (it->is_trace && has_trace(&o->reads[it->chunk], it) != it->is_kept) {
            print_error("context %" PRIu64 " [%" PRId64 ", %" PRId64 "] should be %s\n", it->class,
                it->begin, it->commit, it->is_kept ? "kept" : "gone");
            return false;
        }
    }
    return true;
}

// --- Accounts

static compact_type_stats
find_stats(const compact_stats *stats, const char *name)
{
    for (size_t i = 0; i < stats->type_count; i++) {
        if (strcmp(stats->types[i].name, name) == 0) {
            return stats->types[i];
        }
    }
    return (compact_type_stats){0};
}

static bool
is_account(const char *name, const compact_type_stats *want, const compact_stats *stats)
{
    const compact_type_stats got = find_stats(stats, name);
    bool is_good = want->events_in == got.events_in && want->events_out == got.events_out &&
                   memcmp(&want->dropped, &got.dropped, sizeof(got.dropped)) == 0 &&
                   got.events_in == got.events_out + compact_dropped_sum(&got.dropped);
    if (!is_good) {
        print_error("%s: %" PRIu64 " of %" PRIu64 " kept, not %" PRIu64 " of %" PRIu64 "\n", name,
            got.events_out, got.events_in, want->events_out, want->events_in);
    }
    return is_good;
}

static bool
are_accounts_right(const session *s, size_t chunk, const compact_stats *stats)
{
    compact_type_stats samples = {0};
    compact_type_stats events[2] = {{0}};
    for (size_t i = 0; i < s->count; i++) {
        const item *it = &s->items[i];
        if (it->is_trace || it->chunk != chunk) {
            continue;
        }
        samples.events_in++;
        samples.events_out += it->weight >= 0;
        samples.dropped.by[COMPACT_BY_SELECT] += !it->passes;
        samples.dropped.by[COMPACT_BY_THROTTLE] += it->passes && it->weight < 0;
        compact_type_stats *of = &events[it->type == ALLOC_IN_TLAB];
        of->events_in++;
        of->events_out += it->is_left;
        of->dropped.by[leaves(s, it) ? COMPACT_BY_THROTTLE : COMPACT_BY_ENABLED] += !it->is_left;
    }
    return is_account("jdk.ObjectAllocationSample", &samples, stats) &&
           is_account("jdk.ObjectAllocationOutsideTLAB", &events[0], stats) &&
           is_account("jdk.ObjectAllocationInNewTLAB", &events[1], stats);
}

// --- One session

static bool
is_same(const outputs *a, const outputs *b)
{
    for (size_t c = 0; c < a->count; c++) {
        if (a->results[c].jfr.len != b->results[c].jfr.len ||
            memcmp(a->results[c].jfr.ptr, b->results[c].jfr.ptr, a->results[c].jfr.len) != 0) {
            print_error("chunk %zu differs if carry-overs are saved\n", c);
            return false;
        }
    }
    return true;
}

// is_like_joined compares with the session in one chunk.
static bool
is_like_joined(const session *s, const policy *rules)
{
    session joined = *s;
    joined.chunk_count = 1;
    for (size_t i = 0; i < s->count; i++) {
        joined.items[i].chunk = 0;
    }
    outputs o;
    outputs_make(&o, &joined, rules, COMPACT_RUN_AS_IT_IS);
    read_samples(&joined, &o);
    outputs_fini(&o);
    for (size_t i = 0; i < s->count; i++) {
        const item *a = &s->items[i];
        const item *b = &joined.items[i];
        if (!a->is_trace && (a->weight != b->weight || a->is_left != b->is_left)) {
            print_error("class %" PRIu64 ": weight %" PRId64 ", %" PRId64 " in one chunk\n",
                a->class, a->weight, b->weight);
            return false;
        }
    }
    return true;
}

static bool
is_cut_right(session *s, const policy *rules)
{
    outputs o;
    outputs saved;
    outputs_make(&o, s, rules, COMPACT_RUN_AS_IT_IS);
    outputs_make(&saved, s, rules, COMPACT_RUN_SAVED);
    read_samples(s, &o);
    bool is_good = is_same(&o, &saved) && are_weights_right(s) && are_traces_right(s, &o);
    for (size_t c = 0; c < o.count && is_good; c++) {
        is_good = are_accounts_right(s, c, &o.results[c].stats);
    }
    outputs_fini(&o);
    outputs_fini(&saved);
    seen_cut += s->chunk_count > 1;
    return is_good && is_like_joined(s, rules);
}

static bool
is_round_right(uint64_t seed)
{
    uint64_t chance = seed;
    session s = {0};
    make_session(&s, &chance);
    policy *rules = compact_run_policy(s.policy);
    bool is_good = true;
    for (int i = 0; i < 3 && is_good; i++) {
        cut(&s, &chance);
        is_good = is_cut_right(&s, rules);
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
test_samples_weigh_what_was_allocated_and_no_cut_shows(void **state)
{
    (void)state;
    uint64_t seed = number_of("LOUPE_PROP_SEED", 1);
    uint64_t rounds = number_of("LOUPE_PROP_ROUNDS", 600);
    for (uint64_t i = 0; i < rounds; i++) {
        if (!is_round_right(seed + i)) {
            print_error("LOUPE_PROP_SEED=%" PRIu64 " LOUPE_PROP_ROUNDS=1 shows it\n", seed + i);
            fail();
        }
    }
    print_message("%zu samples, %zu of them for several events; %zu sessions in several chunks\n",
        seen_samples, seen_heavy, seen_cut);
    assert_true(rounds < 150 || (seen_heavy > rounds * 3 / 2 && seen_cut > rounds));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples_weigh_what_was_allocated_and_no_cut_shows),
    };
    return cmocka_run_group_tests_name("alloc_prop", tests, NULL, NULL);
}
