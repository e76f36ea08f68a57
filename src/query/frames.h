// SPDX-License-Identifier: Apache-2.0
// frames: the frames of stack traces by name, and the frame by which a stack trace is named: the
// first one from the top that is not of the JDK, or else the topmost. A wait always ends in the
// same few methods of the JDK; what a person wants to know is which code of theirs waits.
//
// Each method of a chunk, and the name of each stack trace, is read once.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/test_run.c
// Memory:  4 bytes for each stack trace and each method of the chunk.

#ifndef LP_QUERY_FRAMES_H
#define LP_QUERY_FRAMES_H

#include "query/chunk.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { QUERY_NO_TRACE = UINT32_MAX }; // not an index

typedef struct query_frame {
    uint32_t name; // its number, such as that of shop.Inventory.reserve
    uint32_t line; // 0: unknown
} query_frame;

// query_frame_of returns the name of an event's frame, such as shop.Inventory.reserve;
// QUERY_NAME_NONE if it has no stack trace.
uint32_t query_frame_of(query_chunk *chunk, const query_event *event);

// query_frames_find returns which of the chunk's stack traces an event has, by index among these
// constants; QUERY_NO_TRACE if none.
uint32_t query_frames_find(query_chunk *chunk, const query_event *event);

// query_frames_count returns how many stack traces the chunk has; of one of whose events
// query_frames_find has found one.
size_t query_frames_count(const query_chunk *chunk);

// query_frames_read reads the frames of a stack trace, the topmost first, and returns how many it
// has: max of them at most are read. Frames of methods that the chunk does not have are left out.
size_t query_frames_read(query_chunk *chunk, uint32_t trace, query_frame *out_frames, size_t max);

// query_frames_are_cut returns whether the chunk says that a stack trace had more frames.
bool query_frames_are_cut(const query_chunk *chunk, uint32_t trace);

#endif // LP_QUERY_FRAMES_H
