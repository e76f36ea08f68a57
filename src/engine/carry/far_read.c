// SPDX-License-Identifier: Apache-2.0
#include "engine/carry/far_read.h"

#include "engine/read/view.h"

lp_err
compact_far_read(lp_slice chunk, const policy *rules, int64_t before, compact_intervals *out)
{
    compact_view view;
    lp_err err = compact_view_open_contexts(&view, chunk, rules, before, NULL);
    if (err != LP_OK) {
        return err;
    }
    for (size_t i = 0; i < view.spans.count && err == LP_OK; i++) {
        const compact_span *span = &view.spans.items[i];
        if (span->thread == COMPACT_NO_THREAD) {
            continue;
        }
        compact_interval *interval = LP_VEC_PUSH(out);
        if (interval == NULL) {
            err = LP_ENOMEM;
            break;
        }
        *interval = (compact_interval){
            view.threads.items[span->thread].identity, span->begin, span->commit};
    }
    compact_view_close(&view);
    return err;
}
