// SPDX-License-Identifier: Apache-2.0
// worth_event: decides which contextual events matter, by the settings context-threshold and
// context-match of their types, and by view->chosen if context-throttle has decided. An event that
// does not matter is dropped, and is no context to other events.
//
// worth_event decides while the chunk is indexed: events that do not matter get no row. decide.h
// decides which contexts of the Loupe API matter.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/decide/test_worth.c
// Memory:  some 1,500 bytes for each contextual event type with context-match.

#pragma once

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"
#include "engine/read/kinds.h"
#include "engine/read/rows.h"
#include "engine/reason.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct compact_worth_item {
    compact_kind kind; // with the attribute of context-match alone
    compact_reading reading;
} compact_worth_item;

typedef struct compact_worth {
    compact_view *view;
    uint32_t *places; // by type: index of items, if it has context-match
    LP_VEC(compact_worth_item) items;
    size_t offered; // how many events were offered to context-throttle so far
    lp_buf value;   // scratch: the value that context-match tests
    lp_buf text;    // scratch: value as UTF-8
} compact_worth;

// compact_worth_init borrows view, which must have its schema and pools, until compact_worth_fini.
// Errors: in view->arena
void compact_worth_init(compact_worth *worth, compact_view *view);
void compact_worth_fini(compact_worth *worth);

typedef struct compact_worth_answer {
    bool matters;
    compact_reason reason; // why not
} compact_worth_answer;

// compact_worth_ask returns whether an event matters. The event's type is_asked. Errors: in
// view->arena; the answer is then meaningless
compact_worth_answer compact_worth_ask(
    compact_worth *worth, uint32_t type, jfr_cursor payload, int64_t duration_ticks);

// compact_worth_kind returns a kind with the attribute that match tests. It borrows the attribute's
// name from match.
compact_kind compact_worth_kind(const policy_match *match);

// compact_worth_is_match tests a value, which is a text (kind_values.h). Null never matches. text
// is scratch. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_worth_is_match(
    const policy_match *match, const lp_buf *value, lp_buf *text, bool *out_is_match);
