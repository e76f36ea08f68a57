// SPDX-License-Identifier: Apache-2.0
// style_rig: a session of chunks, what came of it in a context style, and how a test reads that.
//
// A chunk has the types of jfr_sample.h and those that the test adds, and the thread 1. A rig is
// the state of a cmocka test.

#pragma once

#include "support/compact_run.h"
#include "support/ctx_build.h"
#include "support/jfr_read.h"
#include "support/jfr_sample.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STYLE_RIG_EVENT "jdk.jfr.Event"
#define STYLE_RIG_START_TIME                                                                       \
    {                                                                                              \
        .name = "startTime", .type = JFR_SAMPLE_LONG                                               \
    }
#define STYLE_RIG_DURATION                                                                         \
    {                                                                                              \
        .name = "duration", .type = JFR_SAMPLE_LONG                                                \
    }
#define STYLE_RIG_EVENT_THREAD                                                                     \
    {                                                                                              \
        .name = "eventThread", .type = JFR_SAMPLE_THREAD, .is_constant = true                      \
    }
#define STYLE_RIG_CONTEXTUAL .annotation = JFR_SAMPLE_CONTEXTUAL

enum {
    STYLE_RIG_CHUNKS_MAX = 4,
    STYLE_RIG_OWN_TYPES_MAX = 100,
    STYLE_RIG_CONTEXT_TYPES_MAX = 2,
    STYLE_RIG_OWN = 500
};

typedef struct style_rig {
    jfr_build chunks[STYLE_RIG_CHUNKS_MAX];
    lp_buf records[STYLE_RIG_CHUNKS_MAX];
    size_t count;
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX + STYLE_RIG_OWN_TYPES_MAX];
    size_t type_count;
    ctx_type context_types[STYLE_RIG_CONTEXT_TYPES_MAX];
    size_t context_type_count;
    bool has_sample_contexts;
    bool is_unsurveyed; // each chunk says itself which contexts there are
    bool is_damaged;
    policy *rules; // NULL: none
    compact_result results[STYLE_RIG_CHUNKS_MAX];
    jfr_read outputs[STYLE_RIG_CHUNKS_MAX];
    bool has_run;
} style_rig;

int style_rig_setup(void **state);
int style_rig_teardown(void **state);
#define STYLE_RIG_TEST(test)                                                                       \
    cmocka_unit_test_setup_teardown(test, style_rig_setup, style_rig_teardown)

void style_rig_add_type(style_rig *f, jfr_build_type type);

// style_rig_add_context_type registers a type of contexts of the API with the first chunk. It has
// an attribute of this kind, and no labels or descriptions. The texts are borrowed.
ctx_type *style_rig_add_context_type(style_rig *f, char *name, ctx_kind kind, char *attribute);

// style_rig_begin_chunk begins a chunk with all types; thread 1 is there.
jfr_build *style_rig_begin_chunk(style_rig *f, int64_t start);

// style_rig_begin_event writes startTime, duration and eventThread of thread 1.
lp_buf *style_rig_begin_event(jfr_build *build, int64_t start, int64_t end);

// style_rig_run makes the results and the outputs, which stay until it runs again.
void style_rig_run(style_rig *f, compact_context_style style);

// style_rig_event_of finds the number-th event of a type.
const jfr_read_event *style_rig_event_of(const jfr_read *read, const char *type, size_t number);

// style_rig_key_in returns the key of the constant to which a field refers.
uint64_t style_rig_key_in(const jfr_read *read, const jfr_read_event *event, const char *field);

// style_rig_assert_field expects a value, as jfr_read_value writes it.
void style_rig_assert_field(
    const jfr_read *read, const jfr_read_event *event, const char *field, const char *want);

// style_rig_assert_fields expects the names of a type's fields, with spaces between them.
void style_rig_assert_fields(const jfr_read *read, const char *type, const char *want);
