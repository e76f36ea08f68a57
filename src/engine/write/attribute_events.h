// SPDX-License-Identifier: Apache-2.0
// attribute_events: the events dev.loupe.ContextAttribute of an output chunk, in the styles
// `fields` and `ref`: one for each attribute of contexts that events may show. It says of which
// context type the attribute is, and which field has it.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/show/test_style.c

#ifndef LP_ENGINE_WRITE_ATTRIBUTE_EVENTS_H
#define LP_ENGINE_WRITE_ATTRIBUTE_EVENTS_H

#include "common/jfr/jfr_chunk.h"
#include "engine/write/writer.h"

// compact_attribute_events_append writes the events, and none if contexts are events. Their time is
// the start of the chunk, whose header is info. A failure is that of w->arena or of the output.
void compact_attribute_events_append(compact_writer *w, const jfr_chunk_info *info);

#endif // LP_ENGINE_WRITE_ATTRIBUTE_EVENTS_H
