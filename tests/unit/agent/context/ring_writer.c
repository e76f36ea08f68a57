// SPDX-License-Identifier: Apache-2.0
#include "unit/agent/context/ring_writer.h"

#include <string.h>

static _Atomic uint64_t *
bucket_of(ring_thread thread)
{
    uint64_t hash = (uint64_t)thread.carrier * 0x9e3779b97f4a7c15u;
    return thread.layout->cells + (hash >> (64 - CTX_RINGS_BUCKET_BITS)) * CTX_RINGS_BUCKET_CELLS;
}

static _Atomic uint64_t *
find_cell(ring_thread thread)
{
    _Atomic uint64_t *bucket = bucket_of(thread);
    for (int i = 0; i < CTX_RINGS_BUCKET_CELLS; i++) {
        uint64_t cell = atomic_load_explicit(&bucket[i], memory_order_relaxed);
        if (cell >> CTX_RINGS_CELL_BITS == (uint64_t)thread.carrier) {
            return &bucket[i];
        }
    }
    return NULL;
}

ctx_rings_control *
ring_writer_ring(ring_thread thread)
{
    _Atomic uint64_t *cell = find_cell(thread);
    if (cell == NULL) {
        return NULL;
    }
    uint64_t owned = atomic_load_explicit(cell, memory_order_relaxed);
    return &thread.layout->controls[owned % (1 << CTX_RINGS_CELL_BITS)];
}

static bool
try_own(ctx_rings_control *control, int64_t thread)
{
    int64_t nobody = 0;
    return atomic_compare_exchange_strong(&control->owner, &nobody, thread);
}

static void
disown(ctx_rings_control *control)
{
    atomic_store_explicit(&control->owner, 0, memory_order_release);
}

static bool
is_empty(ctx_rings_control *control)
{
    return atomic_load_explicit(&control->head, memory_order_relaxed) ==
           atomic_load_explicit(&control->tail, memory_order_acquire);
}

static bool
put_cell(ring_thread thread, uint64_t index)
{
    _Atomic uint64_t *bucket = bucket_of(thread);
    for (int i = 0; i < CTX_RINGS_BUCKET_CELLS; i++) {
        uint64_t empty = 0;
        uint64_t cell = (uint64_t)thread.carrier << CTX_RINGS_CELL_BITS | index;
        if (atomic_compare_exchange_strong(&bucket[i], &empty, cell)) {
            return true;
        }
    }
    return false;
}

// take_empty takes a ring in which there is nothing; NULL if there is none.
static ctx_rings_control *
take_empty(ring_thread thread, uint64_t *out_index)
{
    ctx_rings_common *common = thread.layout->common;
    uint64_t now = atomic_load(&common->drains) + 1;
    if (atomic_load(&common->full_at) == now) {
        return NULL;
    }
    for (uint64_t i = 0; i < CTX_RINGS_OWN; i++) {
        ctx_rings_control *control = &thread.layout->controls[i];
        if (is_empty(control) && try_own(control, thread.carrier)) {
            if (is_empty(control)) {
                *out_index = i;
                return control;
            }
            disown(control);
        }
    }
    atomic_store(&common->full_at, now);
    return NULL;
}

static ctx_rings_control *
take_ring(ring_thread thread)
{
    ctx_rings_common *common = thread.layout->common;
    int64_t was_short = atomic_load(&common->is_short);
    uint64_t index;
    ctx_rings_control *control = take_empty(thread, &index);
    if (control != NULL) {
        control->mode = was_short != 0 ? CTX_RINGS_UNKNOWN : CTX_RINGS_PLAIN;
        control->open = 0;
        if (put_cell(thread, index)) {
            return control;
        }
        disown(control);
    }
    atomic_store(&common->is_short, 1);
    return NULL;
}

// move_on leaves a ring that is full for an empty one; NULL if there is none.
static ctx_rings_control *
move_on(ring_thread thread, ctx_rings_control *full)
{
    uint64_t index;
    ctx_rings_control *control = take_empty(thread, &index);
    if (control != NULL) {
        control->mode = full->mode == CTX_RINGS_PLAIN ? CTX_RINGS_LOOSE : full->mode;
        control->open = full->open;
        control->plain_from = atomic_load(&thread.layout->common->drains) + 2;
        atomic_store_explicit(find_cell(thread),
            (uint64_t)thread.carrier << CTX_RINGS_CELL_BITS | index, memory_order_relaxed);
        disown(full);
    }
    return control;
}

static ctx_rings_control *
borrow(ring_thread thread)
{
    for (uint64_t i = 0; i < CTX_RINGS_SHARED; i++) {
        uint64_t index = CTX_RINGS_OWN + ((uint64_t)thread.id + i) % CTX_RINGS_SHARED;
        ctx_rings_control *control = &thread.layout->controls[index];
        if (try_own(control, thread.id)) {
            return control;
        }
    }
    return NULL;
}

static void
lose(ring_thread thread, int64_t ticks)
{
    int64_t none = 0;
    (void)atomic_compare_exchange_strong(&thread.layout->common->lost_from, &none, ticks);
}

