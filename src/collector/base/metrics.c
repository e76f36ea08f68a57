// SPDX-License-Identifier: Apache-2.0

#include "collector/base/metrics.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_ends_with.h"
#include "common/base/lp_utf8.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { PRINT_BYTES_MAX = 1024 };

#define NAME_COUNTER(id) "loupe_" #id "_total"
#define NAME_GAUGE(id)   "loupe_" #id

static const metrics_info infos[METRICS_COUNT] = {
#define LOUPE_METRIC(kind, id, help) [METRICS_##id] = {METRICS_##kind, NAME_##kind(id), "", help},
#define LOUPE_METRIC_OF(kind, family, id, label, help)                                             \
    [METRICS_##family##_##id] = {METRICS_##kind, NAME_##kind(family), label, help},
#include "collector/base/collector_metrics.def"
#undef LOUPE_METRIC
#undef LOUPE_METRIC_OF
};

// Relaxed everywhere: a metric orders nothing.
static _Atomic uint64_t values[METRICS_COUNT];

const metrics_info *
metrics_describe(metrics_id id)
{
    LP_ASSERT(id < METRICS_COUNT);
    return &infos[id];
}

void
metrics_add(metrics_id id, uint64_t amount)
{
    LP_ASSERT(id < METRICS_COUNT);
    atomic_fetch_add_explicit(&values[id], amount, memory_order_relaxed);
}

void
metrics_sub(metrics_id id, uint64_t amount)
{
    LP_ASSERT(id < METRICS_COUNT);
    atomic_fetch_sub_explicit(&values[id], amount, memory_order_relaxed);
}

uint64_t
metrics_get(metrics_id id)
{
    LP_ASSERT(id < METRICS_COUNT);
    return atomic_load_explicit(&values[id], memory_order_relaxed);
}

// --- Text

static void
append(lp_buf *text, const char *bytes)
{
    lp_buf_append(text, bytes, strlen(bytes));
}

void
metrics_text_print(lp_buf *text, const char *format, ...)
{
    char bytes[PRINT_BYTES_MAX];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(bytes, sizeof(bytes), format, args);
    va_end(args);
    append(text, bytes);
}

void
metrics_text_head(
    lp_buf *text, metrics_format format, const char *name, const char *type, const char *help)
{
    if (format == METRICS_PROMETHEUS) {
        metrics_text_print(text, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
        return;
    }
    static const char suffix[] = "_total"; // of the samples of a counter, not of its name
    size_t len = strlen(name);
    LP_ASSERT(len > 0);
    if (strcmp(type, "counter") == 0) {
        LP_ASSERT(len >= sizeof(suffix) && lp_ends_with(name, len, suffix));
        len -= sizeof(suffix) - 1;
    }
    metrics_text_print(
        text, "# TYPE %.*s %s\n# HELP %.*s %s\n", (int)len, name, type, (int)len, name, help);
}

void
metrics_text_label(lp_buf *text, const char *name, const char *value)
{
    append(text, name);
    append(text, "=\"");
    lp_slice rest = {(const uint8_t *)value, strlen(value)};
    while (rest.len > 0) {
        size_t count = lp_utf8_measure(rest);
        LP_ASSERT(count <= rest.len);
        char first = (char)rest.ptr[0];
        if (count == 0) {
            append(text, "?");
        } else if (first == '\n') {
            append(text, "\\n");
        } else {
            if (first == '"' || first == '\\') {
                append(text, "\\");
            }
            lp_buf_append(text, rest.ptr, count);
        }
        count = count == 0 ? 1 : count;
        rest = (lp_slice){rest.ptr + count, rest.len - count};
    }
    append(text, "\"");
}

void
metrics_text_seconds(lp_buf *text, uint64_t ns)
{
    char digits[40];
    int len = snprintf(
        digits, sizeof(digits), "%" PRIu64 ".%09" PRIu64, ns / 1000000000, ns % 1000000000);
    LP_ASSERT(len > 2 && (size_t)len < sizeof(digits));
    while (digits[len - 1] == '0' && digits[len - 2] != '.') {
        digits[--len] = '\0';
    }
    append(text, digits);
}

void
metrics_text_end(lp_buf *text, metrics_format format)
{
    if (format == METRICS_OPENMETRICS) {
        append(text, "# EOF\n");
    }
}
