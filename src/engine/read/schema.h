// SPDX-License-Identifier: Apache-2.0
// schema: the event types of a chunk with the policy's settings, prepared for reading events. If
// the engine makes samples, the metadata has their type, even if the chunk does not describe it.
//
// A JVM repeats its metadata in every chunk; chunks with the same metadata share a schema.
//
// Threads: a schema never changes; any thread may use and release it.
// Tests:   tests/unit/engine/test_variety.c, tests/unit/engine/read/test_alloc.c,
//          tests/fuzz/fuzz_events.c
// Memory:  several times the size of the metadata events.

#pragma once

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

typedef enum compact_rule {
    COMPACT_RULE_NONE,       // the type is no event type
    COMPACT_RULE_DROP,       // disabled
    COMPACT_RULE_KEEP,       // by threshold alone
    COMPACT_RULE_LATER,      // by threshold, then select, filter and throttle
    COMPACT_RULE_CONTEXTUAL, // its events are contexts
} compact_rule;

// The field with an event's thread.
typedef enum compact_thread_field {
    COMPACT_THREAD_NONE,    // contexts do not apply to the event, and it triggers none
    COMPACT_THREAD_EVENT,   // eventThread
    COMPACT_THREAD_SAMPLED, // sampledThread
} compact_thread_field;

// The settings and layout of an event type.
typedef struct compact_plan {
    compact_rule rule;
    compact_thread_field thread_field;
    bool has_time;            // startTime is the first field
    bool has_duration;        // duration is the second field
    bool has_plain_head;      // time, duration and thread (those that it has) are adjacent
    bool is_disabled;         // enabled=false; if contextual, its events remain contexts
    bool is_misfit;           // a setting is not valid for its kind: plain or contextual
    bool is_unused;           // contextual: disabled, and no type selects by context
    bool is_part;             // fields of other types have this type, so it must not change
    bool is_kept_untriggered; // contextual: select=all
    bool is_installed;        // RecordingContexts that filters read (recorded.h)
    bool is_noted;            // plain: pauses and settings, for rollup_divide.c
    bool needs_context;       // plain: select=if-context
    policy_with_context with_context;
    const policy_filter *filter; // plain: borrowed from the policy, or NULL
    int64_t threshold_ticks;     // 0: none
    policy_throttle throttle;    // per_ns 0: none; disabled types have none
    jfr_program before_thread;   // skips the fields between time and thread
    jfr_program after_thread;    // the fields behind the thread, or behind the time
    jfr_program whole;
    jfr_program before_type_id; // skips the fields before the id of an event type
    bool has_type_id;
    bool is_asked;                     // one of the next three is set (worth_event.h)
    int64_t context_threshold_ticks;   // 0: none
    const policy_match *context_match; // borrowed from the policy, or NULL
    policy_throttle context_throttle;  // contextual; per_ns 0: none
    const policy_index *context_index; // contextual: borrowed from the policy, or NULL
    bool is_allocation;                // samples can be made of its events; uses the next three
    bool is_left;                      // its events remain beside their samples
    jfr_program sampled;               // the fields shared with a sample
    jfr_program before_bytes;          // the fields before the allocated bytes
    bool is_withheld;                  // dev.loupe.Withheld (index.c); uses the next two
    jfr_program before_type;           // the fields before the event type
    jfr_program before_count;          // the fields before the count
    bool is_special; // is_installed, is_noted, is_asked, is_allocation or is_withheld: rare
} compact_plan;

typedef struct compact_schema {
    atomic_uint uses;
    int64_t ticks_per_s;
    jfr_metadata metadata; // the part that the JDK can read (jfr_legible.h)
    compact_damage damage; // the part that the JDK cannot read, without offsets
    jfr_layout layout;
    uint32_t thread_type;    // index of java.lang.Thread, or JFR_NONE
    uint32_t sample_type;    // index of jdk.ObjectAllocationSample; JFR_NONE: no samples are made
    bool selects_by_context; // some type has select=if-context
    bool has_filters;        // some type has a filter
    bool throttles_plain;    // some plain type is throttled
    bool throttles_contexts; // some contextual type is throttled
    bool drops_requests;     // the policy drops requests with all their parts
    bool offers_untriggered; // some throttled contextual type has select=all
    bool asks_contexts;      // some type is_asked
    bool has_quotas;         // some type has a context_throttle
    compact_plan *plans;     // parallel to metadata.types
} compact_schema;

// compact_schema_make makes a schema of metadata events. Each of payloads is an event without size
// and type id. like may be NULL; if it was made of the same events and policy, *out_schema shares
// it.
//
// Owns:   the caller releases *out_schema; rules is borrowed until the last release.
// Errors: LP_ECORRUPT; LP_ENOMEM. *out_problem has an offset into payloads[*out_bad]. If the
//         metadata as a whole is bad, the problem has no offset, and *out_bad is count.
LP_MUST_USE lp_err compact_schema_make(const lp_slice *payloads, size_t count, int64_t ticks_per_s,
    const policy *rules, compact_schema *like, compact_schema **out_schema, size_t *out_bad,
    lp_problem *out_problem);

// compact_schema_hold adds a use and returns schema; compact_schema_release ends a use. Both accept
// NULL.
compact_schema *compact_schema_hold(compact_schema *schema);
void compact_schema_release(compact_schema *schema);

// compact_schema_check asserts that schema is complete and in use.
void compact_schema_check(const compact_schema *schema);

// compact_schema_is_like returns whether two schemas have the same metadata.
bool compact_schema_is_like(const compact_schema *schema, const compact_schema *other);

// compact_schema_ticks converts a threshold from nanoseconds to ticks. It rounds up, so that a
// duration reaches the threshold in ticks exactly if it reaches the threshold in nanoseconds.
int64_t compact_schema_ticks(const compact_schema *schema, int64_t ns);

// compact_schema_is_sample returns whether sampledThread is the only thread field of a type.
static inline bool
compact_schema_is_sample(const compact_schema *schema, uint32_t type)
{
    const compact_plan *plan = &schema->plans[type];
    return plan->thread_field == COMPACT_THREAD_SAMPLED && !plan->is_part;
}

// compact_schema_passes returns whether an event passes the settings that do not depend on
// contexts. Durations below 0 occur if CPUs disagree on the time; without a threshold they pass.
static inline bool
compact_schema_passes(const compact_plan *plan, int64_t duration_ticks)
{
    return !plan->is_disabled && (plan->threshold_ticks == 0 || !plan->has_duration ||
                                     duration_ticks >= plan->threshold_ticks);
}
