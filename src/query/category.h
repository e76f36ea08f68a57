// SPDX-License-Identifier: Apache-2.0
// category: what a thread does while an event goes on, by the event's type. One table has all types
// of the JDK that take time; any other type is a category of its own, "other: TYPE".
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/query/test_time_split.c

#ifndef LP_QUERY_CATEGORY_H
#define LP_QUERY_CATEGORY_H

#include <stdbool.h>

typedef enum query_category {
    QUERY_LOCK,          // waits for a monitor that another thread has
    QUERY_PARK,          // parked: java.util.concurrent's locks, queues, pools, futures
    QUERY_WAIT,          // Object.wait
    QUERY_SLEEP,         // Thread.sleep
    QUERY_IO,            // sockets and files
    QUERY_PINNED,        // a virtual thread that waits and keeps its carrier
    QUERY_GC,            // stopped by a garbage collection, or waiting for its memory
    QUERY_SAFEPOINT,     // stopped by the JVM for another reason, or for getting there
    QUERY_CLASS_LOADING, // loads, links or initialises classes
    QUERY_COMPILATION,
    QUERY_OTHER, // a type of which nothing is known
    QUERY_CPU,   // samples of running threads: a period for each
    QUERY_CATEGORY_COUNT,
} query_category;

// Where the events of a type count.
typedef enum query_scope {
    QUERY_ON_THREAD, // on their thread
    QUERY_IN_JVM,    // on all threads of the JVM: it was stopped
} query_scope;

typedef struct query_category_of {
    query_category category;
    query_scope scope;
    // The name of a boolean field; events in which it is not true count nowhere. NULL: all count.
    const char *only_if;
    // Of QUERY_CPU, the name of the field that holds a sample's period. NULL: a setting has it.
    // Where a recording has such samples, those without are no CPU: they would count the same time
    // again.
    const char *period;
} query_category_of;

// query_category_find returns what is known of the event type with this name.
query_category_of query_category_find(const char *type_name);

// query_category_name returns the name of a category in answers; "other" for QUERY_OTHER.
const char *query_category_name(query_category category);

// query_category_is_blocked returns whether a thread waits in it, for others or for a device.
bool query_category_is_blocked(query_category category);

#endif // LP_QUERY_CATEGORY_H
