// SPDX-License-Identifier: Apache-2.0
#include "support/jfr_sample.h"

#include "common/base/lp_assert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EVENT      "jdk.jfr.Event"
#define ANNOTATION "java.lang.annotation.Annotation"
#define SAMPLED_THREAD                                                                             \
    {                                                                                              \
        .name = "sampledThread", .type = JFR_SAMPLE_THREAD, .is_constant = true                    \
    }
#define STACK_TRACE                                                                                \
    {                                                                                              \
        .name = "stackTrace", .type = JFR_SAMPLE_STACK_TRACE, .is_constant = true                  \
    }
#define TEXT                                                                                       \
    {                                                                                              \
        .name = "text", .type = JFR_SAMPLE_STRING                                                  \
    }

static const jfr_build_type sample_types[] = {
    {.id = JFR_SAMPLE_BOOLEAN, .name = "boolean"},
    {.id = JFR_SAMPLE_INT, .name = "int"},
    {.id = JFR_SAMPLE_LONG, .name = "long"},
    {.id = JFR_SAMPLE_DOUBLE, .name = "double"},
    {.id = JFR_SAMPLE_STRING, .name = "java.lang.String"},
    {.id = JFR_SAMPLE_THREAD,
        .name = "java.lang.Thread",
        .fields = {{.name = "osName", .type = JFR_SAMPLE_STRING},
            {.name = "osThreadId", .type = JFR_SAMPLE_LONG},
            {.name = "javaName", .type = JFR_SAMPLE_STRING},
            {.name = "javaThreadId", .type = JFR_SAMPLE_LONG},
            {.name = "group", .type = JFR_SAMPLE_THREAD_GROUP, .is_constant = true}}},
    {.id = JFR_SAMPLE_THREAD_GROUP,
        .name = "jdk.types.ThreadGroup",
        .fields = {{.name = "parent", .type = JFR_SAMPLE_THREAD_GROUP, .is_constant = true},
            {.name = "name", .type = JFR_SAMPLE_STRING}}},
    {.id = JFR_SAMPLE_CLASS,
        .name = "java.lang.Class",
        .fields = {{.name = "name", .type = JFR_SAMPLE_SYMBOL, .is_constant = true},
            {.name = "modifiers", .type = JFR_SAMPLE_INT}}},
    {.id = JFR_SAMPLE_SYMBOL,
        .name = "jdk.types.Symbol",
        .is_simple = true,
        .fields = {{.name = "string", .type = JFR_SAMPLE_STRING}}},
    {.id = JFR_SAMPLE_METHOD,
        .name = "jdk.types.Method",
        .fields = {{.name = "type", .type = JFR_SAMPLE_CLASS, .is_constant = true},
            {.name = "name", .type = JFR_SAMPLE_SYMBOL, .is_constant = true},
            {.name = "hidden", .type = JFR_SAMPLE_BOOLEAN},
            {.name = "descriptor", .type = JFR_SAMPLE_SYMBOL, .is_constant = true}}},
    {.id = JFR_SAMPLE_STACK_FRAME,
        .name = "jdk.types.StackFrame",
        .fields = {{.name = "method", .type = JFR_SAMPLE_METHOD, .is_constant = true},
            {.name = "lineNumber", .type = JFR_SAMPLE_INT}}},
    {.id = JFR_SAMPLE_STACK_TRACE,
        .name = "jdk.types.StackTrace",
        .fields = {{.name = "truncated", .type = JFR_SAMPLE_BOOLEAN},
            {.name = "frames", .type = JFR_SAMPLE_STACK_FRAME, .is_array = true}}},
    {.id = JFR_SAMPLE_THREAD_STATE,
        .name = "jdk.types.ThreadState",
        .fields = {{.name = "name", .type = JFR_SAMPLE_STRING}}},
    {.id = JFR_SAMPLE_POINT,
        .name = "test.Point",
        .fields = {{.name = "x", .type = JFR_SAMPLE_DOUBLE},
            {.name = "name", .type = JFR_SAMPLE_STRING}}},
    {.id = JFR_SAMPLE_CONTEXTUAL, .name = "jdk.jfr.Contextual", .super = ANNOTATION},
    {.id = JFR_SAMPLE_TIMESTAMP,
        .name = "jdk.jfr.Timestamp",
        .super = ANNOTATION,
        .fields = {{.name = "value", .type = JFR_SAMPLE_STRING}}},
    {.id = JFR_SAMPLE_LABEL,
        .name = "jdk.jfr.Label",
        .super = ANNOTATION,
        .fields = {{.name = "value", .type = JFR_SAMPLE_STRING}}},
    {.id = JFR_SAMPLE_ENABLED, .name = "jdk.settings.Enabled", .super = "jdk.jfr.SettingControl"},
    {.id = JFR_SAMPLE_PLAIN,
        .name = "test.Plain",
        .super = EVENT,
        .setting = JFR_SAMPLE_ENABLED,
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION, JFR_SAMPLE_EVENT_THREAD, STACK_TRACE,
            TEXT}},
    {.id = JFR_SAMPLE_TRACE,
        .name = "test.Trace",
        .super = EVENT,
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION, JFR_SAMPLE_EVENT_THREAD,
            {.name = "traceId", .type = JFR_SAMPLE_STRING, .annotation = JFR_SAMPLE_CONTEXTUAL}}},
    {.id = JFR_SAMPLE_MARK,
        .name = "test.Mark",
        .super = EVENT,
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_EVENT_THREAD, TEXT}},
    {.id = JFR_SAMPLE_IDLE,
        .name = "test.Idle",
        .super = EVENT,
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION,
            {.name = "number", .type = JFR_SAMPLE_LONG}}},
    {.id = JFR_SAMPLE_EXECUTION,
        .name = "jdk.ExecutionSample",
        .super = EVENT,
        .fields = {JFR_SAMPLE_START_TIME, SAMPLED_THREAD, STACK_TRACE,
            {.name = "state", .type = JFR_SAMPLE_THREAD_STATE, .is_constant = true}}},
    {.id = JFR_SAMPLE_ODD,
        .name = "test.Odd",
        .super = EVENT,
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION,
            {.name = "point", .type = JFR_SAMPLE_POINT},
            {.name = "bits", .type = JFR_SAMPLE_BOOLEAN, .is_array = true},
            {.name = "names", .type = JFR_SAMPLE_SYMBOL, .is_array = true, .is_constant = true},
            {.name = "note", .type = JFR_SAMPLE_STRING}, JFR_SAMPLE_EVENT_THREAD}},
    {.id = JFR_SAMPLE_SPAN,
        .name = "test.Span",
        .super = EVENT,
        .annotation = JFR_SAMPLE_CONTEXTUAL,
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION, JFR_SAMPLE_EVENT_THREAD}},
    {.id = JFR_SAMPLE_UNUSED,
        .name = "test.Unused",
        .super = EVENT,
        .annotation = JFR_SAMPLE_LABEL,
        .annotation_value = "Unused",
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION,
            {.name = "place", .type = JFR_SAMPLE_POINT, .annotation = JFR_SAMPLE_CONTEXTUAL}}},
    {.id = JFR_SAMPLE_BOTH,
        .name = "test.Both",
        .super = EVENT,
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION, SAMPLED_THREAD,
            JFR_SAMPLE_EVENT_THREAD}},
};

