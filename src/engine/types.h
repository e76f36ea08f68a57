// SPDX-License-Identifier: Apache-2.0

// types: the types that all folders of the engine share: a chunk as input, the options, the
// statistics, and the result. Their functions are in compact.h.
//
// Threads: any thread.
// Tests:   tests/unit/engine/test_variety.c

#pragma once

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_names.h"
#include "common/base/lp_slice.h"
#include "common/base/lp_vec.h"
#include "common/context/ctx_filter.h"
#include "common/context/ctx_record.h"
#include "common/context/ctx_recording.h"
#include "common/rollup/rollup.h"
#include "common/rollup/rollup_id.h"
#include "engine/damage.h"
#include "engine/reason.h"
#include "engine/request_losses.h"
#include "engine/request_reasons.h"
#include "policy/policy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct compact_interval compact_interval; // carry.h
typedef struct compact_merge compact_merge;       // merge.h
typedef struct compact_survey compact_survey;     // survey.h

// A chunk as it was recorded, and the data that was sent with it. Everything is borrowed.
typedef struct compact_source {
    lp_slice jfr;     // a chunk; jfr.len may differ from its header's chunkSize if it was cut off,
                      // never finished or damaged. The state byte is ignored
    lp_slice records; // context records (ctx_record.h), in their order
    const ctx_type *types; // context types that were registered
    size_t type_count;
    const ctx_recording *recordings; // maps of RecordingContexts
    size_t recording_count;
    const uint64_t *recordings_ended; // ids of maps with which no later record begins a context
    size_t recordings_ended_count;
    const ctx_filter *filters; // of the JVM
    size_t filter_count;
    // Set if earlier chunks need only the contextual events of this chunk
    // (compact_view_open_contexts). jfr is then empty.
    const compact_interval *intervals;
    size_t interval_count;
    const compact_merge *merge; // if several JVMs share the output file (merge.h), else NULL
    uint32_t merge_source;      // this JVM's number in the merge
} compact_source;

// The state that a chunk leaves for the next chunk of its session: open contexts, the times at
// which events were kept near its end, the registered context types, the clock.
typedef struct compact_carry compact_carry;

void compact_carry_destroy(compact_carry *carry); // NULL is fine

// compact_carry_save appends the carry-over as bytes. Any number of threads may save the same one.
LP_MUST_USE lp_err compact_carry_save(const compact_carry *carry, lp_buf *out);

// compact_carry_load loads a carry-over of this version. The caller ends it with
// compact_carry_destroy. Errors: LP_ECORRUPT and LP_EVERSION, with a problem; LP_ENOMEM
LP_MUST_USE lp_err compact_carry_load(
    lp_slice bytes, compact_carry **out_carry, lp_problem *out_problem);

// How the output shows contexts (docs/internals/elimination.md#context-styles).
typedef enum compact_context_style {
    COMPACT_STYLE_EVENTS, // as contextual events
    COMPACT_STYLE_FIELDS, // their attributes are fields of the events they apply to
    COMPACT_STYLE_REF,    // as constants; an event refers to those of the contexts that apply to it
} compact_context_style;
enum { COMPACT_STYLES = COMPACT_STYLE_REF + 1 };

// Their names, as users write them, in the order of the enumeration.
#define COMPACT_STYLE_NAMES "events", "fields", "ref"

// A loss in a chunk's input, which the caller reports.
typedef struct compact_loss {
    const char *kind; // UTF-8, as message
    uint64_t amount;
    const char *message; // where and why; may be empty
} compact_loss;

// A thread in a time, for compact_also.
typedef struct compact_also_thread {
    const char *name; // of the Java thread
    int64_t java_id;  // or its id; 0: only the name counts
    int64_t from_wall_ns;
    int64_t to_wall_ns; // inclusive
} compact_also_thread;

// What the output has besides what the policy keeps: all that happened to these (also.h).
typedef struct compact_also {
    const uint64_t *ids; // contexts with such an id: its hashes (rollup_id.h), ascending
    size_t id_count;
    const uint64_t *requests; // requests with such an id (requests.h), ascending
    size_t request_count;
    const compact_also_thread *threads;
    size_t thread_count;
    // One of requests or of threads: the statistics say whether the chunk has it. NULL: none.
    const uint64_t *asked_request;
    const compact_also_thread *asked_thread;
} compact_also;

