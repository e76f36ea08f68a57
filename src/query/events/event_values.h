// SPDX-License-Identifier: Apache-2.0
// event_values: the fields of an event of any type as JSON.
//
//   structure       object; for a type that wraps one value (simpleType), this value
//   array           array
//   thread          its name
//   class, method   its name with dots: shop.Inventory, shop.Inventory.reserve
//   point in time   text: ns since 1970 by the clock of the chunk
//   length of time  ns
//   number          number, or text if a browser cannot represent it exactly (json_parts.h); not
//                   negative if its field is unsigned
//   null            constants that the chunk does not have, and values that do not fit their type
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/events/test_event_values.c

#pragma once

#include "query/chunk/chunk.h"

#include <jansson.h>

enum {
    QUERY_EVENT_VALUES_MAX = 4096, // of an event; further values are left out
    // The limit for all texts in the fields of an event; the rest is cut. The same limit applies to
    // the frames of its stack trace; further frames are left out.
    QUERY_EVENT_TEXT_BYTES_MAX = 65536,
    QUERY_EVENT_DEPTH_MAX = 8,    // of structures in structures; deeper values are null
    QUERY_EVENT_FRAMES_MAX = 256, // of the stack trace; frames in the middle are left out
    QUERY_FIELDS_MAX = 32,        // in query_field_names
};

// The names of the wanted fields. If count is 0, all fields are wanted.
typedef struct query_field_names {
    size_t count;
    lp_slice names[QUERY_FIELDS_MAX];
} query_field_names;

// query_event_values returns an object with the fields of an event, without startTime, duration,
// eventThread and stackTrace; NULL if out of memory. The caller owns it. Sets *is_truncated if a
// limit was reached.
json_t *query_event_values(query_chunk *chunk, const query_event *event,
    const query_field_names *only, bool *is_truncated);

// query_event_stack returns the frames of an event's stack trace, the topmost first, such as
// "shop.Inventory.reserve:41"; JSON's null if it has none. Otherwise as query_event_values.
json_t *query_event_stack(query_chunk *chunk, const query_event *event, bool *is_truncated);
