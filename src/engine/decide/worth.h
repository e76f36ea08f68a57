// SPDX-License-Identifier: Apache-2.0
// worth: which contexts matter, by the settings context-threshold and context-match of
// their types. One that does not is not kept, and is no context to events that need one.
//
// Contextual events are asked while their chunk is indexed: those that do not matter get no row.
// Contexts of the Loupe API are asked once it is known where the chunk ends.
//
// Threads: one thread at a time.
// Memory:  some 1,500 bytes for each contextual event type with context-match; nothing without.

#ifndef LP_ENGINE_DECIDE_WORTH_H
#define LP_ENGINE_DECIDE_WORTH_H

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"
#include "engine/contexts/contexts.h"
#include "engine/contexts/recordings.h"
#include "engine/decide/decide.h"
#include "engine/read/kinds.h"
#include "engine/read/view.h"
#include "engine/reason.h"

#include <stdbool.h>
#include <stdint.h>

// For the contextual events of a chunk.
typedef struct compact_worth {
    const compact_view *view;
    uint32_t *places; // parallel to the types: into items; NULL where no type has context-match
    LP_VEC(struct compact_worth_item {
        compact_kind kind; // its one attribute is what context-match asks for
        compact_reading reading;
    })
    items;
    lp_buf value; // of the event that is asked
    lp_buf text;  // the same as UTF-8
} compact_worth;

// compact_worth_init borrows view, whose schema and pools are there, until compact_worth_fini,
// which the caller calls also after an error. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_worth_init(compact_worth *worth, const compact_view *view);
void compact_worth_fini(compact_worth *worth);

typedef struct compact_worth_answer {
    bool matters;
    compact_reason reason; // why not
} compact_worth_answer;

// compact_worth_ask says whether an event of a type whose plan is_asked matters.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_worth_ask(compact_worth *worth, uint32_t type, jfr_cursor payload,
    int64_t duration_ticks, compact_worth_answer *out_answer);

// What contexts of the Loupe API are asked with.
typedef struct compact_worth_input {
    const policy *rules;                  // or NULL
    const compact_schema *schema;         // of the chunk
    const ctx_type *types;                // of contexts
    size_t type_count;                    // up to CTX_TYPES_MAX
    const compact_recordings *recordings; // the maps of those that are RecordingContexts
    compact_window window;
} compact_worth_input;

// compact_worth_judge sets is_ignored and ignored_by of the contexts that do not matter, and
// is_unmeasured of those that are open where the window begins or ends. Errors: LP_ENOMEM Cost:
// nothing that depends on contexts where no type of them has these settings
LP_MUST_USE lp_err compact_worth_judge(const compact_worth_input *in, compact_contexts *contexts);

#endif // LP_ENGINE_DECIDE_WORTH_H
