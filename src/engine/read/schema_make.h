// SPDX-License-Identifier: Apache-2.0
// schema_make: makes the schema of a chunk from its metadata events and the policy.
//
// Threads: any thread; a schema is shared only once it is made.
// Tests:   tests/unit/engine/test_variety.c

#ifndef LP_ENGINE_READ_SCHEMA_MAKE_H
#define LP_ENGINE_READ_SCHEMA_MAKE_H

#include "engine/read/schema.h"

// compact_schema_make makes a schema from metadata events; a payload is an event without its size
// and type id. like is a schema of the same policy, or NULL: where it was made from the same
// events, it is shared.
//
// Owns:   the caller ends *out_schema with compact_schema_release; rules is borrowed until the last
//         use of it ends.
// Errors: LP_ECORRUPT with an offset into payloads[*out_bad]; where *out_bad is count, the metadata
//         as a whole is at fault, and there is no offset. LP_ENOMEM
LP_MUST_USE lp_err compact_schema_make(const lp_slice *payloads, size_t count, int64_t ticks_per_s,
    const policy *rules, compact_schema *like, compact_schema **out_schema, size_t *out_bad,
    lp_problem *out_problem);

#endif // LP_ENGINE_READ_SCHEMA_MAKE_H
