// SPDX-License-Identifier: Apache-2.0

// journal_request: what the records of a journal are: requests of an agent as they came, and before
// them the policy of the chunk (policy_message.h).
//
// Threads: as journal_cursor_next.
// Tests:   tests/unit/collector/start/test_recovery.c

#ifndef LP_COLLECTOR_SERVER_JOURNAL_REQUEST_H
#define LP_COLLECTOR_SERVER_JOURNAL_REQUEST_H

#include "collector/journal/journal.h"
#include "common/base/lp_err.h"
#include "common/wire/wire.h"

// journal_request_next reads the next record as journal_cursor_next. The caller frees *out_request.
// Errors: as there
LP_MUST_USE lp_err journal_request_next(journal_cursor *cursor, Loupe__Wire__Request **out_request);
void journal_request_free(Loupe__Wire__Request *request);

#endif // LP_COLLECTOR_SERVER_JOURNAL_REQUEST_H
