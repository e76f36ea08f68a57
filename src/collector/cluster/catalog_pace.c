// SPDX-License-Identifier: Apache-2.0

#include "collector/cluster/catalog_pace.h"

#include "common/base/lp_assert.h"

#include <inttypes.h>
#include <stdio.h>

void
catalog_pace_note(catalog_pace *self, uint64_t mono_ms, const catalog_waits *waits)
{
    size_t at = self->count++ % CATALOG_PACE_SAMPLES;
    self->samples[at].mono_ms = mono_ms;
    self->samples[at].waits = *waits;
}

bool
catalog_pace_explain(const catalog_pace *self, uint64_t mono_ms, const catalog_waits *waits,
    char *out_text, size_t text_bytes)
{
    LP_ASSERT(text_bytes > 0);
    // The newest sample that is old enough.
    size_t kept = self->count < CATALOG_PACE_SAMPLES ? self->count : CATALOG_PACE_SAMPLES;
    for (size_t i = 0; i < kept; i++) {
        size_t at = (self->count - 1 - i) % CATALOG_PACE_SAMPLES;
        uint64_t span_ms = mono_ms - self->samples[at].mono_ms;
        if (span_ms < CATALOG_PACE_MS) {
            continue;
        }
        const catalog_waits *then = &self->samples[at].waits;
        uint64_t waited_ms = (waits->waited_ns - then->waited_ns) / 1000000;
        uint64_t trips = waits->round_trips - then->round_trips;
        (void)snprintf(out_text, text_bytes,
            "the catalog is behind: the collector waited for it for %.1f s of the last %.1f s, "
            "%" PRIu64 " ms for an answer",
            (double)waited_ms / 1000, (double)span_ms / 1000, waited_ms / (trips > 0 ? trips : 1));
        return waited_ms * 100 >= span_ms * CATALOG_PACE_PERCENT_MAX;
    }
    return false;
}
