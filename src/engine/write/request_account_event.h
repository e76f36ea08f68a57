// SPDX-License-Identifier: Apache-2.0
// request_account_event: the event dev.loupe.RequestAccounting of an output chunk: of the requests
// that ended in its window, how many there were (offered) and how many are kept, what of requests
// was not as it should be (request_losses.def), and why they are kept or not (request_reasons.def).
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/job/test_rollup_requests.c

#ifndef LP_ENGINE_WRITE_REQUEST_ACCOUNT_EVENT_H
#define LP_ENGINE_WRITE_REQUEST_ACCOUNT_EVENT_H

#include "common/jfr/jfr_chunk.h"
#include "engine/write/writer.h"

// compact_request_account_event_append writes the event, if there is anything to say. info is the
// header of the output.
void compact_request_account_event_append(compact_writer *w, const jfr_chunk_info *info);

#endif // LP_ENGINE_WRITE_REQUEST_ACCOUNT_EVENT_H
