// SPDX-License-Identifier: Apache-2.0
// http_metrics: GET /metrics, in the text format of Prometheus.
//
// Threads: the thread that handles the connection.
// Tests:   tests/unit/collector/http/test_http.c

#ifndef LP_COLLECTOR_HTTP_HTTP_METRICS_H
#define LP_COLLECTOR_HTTP_HTTP_METRICS_H

#include <microhttpd.h>

enum MHD_Result http_metrics_reply(struct MHD_Connection *connection);

#endif // LP_COLLECTOR_HTTP_HTTP_METRICS_H
