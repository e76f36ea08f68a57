// SPDX-License-Identifier: Apache-2.0

// sample_contexts: adds eventThread to the samples of a chunk that was compacted without
// has_sample_contexts (types.h).
//
// Threads: any thread.
// Memory:  bounded by the size of the chunk.

#pragma once

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

// The version of the output. Raise it with each change that changes the bytes for any chunk: ETags
// of downloads contain it.
enum { COMPACT_SAMPLE_CONTEXTS_VERSION = 1 };

// compact_sample_contexts_add copies chunk, which compact_chunk wrote, to out_jfr, which must be
// empty. Types whose only thread is sampledThread get the field eventThread, the attributes of
// contextual types get the annotation Contextual (write.c), and the metadata event gets another id.
// Everything else stays the same, in the same order. One version always makes the same bytes of the
// same chunk.
//
// Owns:   the caller ends *out_jfr with lp_buf_fini, also after an error.
// Errors: as compact_chunk with COMPACT_REFUSED_UNREADABLE
LP_MUST_USE lp_err compact_sample_contexts_add(
    lp_slice chunk, lp_buf *out_jfr, lp_problem *out_problem);
