// SPDX-License-Identifier: Apache-2.0
// metadata_event: the metadata event of an output chunk.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/write/test_classes.c

#ifndef LP_ENGINE_WRITE_METADATA_EVENT_H
#define LP_ENGINE_WRITE_METADATA_EVENT_H

#include "common/base/lp_buf.h"
#include "engine/write/classes.h"

#include <stdint.h>

// compact_metadata_event_append writes the event with all types that are used, once types is
// complete. Its id is made of its content and of salt, so different metadata have different ids.
// A failure is that of out, or of the arena of classes.
void compact_metadata_event_append(
    compact_classes *classes, int64_t start_ticks, uint64_t salt, lp_buf *out);

#endif // LP_ENGINE_WRITE_METADATA_EVENT_H
