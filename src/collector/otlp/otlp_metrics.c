// SPDX-License-Identifier: Apache-2.0

#include "collector/otlp/otlp_metrics.h"

#include "otlp_metrics.pb-c.h"

#include "common/base/lp_arena.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_proto.h"
#include "common/base/lp_utf8.h"
#include "common/rollup/histogram.h"

#include <string.h>

enum { METRICS_OF_SERVICE = 3 }; // kept, dropped, durations

static const Loupe__Otlp__AggregationTemporality CUMULATIVE =
    LOUPE__OTLP__AGGREGATION_TEMPORALITY__AGGREGATION_TEMPORALITY_CUMULATIVE;

// A repeated field of protobuf-c is a count and pointers.
typedef LP_VEC(Loupe__Otlp__ExponentialHistogramDataPoint *) duration_points;

typedef struct service_points {
    const char *name;
    compact_request_reasons reasons;
    duration_points durations;
} service_points;

typedef struct encoding {
    const otlp_metrics_about *about;
    lp_arena arena; // has everything
    LP_VEC(service_points) services;
} encoding;

// --- Parts of messages. NULL only if memory ran out

// NEW makes a message of a type, with its defaults.
#define NEW(of, type, init)                                                                        \
    ({                                                                                             \
        type *made_ = LP_ARENA_NEW(&(of)->arena, type);                                            \
        if (made_ != NULL) {                                                                       \
            *made_ = (type)init;                                                                   \
        }                                                                                          \
        made_;                                                                                     \
    })

// text_of copies a name, as UTF-8.
static char *
text_of(encoding *of, const char *name)
{
    static const char replacement[] = "\xef\xbf\xbd";
    size_t length = strlen(name);
    char *text = LP_ARENA_ARRAY(&of->arena, char, length *(sizeof(replacement) - 1) + 1);
    LP_REQUIRE(text != NULL, (char *)(uintptr_t) "");
    char *to = text;
    for (lp_slice left = {(const uint8_t *)name, length}; left.len > 0;) {
        size_t measure = lp_utf8_measure(left);
        size_t taken = measure == 0 ? 1 : measure;
        size_t written = measure == 0 ? sizeof(replacement) - 1 : measure;
        memcpy(to, measure == 0 ? replacement : (const char *)left.ptr, written);
        to += written;
        left = (lp_slice){left.ptr + taken, left.len - taken};
    }
    LP_ASSERT((size_t)(to - text) <= length * (sizeof(replacement) - 1));
    return text; // the arena's arrays are zeroed
}

static Loupe__Otlp__KeyValue *
attribute_of(encoding *of, const char *key, const char *value)
{
    Loupe__Otlp__KeyValue *made = NEW(of, Loupe__Otlp__KeyValue, LOUPE__OTLP__KEY_VALUE__INIT);
    Loupe__Otlp__AnyValue *any = NEW(of, Loupe__Otlp__AnyValue, LOUPE__OTLP__ANY_VALUE__INIT);
    LP_REQUIRE(made != NULL && any != NULL, NULL);
    any->value_case = LOUPE__OTLP__ANY_VALUE__VALUE_STRING_VALUE;
    any->string_value = text_of(of, value);
    made->key = (char *)(uintptr_t)key;
    made->value = any;
    return made;
}

// --- Collecting

static void
on_service(void *arg, const char *name, const compact_request_reasons *reasons)
{
    encoding *of = arg;
    const service_points added = {.name = text_of(of, name), .reasons = *reasons};
    LP_ARENA_PUSH(&of->arena, &of->services, added);
}

// set_buckets copies the buckets between the first and the last that are used.
static void
set_buckets(encoding *of, Loupe__Otlp__ExponentialHistogramDataPoint *point,
    const service_metrics_durations *durations)
{
    size_t first = 0;
    size_t end = HISTOGRAM_BUCKETS;
    while (first < end && durations->counts[first] == 0) {
        first++;
    }
    while (end > first && durations->counts[end - 1] == 0) {
        end--;
    }
    LP_ASSERT(first <= end && end <= HISTOGRAM_BUCKETS);
    Loupe__Otlp__Buckets *made = NEW(of, Loupe__Otlp__Buckets, LOUPE__OTLP__BUCKETS__INIT);
    uint64_t *counts = LP_ARENA_ARRAY(&of->arena, uint64_t, end - first);
    if (made == NULL || counts == NULL) {
        return;
    }
    memcpy(counts, durations->counts + first, (end - first) * sizeof(*counts));
    made->offset = (int32_t)first;
    made->bucket_counts = counts;
    made->n_bucket_counts = end - first;
    point->positive = made;
}

