// SPDX-License-Identifier: Apache-2.0
#include "agent/ship/ship_spool.h"

#include "common/base/lp_assert.h"
#include "common/context/ctx_pack.h"
#include "common/context/ctx_record.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void
ship_spool_fini(ship_spool *spool)
{
    while (spool->first != NULL) {
        ship_spool_pop(spool);
    }
    lp_buf_fini(&spool->scratch);
    lp_buf_fini(&spool->pending);
    *spool = (ship_spool){0};
}

// read_record copies the header of the record at the start of records; false if there is no whole
// one.
static bool
read_record(lp_slice records, ctx_record_header *out_header)
{
    if (records.len < sizeof(*out_header)) {
        return false;
    }
    memcpy(out_header, records.ptr, sizeof(*out_header));
    return out_header->size_bytes >= sizeof(*out_header) && out_header->size_bytes <= records.len;
}

// measure_block is the size of as many whole records as make one block; 0 if there is no whole one.
static size_t
measure_block(lp_slice records)
{
    size_t size = 0;
    ctx_record_header header;
    while (size < SHIP_BLOCK_BYTES &&
           read_record((lp_slice){records.ptr + size, records.len - size}, &header) &&
           header.size_bytes <= CTX_RECORD_BYTES_MAX) {
        size += header.size_bytes;
    }
    return size;
}

static lp_err
push_block(ship_spool *spool, lp_slice records, uint64_t rank)
{
    lp_buf_clear(&spool->scratch);
    lp_err err = ctx_pack(records, &spool->scratch);
    if (err != LP_OK) {
        return err;
    }
    size_t packed_bytes = spool->scratch.len;
    if (spool->bytes + packed_bytes > spool->bytes_max) {
        return LP_ELIMIT;
    }
    ship_block *block = malloc(sizeof(*block) + packed_bytes);
    if (block == NULL) {
        return LP_ENOMEM;
    }
    *block = (ship_block){
        .rank = rank,
        .size_bytes = (uint32_t)records.len,
        .packed_bytes = (uint32_t)packed_bytes,
    };
    memcpy(block->packed, spool->scratch.ptr, packed_bytes);
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

// find_first_ticks is the earliest time in records, 0 if they cannot be read. They are in order
// thread by thread only.
static int64_t
find_first_ticks(lp_slice records)
{
    int64_t first = INT64_MAX;
    ctx_record_header header;
    while (read_record(records, &header)) {
        first = header.time_ticks < first ? header.time_ticks : first;
        records.ptr += header.size_bytes;
        records.len -= header.size_bytes;
    }
    return records.len == 0 ? first : 0;
}

// give_up replaces what is pending by the record that ends every context. When that record is given
// up with a later block it is the earliest of that, and so its time stays.
static void
give_up(ship_spool *spool, lp_slice records)
{
    spool->dropped_bytes += records.len - spool->marker_bytes;
    const ctx_record_header marker = {
        .size_bytes = sizeof(marker),
        .kind = CTX_RECORD_THREAD_END,
        .thread_id = CTX_THREAD_ALL,
        .time_ticks = find_first_ticks(records),
    };
    lp_buf_clear(&spool->pending);
    lp_buf_append(&spool->pending, &marker, sizeof(marker));
    spool->marker_bytes = spool->pending.len;
}

void
ship_spool_seal(ship_spool *spool, uint64_t rank)
{
    lp_slice rest = lp_buf_slice(&spool->pending);
    while (rest.len > 0) {
        size_t size = measure_block(rest);
        lp_slice records = {rest.ptr, size};
        if (size == 0 || push_block(spool, records, rank) != LP_OK) {
            give_up(spool, rest);
            return;
        }
        spool->marker_bytes = 0;
        rest.ptr += size;
        rest.len -= size;
    }
    lp_buf_clear(&spool->pending);
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
    spool->first = block->next;
    if (spool->first == NULL) {
        spool->last = NULL;
    }
    spool->bytes -= block->packed_bytes;
    spool->popped_count++;
    free(block);
}