static const size_t sample_type_count = sizeof(sample_types) / sizeof(sample_types[0]);
_Static_assert(sizeof(sample_types) <= JFR_SAMPLE_TYPES_MAX * sizeof(jfr_build_type),
    "the limit that callers know");

size_t
jfr_sample_types(jfr_build_type out_types[JFR_SAMPLE_TYPES_MAX])
{
    memcpy(out_types, sample_types, sizeof(sample_types));
    return sample_type_count;
}

void
jfr_sample_begin(jfr_build *build, int64_t start_ticks)
{
    jfr_build_begin(
        build, &(jfr_build_clock){.start_ticks = start_ticks,
                   .start_wall_ns = (int64_t)(1700000000000000000u + (uint64_t)start_ticks),
                   .duration_ns = 1000000000});
    jfr_build_metadata(build, 1, sample_types, sample_type_count);
}

void
jfr_sample_thread(jfr_build *build, uint64_t key, int64_t java_thread_id)
{
    char name[40];
    (void)snprintf(name, sizeof(name), "thread-%lld", (long long)java_thread_id);
    lp_buf *out = &build->payload;
    jfr_build_string(out, name);
    jfr_build_varint(out, 1000 + key);
    jfr_build_string(out, java_thread_id == 0 ? NULL : name);
    jfr_build_varint(out, (uint64_t)java_thread_id);
    jfr_build_varint(out, 0);
    jfr_build_constant(build, JFR_SAMPLE_THREAD, key);
}

