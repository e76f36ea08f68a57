// SPDX-License-Identifier: Apache-2.0
// frames: the frame by which a stack trace is named: the first one from the top that is not of the
// JDK, or else the topmost. A wait always ends in the same few methods of the JDK; what a person
// wants to know is which code of theirs waits.
//
// Each stack trace and each method of a chunk is read once.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/test_run.c
// Memory:  4 bytes for each stack trace and each method of the chunk.

#ifndef LP_QUERY_FRAMES_H
#define LP_QUERY_FRAMES_H

#include "query/chunk.h"

#include <stdint.h>

// query_frame_of returns the name of an event's frame, such as shop.Inventory.reserve;
// QUERY_NAME_NONE if it has no stack trace.
uint32_t query_frame_of(query_chunk *chunk, const query_event *event);

#endif // LP_QUERY_FRAMES_H
