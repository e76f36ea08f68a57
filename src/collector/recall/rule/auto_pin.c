// SPDX-License-Identifier: Apache-2.0

#include "collector/recall/rule/auto_pin.h"

#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time.h"
#include "query/why/duration_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const int64_t SECOND_NS = 1000000000;

// The pins by one rule so far.
typedef struct earlier {
    pin_origin origin;
    const char *service;
    size_t count;
    int64_t last_wall_ns; // when the last one of the service was made; INT64_MIN: there is none
} earlier;

static void
on_pin(void *arg, const pin *one)
{
    earlier *of = arg;
    if (one->origin != of->origin) {
        return;
    }
    of->count++;
    if (strcmp(one->service, of->service) == 0 && one->made_wall_ns > of->last_wall_ns) {
        of->last_wall_ns = one->made_wall_ns;
    }
}

static earlier
find_earlier(const auto_pin_to *to, pin_origin origin, const char *service)
{
    earlier of = {.origin = origin, .service = service, .last_wall_ns = INT64_MIN};
    pins_each(to->pins, on_pin, &of);
    return of;
}

// fill adds the chunks with raw data. Later ones join by themselves.
static lp_err
fill(const auto_pin_to *to, pin *added)
{
    pin_chunks found = {0};
    raw_list_span ignored;
    const pin made = *added;
    LP_ASSERT(made.id > 0);
    lp_err err = raw_list_find(to->raw, &made, &found, &ignored);
    if (err == LP_OK) {
        pins_fill(to->pins, made.id, &found, added);
    }
    LP_VEC_FINI(&found);
    return err;
}

// add adds a pin to earlier ones.
static lp_err
add(const auto_pin_to *to, const pin *asked, const earlier *before)
{
    pin added;
    bool is_new;
    LP_ASSERT(asked->origin != PIN_BY_CALLER && asked->origin == before->origin);
    LP_REQUIRE(before->count < AUTO_PINS_MAX, LP_ELIMIT);
    LP_TRY(pins_add(to->pins, asked, &added, &is_new));
    if (is_new) {
        metrics_add(METRICS_recall_pins_by_rule, 1);
    }
    return fill(to, &added);
}

// is_full returns whether there were too many pins, and counts that.
static bool
is_full(lp_err err)
{
    bool is_it = err == LP_ELIMIT || err == LP_EAGAIN;
    metrics_add(METRICS_recall_pins_left_out, is_it);
    return is_it;
}

void
auto_pin_crash(const auto_pin_to *to, const catalog_session *recording)
{
    LP_ASSERT(to->pins != NULL && to->raw != NULL);
    const char *service = recording->service;
    if ((policy_dir_find_keep(to->policies, service).pin_when & POLICY_KEEP_PIN_CRASH) == 0) {
        return;
    }
    pin asked = {.origin = PIN_BY_CRASH,
        .from_wall_ns = lp_time_add(recording->end_wall_ns, -AUTO_PIN_BEFORE_S * SECOND_NS),
        .to_wall_ns = lp_time_add(recording->end_wall_ns, AUTO_PIN_AFTER_CRASH_S * SECOND_NS),
        .made_wall_ns = lp_time_now(),
        .reason = "its JVM was killed or crashed"};
    (void)snprintf(
        asked.key, sizeof(asked.key), "crash %s %" PRId64, recording->id, recording->end_wall_ns);
    (void)snprintf(asked.service, sizeof(asked.service), "%s", service);
    (void)snprintf(asked.session_id, sizeof(asked.session_id), "%s", recording->id);
    const earlier before = find_earlier(to, PIN_BY_CRASH, service);
    lp_err err = add(to, &asked, &before);
    if (err != LP_OK) {
        lp_log(LP_LOG_WARN, "session %s: its last minutes cannot be pinned: %s", recording->id,
            is_full(err) ? "too many pins" : lp_err_reason(err));
    }
}

// is_paused returns whether an earlier pin of the service is recent.
static bool
is_paused(const earlier *before, const policy_keep *keep, int64_t now_wall_ns)
{
    int64_t pause_ns = keep->pin_pause_ns != 0 ? keep->pin_pause_ns : AUTO_PIN_PAUSE_S * SECOND_NS;
    return before->last_wall_ns > lp_time_add(now_wall_ns, -pause_ns) &&
           before->last_wall_ns <= now_wall_ns; // else the clock was set back
}

// describe writes why, such as "p99>1s for 1m: p99 was 1.34 s".
static void
describe(const latency_finding *found, pin *out)
{
    char rule[POLICY_PIN_RULE_BYTES];
    char value[QUERY_DURATION_BYTES];
    char from[LP_TIME_BYTES];
    policy_pin_rule_format(&found->keep.pin_rule, rule);
    query_duration_text(found->value_ns, value);
    lp_time_format(found->from_wall_ns, from);
    (void)snprintf(out->reason, sizeof(out->reason), "%s: %s was %s", rule,
        policy_pin_rule_name(&found->keep.pin_rule), value);
    (void)snprintf(out->key, sizeof(out->key), "%s %s", rule, from);
    (void)snprintf(out->service, sizeof(out->service), "%s", found->service);
}

void
auto_pin_slow(const auto_pin_to *to, const latency_finding *found)
{
    LP_ASSERT(found->from_wall_ns <= found->to_wall_ns && found->keep.pin_rule.permille > 0);
    LP_ASSERT(to->pins != NULL && to->raw != NULL && to->budget != NULL);
    const char *service = found->service;
    // A pin without a name is of all services, and one with several lines of several.
    if (service[0] == '\0' || strchr(service, '\n') != NULL) {
        metrics_add(METRICS_recall_pins_left_out, 1);
        return;
    }
    const earlier before = find_earlier(to, PIN_BY_LATENCY, service);
    int64_t now = lp_time_now();
    if (is_paused(&before, &found->keep, now)) {
        recall_budget_note_pause(to->budget, service, now);
        return;
    }
    pin asked = {.origin = PIN_BY_LATENCY,
        .from_wall_ns = lp_time_add(found->from_wall_ns, -AUTO_PIN_BEFORE_S * SECOND_NS),
        .to_wall_ns = lp_time_add(found->to_wall_ns, AUTO_PIN_AFTER_SLOW_S * SECOND_NS),
        .made_wall_ns = now};
    describe(found, &asked);
    lp_err err = add(to, &asked, &before);
    if (err == LP_OK) {
        lp_log(LP_LOG_INFO, "service %s: pinned, because %s", asked.service, asked.reason);
    } else if (!is_full(err)) { // this may happen each minute, to many services
        lp_log(LP_LOG_WARN, "service %s: it is slow (%s), but cannot be pinned: %s", asked.service,
            asked.reason, lp_err_reason(err));
    }
}
