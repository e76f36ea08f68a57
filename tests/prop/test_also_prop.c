// SPDX-License-Identifier: Apache-2.0
// Random sessions with pins of some ids and threads: a chunk has what the policy keeps, and every
// event and context that overlaps a wanted time on its thread, and nothing else. What the next
// chunk gets is as without pins. The judge knows neither rows nor views: it takes what the policy
// keeps from a run without pins, and the rest from the session itself.
//
// An id is known in the chunk that stores it, and in earlier ones where its context began.
//
//   LOUPE_PROP_SEED=N LOUPE_PROP_ROUNDS=N    other sessions than the usual ones

#include "context_types.h"
#include "support/chance.h"
#include "support/compact_run.h"
#include "support/jfr_read.h"
#include "world_judge.h"

#include "common/rollup/rollup_id.h"
#include "policy/policy.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NS_PER_S = 1000000000 };

// The pins of a session.
typedef struct pinned {
    bool is_id[WORLD_EVENTS_MAX]; // by item: its trace id
    uint64_t ids[WORLD_EVENTS_MAX];
    compact_also_thread thread; // java_id 0: none
    int64_t from;               // ticks
    int64_t to;
    compact_also also;
} pinned;

static int
compare_ids(const void *a, const void *b)
{
    const uint64_t *x = a;
    const uint64_t *y = b;
    return (*x > *y) - (*x < *y);
}

static void
make_pins(const world *w, uint64_t *chance, pinned *out)
{
    *out = (pinned){0};
    for (size_t i = 0; i < w->item_count; i++) {
        char text[24];
        int length = snprintf(text, sizeof(text), "%zu", i);
        out->is_id[i] = w->items[i].type == JFR_SAMPLE_TRACE && chance_below(chance, 3) == 0;
        if (out->is_id[i]) {
            const lp_slice id = {(const uint8_t *)text, (size_t)length};
            assert_true(rollup_id_hash(id, &out->ids[out->also.id_count++]));
        }
    }
    qsort(out->ids, out->also.id_count, sizeof(*out->ids), compare_ids);
    out->also.ids = out->ids;
    if (chance_below(chance, 3) == 0) {
        int64_t ns = NS_PER_S / w->ticks_per_s;
        out->from = (int64_t)chance_below(chance, (uint64_t)w->ticks);
        out->to = out->from + (int64_t)chance_below(chance, (uint64_t)w->ticks / 4);
        out->thread = (compact_also_thread){.name = "",
            .java_id = 1 + (int64_t)chance_below(chance, WORLD_THREADS),
            .from_wall_ns = out->from * ns,
            .to_wall_ns = out->to * ns};
        out->also.threads = &out->thread;
        out->also.thread_count = 1;
    }
}

static int64_t
hi_of(const world *w, size_t chunk)
{
    return chunk + 1 < w->chunk_count ? w->borders[chunk + 1] : INT64_MAX;
}

// is_row returns whether an item is known as a context in chunks before its own.
static bool
is_row(const world *w, const world_item *it)
{
    bool is_unused = w->rules[it->type].is_disabled;
    for (size_t i = 0; i < WORLD_KINDS; i++) {
        is_unused &= w->rules[world_kinds[i].id].is_contextual ||
                     w->rules[world_kinds[i].id].select != POLICY_SELECT_IF_CONTEXT;
    }
    return !is_unused && world_item_worth(w, it) == WORLD_MATTERS;
}

// is_wanted returns whether a time on a thread is wanted in a chunk.
static bool
is_wanted(
    const world *w, const pinned *p, size_t chunk, uint64_t thread, int64_t begin, int64_t end)
{
    if (thread == 0) {
        return false;
    }
    if (p->also.thread_count > 0 && thread == (uint64_t)p->thread.java_id && begin <= p->to &&
        end >= p->from) {
        return true;
    }
    for (size_t i = 0; i < w->item_count; i++) {
        const world_item *c = &w->items[i];
        bool is_known =
            c->chunk == chunk || (c->chunk > chunk && c->begin < hi_of(w, chunk) && is_row(w, c));
        if (p->is_id[i] && w->rules[c->type].is_contextual && is_known && c->thread == thread &&
            c->begin <= end && c->commit >= begin) {
            return true;
        }
    }
    return false;
}

