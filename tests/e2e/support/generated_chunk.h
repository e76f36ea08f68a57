// SPDX-License-Identifier: Apache-2.0
// generated_chunk: a chunk file of numbered events, e2e.Tick as tests/java/e2e/Marks.java has it,
// which comes into being as HotSpot writes one: an empty file, then flush by flush what is new and,
// when that is there, the header that publishes it.
//
// Ticks are nanoseconds of CLOCK_MONOTONIC. What the system does not do ends the program, with a
// line that says what.
//
// Threads: one at a time.

#pragma once

#include "support/jfr_build.h"

#include <stddef.h>
#include <stdint.h>

enum { GENERATED_CHUNK_THREAD = 1 }; // the Java thread id that its events have

typedef struct generated_chunk {
    int fd;
    jfr_build build;
    size_t published; // bytes of the file
    uint8_t generation;
} generated_chunk;

// generated_chunk_create makes the empty file, which is there before the chunk before it ends.
generated_chunk generated_chunk_create(const char *path);

// generated_chunk_begin writes the first header, and what all events share.
void generated_chunk_begin(generated_chunk *chunk, int64_t now_ticks);

// generated_chunk_add adds an event; nobody sees it before the next flush.
void generated_chunk_add(generated_chunk *chunk, int64_t ticks, uint64_t sequence);

void generated_chunk_flush(generated_chunk *chunk, int64_t now_ticks);

// generated_chunk_finish is the last flush. The file stays.
void generated_chunk_finish(generated_chunk *chunk, int64_t now_ticks);
