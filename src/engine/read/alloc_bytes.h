// SPDX-License-Identifier: Apache-2.0
// alloc_bytes: the number of bytes that the event of an allocation (alloc.h) stands for.
//
// Threads: any thread.
// Tests:   tests/unit/engine/read/test_alloc.c

#ifndef LP_ENGINE_READ_ALLOC_BYTES_H
#define LP_ENGINE_READ_ALLOC_BYTES_H

#include "engine/read/rows.h"

// compact_alloc_bytes returns how many bytes the event at offset stands for, INT64_MAX at most. The
// plan of its type is_allocation, and the event fits its type.
uint64_t compact_alloc_bytes(const compact_view *view, uint32_t offset);

#endif // LP_ENGINE_READ_ALLOC_BYTES_H
