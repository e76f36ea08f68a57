// SPDX-License-Identifier: Apache-2.0
// complete: sets the texts of contexts for which there are completions.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/contexts/test_completions.c

#ifndef LP_ENGINE_CONTEXTS_COMPLETE_H
#define LP_ENGINE_CONTEXTS_COMPLETE_H

#include "engine/contexts/completions.h"
#include "engine/contexts/contexts.h"

// compact_completions_apply sets in each context with the key of a completion the text of the last
// completion with that key. types are the types of contexts. The texts are copied once, and
// contexts of one key share theirs. Contexts whose values are damaged stay as they are. Takes time
// in proportion to completions and contexts, for each type that completes another. Errors: those of
// compact_contexts_err; completions->arena fails as well where memory runs out
void compact_completions_apply(const compact_completions *completions, const ctx_type *types,
    size_t type_count, compact_contexts *contexts);

#endif // LP_ENGINE_CONTEXTS_COMPLETE_H
