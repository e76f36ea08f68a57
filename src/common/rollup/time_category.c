// SPDX-License-Identifier: Apache-2.0
#include "common/rollup/time_category.h"

#include "common/base/lp_find.h"

#include <stddef.h>
#include <string.h>

static const struct known {
    const char *type;
    time_category_of of;
} known[] = {
    {"dev.loupe.VirtualThreadMonitorEnter", {.category = TIME_LOCK}},
    {"jdk.CPUTimeSample", {.category = TIME_CPU, .period = "samplingPeriod"}},
    {"jdk.ClassDefine", {.category = TIME_CLASS_LOADING}},
    {"jdk.ClassLoad", {.category = TIME_CLASS_LOADING}},
    {"jdk.Compilation", {.category = TIME_COMPILATION}},
    {"jdk.Deoptimization", {.category = TIME_OTHER, .counted = "deoptimization"}},
    {"jdk.ExecuteVMOperation",
        {.category = TIME_SAFEPOINT, .scope = TIME_IN_JVM, .only_if = "safepoint"}},
    {"jdk.ExecutionSample", {.category = TIME_CPU}},
    {"jdk.FileForce", {.category = TIME_IO}},
    {"jdk.FileRead", {.category = TIME_IO}},
    {"jdk.FileWrite", {.category = TIME_IO}},
    {"jdk.GCPhasePause", {.category = TIME_GC, .scope = TIME_IN_JVM}},
    {"jdk.JavaErrorThrow", {.category = TIME_OTHER, .counted = "errors"}},
    {"jdk.JavaExceptionThrow", {.category = TIME_OTHER, .counted = "exceptions"}},
    {"jdk.JavaMonitorEnter", {.category = TIME_LOCK}},
    {"jdk.JavaMonitorInflate", {.category = TIME_LOCK}},
    {"jdk.JavaMonitorWait", {.category = TIME_WAIT}},
    {"jdk.MethodTrace", {.category = TIME_OTHER, .method = "method"}},
    {"jdk.SafepointBegin", {.category = TIME_SAFEPOINT, .scope = TIME_IN_JVM}},
    {"jdk.SocketConnect", {.category = TIME_IO}},
    {"jdk.SocketRead", {.category = TIME_IO}},
    {"jdk.SocketWrite", {.category = TIME_IO}},
    {"jdk.ThreadPark", {.category = TIME_PARK}},
    {"jdk.ThreadSleep", {.category = TIME_SLEEP}},
    {"jdk.VirtualThreadPinned", {.category = TIME_PINNED}},
    {"jdk.ZAllocationStall", {.category = TIME_GC}},
};

time_category_of
time_category_find(const char *type_name)
{
    const struct known *found = LP_FIND(known, LP_COUNT(known), strcmp(type_name, at->type) == 0);
    return found == NULL ? (time_category_of){.category = TIME_OTHER} : found->of;
}

time_category
time_category_of_method(const char *method_name)
{
    static const char park[] = "java.lang.VirtualThread.park"; // and parkNanos, parkOnCarrierThread
    return strncmp(method_name, park, sizeof(park) - 1) == 0 ? TIME_PARK : TIME_OTHER;
}

bool
time_category_is_setting(const char *type_name)
{
    return strcmp(type_name, "jdk.ActiveSetting") == 0;
}

bool
time_category_is_in_jvm(const char *type_name)
{
    return LP_ANY(
        known, LP_COUNT(known), at->of.scope == TIME_IN_JVM && strcmp(type_name, at->type) == 0);
}

const char *
time_category_name(time_category category)
{
    static const char *const names[TIME_CATEGORY_COUNT] = {
        [TIME_LOCK] = "lock",
        [TIME_PARK] = "park",
        [TIME_WAIT] = "wait",
        [TIME_SLEEP] = "sleep",
        [TIME_IO] = "io",
        [TIME_PINNED] = "pinned",
        [TIME_GC] = "gc",
        [TIME_SAFEPOINT] = "safepoint",
        [TIME_CLASS_LOADING] = "class_loading",
        [TIME_COMPILATION] = "compilation",
        [TIME_OTHER] = "other",
        [TIME_CPU] = "cpu",
        [TIME_QUEUED] = "queued",
        [TIME_ELSEWHERE] = "elsewhere",
    };
    return names[category];
}

bool
time_category_is_blocked(time_category category)
{
    return category <= TIME_PINNED;
}
