// SPDX-License-Identifier: Apache-2.0
// time_category: classifies the time of events by their type. The table has all types of the JDK
// that take time. Any other type is a category of its own, "other: TYPE".
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/common/rollup/test_time_split.c

#pragma once

#include <stdbool.h>

// Stored rollups contain these numbers (rollup.proto): never reuse one, and add new ones last.
typedef enum time_category {
    TIME_LOCK,          // waits for a monitor
    TIME_PARK,          // parked: java.util.concurrent's locks, queues, pools, futures
    TIME_WAIT,          // Object.wait
    TIME_SLEEP,         // Thread.sleep
    TIME_IO,            // sockets and files
    TIME_PINNED,        // a waiting virtual thread keeps its carrier
    TIME_GC,            // stopped by a garbage collection, or waiting for memory that it frees
    TIME_SAFEPOINT,     // stopped by the JVM for another reason, or while the JVM stops threads
    TIME_CLASS_LOADING, // loads, links or initialises classes
    TIME_COMPILATION,
    TIME_OTHER, // unknown type
    TIME_CPU,   // samples of running threads: each counts one period
    // Only requests have these, and no event counts in them:
    TIME_QUEUED,    // a task of the request waited for a thread, and none worked for the request
    TIME_ELSEWHERE, // no thread worked for the request, and no task of it waited
    TIME_CATEGORY_COUNT,
} time_category;

// Where the events of a type count.
typedef enum time_scope {
    TIME_ON_THREAD, // on their thread
    TIME_IN_JVM,    // on all threads of the JVM: it was stopped
} time_scope;

typedef struct time_category_of {
    time_category category;
    time_scope scope;
    // The name of a boolean field; only events in which it is true count. NULL: all count.
    const char *only_if;
    // Of TIME_CPU, the name of the field with a sample's period. NULL: a setting has it. If a
    // recording has samples with such a field, those without it do not count as CPU: they would
    // count the same time twice.
    const char *period;
    // The name of a field with a method, which decides the category of each event
    // (time_category_of_method). NULL: the type decides.
    const char *method;
    // Of events that take no time (JDK 17 gives them a duration of 0) and are counted: the name of
    // their row in answers, such as exceptions. NULL: they are not counted.
    const char *counted;
} time_category_of;

// time_category_find returns the entry of an event type; TIME_OTHER for an unknown type.
time_category_of time_category_find(const char *type_name);

// time_category_of_method returns the category of a method such as java.lang.VirtualThread.park;
// TIME_OTHER for any other.
time_category time_category_of_method(const char *method_name);

// time_category_is_setting returns whether events of this type are settings, one of which is the
// sampling period.
bool time_category_is_setting(const char *type_name);

// time_category_is_in_jvm returns whether the entry of time_category_find has TIME_IN_JVM.
bool time_category_is_in_jvm(const char *type_name);

// time_category_name returns the name of a category in answers; "other" for TIME_OTHER.
const char *time_category_name(time_category category);

// time_category_is_blocked returns whether a thread waits during an event of the category, for
// other threads or for a device.
bool time_category_is_blocked(time_category category);

// time_category_is_waiting returns whether a thread waits during an event of the category, for
// other threads or until a time. A pause of the JVM does not prolong such a wait.
static inline bool
time_category_is_waiting(time_category category)
{
    return category <= TIME_SLEEP;
}

// time_category_outlasts_pauses returns whether a pause of the JVM during an event counts as the
// event's time.
static inline bool
time_category_outlasts_pauses(time_category category)
{
    return category == TIME_PINNED || time_category_is_waiting(category);
}
