// SPDX-License-Identifier: Apache-2.0
#include "engine/job/stats.h"

#include "common/base/lp_assert.h"

#include <stdlib.h>
#include <string.h>

static void
types_check(const compact_stats *stats)
{
    LP_ASSERT(stats->type_count == 0 || stats->types != NULL);
    LP_ASSERT(stats->names.items.count <= stats->type_count);
}

void
compact_stats_fini(compact_stats *stats)
{
    types_check(stats);
    for (size_t i = 0; i < stats->type_count; i++) {
        free(stats->types[i].name);
    }
    lp_large_free(stats->types);
    for (size_t i = 0; i < stats->misfits.count; i++) {
        free(stats->misfits.items[i].name);
        free(stats->misfits.items[i].attribute);
    }
    LP_VEC_FINI(&stats->misfits);
    lp_names_fini(&stats->names);
    *stats = (compact_stats){0};
}

compact_type_stats *
compact_stats_push(compact_stats *stats, const char *name)
{
    types_check(stats);
    char *copy = strdup(name);
    bool has_room = stats->type_count < stats->type_capacity ||
                    lp_vec_grow((void **)&stats->types, &stats->type_capacity,
                        stats->type_count + 1, sizeof(*stats->types));
    if (copy == NULL || !has_room) {
        free(copy);
        return NULL;
    }
    compact_type_stats *type = &stats->types[stats->type_count++];
    *type = (compact_type_stats){.name = copy};
    return type;
}

// type_named finds or adds the total of a type. NULL if memory ran out.
static compact_type_stats *
type_named(compact_stats *total, const char *name)
{
    types_check(total);
    uint32_t known = lp_names_find(&total->names, name);
    if (known != LP_MAP_NONE) {
        return &total->types[known];
    }
    compact_type_stats *type = compact_stats_push(total, name);
    return type != NULL && lp_names_add(&total->names, type->name) == LP_OK ? type : NULL;
}

lp_err
compact_stats_add_misfit(
    compact_stats *stats, const char *name, compact_misfit_kind kind, const char *attribute)
{
    for (size_t i = 0; i < stats->misfits.count; i++) {
        const compact_misfit *known = &stats->misfits.items[i];
        if (known->kind == kind && strcmp(known->name, name) == 0) {
            return LP_OK;
        }
    }
    compact_misfit misfit = {
        .name = strdup(name),
        .kind = kind,
        .attribute = attribute == NULL ? NULL : strdup(attribute),
    };
    bool is_whole = misfit.name != NULL && (attribute == NULL || misfit.attribute != NULL);
    if (!is_whole || !LP_VEC_ROOM(&stats->misfits)) {
        free(misfit.name);
        free(misfit.attribute);
        return LP_ENOMEM;
    }
    stats->misfits.items[stats->misfits.count++] = misfit;
    return LP_OK;
}

lp_err
compact_stats_add(compact_stats *total, const compact_stats *chunk)
{
    types_check(total);
    LP_ASSERT(total != chunk);
    for (size_t i = 0; i < chunk->type_count; i++) {
        const compact_type_stats *from = &chunk->types[i];
        compact_type_stats *to = type_named(total, from->name);
        LP_REQUIRE(to != NULL, LP_ENOMEM);
        to->is_contextual |= from->is_contextual;
        to->events_in += from->events_in;
        to->events_out += from->events_out;
        to->bytes_in += from->bytes_in;
        to->bytes_out += from->bytes_out;
        compact_dropped_add(&to->dropped, &from->dropped);
    }
    if (total->bytes_in == 0) { // the first chunk: every chunk has bytes
        total->start_wall_ns = chunk->start_wall_ns;
    }
    total->duration_ns =
        (int64_t)((uint64_t)chunk->start_wall_ns + (uint64_t)chunk->duration_ns -
                  (uint64_t)total->start_wall_ns); // wraps where headers are absurd
    total->events_in += chunk->events_in;
    total->events_out += chunk->events_out;
    total->contexts_in += chunk->contexts_in;
    total->contexts_out += chunk->contexts_out;
    compact_dropped_add(&total->events_dropped, &chunk->events_dropped);
    compact_dropped_add(&total->contexts_dropped, &chunk->contexts_dropped);
    total->bytes_in += chunk->bytes_in;
    total->bytes_out += chunk->bytes_out;
    total->late_events += chunk->late_events;
    total->late_contexts += chunk->late_contexts;
    total->contexts_lost += chunk->contexts_lost;
    total->unknown_events += chunk->unknown_events;
    total->requests_in += chunk->requests_in;
    total->requests_out += chunk->requests_out;
    compact_request_reasons_add(&total->request_reasons, &chunk->request_reasons);
    compact_request_losses_add(&total->request_losses, &chunk->request_losses);
    for (size_t i = 0; i < chunk->misfits.count; i++) {
        const compact_misfit *type = &chunk->misfits.items[i];
        LP_TRY(compact_stats_add_misfit(total, type->name, type->kind, type->attribute));
    }
    return LP_OK;
}

void
compact_stats_check(const compact_stats *stats, policy *rules)
{
    types_check(stats);
    for (size_t i = 0; i < stats->misfits.count; i++) {
        const compact_misfit *type = &stats->misfits.items[i];
        if (type->kind == COMPACT_MISFIT_OF_API) {
            policy_check_api_type(rules, type->name);
        } else if (type->kind == COMPACT_MISFIT_INDEX) {
            policy_check_index(rules, type->name, type->attribute);
        } else {
            policy_check_type(rules, type->name, type->kind == COMPACT_MISFIT_CONTEXTUAL);
        }
    }
}
