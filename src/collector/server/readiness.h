// SPDX-License-Identifier: Apache-2.0

// readiness: whether batches can be accepted, and if not, why: a fault that the loop has met, or
// that nothing can be written where the journals are, or that the loop mostly waits for the catalog
// (catalog_pace.h), so that they are accepted late. That something can be written is tried, by a
// small file that is removed again, READINESS_TRY_MS apart at the least.
//
// Threads: any thread.

#ifndef LP_COLLECTOR_SERVER_READINESS_H
#define LP_COLLECTOR_SERVER_READINESS_H

#include "common/base/lp_err.h"

enum { READINESS_TRY_MS = 1000 };

typedef struct readiness readiness;

// readiness_create tries at path, which it copies. NULL if memory ran out.
readiness *readiness_create(const char *path);

// readiness_destroy: NULL is fine.
void readiness_destroy(readiness *readiness);

// readiness_set_fault says what keeps batches from being accepted; NULL: nothing does any more. The
// loop calls it each second.
void readiness_set_fault(readiness *readiness, const char *fault);

// readiness_check returns LP_OK where batches can be accepted. Errors: LP_EIO, with the reason
LP_MUST_USE lp_err readiness_check(readiness *readiness, lp_problem *out_problem);

#endif // LP_COLLECTOR_SERVER_READINESS_H
