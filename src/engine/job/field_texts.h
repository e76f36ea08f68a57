// SPDX-License-Identifier: Apache-2.0
// field_texts: one or two fields of an event as short texts.
//
// Threads: one thread at a time for each job.
// Tests:   tests/unit/engine/job/test_rollup_make.c

#pragma once

#include "engine/read/context_sums.h"
#include "engine/read/kind_values.h"

enum { COMPACT_FIELD_TEXTS_MAX = 2, COMPACT_FIELD_TEXT_BYTES_MAX = 31 };

// Each ends with 0. A null or longer text is empty.
typedef struct compact_field_texts {
    char of[COMPACT_FIELD_TEXTS_MAX][COMPACT_FIELD_TEXT_BYTES_MAX + 1];
} compact_field_texts;

// compact_field_texts_read reads the attributes of a kind, COMPACT_FIELD_TEXTS_MAX at most, from an
// event whose fields begin at payload. It uses the buffers of sums, whose arena fails if memory
// runs out.
void compact_field_texts_read(compact_sums *sums, const compact_kind *kind,
    const compact_reading *reading, jfr_cursor payload, compact_field_texts *out);
