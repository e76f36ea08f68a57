// SPDX-License-Identifier: Apache-2.0
// time_category: what a thread does while an event goes on, by the event's type. One table has all
// types of the JDK that take time; any other type is a category of its own, "other: TYPE".
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/common/rollup/test_time_split.c

#ifndef LP_COMMON_ROLLUP_TIME_CATEGORY_H
#define LP_COMMON_ROLLUP_TIME_CATEGORY_H

#include <stdbool.h>

// The numbers are in stored rollups (rollup.proto): none is used for another, new ones come last.
typedef enum time_category {
    TIME_LOCK,          // waits for a monitor that another thread has
    TIME_PARK,          // parked: java.util.concurrent's locks, queues, pools, futures
    TIME_WAIT,          // Object.wait
    TIME_SLEEP,         // Thread.sleep
    TIME_IO,            // sockets and files
    TIME_PINNED,        // a virtual thread that waits and keeps its carrier
    TIME_GC,            // stopped by a garbage collection, or waiting for its memory
    TIME_SAFEPOINT,     // stopped by the JVM for another reason, or for getting there
    TIME_CLASS_LOADING, // loads, links or initialises classes
    TIME_COMPILATION,
    TIME_OTHER, // a type of which nothing is known
    TIME_CPU,   // samples of running threads: a period for each
    // Of requests alone; no event is in them:
    TIME_QUEUED,    // a task of the request waited for a thread, and no thread worked for it
    TIME_ELSEWHERE, // no thread worked for it, and no task waited
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
    // The name of a boolean field; events in which it is not true count nowhere. NULL: all count.
    const char *only_if;
    // Of TIME_CPU, the name of the field that holds a sample's period. NULL: a setting has it.
    // Where a recording has such samples, those without are no CPU: they would count the same time
    // again.
    const char *period;
    // The name of a field that has a method: it is the category of each event that
    // time_category_of_method has for that. NULL: that of the type.
    const char *method;
    // Of events that take no time and are counted: the name of their row in answers, such as
    // exceptions. NULL: they are not. JDK 17 gives them a duration of 0.
    const char *counted;
} time_category_of;

// time_category_find returns what is known of the event type with this name.
time_category_of time_category_find(const char *type_name);

// time_category_of_method returns what a thread does in a method with a name such as
// java.lang.VirtualThread.park; TIME_OTHER if nothing is known of it.
time_category time_category_of_method(const char *method_name);

// time_category_is_setting returns whether events of this type have settings, of which one is the
// period of samples.
bool time_category_is_setting(const char *type_name);

// time_category_is_in_jvm returns whether events of this type count on all threads of the JVM:
// time_category_find, for all types of a chunk.
bool time_category_is_in_jvm(const char *type_name);

// time_category_name returns the name of a category in answers; "other" for TIME_OTHER.
const char *time_category_name(time_category category);

// time_category_is_blocked returns whether a thread waits in it, for others or for a device.
bool time_category_is_blocked(time_category category);

// time_category_is_waiting returns whether a thread that is in it waits for other threads or for a
// time, as it would if the JVM went on.
static inline bool
time_category_is_waiting(time_category category)
{
    return category <= TIME_SLEEP;
}

// time_category_outlasts_pauses returns whether the time of an event counts for it, and not for a
// pause of the JVM in it.
static inline bool
time_category_outlasts_pauses(time_category category)
{
    return category == TIME_PINNED || time_category_is_waiting(category);
}

#endif // LP_COMMON_ROLLUP_TIME_CATEGORY_H
