// SPDX-License-Identifier: Apache-2.0

// sample_contexts: adds eventThread to the samples of a chunk that was compacted without
// has_sample_contexts (types.h).
//
// Threads: any thread.
// Memory:  bounded by the size of the chunk.

#ifndef LP_ENGINE_JOB_SAMPLE_CONTEXTS_H
#define LP_ENGINE_JOB_SAMPLE_CONTEXTS_H

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

// The version of the output. Raise it with each change of compact_sample_contexts_add after which
// the same chunk becomes other bytes: ETags of downloads are made of it.
enum { COMPACT_SAMPLE_CONTEXTS_VERSION = 1 };

// compact_sample_contexts_add copies chunk, which compact_chunk wrote, to out_jfr, which is empty.
// Types that name their thread sampledThread alone get the field eventThread, the fields of
// contextual types their annotation (write.c), and the metadata event gets another id;
// everything else stays as it is, in the same order. The same chunk always
// becomes the same bytes, while COMPACT_SAMPLE_CONTEXTS_VERSION is the same.
//
// Owns:   the caller ends *out_jfr with lp_buf_fini, also after an error.
// Errors: those of compact_chunk with COMPACT_REFUSED_UNREADABLE
LP_MUST_USE lp_err compact_sample_contexts_add(
    lp_slice chunk, lp_buf *out_jfr, lp_problem *out_problem);

#endif // LP_ENGINE_JOB_SAMPLE_CONTEXTS_H
