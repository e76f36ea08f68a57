// SPDX-License-Identifier: Apache-2.0
#include "support/alloc_build.h"

#include "common/base/lp_assert.h"

#include <stdio.h>
#include <string.h>

#define EVENT      "jdk.jfr.Event"
#define ANNOTATION "java.lang.annotation.Annotation"
#define STACK_TRACE                                                                                \
    {                                                                                              \
        .name = "stackTrace", .type = JFR_SAMPLE_STACK_TRACE, .is_constant = true                  \
    }
#define OBJECT_CLASS                                                                               \
    {                                                                                              \
        .name = "objectClass", .type = JFR_SAMPLE_CLASS, .is_constant = true                       \
    }
#define BYTES(name_)                                                                               \
    {                                                                                              \
        .name = (name_), .type = JFR_SAMPLE_LONG, .annotation = ALLOC_DATA_AMOUNT,                 \
        .annotation_value = "BYTES"                                                                \
    }

static const jfr_build_type alloc_types[] = {
    {.id = ALLOC_DATA_AMOUNT,
        .name = "jdk.jfr.DataAmount",
        .super = ANNOTATION,
        .fields = {{.name = "value", .type = JFR_SAMPLE_STRING}}},
    {.id = ALLOC_DESCRIPTION,
        .name = "jdk.jfr.Description",
        .super = ANNOTATION,
        .fields = {{.name = "value", .type = JFR_SAMPLE_STRING}}},
    {.id = ALLOC_OUTSIDE,
        .name = "jdk.ObjectAllocationOutsideTLAB",
        .super = EVENT,
        .setting = JFR_SAMPLE_ENABLED,
        .annotation = JFR_SAMPLE_LABEL,
        .annotation_value = "Outside",
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_EVENT_THREAD, STACK_TRACE, OBJECT_CLASS,
            BYTES("allocationSize")}},
    {.id = ALLOC_IN_TLAB,
        .name = "jdk.ObjectAllocationInNewTLAB",
        .super = EVENT,
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_EVENT_THREAD, STACK_TRACE, OBJECT_CLASS,
            BYTES("allocationSize"), BYTES("tlabSize")}},
    {.id = ALLOC_SAMPLE,
        .name = "jdk.ObjectAllocationSample",
        .super = EVENT,
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_EVENT_THREAD, STACK_TRACE, OBJECT_CLASS,
            BYTES("weight")}},
};

static const jfr_build_type odd_type = {.id = ALLOC_IN_TLAB_ODD,
    .name = "jdk.ObjectAllocationInNewTLAB",
    .super = EVENT,
    .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_EVENT_THREAD, OBJECT_CLASS,
        BYTES("allocationSize"), BYTES("tlabSize")}};

enum { ALLOC_TYPES = sizeof(alloc_types) / sizeof(alloc_types[0]) };

void
alloc_build_begin(jfr_build *build, int64_t start_ticks, alloc_jvm jvm)
{
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX + ALLOC_TYPES];
    size_t count = jfr_sample_types(types);
    for (size_t i = 0; i < ALLOC_TYPES; i++) {
        bool is_there = (alloc_types[i].id != ALLOC_SAMPLE || jvm != ALLOC_JDK_11) &&
                        (alloc_types[i].id != ALLOC_IN_TLAB || jvm != ALLOC_ODD_JVM);
        if (is_there) {
            types[count++] = alloc_types[i];
        }
    }
    if (jvm == ALLOC_ODD_JVM) {
        types[count++] = odd_type;
    }
    jfr_build_begin(
        build, &(jfr_build_clock){.start_ticks = start_ticks,
                   .start_wall_ns = (int64_t)(1700000000000000000u + (uint64_t)start_ticks),
                   .duration_ns = 1000000000});
    jfr_build_metadata(build, 1, types, count);
}

size_t
alloc_build_event(jfr_build *build, const alloc_event *event)
{
    lp_buf *out = &build->payload;
    jfr_build_varint(out, (uint64_t)event->time);
    jfr_build_varint(out, event->thread);
    if (event->type != ALLOC_IN_TLAB_ODD) {
        jfr_build_varint(out, event->stack);
    }
    jfr_build_varint(out, event->class);
    if (event->type == ALLOC_IN_TLAB || event->type == ALLOC_IN_TLAB_ODD) {
        jfr_build_varint(out, event->bytes / 7);
    }
    jfr_build_varint(out, event->bytes);
    return jfr_build_event(build, event->type);
}

void
alloc_build_class(jfr_build *build, uint64_t key)
{
    char name[40];
    (void)snprintf(name, sizeof(name), "shop/Class%llu", (unsigned long long)key);
    jfr_build_varint(&build->payload, 10000 + key);
    jfr_build_varint(&build->payload, 1);
    jfr_build_constant(build, JFR_SAMPLE_CLASS, key);
    jfr_build_string(&build->payload, name);
    jfr_build_constant(build, JFR_SAMPLE_SYMBOL, 10000 + key);
}

const jfr_read_event *
alloc_build_find(const jfr_read *read, const char *type, uint64_t class)
{
    const jfr_read_event *found = NULL;
    for (size_t i = 0; i < read->events.count; i++) {
        const jfr_read_event *event = &read->events.items[i];
        uint64_t key;
        if (strcmp(jfr_read_name(read, event), type) == 0 &&
            jfr_read_key(read, event, "objectClass", &key) && key == class) {
            LP_ASSERT(found == NULL);
            found = event;
        }
    }
    return found;
}

int64_t
alloc_build_weight(const jfr_read *read, uint64_t class)
{
    const jfr_read_event *sample = alloc_build_find(read, "jdk.ObjectAllocationSample", class);
    return sample == NULL ? -1 : jfr_read_number(read, sample, "weight");
}
