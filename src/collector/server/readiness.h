// SPDX-License-Identifier: Apache-2.0

// readiness: whether the collector can accept batches, and if not, why. It cannot if the loop has
// met a fault, if the journals' directory is not writable, or if the loop mostly waits for the
// catalog (catalog_waits.h). To test the directory, a check writes a small file and removes it, at
// most every READINESS_TRY_MS.
//
// Threads: any thread.

#pragma once

#include "common/base/lp_err.h"

enum { READINESS_TRY_MS = 1000 };

typedef struct readiness readiness;

// readiness_create copies path, the name of the file that checks write. Returns NULL if memory ran
// out.
readiness *readiness_create(const char *path);

// NULL is fine.
void readiness_destroy(readiness *readiness);

// readiness_set_fault sets the fault that keeps the loop from accepting batches; NULL: none. The
// loop calls it every second.
void readiness_set_fault(readiness *readiness, const char *fault);

// readiness_check returns LP_OK if batches can be accepted. Errors: LP_EIO, with the reason
LP_MUST_USE lp_err readiness_check(readiness *readiness, lp_problem *out_problem);
