// SPDX-License-Identifier: Apache-2.0

#include "collector/base/metrics_text.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_utf8.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PRINT_BYTES_MAX = 1024 };

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
        LP_ASSERT(len >= sizeof(suffix) && strcmp(name + len - (sizeof(suffix) - 1), suffix) == 0);
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
