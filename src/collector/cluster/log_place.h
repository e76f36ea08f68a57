// SPDX-License-Identifier: Apache-2.0

// log_place: whether the journals of a data directory are the only copy of their batches, or
// scratch files of a log. In the second case the directory's file `log` names the log. That file
// prevents a start with another --journal from deleting the only copy of batches, or from taking
// scratch files for the only copy.
//
// Threads: the one that opens the directory, before any journal is read.
// Tests:   tests/unit/collector/cluster/test_log_place.c

#pragma once

#include "collector/cluster/log_url.h"
#include "collector/journal/data_dir.h"
#include "common/base/lp_err.h"

// log_place_begin writes the log's name to a dir without journals. If dir has this name already, it
// deletes the journals of earlier runs instead. If url is NULL, it only checks that dir belongs to
// no log. Errors: LP_ELIMIT dir belongs to another log (to any log if url is NULL), or has journals
// and no log; LP_EIO, LP_ENOMEM. out_problem has the reason
LP_MUST_USE lp_err log_place_begin(
    const data_dir *dir, const log_url *url, lp_problem *out_problem);