static size_t
count_parts(const world_context *c, const jfr_read *output)
{
    size_t count = 0;
    for (size_t i = 0; i < output->events.count; i++) {
        const jfr_read_event *event = &output->events.items[i];
        count += strcmp(jfr_read_name(output, event), prop_context_types[c->type - 1].name) == 0 &&
                 jfr_read_number(output, event, "n") == (int64_t)c->record;
    }
    return count;
}

static bool
are_contexts_right(
    const world *w, const pinned *p, size_t chunk, const jfr_read *without, const jfr_read *also)
{
    int64_t lo = chunk == 0 ? INT64_MIN : w->borders[chunk];
    for (size_t i = 0; i < w->context_count; i++) {
        const world_context *c = &w->contexts[i];
        bool is_here = c->begin < hi_of(w, chunk) && c->end >= lo && c->begin <= w->ticks;
        bool is_pinned = is_here && is_wanted(w, p, chunk, c->thread, c->begin, c->end);
        size_t want = count_parts(c, without);
        want = want > 0 ? want : is_pinned;
        if (count_parts(c, also) != want) {
            print_error("context %zu: type %u [%" PRId64 ", %" PRId64 "] thread %" PRIu64
                        " in chunk %zu: %zu parts, not %zu\n",
                i, c->type, c->begin, c->end, c->thread, chunk, count_parts(c, also), want);
            return false;
        }
    }
    return true;
}

static bool
are_events_right(const world *w, const pinned *p, size_t chunk, const jfr_read *also)
{
    for (size_t i = 0; i < w->item_count; i++) {
        const world_item *it = &w->items[i];
        size_t want = 0;
        for (size_t k = 0; k < w->item_count; k++) {
            const world_item *other = &w->items[k];
            want += world_is_like(it, other) &&
                    (other->is_kept ||
                        is_wanted(w, p, other->chunk, other->thread, other->begin, other->commit));
        }
        if (it->chunk == chunk && world_count_like(it, also) != want) {
            print_error("event %zu: type %" PRIu64 " [%" PRId64 ", %" PRId64 "] thread %" PRIu64
                        " in chunk %zu: %zu like it, not %zu\n",
                i, it->type, it->begin, it->commit, it->thread, chunk, world_count_like(it, also),
                want);
            return false;
        }
    }
    return true;
}

static bool
is_same_carry(const compact_carry *one, const compact_carry *other)
{
    lp_buf a = {0};
    lp_buf b = {0};
    assert_int_equal(compact_carry_save(one, &a), LP_OK);
    assert_int_equal(compact_carry_save(other, &b), LP_OK);
    bool is_same = a.len == b.len && memcmp(a.ptr, b.ptr, a.len) == 0;
    lp_buf_fini(&a);
    lp_buf_fini(&b);
    return is_same;
}

static bool
is_chunk_right(const world *w, const pinned *p, size_t chunk, const compact_result *without,
    const compact_result *also)
{
    jfr_read before;
    jfr_read after;
    compact_run_read(without, &before);
    compact_run_read(also, &after);
    bool is_right =
        are_events_right(w, p, chunk, &after) && are_contexts_right(w, p, chunk, &before, &after);
    jfr_read_close(&before);
    jfr_read_close(&after);
    if (is_right && !is_same_carry(without->carry, also->carry)) {
        print_error("chunk %zu leaves something else\n", chunk);
        return false;
    }
    return is_right;
}

// is_all_right returns whether a policy that drops nothing has, with the pins, each event and
// context that the policy has with them.
static bool
is_all_right(const world *w, size_t chunk, const compact_result *with, const compact_result *all)
{
    jfr_read one;
    jfr_read other;
    bool has = true;
    compact_run_read(with, &one);
    compact_run_read(all, &other);
    for (size_t i = 0; i < w->context_count; i++) {
        has &= count_parts(&w->contexts[i], &one) <= count_parts(&w->contexts[i], &other);
    }
    for (size_t i = 0; i < w->item_count; i++) {
        has &= world_count_like(&w->items[i], &one) <= world_count_like(&w->items[i], &other);
    }
    jfr_read_close(&one);
    jfr_read_close(&other);
    if (!has) {
        print_error("chunk %zu has less than before\n", chunk);
    }
    return has;
}

