// SPDX-License-Identifier: Apache-2.0
// ring_writer: writes context records in C by the protocol that dev.loupe.internal.Rings follows,
// in steps, so that a test can stop between them.
//
// Threads: as application threads of a JVM: any thread, but each carrier by one at a time.

#pragma once

#include "agent/context/ctx_rings.h"

#include <stdbool.h>
#include <stdint.h>

// A Java thread and the platform thread that carries it: itself, where it is not virtual.
typedef struct ring_thread {
    const ctx_rings_layout *layout;
    int64_t id;
    int64_t carrier;
} ring_thread;

// Returns the time of a record; asked when the ring is there.
typedef int64_t (*ring_clock)(void *arg);

// A record that is written and not published.
typedef struct ring_record {
    ctx_rings_control *control; // NULL: there was no ring
    uint8_t *at;                // NULL: refused
    uint32_t size_bytes;
    int64_t ticks;
    ctx_rings_mode mode;
    bool is_borrowed; // the ring is to be given back
} ring_record;

// ring_writer_ring returns the thread's ring, NULL if it has none. It takes none.
ctx_rings_control *ring_writer_ring(ring_thread thread);

// ring_writer_write_set writes a CTX_RECORD_SET with value_count long values. Refused, it ends the
// context that is open.
ring_record ring_writer_write_set(ring_thread thread, uint16_t type_id, ring_clock clock, void *arg,
    uint32_t value_count, const int64_t *values);

// ring_writer_publish makes the record count.
void ring_writer_publish(ring_thread thread, uint16_t type_id, ring_record record);

// ring_writer_set does it in one go; false if it was refused.
bool ring_writer_set(ring_thread thread, uint16_t type_id, ring_clock clock, void *arg,
    uint32_t value_count, const int64_t *values);

// ring_writer_unset ends the context; false if nothing is written: there is none, or no room.
bool ring_writer_unset(ring_thread thread, uint16_t type_id, ring_clock clock, void *arg);

// ring_writer_end ends all contexts of a platform thread and gives its ring back.
void ring_writer_end(ring_thread thread, ring_clock clock, void *arg);
