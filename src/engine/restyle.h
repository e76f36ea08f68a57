// SPDX-License-Identifier: Apache-2.0
// restyle: rewrites chunks in another context style, or adds the thread of samples. Loupe must have
// written the chunks, with contexts as events.
//
//   compact_restyler_create, compact_restyler_survey for each chunk of the file,
//   then compact_restyler_write for each chunk
//
// All events and contexts are kept: an earlier compaction has decided them. The same chunk with the
// same next chunk and the same survey always becomes the same bytes.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/test_restyle.c, tests/unit/engine/job/test_sample_contexts.c,
//          tests/e2e/sampled.py
// Memory:  as much as compact_chunk for a chunk and the next one.

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "engine/types.h"

#include <stdbool.h>

// The versions of the outputs. Raise one with each change that changes the bytes for any chunk:
// ETags of downloads contain it.
enum {
    COMPACT_RESTYLE_VERSION = 1,
    COMPACT_SAMPLE_CONTEXTS_VERSION = 1,
};

typedef struct compact_restyler compact_restyler;

// compact_restyler_create returns NULL if memory ran out. With has_sample_contexts, samples get
// eventThread (types.h).
compact_restyler *compact_restyler_create(compact_context_style style, bool has_sample_contexts);
void compact_restyler_destroy(compact_restyler *restyler); // NULL is fine

// compact_restyler_survey adds a chunk to the survey (survey.h). Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_restyler_survey(compact_restyler *restyler, lp_slice chunk);

// compact_restyler_write writes a surveyed chunk. next is the next chunk of the same JVM in the
// file, whose contexts may show in this chunk; empty if there is none.
//
// Owns:   the caller ends *out_result with compact_result_fini. Its jfr is the chunk.
// Errors: as compact_chunk with COMPACT_REFUSED_UNREADABLE
LP_MUST_USE lp_err compact_restyler_write(const compact_restyler *restyler, lp_slice chunk,
    lp_slice next, compact_result *out_result, lp_problem *out_problem);

// compact_sample_contexts_add copies chunk, which compact_chunk wrote without has_sample_contexts,
// to out_jfr, which must be empty. Types whose only thread is sampledThread get the field
// eventThread, the attributes of contextual types get the annotation Contextual (write.c), and the
// metadata event gets another id. Everything else stays the same, in the same order. One version
// always makes the same bytes of the same chunk.
//
// Owns:   the caller ends *out_jfr with lp_buf_fini, also after an error.
// Errors: as compact_chunk with COMPACT_REFUSED_UNREADABLE
LP_MUST_USE lp_err compact_sample_contexts_add(
    lp_slice chunk, lp_buf *out_jfr, lp_problem *out_problem);
