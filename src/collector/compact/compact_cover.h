// SPDX-License-Identifier: Apache-2.0
// compact_cover: where on each thread a context was there at all, for select=if-context.
//
// Threads: one thread at a time; any may find once joined.
// Memory:  24 bytes for each context while they are added, then for each disjoint stretch.

#ifndef LP_COLLECTOR_COMPACT_COMPACT_COVER_H
#define LP_COLLECTOR_COMPACT_COMPACT_COVER_H

#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct compact_cover {
    LP_VEC(struct compact_cover_stretch {
        int64_t begin; // both ends belong to it
        int64_t end;
        uint32_t thread; // a number of the caller's
    })
    stretches;
} compact_cover;

// compact_cover_add adds a context; one that ends before it begins covers nothing.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_cover_add(
    compact_cover *cover, uint32_t thread, int64_t begin, int64_t end);

// compact_cover_join makes what was added findable.
void compact_cover_join(compact_cover *cover);

// compact_cover_has says whether a context was there on the thread at ticks.
bool compact_cover_has(const compact_cover *cover, uint32_t thread, int64_t ticks);

void compact_cover_fini(compact_cover *cover);

#endif // LP_COLLECTOR_COMPACT_COMPACT_COVER_H
