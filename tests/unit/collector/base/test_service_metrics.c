// SPDX-License-Identifier: Apache-2.0
// The metrics by service, in both formats: every line of a small case by hand; which bucket a
// duration is in; names that need escapes; and limits, beyond which is counted what is left out.

#include "collector/base/metrics.h"
#include "collector/base/service_metrics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void
add_duration(rollup *to, const char *type_name, int64_t duration_ns)
{
    rollup_type *type = rollup_add_type(to, type_name);
    assert_non_null(type);
    histogram_add(&type->numbers.all, &to->arena, duration_ns);
}

static void
add_exemplar(rollup *to, const char *type_name, int64_t duration_ns, const char *trace)
{
    rollup_exemplar kept = {.duration_ns = duration_ns,
        .begin_wall_ns = 1700000000000000000,
        .ref = {.begin = 0x6f1a, .hash = 0x9f86d081}};
    (void)snprintf(kept.trace, sizeof(kept.trace), "%s", trace);
    rollup_type *type = rollup_add_type(to, type_name);
    assert_non_null(type);
    rollup_add_exemplar(to, type, &kept);
}

static char *
text_of(service_metrics *metrics, metrics_format format)
{
    lp_buf text = {0};
    service_metrics_write(metrics, format, &text);
    metrics_text_end(&text, format);
    lp_buf_append(&text, "", 1);
    assert_int_equal(lp_buf_check(&text), LP_OK);
    return (char *)text.ptr;
}

// assert_lines expects these lines to follow one another in text.
static void
assert_lines(const char *text, const char *lines)
{
    if (strstr(text, lines) == NULL) {
        fail_msg("no\n%s\nin\n%s", lines, text);
    }
}

static void
test_a_chunk_is_counted_by_service(void **state)
{
    (void)state;
    service_metrics *metrics = service_metrics_create();
    assert_non_null(metrics);
    compact_stats stats = {.events_in = 10, .events_out = 4, .bytes_in = 300, .contexts_lost = 2};
    stats.events_dropped.by[COMPACT_BY_SELECT] = 6;
    stats.contexts_dropped.by[COMPACT_BY_ENABLED] = 1;
    service_metrics_add(metrics, "shop", "r", &stats, NULL);
    service_metrics_add(metrics, "bank", "r", &stats, NULL);
    service_metrics_add(metrics, "shop", "s", &stats, NULL);
    char *text = text_of(metrics, METRICS_PROMETHEUS);
    assert_lines(text,
        "# HELP loupe_service_events_in_total Events in compacted chunks before elimination.\n"
        "# TYPE loupe_service_events_in_total counter\n"
        "loupe_service_events_in_total{service=\"shop\"} 20\n"
        "loupe_service_events_in_total{service=\"bank\"} 10\n"
        "# HELP loupe_service_events_out_total ");
    assert_lines(text, "\nloupe_service_compact_in_bytes_total{service=\"shop\"} 600\n");
    assert_lines(text, "\nloupe_service_contexts_lost_total{service=\"bank\"} 2\n");
    assert_lines(text, "\nloupe_service_events_dropped_total{service=\"shop\",by=\"select\"} 12\n");
    assert_lines(
        text, "\nloupe_service_contexts_dropped_total{service=\"bank\",by=\"enabled\"} 1\n");
    assert_null(strstr(text, "# EOF"));
    free(text);
    text = text_of(metrics, METRICS_OPENMETRICS);
    assert_lines(text, "# TYPE loupe_service_events_in counter\n"
                       "# HELP loupe_service_events_in Events in compacted chunks before "
                       "elimination.\n"
                       "loupe_service_events_in_total{service=\"shop\"} 20\n");
    assert_string_equal(text + strlen(text) - 6, "# EOF\n");
    free(text);
    service_metrics_destroy(metrics);
}

#define BUCKET(le, count)                                                                          \
    "loupe_context_duration_seconds_bucket{service=\"s\",type=\"T\",le=\"" le "\"} " count