static uint64_t
count_all(const service_metrics_durations *durations)
{
    uint64_t count = durations->zero_count;
    for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
        count += durations->counts[i];
    }
    return count;
}

// set_attribute gives a data point one attribute.
static void
set_attribute(encoding *of, const char *key, const char *value, size_t *out_count,
    Loupe__Otlp__KeyValue ***out_items)
{
    LP_ASSERT(*out_count == 0 && *out_items == NULL);
    Loupe__Otlp__KeyValue **items = LP_ARENA_NEW(&of->arena, Loupe__Otlp__KeyValue *);
    if (items != NULL) {
        items[0] = attribute_of(of, key, value);
        *out_items = items;
        *out_count = 1;
    }
}

static void
on_requests(void *arg, const char *type, const service_metrics_durations *durations)
{
    encoding *of = arg;
    Loupe__Otlp__ExponentialHistogramDataPoint *point =
        NEW(of, Loupe__Otlp__ExponentialHistogramDataPoint,
            LOUPE__OTLP__EXPONENTIAL_HISTOGRAM_DATA_POINT__INIT);
    if (point == NULL || of->services.count == 0) {
        return;
    }
    set_attribute(of, "loupe.request.type", type, &point->n_attributes, &point->attributes);
    set_buckets(of, point, durations);
    point->start_time_unix_nano = (uint64_t)of->about->start_wall_ns;
    point->time_unix_nano = (uint64_t)of->about->now_wall_ns;
    point->count = count_all(durations);
    point->presence_case = LOUPE__OTLP__EXPONENTIAL_HISTOGRAM_DATA_POINT__PRESENCE_SUM;
    point->sum = (double)durations->sum_ns;
    point->scale = HISTOGRAM_SCALE;
    point->zero_count = durations->zero_count;
    point->zero_threshold = 1;
    LP_ARENA_PUSH(&of->arena, &of->services.items[of->services.count - 1].durations, point);
}

// --- Metrics of a service

static Loupe__Otlp__Metric *
durations_of(encoding *of, const service_points *from)
{
    Loupe__Otlp__Metric *made = NEW(of, Loupe__Otlp__Metric, LOUPE__OTLP__METRIC__INIT);
    Loupe__Otlp__ExponentialHistogram *data =
        NEW(of, Loupe__Otlp__ExponentialHistogram, LOUPE__OTLP__EXPONENTIAL_HISTOGRAM__INIT);
    LP_REQUIRE(made != NULL && data != NULL, NULL);
    data->aggregation_temporality = CUMULATIVE;
    data->data_points = from->durations.items;
    data->n_data_points = from->durations.count;
    made->name = (char *)(uintptr_t) "loupe.request.duration";
    made->description = (char *)(uintptr_t) "Durations of requests, kept or not.";
    made->unit = (char *)(uintptr_t) "ns";
    made->data_case = LOUPE__OTLP__METRIC__DATA_EXPONENTIAL_HISTOGRAM;
    made->exponential_histogram = data;
    return made;
}

static Loupe__Otlp__NumberDataPoint *
number_of(encoding *of, const char *reason, uint64_t count)
{
    Loupe__Otlp__NumberDataPoint *made =
        NEW(of, Loupe__Otlp__NumberDataPoint, LOUPE__OTLP__NUMBER_DATA_POINT__INIT);
    LP_ASSERT(reason[0] != '\0');
    LP_REQUIRE(made != NULL, NULL);
    set_attribute(of, "loupe.reason", reason, &made->n_attributes, &made->attributes);
    made->start_time_unix_nano = (uint64_t)of->about->start_wall_ns;
    made->time_unix_nano = (uint64_t)of->about->now_wall_ns;
    made->value_case = LOUPE__OTLP__NUMBER_DATA_POINT__VALUE_AS_INT;
    made->as_int = count > INT64_MAX ? INT64_MAX : (int64_t)count;
    return made;
}

// sum_of makes a sum of count data points, which the caller sets.
static Loupe__Otlp__Metric *
sum_of(encoding *of, const char *name, const char *description, size_t count)
{
    LP_ASSERT(count > 0);
    Loupe__Otlp__Metric *made = NEW(of, Loupe__Otlp__Metric, LOUPE__OTLP__METRIC__INIT);
    Loupe__Otlp__Sum *data = NEW(of, Loupe__Otlp__Sum, LOUPE__OTLP__SUM__INIT);
    Loupe__Otlp__NumberDataPoint **points =
        LP_ARENA_ARRAY(&of->arena, Loupe__Otlp__NumberDataPoint *, count);
    LP_REQUIRE(made != NULL && data != NULL && points != NULL, NULL);
    data->data_points = points;
    data->n_data_points = count;
    data->aggregation_temporality = CUMULATIVE;
    data->is_monotonic = true;
    made->name = (char *)(uintptr_t)name;
    made->description = (char *)(uintptr_t)description;
    made->unit = (char *)(uintptr_t) "{request}";
    made->data_case = LOUPE__OTLP__METRIC__DATA_SUM;
    made->sum = data;
    return made;
}

