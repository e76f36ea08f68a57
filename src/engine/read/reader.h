// SPDX-License-Identifier: Apache-2.0

// reader: reads contextual events of a chunk as kinds and values.
//
// The values go into the target: the chunk of the events, or the chunk before it. The target
// cannot refer to constants that it lacks: in the values, strings are spelled out and references
// become null. References to classes, methods and threads that the target also has are kept: their
// keys are the same in all chunks of a JVM.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/show/test_style.c, tests/prop/test_style_prop.c

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"
#include "engine/read/kinds.h"
#include "engine/read/rows.h"

#include <stdint.h>

typedef struct compact_reader {
    const compact_view *view;
    const compact_view *target; // the chunk that gets the values
    const compact_kinds *kinds;
    uint32_t *known; // by type of view: TYPE_NEW, TYPE_IGNORED, or an index of types
    LP_VEC(struct compact_reader_type {
        uint32_t kind;
        compact_reading reading;
        // By attribute: the target's pool of references that are kept; JFR_NONE: they become null.
        uint32_t lasting[COMPACT_KIND_ATTRIBUTES_MAX];
    })
    types;
} compact_reader;

// compact_reader_init borrows its other arguments until compact_reader_fini. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_reader_init(compact_reader *reader, const compact_kinds *kinds,
    const compact_view *view, const compact_view *target);
void compact_reader_fini(compact_reader *reader);

// compact_reader_find sets *out_kind to the kind of the contextual event at offset,
// COMPACT_KINDS_MAX if it is not among kinds. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_reader_find(compact_reader *reader, uint32_t offset, uint32_t *out_kind);

// compact_reader_append appends the values of an event whose kind compact_reader_find returned.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_reader_append(
    const compact_reader *reader, uint32_t offset, lp_buf *out);