void
jfr_sample_stack(jfr_build *build, uint64_t key)
{
    char name[40];
    lp_buf *out = &build->payload;
    lp_buf_append(out, "\0\2", 2); // not truncated, two frames
    for (uint64_t line = 1; line <= 2; line++) {
        jfr_build_varint(out, 1000 + key);
        jfr_build_varint(out, line);
    }
    jfr_build_constant(build, JFR_SAMPLE_STACK_TRACE, key);

    jfr_build_varint(out, 2000 + key);
    jfr_build_varint(out, 3000 + key);
    lp_buf_append(out, "\1", 1);
    jfr_build_varint(out, 5000 + key);
    jfr_build_constant(build, JFR_SAMPLE_METHOD, 1000 + key);

    jfr_build_varint(out, 4000 + key);
    jfr_build_varint(out, 0xffffffff); // -1 as an int
    jfr_build_constant(build, JFR_SAMPLE_CLASS, 2000 + key);

    (void)snprintf(name, sizeof(name), "method%llu", (unsigned long long)key);
    jfr_build_string(out, name);
    jfr_build_constant(build, JFR_SAMPLE_SYMBOL, 3000 + key);
    (void)snprintf(name, sizeof(name), "pack/Class%llu", (unsigned long long)key);
    jfr_build_string(out, name);
    jfr_build_constant(build, JFR_SAMPLE_SYMBOL, 4000 + key);
    jfr_build_string(out, "(I[Lpack/Class;)V");
    jfr_build_constant(build, JFR_SAMPLE_SYMBOL, 5000 + key);
}

void
jfr_sample_method(jfr_build *build, uint64_t key, const char *class_name, const char *method_name)
{
    lp_buf *out = &build->payload;
    jfr_build_varint(out, 12000 + key);
    jfr_build_varint(out, 13000 + key);
    lp_buf_append(out, "\0", 1); // not hidden
    jfr_build_varint(out, 15000 + key);
    jfr_build_constant(build, JFR_SAMPLE_METHOD, key);
    jfr_build_varint(out, 14000 + key);
    jfr_build_varint(out, 1);
    jfr_build_constant(build, JFR_SAMPLE_CLASS, 12000 + key);
    jfr_build_string(out, method_name);
    jfr_build_constant(build, JFR_SAMPLE_SYMBOL, 13000 + key);
    jfr_build_string(out, class_name);
    jfr_build_constant(build, JFR_SAMPLE_SYMBOL, 14000 + key);
    jfr_build_string(out, "()V");
    jfr_build_constant(build, JFR_SAMPLE_SYMBOL, 15000 + key);
}

size_t
jfr_sample_event(jfr_build *build, const jfr_sample *event)
{
    lp_buf *out = &build->payload;
    bool has_duration = event->type != JFR_SAMPLE_MARK && event->type != JFR_SAMPLE_EXECUTION;
    jfr_build_varint(out, (uint64_t)event->start);
    if (has_duration) {
        jfr_build_varint(out, (uint64_t)event->end - (uint64_t)event->start);
    }
    switch (event->type) {
    case JFR_SAMPLE_PLAIN:
        jfr_build_varint(out, event->thread);
        jfr_build_varint(out, event->stack);
        jfr_build_string(out, event->text);
        break;
    case JFR_SAMPLE_TRACE:
    case JFR_SAMPLE_MARK:
        jfr_build_varint(out, event->thread);
        jfr_build_string(out, event->text);
        break;
    case JFR_SAMPLE_IDLE:
        jfr_build_varint(out, 0);
        break;
    case JFR_SAMPLE_EXECUTION:
        jfr_build_varint(out, event->thread);
        jfr_build_varint(out, event->stack);
        jfr_build_varint(out, 0);
        break;
    case JFR_SAMPLE_ODD:
        lp_buf_append(out, "\x40\x09\x21\xfb\x54\x44\x2d\x18", 8); // pi
        jfr_build_string_latin1(out, "caf\xe9");
        lp_buf_append(out, "\3\1\0\1", 4); // bits
        lp_buf_append(out, "\0", 1);       // names
        jfr_build_string(out, event->text);
        jfr_build_varint(out, event->thread);
        break;
    case JFR_SAMPLE_SPAN:
        jfr_build_varint(out, event->thread);
        break;
    case JFR_SAMPLE_BOTH:
        jfr_build_varint(out, 0);
        jfr_build_varint(out, event->thread);
        break;
    default:
        (void)fprintf(
            stderr, "events of type %llu have no layout here\n", (unsigned long long)event->type);
        abort();
    }
    return jfr_build_event(build, event->type);
}

size_t
jfr_sample_trace(jfr_build *build, uint64_t thread, int64_t start, int64_t end, const char *id)
{
    return jfr_sample_event(build,
        &(jfr_sample){
            .type = JFR_SAMPLE_TRACE, .start = start, .end = end, .thread = thread, .text = id});
}

size_t
jfr_sample_mark(jfr_build *build, uint64_t thread, int64_t time)
{
    return jfr_sample_event(build,
        &(jfr_sample){.type = JFR_SAMPLE_MARK, .start = time, .thread = thread, .text = "m"});
}
