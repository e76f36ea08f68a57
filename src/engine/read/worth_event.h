// SPDX-License-Identifier: Apache-2.0
// worth_event: which contextual events matter, by the settings context-threshold and context-match
// of their types. One that does not is not kept, and is no context to events that need one.
//
// They are asked while their chunk is indexed: those that do not matter get no row. Contexts of the
// Loupe API are asked later (worth.h).
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/decide/test_worth.c
// Memory:  some 1,500 bytes for each contextual event type with context-match; nothing without.

#ifndef LP_ENGINE_READ_WORTH_EVENT_H
#define LP_ENGINE_READ_WORTH_EVENT_H

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"
#include "engine/read/kinds.h"
#include "engine/read/rows.h"
#include "engine/reason.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct compact_worth_item {
    compact_kind kind; // its one attribute is what context-match asks for
    compact_reading reading;
} compact_worth_item;

// For the contextual events of a chunk.
typedef struct compact_worth {
    compact_view *view;
    uint32_t *places; // parallel to the types: into items; NULL where no type has context-match
    LP_VEC(compact_worth_item) items;
    lp_buf value; // of the event that is asked
    lp_buf text;  // the same as UTF-8
} compact_worth;

// compact_worth_init borrows view, whose schema and pools are there, until compact_worth_fini. What
// it makes is in view->arena, which fails where memory runs out.
void compact_worth_init(compact_worth *worth, compact_view *view);
void compact_worth_fini(compact_worth *worth);

typedef struct compact_worth_answer {
    bool matters;
    compact_reason reason; // why not
} compact_worth_answer;

// compact_worth_ask returns whether an event of a type whose plan is_asked matters. Where memory
// runs out, view->arena fails, and the answer means nothing.
compact_worth_answer compact_worth_ask(
    compact_worth *worth, uint32_t type, jfr_cursor payload, int64_t duration_ticks);

// compact_worth_kind returns the kind that has nothing but the attribute that match asks for.
compact_kind compact_worth_kind(const policy_match *match);

// compact_worth_is_match asks whether a value, a text as kinds.h makes them, is as match wants it.
// text is room for it. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_worth_is_match(
    const policy_match *match, const lp_buf *value, lp_buf *text, bool *out_is_match);

#endif // LP_ENGINE_READ_WORTH_EVENT_H
