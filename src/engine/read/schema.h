// SPDX-License-Identifier: Apache-2.0
// schema: the event types of a chunk, with the policy's settings for them, made ready for reading
// events. Where samples of allocations are to be made (alloc.h), the metadata has their type,
// whether the chunk describes it or not.
//
// A JVM repeats the same metadata in every chunk: chunks with the same metadata share one schema.
//
// Threads: a schema never changes once it is made; any thread may use and release it.
// Tests:   tests/unit/engine/test_variety.c, tests/fuzz/fuzz_events.c
// Memory:  some times the size of the metadata events.

#ifndef LP_ENGINE_READ_SCHEMA_H
#define LP_ENGINE_READ_SCHEMA_H

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/jfr/jfr_layout.h"
#include "common/jfr/jfr_metadata.h"
#include "engine/damage.h"
#include "policy/policy.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// How the events of a type are decided.
typedef enum compact_rule {
    COMPACT_RULE_NONE,       // it is no event type
    COMPACT_RULE_DROP,       // disabled
    COMPACT_RULE_KEEP,       // by threshold alone
    COMPACT_RULE_LATER,      // by threshold, then by select, filter and throttle
    COMPACT_RULE_CONTEXTUAL, // they are contexts themselves
} compact_rule;

// Where the thread of an event type is.
typedef enum compact_thread_field {
    COMPACT_THREAD_NONE,    // no context applies to such events, and they trigger none
    COMPACT_THREAD_EVENT,   // field eventThread
    COMPACT_THREAD_SAMPLED, // field sampledThread
} compact_thread_field;

// The settings and the layout of an event type, worked out before its events are read.
typedef struct compact_plan {
    compact_rule rule;
    compact_thread_field thread_field;
    bool has_time;       // startTime is there, and first
    bool has_duration;   // and second
    bool has_plain_head; // the ones that are there of time, duration and thread lie side by side
    bool is_disabled;    // contextual events are contexts all the same
    bool is_misfit;      // some setting is not for its kind
    bool is_unused;      // of contextual types: is_disabled, and no type is selected by context
    bool is_part;        // fields of other types are of this type: it must stay as it is
    bool is_kept_untriggered; // of contextual types: select=all
    bool is_installed;        // RecordingContexts, at which filters look (recorded.h)
    bool is_noted;      // of others: pauses and settings, where time is divided (rollup_divide.h)
    bool needs_context; // of others: select=if-context
    policy_with_context with_context;
    const policy_filter *filter; // of others, or NULL; the policy's
    int64_t threshold_ticks;     // 0: none
    policy_throttle throttle;    // per_ns 0: none, as always in types that are disabled
    jfr_program before_thread;   // reads the fields between time and thread
    jfr_program after_thread;    // the fields behind the thread, or the time where there is none
    jfr_program whole;
    jfr_program before_type_id; // up to a field that holds the id of an event type, if there is one
    bool has_type_id;
    bool is_asked;                     // one of the next three is set (worth_event.h)
    int64_t context_threshold_ticks;   // 0: none
    const policy_match *context_match; // or NULL; the policy's
    policy_throttle context_throttle;  // of contextual types (context_throttle.h); per_ns 0: none
    const policy_index *context_index; // of the same, or NULL; the policy's
    bool is_allocation;       // samples can be made of the events; the next three are for that
    bool is_left;             // the events themselves are left where samples are made of them
    jfr_program sampled;      // the fields that a sample has as well
    jfr_program before_bytes; // the fields before the number of bytes that were allocated
    bool is_withheld;         // dev.loupe.Withheld (withheld.h); the next two are for it
    jfr_program before_type;  // the fields before the event type
    jfr_program before_count; // and before the number
    bool is_special; // is_installed, is_noted, is_asked, is_allocation or is_withheld: rare among
                     // all events
} compact_plan;

typedef struct compact_schema {
    atomic_uint uses;
    int64_t ticks_per_s;
    jfr_metadata metadata; // the part that the JDK can read (jfr_legible.h)
    compact_damage damage; // notes on the rest, without offsets
    jfr_layout layout;
    uint32_t thread_type;    // index of java.lang.Thread in metadata.types, or JFR_NONE
    uint32_t sample_type;    // of jdk.ObjectAllocationSample; JFR_NONE: no samples are made
    bool selects_by_context; // some type is selected by context
    bool has_filters;        // some type has a filter
    bool throttles_plain;    // some type that is not contextual is throttled
    bool throttles_contexts; // some contextual type is throttled
    bool drops_requests;     // the policy drops requests, with what happened in them
    bool offers_untriggered; // some such type is kept without a trigger, but for the throttle
    bool asks_contexts;      // some type is_asked
    bool has_quotas;         // some type has a context_throttle
    compact_plan *plans;     // parallel to metadata.types
} compact_schema;

// compact_schema_make makes a schema from metadata events; a payload is an event without its size
// and type id. like is a schema of the same policy, or NULL: where it was made from the same
// events, it is shared.
//
// Owns:   the caller ends *out_schema with compact_schema_release; rules is borrowed until the last
//         use of it ends.
// Errors: LP_ECORRUPT with an offset into payloads[*out_bad]; where *out_bad is count, the metadata
//         as a whole is at fault, and there is no offset. LP_ENOMEM
LP_MUST_USE lp_err compact_schema_make(const lp_slice *payloads, size_t count, int64_t ticks_per_s,
    const policy *rules, compact_schema *like, compact_schema **out_schema, size_t *out_bad,
    lp_problem *out_problem);

// compact_schema_hold counts one more use of schema, which compact_schema_release ends, and returns
// schema. NULL is fine for both.
compact_schema *compact_schema_hold(compact_schema *schema);
void compact_schema_release(compact_schema *schema);

// compact_schema_is_like returns whether two schemas describe the same types.
bool compact_schema_is_like(const compact_schema *schema, const compact_schema *other);

// compact_schema_ticks returns a length of time in ticks, rounded up: a duration in ticks is at or
// over it exactly where the same duration in nanoseconds is at or over ns.
int64_t compact_schema_ticks(const compact_schema *schema, int64_t ns);

// compact_schema_is_sample returns whether events of a type have a thread in sampledThread only.
static inline bool
compact_schema_is_sample(const compact_schema *schema, uint32_t type)
{
    const compact_plan *plan = &schema->plans[type];
    return plan->thread_field == COMPACT_THREAD_SAMPLED && !plan->is_part;
}

// compact_schema_passes returns whether an event passes the settings that need no context.
static inline bool
compact_schema_passes(const compact_plan *plan, int64_t duration_ticks)
{
    // Durations below 0 happen, where CPUs disagree on the time. They are no reason to drop an
    // event of a type without threshold.
    return !plan->is_disabled && (plan->threshold_ticks == 0 || !plan->has_duration ||
                                     duration_ticks >= plan->threshold_ticks);
}

#endif // LP_ENGINE_READ_SCHEMA_H
