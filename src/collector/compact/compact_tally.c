// SPDX-License-Identifier: Apache-2.0
// The statistics of one chunk: compact_job_tally.

#include "collector/compact/compact_job.h"

#include <stdlib.h>
#include <string.h>

static lp_err
add_type_stats(compact_stats *stats, const char *name, compact_type_stats numbers)
{
    compact_type_stats *types =
        realloc(stats->types, (stats->type_count + 1) * sizeof(*stats->types));
    if (types == NULL) {
        return LP_ENOMEM;
    }
    stats->types = types;
    numbers.name = strdup(name);
    if (numbers.name == NULL) {
        return LP_ENOMEM;
    }
    stats->types[stats->type_count++] = numbers;
    return LP_OK;
}

static lp_err
count_events(const compact_job *j, compact_stats *stats)
{
    const compact_view *view = &j->view;
    compact_written *in = calloc(view->metadata.types.count + 1, sizeof(*in));
    if (in == NULL) {
        return LP_ENOMEM;
    }
    for (size_t i = 0; i < view->rows.count; i++) {
        const compact_row *row = &view->rows.items[i];
        in[row->type].events++;
        in[row->type].bytes += compact_view_event(view, row->offset).len;
        stats->late_events += j->carry != NULL && row->commit < j->window.lo;
    }
    lp_err err = LP_OK;
    for (size_t i = 0; i < view->metadata.types.count && err == LP_OK; i++) {
        if (in[i].events == 0) {
            continue;
        }
        const compact_written *out = &j->output.by_type[i];
        bool is_contextual = view->plans[i].is_contextual;
        stats->events_in += in[i].events;
        stats->events_out += out->events;
        stats->contexts_in += is_contextual ? in[i].events : 0;
        stats->contexts_out += is_contextual ? out->events : 0;
        err = add_type_stats(stats,
            jfr_metadata_text(&view->metadata, view->metadata.types.items[i].name),
            (compact_type_stats){
                .is_contextual = is_contextual,
                .events_in = in[i].events,
                .events_out = out->events,
                .bytes_in = in[i].bytes,
                .bytes_out = out->bytes,
            });
    }
    free(in);
    return err;
}

static lp_err
count_contexts(const compact_job *j, compact_stats *stats)
{
    const compact_contexts *contexts = &j->new_carry->contexts;
    for (size_t t = 0; t < j->new_carry->types.count; t++) {
        const ctx_type *type = &j->new_carry->types.items[t];
        compact_type_stats numbers = {
            .is_contextual = true,
            .events_out = j->output.by_context[t].events,
            .bytes_out = j->output.by_context[t].bytes,
        };
        for (size_t i = j->carried_count; i < contexts->items.count; i++) {
            const compact_context *context = &contexts->items.items[i];
            if (context->type_id == type->id) {
                numbers.events_in++;
                numbers.bytes_in += CTX_RECORD_HEADER_BYTES + context->values_bytes;
            }
        }
        stats->contexts_in += numbers.events_in;
        stats->contexts_out += numbers.events_out;
        if (numbers.events_in > 0 || numbers.bytes_out > 0) {
            lp_err err = add_type_stats(stats, type->name, numbers);
            if (err != LP_OK) {
                return err;
            }
        }
    }
    return LP_OK;
}

lp_err
compact_job_tally(const compact_job *j, compact_stats *stats)
{
    stats->bytes_in = j->chunk->jfr.len + j->chunk->records.len;
    stats->bytes_out = j->output.jfr.len;
    stats->contexts_lost = j->output.unwritable_parts;
    stats->unknown_events = j->view.unknown_events;
    stats->start_wall_ns = j->view.info.start_wall_ns;
    stats->duration_ns = j->view.info.duration_ns;
    lp_err err = count_events(j, stats);
    return err != LP_OK ? err : count_contexts(j, stats);
}
