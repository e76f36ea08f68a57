// SPDX-License-Identifier: Apache-2.0
// account_event: the event dev.loupe.Accounting of an output chunk (account.h).
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/write/test_account.c

#ifndef LP_ENGINE_WRITE_ACCOUNT_EVENT_H
#define LP_ENGINE_WRITE_ACCOUNT_EVENT_H

#include "common/jfr/jfr_chunk.h"
#include "engine/write/writer.h"

// compact_account_event_append writes the event if anything was dropped. info is the header of the
// output. It is called when everything but constants and metadata is written: damage may turn up
// until then.
void compact_account_event_append(compact_writer *w, const jfr_chunk_info *info);

#endif // LP_ENGINE_WRITE_ACCOUNT_EVENT_H
