// SPDX-License-Identifier: Apache-2.0
// ring_writer: writes context records in C by the protocol that dev.loupe.internal.Rings follows,
// in steps, so that a test can stop between them.
//
// Threads: as application threads of a JVM: any thread, but each Java thread id by one at a time.

#ifndef LP_TESTS_UNIT_AGENT_RING_WRITER_H
#define LP_TESTS_UNIT_AGENT_RING_WRITER_H

#include "agent/context/ctx_rings.h"

#include <stdbool.h>
#include <stdint.h>

// A record that is reserved and not complete.
typedef struct ring_slot {
    uint8_t *at; // NULL: refused
    uint32_t size_bytes;
} ring_slot;

typedef struct ring_thread {
    const ctx_rings_layout *layout;
    int64_t id;
} ring_thread;

uint32_t ring_writer_stripe(ring_thread thread);

// ring_writer_reserve_set takes the room for a CTX_RECORD_SET with value_count long values.
// Refused, it ends the context that is open.
ring_slot ring_writer_reserve_set(ring_thread thread, uint16_t type_id, uint32_t value_count);

// ring_writer_complete_set writes values and completes the record.
void ring_writer_complete_set(ring_thread thread, uint16_t type_id, ring_slot slot,
    int64_t time_ticks, const int64_t *values);

// ring_writer_abandon_set completes the record as a pad.
void ring_writer_abandon_set(
    ring_thread thread, uint16_t type_id, ring_slot slot, int64_t time_ticks);

// ring_writer_set does it in one go; false if it was refused.
bool ring_writer_set(ring_thread thread, uint16_t type_id, int64_t time_ticks, uint32_t value_count,
    const int64_t *values);

// ring_writer_unset ends the open context; false if there is none, and then nothing is written.
bool ring_writer_unset(ring_thread thread, uint16_t type_id, int64_t time_ticks);

#endif // LP_TESTS_UNIT_AGENT_RING_WRITER_H
