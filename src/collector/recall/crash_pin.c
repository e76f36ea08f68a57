// SPDX-License-Identifier: Apache-2.0

#include "collector/recall/crash_pin.h"

#include "collector/recall/pin_find.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void
count_crash(void *arg, const pin *one)
{
    *(size_t *)arg += strncmp(one->key, CRASH_PIN_KEY, strlen(CRASH_PIN_KEY)) == 0;
}

// fill adds the chunks that exist. Later ones join by themselves.
static lp_err
fill(const crash_pin_to *to, pin *added)
{
    LP_ASSERT(added->id > 0);
    pin_chunks found = {0};
    lp_err err = pin_find_chunks(to->catalog, to->raw, added, &found);
    if (err == LP_OK) {
        pins_fill(to->pins, added->id, &found, added);
    }
    LP_VEC_FINI(&found);
    return err;
}

void
crash_pin_add(const crash_pin_to *to, const catalog_session *recording)
{
    const int64_t second_ns = 1000000000;
    const char *service = recording->service;
    const char *session_id = recording->id;
    LP_ASSERT(to->pins != NULL && to->raw != NULL && to->catalog != NULL);
    size_t crashes = 0;
    if (policy_dir_find_keep(to->policies, service).pin_when != POLICY_KEEP_PIN_CRASH) {
        return;
    }
    pin asked = {
        .from_wall_ns = lp_time_add(recording->end_wall_ns, -CRASH_PIN_BEFORE_S * second_ns),
        .to_wall_ns = lp_time_add(recording->end_wall_ns, CRASH_PIN_AFTER_S * second_ns),
        .made_wall_ns = lp_time_now(),
        .reason = "its JVM was killed or crashed"};
    pin added;
    bool is_new;
    (void)snprintf(asked.key, sizeof(asked.key), CRASH_PIN_KEY "%s %" PRId64, session_id,
        recording->end_wall_ns);
    (void)snprintf(asked.service, sizeof(asked.service), "%s", service);
    (void)snprintf(asked.session_id, sizeof(asked.session_id), "%s", session_id);
    pins_each(to->pins, count_crash, &crashes);
    lp_err err = crashes < CRASH_PINS_MAX ? pins_add(to->pins, &asked, &added, &is_new) : LP_ELIMIT;
    LP_THEN(err, fill(to, &added));
    if (err != LP_OK) {
        lp_log(LP_LOG_WARN, "session %s: its last minutes cannot be pinned: %s", session_id,
            err == LP_ELIMIT ? "too many pins" : lp_err_reason(err));
    }
}
