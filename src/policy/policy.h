// SPDX-License-Identifier: Apache-2.0

// policy: which events to keep, by event type; read from a .jfc file.
//
// The file has the JDK's format (<configuration><event name="..."><setting name="...">), with
// Loupe's settings added. The JVM has these settings, too:
//
//   enabled     true, false
//   threshold   a JFR timespan: a whole number and ns, us, ms, s, m, h or d ("20 ms"); "infinity"
//   throttle    off, or a rate: a whole number, / and ns, us, ms, s, m, h or d ("100/s")
//
// Only Loupe has these:
//
//   select      all, if-context, if-triggered
//   contextual  true, false
//   withContext true, false: whether events show their contexts, in some outputs
//   filter      off, or a condition for the RecordingContext at an event (policy_filter.h)
//
// These are for contextual types: they select contexts and the `if-context` events in them.
//
//   context-threshold  a timespan: keep contexts that last at least as long
//   context-match      off, or a condition for an attribute of the context (policy_match.h)
//   context-throttle   off, or a rate: keep at most as many contexts
//   context-index      off, or the attributes that are ids (policy_index.h)
//
// The type dev.loupe.Request has more (policy_requests.h), and dev.loupe.JvmPolicy has one
// (policy_waits.h).
//
// All other settings (`stackTrace`, `period`) belong to the JVM alone. So do the `throttle` of
// jdk.CPUTimeSample, which is not a rate of events, and the `filter` of jdk.MethodTrace and
// jdk.MethodTiming, which filters methods. Other elements are ignored, and so is the attribute
// `control` (for tools). An attribute `withContext` of an event equals a setting of that name.
//
// A type is found by its name as a program gave it, or as recordings spell it (policy_name.h). The
// name of an event may be a pattern, in which each * stands for any run of characters
// (`jdk.Socket*`). For each setting of a type:
// - a line with the type's own name overrides a line with a pattern, in any order;
// - of several lines with the type's own name, or of several patterns that match, the last line
//   counts, across all files in the order of reading.
//
// `if-triggered` and the context- settings are valid only for contextual types, `if-context` and
// `filter` only for other types. Only the metadata of a chunk says whether a type is contextual,
// unless the policy sets `contextual`. If a setting is not valid for a type, the engine uses `all`,
// `off` or `0 ns`, and policy_check_type warns the user. The pattern `*` matches only types for
// which a setting is valid.
//
// Threads: built by one thread, then used by any.

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "policy/policy_requests.h"
#include "policy/policy_types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// policy_create returns a policy of defaults; NULL if memory ran out.
policy *policy_create(void);
void policy_destroy(policy *policy);

// policy_all_create makes a policy with the settings of `from`, which may be NULL, apart from those
// that drop events, contexts or requests: what is a context or a request, how contexts are found,
// and which requests are kept whole, is as before. Only contexts of the Java API in which nothing
// happened are dropped. Errors: LP_ELIMIT `from` has POLICY_PATTERNS_MAX patterns; LP_ENOMEM
LP_MUST_USE lp_err policy_all_create(const policy *from, policy **out_policy);

// policy_set_told prepares policy for a text that a JVM sent. The functions below then apply the
// limits POLICY_TOLD_..., and log only names that no JVM has: the agent has logged other mistakes.
void policy_set_told(policy *policy);

// policy_read adds the settings of the file at path to policy. It logs a warning for each invalid
// value, and uses `all` (select), true (enabled), the annotation (contextual), or off instead. It
// also warns of settings that are not valid for the kind of type that the policy sets with
// `contextual`. After an error policy may hold a part of the file.
//
// Errors: LP_ENOENT, LP_EIO; LP_ECORRUPT for a file that is not XML or not a configuration, or has
//         a document type declaration (no entity is ever expanded), with its line; LP_ELIMIT over
//         POLICY_FILE_BYTES_MAX, POLICY_EVENTS_MAX or POLICY_PATTERNS_MAX; LP_ENOMEM
LP_MUST_USE lp_err policy_read(policy *policy, const char *path, lp_problem *out_problem);

// policy_parse does the same with the text of path, of POLICY_FILE_BYTES_MAX at most.
LP_MUST_USE lp_err policy_parse(
    policy *policy, const char *path, lp_slice text, lp_problem *out_problem);

