// SPDX-License-Identifier: Apache-2.0
// mend: at the start of the collector, makes the catalog and the files of the data directory agree
// (reconcile.h). Findings are logged and counted in loupe_findings_total. Damage that cannot be
// repaired does not stop the start.
//
// Threads: one thread, before the server is created.
// Tests:   tests/e2e/mend.py

#pragma once

#include "collector/server/server.h"
#include "common/base/lp_err.h"

// mend_run compares the catalog with the files, and repairs. It stops when config->is_ending
// returns true. *out_is_compared is whether they agree now: not if the directory cannot be
// compared, or a part of it cannot be read. The collector starts all the same, but the next start
// must not rely on it. Errors: LP_ECLOSED if it was stopped; LP_ELIMIT if a collector runs on the
// directory; LP_EVERSION
//         if a later version wrote the catalog; LP_EIO if the directory cannot be used; LP_ENOMEM
LP_MUST_USE lp_err mend_run(
    const server_config *config, bool *out_is_compared, lp_problem *out_problem);
