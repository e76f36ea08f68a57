// SPDX-License-Identifier: Apache-2.0
#include "engine/read/worth_event.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_string.h"
#include "engine/read/kind_values.h"

compact_kind
compact_worth_kind(const policy_match *match)
{
    return (compact_kind){.attribute_count = 1, .attributes = {{.name = match->attribute}}};
}

static void
add_item(compact_worth *w, uint32_t type)
{
    LP_ASSERT(w->view->schema->plans[type].context_match != NULL);
    const compact_schema *schema = w->view->schema;
    w->places[type] = (uint32_t)w->items.count;
    compact_worth_item item = {.kind = compact_worth_kind(schema->plans[type].context_match)};
    item.reading = compact_reading_make(&item.kind, &schema->metadata, type, &w->view->pools);
    LP_ARENA_PUSH(&w->view->arena, &w->items, item);
}

void
compact_worth_init(compact_worth *worth, compact_view *view)
{
    compact_view_check(view);
    *worth = (compact_worth){.view = view};
    const compact_schema *schema = view->schema;
    if (!schema->asks_contexts) {
        return;
    }
    worth->places = LP_ARENA_ARRAY(&view->arena, uint32_t, schema->metadata.types.count);
    for (uint32_t i = 0; i < schema->metadata.types.count && worth->places != NULL; i++) {
        if (schema->plans[i].is_asked && schema->plans[i].context_match != NULL) {
            add_item(worth, i);
        }
    }
}

void
compact_worth_fini(compact_worth *worth)
{
    lp_buf_fini(&worth->value);
    lp_buf_fini(&worth->text);
    *worth = (compact_worth){0};
}

lp_err
compact_worth_is_match(
    const policy_match *match, const lp_buf *value, lp_buf *text, bool *out_is_match)
{
    *out_is_match = false;
    lp_err err = lp_buf_check(value);
    if (err != LP_OK || value->ptr[0] == JFR_STRING_NULL) {
        return err;
    }
    jfr_cursor cursor = jfr_cursor_over(lp_buf_slice(value));
    lp_buf_clear(text);
    *out_is_match =
        jfr_string_read_utf8(&cursor, text) && policy_match_is(match, lp_buf_slice(text));
    return lp_buf_check(text);
}

static bool
is_match(compact_worth *worth, uint32_t type, jfr_cursor payload)
{
    LP_ASSERT(worth->view != NULL);
    const compact_worth_item *item = &worth->items.items[worth->places[type]];
    const policy_match *match = worth->view->schema->plans[type].context_match;
    bool is_match = false;
    lp_buf_clear(&worth->value);
    compact_kind_append_event(&item->kind, &item->reading, payload, false, &worth->value);
    lp_arena_note(
        &worth->view->arena, compact_worth_is_match(match, &worth->value, &worth->text, &is_match));
    return is_match;
}

static bool
is_next_chosen(compact_worth *worth)
{
    LP_ASSERT(worth->view != NULL);
    const compact_chosen *chosen = worth->view->chosen;
    size_t number = worth->offered++;
    LP_ASSERT(number < chosen->count); // the choice was made of the same events
    return (chosen->bits[number / 64] >> (number % 64) & 1) != 0;
}

compact_worth_answer
compact_worth_ask(compact_worth *worth, uint32_t type, jfr_cursor payload, int64_t duration_ticks)
{
    const compact_plan *plan = &worth->view->schema->plans[type];
    LP_ASSERT(plan->is_asked);
    int64_t threshold = plan->context_threshold_ticks;
    if (threshold > 0 && plan->has_duration && duration_ticks < threshold) {
        return (compact_worth_answer){false, COMPACT_BY_CONTEXT_THRESHOLD};
    }
    if (plan->context_match != NULL && !is_match(worth, type, payload)) {
        return (compact_worth_answer){false, COMPACT_BY_CONTEXT_MATCH};
    }
    bool is_offered = worth->view->chosen != NULL && plan->context_throttle.per_ns > 0;
    return (compact_worth_answer){
        !is_offered || is_next_chosen(worth), COMPACT_BY_CONTEXT_THROTTLE};
}
