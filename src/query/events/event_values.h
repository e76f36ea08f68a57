// SPDX-License-Identifier: Apache-2.0
// event_values: the fields of an event as JSON, whatever its type is.
//
// - structures: objects; a type that is one value in another guise (simpleType) is that value
// - arrays: arrays
// - threads: their names
// - classes, methods: their names, with dots: shop.Inventory, shop.Inventory.reserve
// - points in time: texts, ns since 1970 by the clock of the chunk
// - lengths of time: ns
// - numbers: those that a browser does not have exactly are texts (json_parts.h); those that are
//   said to be unsigned are 0 or more
// - constants that the chunk does not have, and what does not fit its type: null
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/events/test_event_values.c

#ifndef LP_QUERY_EVENT_VALUES_H
#define LP_QUERY_EVENT_VALUES_H

#include "query/chunk/chunk.h"

#include <jansson.h>

enum {
    QUERY_EVENT_VALUES_MAX = 4096, // of an event; further ones are left out
    // Of all texts of an event, the one that goes beyond is cut; and of its stack trace, where the
    // frame that goes beyond is left out with those behind it.
    QUERY_EVENT_TEXT_BYTES_MAX = 65536,
    QUERY_EVENT_DEPTH_MAX = 8,    // of structures in structures; what lies deeper is null
    QUERY_EVENT_FRAMES_MAX = 256, // of the stack trace; of more, those in the middle are left out
    QUERY_FIELDS_MAX = 32,        // that are asked for by name
};

// The fields that are asked for. None: all.
typedef struct query_field_names {
    size_t count;
    lp_slice names[QUERY_FIELDS_MAX];
} query_field_names;

// query_event_values returns an object with the fields of an event but startTime, duration,
// eventThread and stackTrace. *is_truncated is set where a limit was reached. The caller owns the
// object; NULL where memory ran out.
json_t *query_event_values(query_chunk *chunk, const query_event *event,
    const query_field_names *only, bool *is_truncated);

// query_event_stack returns the frames of an event's stack trace, the topmost first, such as
// "shop.Inventory.reserve:41", or null if it has none. Ownership and limits as above.
json_t *query_event_stack(query_chunk *chunk, const query_event *event, bool *is_truncated);

#endif // LP_QUERY_EVENT_VALUES_H
