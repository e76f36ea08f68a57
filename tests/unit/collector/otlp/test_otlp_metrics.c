// SPDX-License-Identifier: Apache-2.0
// The metrics of requests as OTLP: each number of a small case, with buckets whose bounds are
// computed here from OpenTelemetry's definition; names that are not UTF-8; several services.

#include "otlp_metrics.pb-c.h"

#include "collector/otlp/otlp_metrics.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { START_NS = 1700000000, NOW_NS = 1700000030 };

static Loupe__Otlp__ExportMetricsServiceRequest *
encode(service_metrics *metrics)
{
    const otlp_metrics_about about = {
        .collector = "http://here:7412", .start_wall_ns = START_NS, .now_wall_ns = NOW_NS};
    lp_buf out = {0};
    assert_int_equal(otlp_metrics_encode(metrics, &about, &out), LP_OK);
    Loupe__Otlp__ExportMetricsServiceRequest *request =
        loupe__otlp__export_metrics_service_request__unpack(NULL, out.len, out.ptr);
    assert_non_null(request);
    lp_buf_fini(&out);
    return request;
}

static void
add(service_metrics *to, const char *service, const char *type_name, const int64_t *durations,
    size_t count)
{
    rollup sums;
    rollup_init(&sums);
    rollup_type *type = rollup_add_type_of(&sums, ROLLUP_REQUESTS, type_name);
    assert_non_null(type);
    for (size_t i = 0; i < count; i++) {
        histogram_add(&type->numbers.all, &sums.arena, durations[i]);
    }
    const compact_stats stats = {.request_reasons = {.kept[COMPACT_REQUEST_KEPT_SLOW] = 2,
                                     .dropped[COMPACT_REQUEST_DROPPED_BUDGET] = 3}};
    service_metrics_add(to, service, "r", &stats, &sums);
    rollup_fini(&sums);
}

static const Loupe__Otlp__Metric *
metric_of(const Loupe__Otlp__ResourceMetrics *of, const char *name)
{
    assert_int_equal(of->n_scope_metrics, 1);
    assert_string_equal(of->scope_metrics[0]->scope->name, "loupe");
    const Loupe__Otlp__Metric *found = NULL;
    for (size_t i = 0; i < of->scope_metrics[0]->n_metrics; i++) {
        if (strcmp(of->scope_metrics[0]->metrics[i]->name, name) == 0) {
            assert_null(found);
            found = of->scope_metrics[0]->metrics[i];
        }
    }
    return found;
}

static const char *
attribute(Loupe__Otlp__KeyValue *const *items, size_t count, const char *key)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(items[i]->key, key) == 0) {
            return items[i]->value->string_value;
        }
    }
    fail_msg("no %s", key);
    return NULL;
}

// assert_counted expects each duration in the bucket whose bounds have it.
static void
assert_counted(
    const Loupe__Otlp__ExponentialHistogramDataPoint *point, const int64_t *durations, size_t count)
{
    const Loupe__Otlp__Buckets *buckets = point->positive;
    double steps = exp2(point->scale); // of buckets for each power of two
    uint64_t zeros = 0;
    for (size_t b = 0; b < buckets->n_bucket_counts; b++) {
        double low = exp2((buckets->offset + (double)b) / steps);
        double high = exp2((buckets->offset + (double)b + 1) / steps);
        uint64_t here = 0;
        for (size_t i = 0; i < count; i++) {
            here += (double)durations[i] > low && (double)durations[i] <= high ? 1 : 0;
        }
        assert_int_equal(buckets->bucket_counts[b], here);
    }
    for (size_t i = 0; i < count; i++) {
        zeros += (double)durations[i] <= point->zero_threshold ? 1 : 0;
    }
    assert_int_equal(point->zero_count, zeros);
    assert_int_equal(point->count, count);
}

