// SPDX-License-Identifier: Apache-2.0
// loss_event: the events dev.loupe.Loss of an output chunk: what its input lacked, as the caller
// knows it (compact_options.losses), one of each.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/server/test_losses.c

#ifndef LP_ENGINE_WRITE_LOSS_EVENT_H
#define LP_ENGINE_WRITE_LOSS_EVENT_H

#include "common/jfr/jfr_chunk.h"
#include "engine/write/writer.h"

// compact_loss_events_append writes the events; their time is that of the chunk, as info has it. A
// failure is that of w->arena or of the output.
void compact_loss_events_append(compact_writer *w, const jfr_chunk_info *info);

#endif // LP_ENGINE_WRITE_LOSS_EVENT_H
