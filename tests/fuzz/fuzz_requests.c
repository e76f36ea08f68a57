// SPDX-License-Identifier: Apache-2.0
// Parts, roots and hand-overs as a hostile agent may send them, in windows that know each other:
// requests, stays and waits keep to what requests.h says of them.
//
// The first byte is linger_ticks. Then there are records of six bytes: kind, thread, key, flags,
// time, length. A border whose key is odd is one at which the session seems to end.

#include "fuzz.h"

#include "common/base/lp_assert.h"
#include "engine/requests/requests.h"

enum {
    RECORD_BYTES = 6,
    RECORDS_MAX = 256, // of a window
    KIND_PART = 0,
    KIND_ROOT = 1,
    KIND_HAND_OVER = 2,
    KIND_BORDER = 3,
    KINDS = 4,
    IS_ROOTED = 1, // of a part
    IS_NEW = 2,
    IS_OPEN = 4,
    IS_END = 1,  // of a root
    IS_FAR = 16, // times are very large
};

typedef struct window {
    compact_request_part parts[RECORDS_MAX];
    compact_root roots[RECORDS_MAX];
    compact_hand_over hand_overs[RECORDS_MAX];
    compact_requests_input input;
} window;

static int64_t
ticks_of(uint8_t byte, uint8_t flags)
{
    return (flags & IS_FAR) != 0 ? (int64_t)((uint64_t)byte << 56) : byte;
}

static void
take(window *w, const uint8_t *record)
{
    compact_requests_input *in = &w->input;
    uint64_t thread = record[1] % 4;
    uint64_t key = record[2] % 8;
    uint8_t flags = record[3];
    int64_t begin = ticks_of(record[4], flags);
    int64_t end;
    if (__builtin_add_overflow(begin, (int8_t)record[5], &end)) {
        end = begin;
    }
    compact_request_source source = (compact_request_source)(key % (COMPACT_REQUEST_BY_API + 1));
    if (record[0] % KINDS == KIND_PART && in->part_count < RECORDS_MAX) {
        w->parts[in->part_count++] =
            (compact_request_part){thread, begin, (flags & IS_OPEN) != 0 ? INT64_MAX : end, key,
                source, (flags & IS_ROOTED) != 0, (flags & IS_NEW) != 0};
    } else if (record[0] % KINDS == KIND_ROOT && in->root_count < RECORDS_MAX) {
        w->roots[in->root_count++] =
            (compact_root){key, thread, begin, source, (flags & IS_END) != 0};
    } else if (record[0] % KINDS == KIND_HAND_OVER && in->hand_over_count < RECORDS_MAX) {
        w->hand_overs[in->hand_over_count++] = (compact_hand_over){key, thread, begin, end};
    }
}

static void
expect_right(const compact_requests_input *in, const compact_requests *out)
{
    for (size_t i = 0; i < out->items.count; i++) {
        const compact_request *r = &out->items.items[i];
        LP_ASSERT(i == 0 || r[-1].begin <= r->begin);
        LP_ASSERT(r->busy_ticks >= 0 && r->queued_ticks >= 0);
        LP_ASSERT(r->begin <= r->end);
        LP_ASSERT((uint64_t)r->busy_ticks + (uint64_t)r->queued_ticks <=
                  (uint64_t)r->end - (uint64_t)r->begin);
        LP_ASSERT(!in->is_last || (r->is_over && !r->goes_on));
        LP_ASSERT(!r->is_guessed || in->is_last);
        LP_ASSERT(r->is_over || r->is_carried);
    }
    for (size_t i = 0; i < out->stays.count; i++) {
        const compact_stay *s = &out->stays.items[i];
        LP_ASSERT(s->begin <= s->end && s->request < out->items.count);
        LP_ASSERT(i == 0 || s[-1].thread < s->thread ||
                  (s[-1].thread == s->thread && s[-1].end <= s->begin));
        LP_ASSERT(compact_requests_find(out, s->thread, s->begin) < out->items.count);
    }
    for (size_t i = 0; i < out->waits.count; i++) {
        LP_ASSERT(out->waits.items[i].hand_over < in->hand_over_count);
        LP_ASSERT(out->waits.items[i].request < out->items.count);
    }
    for (size_t i = 0; i < in->part_count; i++) {
        LP_ASSERT(
            out->request_of[i] == COMPACT_REQUEST_NONE || out->request_of[i] < out->items.count);
    }
}

// run finds the requests of a window, and leaves in open what the next one has to know.
static void
run(window *w, compact_open_requests *open, lp_arena *next)
{
    lp_arena arena = {0};
    compact_requests out = {.request_of = NULL};
    w->input.open = open;
    w->input.parts = w->parts;
    w->input.roots = w->roots;
    w->input.hand_overs = w->hand_overs;
    compact_requests_make(&w->input, &arena, &out);
    LP_ASSERT(lp_arena_err(&arena) == LP_OK);
    expect_right(&w->input, &out);
    *open = (compact_open_requests){.arena = next};
    compact_requests_carry(&out, open);
    lp_arena_fini(&arena);
    w->input.part_count = w->input.root_count = w->input.hand_over_count = 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    static window w;
    lp_arena arenas[2] = {{0}};
    compact_open_requests open = {.arena = NULL};
    size_t windows = 0;
    w.input = (compact_requests_input){.lo = INT64_MIN, .linger_ticks = count > 0 ? bytes[0] : 0};
    for (size_t at = 1; count >= RECORD_BYTES && at <= count - RECORD_BYTES; at += RECORD_BYTES) {
        const uint8_t *record = &bytes[at];
        int64_t hi = ticks_of(record[4], record[3]);
        if (record[0] % KINDS != KIND_BORDER) {
            take(&w, record);
        } else if (hi > w.input.lo) {
            w.input.hi = hi;
            w.input.known = record[5] == 0 ? INT64_MAX : hi;
            w.input.is_last = record[2] % 2 != 0;
            lp_arena_reset(&arenas[windows % 2]);
            run(&w, &open, &arenas[windows++ % 2]);
            w.input.lo = hi;
        }
    }
    w.input.hi = w.input.known = INT64_MAX;
    w.input.is_last = true;
    run(&w, &open, &arenas[windows % 2]);
    lp_arena_fini(&arenas[0]);
    lp_arena_fini(&arenas[1]);
    return 0;
}
