// SPDX-License-Identifier: Apache-2.0

#include "collector/base/service_metrics.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_names.h"
#include "common/base/lp_vec.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BOUNDS = SERVICE_METRICS_LE_LAST - SERVICE_METRICS_LE_FIRST + 1,
    BUCKETS = BOUNDS + 1, // the last one is for longer durations
    NAME_BYTES = 128,     // of a metric
};

// The histogram of a type of contexts or requests.
typedef struct series {
    char *type;
    service_metrics_durations lengths;
    rollup_exemplar exemplars[BUCKETS]; // of the text's buckets; duration_ns below 0: none
} series;

typedef enum counter_id {
#define LOUPE_CHUNK_METRIC(id, field) COUNTER_##id,
#include "collector/base/chunk_metrics.def"
#undef LOUPE_CHUNK_METRIC
    COUNTERS,
} counter_id;

// The histograms of a unit, by type.
typedef struct unit_series {
    lp_names types;
    LP_VEC(series *) items;
} unit_series;

typedef struct service {
    char *name;
    uint64_t counters[COUNTERS];
    compact_dropped dropped[2]; // of events, and of contexts
    compact_request_reasons reasons;
    unit_series series[ROLLUP_UNITS];
} service;

struct service_metrics {
    pthread_mutex_t mutex; // guards the rest
    lp_names names;
    LP_VEC(service *) services;
    size_t series_count[ROLLUP_UNITS]; // of all services
};

static const struct {
    const char *name;
    const char *help;
    const char *id_label; // of exemplars
    metrics_id left_out;
} durations[ROLLUP_UNITS] = {
    [ROLLUP_CONTEXTS] = {"loupe_context_duration_seconds",
        "Durations of contexts, kept or not, by service and context type.", "context_id",
        METRICS_context_durations_left_out},
    [ROLLUP_REQUESTS] = {"loupe_request_duration_seconds",
        "Durations of requests, kept or not, by service and type of their first context.",
        "request_id", METRICS_request_durations_left_out},
};

service_metrics *
service_metrics_create(void)
{
    service_metrics *self = calloc(1, sizeof(*self));
    if (self != NULL) {
        (void)pthread_mutex_init(&self->mutex, NULL); // Linux's cannot fail
    }
    return self;
}

static void
series_fini(unit_series *of)
{
    for (size_t i = 0; i < of->items.count; i++) {
        free(of->items.items[i]->type);
        free(of->items.items[i]);
    }
    LP_VEC_FINI(&of->items);
    lp_names_fini(&of->types);
}

static void
service_destroy(service *of)
{
    for (rollup_unit unit = 0; unit < ROLLUP_UNITS; unit++) {
        series_fini(&of->series[unit]);
    }
    free(of->name);
    free(of);
}

void
service_metrics_destroy(service_metrics *self)
{
    if (self == NULL) {
        return;
    }
    for (size_t i = 0; i < self->services.count; i++) {
        service_destroy(self->services.items[i]);
    }
    LP_VEC_FINI(&self->services);
    lp_names_fini(&self->names);
    (void)pthread_mutex_destroy(&self->mutex);
    free(self);
}

// --- Adding

// find_service finds or adds a service. *out_service is NULL if there are too many.
static lp_err
find_service(service_metrics *self, const char *name, service **out_service)
{
    uint32_t known = lp_names_find(&self->names, name);
    LP_ASSERT(known == LP_MAP_NONE || known < self->services.count);
    if (known != LP_MAP_NONE) {
        *out_service = self->services.items[known];
        return LP_OK;
    }
    *out_service = NULL;
    LP_ASSERT(self->services.count <= SERVICE_METRICS_SERVICES_MAX);
    if (self->services.count == SERVICE_METRICS_SERVICES_MAX) {
        return LP_OK;
    }
    service *added = calloc(1, sizeof(*added));
    if (added == NULL || !LP_VEC_ROOM(&self->services) ||
        lp_names_add_copy(&self->names, name, &added->name) != LP_OK) {
        free(added);
        return LP_ENOMEM;
    }
    self->services.items[self->services.count++] = added;
    *out_service = added;
    return LP_OK;
}