static void
test_requests_are_exponential_histograms(void **state)
{
    (void)state;
    // Those at a bound are powers of two, which doubles have exactly.
    static const int64_t durations[] = {
        0, 1, 2, 3, 1000, 1024, 1025, 1500000, 1500001, 999999999999};
    enum { COUNT = sizeof(durations) / sizeof(durations[0]) };
    service_metrics *metrics = service_metrics_create();
    add(metrics, "shop", "shop.Request", durations, COUNT);
    Loupe__Otlp__ExportMetricsServiceRequest *request = encode(metrics);
    assert_int_equal(request->n_resource_metrics, 1);
    const Loupe__Otlp__ResourceMetrics *of = request->resource_metrics[0];
    assert_string_equal(
        attribute(of->resource->attributes, of->resource->n_attributes, "service.name"), "shop");
    assert_string_equal(
        attribute(of->resource->attributes, of->resource->n_attributes, "service.instance.id"),
        "http://here:7412");
    const Loupe__Otlp__Metric *metric = metric_of(of, "loupe.request.duration");
    assert_string_equal(metric->unit, "ns");
    const Loupe__Otlp__ExponentialHistogram *data = metric->exponential_histogram;
    assert_int_equal(data->aggregation_temporality, 2);
    assert_int_equal(data->n_data_points, 1);
    const Loupe__Otlp__ExponentialHistogramDataPoint *point = data->data_points[0];
    assert_string_equal(
        attribute(point->attributes, point->n_attributes, "loupe.request.type"), "shop.Request");
    assert_int_equal(point->start_time_unix_nano, START_NS);
    assert_int_equal(point->time_unix_nano, NOW_NS);
    assert_int_equal(point->scale, 2);
    assert_true(
        point->sum == 0 + 1 + 2 + 3 + 1000 + 1024 + 1025 + 1500000 + 1500001 + 999999999999.);
    assert_counted(point, durations, COUNT);
    loupe__otlp__export_metrics_service_request__free_unpacked(request, NULL);
    service_metrics_destroy(metrics);
}

static void
test_sums_go_on_and_reasons_are_counted(void **state)
{
    (void)state;
    static const int64_t first[] = {5000}, second[] = {70000, 70000};
    service_metrics *metrics = service_metrics_create();
    add(metrics, "shop", "T", first, 1);
    add(metrics, "shop", "T", second, 2);
    add(metrics, "bank", "T", first, 1);
    Loupe__Otlp__ExportMetricsServiceRequest *request = encode(metrics);
    assert_int_equal(request->n_resource_metrics, 2);
    const Loupe__Otlp__ResourceMetrics *shop = request->resource_metrics[0];
    static const int64_t all[] = {5000, 70000, 70000};
    assert_counted(
        metric_of(shop, "loupe.request.duration")->exponential_histogram->data_points[0], all, 3);
    const Loupe__Otlp__Sum *kept = metric_of(shop, "loupe.requests.kept")->sum;
    assert_int_equal(kept->aggregation_temporality, 2);
    assert_true(kept->is_monotonic);
    assert_int_equal(kept->n_data_points, COMPACT_REQUEST_KEPT_COUNT - 1);
    for (size_t i = 0; i < kept->n_data_points; i++) {
        const Loupe__Otlp__NumberDataPoint *one = kept->data_points[i];
        bool is_slow =
            strcmp(attribute(one->attributes, one->n_attributes, "loupe.reason"), "slow") == 0;
        assert_int_equal(one->as_int, is_slow ? 4 : 0);
        assert_int_equal(one->start_time_unix_nano, START_NS);
    }
    const Loupe__Otlp__Sum *dropped = metric_of(shop, "loupe.requests.dropped")->sum;
    assert_int_equal(dropped->n_data_points, 2);
    assert_string_equal(
        attribute(dropped->data_points[0]->attributes, 1, "loupe.reason"), "budget");
    assert_int_equal(dropped->data_points[0]->as_int, 6);
    assert_int_equal(metric_of(request->resource_metrics[1], "loupe.requests.dropped")
                         ->sum->data_points[0]
                         ->as_int,
        3);
    loupe__otlp__export_metrics_service_request__free_unpacked(request, NULL);
    service_metrics_destroy(metrics);
}

static void
test_names_become_utf8_and_no_service_is_no_message(void **state)
{
    (void)state;
    service_metrics *metrics = service_metrics_create();
    const otlp_metrics_about about = {.collector = "c", .start_wall_ns = 1, .now_wall_ns = 2};
    lp_buf out = {0};
    assert_int_equal(otlp_metrics_encode(metrics, &about, &out), LP_OK);
    assert_int_equal(out.len, 0);
    add(metrics, "a\xff\xc3\xa4\xc3", "", NULL, 0);
    Loupe__Otlp__ExportMetricsServiceRequest *request = encode(metrics);
    const Loupe__Otlp__ResourceMetrics *of = request->resource_metrics[0];
    assert_string_equal(
        attribute(of->resource->attributes, of->resource->n_attributes, "service.name"),
        "a\xef\xbf\xbd\xc3\xa4\xef\xbf\xbd");
    loupe__otlp__export_metrics_service_request__free_unpacked(request, NULL);
    service_metrics_destroy(metrics);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_requests_are_exponential_histograms),
        cmocka_unit_test(test_sums_go_on_and_reasons_are_counted),
        cmocka_unit_test(test_names_become_utf8_and_no_service_is_no_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