typedef struct compact_options {
    const policy *policy;      // which events to keep; NULL: only the defaults
    const char *policy_source; // the setting `policy` (settings.c); NULL: the policy's path
    compact_refused refused;   // which damage makes the chunk an error
    bool has_settings; // also write the settings of the policy (settings.c); only with contexts
                       // as events and without merge
    bool has_sample_contexts; // types whose only thread is sampledThread get a last field
                              // eventThread: the JDK's tools find the contexts of an event by it
    bool has_rollup;          // compact_chunk makes statistics of all contexts (rollup, ids)
    bool has_traces;          // ids list those of traces; only with has_rollup
    bool has_requests;        // find requests (requests.h), unless events of the chunk list them
    bool has_ended; // no chunk follows nexts: if none of nexts can be read, the session ends
                    // with the chunk
    compact_context_style style;
    // Everything that was committed up to this long after the end of a chunk is known. Contextual
    // events that end later do not count; contexts of the API that end later count as open. 0: the
    // caller does not know. Then all contextual events of nexts count, and a context of the API
    // counts as open if it is open at the end of the chunk.
    int64_t known_ns;
    // The survey of all chunks of the file, for styles other than events; NULL: each chunk is a
    // file by itself.
    const compact_survey *survey;
    // NULL: nothing. Requests that count as kept, and the carry-over, are as without it. Not with
    // compact_view_open_chosen.
    const compact_also *also;
    const compact_loss *losses; // to write into the output
    size_t loss_count;
} compact_options;

// The counts of an event type of the chunk, in the order of the metadata. For a JFR event type,
// events_in = events_out + dropped; events_in includes samples of allocations that the engine made
// (schema.h).
//
// A context of the Loupe API counts in events_in in the chunk in which it began. It counts in
// events_out in the chunk that first has a part of it, or in dropped once it is certain that no
// chunk will.
typedef struct compact_type_stats {
    char *name;
    bool is_contextual;
    uint64_t events_in;
    uint64_t events_out;
    uint64_t bytes_in; // of its events, or of the records that began its contexts
    uint64_t bytes_out;
    compact_dropped dropped;
} compact_type_stats;

typedef enum compact_misfit_kind {
    COMPACT_MISFIT_PLAIN,
    COMPACT_MISFIT_CONTEXTUAL,
    COMPACT_MISFIT_OF_API, // settings for events on a context type of the API
    COMPACT_MISFIT_INDEX,  // context-index names an attribute that the type lacks
} compact_misfit_kind;

// A type with settings of the policy that do not apply to it.
typedef struct compact_misfit {
    char *name;
    compact_misfit_kind kind;
    char *attribute; // the first one that it lacks, for COMPACT_MISFIT_INDEX; else NULL
} compact_misfit;

typedef struct compact_stats {
    uint64_t events_in;    // includes contextual JFR events and samples that the engine made
    uint64_t events_out;   // excludes exported contexts of the Loupe API, and events with settings
                           // of the policy
    uint64_t contexts_in;  // contextual JFR events and contexts of the Loupe API that began
    uint64_t contexts_out; // contexts in the output. A context that spans chunks counts where it is
                           // first written
    compact_dropped events_dropped;   // of events_in, all that are not in events_out
    compact_dropped contexts_dropped; // of contextual JFR events and of contexts of the Loupe API
    uint64_t bytes_in;                // the chunk and its context records
    uint64_t bytes_out;
    uint64_t late_events; // committed before the chunk began
    // If events are selected by context: contextual events that began in an earlier chunk, which
    // was decided without them.
    uint64_t late_contexts;
    // Parts of contexts with kept events that cannot be written: the chunk does not describe their
    // thread, or their record is damaged. Includes damaged records of types that complete others.
    uint64_t contexts_lost;
    uint64_t unknown_events; // of a type that the metadata does not describe; not in the output
    uint64_t requests_in;    // requests whose end is known, each once
    uint64_t requests_out;   // requests of requests_in that are kept
    compact_request_reasons request_reasons;
    compact_request_losses request_losses;
    bool has_asked; // the chunk has what options->also asks for, a request or a thread
    int64_t start_wall_ns;
    int64_t duration_ns;
    size_t type_count;
    size_t type_capacity;
    compact_type_stats *types;      // context types of the Loupe API are types of their own
    lp_names names;                 // of the types of a total; types of one chunk may share a name
    LP_VEC(compact_misfit) misfits; // of all described types, even without events
} compact_stats;

typedef struct compact_result {
    lp_buf jfr; // one chunk, a valid JFR file by itself, if there are no pieces
    // The whole chunk in order, if the output may borrow bytes of the source (is_in_pieces of
    // frame.h). jfr owns the bytes that are not borrowed.
    LP_VEC(lp_slice) pieces;
    compact_stats stats;
    compact_carry *carry;
    compact_damage damage; // unreadable places of the chunk that were left out
    // Made by compact_chunk if options->has_rollup (docs/internals/storage.md#statistics), else
    // empty.
    rollup rollup;
    rollup_ids ids; // of traces and spans
} compact_result;
