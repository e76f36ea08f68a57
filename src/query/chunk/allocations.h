// SPDX-License-Identifier: Apache-2.0
// allocations: which event types say how many bytes were allocated, and in which field.
//
// Threads: any thread; pure functions.

#ifndef LP_QUERY_ALLOCATIONS_H
#define LP_QUERY_ALLOCATIONS_H

#include <stdbool.h>

typedef struct query_allocation {
    const char *bytes; // the name of the field; NULL: the type is about something else
    // The bytes of a sample stand for all that were allocated since the one before. Where a
    // recording has samples, the other events count the same bytes again.
    bool is_sample;
} query_allocation;

// query_allocation_find returns what is known of the event type with this name.
query_allocation query_allocation_find(const char *type_name);

#endif // LP_QUERY_ALLOCATIONS_H
