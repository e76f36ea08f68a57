// SPDX-License-Identifier: Apache-2.0

#include "collector/http/routes/http_alert_body.h"

#include "collector/http/routes/http_pin_wish.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_time.h"
#include "common/base/lp_utf8.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

// A body while it is read.
typedef struct reading {
    http_alert_body *out;
    const char *group_key;
    const char *label;
    int64_t now_wall_ns;
} reading;

static const char *
text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

// find_service returns the service of an alert; NULL: it has none, or one that is no name.
static const char *
find_service(const reading *r, const json_t *labels)
{
    const char *name = text_of(labels, r->label == NULL ? "service" : r->label);
    name = name == NULL && r->label == NULL ? text_of(labels, "job") : name;
    bool is_name = name != NULL && name[0] != '\0' && strlen(name) <= PINS_NAME_BYTES_MAX &&
                   strchr(name, '\n') == NULL && lp_utf8_is_text(name);
    return is_name ? name : NULL;
}

// set_reason sets the name of the alert, and its summary if it fits.
static void
set_reason(const json_t *alert, pin *out)
{
    const char *name = text_of(json_object_get(alert, "labels"), "alertname");
    const char *summary = text_of(json_object_get(alert, "annotations"), "summary");
    char text[2 * sizeof(out->reason)];
    name = name == NULL ? "alert" : name;
    size_t len = summary == NULL ? sizeof(text)
                                 : (size_t)snprintf(text, sizeof(text), "%s: %s", name, summary);
    const char *chosen = len < sizeof(out->reason) ? text : name;
    if (strlen(chosen) < sizeof(out->reason) && lp_utf8_is_text(chosen)) {
        memcpy(out->reason, chosen, strlen(chosen) + 1);
    }
}

// make_pin makes the pin of a firing alert of a service.
static pin
make_pin(const reading *r, const json_t *alert, const char *service, int64_t start_wall_ns)
{
    pin made = {.made_wall_ns = r->now_wall_ns};
    (void)snprintf(made.key, sizeof(made.key), "alert-%016" PRIx64 "-%" PRId64,
        lp_hash_text(LP_HASH_FIXED, r->group_key), start_wall_ns);
    memcpy(made.service, service, strlen(service) + 1);
    set_reason(alert, &made);
    // The clock of the sender may be ahead.
    int64_t start = start_wall_ns < r->now_wall_ns ? start_wall_ns : r->now_wall_ns;
    http_pin_wish_set_times(&made, start, start);
    return made;
}

static lp_err
add_pin(reading *r, const pin *made)
{
    LP_ASSERT(r->out->pins.count <= HTTP_ALERTS_MAX);
    if (LP_ANY(r->out->pins.items, r->out->pins.count,
            strcmp(at->key, made->key) == 0 && strcmp(at->service, made->service) == 0)) {
        return LP_OK; // another alert of the group, such as that of another instance
    }
    if (r->out->pins.count == HTTP_ALERTS_MAX) {
        r->out->left_out++;
        return LP_OK;
    }
    return LP_VEC_ADD(&r->out->pins, *made);
}

static lp_err
read_alert(reading *r, const json_t *alert, size_t index, lp_problem *out_problem)
{
    const char *status = text_of(alert, "status");
    const char *starts_at = text_of(alert, "startsAt");
    const char *service = find_service(r, json_object_get(alert, "labels"));
    int64_t start_wall_ns;
    LP_REQUIRE(status != NULL && starts_at != NULL && lp_time_parse(starts_at, &start_wall_ns),
        lp_problem_set(out_problem, LP_ECORRUPT,
            "alert %zu has no status, or no time in RFC 3339 as startsAt", index));
    if (strcmp(status, "firing") != 0) {
        r->out->resolved++;
    } else if (start_wall_ns <
               lp_time_add(r->now_wall_ns, -HTTP_ALERT_OLD_S * INT64_C(1000000000))) {
        r->out->old++;
    } else if (service == NULL) {
        r->out->without_service++;
    } else {
        const pin made = make_pin(r, alert, service, start_wall_ns);
        return add_pin(r, &made);
    }
    return LP_OK;
}

static lp_err
read_alerts(reading *r, const json_t *body, lp_problem *out_problem)
{
    const char *version = text_of(body, "version");
    const json_t *alerts = json_object_get(body, "alerts");
    size_t i;
    const json_t *alert;
    LP_REQUIRE(version != NULL && (strcmp(version, "4") == 0 || strcmp(version, "1") == 0),
        lp_problem_set(out_problem, LP_ECORRUPT,
            "the body must be JSON of a webhook: version 4 of Alertmanager, or 1 of Grafana"));
    r->group_key = text_of(body, "groupKey");
    LP_REQUIRE(r->group_key != NULL && json_is_array(alerts),
        lp_problem_set(out_problem, LP_ECORRUPT, "groupKey or alerts is missing"));
    json_array_foreach(alerts, i, alert)
    {
        LP_TRY(read_alert(r, alert, i, out_problem));
    }
    return LP_OK;
}

lp_err
http_alert_body_read(lp_slice text, const char *label, int64_t now_wall_ns, http_alert_body *out,
    lp_problem *out_problem)
{
    *out = (http_alert_body){.resolved = 0};
    reading r = {.out = out, .label = label, .now_wall_ns = now_wall_ns};
    json_t *body = json_loadb((const char *)text.ptr, text.len, 0, NULL);
    lp_err err = read_alerts(&r, body, out_problem);
    json_decref(body);
    return err;
}

void
http_alert_body_fini(http_alert_body *body)
{
    LP_VEC_FINI(&body->pins);
}
