// SPDX-License-Identifier: Apache-2.0
// checkpoint: the constants of an output chunk: those that are marked, and those that Loupe adds.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/write/test_output.c

#ifndef LP_ENGINE_WRITE_CHECKPOINT_H
#define LP_ENGINE_WRITE_CHECKPOINT_H

#include "engine/write/writer.h"

#include <stdint.h>

// compact_checkpoint_append writes one checkpoint event with all constants.
void compact_checkpoint_append(compact_writer *w, int64_t start_ticks);

#endif // LP_ENGINE_WRITE_CHECKPOINT_H