static void
test_durations_are_in_their_buckets_and_kept_ones_are_exemplars(void **state)
{
    (void)state;
    service_metrics *metrics = service_metrics_create();
    rollup contexts;
    rollup_init(&contexts);
    static const int64_t durations[] = {0, 1, 65536, // le 0.000065536
        65537, 131072,                               // le 0.000131072
        131073,                                      // le 0.000262144
        34359738368,                                 // le 34.359738368
        34359738369, INT64_MAX / 2};                 // beyond
    for (size_t i = 0; i < sizeof(durations) / sizeof(durations[0]); i++) {
        add_duration(&contexts, "T", durations[i]);
    }
    add_exemplar(&contexts, "T", 65530, "");
    add_exemplar(&contexts, "T", 70000, "4bf92f3577b34da6a3ce929d0e0e4736");
    add_exemplar(&contexts, "T", 131072, "longest of its bucket");
    const compact_stats stats = {0};
    const char *recording = "3f6c1f0a9b7e4d2c8a5b6c7d8e9f0a1b";
    service_metrics_add(metrics, "s", recording, &stats, &contexts);
    rollup_fini(&contexts);

    char *text = text_of(metrics, METRICS_PROMETHEUS);
    assert_lines(text,
        "# TYPE loupe_context_duration_seconds histogram\n" BUCKET("0.000065536", "3\n")
            BUCKET("0.000131072", "5\n") BUCKET("0.000262144", "6\n") BUCKET("0.000524288", "6\n"));
    assert_lines(text,
        BUCKET("34.359738368", "7\n") BUCKET(
            "+Inf", "9\n") "loupe_context_duration_seconds_sum{service=\"s\",type=\"T\"} "
                           "4611686087.147257859\n"
                           "loupe_context_duration_seconds_count{service=\"s\",type=\"T\"} 9\n");
    assert_null(strstr(text, " # {"));
    free(text);
    text = text_of(metrics, METRICS_OPENMETRICS);
    assert_lines(text,
        BUCKET("0.000065536", "3 # {recording=\"3f6c1f0a9b7e4d2c8a5b6c7d8e9f0a1b\","
                              "context_id=\"6f1a-9f86d081\"} 0.00006553 1700000000.00006553\n")
            BUCKET("0.000131072", "5 # {trace_id=\"longest of its bucket\",recording="
                                  "\"3f6c1f0a9b7e4d2c8a5b6c7d8e9f0a1b\",context_id="
                                  "\"6f1a-9f86d081\"} 0.000131072 1700000000.000131072\n")
                BUCKET("0.000262144", "6\n"));
    free(text);
    service_metrics_destroy(metrics);
}

static void
test_requests_have_a_histogram_of_their_own(void **state)
{
    (void)state;
    service_metrics *metrics = service_metrics_create();
    rollup sums;
    rollup_init(&sums);
    add_duration(&sums, "T", 1);
    rollup_type *type = rollup_add_type_of(&sums, ROLLUP_REQUESTS, "T");
    histogram_add(&type->numbers.all, &sums.arena, 65537);
    histogram_add(&type->numbers.all, &sums.arena, 40000000000);
    const rollup_exemplar kept = {
        .duration_ns = 65537, .begin_wall_ns = 1700000000000000000, .request = 0x6f1a51};
    rollup_add_exemplar(&sums, type, &kept);
    const compact_stats stats = {.requests_in = 3,
        .requests_out = 2,
        .request_reasons = {.kept[COMPACT_REQUEST_KEPT_PARTS] = 8,
            .kept[COMPACT_REQUEST_KEPT_CONDITION] = 7,
            .dropped[COMPACT_REQUEST_DROPPED_BUDGET] = 6},
        .request_losses = {.roots_without_end = 4, .over_limit = 5}};
    service_metrics_add(metrics, "s", "r", &stats, &sums);
    rollup_fini(&sums);

    char *text = text_of(metrics, METRICS_OPENMETRICS);
    assert_lines(text, "\nloupe_service_requests_in_total{service=\"s\"} 3\n");
    assert_lines(text, "\nloupe_service_requests_out_total{service=\"s\"} 2\n");
    assert_lines(text, "\nloupe_service_request_roots_without_end_total{service=\"s\"} 4\n");
    assert_lines(text, "\nloupe_service_requests_over_limit_total{service=\"s\"} 5\n");
    assert_lines(text, "\nloupe_service_requests_kept_total{service=\"s\",reason=\"parts\"} 8\n"
                       "loupe_service_requests_kept_total{service=\"s\",reason=\"open\"} 0\n");
    assert_lines(text, "\nloupe_service_requests_kept_total{service=\"s\",reason=\"condition\"} 7\n"
                       "# TYPE loupe_service_requests_dropped counter\n");
    assert_lines(text, "\nloupe_service_requests_dropped_total{service=\"s\",reason=\"budget\"} 6\n"
                       "loupe_service_requests_dropped_total{service=\"s\",reason=\"drop\"} 0\n");
    assert_lines(text, "loupe_context_duration_seconds_count{service=\"s\",type=\"T\"} 1\n"
                       "# TYPE loupe_request_duration_seconds histogram\n");
    assert_lines(text,
        "loupe_request_duration_seconds_bucket{service=\"s\",type=\"T\",le=\"0.000065536\"} 0\n"
        "loupe_request_duration_seconds_bucket{service=\"s\",type=\"T\",le=\"0.000131072\"} 1"
        " # {recording=\"r\",request_id=\"00000000006f1a51\"} 0.000065537 1700000000.000065537\n");
    assert_lines(text,
        "loupe_request_duration_seconds_bucket{service=\"s\",type=\"T\",le=\"+Inf\"} 2\n"
        "loupe_request_duration_seconds_sum{service=\"s\",type=\"T\"} 40.000065537\n"
        "loupe_request_duration_seconds_count{service=\"s\",type=\"T\"} 2\n");
    free(text);
    service_metrics_destroy(metrics);
}

