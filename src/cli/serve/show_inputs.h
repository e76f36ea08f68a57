// SPDX-License-Identifier: Apache-2.0
// show_inputs: gives recordings in files to the collector of this process, and waits until it shows
// them.
//
// Threads: one at a time.
// Tests:   tests/e2e/cli.py

#ifndef LP_CLI_SHOW_INPUTS_H
#define LP_CLI_SHOW_INPUTS_H

#include "collector/base/uploads.h"
#include "collector/collect.h"
#include "common/base/lp_err.h"
#include "offline/inputs.h"

enum { SHOW_INPUTS_WAIT_S_MAX = 600 }; // in which a chunk is compacted, or else none will be

// show_inputs_run returns once the collector has compacted all recordings of `in`, each under the
// service of its file; name: what all files are called; NULL: as they are. out->service is "" where
// there are several. The notes in *out stay.
// Errors: LP_ECLOSED end_watch_is_told; LP_ECORRUPT there are none, or the collector refuses them;
//         LP_ELIMIT it puts them off, or does not compact them, for too long; LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err show_inputs_run(const collect *to, const inputs *in, const char *name,
    uploads_shown *out, lp_problem *out_problem);

#endif // LP_CLI_SHOW_INPUTS_H
