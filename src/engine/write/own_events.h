// SPDX-License-Identifier: Apache-2.0
// own_events: Loupe's events about a recording: dev.loupe.Accounting, dev.loupe.RequestAccounting,
// dev.loupe.Loss and dev.loupe.ContextAttribute, in the category Loupe.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/write/test_account.c, tests/unit/engine/write/test_classes.c,
//          tests/unit/engine/job/test_rollup_requests.c, tests/unit/engine/show/test_style.c,
//          tests/unit/collector/server/test_losses.c

#pragma once

#include "common/jfr/jfr_chunk.h"
#include "engine/write/writer.h"

// compact_own_events_append writes the events that have content, with the time of the chunk, whose
// header is info. Call it when all but constants and metadata is written: damage may turn up until
// then. Errors: in w->arena or the output
void compact_own_events_append(compact_writer *w, const jfr_chunk_info *info);
