// SPDX-License-Identifier: Apache-2.0
#include "cli/files/statistics.h"

#include "cli/base/cmd.h"
#include "cli/files/request_counts_json.h"
#include "collector/base/dropped_json.h"

#include <inttypes.h>
#include <jansson.h>

void
statistics_print_text(FILE *out, const compact_stats *stats, const damage_report *damage)
{
    (void)fprintf(
        out, "events    %" PRIu64 " in, %" PRIu64 " out\n", stats->events_in, stats->events_out);
    (void)fprintf(out, "contexts  %" PRIu64 " in, %" PRIu64 " out\n", stats->contexts_in,
        stats->contexts_out);
    if (stats->requests_in > 0) {
        (void)fprintf(out, "requests  %" PRIu64 " in, %" PRIu64 " out\n", stats->requests_in,
            stats->requests_out);
    }
    (void)fprintf(
        out, "bytes     %" PRIu64 " in, %" PRIu64 " out\n", stats->bytes_in, stats->bytes_out);
    if (stats->unknown_events > 0) {
        (void)fprintf(out,
            "left out  %" PRIu64 " events of types that the metadata does not describe\n",
            stats->unknown_events);
    }
    if (damage->skipped_bytes > 0 || damage->damaged_chunks > 0) {
        (void)fprintf(out,
            "damage    %" PRIu64 " chunks in part, %" PRIu64 " wholly; %" PRIu64 " bytes skipped\n",
            damage->damaged_chunks, damage->unreadable_chunks, damage->skipped_bytes);
    }
    if (damage->duplicate_chunks > 0) {
        (void)fprintf(out, "repeated  %" PRIu64 " chunks\n", damage->duplicate_chunks);
    }
}

static json_t *
in_out(uint64_t in, uint64_t out)
{
    return json_pack("{s:I, s:I}", "in", (json_int_t)in, "out", (json_int_t)out);
}

static json_t *
type_as_json(const compact_type_stats *type)
{
    uint64_t offered = type->events_out + compact_dropped_sum(&type->dropped);
    return json_pack("{s:b, s:o, s:o, s:I, s:I, s:o}", "contextual", type->is_contextual, "events",
        in_out(type->events_in, type->events_out), "bytes", in_out(type->bytes_in, type->bytes_out),
        "offered", (json_int_t)offered, "kept", (json_int_t)type->events_out, "dropped",
        dropped_json(&type->dropped));
}

static json_t *
damage_as_json(const damage_report *damage)
{
    return json_pack("{s:I, s:I, s:I, s:I}", "damaged_chunks", (json_int_t)damage->damaged_chunks,
        "unreadable_chunks", (json_int_t)damage->unreadable_chunks, "damaged_places",
        (json_int_t)damage->damaged_places, "skipped_bytes", (json_int_t)damage->skipped_bytes);
}

bool
statistics_print_json(FILE *out, const compact_stats *stats, const damage_report *damage)
{
    json_t *types = json_object();
    for (size_t i = 0; i < stats->type_count; i++) {
        (void)json_object_set_new(types, stats->types[i].name, type_as_json(&stats->types[i]));
    }
    json_t *root =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:o, s:I, s:o}",
            "events", in_out(stats->events_in, stats->events_out), "contexts",
            in_out(stats->contexts_in, stats->contexts_out), "requests",
            in_out(stats->requests_in, stats->requests_out), "requests_kept_by",
            requests_kept_by_json(&stats->request_reasons), "requests_dropped_by",
            requests_dropped_by_json(&stats->request_reasons), "request_losses",
            request_losses_json(&stats->request_losses), "events_dropped",
            dropped_json(&stats->events_dropped), "contexts_dropped",
            dropped_json(&stats->contexts_dropped), "bytes",
            in_out(stats->bytes_in, stats->bytes_out), "late_events",
            (json_int_t)stats->late_events, "contexts_lost", (json_int_t)stats->contexts_lost,
            "unknown_events", (json_int_t)stats->unknown_events, "damage", damage_as_json(damage),
            "duplicate_chunks", (json_int_t)damage->duplicate_chunks, "types", types);
    return cmd_print_json(out, root);
}
