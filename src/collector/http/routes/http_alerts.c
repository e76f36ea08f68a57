// SPDX-License-Identifier: Apache-2.0
// http_alerts: makes pins of the alerts that Alertmanager or Grafana send (http_alert_body.h).
//
//   {"pins": [..], "ignored": {"resolved": 1, "old": 0, "without_service": 0, "forbidden": 0,
//     "left_out": 0}}
//
// Tests:   tests/unit/collector/http/routes/test_http_pins.c

#include "collector/http/routes/http_access.h"
#include "collector/http/routes/http_alert_body.h"
#include "collector/http/routes/http_pins.h"
#include "collector/http/wire/http_query.h"
#include "collector/http/wire/http_reply.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_time.h"

// make_pins makes the pins that the caller may make, and adds them to items.
static lp_err
make_pins(http_call *call, http_alert_body *body, json_t *items, size_t *out_forbidden)
{
    *out_forbidden = 0;
    for (size_t i = 0; i < body->pins.count; i++) {
        pin *asked = &body->pins.items[i];
        pin now;
        bool is_new;
        if (!access_caller_may(&call->caller, ACCESS_PIN, asked->service)) {
            ++*out_forbidden;
            continue;
        }
        LP_TRY(http_pins_make(call, asked, &now, &is_new));
        (void)json_array_append_new(items, http_pins_json(call, &now));
    }
    return LP_OK;
}

// reply answers with the pins. Takes ownership of items. If there is none, mistakes of who has
// configured the webhook are failures, which the sender logs.
static enum MHD_Result
reply(http_call *call, const http_alert_body *body, json_t *items, size_t forbidden)
{
    bool is_empty = json_array_size(items) == 0;
    if (is_empty && forbidden > 0) {
        json_decref(items);
        return http_access_reply_forbidden(call, &call->caller, "pins of these services");
    }
    if (is_empty && body->without_service > 0) {
        json_decref(items);
        return http_reply_error(call->connection, MHD_HTTP_BAD_REQUEST,
            "no alert has a label with the name of a service: set service_label");
    }
    return http_reply_json(call->connection, MHD_HTTP_OK,
        json_pack("{s:o, s:{s:o, s:o, s:o, s:o, s:o}}", "pins", items, "ignored", "resolved",
            http_reply_count_json(body->resolved), "old", http_reply_count_json(body->old),
            "without_service", http_reply_count_json(body->without_service), "forbidden",
            http_reply_count_json(forbidden), "left_out", http_reply_count_json(body->left_out)));
}

// answer makes the pins of a body.
static enum MHD_Result
answer(http_call *call, http_alert_body *body)
{
    size_t forbidden;
    json_t *items = json_array();
    lp_err err = items == NULL ? LP_ENOMEM : make_pins(call, body, items, &forbidden);
    if (err != LP_OK) {
        json_decref(items);
        return http_pins_reply_failure(call, err);
    }
    return reply(call, body, items, forbidden);
}

enum MHD_Result
http_alerts_add(http_call *call)
{
    LP_ASSERT(call->route.line->need == HTTP_NEED_BODY);
    struct MHD_Connection *connection = call->connection;
    const char *label = NULL;
    const http_query all = {&(const http_query_text){"service_label", &label}, 1};
    lp_problem problem;
    http_alert_body body;
    LP_REQUIRE(call->shared->config.pins != NULL,
        http_reply_error(connection, MHD_HTTP_NOT_FOUND, "this collector has no raw data"));
    LP_REQUIRE(http_query_read(&all, connection, &problem) == LP_OK,
        http_reply_error(connection, MHD_HTTP_BAD_REQUEST, "%s", problem.text));
    LP_REQUIRE(!call->body.is_failed, http_reply_out_of_memory(connection));
    lp_err err =
        http_alert_body_read(lp_buf_slice(&call->body), label, lp_time_now(), &body, &problem);
    enum MHD_Result result =
        err == LP_OK       ? answer(call, &body)
        : err == LP_ENOMEM ? http_reply_out_of_memory(connection)
                           : http_reply_error(connection, MHD_HTTP_BAD_REQUEST, "%s", problem.text);
    http_alert_body_fini(&body);
    return result;
}
