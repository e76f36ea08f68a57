// SPDX-License-Identifier: Apache-2.0
// jvm_sessions: groups chunks by JVM and sorts them. Chunks of one JVM share ids and a clock; those
// of different JVMs do not. Joining two JVMs would silently produce wrong data, while splitting one
// only loses the contexts that span the gap. So jvm_sessions splits if in doubt.
//
//   - A JVM begins a chunk at the nanosecond at which it ends the previous one. Chunks that meet in
//     this way, with matching clocks, are a run of one JVM. A recording without interruption is one
//     run, in however many files, and only its headers and metadata are read.
//   - Two runs are of one JVM if jdk.JVMInformation of both has the same process id and JVM start
//     (in milliseconds), and they do not overlap in time. That separates JVMs that started in the
//     same second, or in two containers under process id 1. Clocks that count nanoseconds must also
//     begin within 10 ms of each other: a merged recording
//     (docs/internals/recordings.md#several-jvms-in-one-recording) still has the events
//     jdk.JVMInformation, but its own clock and keys. If the wall clock was set by more than 10 ms
//     between two runs, they are separated, too.
//   - Without jdk.JVMInformation, a run continues the JVM of the previous chunk in its file if
//     their times do not overlap and the clocks match to 10 ms plus the tolerance of their
//     frequency. The clock of most JVMs counts from the start of the JVM, so clocks of JVMs that
//     started one after the other do not match.
//   - No rule joins chunks in which an id means two types, or in which one of HotSpot's
//     enumerations has two ids. That separates JVMs that a merged recording holds one after the
//     other. The JDK's reader fails on a file in which an id means two types. If damage gives a
//     type another name, the file becomes two sessions, and these two types get different ids.
//
// Several files may hold the same chunk, as dumps of a running JVM overlap: chunks with the same
// start, in ticks and in nanoseconds, are duplicates. Of duplicates, an undamaged chunk is
// preferred, then a finished chunk, then the longer chunk. Within one file, only equal bytes are
// duplicates, as some writers do not set the clock.
//
// Threads: any thread; pure functions.
// Cost:    n log n

#pragma once

#include "common/base/lp_err.h"
#include "common/jfr/jfr_chunk.h"
#include "offline/jvm_identity.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    JVM_SESSIONS_DUPLICATE = UINT32_MAX, // in place of a session
};

// A chunk, in the order of files and offsets.
typedef struct jvm_chunk {
    jfr_chunk_info info;
    uint64_t size_bytes; // in the file
    uint32_t file;
    bool is_damaged;
} jvm_chunk;

// Answers questions that headers leave open. Chunks are given by index.
typedef struct jvm_chunk_reader {
    void *arg;
    bool (*identify)(void *arg, size_t chunk, jvm_identity *out_identity);
    bool (*has_same_bytes)(void *arg, size_t chunk, size_t other);
    bool (*has_other_types)(void *arg, size_t chunk, size_t other); // see jvm_identity.h
} jvm_chunk_reader;

typedef struct jvm_place {
    size_t chunk;     // its index
    uint32_t session; // counted from 0 in the order of starts; or JVM_SESSIONS_DUPLICATE
    size_t twin;      // of a duplicate: the index of the chunk that is used instead
} jvm_place;

// jvm_sessions_find fills out_places, which has room for count, sorted by session and time, with
// duplicates last.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err jvm_sessions_find(
    const jvm_chunk *chunks, size_t count, const jvm_chunk_reader *reader, jvm_place *out_places);
