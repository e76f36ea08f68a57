// SPDX-License-Identifier: Apache-2.0
// received: what the batches that a collector keeps come to when they are put together. What is
// wrong with a batch, or with their order, fails the test.
//
// Threads: one thread at a time, while the collector is stopped.

#pragma once

#include "support/chunk_writer.h"
#include "support/fake_collector.h"

#include "common/base/lp_buf.h"
#include "common/jfr/jfr_chunk.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RECEIVED_CHUNKS_MAX = 8,
    RECEIVED_MAPS_MAX = 4096, // of RecordingContexts
};

typedef struct received {
    lp_buf chunks[RECEIVED_CHUNKS_MAX];
    uint8_t headers[RECEIVED_CHUNKS_MAX][JFR_CHUNK_HEADER_SIZE];
    uint32_t chunk_count;
    lp_buf contexts;
    size_t contexts_begin[RECEIVED_CHUNKS_MAX]; // where those of a chunk begin
    size_t type_count;
    bool has_gone_back; // a chunk began again: everything counts from there
    uint64_t map_count; // their ids count from 1
    bool is_known[RECEIVED_MAPS_MAX];
    bool is_ended[RECEIVED_MAPS_MAX];
    size_t ended_count;
    uint64_t last_count;
} received;

// received_assemble puts all batches together, calling on_batch after each unless it is NULL. The
// caller ends it with received_release.
received received_assemble(fake_collector *c,
    void (*on_batch)(received *r, const Loupe__Wire__Batch *batch, void *arg), void *arg);

void received_release(received *r);

// received_check_chunk checks that a chunk came as it was published.
void received_check_chunk(const received *r, uint32_t number, const chunk_writer *chunk);

// received_check_contexts checks that the records of ship_rig_put_record with ticks 0 to count - 1
// are there in order.
void received_check_contexts(const received *r, size_t count);
