// SPDX-License-Identifier: Apache-2.0
// write: the output chunk: header, metadata, constants, contexts, events, and, if anything
// was dropped, an event dev.loupe.Accounting (account.h), and if something was lost before, events
// dev.loupe.Loss (own_events.h), which no statistics count.
//
// Kept events are copied as bytes. Constants keep their keys and types their ids, so nothing in an
// event has to change; what no kept event reaches is left out. Only where the chunk goes into a
// file with those of other JVMs everything is rewritten in the terms of that file (jfr_rewrite.h),
// as are values with keys that the chunk does not describe; and events that get fields for contexts
// have them behind their own. Samples are made of the fields that they share with the events that
// they are made of (alloc.h).
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/write/test_output.c

#ifndef LP_ENGINE_WRITE_WRITE_H
#define LP_ENGINE_WRITE_WRITE_H

#include "common/base/lp_err.h"
#include "engine/decide/decide.h"
#include "engine/frame.h"
#include "engine/show/style.h"
#include "engine/write/output.h"

// compact_write makes the chunk. The rows of frame->view are decided. The first chunk of a session
// describes event types of which nothing is written as well: `jfr view` asks the first chunk of a
// file which there are; those that it lacks are not counted, and a view of several types needs the
// description of each. style is NULL where contexts are events.
//
// Owns:   the caller ends *out with compact_output_fini, also after an error.
// Errors: LP_ECORRUPT if the chunk is not the one that was added to merge; LP_ENOMEM
LP_MUST_USE lp_err compact_write(const compact_frame *frame, const compact_decided *decided,
    compact_style *style, compact_output *out, lp_problem *out_problem);

#endif // LP_ENGINE_WRITE_WRITE_H
