// SPDX-License-Identifier: Apache-2.0
// kind_record: the values of contexts of the Loupe API in the form of their kind (kind_values.h).
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/show/test_style.c

#pragma once

#include "engine/contexts/contexts.h"
#include "engine/read/kinds.h"

// compact_kind_append_record appends the values of a context of the API. If they do not fit type,
// it appends nulls and returns false.
bool compact_kind_append_record(
    const compact_kind *kind, const ctx_type *type, compact_values values, lp_buf *out);
