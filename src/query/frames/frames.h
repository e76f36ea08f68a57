// SPDX-License-Identifier: Apache-2.0
// frames: the frames of stack traces by name, and the frame by which a stack trace is named: the
// first one from the top that is the application's (application.h). A wait always ends in the same
// few methods of the JDK and of a driver; what a person wants to know is which code of theirs
// waits. Where no frame is the application's, it is the first of others, or else of a library, or
// else the topmost.
//
// Constructors on top of the JDK's that notes a thrown exception are left out of that, as long as
// there are others.
//
// Each method of a chunk, and the name of each stack trace, is read once.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/frames/test_application.c, tests/unit/query/run/test_run.c
// Memory:  8 bytes for each stack trace of the chunk, 4 for each method.

#ifndef LP_QUERY_FRAMES_H
#define LP_QUERY_FRAMES_H

#include "query/chunk/chunk.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { QUERY_NO_TRACE = UINT32_MAX }; // not an index

typedef struct query_frame {
    uint32_t name; // its number, such as that of shop.Inventory.reserve
    uint32_t line; // 0: unknown
} query_frame;

// How a stack trace is named: numbers of names.
typedef struct query_stack_name {
    uint32_t frame; // such as that of shop.Inventory.reserve; QUERY_NAME_NONE: no stack trace
    // The first frame from the top that is not of the JDK, such as that of
    // org.postgresql.jdbc.PgStatement.execute; QUERY_NAME_NONE if frame is that one, or there is
    // none.
    uint32_t via;
} query_stack_name;

// query_frames_name returns how the stack trace of an event is named. The chunk's application says
// which frames are the application's.
query_stack_name query_frames_name(query_chunk *chunk, const query_event *event);

// query_frames_find returns which of the chunk's stack traces an event has, by index among these
// constants; QUERY_NO_TRACE if none.
uint32_t query_frames_find(query_chunk *chunk, const query_event *event);

// query_frames_count returns how many stack traces the chunk has; of one of whose events
// query_frames_find has found one.
size_t query_frames_count(const query_chunk *chunk);

// query_frames_read reads the frames of a stack trace, the topmost first, and returns how many, max
// at most. Where it has more, those in the middle are left out, and a frame such as
// [12 frames left out] is in their place: the code that a person looks for is on top, and what they
// asked for at the bottom. *out_is_whole is false then. Frames of methods that the chunk does not
// have are not there.
size_t query_frames_read(
    query_chunk *chunk, uint32_t trace, query_frame *out_frames, size_t max, bool *out_is_whole);

// query_frames_are_cut returns whether the chunk says that a stack trace had more frames.
bool query_frames_are_cut(const query_chunk *chunk, uint32_t trace);

#endif // LP_QUERY_FRAMES_H
