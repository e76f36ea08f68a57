// SPDX-License-Identifier: Apache-2.0
#include "engine/decide/late_contexts.h"

#include "common/base/lp_assert.h"
#include "engine/read/view.h"

static bool
is_counted(const compact_frame *frame)
{
    return frame->options->known_ns != 0 && policy_selects_by_context(frame->options->policy);
}

// is_before returns whether what was waited for behind a border ends before a time.
static bool
is_before(const compact_frame *frame, int64_t border, int64_t ticks)
{
    __int128 known = (__int128)frame->known_ticks - frame->window.hi;
    return border + known < ticks;
}

// is_late returns whether a context was open at the last border that is too far before its end. If
// it was open at any of these, it was at the last.
static bool
is_late(const compact_frame *frame, const compact_span *span)
{
    const compact_carry *carry = frame->carry;
    for (size_t i = carry->borders.count; i > 0; i--) {
        int64_t border = carry->borders.items[i - 1];
        if (is_before(frame, border, span->commit)) {
            return span->begin < border;
        }
    }
    return false;
}

uint64_t
compact_late_contexts_count(const compact_frame *frame)
{
    LP_ASSERT(compact_frame_is_open(frame));
    uint64_t count = 0;
    bool is_needed = is_counted(frame) && frame->carry != NULL && frame->carry->borders.count > 0;
    for (size_t i = 0; is_needed && i < frame->view->spans.count; i++) {
        const compact_span *span = &frame->view->spans.items[i];
        count += span->thread != COMPACT_NO_THREAD && is_late(frame, span);
    }
    return count;
}

void
compact_late_contexts_carry(const compact_frame *frame, lp_arena *arena, compact_carry *new_carry)
{
    LP_ASSERT(compact_frame_is_open(frame) && new_carry->borders.count == 0);
    if (!is_counted(frame)) {
        return;
    }
    size_t count = frame->carry == NULL ? 0 : frame->carry->borders.count;
    size_t first = count; // the last border for which everything is too late that is stored now
    while (
        first > 0 && !is_before(frame, frame->carry->borders.items[first - 1], frame->recent_min)) {
        first--;
    }
    for (size_t i = first > 0 ? first - 1 : 0; i < count; i++) {
        LP_ARENA_PUSH_BESIDE(arena, &new_carry->borders, frame->carry->borders.items[i]);
    }
    bool is_met = count > 0 && frame->carry->borders.items[count - 1] == frame->window.hi;
    if (!is_met) { // chunks of no time end where the one before did
        LP_ARENA_PUSH_BESIDE(arena, &new_carry->borders, frame->window.hi);
    }
}
