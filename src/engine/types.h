// SPDX-License-Identifier: Apache-2.0

// types: the ground that all rooms of the engine stand on: one chunk as it comes in, the options,
// the statistics, and what comes out. Functions that work on them are in compact.h.
//
// Threads: any thread; values without a state of their own.
// Tests:   tests/unit/engine/test_variety.c

#ifndef LP_ENGINE_TYPES_H
#define LP_ENGINE_TYPES_H

#include "common/base/lp_buf.h"
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

// One chunk as it was recorded. Everything is borrowed.
typedef struct compact_source {
    lp_slice jfr;     // a chunk. Its header's chunkSize is jfr.len, unless it was cut off, never
                      // finished or damaged. The state byte is ignored
    lp_slice records; // context records (ctx_record.h) that came with the chunk, in their order
    const ctx_type *types; // context types that were registered with the chunk
    size_t type_count;
    const ctx_recording *recordings; // maps of RecordingContexts that came with the chunk, and the
    size_t recording_count;          // ids of those that no later record begins
    const uint64_t *recordings_ended;
    size_t recordings_ended_count;
    const ctx_filter *filters; // of the JVM that came with the chunk
    size_t filter_count;
    // Of a chunk that is only there for those before it, in place of jfr, which is empty then: what
    // these need of its contextual events (compact_view_open_contexts).
    const compact_interval *intervals;
    size_t interval_count;
    // Where the output goes into one file with those of other JVMs: what all of them have in
    // common (merge.h), else NULL; and which of the JVMs this is.
    const compact_merge *merge;
    uint32_t merge_source;
} compact_source;

// What one chunk leaves for the next of its session: contexts that are still open, the moments at
// which events were kept near the border, the registered context types, the clock.
typedef struct compact_carry compact_carry;

// compact_carry_destroy frees carry; NULL is fine.
void compact_carry_destroy(compact_carry *carry);

// How the output has contexts (docs/internals/context-styles.md).
typedef enum compact_context_style {
    COMPACT_STYLE_EVENTS, // as contextual events
    COMPACT_STYLE_FIELDS, // their attributes are fields of the events they apply to
    COMPACT_STYLE_REF,    // as constants, to which these events refer
} compact_context_style;
enum { COMPACT_STYLES = COMPACT_STYLE_REF + 1 };

// Their names, as users write them, in this order.
#define COMPACT_STYLE_NAMES "events", "fields", "ref"

// What the input of a chunk lacks, as the caller knows it.
typedef struct compact_loss {
    const char *kind; // UTF-8, as message
    uint64_t amount;
    const char *message; // where and why; may be empty
} compact_loss;

typedef struct compact_options {
    const policy *policy;      // which events to keep; NULL: defaults alone
    const char *policy_source; // whose it is, for settings.h; NULL: it is of the file of its path
    compact_refused refused;   // what damage makes the chunk an error
    bool has_settings; // write the settings of the policy, too (settings.h); with contexts as
                       // events and without merge only
    bool has_sample_contexts; // types that name their thread sampledThread alone get a last field
                              // eventThread, by which the JDK's tools find the contexts of an event
    bool has_rollup;          // compact_chunk makes statistics of all contexts (rollup, ids)
    bool has_requests;        // find requests (requests.h), unless the chunk has events that say
                              // which there are
    bool has_ended; // no chunk follows those of nexts: if none of these can be read, the session
                    // ends with the chunk
    compact_context_style style;
    // So far behind the end of a chunk all is known that was committed, and what was committed
    // later does not count as a context. 0: nobody waited for that. Then all contextual events
    // count that are there, and a context of the API that is open where the chunk ends counts as
    // open.
    int64_t known_ns;
    // Of all chunks of the file, for other styles than events; NULL: each is a file by itself.
    const compact_survey *survey;
    const compact_loss *losses; // that the output is to say
    size_t loss_count;
} compact_options;

// Per event type of the chunk, in the order of the metadata. Of a JFR event type,
// events_in = events_out + dropped; samples of allocations that were made (schema.h) are in
// events_in as if they had been in the chunk. A context of the Loupe API is in events_in where it
// began, in events_out where it was first written, and in dropped where it turned out that it never
// will be: these two account for every context but those that are still open.
typedef struct compact_type_stats {
    char *name;
    bool is_contextual;
    uint64_t events_in;
    uint64_t events_out;
    uint64_t bytes_in; // of its events alone
    uint64_t bytes_out;
    compact_dropped dropped;
} compact_type_stats;

typedef enum compact_misfit_kind {
    COMPACT_MISFIT_PLAIN,
    COMPACT_MISFIT_CONTEXTUAL,
    COMPACT_MISFIT_OF_API, // what is for events alone
    COMPACT_MISFIT_INDEX,  // context-index has an attribute that it has not
} compact_misfit_kind;

// A type for which the policy has settings that are not for it.
typedef struct compact_misfit {
    char *name;
    compact_misfit_kind kind;
    char *attribute; // the first that it has not, of COMPACT_MISFIT_INDEX; NULL of others
} compact_misfit;

typedef struct compact_stats {
    uint64_t events_in;    // all, contextual JFR events and samples that were made included
    uint64_t events_out;   // all in the output, excluded exported contexts of the Loupe API, and
                           // events with settings of the policy
    uint64_t contexts_in;  // contextual JFR events and contexts of the Loupe API that began
    uint64_t contexts_out; // of those, how many are in the output. A context that spans chunks
                           // counts where it is first written
    compact_dropped events_dropped;   // of events_in, all that are not in events_out
    compact_dropped contexts_dropped; // of contextual JFR events and of contexts of the Loupe API
    uint64_t bytes_in;                // the chunk and its context records
    uint64_t bytes_out;
    uint64_t late_events;    // committed before the chunk began
    uint64_t late_contexts;  // contextual events that began in a chunk that was decided without
                             // them, where events are selected by context
    uint64_t contexts_lost;  // parts of contexts that were triggered and cannot be written: the
                             // chunk does not describe their thread, or their record is damaged;
                             // and damaged records of types that complete others
    uint64_t unknown_events; // of a type that the metadata does not describe; not in the output
    uint64_t requests_in;    // that are known to be over, each once
    uint64_t requests_out;   // of those, how many are kept
    compact_request_reasons request_reasons;
    compact_request_losses request_losses;
    int64_t start_wall_ns;
    int64_t duration_ns;
    size_t type_count;
    size_t type_capacity;
    compact_type_stats *types;      // contexts of the Loupe API are types of their own here
    lp_names names;                 // of the types of a total; those of a chunk may share theirs
    LP_VEC(compact_misfit) misfits; // of all that are described, if only by a chunk without events
} compact_stats;

typedef struct compact_result {
    lp_buf jfr; // one chunk, a valid JFR file by itself, if there are no pieces
    // All of the chunk, in order, where it may have bytes of the source as they lie there
    // (frame.h); jfr owns the others.
    LP_VEC(lp_slice) pieces;
    compact_stats stats;
    compact_carry *carry;
    compact_damage damage; // what of the chunk was left out, since it cannot be read
    // Of compact_chunk, where options want them (has_rollup; docs/internals/rollup.md), else empty.
    rollup rollup;
    rollup_ids ids; // of traces and spans
} compact_result;

#endif // LP_ENGINE_TYPES_H
