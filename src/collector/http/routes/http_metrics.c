// SPDX-License-Identifier: Apache-2.0
// http_metrics: the metrics in the text format of Prometheus, or of OpenMetrics if Accept prefers
// it.
//
// Tests:   tests/unit/collector/http/test_http.c

#include "collector/base/metrics.h"
#include "collector/http/routes/http_call.h"
#include "collector/http/wire/http_accept.h"
#include "collector/http/wire/http_connection.h"
#include "collector/http/wire/http_reply.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_buf.h"

#include <inttypes.h>
#include <string.h>

static void
append_metric(lp_buf *text, metrics_format format, metrics_id id)
{
    LP_ASSERT(id < METRICS_COUNT);
    const metrics_info *info = metrics_describe(id);
    if (id == 0 ||
        strcmp(info->name, metrics_describe(id - 1)->name) != 0) { // the first of its name
        metrics_text_head(text, format, info->name,
            info->kind == METRICS_GAUGE ? "gauge" : "counter", info->help);
    }
    metrics_text_print(text, "%s%s %" PRIu64 "\n", info->name, info->label, metrics_get(id));
}

enum MHD_Result
http_metrics_reply(http_call *call)
{
    http_call_check(call, HTTP_NEED_NOTHING);
    static const char *const types[] = {
        [METRICS_PROMETHEUS] = "text/plain; version=0.0.4; charset=utf-8",
        [METRICS_OPENMETRICS] = "application/openmetrics-text; version=1.0.0; charset=utf-8",
    };
    const char *accept = http_connection_get_header(call->connection, MHD_HTTP_HEADER_ACCEPT);
    metrics_format format =
        http_accept_prefers(accept, "application/openmetrics-text", "text/plain")
            ? METRICS_OPENMETRICS
            : METRICS_PROMETHEUS;
    lp_buf text = {0};
    for (metrics_id id = 0; id < METRICS_COUNT; id++) {
        append_metric(&text, format, id);
    }
    if (call->shared->config.services != NULL) {
        service_metrics_write(call->shared->config.services, format, &text);
    }
    metrics_text_end(&text, format);
    struct MHD_Response *response = NULL;
    if (lp_buf_check(&text) == LP_OK) {
        response = MHD_create_response_from_buffer(text.len, text.ptr, MHD_RESPMEM_MUST_COPY);
    }
    lp_buf_fini(&text);
    const http_header headers[] = {
        {MHD_HTTP_HEADER_CONTENT_TYPE, types[format]},
        {MHD_HTTP_HEADER_VARY, MHD_HTTP_HEADER_ACCEPT},
        {MHD_HTTP_HEADER_CACHE_CONTROL, "no-store"},
    };
    return http_reply_send(
        call->connection, MHD_HTTP_OK, response, headers, sizeof(headers) / sizeof(headers[0]));
}
