// SPDX-License-Identifier: Apache-2.0
// list_room: as many rows of a list of contexts as an answer has room for.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/ask/test_ask.c

#ifndef LP_COLLECTOR_ASK_LIST_ROOM_H
#define LP_COLLECTOR_ASK_LIST_ROOM_H

#include "query/list/listing.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    LIST_ROOM_BYTES_MAX = 32 << 20, // of all rows of an answer
    LIST_ROOM_ROW_BYTES = 2048,     // of these for each row, beside its texts
};

// list_room_cut leaves the first rows of a list that was read, which have bytes_max together, but
// one at least, and returns whether it has left out any.
bool list_room_cut(query_listing *listing, const query_names *names, size_t bytes_max);

#endif // LP_COLLECTOR_ASK_LIST_ROOM_H
