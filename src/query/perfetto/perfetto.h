// SPDX-License-Identifier: Apache-2.0
// perfetto: a selection of requests or contexts as a trace for Perfetto (https://ui.perfetto.dev).
//
//   process      a JVM
//     requests   the requests, from begin to end, with their attributes
//     THREAD     a track for each thread, also virtual ones: the stretches in which it worked for a
//                request (stays), in them the contexts, in these the events with their stack traces
//     JVM pauses
//
// A stay that is as long as a context of its request is drawn as the context. Bars of a track that
// cross are on further tracks of the same name (bars.h).
//
// Arrows:
//
//   from the thread that handed a task over to the one that took it; both ends are named
//   dev.loupe.HandOver
//   from a request to one of the same trace in another JVM (calls.h); the ends are named call and
//   called. Only outermost contexts have them
//
// Events have no fields. A thread without a name has the track "thread ID", one without an
// id either "unknown thread". Times are wall times in ns; each request is shown by one clock, that
// of the chunk in which it began.
//
// Usage: query_perfetto_begin; a question that query_perfetto_prepare prepared;
// query_perfetto_finish; query_perfetto_fini.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/perfetto/test_perfetto.c, tests/e2e/ask_requests.py
// Memory:  128 bytes for each bar of a JVM, at most QUERY_PERFETTO_BARS_MAX; their further fields,
//          at most QUERY_PERFETTO_MORE_BYTES_MAX; 48 for each track of a JVM and 24 in a table; 40
//          for each request with a trace, at most QUERY_PERFETTO_CALLS_MAX; stacks.h, attributes.h
//          and packets.h.

#pragma once

#include "query/perfetto/calls.h"
#include "query/perfetto/packets.h"
#include "query/run/run.h"

enum {
    QUERY_PERFETTO_BARS_MAX = 1 << 20,        // of a JVM; further bars are left out
    QUERY_PERFETTO_MORE_BYTES_MAX = 64 << 20, // of a JVM; further bars have no attributes
    QUERY_PERFETTO_CALLS_MAX = 1 << 20,       // further requests have no arrows between JVMs
};

// The caller's choices. Everything is borrowed.
typedef struct query_perfetto_wish {
    void (*name_process)(const void *arg, uint32_t source, lp_buf *out); // appends a JVM's name
    const void *process_arg;
    lp_err (*on_bytes)(void *arg, lp_slice bytes); // gets the file, piece by piece
    // NULL, or is called now and then while a JVM is written. An error ends that: nobody needs the
    // trace.
    lp_err (*look)(void *arg);
    void *arg;
} query_perfetto_wish;

typedef struct query_perfetto {
    bool is_truncated; // valid once it is finished
    query_packets packets;

    // Private:
    query_perfetto_wish wish;
    query_names *names;
    query_stacks stacks;
    query_attributes attributes;
    struct query_perfetto_words { // numbers of names
        uint32_t request;
        uint32_t stay;
        uint32_t context;
        uint32_t hand_over;
        uint32_t call;
        uint32_t called;
        uint32_t categories[TIME_CATEGORY_COUNT];
    } words;
    uint64_t arrows; // so far
    uint64_t left_out;
    uint32_t jvms;
    LP_VEC(query_call) calls;

    // Of the JVM at hand:
    bool has_session;
    uint32_t session; // its first source
    uint64_t process; // its track
    uint32_t answers;
    LP_VEC(query_bar) bars;
    LP_VEC(struct query_perfetto_step {
        int64_t wall_ns;
        uint32_t order; // of steps at the same time
        uint32_t bar;   // index
        uint16_t lane;
        uint8_t kind; // query_bar_step
    })
    steps; // once all bars are known
    lp_buf more;
    LP_VEC(struct query_perfetto_track {
        uint64_t thread;        // identity, or a private one
        uint32_t name;          // its number
        LP_VEC(uint64_t) lanes; // uuids
    })
    tracks;
    lp_map track_of; // by thread
    lp_map pauses;   // a set: those that have a bar, by chunk and offset
} query_perfetto;

// query_perfetto_begin makes an empty trace. Borrows names, and what wish refers to, until
// query_perfetto_fini.
query_perfetto query_perfetto_begin(const query_perfetto_wish *wish, query_names *names);
void query_perfetto_fini(query_perfetto *perfetto);

// query_perfetto_prepare makes question, of requests or contexts, ask for rows, parts, stack traces
// and attributes. perfetto stays at its place from then on.
void query_perfetto_prepare(query_perfetto *perfetto, query_question *question);

// query_perfetto_add adds a request or a context to perfetto, a query_perfetto. Pass it as
// on_context of a prepared question. It writes a JVM once the next one begins. Errors: LP_ENOMEM;
// errors of on_bytes
LP_MUST_USE lp_err query_perfetto_add(void *perfetto, const query_answer *answer);

// query_perfetto_finish writes the last JVM and the arrows between JVMs. Call it once. If no answer
// was added, nothing is written. Errors: as query_perfetto_add
LP_MUST_USE lp_err query_perfetto_finish(query_perfetto *perfetto);
