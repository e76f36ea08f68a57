// SPDX-License-Identifier: Apache-2.0
// http_metrics: GET /metrics, in the text format of Prometheus, or in that of OpenMetrics where the
// client's Accept prefers it.
//
// Threads: the thread that handles the connection.
// Tests:   tests/unit/collector/http/test_http.c

#ifndef LP_COLLECTOR_HTTP_HTTP_METRICS_H
#define LP_COLLECTOR_HTTP_HTTP_METRICS_H

#include "collector/base/service_metrics.h"

#include <microhttpd.h>

// http_metrics_reply answers with all metrics. services may be NULL: there are none by service.
enum MHD_Result http_metrics_reply(struct MHD_Connection *connection, service_metrics *services);

#endif // LP_COLLECTOR_HTTP_HTTP_METRICS_H
