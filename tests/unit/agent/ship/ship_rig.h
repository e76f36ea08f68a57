// SPDX-License-Identifier: Apache-2.0
// ship_rig: a ship with all that is around it. The rings, the tail and NNG are the real ones; the
// test plays the JVM (chunk files, ring writers) and the collector. A ship is never freed, as in a
// JVM, so each test leaves its own behind.
//
// Threads: the test's, but for what a collector counts (fake_collector_peek).

#pragma once

#include "support/chunk_writer.h"
#include "support/fake_collector.h"
#include "support/temp_dir.h"
#include "unit/agent/ship/received.h"

#include "agent/ship/ship.h"

#include <stddef.h>
#include <stdint.h>

enum { SHIP_RIG_NEVER_MS = 3600 * 1000 }; // a test that waits so long has failed

typedef struct ship_rig {
    temp_dir dir;
    fake_collector *collector;
    const char *url; // its
    ctx_rings *rings;
    ctx_registry *registry;
    ctx_recordings *recordings;
    ctx_filters *filters;
    ship *ship;
    unsigned map_count; // that were added
} ship_rig;

// For cmocka: *state is a ship_rig with a collector that is away, and without a ship.
int ship_rig_set_up(void **state);
int ship_rig_tear_down(void **state);

ship_config ship_rig_config(const ship_rig *f);

void ship_rig_start(ship_rig *f);

// ship_rig_add_type adds the type of the records, of id 1.
void ship_rig_add_type(ship_rig *f);

// ship_rig_put_record writes a record without values into the first ring, as a Java thread would.
void ship_rig_put_record(ship_rig *f, ctx_record_kind kind, int64_t thread, int64_t ticks);

// ship_rig_add_map adds a RecordingContext and returns its id; ship_rig_count_maps returns how many
// the agent still knows.
uint64_t ship_rig_add_map(ship_rig *f);
size_t ship_rig_count_maps(ship_rig *f);

// ship_rig_write_chunk writes a file N.jfr, in the directory that the ship follows or in another
// one, with so many bytes that are published.
chunk_writer ship_rig_write_chunk(ship_rig *f, unsigned number, size_t bytes);
chunk_writer ship_rig_write_chunk_in(const char *directory, unsigned number, size_t bytes);

// ship_rig_begin starts the collector and the ship, and writes the first chunk.
chunk_writer ship_rig_begin(ship_rig *f, size_t bytes);

// ship_rig_finish finishes the first chunk, then the ship and the collector, and checks that the
// chunk arrived. The caller ends the result with received_release.
received ship_rig_finish(ship_rig *f, chunk_writer *chunk);

// ship_rig_finish_all finishes the ship and the collector, and checks that these chunks, which are
// finished, arrived and no others, and one end. The caller ends the result as above.
received ship_rig_finish_all(ship_rig *f, const chunk_writer *chunks, unsigned count);
