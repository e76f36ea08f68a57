// SPDX-License-Identifier: Apache-2.0
#include "common/base/lp_assert.h"
#include "common/context/ctx_type.h"
#include "engine/contexts/contexts.h"
#include "engine/contexts/recordings.h"
#include "engine/decide/decide.h"
#include "engine/read/worth_event.h"

// Design notes
//
// An event has its own duration and attributes, so any chunk may judge it. A context of the API has
// a length only once it has ended. A context that is open at the end of a chunk is judged by the
// data up to frame->known_ticks. How much later data there is depends on when the collector ran, so
// that does not count. A context that is open even at known_ticks matters from then on, so that its
// events stay together.

typedef struct judge {
    const compact_frame *frame;
    lp_arena *arena;                   // has all errors
    int64_t thresholds[CTX_TYPES_MAX]; // parallel to frame->types; ticks, 0: none
    const policy_match *matches[CTX_TYPES_MAX];
    bool are_none[CTX_TYPES_MAX]; // the policy says contextual=false
    lp_buf value;                 // scratch
    lp_buf text;                  // scratch
} judge;

static void
judge_check(const judge *j)
{
    LP_ASSERT(j->arena != NULL && j->frame->type_count <= CTX_TYPES_MAX);
}

// read_rules reads the settings of the types. Returns whether some type has one.
static bool
read_rules(judge *j)
{
    judge_check(j);
    const compact_frame *frame = j->frame;
    bool has_any = false;
    for (size_t i = 0; frame->options->policy != NULL && i < frame->type_count; i++) {
        policy_event settings = policy_find(frame->options->policy, frame->types[i].name, true);
        j->thresholds[i] = compact_schema_ticks(frame->view->schema, settings.context_threshold_ns);
        j->matches[i] = settings.context_match;
        j->are_none[i] = settings.contextual == POLICY_CONTEXTUAL_NO;
        has_any |= j->thresholds[i] > 0 || j->matches[i] != NULL || j->are_none[i];
    }
    return has_any;
}

static bool
has_entry(const judge *j, const policy_match *match, const compact_contexts *contexts,
    const compact_context *context)
{
    const ctx_recording *map =
        compact_recordings_find(j->frame->recordings, compact_recordings_id(contexts, context));
    const ctx_entry *entry = map == NULL ? NULL : ctx_recording_find(map, match->attribute);
    return entry != NULL && !entry->is_null && policy_match_is(match, entry->value);
}

static bool
has_value(judge *j, const policy_match *match, const ctx_type *type, compact_values values)
{
    judge_check(j);
    const compact_kind kind = compact_worth_kind(match);
    bool is_match = false;
    lp_buf_clear(&j->value);
    (void)compact_kind_append_record(&kind, type, values, &j->value); // null where it is damaged
    lp_arena_note(j->arena, compact_worth_is_match(match, &j->value, &j->text, &is_match));
    return is_match;
}

static bool
is_long_enough(int64_t threshold, const compact_context *context)
{
    int64_t length;
    return threshold == 0 || context->is_unmeasured ||
           __builtin_sub_overflow(context->end, context->begin, &length) || length >= threshold;
}

// is_open_at returns whether a context is open at the border of two chunks and up to the known
// time after it.
static bool
is_open_at(const judge *j, const compact_context *context, int64_t border)
{
    const compact_frame *frame = j->frame;
    __int128 known =
        frame->options->known_ns == 0 ? 0 : (__int128)frame->known_ticks - frame->window.hi + 1;
    return context->begin < border && context->end >= border + known;
}

static void
judge_context(judge *j, const compact_contexts *contexts, compact_context *context)
{
    judge_check(j);
    const compact_frame *frame = j->frame;
    size_t index = ctx_type_find(frame->types, frame->type_count, context->type_id);
    if (index == frame->type_count) {
        return;
    }
    if (j->are_none[index]) {
        context->is_ignored = true;
        context->ignored_by = COMPACT_BY_SELECT;
        return;
    }
    context->is_unmeasured |=
        is_open_at(j, context, frame->window.lo) || is_open_at(j, context, frame->window.hi);
    const policy_match *match = j->matches[index];
    bool is_long = is_long_enough(j->thresholds[index], context);
    bool matters = is_long;
    if (matters && match != NULL && frame->types[index].is_recording) {
        matters = has_entry(j, match, contexts, context);
    } else if (matters && match != NULL) {
        matters =
            has_value(j, match, &frame->types[index], compact_contexts_values(contexts, context));
    }
    context->is_ignored = !matters;
    context->ignored_by = is_long ? COMPACT_BY_CONTEXT_MATCH : COMPACT_BY_CONTEXT_THRESHOLD;
}

void
compact_worth_judge(const compact_frame *frame, compact_contexts *contexts, lp_arena *arena)
{
    LP_ASSERT(compact_frame_is_open(frame) && frame->contexts == contexts);
    judge j = {.frame = frame, .arena = arena};
    if (!read_rules(&j)) {
        return;
    }
    for (size_t i = 0; i < contexts->items.count && !arena->is_failed; i++) {
        judge_context(&j, contexts, &contexts->items.items[i]);
    }
    lp_buf_fini(&j.value);
    lp_buf_fini(&j.text);
}