// find_series finds or adds the histogram of a type. *count is the number in all services;
// *out_series is NULL if there are too many.
static lp_err
find_series(unit_series *of, size_t *count, const char *type, series **out_series)
{
    LP_ASSERT(*count <= SERVICE_METRICS_SERIES_MAX);
    uint32_t known = lp_names_find(&of->types, type);
    LP_ASSERT(known == LP_MAP_NONE || known < of->items.count);
    if (known != LP_MAP_NONE) {
        *out_series = of->items.items[known];
        return LP_OK;
    }
    *out_series = NULL;
    if (*count == SERVICE_METRICS_SERIES_MAX) {
        return LP_OK;
    }
    series *added = calloc(1, sizeof(*added));
    if (added == NULL || !LP_VEC_ROOM(&of->items) ||
        lp_names_add_copy(&of->types, type, &added->type) != LP_OK) {
        free(added);
        return LP_ENOMEM;
    }
    for (size_t i = 0; i < BUCKETS; i++) {
        added->exemplars[i].duration_ns = -1;
    }
    of->items.items[of->items.count++] = added;
    ++*count;
    *out_series = added;
    return LP_OK;
}

// place_of returns the bucket of the text that contains a bucket of a rollup.
static size_t
place_of(int bucket)
{
    LP_ASSERT(bucket < HISTOGRAM_BUCKETS);
    int steps = 1 << HISTOGRAM_SCALE; // of a rollup's buckets for each power of two
    int power = bucket < 0 ? 0 : bucket / steps + 1;
    int place = power - SERVICE_METRICS_LE_FIRST;
    return place < 0 ? 0 : place > BOUNDS ? BOUNDS : (size_t)place;
}

// add_type adds a type of a rollup. Its exemplars replace earlier ones.
static void
add_type(series *to, const rollup_type *type, const char *recording)
{
    const histogram *all = &type->numbers.all;
    to->lengths.zero_count += all->zero_count;
    for (int bucket = 0; bucket < HISTOGRAM_BUCKETS; bucket++) {
        to->lengths.counts[bucket] += histogram_get(all, bucket);
    }
    rollup_add_ns(&to->lengths.sum_ns, all->sum_ns);
    for (size_t i = 0; i < type->exemplars.count; i++) { // the longest of a place comes last
        const rollup_exemplar *kept = &type->exemplars.items[i];
        rollup_exemplar *known = &to->exemplars[place_of(histogram_bucket(kept->duration_ns))];
        *known = *kept;
        (void)snprintf(known->recording, sizeof(known->recording), "%s", recording);
    }
}

static void
count_left_out(metrics_id id, uint64_t count)
{
    if (count > 0) {
        metrics_add(id, count);
    }
}

// add_unit adds the types of a unit. to: NULL if there are too many services.
static lp_err
add_unit(service_metrics *self, service *to, const char *recording, rollup_unit unit,
    const rollup_types *types, uint64_t left_out)
{
    LP_ASSERT(unit < ROLLUP_UNITS);
    lp_err err = LP_OK;
    for (size_t i = 0; i < types->count && err == LP_OK; i++) {
        const rollup_type *type = &types->items[i];
        series *found = NULL;
        err = to == NULL
                  ? LP_OK
                  : find_series(&to->series[unit], &self->series_count[unit], type->name, &found);
        if (found != NULL) {
            add_type(found, type, recording);
        } else {
            left_out += type->numbers.all.count;
        }
    }
    count_left_out(durations[unit].left_out, left_out);
    return err;
}

static lp_err
add_rollup(service_metrics *self, service *to, const char *recording, const rollup *sums)
{
    lp_err err =
        add_unit(self, to, recording, ROLLUP_CONTEXTS, &sums->types, sums->contexts_left_out);
    return err != LP_OK ? err
                        : add_unit(self, to, recording, ROLLUP_REQUESTS, &sums->requests,
                              sums->requests_left_out);
}

static void
add_counters(service *to, const compact_stats *stats)
{
#define LOUPE_CHUNK_METRIC(id, field) to->counters[COUNTER_##id] += stats->field;
#include "collector/base/chunk_metrics.def"
#undef LOUPE_CHUNK_METRIC
    compact_dropped_add(&to->dropped[0], &stats->events_dropped);
    compact_dropped_add(&to->dropped[1], &stats->contexts_dropped);
    compact_request_reasons_add(&to->reasons, &stats->request_reasons);
}

void
service_metrics_add(service_metrics *self, const char *service_name, const char *recording,
    const compact_stats *stats, const rollup *sums)
{
    LP_ASSERT(service_name != NULL && stats != NULL);
    (void)pthread_mutex_lock(&self->mutex);
    service *to = NULL;
    lp_err err = find_service(self, service_name, &to);
    if (err == LP_OK && to != NULL) {
        add_counters(to, stats);
    }
    LP_THEN(err, sums != NULL ? add_rollup(self, to, recording, sums) : LP_OK);
    count_left_out(METRICS_service_metrics_left_out, err != LP_OK || to == NULL ? 1 : 0);
    (void)pthread_mutex_unlock(&self->mutex);
}

