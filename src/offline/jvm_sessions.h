// SPDX-License-Identifier: Apache-2.0
// jvm_sessions: which chunks are of the same JVM, and in which order. Chunks of one JVM share ids
// and a clock, those of two do not, so joining two JVMs would make wrong data without a trace,
// while parting one only costs the contexts that reach over the gap. In doubt chunks are parted.
//
//   - A JVM begins a chunk at the nanosecond at which it ends the one before. Chunks that meet like
//     this, with clocks that fit, are of one JVM: a run. A recording that was never interrupted is
//     one run, however many files it lies in, and nothing but its headers and metadata is read.
//   - Two runs are of one JVM if both say so in jdk.JVMInformation (process id, and start of the
//     JVM to the millisecond) and do not overlap in time. Two JVMs that were started in the same
//     second, or in two containers under the process id 1, are told apart by this. Clocks of
//     nanoseconds must also begin at the same moment, to 10 ms: a merged recording
//     (docs/internals/merge.md) still has the events jdk.JVMInformation, but a clock and keys of
//     its own. A wall clock that was set by more between two runs parts them, too.
//   - Where they do not say, a run goes on with the JVM of the chunk before it in its file, if the
//     times do not overlap, and the clocks fit to 10 ms and what their frequency may be off. The
//     clocks of most JVMs count from their start: of two that were started one after the other
//     they do not fit.
//   - In all of this, no id is that of two types in a chunk and the one that goes on with it, and
//   no
//     enumeration of HotSpot's has another id: so JVMs that a merged recording has one after the
//     other stay apart where their constants differ. A JVM gives an id once, and the JDK's reader
//     fails on a file that does not: where a chunk's metadata is damaged, the file becomes one of
//     two sessions, whose ids are made to differ.
//
// The same chunk may be in several files, as dumps of a running JVM overlap: chunks with the same
// start, in ticks and in nanoseconds, are one. Of two the one that is not damaged is taken, the
// finished one, the longer one, in this order. Within one file only equal bytes are the same chunk,
// as there are writers that do not set the clock.
//
// Threads: any thread; pure functions.
// Cost:    n log n

#ifndef LP_OFFLINE_JVM_SESSIONS_H
#define LP_OFFLINE_JVM_SESSIONS_H

#include "common/base/lp_err.h"
#include "common/jfr/jfr_chunk.h"
#include "offline/jvm_identity.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    JVM_SESSIONS_DUPLICATE = UINT32_MAX, // in place of a session
};

// A chunk, in the order of the files and of the bytes in them.
typedef struct jvm_chunk {
    jfr_chunk_info info;
    uint64_t size_bytes; // that there are
    uint32_t file;
    bool is_damaged;
} jvm_chunk;

// Answers questions that headers leave open. Chunks are named by their index.
typedef struct jvm_chunk_reader {
    void *arg;
    bool (*identify)(void *arg, size_t chunk, jvm_identity *out_identity);
    bool (*has_same_bytes)(void *arg, size_t chunk, size_t other);
    bool (*has_other_types)(void *arg, size_t chunk, size_t other); // see jvm_identity.h
} jvm_chunk_reader;

typedef struct jvm_place {
    size_t chunk;     // its index
    uint32_t session; // counted from 0 in the order of their starts; JVM_SESSIONS_DUPLICATE:
    size_t twin;      // is there already, as this chunk
} jvm_place;

// jvm_sessions_find fills out_places, which has room for count, session by session, each in the
// order of time, duplicates at the end.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err jvm_sessions_find(
    const jvm_chunk *chunks, size_t count, const jvm_chunk_reader *reader, jvm_place *out_places);

#endif // LP_OFFLINE_JVM_SESSIONS_H
