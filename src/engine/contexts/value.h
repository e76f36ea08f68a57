// SPDX-License-Identifier: Apache-2.0
// value: the values of a context record (ctx_record.h).
//
// Threads: any thread.
// Tests:   tests/unit/engine/contexts/test_contexts.c,
//          tests/unit/engine/job/rollup/test_rollup_make.c

#pragma once

#include "common/base/lp_buf.h"
#include "common/base/lp_slice.h"
#include "common/context/ctx_record.h"
#include "common/jfr/jfr_varint.h"

#include <stdbool.h>
#include <stdint.h>

// The coder of texts that do not come from records. All other coders are java.lang.String's.
enum { COMPACT_CODER_UTF8 = 2 };

typedef struct compact_value {
    bool is_null;   // of a string
    uint64_t bits;  // of a primitive
    lp_slice bytes; // of a string; borrowed from the record
    uint32_t coder;
} compact_value;

// compact_value_read reads the next value. Returns false if the record ends within the value, or if
// the value is a string of over CTX_STRING_BYTES_MAX.
bool compact_value_read(ctx_kind kind, jfr_cursor *cursor, compact_value *out_value);

// compact_value_append_utf8 appends a string that is not null.
void compact_value_append_utf8(const compact_value *value, lp_buf *out);

// compact_value_text replaces the contents of text by a value that is not null, in the form in
// which query answers show it. scratch is a buffer that the function may overwrite. If memory runs
// out, text fails.
void compact_value_text(ctx_kind kind, const compact_value *value, lp_buf *scratch, lp_buf *text);
