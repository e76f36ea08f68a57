// SPDX-License-Identifier: Apache-2.0
#include "agent/ship/ship_spool.h"

#include "common/base/lp_assert.h"
#include "common/context/ctx_record.h"

#include <stdlib.h>
#include <string.h>

void
ship_spool_init(ship_spool *spool, size_t bytes_max)
{
    *spool = (ship_spool){.bytes_max = bytes_max, .pending.run_bytes = SHIP_BLOCK_BYTES};
}

void
ship_spool_fini(ship_spool *spool)
{
    while (spool->first != NULL) {
        ship_spool_pop(spool);
    }
    ctx_packer_fini(&spool->pending);
}

// push_block makes a block of the pending run at index.
static lp_err
push_block(ship_spool *spool, size_t index, uint64_t rank)
{
    LP_ASSERT(spool->last == NULL || spool->last->rank <= rank);
    const ctx_pack_run *run = &spool->pending.runs.items[index];
    size_t begin = index == 0 ? 0 : run[-1].packed_end;
    size_t packed_bytes = run->packed_end - begin;
    if (spool->bytes + packed_bytes > spool->bytes_max) {
        return LP_ELIMIT;
    }
    ship_block *block = malloc(sizeof(*block) + packed_bytes);
    if (block == NULL) {
        return LP_ENOMEM;
    }
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
    spool->sealed_count++;
    return LP_OK;
}

// give_up replaces the pending runs from index on by the record that ends every context. When that
// record is given up with a later block it is the earliest of that, and so its time stays.
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
    return spool->first;
}

void
ship_spool_pop(ship_spool *spool)
{
    ship_block *block = spool->first;
    LP_ASSERT(block != NULL);
    LP_ASSERT(spool->popped_count < spool->sealed_count);
    spool->first = block->next;
    if (spool->first == NULL) {
        spool->last = NULL;
    }
    spool->bytes -= block->packed_bytes;
    spool->popped_count++;
    free(block);
}
