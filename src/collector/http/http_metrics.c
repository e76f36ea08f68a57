// SPDX-License-Identifier: Apache-2.0
#include "collector/http/http_metrics.h"

#include "collector/base/metrics.h"
#include "collector/http/http_reply.h"
#include "common/base/lp_buf.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { METRIC_BYTES_MAX = 1024 };

static void
append_lines(lp_buf *text, const char *lines, int len)
{
    lp_buf_append(text, lines, len < METRIC_BYTES_MAX ? (size_t)len : METRIC_BYTES_MAX - 1);
}

static bool
is_first_of_its_name(metrics_id id)
{
    return id == 0 || strcmp(metrics_describe(id)->name, metrics_describe(id - 1)->name) != 0;
}

static void
append_metric(lp_buf *text, metrics_id id)
{
    const metrics_info *info = metrics_describe(id);
    char lines[METRIC_BYTES_MAX];
    if (is_first_of_its_name(id)) {
        int len = snprintf(lines, sizeof(lines), "# HELP %s %s\n# TYPE %s %s\n", info->name,
            info->help, info->name, info->kind == METRICS_GAUGE ? "gauge" : "counter");
        append_lines(text, lines, len);
    }
    int len = snprintf(
        lines, sizeof(lines), "%s%s %" PRIu64 "\n", info->name, info->label, metrics_get(id));
    append_lines(text, lines, len);
}

enum MHD_Result
http_metrics_reply(struct MHD_Connection *connection)
{
    lp_buf text = {0};
    for (metrics_id id = 0; id < METRICS_COUNT; id++) {
        append_metric(&text, id);
    }
    struct MHD_Response *response = NULL;
    if (lp_buf_check(&text) == LP_OK) {
        response = MHD_create_response_from_buffer(text.len, text.ptr, MHD_RESPMEM_MUST_COPY);
    }
    lp_buf_fini(&text);
    const http_header headers[] = {
        {MHD_HTTP_HEADER_CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8"},
        {MHD_HTTP_HEADER_CACHE_CONTROL, "no-store"},
    };
    return http_reply_send(
        connection, MHD_HTTP_OK, response, headers, sizeof(headers) / sizeof(headers[0]));
}
