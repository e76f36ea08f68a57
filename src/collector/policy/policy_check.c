// SPDX-License-Identifier: Apache-2.0
#include "collector/policy/policy_store.h"
#include "common/base/lp_log.h"

static void
report(const policy *self, policy_entry *source, size_t setting, const char *event_type_name,
    bool is_contextual)
{
    unsigned bit = 1U << setting;
    if ((atomic_fetch_or_explicit(&source->reported, bit, memory_order_relaxed) & bit) != 0) {
        return;
    }
    const policy_line *line = &self->lines.items[source->lines[setting] - 1];
    lp_log(LP_LOG_WARN,
        "%s: line %lu: event type %s, setting %s: '%.200s' is not for a type that is%s contextual; "
        "%s is used",
        self->path, line->number, event_type_name, line->setting, line->value,
        is_contextual ? "" : " not", policy_setting_get(setting)->stand_in);
}

void
policy_check_type(policy *self, const char *event_type_name, bool is_contextual)
{
    if (self == NULL) {
        return;
    }
    policy_event event = policy_find(self, event_type_name);
    for (size_t i = 0; i < POLICY_SETTING_COUNT; i++) {
        if (policy_setting_is_misplaced(i, &event, is_contextual)) {
            policy_entry *source = policy_store_find_source(self, event_type_name, i);
            report(self, source, i, event_type_name, is_contextual);
        }
    }
}
