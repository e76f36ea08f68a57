// SPDX-License-Identifier: Apache-2.0

#include "collector/recall/rule/idle_rules.h"

#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"

typedef struct looking {
    const raw_tail *raw;
    uint64_t count;
} looking;

static void
on_keep(void *arg, const char *path, const policy_keep *keep)
{
    looking *l = arg;
    bool has_rule = (keep->pin_when & ~(unsigned)POLICY_KEEP_PIN_NONE) != 0 ||
                    keep->trace == POLICY_KEEP_TRACE_WHOLE;
    if (has_rule && !raw_tail_wants_by(l->raw, keep)) {
        l->count++;
        lp_log(LP_LOG_WARN,
            "policy %s: pin-when and trace do nothing: no raw data is kept; start the collector "
            "with --recall 15m, or add a line 'recall 15m'",
            path);
    }
}

void
idle_rules_look(idle_rules *self, policy_dir *policies, const raw_tail *raw)
{
    LP_ASSERT(policies != NULL && raw != NULL);
    uint64_t version = policy_dir_get_keep_version(policies);
    if (version == self->version) {
        return;
    }
    looking l = {.raw = raw};
    policy_dir_each_keep(policies, on_keep, &l);
    metrics_add(METRICS_recall_rules_idle, l.count);
    metrics_sub(METRICS_recall_rules_idle, self->count);
    *self = (idle_rules){.version = version, .count = l.count};
}
