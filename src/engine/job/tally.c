// SPDX-License-Identifier: Apache-2.0
#include "engine/job/tally.h"

#include "common/base/lp_assert.h"
#include "engine/job/stats.h"
#include "engine/read/kinds.h"
#include "engine/read/view.h"
#include "engine/requests/requests.h"
#include "engine/write/account.h"
#include "engine/write/write.h"

#include <string.h>

static void
add_type_stats(lp_arena *arena, compact_stats *stats, const char *name, compact_type_stats numbers)
{
    compact_type_stats *type = compact_stats_push(stats, name);
    if (type == NULL) {
        lp_arena_fail(arena);
        return;
    }
    numbers.name = type->name;
    *type = numbers;
}

static void
add_misfit(lp_arena *arena, compact_stats *stats, const char *name, bool is_contextual)
{
    compact_misfit_kind kind = is_contextual ? COMPACT_MISFIT_CONTEXTUAL : COMPACT_MISFIT_PLAIN;
    lp_arena_note(arena, compact_stats_add_misfit(stats, name, kind, NULL));
}

// add_index_misfit adds a type that lacks an attribute of its context-index.
static void
add_index_misfit(
    lp_arena *arena, compact_stats *stats, const policy_index *index, const compact_kinds *kinds)
{
    for (size_t i = 0; i < index->count && kinds->items.count > 0; i++) {
        const compact_kind *kind = &kinds->items.items[0];
        size_t at = 0;
        while (at < kind->attribute_count &&
               strcmp(kind->attributes[at].name, index->attributes[i]) != 0) {
            at++;
        }
        if (at == kind->attribute_count) {
            lp_arena_note(arena, compact_stats_add_misfit(stats, kind->name, COMPACT_MISFIT_INDEX,
                                     index->attributes[i]));
        }
    }
}

static void
check_event_index(
    lp_arena *arena, compact_stats *stats, const compact_schema *schema, uint32_t type)
{
    compact_kinds kinds = {.arena = arena};
    if (schema->plans[type].context_index != NULL) {
        compact_kinds_add_event(&kinds, &schema->metadata, type);
        add_index_misfit(arena, stats, schema->plans[type].context_index, &kinds);
    }
}

static void
check_context_index(
    lp_arena *arena, compact_stats *stats, const policy_index *index, const ctx_type *type)
{
    compact_kinds kinds = {.arena = arena};
    if (index != NULL && !type->is_recording) { // a map may have any keys
        compact_kinds_add_context(&kinds, type);
        add_index_misfit(arena, stats, index, &kinds);
    }
}

static void
list_misfits(const compact_frame *frame, lp_arena *arena, compact_stats *stats)
{
    const compact_schema *schema = frame->view->schema;
    for (uint32_t i = 0; i < schema->metadata.types.count; i++) {
        check_event_index(arena, stats, schema, i);
        if (schema->plans[i].is_misfit) {
            add_misfit(arena, stats, jfr_metadata_type_name(&schema->metadata, i),
                schema->plans[i].rule == COMPACT_RULE_CONTEXTUAL);
        }
    }
    const policy *rules = frame->options->policy;
    for (size_t i = 0; i < frame->type_count && rules != NULL; i++) {
        const char *name = frame->types[i].name;
        policy_note_type(rules, name);
        bool is_contextual = policy_is_contextual(rules, name, true);
        policy_event settings = policy_find(rules, name, is_contextual);
        if (policy_has_of_events(&settings)) { // first: select=if-context is both
            lp_arena_note(
                arena, compact_stats_add_misfit(stats, name, COMPACT_MISFIT_OF_API, NULL));
        }
        if (policy_has_misplaced(&settings, is_contextual)) {
            add_misfit(arena, stats, name, is_contextual);
        }
        check_context_index(arena, stats, settings.context_index, &frame->types[i]);
    }
}

