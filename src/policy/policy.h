// SPDX-License-Identifier: Apache-2.0

// policy: which events to keep, by event type; read from a .jfc file.
//
// A .jfc file as the JDK knows it (<configuration><event name="..."><setting name="...">), with
// Loupe's settings added. Some are the JVM's, too:
//
//   enabled     true, false
//   threshold   a JFR timespan: a whole number and ns, us, ms, s, m, h or d ("20 ms"); "infinity"
//   throttle    off, or a rate: a whole number, / and ns, us, ms, s, m, h or d ("100/s")
//
// others are Loupe's alone:
//
//   select      all, if-context, if-triggered
//   contextual  true, false
//   withContext true, false: whether events show their contexts, in some outputs
//   filter      off, or what the RecordingContext at an event has to have (policy_filter.h)
//
// and of contextual types, for their contexts and the `if-context` events in them:
//
//   context-threshold  a timespan: keep contexts that lasted so long
//   context-match      off, or what an attribute of the context has to be (policy_match.h)
//   context-throttle   off, or a rate: keep so many contexts
//   context-index      off, or the attributes that are ids (policy_index.h)
//
// The type dev.loupe.Request has more (policy_requests.h), and dev.loupe.JvmPolicy has one
// (policy_waits.h).
//
// All other settings are the JVM's alone (`stackTrace`, `period`), and so are a `throttle` of
// jdk.CPUTimeSample, which is no rate of events, and the filters of methods of jdk.MethodTrace and
// jdk.MethodTiming. Other elements are ignored, and so is the attribute `control` (for tools). An
// attribute `withContext` of an event is the same as a setting of that name.
//
// A type is found by its name as a program gave it, and as recordings have it (policy_name.h). The
// name of an event may be a pattern, in which each * stands for any run of characters
// (`jdk.Socket*`). For each setting of a type
// - a line with its own name goes before one with a pattern, wherever the two stand;
// - among several lines with its own name, and among several patterns that match, the last one
//   counts, in one file and in those read after it.
//
// Whether a setting is valid for that kind of type (`if-triggered` and `context-threshold` for a
// type that is not contextual, `if-context` and `filter` for one that is) is known only with a
// chunk's metadata, unless the policy itself says `contextual`: the engine uses `all`, `off` or
// `0 ns` where it is not, and policy_check_type warns the user. The pattern `*` means all types
// that a setting is valid for, and no others.
//
// Threads: built by one thread, then used by any.

#ifndef LP_POLICY_POLICY_H
#define LP_POLICY_POLICY_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "policy/policy_requests.h"
#include "policy/policy_types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// policy_create makes the policy that has nothing but defaults. NULL if memory ran out.
policy *policy_create(void);
void policy_destroy(policy *policy);

// policy_set_told makes policy one for a text from a JVM. The functions below then have the limits
// POLICY_TOLD_..., and log no mistakes but names that no JVM had: the agent has logged the others.
void policy_set_told(policy *policy);

// policy_read adds the settings of the file at path to policy. Invalid values are logged as
// warnings that name the file, line, event type, setting, value and its replacement: `all`
// (select), enabled, contextual as annotated, no threshold, throttle, filter, match or index; and
// so are values that are not for the kind of type that the policy itself makes of it. After an
// error policy may hold a part of the file.
//
// Errors: LP_ENOENT, LP_EIO; LP_ECORRUPT for a file that is not XML or not a configuration, or has
//         a document type declaration (no entity is ever expanded), with its line; LP_ELIMIT over
//         POLICY_FILE_BYTES_MAX, POLICY_EVENTS_MAX or POLICY_PATTERNS_MAX; LP_ENOMEM
LP_MUST_USE lp_err policy_read(policy *policy, const char *path, lp_problem *out_problem);

// policy_parse does the same with text, of POLICY_FILE_BYTES_MAX at most, which came from path.
LP_MUST_USE lp_err policy_parse(
    policy *policy, const char *path, lp_slice text, lp_problem *out_problem);

// policy_add adds a setting that was written in no file but in origin, which messages name. It logs
// an invalid value as policy_read does.
// Errors: LP_ELIMIT over POLICY_EVENTS_MAX or POLICY_PATTERNS_MAX; LP_ENOMEM
LP_MUST_USE lp_err policy_add(
    policy *policy, const char *origin, const char *event, const char *setting, const char *value);

