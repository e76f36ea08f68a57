// SPDX-License-Identifier: Apache-2.0
#include "collector/http/http_metrics.h"

#include "collector/http/http_reply.h"
#include "collector/metrics.h"
#include "common/base/lp_buf.h"

#include <inttypes.h>
#include <stdio.h>

enum { METRIC_BYTES_MAX = 1024 };

static void
append_metric(lp_buf *text, metrics_id id)
{
    const metrics_info *info = metrics_describe(id);
    char lines[METRIC_BYTES_MAX];
    int len = snprintf(lines, sizeof(lines), "# HELP %s %s\n# TYPE %s %s\n%s %" PRIu64 "\n",
        info->name, info->help, info->name, info->kind == METRICS_GAUGE ? "gauge" : "counter",
        info->name, metrics_get(id));
    lp_buf_append(text, lines, (size_t)len < sizeof(lines) ? (size_t)len : sizeof(lines) - 1);
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
