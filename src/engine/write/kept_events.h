// SPDX-License-Identifier: Apache-2.0
// kept_events: the kept events of a chunk in the output, and the samples that are made of events.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/write/test_output.c

#ifndef LP_ENGINE_WRITE_KEPT_EVENTS_H
#define LP_ENGINE_WRITE_KEPT_EVENTS_H

#include "engine/write/writer.h"

// compact_kept_events_find_tails fills w->tails.
void compact_kept_events_find_tails(compact_writer *w);

// compact_kept_events_append_spans writes the contextual events, compact_kept_events_append_plain
// the others. Events that do not fit their type are noted as damage of view.
void compact_kept_events_append_spans(compact_writer *w);
void compact_kept_events_append_plain(compact_writer *w);

#endif // LP_ENGINE_WRITE_KEPT_EVENTS_H
