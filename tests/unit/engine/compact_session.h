// SPDX-License-Identifier: Apache-2.0
// compact_session: a session of chunks. Each event is marked: it must be in the output or not.
//
// session_run compacts it, once with carry-overs passed on and once with each saved and loaded in
// between, and expects the same bytes. It expects exactly the marked events in each output, with
// the same fields. Keys that nothing describes are null there, except threads.
//
// Threads with the keys 1 to 4 are there in every chunk, with the Java thread ids 1 to 4.

#pragma once

#include "support/compact_run.h"
#include "support/jfr_read.h"
#include "support/jfr_sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { SESSION_CHUNKS_MAX = 5 };

// Context types, all of them registered with the first chunk: "tracer" with the String "id",
// "order" with the long "number", RecordingContexts; and the roots of their requests and
// hand-overs.
enum {
    SESSION_TRACER = 1,
    SESSION_ORDER,
    SESSION_RECORDING,
    SESSION_ROOT,
    SESSION_HAND_OVER,
    SESSION_TYPES = SESSION_HAND_OVER,
};
extern const ctx_type session_types[SESSION_TYPES];

typedef struct session {
    jfr_build chunks[SESSION_CHUNKS_MAX];
    lp_buf records[SESSION_CHUNKS_MAX];
    const ctx_type *types[SESSION_CHUNKS_MAX]; // registered with the chunk: all in the first
    size_t type_count[SESSION_CHUNKS_MAX];
    const ctx_recording *recordings[SESSION_CHUNKS_MAX]; // that came with the chunk
    size_t recording_count[SESSION_CHUNKS_MAX];
    const uint64_t *recordings_ended[SESSION_CHUNKS_MAX];
    size_t recordings_ended_count[SESSION_CHUNKS_MAX];
    const ctx_filter *filters[SESSION_CHUNKS_MAX];
    size_t filter_count[SESSION_CHUNKS_MAX];
    size_t count;
    policy *rules;
    int64_t known_ns;  // compact_options, and so is
    bool has_requests; // the events that say which there are are not compared
    const compact_also *also;
    LP_VEC(struct session_event {
        size_t chunk;
        size_t offset;
        bool is_kept;
    })
    events;
    compact_result results[SESSION_CHUNKS_MAX]; // these are there after session_run
    jfr_read outputs[SESSION_CHUNKS_MAX];
    bool has_run;
} session;

// KEPT and GONE mark whether an event must be in the output.
typedef enum session_fate { GONE, KEPT } session_fate;

session *session_create(void);
void session_destroy(session *s);

// session_rules gives the session a policy: what stands within <configuration> of a .jfc file.
void session_rules(session *s, const char *events);

// session_chunk begins the next chunk.
void session_chunk(session *s, int64_t start_ticks);
jfr_build *session_build(session *s); // of the chunk that is being made

// session_event_of adds any event; the others are the most usual ones.
void session_event_of(session *s, session_fate fate, const jfr_sample *event);
void session_trace(session *s, session_fate fate, int64_t start, int64_t end, uint64_t thread);
void session_mark(session *s, session_fate fate, int64_t time, uint64_t thread);
void session_plain(session *s, session_fate fate, int64_t start, int64_t end, uint64_t thread);

// Records of a context: of "tracer", with the value given.
void session_set(session *s, int64_t time, int64_t thread, const char *value);
void session_unset(session *s, int64_t time, int64_t thread);
void session_thread_end(session *s, int64_t time, int64_t thread);

// Of another type, whose attribute is a number.
void session_set_number(session *s, int64_t time, int64_t thread, uint16_t type, int64_t number);
void session_unset_type(session *s, int64_t time, int64_t thread, uint16_t type);

// Of a RecordingContext, with the id of its map.
void session_install(session *s, int64_t time, int64_t thread, int64_t map_id);
void session_uninstall(session *s, int64_t time, int64_t thread);
void session_install_for(
    session *s, int64_t time, int64_t thread, int64_t map_id, uint64_t request);

// Of the root of a request with an id of the API, and of a task that a thread takes.
void session_root(session *s, int64_t time, int64_t thread, uint64_t request, bool is_end);
void session_take(session *s, int64_t time, int64_t thread, int64_t from, int64_t handed);

// session_define borrows maps that come with the chunk that is being made. SESSION_VALUE is a value
// in one.
void session_define(session *s, const ctx_recording *maps, size_t count);
#define SESSION_VALUE(literal)                                                                     \
    {                                                                                              \
        (const uint8_t *)(literal), sizeof(literal) - 1                                            \
    }

void session_run(session *s);

// session_expect_parts compares the contexts of the Loupe API in an output with a text like
// "#1 5..9 @1 id=\"a\", #2 ...": id, begin, end, Java thread id, values; in the order of the text.
void session_expect_parts(session *s, size_t chunk, const char *want);

// A cmocka test that gets a session as its state, and its teardown.
int session_setup(void **state);
int session_teardown(void **state);
#define SESSION_TEST(f) cmocka_unit_test_setup_teardown(f, session_setup, session_teardown)
