// SPDX-License-Identifier: Apache-2.0
// Tests: tests/unit/agent/ship/test_ship_spool.c

#include "agent/ship/batch/ship_source.h"
#include "common/base/lp_assert.h"
#include "common/context/ctx_record.h"

#include <stdlib.h>
#include <string.h>

void
ship_spool_init(ship_spool *spool, size_t bytes_max)
{
    *spool = (ship_spool){.bytes_max = bytes_max, .pending.run_bytes = SHIP_BLOCK_BYTES};
}

static void
free_first(ship_spool *spool)
{
    ship_block *block = spool->first;
    LP_ASSERT(spool->bytes >= block->packed_bytes);
    spool->first = block->next;
    if (spool->first == NULL) {
        spool->last = NULL;
    }
    spool->bytes -= block->packed_bytes;
    spool->freed_count++;
    free(block);
}

void
ship_spool_fini(ship_spool *spool)
{
    while (spool->first != NULL) {
        free_first(spool);
    }
    ctx_packer_fini(&spool->pending);
}

// Frees sent blocks, the oldest first, to make room for this size.
static void
make_room(ship_spool *spool, size_t packed_bytes)
{
    while (spool->bytes + packed_bytes > spool->bytes_max && spool->first != spool->next) {
        spool->whole_from = spool->first->chunk + 1;
        free_first(spool);
    }
}

// Makes a block of the pending run at index.
static lp_err
push_block(ship_spool *spool, size_t index, uint64_t rank)
{
    LP_ASSERT(spool->last == NULL || spool->last->rank <= rank);
    const ctx_pack_run *run = &spool->pending.runs.items[index];
    size_t begin = index == 0 ? 0 : run[-1].packed_end;
    size_t packed_bytes = run->packed_end - begin;
    make_room(spool, packed_bytes);
    LP_REQUIRE(spool->bytes + packed_bytes <= spool->bytes_max, LP_ELIMIT);
    ship_block *block = malloc(sizeof(*block) + packed_bytes);
    LP_REQUIRE(block != NULL, LP_ENOMEM);
    *block = (ship_block){
        .rank = rank,
        .size_bytes = (uint32_t)run->size_bytes,
        .packed_bytes = (uint32_t)packed_bytes,
    };
    memcpy(block->packed, spool->pending.packed.ptr + begin, packed_bytes);
    spool->bytes += packed_bytes;
    if (spool->last == NULL) {
        spool->first = block;
    } else {
        spool->last->next = block;
    }
    spool->last = block;
    spool->next = spool->next == NULL ? block : spool->next;
    spool->sealed_count++;
    return LP_OK;
}

// Replaces the pending runs from index on by the record that ends every context. If that record is
// dropped with a later block, it is the earliest of that block, so its time stays.
static void
give_up(ship_spool *spool, size_t index)
{
    ctx_packer *pending = &spool->pending;
    ctx_record_header marker = {
        .size_bytes = sizeof(marker),
        .kind = CTX_RECORD_THREAD_END,
        .thread_id = CTX_THREAD_ALL,
        .time_ticks = INT64_MAX,
    };
    for (size_t i = index; i < pending->runs.count; i++) {
        const ctx_pack_run *run = &pending->runs.items[i];
        spool->dropped_bytes += run->size_bytes;
        marker.time_ticks =
            run->first_ticks < marker.time_ticks ? run->first_ticks : marker.time_ticks;
    }
    spool->dropped_bytes -= spool->marker_bytes;
    spool->marker_bytes = marker.size_bytes;
    ctx_packer_clear(pending); // it took more room than the marker
    ctx_packer_put(pending, &marker, (const uint8_t *)&marker);
}

void
ship_spool_seal(ship_spool *spool, uint64_t rank)
{
    for (size_t i = 0; i < spool->pending.runs.count; i++) {
        if (push_block(spool, i, rank) != LP_OK) {
            give_up(spool, i);
            return;
        }
        spool->marker_bytes = 0;
    }
    ctx_packer_clear(&spool->pending);
}

uint64_t
ship_spool_last_block(const ship_spool *spool)
{
    return spool->sealed_count + spool->pending.runs.count;
}

const ship_block *
ship_spool_find(const ship_spool *spool)
{
    return spool->next;
}

void
ship_spool_note_sent(ship_spool *spool, uint32_t chunk)
{
    LP_ASSERT(spool->next != NULL);
    LP_ASSERT(spool->sent_count < spool->sealed_count);
    spool->next->chunk = chunk;
    spool->next = spool->next->next;
    spool->sent_count++;
}

void
ship_spool_release(ship_spool *spool, uint32_t end)
{
    while (spool->first != spool->next && spool->first->chunk < end) {
        free_first(spool);
    }
}

void
ship_spool_go_back(ship_spool *spool, uint32_t chunk)
{
    ship_block *block = spool->first;
    spool->sent_count = spool->freed_count;
    while (block != spool->next && block->chunk < chunk) {
        block = block->next;
        spool->sent_count++;
    }
    spool->next = block;
}

size_t
ship_spool_get_unsent(const ship_spool *spool)
{
    LP_ASSERT(spool->freed_count <= spool->sent_count);
    size_t bytes = spool->pending.size_bytes;
    for (const ship_block *block = spool->next; block != NULL; block = block->next) {
        bytes += block->size_bytes;
    }
    return bytes;
}
