// SPDX-License-Identifier: Apache-2.0
// complete: completes contexts with the texts that completions hold for them.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/contexts/test_completions.c

#ifndef LP_ENGINE_CONTEXTS_COMPLETE_H
#define LP_ENGINE_CONTEXTS_COMPLETE_H

#include "engine/contexts/completions.h"
#include "engine/contexts/contexts.h"

// compact_completions_apply completes contexts of types that have one of the keys with the last
// text of it. The texts are copied once, and contexts of one key share theirs. Contexts whose
// values are damaged stay as they are. Takes time in proportion to completions and contexts, for
// each type that completes another. Errors: those of compact_contexts_err
void compact_completions_apply(const compact_completions *completions, const ctx_type *types,
    size_t type_count, compact_contexts *contexts);

#endif // LP_ENGINE_CONTEXTS_COMPLETE_H
