// SPDX-License-Identifier: Apache-2.0
#include "support/jfr_orders.h"

#include <string.h>

enum { ORDER = 300, SETTING = 301 };

static const jfr_build_type more_types[] = {
    {.id = ORDER,
        .name = "shop.Order",
        .super = "jdk.jfr.Event",
        .annotation = JFR_SAMPLE_CONTEXTUAL,
        .fields = {{.name = "startTime",
                       .type = JFR_SAMPLE_LONG,
                       .annotation = JFR_SAMPLE_TIMESTAMP,
                       .annotation_value = "TICKS"},
            {.name = "duration", .type = JFR_SAMPLE_LONG},
            {.name = "eventThread", .type = JFR_SAMPLE_THREAD, .is_constant = true},
            {.name = "orderId", .type = JFR_SAMPLE_LONG},
            {.name = "city", .type = JFR_SAMPLE_STRING}}},
    {.id = SETTING,
        .name = "jdk.ActiveSetting",
        .super = "jdk.jfr.Event",
        .fields = {{.name = "startTime",
                       .type = JFR_SAMPLE_LONG,
                       .annotation = JFR_SAMPLE_TIMESTAMP,
                       .annotation_value = "TICKS"},
            {.name = "id", .type = JFR_SAMPLE_LONG}, {.name = "name", .type = JFR_SAMPLE_STRING},
            {.name = "value", .type = JFR_SAMPLE_STRING}}},
};

size_t
jfr_orders_types(jfr_build_type out_types[JFR_ORDERS_TYPES_MAX])
{
    size_t count = jfr_sample_types(out_types);
    memcpy(out_types + count, more_types, sizeof(more_types));
    return count + sizeof(more_types) / sizeof(more_types[0]);
}

void
jfr_orders_add(
    jfr_build *build, int64_t start, int64_t duration, uint64_t order_id, const char *city)
{
    jfr_build_varint(&build->payload, (uint64_t)start);
    jfr_build_varint(&build->payload, (uint64_t)duration);
    jfr_build_varint(&build->payload, 1);
    jfr_build_varint(&build->payload, order_id);
    jfr_build_string(&build->payload, city);
    (void)jfr_build_event(build, ORDER);
}

void
jfr_orders_mark(jfr_build *build, int64_t start, const char *attributes)
{
    jfr_build_varint(&build->payload, (uint64_t)start);
    jfr_build_varint(&build->payload, ORDER);
    jfr_build_string(&build->payload, "context-index");
    jfr_build_string(&build->payload, attributes);
    (void)jfr_build_event(build, SETTING);
}