// policy_add adds a setting that is in no file; messages name its origin. It logs an invalid value
// as policy_read does.
// Errors: LP_ELIMIT over POLICY_EVENTS_MAX or POLICY_PATTERNS_MAX; LP_ENOMEM
LP_MUST_USE lp_err policy_add(
    policy *policy, const char *origin, const char *event, const char *setting, const char *value);

// policy_get_path returns the path of the last file read, or the origin of the last setting added;
// NULL if there is none. policy may be NULL.
const char *policy_get_path(const policy *policy);

// policy_find returns the settings of an event type; a setting that the policy lacks is zero, the
// default. is_contextual is true for a type that is contextual by policy_is_contextual, or a type
// of the Loupe API. policy may be NULL. Cost: a search by name, and a match with each pattern.
policy_event policy_find(const policy *policy, const char *event_type_name, bool is_contextual);

// policy_is_contextual returns whether events of a type are contexts: by the policy's setting, else
// by the annotation. policy may be NULL.
bool policy_is_contextual(const policy *policy, const char *event_type_name, bool is_annotated);

// policy_note_type notes that a JVM had an event type of this name, or a context type
// (policy_check_unmet). policy may be NULL.
void policy_note_type(const policy *policy, const char *event_type_name);

// policy_each_own calls on_setting for each setting of an event type that the policy has and Loupe
// applies: not for enabled and threshold, which the JVM has applied. value is the value that is
// used for that kind of type. policy may be NULL.
void policy_each_own(const policy *policy, const char *event_type_name, bool is_contextual,
    void (*on_setting)(void *arg, const char *setting, const char *value), void *arg);

// policy_get_requests returns the policy's settings for requests; the defaults if policy is NULL.
const policy_requests *policy_get_requests(const policy *policy);

// policy_each_of_requests calls on_setting for each of the policy's settings for requests
// (policy_requests.h), with the value that is used. policy may be NULL.
void policy_each_of_requests(const policy *policy,
    void (*on_setting)(void *arg, const char *setting, const char *value), void *arg);

// policy_enables returns whether a line of the policy enables an event type. policy may be NULL.
bool policy_enables(const policy *policy, const char *event_type_name);

// These functions return whether any event type has the setting. policy may be NULL.
bool policy_selects_by_context(const policy *policy); // select=if-context
bool policy_filters(const policy *policy);            // filter
bool policy_samples(const policy *policy);            // throttle or context-throttle
bool policy_samples_contexts(const policy *policy);   // context-throttle
// if-context, context-threshold or context-throttle: chunks wait for the ends of contexts
bool policy_waits(const policy *policy);

// policy_has_misplaced returns whether a setting that policy_find returned is not valid for that
// kind of type.
bool policy_has_misplaced(const policy_event *settings, bool is_contextual);

// policy_check_type logs a warning for each setting of the event type that is not valid for that
// kind of type, once for each line. policy may be NULL.
void policy_check_type(policy *policy, const char *event_type_name, bool is_contextual);

// policy_has_of_events and policy_check_api_type do the same for a type of the Java API, for which
// some settings of events are not valid. They ignore the pattern `*`.
bool policy_has_of_events(const policy_event *settings);
void policy_check_api_type(policy *policy, const char *type_name);

// policy_check_index logs a warning, once for each type, that context-index names an attribute that
// the event type lacks. It logs nothing if the setting comes from a pattern.
void policy_check_index(policy *policy, const char *type_name, const char *attribute);

// The policies from JVMs for which policy_check_unmet has logged a line. It logs one line for each
// text, and at most one a minute. {0}: none yet.
enum { POLICY_UNMET_TOLD_MAX = 1024 };
typedef struct policy_unmet_log {
    uint64_t told[POLICY_UNMET_TOLD_MAX]; // hashes of the texts
    size_t next;                          // index of the next hash to replace
    int64_t quiet_wall_ns;                // no line before that
} policy_unmet_log;

// policy_check_unmet logs a warning for each name and pattern that no noted type matches, once. For
// a policy from a JVM it logs one line (policy_unmet_log). It waits until ten minutes after its
// first call for the policy, or until the recording of a JVM is over: the types are known then.
// Types of JDK 17 to 25 and of Loupe cause no warning, as a JVM may lack some. source names the
// origin of a policy from a JVM. policy may be NULL. Threads: one at a time for a policy and a log
void policy_check_unmet(
    policy *policy, bool is_over, int64_t now_wall_ns, const char *source, policy_unmet_log *log);
