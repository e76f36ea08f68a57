// SPDX-License-Identifier: Apache-2.0
// Tests:   tests/unit/engine/requests/test_requests.c
#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_order.h"
#include "engine/requests/request_steps.h"

typedef struct sign {
    uint64_t key;
    int64_t ticks;
    bool is_end;
} sign;

typedef LP_VEC(sign) signs;

LP_COMPARE(compare_signs, sign,
    LP_ORDER(one->key, other->key) ?: LP_ORDER(one->ticks, other->ticks) ?: LP_ORDER(one->is_end, other->is_end))

static void
add_joined(const compact_requests_input *input, const compact_joined_key *joined, lp_arena *arena,
    signs *out)
{
    int64_t end;
    if (joined->to == 0 || joined->begin == INT64_MAX) {
        return;
    }
    LP_ARENA_PUSH(arena, out, (sign){joined->key, joined->begin, false});
    if (joined->until < INT64_MAX &&
        !__builtin_sub_overflow(joined->until, input->linger_ticks, &end)) {
        LP_ARENA_PUSH(arena, out, (sign){joined->key, end, true});
    }
}

static void
gather(const compact_requests_input *input, lp_arena *arena, signs *out)
{
    compact_requests_input_check(input);
    const compact_open_requests *open = input->open;
    for (size_t i = 0; open != NULL && i < open->items.count; i++) {
        const compact_request *request = &open->items.items[i];
        if (request->has_root) {
            LP_ARENA_PUSH(arena, out, (sign){request->key, request->begin, false});
        }
        if (request->has_root && request->is_over) {
            LP_ARENA_PUSH(arena, out, (sign){request->key, request->end, true});
        }
    }
    for (size_t i = 0; open != NULL && i < open->joined.count; i++) {
        add_joined(input, &open->joined.items[i], arena, out);
    }
    for (size_t i = 0; i < input->root_count; i++) {
        const compact_root *root = &input->roots[i];
        if (root->ticks < input->hi) {
            LP_ARENA_PUSH(arena, out, (sign){root->key, root->ticks, root->is_end});
        }
    }
    LP_QSORT(out->items, out->count, compare_signs);
}

// end_before ends the key's previous time, if that has not ended before.
static void
end_before(const sign *met, compact_root_times *out)
{
    if (out->items.count > 0) {
        compact_root_time *before = &out->items.items[out->items.count - 1];
        if (before->key == met->key && before->until > met->ticks) {
            before->until = met->ticks;
        }
    }
}

void
compact_root_times_find(
    const compact_requests_input *input, lp_arena *arena, compact_root_times *out)
{
    compact_requests_input_check(input);
    LP_ASSERT(out->items.count == 0);
    signs all = {0};
    gather(input, arena, &all);
    compact_root_time *last = NULL; // the last time, if it is open
    for (size_t i = 0; i < all.count; i++) {
        const sign *met = &all.items[i];
        if (!met->is_end) {
            end_before(met, out);
            if (!LP_ARENA_RESERVE(arena, &out->items, 1)) {
                return;
            }
            last = &out->items.items[out->items.count++];
            *last = (compact_root_time){met->key, met->ticks, INT64_MAX};
        } else if (last != NULL && last->key == met->key) {
            if (__builtin_add_overflow(met->ticks, input->linger_ticks, &last->until)) {
                last->until = INT64_MAX;
            }
            last = NULL;
        }
    }
}

const compact_root_time *
compact_root_times_at(const compact_root_times *times, uint64_t key, int64_t ticks)
{
    // The first that begins after ticks.
    size_t lo = LP_BISECT(times->items.items, 0, times->items.count,
        at->key < key || (at->key == key && at->begin <= ticks));
    const compact_root_time *found = lo == 0 ? NULL : &times->items.items[lo - 1];
    return found != NULL && found->key == key ? found : NULL;
}