static void
count_events(
    const compact_frame *frame, const compact_output *output, lp_arena *arena, compact_stats *stats)
{
    const compact_schema *schema = frame->view->schema;
    for (size_t i = 0; i < schema->metadata.types.count; i++) {
        const compact_amount *in = &frame->view->amounts[i];
        const compact_amount *out = &output->by_type[i];
        if (in->events == 0) {
            continue;
        }
        bool is_contextual = schema->plans[i].rule == COMPACT_RULE_CONTEXTUAL;
        const compact_dropped dropped = compact_account_of_type(frame->view, (uint32_t)i, out);
        compact_dropped_add(&stats->events_dropped, &dropped);
        if (is_contextual) {
            compact_dropped_add(&stats->contexts_dropped, &dropped);
        }
        stats->events_in += in->events;
        stats->events_out += out->events;
        stats->contexts_in += is_contextual ? in->events : 0;
        stats->contexts_out += is_contextual ? out->events : 0;
        add_type_stats(arena, stats, jfr_metadata_type_name(&schema->metadata, i),
            (compact_type_stats){
                .is_contextual = is_contextual,
                .events_in = in->events,
                .events_out = out->events,
                .bytes_in = in->bytes,
                .bytes_out = out->bytes,
                .dropped = dropped,
            });
    }
}

static void
count_contexts(const compact_frame *frame, const compact_opened *opened,
    const compact_decided *decided, const compact_output *output, lp_arena *arena,
    compact_stats *stats)
{
    for (size_t t = 0; t < frame->type_count; t++) {
        const compact_type_stats numbers = {
            .is_contextual =
                policy_is_contextual(frame->options->policy, frame->types[t].name, true),
            .events_in = opened->contexts_in[t].events,
            .bytes_in = opened->contexts_in[t].bytes,
            .events_out = output->by_context[t].events,
            .bytes_out = output->by_context[t].bytes,
            .dropped =
                compact_account_of_contexts(&decided->contexts_gone[t], output->lost_contexts[t]),
        };
        compact_dropped_add(&stats->contexts_dropped, &numbers.dropped);
        stats->contexts_in += numbers.events_in;
        stats->contexts_out += numbers.events_out;
        if (numbers.events_in > 0 || numbers.bytes_out > 0 ||
            compact_dropped_sum(&numbers.dropped) > 0) {
            add_type_stats(arena, stats, frame->types[t].name, numbers);
        }
    }
}

static void
count_requests(const compact_requests *requests, compact_stats *stats)
{
    if (requests != NULL) {
        compact_request_counts counts = compact_requests_count(requests);
        stats->requests_in = counts.in;
        stats->requests_out = counts.out;
        stats->request_reasons = compact_requests_count_reasons(requests);
        stats->request_losses = requests->losses;
    }
}

static void
tally(const compact_frame *frame, const compact_opened *opened, const compact_decided *decided,
    const compact_output *output, lp_arena *arena, compact_stats *stats)
{
    stats->bytes_in = frame->source->jfr.len + frame->source->records.len;
    stats->bytes_out = compact_output_size(output);
    stats->contexts_lost = output->unwritable_parts + opened->completions_lost;
    stats->late_events = frame->window.lo == INT64_MIN ? 0 : frame->view->late_events;
    stats->late_contexts = decided->late_contexts;
    stats->unknown_events = frame->view->unknown_events;
    stats->has_asked = decided->has_asked;
    stats->start_wall_ns = frame->view->info.start_wall_ns;
    stats->duration_ns = frame->view->info.duration_ns;
    count_events(frame, output, arena, stats);
    count_contexts(frame, opened, decided, output, arena, stats);
    count_requests(decided->requests, stats);
    list_misfits(frame, arena, stats);
}

lp_err
compact_tally_write(const compact_frame *frame, const compact_opened *opened,
    const compact_decided *decided, compact_style *style, lp_arena *arena, compact_result *result,
    lp_problem *problem)
{
    LP_ASSERT(compact_frame_is_open(frame) && result->stats.type_count == 0);
    compact_output output = {0};
    lp_err err = compact_write(frame, decided, style, &output, problem);
    LP_THEN(err, compact_damage_refuse(&frame->view->damage, frame->options->refused, problem));
    if (err == LP_OK) {
        tally(frame, opened, decided, &output, arena, &result->stats);
        compact_damage_append(&result->damage, &frame->view->damage);
        err = lp_arena_err(arena);
    }
    LP_THEN(err, compact_output_take(&output, result));
    compact_output_fini(&output);
    return err;
}
