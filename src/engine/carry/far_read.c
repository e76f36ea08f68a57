// SPDX-License-Identifier: Apache-2.0
// far_read: reads the contextual events of a much later chunk that an earlier chunk needs
// (carry.h).
//
// Tests:   tests/unit/engine/decide/test_known.c

#include "common/base/lp_assert.h"
#include "engine/carry/carry.h"
#include "engine/carry/identities.h"
#include "engine/read/view.h"

static lp_err
add_spans(const compact_view *view, const uint64_t *identities, compact_intervals *out)
{
    for (size_t i = 0; i < view->spans.count; i++) {
        const compact_span *span = &view->spans.items[i];
        if (span->thread != COMPACT_NO_THREAD) {
            LP_TRY(LP_VEC_ADD(
                out, (compact_interval){identities[span->thread], span->begin, span->commit}));
        }
    }
    return LP_OK;
}

lp_err
compact_far_read(lp_slice chunk, const policy *rules, int64_t before, const compact_carry *carry,
    compact_intervals *out)
{
    if (carry != NULL) {
        compact_carry_check(carry);
    }
    LP_ASSERT(!policy_samples_contexts(rules));
    compact_view view;
    LP_TRY(compact_view_open_contexts(&view, chunk, rules, before, NULL));
    const compact_view *const views[] = {&view};
    const uint64_t *identities = compact_identities_identify(&view.arena, views, 1, 0, carry);
    lp_err err = identities == NULL ? LP_ENOMEM : add_spans(&view, identities, out);
    compact_view_close(&view);
    return err;
}
