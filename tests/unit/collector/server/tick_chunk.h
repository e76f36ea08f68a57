// SPDX-License-Identifier: Apache-2.0

// tick_chunk: builds a real JFR chunk whose events are numbered, and reads the numbers back out of
// any chunks. Every byte is put together here and not by our own writer.
//
// The chunk has one event type, test.Tick {long startTime; long number}.

#pragma once

#include "common/base/lp_buf.h"

#include <stddef.h>
#include <stdint.h>

enum { TICK_HEADER_BYTES = 68 };

typedef struct tick_chunk {
    lp_buf bytes; // the chunk as in the JVM's file; its header is as old as the chunk
    int64_t start_wall_ns;
    uint64_t start_ticks; // 0: 1
    uint64_t metadata_offset;
    uint64_t checkpoint_offset;
    size_t sent; // of its bytes, in pieces (wire_piece_take)
} tick_chunk;

void tick_chunk_init(tick_chunk *chunk, int64_t start_wall_ns);
void tick_chunk_fini(tick_chunk *chunk);

// tick_chunk_add appends the event with this number.
void tick_chunk_add(tick_chunk *chunk, uint64_t number);

// tick_chunk_header makes the header that the JVM would write now.
void tick_chunk_header(
    const tick_chunk *chunk, int64_t duration_ns, uint8_t out_header[TICK_HEADER_BYTES]);

// What a run of chunks says it lacks (dev.loupe.Loss).
typedef struct tick_losses {
    struct {
        char kind[32];
        uint64_t amount;
        char message[256];
    } items[16];
    size_t count;
} tick_losses;

// tick_chunk_list_losses adds those of a run of chunks, each by itself.
void tick_chunk_list_losses(const uint8_t *bytes, size_t size, tick_losses *out);

// tick_chunk_count reads a run of chunks, adds 1 to counts[number] for each event in them, and
// gives how many they say were dropped (dev.loupe.Accounting). Numbers from limit on fail the test,
// and so does a chunk that says something else was kept than what is there.
uint64_t tick_chunk_count(const uint8_t *bytes, size_t size, unsigned *counts, uint64_t limit);
