// SPDX-License-Identifier: Apache-2.0

// recovery: at start, loads the sessions and journals of an earlier run of the collector.
//
// Threads: before the loop runs.
// Tests:   tests/unit/collector/server/test_server.c

#ifndef LP_COLLECTOR_SERVER_RECOVERY_H
#define LP_COLLECTOR_SERVER_RECOVERY_H

#include "collector/server/sessions.h"
#include "common/base/lp_err.h"

// recovery_run loads every session of the catalog that has not ended, and reads every journal. A
// torn end of a journal is cut off; anything worse is cut off too, but put aside first. Journals of
// chunks that the catalog already has are deleted. Errors: LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err recovery_run(sessions *sessions, lp_problem *out_problem);

#endif // LP_COLLECTOR_SERVER_RECOVERY_H