static int64_t
room_for(ctx_rings_control *control, uint64_t open)
{
    uint32_t head = atomic_load_explicit(&control->head, memory_order_relaxed);
    uint32_t tail = atomic_load_explicit(&control->tail, memory_order_acquire);
    return (int64_t)CTX_RINGS_RING_BYTES - (int64_t)(head - tail) -
           (int64_t)CTX_RECORD_HEADER_BYTES * __builtin_popcountll(open);
}

static uint8_t *
place_of(ctx_rings_control *control)
{
    uint32_t head = atomic_load_explicit(&control->head, memory_order_relaxed);
    return control->ring + head % CTX_RINGS_RING_BYTES;
}

static ring_record
record_in(ctx_rings_control *control, ctx_rings_mode mode, uint32_t size_bytes, int64_t ticks)
{
    return (ring_record){
        .control = control,
        .at = place_of(control),
        .size_bytes = size_bytes,
        .ticks = ticks,
        .mode = mode,
    };
}

static void
publish(ring_thread thread, uint16_t type_id, ctx_record_kind kind, const ring_record *record)
{
    ctx_rings_control *control = record->control;
    bool is_loose = record->mode != CTX_RINGS_PLAIN;
    const ctx_record_header header = {
        .size_bytes = record->size_bytes,
        .type_id = type_id,
        .kind = (uint8_t)kind,
        .flags = is_loose ? CTX_RECORD_LOOSE : 0,
        .thread_id = thread.id,
        .time_ticks = record->ticks,
    };
    memcpy(record->at, &header, sizeof(header));
    if (is_loose) {
        atomic_store_explicit(&control->loose_ticks, record->ticks, memory_order_relaxed);
    }
    uint32_t head = atomic_load_explicit(&control->head, memory_order_relaxed);
    atomic_store_explicit(&control->head, head + record->size_bytes, memory_order_release);
}

static uint64_t
bit_of(uint16_t type_id)
{
    return (uint64_t)1 << (type_id - 1);
}

static ctx_rings_mode
mode_of(ring_thread thread, const ctx_rings_control *control)
{
    return thread.id != thread.carrier ? CTX_RINGS_UNKNOWN : (ctx_rings_mode)control->mode;
}

// put_own_end ends a context that is known to be open: so there is room.
static void
put_own_end(ring_thread thread, ctx_rings_control *control, uint16_t type_id, int64_t ticks)
{
    ring_record end = record_in(control, mode_of(thread, control), CTX_RECORD_HEADER_BYTES, ticks);
    publish(thread, type_id, CTX_RECORD_UNSET, &end);
    control->open &= ~bit_of(type_id);
    // All that the thread wrote elsewhere is drained, and nothing is open.
    if (control->mode == CTX_RINGS_LOOSE && control->open == 0 &&
        atomic_load(&thread.layout->common->drains) >= control->plain_from) {
        control->mode = CTX_RINGS_PLAIN;
    }
}

static bool
put_unknown_end(ring_thread thread, ctx_rings_control *control, uint16_t type_id,
    ctx_record_kind kind, int64_t ticks)
{
    if (room_for(control, control->open) < CTX_RECORD_HEADER_BYTES) {
        lose(thread, ticks);
        return false;
    }
    ring_record end = record_in(control, CTX_RINGS_UNKNOWN, CTX_RECORD_HEADER_BYTES, ticks);
    publish(thread, type_id, kind, &end);
    return true;
}

static void
refuse(ring_thread thread, uint16_t type_id, const ring_record *record)
{
    ctx_rings_control *control = record->control;
    atomic_fetch_add(&control->contexts_dropped, 1);
    if (record->mode == CTX_RINGS_UNKNOWN) {
        (void)put_unknown_end(thread, control, type_id, CTX_RECORD_UNSET, record->ticks);
    } else if ((control->open & bit_of(type_id)) != 0) {
        put_own_end(thread, control, type_id, record->ticks);
    }
}

// open_if_room returns whether a CTX_RECORD_SET fits, and notes that its context is open.
static bool
open_if_room(ctx_rings_control *control, ctx_rings_mode mode, uint16_t type_id, uint32_t size_bytes)
{
    bool is_known = mode != CTX_RINGS_UNKNOWN;
    uint64_t open = control->open | (is_known ? bit_of(type_id) : 0);
    if (room_for(control, open) - (is_known ? 0 : CTX_RINGS_SLACK_BYTES) < size_bytes) {
        return false;
    }
    control->open = open;
    return true;
}

// write_in writes into this ring, or the next.
static ring_record
write_in(ring_thread thread, ctx_rings_control *control, uint16_t type_id, uint32_t size_bytes,
    int64_t ticks)
{
    ctx_rings_mode mode = mode_of(thread, control);
    if (!open_if_room(control, mode, type_id, size_bytes)) {
        ctx_rings_control *next = move_on(thread, control);
        control = next == NULL ? control : next;
        mode = mode_of(thread, control);
        ring_record record = record_in(control, mode, size_bytes, ticks);
        if (next == NULL || !open_if_room(control, mode, type_id, size_bytes)) {
            refuse(thread, type_id, &record);
            record.at = NULL;
        }
        return record;
    }
    return record_in(control, mode, size_bytes, ticks);
}

