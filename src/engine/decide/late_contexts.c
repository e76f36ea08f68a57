// SPDX-License-Identifier: Apache-2.0
// Tests:   tests/unit/engine/decide/test_known.c
#include "common/base/lp_assert.h"
#include "engine/decide/decide.h"
#include "engine/read/view.h"

static bool
is_counted(const compact_frame *frame)
{
    return frame->options->known_ns != 0 && policy_selects_by_context(frame->options->policy);
}

// known_end returns the tick up to which contexts are known: known_ticks, or the end of all chunks
// at hand if that is sooner.
static int64_t
known_end(const compact_frame *frame)
{
    int64_t end = frame->view->commit_max;
    for (size_t i = 0; i < frame->ahead_count; i++) {
        int64_t last = frame->aheads[i].view->commit_max;
        end = last > end ? last : end;
    }
    for (size_t i = 0; i < frame->far_count; i++) {
        end = frame->far[i].end > end ? frame->far[i].end : end;
    }
    return end < frame->known_ticks ? end : frame->known_ticks;
}

// is_late returns whether a context was open at a border at which its end was not known. If so, it
// was open at the last of these.
static bool
is_late(const compact_frame *frame, const compact_span *span)
{
    const compact_carry *carry = frame->carry;
    for (size_t i = carry->borders.count; i > 0; i--) {
        const compact_border *border = &carry->borders.items[i - 1];
        if (border->known < span->commit) {
            return span->begin < border->ticks;
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
    size_t first = count; // one after the last border for which all events of this chunk are late
    while (first > 0 && frame->carry->borders.items[first - 1].known >= frame->recent_min) {
        first--;
    }
    for (size_t i = first > 0 ? first - 1 : 0; i < count; i++) {
        LP_ARENA_PUSH_BESIDE(arena, &new_carry->borders, frame->carry->borders.items[i]);
    }
    bool is_met = count > 0 && frame->carry->borders.items[count - 1].ticks == frame->window.hi;
    if (!is_met) { // an empty window ends where the previous one did
        const compact_border border = {frame->window.hi, known_end(frame)};
        LP_ARENA_PUSH_BESIDE(arena, &new_carry->borders, border);
    }
}