static Loupe__Otlp__Metric *
kept_of(encoding *of, const service_points *from)
{
    Loupe__Otlp__Metric *made = sum_of(
        of, "loupe.requests.kept", "Requests that were kept.", COMPACT_REQUEST_KEPT_COUNT - 1);
    for (int by = 1; made != NULL && by < COMPACT_REQUEST_KEPT_COUNT; by++) {
        made->sum->data_points[by - 1] = number_of(
            of, compact_request_kept_name((compact_request_kept_by)by), from->reasons.kept[by]);
    }
    return made;
}

static Loupe__Otlp__Metric *
dropped_of(encoding *of, const service_points *from)
{
    Loupe__Otlp__Metric *made = sum_of(of, "loupe.requests.dropped",
        "Requests that the budget or the setting drop dropped.", COMPACT_REQUEST_DROPPED_COUNT - 1);
    for (int by = 1; made != NULL && by < COMPACT_REQUEST_DROPPED_COUNT; by++) {
        made->sum->data_points[by - 1] =
            number_of(of, compact_request_dropped_name((compact_request_dropped_by)by),
                from->reasons.dropped[by]);
    }
    return made;
}

// --- The message

// pack_service appends a message with one service: messages that follow one another are one.
static lp_err
pack_service(encoding *of, const service_points *from, lp_buf *out)
{
    Loupe__Otlp__KeyValue *attributes[] = {attribute_of(of, "service.name", from->name),
        attribute_of(of, "service.instance.id", of->about->collector),
        attribute_of(of, "loupe.collector", of->about->collector)};
    Loupe__Otlp__Metric *metrics[METRICS_OF_SERVICE] = {kept_of(of, from), dropped_of(of, from)};
    size_t count = 2;
    if (from->durations.count > 0) {
        metrics[count++] = durations_of(of, from);
    }
    LP_ASSERT(count <= METRICS_OF_SERVICE);
    LP_TRY(lp_arena_err(&of->arena));
    Loupe__Otlp__Resource resource = LOUPE__OTLP__RESOURCE__INIT;
    resource.attributes = attributes;
    resource.n_attributes = LP_COUNT(attributes);
    Loupe__Otlp__InstrumentationScope scope = LOUPE__OTLP__INSTRUMENTATION_SCOPE__INIT;
    scope.name = (char *)(uintptr_t) "loupe";
    scope.version = (char *)(uintptr_t)LOUPE_VERSION;
    Loupe__Otlp__ScopeMetrics of_scope = LOUPE__OTLP__SCOPE_METRICS__INIT;
    of_scope.scope = &scope;
    of_scope.metrics = metrics;
    of_scope.n_metrics = count;
    Loupe__Otlp__ResourceMetrics of_resource = LOUPE__OTLP__RESOURCE_METRICS__INIT;
    of_resource.resource = &resource;
    of_resource.scope_metrics = &(Loupe__Otlp__ScopeMetrics *){&of_scope};
    of_resource.n_scope_metrics = 1;
    Loupe__Otlp__ExportMetricsServiceRequest request =
        LOUPE__OTLP__EXPORT_METRICS_SERVICE_REQUEST__INIT;
    request.resource_metrics = &(Loupe__Otlp__ResourceMetrics *){&of_resource};
    request.n_resource_metrics = 1;
    return lp_proto_append(&request.base, out);
}

lp_err
otlp_metrics_encode(service_metrics *metrics, const otlp_metrics_about *about, lp_buf *out)
{
    LP_ASSERT(about->collector != NULL && about->now_wall_ns >= about->start_wall_ns);
    encoding of = {.about = about};
    const service_metrics_reader reader = {
        .on_service = on_service, .on_requests = on_requests, .arg = &of};
    service_metrics_each(metrics, &reader);
    lp_err err = lp_arena_err(&of.arena);
    for (size_t i = 0; i < of.services.count && err == LP_OK; i++) {
        err = pack_service(&of, &of.services.items[i], out);
    }
    lp_arena_fini(&of.arena);
    return err;
}
