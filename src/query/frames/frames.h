// SPDX-License-Identifier: Apache-2.0
// frames: the frames of stack traces by name, and the frame that names a stack trace.
//
// Most waits have one of a few methods of the JDK or of drivers on top. A person wants to see which
// of their own code waits. So the topmost frame of the application (application.h) names a stack
// trace. If the stack trace has none, the topmost frame of other code names it, or else the topmost
// frame of a library, or else the topmost frame of all. If the constructor of Throwable or Error is
// on top, because JFR recorded a thrown exception there, the constructors on top are skipped.
//
// Each method of a chunk, and the name of each stack trace, is read once.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/frames/test_application.c, tests/unit/query/frames/test_class_name.c,
//          tests/unit/query/run/test_run.c, tests/e2e/flamegraph.py
// Memory:  8 bytes for each stack trace of the chunk, 4 for each method.

#pragma once

#include "query/chunk/chunk.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { QUERY_NO_TRACE = UINT32_MAX }; // not an index

typedef struct query_frame {
    uint32_t name; // the number of its name, such as shop.Inventory.reserve
    uint32_t line; // 0: unknown
} query_frame;

// The name of a stack trace, as numbers of names.
typedef struct query_stack_name {
    uint32_t frame; // such as shop.Inventory.reserve; QUERY_NAME_NONE: no stack trace
    uint32_t via;   // the topmost frame outside of the JDK, unless it is `frame`; such as
                    // org.postgresql.jdbc.PgStatement.execute. QUERY_NAME_NONE: none
} query_stack_name;

// query_frames_name returns the name of an event's stack trace, by the chunk's application.
query_stack_name query_frames_name(query_chunk *chunk, const query_event *event);

// query_frames_find returns the index of an event's stack trace among the stack traces of the
// chunk; QUERY_NO_TRACE if it has none.
uint32_t query_frames_find(query_chunk *chunk, const query_event *event);

// query_frames_count returns the number of stack traces of a chunk. Call it only after
// query_frames_find has found a stack trace in the chunk.
size_t query_frames_count(const query_chunk *chunk);

// query_frames_read reads up to max frames (at least 2) of a stack trace, the topmost first, and
// returns their number. If the stack trace has more, a frame such as [12 frames left out] replaces
// those in the middle, as the ends tell a person most, and *out_is_whole is false. Frames of
// unknown methods are left out.
size_t query_frames_read(
    query_chunk *chunk, uint32_t trace, query_frame *out_frames, size_t max, bool *out_is_whole);

// query_frames_are_cut returns whether JFR has cut a stack trace.
bool query_frames_are_cut(const query_chunk *chunk, uint32_t trace);

// query_class_name_join removes the parts that the JVM or a library generates per process from the
// name of a class, so that the same code has the same name in all JVMs. It changes a name of len
// bytes, with dots between packages, in place, and returns the new length.
//
//   shop.Main$$Lambda+0x00007f1c.12345   shop.Main$$Lambda
//   shop.Main$$Lambda$14/0x00007f1c      shop.Main$$Lambda            (also with $14+0x..)
//   ..LambdaForm$MH+0x00007f1c.12345     ..LambdaForm$MH              (method handles)
//   ..GeneratedMethodAccessor7           ..GeneratedMethodAccessor    (reflection)
//   jdk.proxy2.$Proxy87                  jdk.proxy.$Proxy
//   shop.Cart$$SpringCGLIB$$0            shop.Cart$$SpringCGLIB       (and others of CGLIB)
//   shop.Cart$HibernateProxy$uZ7         shop.Cart$HibernateProxy     (ByteBuddy)
//   shop.Hidden+0x00007f1c.12345         shop.Hidden                  (hidden classes)
size_t query_class_name_join(char *name, size_t len);
