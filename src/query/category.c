// SPDX-License-Identifier: Apache-2.0
#include "query/category.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *type;
    query_category_of of;
} known[] = {
    {"jdk.CPUTimeSample", {.category = QUERY_CPU, .period = "samplingPeriod"}},
    {"jdk.ClassDefine", {.category = QUERY_CLASS_LOADING}},
    {"jdk.ClassLoad", {.category = QUERY_CLASS_LOADING}},
    {"jdk.Compilation", {.category = QUERY_COMPILATION}},
    {"jdk.ExecuteVMOperation",
        {.category = QUERY_SAFEPOINT, .scope = QUERY_IN_JVM, .only_if = "safepoint"}},
    {"jdk.ExecutionSample", {.category = QUERY_CPU}},
    {"jdk.FileForce", {.category = QUERY_IO}},
    {"jdk.FileRead", {.category = QUERY_IO}},
    {"jdk.FileWrite", {.category = QUERY_IO}},
    {"jdk.GCPhasePause", {.category = QUERY_GC, .scope = QUERY_IN_JVM}},
    {"jdk.JavaMonitorEnter", {.category = QUERY_LOCK}},
    {"jdk.JavaMonitorInflate", {.category = QUERY_LOCK}},
    {"jdk.JavaMonitorWait", {.category = QUERY_WAIT}},
    {"jdk.SafepointBegin", {.category = QUERY_SAFEPOINT, .scope = QUERY_IN_JVM}},
    {"jdk.SocketConnect", {.category = QUERY_IO}},
    {"jdk.SocketRead", {.category = QUERY_IO}},
    {"jdk.SocketWrite", {.category = QUERY_IO}},
    {"jdk.ThreadPark", {.category = QUERY_PARK}},
    {"jdk.ThreadSleep", {.category = QUERY_SLEEP}},
    {"jdk.VirtualThreadPinned", {.category = QUERY_PINNED}},
    {"jdk.ZAllocationStall", {.category = QUERY_GC}},
};

query_category_of
query_category_find(const char *type_name)
{
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (strcmp(type_name, known[i].type) == 0) {
            return known[i].of;
        }
    }
    return (query_category_of){.category = QUERY_OTHER};
}

const char *
query_category_name(query_category category)
{
    static const char *const names[QUERY_CATEGORY_COUNT] = {
        [QUERY_LOCK] = "lock",
        [QUERY_PARK] = "park",
        [QUERY_WAIT] = "wait",
        [QUERY_SLEEP] = "sleep",
        [QUERY_IO] = "io",
        [QUERY_PINNED] = "pinned",
        [QUERY_GC] = "gc",
        [QUERY_SAFEPOINT] = "safepoint",
        [QUERY_CLASS_LOADING] = "class_loading",
        [QUERY_COMPILATION] = "compilation",
        [QUERY_OTHER] = "other",
        [QUERY_CPU] = "cpu",
    };
    return names[category];
}

bool
query_category_is_blocked(query_category category)
{
    return category <= QUERY_PINNED;
}
