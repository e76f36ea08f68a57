// SPDX-License-Identifier: Apache-2.0
// alloc_bytes: the bytes that the event of an allocation (alloc.h) stands for.
//
// Threads: any thread.
// Tests:   tests/unit/engine/read/test_alloc.c

#ifndef LP_ENGINE_READ_ALLOC_BYTES_H
#define LP_ENGINE_READ_ALLOC_BYTES_H

#include "engine/read/rows.h"

// compact_alloc_bytes returns how many bytes an event stands for, INT64_MAX at most. It fits its
// type.
uint64_t compact_alloc_bytes(const compact_view *view, uint32_t offset);

#endif // LP_ENGINE_READ_ALLOC_BYTES_H
