// SPDX-License-Identifier: Apache-2.0
// sim_reader: what a journal has of a chunk, read by docs/internals/storage.md#the-journal and
// wire.md and not by the collector's own reader: how often each byte is there, and which context
// records.
//
// Threads: the one of the test.

#pragma once

#include "common/base/lp_buf.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
#include <stdint.h>

// A record of a context, by its time, which no other one has, and the chunk that it came with.
typedef struct sim_record {
    int64_t ticks;
    uint32_t chunk;
} sim_record;

// A zeroed one is empty.
typedef struct sim_content {
    lp_buf counts; // of each byte of the chunk, from its start on: how often it is there
    LP_VEC(sim_record) records;
    bool is_wrong; // a byte is not what the JVM wrote
} sim_content;

// sim_reader_add adds the first end_bytes of the journal of chunk `ordinal` of an agent to content.
// Of a chunk that came several times it adds the one of which most bytes came, of these the last.
void sim_reader_add(
    const char *path, uint64_t end_bytes, unsigned agent, uint32_t ordinal, sim_content *content);

// sim_reader_add_late adds all batches of a chunk that came too late and were put aside, if there
// is such a file.
void sim_reader_add_late(const char *path, unsigned agent, sim_content *content);

// sim_content_pack appends it to out. sim_content_load reads a file of that.
void sim_content_pack(const sim_content *content, lp_buf *out);
bool sim_content_load(const char *path, sim_content *out_content);

void sim_content_fini(sim_content *content);