// --- Writing

// begin_sample begins a sample with the label service, and leaves its labels open.
static void
begin_sample(lp_buf *text, const char *name, const service *of)
{
    LP_ASSERT(of->name != NULL);
    metrics_text_print(text, "%s{", name);
    metrics_text_label(text, "service", of->name);
}

// head_of_service writes the head of the metric by service that corresponds to id, and its name to
// out_name.
static void
head_of_service(metrics_format format, metrics_id id, lp_buf *text, char out_name[NAME_BYTES])
{
    const metrics_info *info = metrics_describe(id);
    LP_ASSERT(strncmp(info->name, "loupe_", sizeof("loupe_") - 1) == 0);
    (void)snprintf(out_name, NAME_BYTES, "loupe_service_%s", info->name + sizeof("loupe_") - 1);
    metrics_text_head(text, format, out_name, "counter", info->help);
}

static void
write_counters(const service_metrics *self, metrics_format format, lp_buf *text)
{
    static const metrics_id ids[COUNTERS] = {
#define LOUPE_CHUNK_METRIC(id, field) [COUNTER_##id] = METRICS_##id,
#include "collector/base/chunk_metrics.def"
#undef LOUPE_CHUNK_METRIC
    };
    for (size_t counter = 0; counter < COUNTERS; counter++) {
        char name[NAME_BYTES];
        head_of_service(format, ids[counter], text, name);
        for (size_t i = 0; i < self->services.count; i++) {
            const service *of = self->services.items[i];
            begin_sample(text, name, of);
            metrics_text_print(text, "} %" PRIu64 "\n", of->counters[counter]);
        }
    }
}

static void
write_dropped(const service_metrics *self, metrics_format format, lp_buf *text)
{
    static const metrics_id ids[] = {
        METRICS_events_dropped_WITHHELD, METRICS_contexts_dropped_WITHHELD};
    for (size_t what = 0; what < sizeof(ids) / sizeof(ids[0]); what++) {
        char name[NAME_BYTES];
        head_of_service(format, ids[what], text, name);
        for (size_t i = 0; i < self->services.count; i++) {
            const service *of = self->services.items[i];
            for (compact_reason by = 0; by < COMPACT_REASON_COUNT; by++) {
                begin_sample(text, name, of);
                metrics_text_print(text, ",by=\"%s\"} %" PRIu64 "\n", compact_reason_name(by),
                    of->dropped[what].by[by]);
            }
        }
    }
}

static void
write_reason(
    lp_buf *text, const char *metric, const service *of, const char *reason, uint64_t count)
{
    LP_ASSERT(reason[0] != '\0');
    begin_sample(text, metric, of);
    metrics_text_print(text, ",reason=\"%s\"} %" PRIu64 "\n", reason, count);
}

// write_reasons writes the requests kept and dropped by reason.
static void
write_reasons(const service_metrics *self, metrics_format format, lp_buf *text)
{
    char name[NAME_BYTES];
    head_of_service(format, METRICS_requests_kept_PARTS, text, name);
    for (size_t i = 0; i < self->services.count; i++) {
        const service *of = self->services.items[i];
        for (int by = 1; by < COMPACT_REQUEST_KEPT_COUNT; by++) {
            write_reason(text, name, of, compact_request_kept_name((compact_request_kept_by)by),
                of->reasons.kept[by]);
        }
    }
    head_of_service(format, METRICS_requests_dropped_BUDGET, text, name);
    for (size_t i = 0; i < self->services.count; i++) {
        const service *of = self->services.items[i];
        for (int by = 1; by < COMPACT_REQUEST_DROPPED_COUNT; by++) {
            write_reason(text, name, of,
                compact_request_dropped_name((compact_request_dropped_by)by),
                of->reasons.dropped[by]);
        }
    }
}

// A histogram that is written.
typedef struct written {
    rollup_unit unit;
    const service *of;
    const series *series;
} written;

static void
write_labels(const written *w, const char *suffix, lp_buf *text)
{
    LP_ASSERT(w->unit < ROLLUP_UNITS && w->series->type != NULL);
    metrics_text_print(text, "%s%s{", durations[w->unit].name, suffix);
    metrics_text_label(text, "service", w->of->name);
    metrics_text_print(text, ",");
    metrics_text_label(text, "type", w->series->type);
}

