// SPDX-License-Identifier: Apache-2.0
#include "engine/write/accounting_class.h"

#include "engine/reason.h"
#include "engine/write/own_class.h"
#include "engine/write/type_ids.h"

static const compact_own_field fields[] = {
    {"startTime", "long", "Start Time"},
    {"duration", "long", "Duration"},
    {"offered", "long", "Offered"},
    {"kept", "long", "Kept"},
#define COMPACT_REASON(id, name, field, label) {field, "long", "Dropped: " label},
#include "engine/reasons.def"
#undef COMPACT_REASON
    {"eventTypes", "java.lang.String", "Event Types"},
};

uint64_t
compact_accounting_class_add(compact_classes *classes)
{
    static const compact_own_class own = {
        .name = "dev.loupe.Accounting",
        .label = "Accounting",
        .description =
            "What Loupe left out of this recording: how many events a chunk of the JVM's recording "
            "had (offered), how many were written (kept), and how many each setting dropped; "
            "damaged ones could not be read. These are sums over the event types of which "
            "something was dropped, which Event Types lists with their own numbers. The time is "
            "that of the chunk.",
        .wanted_id = COMPACT_TYPE_IDS_ACCOUNTING,
        .fields = fields,
        .field_count = sizeof(fields) / sizeof(fields[0]),
    };
    return compact_own_class_add(classes, &own);
}
