// SPDX-License-Identifier: Apache-2.0
#include "unit/agent/ring_writer.h"

#include <string.h>

static uint64_t
hash_of(ring_thread thread)
{
    return (uint64_t)thread.id * 0x9e3779b97f4a7c15u;
}

uint32_t
ring_writer_stripe(ring_thread thread)
{
    return (uint32_t)(hash_of(thread) >> (64 - thread.layout->stripe_bits));
}

static ctx_rings_control *
control_of(ring_thread thread)
{
    return &thread.layout->controls[ring_writer_stripe(thread)];
}

static _Atomic uint64_t *
bucket_of(ring_thread thread)
{
    uint64_t bucket = hash_of(thread) >> (64 - thread.layout->stripe_bits - CTX_RINGS_BUCKET_BITS);
    return thread.layout->cells + bucket * CTX_RINGS_BUCKET_CELLS;
}

static _Atomic uint64_t *
find_cell(ring_thread thread)
{
    _Atomic uint64_t *bucket = bucket_of(thread);
    for (int i = 0; i < CTX_RINGS_BUCKET_CELLS; i++) {
        uint64_t cell = atomic_load_explicit(&bucket[i], memory_order_relaxed);
        if (cell >> CTX_RINGS_CELL_TYPE_BITS == (uint64_t)thread.id) {
            return &bucket[i];
        }
    }
    return NULL;
}

static _Atomic uint64_t *
take_cell(ring_thread thread)
{
    _Atomic uint64_t *bucket = bucket_of(thread);
    for (int i = 0; i < CTX_RINGS_BUCKET_CELLS; i++) {
        uint64_t empty = 0;
        if (atomic_compare_exchange_strong(
                &bucket[i], &empty, (uint64_t)thread.id << CTX_RINGS_CELL_TYPE_BITS)) {
            return &bucket[i];
        }
    }
    return NULL;
}

static void
put_cell(_Atomic uint64_t *cell, uint64_t owned)
{
    bool has_open = (owned & ((1u << CTX_RINGS_CELL_TYPE_BITS) - 1)) != 0;
    atomic_store_explicit(cell, has_open ? owned : 0, memory_order_relaxed);
}

static ring_slot
reserve(ring_thread thread, uint32_t size_bytes, int open_change)
{
    ctx_rings_control *control = control_of(thread);
    uint32_t units = size_bytes / CTX_RINGS_UNIT_BYTES;
    uint64_t head = atomic_load(&control->head);
    while (true) {
        uint32_t position = (uint32_t)head;
        uint64_t open = (head >> 32) + (uint64_t)(int64_t)open_change;
        uint32_t tail = atomic_load_explicit(&control->tail, memory_order_acquire);
        uint64_t used = (uint64_t)(int64_t)(int32_t)(position - tail);
        if (open_change >= 0 &&
            (int64_t)(used + units + CTX_RINGS_END_UNITS * open) > CTX_RINGS_RING_UNITS) {
            return (ring_slot){0};
        }
        uint64_t next = open << 32 | (uint32_t)(position + units);
        if (atomic_compare_exchange_weak(&control->head, &head, next)) {
            uint64_t ring = (uint64_t)ring_writer_stripe(thread) * 2 * CTX_RINGS_RING_BYTES;
            uint64_t offset = (uint64_t)(position % CTX_RINGS_RING_UNITS) * CTX_RINGS_UNIT_BYTES;
            return (ring_slot){thread.layout->rings + ring + offset, size_bytes};
        }
    }
}

static void
complete(ring_thread thread, uint16_t type_id, ring_slot slot, int64_t time_ticks, uint64_t kind)
{
    memcpy(slot.at + 8, &thread.id, 8);
    memcpy(slot.at + 16, &time_ticks, 8);
    atomic_store_explicit((_Atomic uint64_t *)(void *)slot.at,
        slot.size_bytes | (uint64_t)type_id << 32 | kind << 48, memory_order_release);
}

static uint64_t
bit_of(uint16_t type_id)
{
    return 1u << (type_id - 1);
}

ring_slot
ring_writer_reserve_set(ring_thread thread, uint16_t type_id, uint32_t value_count)
{
    ctx_rings_control *control = control_of(thread);
    _Atomic uint64_t *cell = find_cell(thread);
    cell = cell == NULL ? take_cell(thread) : cell;
    if (cell == NULL) {
        atomic_fetch_add(&control->contexts_dropped, 1);
        return (ring_slot){0};
    }
    uint64_t owned = atomic_load_explicit(cell, memory_order_relaxed);
    bool is_open = (owned & bit_of(type_id)) != 0;
    ring_slot slot = reserve(thread, CTX_RECORD_HEADER_BYTES + 8 * value_count, is_open ? 0 : 1);
    if (slot.at != NULL) {
        put_cell(cell, owned | bit_of(type_id));
        return slot;
    }
    atomic_fetch_add(&control->contexts_dropped, 1);
    if (is_open) {
        (void)ring_writer_unset(thread, type_id, 0);
    } else {
        put_cell(cell, owned);
    }
    return slot;
}

void
ring_writer_complete_set(
    ring_thread thread, uint16_t type_id, ring_slot slot, int64_t time_ticks, const int64_t *values)
{
    memcpy(slot.at + CTX_RECORD_HEADER_BYTES, values, slot.size_bytes - CTX_RECORD_HEADER_BYTES);
    complete(thread, type_id, slot, time_ticks, CTX_RECORD_SET);
}

void
ring_writer_abandon_set(ring_thread thread, uint16_t type_id, ring_slot slot, int64_t time_ticks)
{
    _Atomic uint64_t *cell = find_cell(thread);
    put_cell(cell, atomic_load_explicit(cell, memory_order_relaxed) & ~bit_of(type_id));
    atomic_fetch_sub(&control_of(thread)->head, (uint64_t)1 << 32);
    complete(thread, type_id, slot, time_ticks, CTX_RECORD_PAD);
}

bool
ring_writer_set(ring_thread thread, uint16_t type_id, int64_t time_ticks, uint32_t value_count,
    const int64_t *values)
{
    ring_slot slot = ring_writer_reserve_set(thread, type_id, value_count);
    if (slot.at == NULL) {
        return false;
    }
    ring_writer_complete_set(thread, type_id, slot, time_ticks, values);
    return true;
}

bool
ring_writer_unset(ring_thread thread, uint16_t type_id, int64_t time_ticks)
{
    _Atomic uint64_t *cell = find_cell(thread);
    uint64_t owned = cell == NULL ? 0 : atomic_load_explicit(cell, memory_order_relaxed);
    if ((owned & bit_of(type_id)) == 0) {
        return false;
    }
    ring_slot slot = reserve(thread, CTX_RECORD_HEADER_BYTES, -1);
    put_cell(cell, owned & ~bit_of(type_id));
    complete(thread, type_id, slot, time_ticks, CTX_RECORD_UNSET);
    return true;
}