static void
test_names_may_be_anything(void **state)
{
    (void)state;
    service_metrics *metrics = service_metrics_create();
    const compact_stats stats = {0};
    service_metrics_add(metrics, "a\"b\\c\nd\xff\xc3\xa4", "r", &stats, NULL);
    char *text = text_of(metrics, METRICS_PROMETHEUS);
    assert_lines(text, "loupe_service_events_in_total{service=\"a\\\"b\\\\c\\nd?\xc3\xa4\"} 0\n");
    free(text);
    service_metrics_destroy(metrics);
}

static size_t
count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++) {
        count++;
    }
    return count;
}

static void
test_what_is_beyond_the_limits_is_counted(void **state)
{
    (void)state;
    enum { TYPES = 5, CHUNKS = SERVICE_METRICS_SERVICES_MAX + 3 };
    service_metrics *metrics = service_metrics_create();
    uint64_t contexts_before = metrics_get(METRICS_context_durations_left_out);
    uint64_t requests_before = metrics_get(METRICS_request_durations_left_out);
    uint64_t chunks_before = metrics_get(METRICS_service_metrics_left_out);
    for (int i = 0; i < CHUNKS; i++) {
        rollup contexts;
        rollup_init(&contexts);
        contexts.contexts_left_out = 1;
        contexts.requests_left_out = 2;
        for (int k = 0; k < TYPES; k++) {
            char type[16];
            (void)snprintf(type, sizeof(type), "T%d", k);
            add_duration(&contexts, type, 5);
        }
        char service[16];
        (void)snprintf(service, sizeof(service), "s%d", i);
        const compact_stats stats = {.events_in = 1};
        service_metrics_add(metrics, service, "r", &stats, &contexts);
        rollup_fini(&contexts);
    }
    char *text = text_of(metrics, METRICS_PROMETHEUS);
    assert_int_equal(
        count_of(text, "\nloupe_service_events_in_total{"), SERVICE_METRICS_SERVICES_MAX);
    assert_int_equal(
        count_of(text, "\nloupe_context_duration_seconds_count{"), SERVICE_METRICS_SERIES_MAX);
    assert_int_equal(metrics_get(METRICS_service_metrics_left_out) - chunks_before, 3);
    assert_int_equal(metrics_get(METRICS_context_durations_left_out) - contexts_before,
        CHUNKS + CHUNKS * TYPES - SERVICE_METRICS_SERIES_MAX);
    assert_int_equal(metrics_get(METRICS_request_durations_left_out) - requests_before, 2 * CHUNKS);
    free(text);
    service_metrics_destroy(metrics);
}

static void
test_a_sum_of_absurd_durations_does_not_go_back(void **state)
{
    (void)state;
    service_metrics *metrics = service_metrics_create();
    assert_non_null(metrics);
    rollup contexts;
    rollup_init(&contexts);
    add_duration(&contexts, "Far", INT64_MAX);
    add_duration(&contexts, "Far", INT64_MAX);
    service_metrics_add(metrics, "shop", "r", &(compact_stats){0}, &contexts);
    service_metrics_add(metrics, "shop", "r", &(compact_stats){0}, &contexts);
    char *text = text_of(metrics, METRICS_PROMETHEUS);
    assert_lines(text, "\nloupe_context_duration_seconds_sum{service=\"shop\",type=\"Far\"} "
                       "18446744073.709551615\n");
    free(text);
    rollup_fini(&contexts);
    service_metrics_destroy(metrics);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_chunk_is_counted_by_service),
        cmocka_unit_test(test_durations_are_in_their_buckets_and_kept_ones_are_exemplars),
        cmocka_unit_test(test_requests_have_a_histogram_of_their_own),
        cmocka_unit_test(test_names_may_be_anything),
        cmocka_unit_test(test_what_is_beyond_the_limits_is_counted),
        cmocka_unit_test(test_a_sum_of_absurd_durations_does_not_go_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
