// SPDX-License-Identifier: Apache-2.0
// alloc: plans jdk.ObjectAllocationSample events that Loupe makes of jdk.ObjectAllocationInNewTLAB
// and jdk.ObjectAllocationOutsideTLAB (docs/internals/allocation-samples.md).
//
// A sample has the fields of the allocation event up to objectClass, then its weight in bytes.
//
// Threads: one thread at a time, while the schema is made.

#ifndef LP_ENGINE_READ_ALLOC_H
#define LP_ENGINE_READ_ALLOC_H

#include "engine/read/schema.h"

// compact_alloc_describe adds the sample type to resolved metadata that lacks it, if rules enable
// it. It copies the type from that of an allocation event. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_alloc_describe(jfr_metadata *metadata, const policy *rules);

// compact_alloc_plan sets schema->sample_type, and is_allocation, is_left, sampled and before_bytes
// in the plans. Samples are made if rules enable the type and each allocation type in the metadata
// has the fields of a sample. The plans of schema exist already.
void compact_alloc_plan(compact_schema *schema, const policy *rules);

#endif // LP_ENGINE_READ_ALLOC_H
