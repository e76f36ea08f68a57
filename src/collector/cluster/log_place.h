// SPDX-License-Identifier: Apache-2.0

// log_place: whether the journals of a data directory are all that there is of their batches, or
// scratch of what is in a log: its file `log` names that then. It is there so that a start with
// another --journal neither throws away what is nowhere else, nor takes scratch for all there is.
//
// Threads: the one that opens the directory, before anybody reads journals.
// Tests:   tests/unit/collector/cluster/test_log_place.c

#ifndef LP_COLLECTOR_SERVER_LOG_PLACE_H
#define LP_COLLECTOR_SERVER_LOG_PLACE_H

#include "collector/cluster/log_url.h"
#include "collector/journal/data_dir.h"
#include "common/base/lp_err.h"

// log_place_begin has dir be one of a log, and removes the journals of a run before; NULL: of
// journals. Errors: LP_ELIMIT it is another one's; LP_EIO, LP_ENOMEM. out_problem has the reason
LP_MUST_USE lp_err log_place_begin(
    const data_dir *dir, const log_url *url, lp_problem *out_problem);

#endif // LP_COLLECTOR_SERVER_LOG_PLACE_H
