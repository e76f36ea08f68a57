// SPDX-License-Identifier: Apache-2.0
// worth_event: which contextual events matter, by the settings context-threshold and context-match
// of their types, and by context-throttle where its choice is known (view->chosen). An event that
// does not matter is not kept, and is no context to other events.
//
// This is decided while their chunk is indexed: events that do not matter get no row. For contexts
// of the Loupe API it is decided later (worth.h).
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
    compact_kind kind; // its one attribute is the one that context-match tests
    compact_reading reading;
} compact_worth_item;

// The settings for the contextual events of a chunk.
typedef struct compact_worth {
    compact_view *view;
    uint32_t *places; // parallel to the types: an index of items, where a type has context-match
    LP_VEC(compact_worth_item) items;
    size_t offered; // so many events were offered to context-throttle
    lp_buf value;   // of the event that is being judged
    lp_buf text;    // the same as UTF-8
} compact_worth;

// compact_worth_init borrows view, whose schema and pools are there, until compact_worth_fini.
// places and items are in view->arena, which fails where memory runs out.
void compact_worth_init(compact_worth *worth, compact_view *view);
void compact_worth_fini(compact_worth *worth);

typedef struct compact_worth_answer {
    bool matters;
    compact_reason reason; // why not
} compact_worth_answer;

// compact_worth_ask returns whether an event matters; the plan of its type is_asked. Where memory
// runs out, view->arena fails, and the answer means nothing.
compact_worth_answer compact_worth_ask(
    compact_worth *worth, uint32_t type, jfr_cursor payload, int64_t duration_ticks);

// compact_worth_kind returns a kind with one attribute, the one that match tests. It borrows the
// attribute's name from match, so it is not freed.
compact_kind compact_worth_kind(const policy_match *match);

// compact_worth_is_match finds out whether match accepts a value, which is a text (kind_values.h);
// it never accepts null. text is room for the text as UTF-8. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_worth_is_match(
    const policy_match *match, const lp_buf *value, lp_buf *text, bool *out_is_match);

#endif // LP_ENGINE_READ_WORTH_EVENT_H
