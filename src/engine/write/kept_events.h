// SPDX-License-Identifier: Apache-2.0
// kept_events: writes the kept events of a chunk, and the samples made of events.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/write/test_output.c

#pragma once

#include "engine/write/writer.h"

// compact_kept_events_find_tails sets w->tails.
void compact_kept_events_find_tails(compact_writer *w);

// These write the contextual events and the others. An event that does not fit its type becomes
// damage of the view.
void compact_kept_events_append_spans(compact_writer *w);
void compact_kept_events_append_plain(compact_writer *w);
