// SPDX-License-Identifier: Apache-2.0
// alloc: the types of jdk.ObjectAllocationSample and of the events that such samples are
// made of: jdk.ObjectAllocationInNewTLAB and jdk.ObjectAllocationOutsideTLAB
// (docs/internals/allocation-samples.md).
//
// A sample has the fields of these events up to objectClass, and behind them its weight in bytes.
//
// Threads: one thread at a time, while the schema is made.

#ifndef LP_ENGINE_READ_ALLOC_H
#define LP_ENGINE_READ_ALLOC_H

#include "engine/read/schema.h"

// compact_alloc_describe adds the type of samples, made after that of one of the events, where
// rules want samples and the metadata, which is resolved, has no such type. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_alloc_describe(jfr_metadata *metadata, const policy *rules);

// compact_alloc_plan finds out whether samples can be made, and how, once schema has its plans.
// Samples are made if rules enable their type, and if each of the two event types that the metadata
// describes has the fields that a sample needs. Sets schema->sample_type, and in plans the members
// for samples (is_allocation, is_left, sampled, before_bytes).
void compact_alloc_plan(compact_schema *schema, const policy *rules);

#endif // LP_ENGINE_READ_ALLOC_H
