// SPDX-License-Identifier: Apache-2.0
#include "engine/decide/worth.h"

#include "common/context/ctx_type.h"
#include "common/jfr/jfr_string.h"

#include <stdlib.h>

// Design notes
//
// An event says by itself how long it took and what its attributes are, so it does not matter in
// which chunk it is asked. The length of a context of the API is known when it ends. One that is
// open where a chunk ends has to be judged before that: it matters, whatever the next chunk is
// known to say already, as how much that is depends on when the collector got to work. And it
// matters from then on, so that what happens in it stays as a whole.

// kind_of makes the kind that has nothing but the attribute that match asks for.
static compact_kind
kind_of(const policy_match *match)
{
    return (compact_kind){.attribute_count = 1, .attributes = {{.name = match->attribute}}};
}

static lp_err
add_item(compact_worth *w, uint32_t type)
{
    const compact_schema *schema = w->view->schema;
    if (!LP_VEC_ROOM(&w->items)) {
        return LP_ENOMEM;
    }
    w->places[type] = (uint32_t)w->items.count;
    struct compact_worth_item *item = &w->items.items[w->items.count++];
    item->kind = kind_of(schema->plans[type].context_match);
    item->reading = compact_reading_make(&item->kind, &schema->metadata, type, &w->view->pools);
    return LP_OK;
}

lp_err
compact_worth_init(compact_worth *worth, const compact_view *view)
{
    *worth = (compact_worth){.view = view};
    const compact_schema *schema = view->schema;
    if (!schema->asks_contexts) {
        return LP_OK;
    }
    worth->places = calloc(schema->metadata.types.count + 1, sizeof(*worth->places));
    lp_err err = worth->places == NULL ? LP_ENOMEM : LP_OK;
    for (uint32_t i = 0; i < schema->metadata.types.count && err == LP_OK; i++) {
        if (schema->plans[i].is_asked && schema->plans[i].context_match != NULL) {
            err = add_item(worth, i);
        }
    }
    return err;
}

void
compact_worth_fini(compact_worth *worth)
{
    free(worth->places);
    LP_VEC_FINI(&worth->items);
    lp_buf_fini(&worth->value);
    lp_buf_fini(&worth->text);
    *worth = (compact_worth){0};
}

// is_match says whether a value, a text as compact_kinds makes them, is as match asks. text is
// room for it.
static lp_err
is_match(const policy_match *match, const lp_buf *value, lp_buf *text, bool *out_is_match)
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

lp_err
compact_worth_ask(compact_worth *worth, uint32_t type, jfr_cursor payload, int64_t duration_ticks,
    compact_worth_answer *out_answer)
{
    const compact_plan *plan = &worth->view->schema->plans[type];
    int64_t threshold = plan->context_threshold_ticks;
    bool is_long = threshold == 0 || !plan->has_duration || duration_ticks >= threshold;
    *out_answer =
        (compact_worth_answer){.matters = is_long, .reason = COMPACT_BY_CONTEXT_THRESHOLD};
    if (!is_long || plan->context_match == NULL) {
        return LP_OK;
    }
    out_answer->reason = COMPACT_BY_CONTEXT_MATCH;
    const struct compact_worth_item *item = &worth->items.items[worth->places[type]];
    lp_buf_clear(&worth->value);
    compact_kind_append_event(&item->kind, &item->reading, payload, false, &worth->value);
    return is_match(plan->context_match, &worth->value, &worth->text, &out_answer->matters);
}

// --- Contexts of the Loupe API

typedef struct judge {
    const compact_worth_input *in;
    int64_t thresholds[CTX_TYPES_MAX]; // parallel to in->types; ticks, 0: none
    const policy_match *matches[CTX_TYPES_MAX];
    lp_buf value; // room for one, as of compact_worth
    lp_buf text;
} judge;

// read_rules reads what the policy says of the types. False if that is nothing.
static bool
read_rules(judge *j)
{
    const compact_worth_input *in = j->in;
    bool has_any = false;
    for (size_t i = 0; in->rules != NULL && i < in->type_count; i++) {
        policy_event settings = policy_find(in->rules, in->types[i].name, true);
        j->thresholds[i] = compact_schema_ticks(in->schema, settings.context_threshold_ns);
        j->matches[i] = settings.context_match;
        has_any |= j->thresholds[i] > 0 || j->matches[i] != NULL;
    }
    return has_any;
}

static bool
has_entry(const judge *j, const policy_match *match, const compact_contexts *contexts,
    const compact_context *context)
{
    const ctx_recording *map =
        compact_recordings_find(j->in->recordings, compact_recordings_id(contexts, context));
    const ctx_entry *entry = map == NULL ? NULL : ctx_recording_find(map, match->attribute);
    return entry != NULL && !entry->is_null && policy_match_is(match, entry->value);
}

static lp_err
has_value(
    judge *j, const policy_match *match, const ctx_type *type, compact_values values, bool *out_has)
{
    const compact_kind kind = kind_of(match);
    lp_buf_clear(&j->value);
    (void)compact_kind_append_record(&kind, type, values, &j->value); // null where it is damaged
    return is_match(match, &j->value, &j->text, out_has);
}

static bool
is_long_enough(int64_t threshold, const compact_context *context)
{
    int64_t length;
    return threshold == 0 || context->is_unmeasured ||
           __builtin_sub_overflow(context->end, context->begin, &length) || length >= threshold;
}

// is_open_at says whether a context was open where one chunk ends and the next begins.
static bool
is_open_at(const compact_context *context, int64_t border)
{
    return context->begin < border && context->end >= border;
}

static lp_err
judge_context(judge *j, const compact_contexts *contexts, compact_context *context)
{
    const compact_worth_input *in = j->in;
    size_t index = ctx_type_find(in->types, in->type_count, context->type_id);
    if (index == in->type_count) {
        return LP_OK;
    }
    context->is_unmeasured |=
        is_open_at(context, in->window.lo) || is_open_at(context, in->window.hi);
    const policy_match *match = j->matches[index];
    bool is_long = is_long_enough(j->thresholds[index], context);
    bool matters = is_long;
    lp_err err = LP_OK;
    if (matters && match != NULL && in->types[index].is_recording) {
        matters = has_entry(j, match, contexts, context);
    } else if (matters && match != NULL) {
        err = has_value(
            j, match, &in->types[index], compact_contexts_values(contexts, context), &matters);
    }
    context->is_ignored = !matters;
    context->ignored_by = is_long ? COMPACT_BY_CONTEXT_MATCH : COMPACT_BY_CONTEXT_THRESHOLD;
    return err;
}

lp_err
compact_worth_judge(const compact_worth_input *in, compact_contexts *contexts)
{
    judge j = {.in = in};
    if (!read_rules(&j)) {
        return LP_OK;
    }
    lp_err err = LP_OK;
    for (size_t i = 0; i < contexts->items.count && err == LP_OK; i++) {
        err = judge_context(&j, contexts, &contexts->items.items[i]);
    }
    lp_buf_fini(&j.value);
    lp_buf_fini(&j.text);
    return err;
}
