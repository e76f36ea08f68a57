// SPDX-License-Identifier: Apache-2.0
// request_unit: the policy's `request=TYPE`. The contexts of one type are the requests, with the
// parts that begin in them on their thread; all other parts are of no request.
//
// A contextual event that is open where the chunk ends, and is not in the chunks at hand behind, is
// not known to be of the type yet.
//
// Threads: one thread at a time for each job.
// Tests:   tests/unit/engine/job/test_request_step.c

#ifndef LP_ENGINE_JOB_REQUEST_UNIT_H
#define LP_ENGINE_JOB_REQUEST_UNIT_H

#include "common/base/lp_arena.h"
#include "engine/requests/requests.h"
#include "policy/policy_name.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// compact_request_unit_is returns whether a type, by its name as a program gave it or as recordings
// have it, is the unit.
bool compact_request_unit_is(const policy_name *unit, const char *type_name);

// compact_request_unit_choose takes the keys of all parts away, and returns which of them belong to
// requests: those of which are_units says that they are of the type, and those in them. In arena;
// NULL where memory ran out.
bool *compact_request_unit_choose(
    const bool *are_units, compact_request_part *parts, size_t count, lp_arena *arena);

#endif // LP_ENGINE_JOB_REQUEST_UNIT_H
