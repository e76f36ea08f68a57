// SPDX-License-Identifier: Apache-2.0
// naive: random sessions of many seconds, with bursts and with contexts that last from no time to
// all of it, which can be cut into chunks anywhere; and whether what was kept of one is what
// docs/internals/elimination.md says. The judge knows no chunks, and is quadratic.
//
// What a sampler chooses is read from the output: it is right if everything that needs no sampler
// is, if it chose among what passed everything else, and if it chose as many as it may.
//
// Of a session only this is fixed: an event is stored less than a second late, or a fifth of one
// early, and no two are committed at the same tick.

#pragma once

#include "support/jfr_read.h"

#include "common/base/lp_buf.h"
#include "common/context/ctx_record.h"
#include "engine/compact.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NAIVE_EVENTS_MAX = 300,
    NAIVE_RECORDS_MAX = 40,
    NAIVE_CHUNKS_MAX = 40,
    NAIVE_CUTS = 3,
    NAIVE_THREADS = 3,
    NAIVE_SECONDS_MAX = 150,
};

typedef enum naive_type {
    NAIVE_PLAIN, // test.Plain, which the policy may call contextual
    NAIVE_MARK,  // test.Mark, without a duration
    NAIVE_TRACE, // test.Trace, contextual
    NAIVE_TRACER,
    NAIVE_ORDER, // these two are of the Java API
    NAIVE_TYPES,
} naive_type;

// What the policy says of a type. Times are in ticks.
typedef struct naive_rules {
    bool is_disabled;
    bool is_contextual;
    policy_select select;
    int64_t threshold;
    policy_throttle throttle;
    int64_t context_threshold;
    policy_throttle context_throttle; // then everything that it chooses is kept for certain
} naive_rules;

typedef struct naive_event {
    naive_type type;
    uint64_t thread;
    int64_t begin;
    int64_t commit;
    int64_t late; // it is stored so many ticks after its commit: where a chunk ends, just before
    size_t number;
    bool is_kept;
} naive_event;

typedef struct naive_record {
    ctx_record_kind kind;
    naive_type type;
    uint64_t thread;
    int64_t time;
    int64_t late; // it comes with the chunk of that time; those of a thread come in order
    size_t number;
} naive_record;

// A context of the Java API, put together from the records.
typedef struct naive_context {
    naive_type type;
    uint64_t thread;
    int64_t begin;
    int64_t end;   // INT64_MAX: it has none
    size_t number; // of the record that begins it
    bool is_kept;
} naive_context;

typedef struct naive_cut {
    int64_t borders[NAIVE_CHUNKS_MAX]; // where each chunk begins; the first is 0
    size_t count;
} naive_cut;

typedef struct naive {
    naive_event events[NAIVE_EVENTS_MAX];
    size_t event_count;
    naive_record records[NAIVE_RECORDS_MAX]; // in the order of their times
    size_t record_count;
    naive_context contexts[NAIVE_RECORDS_MAX];
    size_t context_count;
    naive_rules rules[NAIVE_TYPES];
    int64_t ticks;
    int64_t ticks_per_s;
    int64_t wall_ns; // of tick 0
    naive_cut cuts[NAIVE_CUTS];
    char policy[4096];
} naive;

// Which settings the policy of a session may have.
typedef struct naive_settings {
    bool has_records; // of the Java API
    bool selects_by_context;
    bool has_thresholds; // context-threshold
    bool throttles_plain;
    bool throttles_contextual;
    bool throttles_contexts; // context-throttle
    bool has_long_units;     // m and h as well
} naive_settings;

// naive_make makes a session; s is zeroed before.
void naive_make(naive *s, const naive_settings *settings, uint64_t *chance);

// naive_put_together makes the contexts of the records, and the text of the policy.
void naive_put_together(naive *s);

// naive_is_valid returns whether each context of the API that is sampled shows if it is chosen.
bool naive_is_valid(const naive *s);

// A session as chunks.
typedef struct naive_chunks {
    lp_buf jfr[NAIVE_CHUNKS_MAX];
    lp_buf records[NAIVE_CHUNKS_MAX];
    compact_source sources[NAIVE_CHUNKS_MAX];
    size_t needed[NAIVE_CHUNKS_MAX]; // how many chunks behind one may matter to it
    size_t count;
} naive_chunks;

// naive_build makes the chunks of a cut; the caller ends them with naive_chunks_fini.
void naive_build(const naive *s, const naive_cut *cut, naive_chunks *out);
void naive_chunks_fini(naive_chunks *chunks);

// naive_take notes what was kept. False if there is what was not in the session, or twice, or in
// another chunk.
bool naive_take(naive *s, const naive_cut *cut, const jfr_read *outputs);

// naive_is_right judges what was kept.
bool naive_is_right(const naive *s);

// naive_say prints why a session is not right, unless naive_is_quiet.
extern bool naive_is_quiet;
void naive_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

// naive_print says what a session is.
void naive_print(const naive *s);

// naive_chunk_at returns the chunk of a cut in which a time lies.
size_t naive_chunk_at(const naive_cut *cut, int64_t time);

// naive_unit returns the unit of a rate in which a time lies.
int64_t naive_unit(const naive *s, policy_throttle rate, int64_t time);
