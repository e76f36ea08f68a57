// SPDX-License-Identifier: Apache-2.0
// jfr_sample: types, threads and events that tests of the engine have in common, laid out as
// HotSpot lays them out. Built on jfr_build.

#pragma once

#include "support/jfr_build.h"

// Type ids.
enum {
    JFR_SAMPLE_BOOLEAN = 4,
    JFR_SAMPLE_INT = 10,
    JFR_SAMPLE_LONG = 11,
    JFR_SAMPLE_DOUBLE = 12,
    JFR_SAMPLE_STRING = 20,
    JFR_SAMPLE_THREAD = 30,
    JFR_SAMPLE_THREAD_GROUP = 31,
    JFR_SAMPLE_CLASS = 32,
    JFR_SAMPLE_SYMBOL = 36,
    JFR_SAMPLE_METHOD = 37,
    JFR_SAMPLE_STACK_FRAME = 38,
    JFR_SAMPLE_STACK_TRACE = 39,
    JFR_SAMPLE_THREAD_STATE = 40,
    JFR_SAMPLE_POINT = 41, // a structure: x double, name String
    JFR_SAMPLE_CONTEXTUAL = 50,
    JFR_SAMPLE_TIMESTAMP = 51,
    JFR_SAMPLE_LABEL = 52, // an annotation that only test.Unused has
    JFR_SAMPLE_ENABLED = 60,
    JFR_SAMPLE_PLAIN = 101,     // startTime duration eventThread stackTrace text
    JFR_SAMPLE_TRACE = 102,     // contextual: startTime duration eventThread traceId
    JFR_SAMPLE_MARK = 103,      // startTime eventThread text
    JFR_SAMPLE_IDLE = 104,      // no thread: startTime duration number
    JFR_SAMPLE_EXECUTION = 105, // startTime sampledThread stackTrace state
    JFR_SAMPLE_ODD = 106,       // startTime duration point bits names note eventThread
    JFR_SAMPLE_SPAN = 107,      // contextual by its type: startTime duration eventThread
    JFR_SAMPLE_UNUSED = 108,    // contextual, no thread: startTime duration place
    JFR_SAMPLE_BOTH = 109,      // startTime duration sampledThread eventThread
};

// Fields that most events have.
#define JFR_SAMPLE_START_TIME                                                                      \
    {                                                                                              \
        .name = "startTime", .type = JFR_SAMPLE_LONG, .annotation = JFR_SAMPLE_TIMESTAMP,          \
        .annotation_value = "TICKS"                                                                \
    }
#define JFR_SAMPLE_DURATION                                                                        \
    {                                                                                              \
        .name = "duration", .type = JFR_SAMPLE_LONG                                                \
    }
#define JFR_SAMPLE_EVENT_THREAD                                                                    \
    {                                                                                              \
        .name = "eventThread", .type = JFR_SAMPLE_THREAD, .is_constant = true                      \
    }

enum { JFR_SAMPLE_TYPES_MAX = 40 };

// jfr_sample_types copies all types into out_types and returns how many there are.
size_t jfr_sample_types(jfr_build_type out_types[JFR_SAMPLE_TYPES_MAX]);

// jfr_sample_begin begins a chunk at start_ticks with the metadata; ticks are nanoseconds.
void jfr_sample_begin(jfr_build *build, int64_t start_ticks);

// jfr_sample_thread defines a thread; osThreadId is 1000 + key.
void jfr_sample_thread(jfr_build *build, uint64_t key, int64_t java_thread_id);

// jfr_sample_stack defines stack trace key with everything below it: two frames of one method of
// one class, all with keys made of key.
void jfr_sample_stack(jfr_build *build, uint64_t key);

// jfr_sample_method defines a method and its class, such as shop/Stock and take, with keys made of
// key, none of which is one of jfr_sample_stack.
void jfr_sample_method(
    jfr_build *build, uint64_t key, const char *class_name, const char *method_name);

// jfr_sample_event writes an event of one of the types with a thread, from start to end; fields
// that are not given are null, 0 or empty. For types with a text, text is it. Returns its offset.
typedef struct jfr_sample {
    uint64_t type;
    int64_t start;
    int64_t end; // not for types without duration
    uint64_t thread;
    uint64_t stack;
    const char *text;
} jfr_sample;
size_t jfr_sample_event(jfr_build *build, const jfr_sample *event);

// These write a context (test.Trace, with the traceId id) and an event in no time (test.Mark, with
// the text "m"), as jfr_sample_event does.
size_t jfr_sample_trace(
    jfr_build *build, uint64_t thread, int64_t start, int64_t end, const char *id);
size_t jfr_sample_mark(jfr_build *build, uint64_t thread, int64_t time);