static void
write_exemplar(rollup_unit unit, const rollup_exemplar *kept, lp_buf *text)
{
    LP_ASSERT(kept->duration_ns >= 0);
    char id[ROLLUP_EXEMPLAR_ID_BYTES];
    rollup_exemplar_format(kept, id);
    metrics_text_print(text, " # {");
    if (kept->trace[0] != '\0') {
        metrics_text_label(text, "trace_id", kept->trace);
        metrics_text_print(text, ",");
    }
    metrics_text_label(text, "recording", kept->recording);
    metrics_text_print(text, ",");
    metrics_text_label(text, durations[unit].id_label, id);
    metrics_text_print(text, "} ");
    metrics_text_seconds(text, (uint64_t)kept->duration_ns);
    int64_t end_ns;
    if (kept->begin_wall_ns > 0 &&
        !__builtin_add_overflow(kept->begin_wall_ns, kept->duration_ns, &end_ns)) {
        metrics_text_print(text, " ");
        metrics_text_seconds(text, (uint64_t)end_ns);
    }
}

// sum_places adds the durations up in the buckets of the text.
static void
sum_places(const service_metrics_durations *lengths, uint64_t out_counts[BUCKETS])
{
    memset(out_counts, 0, BUCKETS * sizeof(*out_counts));
    out_counts[place_of(HISTOGRAM_ZERO)] = lengths->zero_count;
    for (int bucket = 0; bucket < HISTOGRAM_BUCKETS; bucket++) {
        out_counts[place_of(bucket)] += lengths->counts[bucket];
    }
}

static void
write_series(const written *w, metrics_format format, lp_buf *text)
{
    const series *s = w->series;
    uint64_t counts[BUCKETS];
    sum_places(&s->lengths, counts);
    uint64_t count = 0;
    for (size_t i = 0; i < BUCKETS; i++) {
        count += counts[i];
        write_labels(w, "_bucket", text);
        metrics_text_print(text, ",le=\"");
        if (i < BOUNDS) {
            metrics_text_seconds(text, (uint64_t)1 << (SERVICE_METRICS_LE_FIRST + i));
        } else {
            metrics_text_print(text, "+Inf");
        }
        metrics_text_print(text, "\"} %" PRIu64, count);
        if (format == METRICS_OPENMETRICS && s->exemplars[i].duration_ns >= 0) {
            write_exemplar(w->unit, &s->exemplars[i], text);
        }
        metrics_text_print(text, "\n");
    }
    write_labels(w, "_sum", text);
    metrics_text_print(text, "} ");
    metrics_text_seconds(text, s->lengths.sum_ns);
    metrics_text_print(text, "\n");
    write_labels(w, "_count", text);
    metrics_text_print(text, "} %" PRIu64 "\n", count);
}

// write_durations writes the histograms of a unit. It takes the lock for each service, since
// commits of chunks wait for the lock and the text may be long.
static void
write_durations(service_metrics *self, rollup_unit unit, metrics_format format, lp_buf *text)
{
    LP_ASSERT(unit < ROLLUP_UNITS);
    metrics_text_head(text, format, durations[unit].name, "histogram", durations[unit].help);
    bool has_more = true;
    for (size_t i = 0; has_more; i++) {
        (void)pthread_mutex_lock(&self->mutex);
        has_more = i < self->services.count;
        const service *of = has_more ? self->services.items[i] : NULL;
        for (size_t k = 0; has_more && k < of->series[unit].items.count; k++) {
            write_series(&(written){unit, of, of->series[unit].items.items[k]}, format, text);
        }
        (void)pthread_mutex_unlock(&self->mutex);
    }
}

void
service_metrics_write(service_metrics *self, metrics_format format, lp_buf *text)
{
    (void)pthread_mutex_lock(&self->mutex);
    write_counters(self, format, text);
    write_dropped(self, format, text);
    write_reasons(self, format, text);
    (void)pthread_mutex_unlock(&self->mutex);
    for (rollup_unit unit = 0; unit < ROLLUP_UNITS; unit++) {
        write_durations(self, unit, format, text);
    }
}

// --- Reading

void
service_metrics_each(service_metrics *self, const service_metrics_reader *reader)
{
    LP_ASSERT(reader->on_service != NULL && reader->on_requests != NULL);
    bool has_more = true;
    for (size_t i = 0; has_more; i++) {
        (void)pthread_mutex_lock(&self->mutex);
        has_more = i < self->services.count;
        const service *of = has_more ? self->services.items[i] : NULL;
        if (has_more) {
            reader->on_service(reader->arg, of->name, &of->reasons);
        }
        for (size_t k = 0; has_more && k < of->series[ROLLUP_REQUESTS].items.count; k++) {
            const series *each = of->series[ROLLUP_REQUESTS].items.items[k];
            reader->on_requests(reader->arg, each->type, &each->lengths);
        }
        (void)pthread_mutex_unlock(&self->mutex);
    }
}