static void
run_both(const world *w, const world_bytes *b, compact_options options, const pinned *p,
    compact_result *without, compact_result *with)
{
    compact_run_with(b->sources, w->chunk_count, &options, without);
    options.also = &p->also;
    compact_run_with(b->sources, w->chunk_count, &options, with);
}

static bool
is_session_right(const world *w, const world_bytes *b, const policy *rules)
{
    uint64_t chance = (uint64_t)w->ticks + 77 * w->item_count + w->record_count;
    pinned p;
    compact_result without[WORLD_CHUNKS_MAX];
    compact_result with[WORLD_CHUNKS_MAX];
    make_pins(w, &chance, &p);
    run_both(w, b, (compact_options){.policy = rules}, &p, without, with);
    policy *everything;
    compact_result all[WORLD_CHUNKS_MAX];
    assert_int_equal(policy_all_create(rules, &everything), LP_OK);
    compact_run_with(
        b->sources, w->chunk_count, &(compact_options){.policy = everything, .also = &p.also}, all);
    bool is_right = true;
    for (size_t i = 0; i < w->chunk_count; i++) {
        is_right = is_right && is_chunk_right(w, &p, i, &without[i], &with[i]) &&
                   is_all_right(w, i, &with[i], &all[i]);
        compact_result_fini(&without[i]);
        compact_result_fini(&with[i]);
        compact_result_fini(&all[i]);
    }
    policy_destroy(everything);
    return is_right;
}

// has_all returns whether an output has each event of another one, and what decides requests is the
// same. Requests of pinned contexts are pinned, too, so it may have more than is_wanted says.
static bool
has_all(const world *w, size_t chunk, const compact_result *without, const compact_result *with)
{
    jfr_read before;
    jfr_read after;
    compact_run_read(without, &before);
    compact_run_read(with, &after);
    bool has = is_same_carry(without->carry, with->carry) &&
               without->stats.requests_in == with->stats.requests_in &&
               without->stats.requests_out == with->stats.requests_out &&
               memcmp(&without->stats.request_reasons, &with->stats.request_reasons,
                   sizeof(with->stats.request_reasons)) == 0;
    for (size_t i = 0; i < w->item_count; i++) {
        const world_item *it = &w->items[i];
        has &= it->chunk != chunk || world_count_like(it, &before) <= world_count_like(it, &after);
    }
    for (size_t i = 0; i < w->context_count; i++) {
        const world_context *c = &w->contexts[i];
        has &= count_parts(c, &before) <= count_parts(c, &after);
    }
    jfr_read_close(&before);
    jfr_read_close(&after);
    return has;
}

static bool
are_requests_as_without(const world *w, const world_bytes *b, const policy *rules)
{
    uint64_t chance = (uint64_t)w->ticks + 99 * w->item_count + w->record_count;
    pinned p;
    compact_result without[WORLD_CHUNKS_MAX];
    compact_result with[WORLD_CHUNKS_MAX];
    make_pins(w, &chance, &p);
    const compact_options options = {.policy = rules, .has_requests = true, .has_rollup = true};
    run_both(w, b, options, &p, without, with);
    bool is_right = true;
    for (size_t i = 0; i < w->chunk_count; i++) {
        is_right = is_right && has_all(w, i, &without[i], &with[i]);
        compact_result_fini(&without[i]);
        compact_result_fini(&with[i]);
    }
    return is_right;
}

static void
test_requests_are_decided_as_without_pins(void **state)
{
    (void)state;
    world_rounds(300, 2, are_requests_as_without);
}

static void
test_a_chunk_has_what_is_kept_and_what_is_pinned(void **state)
{
    (void)state;
    world_rounds(1200, 2, is_session_right);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_chunk_has_what_is_kept_and_what_is_pinned),
        cmocka_unit_test(test_requests_are_decided_as_without_pins),
    };
    return cmocka_run_group_tests_name("also_prop", tests, NULL, NULL);
}
