// SPDX-License-Identifier: Apache-2.0
// write: writes the output chunk: header, metadata, constants, contexts, events, and Loupe's own
// events (own_events.c), which no statistics count.
//
// Kept events are copied as bytes: constants keep their keys and types their ids. Constants and
// types that no kept event refers to are left out. In three cases events change:
// - a file of several JVMs has its own ids, keys and clock (jfr_rewrite.h)
// - keys without a constant become null
// - context styles append fields
// A sample has the fields that its type shares with the event it was made of (schema.h).
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/write/test_output.c

#pragma once

#include "common/base/lp_err.h"
#include "engine/decide/decide.h"
#include "engine/frame.h"
#include "engine/show/style.h"
#include "engine/write/output.h"

// compact_write writes the chunk of frame->view, whose rows are decided. style is NULL if contexts
// are events. The first chunk of a session describes all event types: `jfr view` reads event types
// only from the first chunk of a file, and does not count events of other types.
//
// Owns:   the caller ends *out with compact_output_fini, also after an error.
// Errors: LP_ECORRUPT if the chunk is not the one that was added to merge; LP_ENOMEM
LP_MUST_USE lp_err compact_write(const compact_frame *frame, const compact_decided *decided,
    compact_style *style, compact_output *out, lp_problem *out_problem);