// policy_get_path returns the path of the last file that was read, or the origin of the last
// setting that was added; NULL: none was. policy may be NULL.
const char *policy_get_path(const policy *policy);

// policy_find returns the settings of an event type: the defaults (all zero) where the policy has
// none. is_contextual is true for a contextual type: by policy_is_contextual, or as a type of the
// Loupe API; one that the policy marks is contextual in any case. policy may be NULL. Cost: a
// search by name, and a match with each pattern.
policy_event policy_find(const policy *policy, const char *event_type_name, bool is_contextual);

// policy_is_contextual returns whether events of a type are contexts: by the policy's setting, or
// where it has none by the annotation. policy may be NULL.
bool policy_is_contextual(const policy *policy, const char *event_type_name, bool is_annotated);

// policy_note_type notes that a JVM had an event type of this name, or a context type
// (policy_check_unmet). policy may be NULL.
void policy_note_type(const policy *policy, const char *event_type_name);

// policy_each_own calls on_setting for each setting that the policy has for an event type and that
// is Loupe's to heed, which enabled and threshold are not: the JVM has them and all it recorded
// passes. value is the one that is used for that kind of type. policy may be NULL.
void policy_each_own(const policy *policy, const char *event_type_name, bool is_contextual,
    void (*on_setting)(void *arg, const char *setting, const char *value), void *arg);

// policy_get_requests returns what the policy says of requests. policy may be NULL, which says
// nothing.
const policy_requests *policy_get_requests(const policy *policy);

// policy_each_of_requests calls on_setting for each setting of requests (policy_requests.h) that
// the policy has, with the value that is used. policy may be NULL.
void policy_each_of_requests(const policy *policy,
    void (*on_setting)(void *arg, const char *setting, const char *value), void *arg);

// policy_enables returns whether the policy has a line, with the name of an event type or with a
// pattern, that enables it. policy may be NULL.
bool policy_enables(const policy *policy, const char *event_type_name);

// policy_selects_by_context returns whether some event type has select=if-context, policy_filters
// whether some has a filter, policy_samples whether some has a throttle or a context-throttle,
// policy_samples_contexts whether some has a context-throttle, and policy_waits whether some has
// if-context, context-threshold or context-throttle: then it counts when contexts end. policy may
// be NULL.
bool policy_selects_by_context(const policy *policy);
bool policy_filters(const policy *policy);
bool policy_samples(const policy *policy);
bool policy_samples_contexts(const policy *policy);
bool policy_waits(const policy *policy);

// policy_has_misplaced returns whether any of an event type's settings, as policy_find returned
// them for that kind of type, is not valid for it.
bool policy_has_misplaced(const policy_event *settings, bool is_contextual);

// policy_check_type logs a warning for each setting of the event type that is not valid for that
// kind of type; once, where several types have it from one pattern. policy may be NULL.
void policy_check_type(policy *policy, const char *event_type_name, bool is_contextual);

// policy_has_of_events and policy_check_api_type do the same for a type of the Java API, of which
// some settings are for events alone. What a pattern `*` says is warned of nowhere.
bool policy_has_of_events(const policy_event *settings);
void policy_check_api_type(policy *policy, const char *type_name);

// policy_check_index logs a warning, once for each type, that context-index has an attribute that
// the event type has not. Where a pattern says it, it is for those types that have it: then there
// is none.
void policy_check_index(policy *policy, const char *type_name, const char *attribute);

// The policies from JVMs for which policy_check_unmet has logged a line, also if they were made
// again since. There is at most one line a minute. {0}: none yet.
enum { POLICY_UNMET_TOLD_MAX = 1024 };
typedef struct policy_unmet_log {
    uint64_t told[POLICY_UNMET_TOLD_MAX]; // hashes
    size_t next;                          // to be replaced
    int64_t quiet_wall_ns;                // no line before that
} policy_unmet_log;

// policy_check_unmet logs a warning of each name and pattern that no noted type has, once. For a
// policy from a JVM it logs only one line, once (policy_unmet_log). It does so ten minutes after
// its first call for the policy, or when the recording of a JVM is over: by then the types of a JVM
// are known. Types of JDK 17 to 25 and of Loupe cause no warning, as a JVM may lack some. source
// names the origin of a policy from a JVM. policy may be NULL. Threads: one at a time for a policy
// and for log
void policy_check_unmet(
    policy *policy, bool is_over, int64_t now_wall_ns, const char *source, policy_unmet_log *log);

#endif // LP_POLICY_POLICY_H