static ring_record
write_borrowed(
    ring_thread thread, uint16_t type_id, uint32_t size_bytes, ring_clock clock, void *arg)
{
    ctx_rings_control *control = borrow(thread);
    int64_t ticks = clock(arg);
    if (control == NULL) {
        atomic_fetch_add(&thread.layout->common->contexts_dropped, 1);
        lose(thread, ticks);
        return (ring_record){0};
    }
    ring_record record = record_in(control, CTX_RINGS_UNKNOWN, size_bytes, ticks);
    record.is_borrowed = true;
    if (!open_if_room(control, CTX_RINGS_UNKNOWN, type_id, size_bytes)) {
        refuse(thread, type_id, &record);
        record.at = NULL;
        disown(control);
    }
    return record;
}

ring_record
ring_writer_write_set(ring_thread thread, uint16_t type_id, ring_clock clock, void *arg,
    uint32_t value_count, const int64_t *values)
{
    uint32_t size_bytes = CTX_RECORD_HEADER_BYTES + 8 * value_count;
    ctx_rings_control *control = ring_writer_ring(thread);
    control = control == NULL ? take_ring(thread) : control;
    ring_record record = control == NULL
                             ? write_borrowed(thread, type_id, size_bytes, clock, arg)
                             : write_in(thread, control, type_id, size_bytes, clock(arg));
    if (record.at != NULL) {
        memcpy(record.at + CTX_RECORD_HEADER_BYTES, values, (size_t)8 * value_count);
    }
    return record;
}

void
ring_writer_publish(ring_thread thread, uint16_t type_id, ring_record record)
{
    publish(thread, type_id, CTX_RECORD_SET, &record);
    if (record.is_borrowed) {
        disown(record.control);
    }
}

bool
ring_writer_set(ring_thread thread, uint16_t type_id, ring_clock clock, void *arg,
    uint32_t value_count, const int64_t *values)
{
    ring_record record = ring_writer_write_set(thread, type_id, clock, arg, value_count, values);
    if (record.at == NULL) {
        return false;
    }
    ring_writer_publish(thread, type_id, record);
    return true;
}

static bool
end_borrowed(
    ring_thread thread, uint16_t type_id, ctx_record_kind kind, ring_clock clock, void *arg)
{
    ctx_rings_control *control = borrow(thread);
    int64_t ticks = clock(arg);
    if (control == NULL) {
        lose(thread, ticks);
        return false;
    }
    bool is_written = put_unknown_end(thread, control, type_id, kind, ticks);
    disown(control);
    return is_written;
}

// end_unknown ends what may be open, in this ring or the next.
static bool
end_unknown(ring_thread thread, ctx_rings_control *control, uint16_t type_id, ctx_record_kind kind,
    int64_t ticks)
{
    if (room_for(control, control->open) < CTX_RECORD_HEADER_BYTES) {
        ctx_rings_control *next = move_on(thread, control);
        control = next == NULL ? control : next;
    }
    return put_unknown_end(thread, control, type_id, kind, ticks);
}

bool
ring_writer_unset(ring_thread thread, uint16_t type_id, ring_clock clock, void *arg)
{
    ctx_rings_control *control = ring_writer_ring(thread);
    if (control == NULL && thread.id != thread.carrier) {
        control = take_ring(thread);
    }
    if (control == NULL) {
        return atomic_load(&thread.layout->common->is_short) != 0 &&
               end_borrowed(thread, type_id, CTX_RECORD_UNSET, clock, arg);
    }
    if (mode_of(thread, control) == CTX_RINGS_UNKNOWN) {
        return end_unknown(thread, control, type_id, CTX_RECORD_UNSET, clock(arg));
    }
    if ((control->open & bit_of(type_id)) == 0) {
        return false;
    }
    put_own_end(thread, control, type_id, clock(arg));
    return true;
}

void
ring_writer_end(ring_thread thread, ring_clock clock, void *arg)
{
    ctx_rings_control *control = ring_writer_ring(thread);
    if (control == NULL) {
        if (atomic_load(&thread.layout->common->is_short) != 0) {
            (void)end_borrowed(thread, 0, CTX_RECORD_THREAD_END, clock, arg);
        }
        return;
    }
    if (control->mode == CTX_RINGS_UNKNOWN) {
        (void)end_unknown(thread, control, 0, CTX_RECORD_THREAD_END, clock(arg));
        control = ring_writer_ring(thread);
    }
    for (uint16_t type = 1; control->open != 0; type++) {
        if ((control->open & bit_of(type)) != 0) {
            put_own_end(thread, control, type, clock(arg));
        }
    }
    atomic_store_explicit(find_cell(thread), 0, memory_order_relaxed);
    disown(control);
}
