// SPDX-License-Identifier: Apache-2.0
// http_alert_body: reads the body that Alertmanager and Grafana send to a webhook.
//
//   {"version": "4", "groupKey": "{}:{alertname=\"Slow\"}",
//    "alerts": [{"status": "firing", "labels": {"alertname": "Slow", "service": "checkout"},
//      "annotations": {"summary": "p99 above 1 s"}, "startsAt": "2026-01-02T03:04:05.6Z", ..}, ..],
//    ..}
//
// Grafana's version is "1".
//
// Threads: pure, any thread.
// Tests:   tests/unit/collector/http/routes/test_http_alert_body.c

#pragma once

#include "collector/recall/pin/pins.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/base/lp_vec.h"

#include <stddef.h>
#include <stdint.h>

enum {
    HTTP_ALERTS_MAX = 64,   // of one body, further ones are left out
    HTTP_ALERT_OLD_S = 3600 // an alert that began earlier is ignored: its pin is forgotten
};

typedef struct http_alert_body {
    LP_VEC(pin) pins; // of firing alerts, without an owner. Each key and service is there once
    size_t resolved;  // alerts that are over
    size_t old;
    size_t without_service;
    size_t left_out; // over HTTP_ALERTS_MAX
} http_alert_body;

// http_alert_body_read reads a body. label: whose value is the service; NULL: `service`, else
// `job`. now_wall_ns: when the pins are made.
// Owns:   the caller ends *out with http_alert_body_fini, also after an error.
// Errors: LP_ECORRUPT with the mistake; LP_ENOMEM
LP_MUST_USE lp_err http_alert_body_read(lp_slice text, const char *label, int64_t now_wall_ns,
    http_alert_body *out, lp_problem *out_problem);
void http_alert_body_fini(http_alert_body *body);
