// SPDX-License-Identifier: Apache-2.0

#include "collector/log/log_offsets.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_log.h"

#include <inttypes.h>

void
log_offsets_fini(log_offsets *self)
{
    LP_VEC_FINI(&self->parts);
    *self = (log_offsets){0};
}

static void
part_check(const log_offsets_part *part)
{
    LP_ASSERT(!part->is_known || part->has_begin);
    LP_ASSERT(!part->is_new || part->is_settled);
    LP_ASSERT(!part->is_doubted || (!part->is_seen && !part->is_new));
    LP_ASSERT(!part->is_seen || part->is_known);
}

// find returns the partition's index, or the count if it was not added.
static size_t
find(const log_offsets *self, int32_t partition)
{
    const log_offsets_part *part =
        LP_FIND(self->parts.items, self->parts.count, at->partition == partition);
    return part == NULL ? self->parts.count : (size_t)(part - self->parts.items);
}

lp_err
log_offsets_add(log_offsets *self, int32_t partition)
{
    LP_ASSERT(partition >= 0);
    size_t i = find(self, partition);
    LP_REQUIRE(i != self->parts.count || LP_VEC_PUSH(&self->parts) != NULL, LP_ENOMEM);
    self->parts.items[i] = (log_offsets_part){.partition = partition};
    return LP_OK;
}

void
log_offsets_remove(log_offsets *self, int32_t partition)
{
    size_t i = find(self, partition);
    if (i < self->parts.count) {
        self->parts.items[i] = self->parts.items[--self->parts.count];
    }
}

bool
log_offsets_has(const log_offsets *self, int32_t partition)
{
    return find(self, partition) < self->parts.count;
}

// go_back discards offsets after that of the record that was read now: the topic was recreated or
// truncated.
static void
go_back(log_offsets_part *part, int64_t offset)
{
    bool is_settled_behind = part->is_settled && part->settled > offset;
    if (!is_settled_behind && (!part->is_known || part->position <= offset)) {
        return;
    }
    lp_log(LP_LOG_WARN,
        "partition %" PRId32 " of the log continues at offset %" PRId64
        ", which was read before: its topic was recreated or truncated",
        part->partition, offset);
    part->begin = part->begin < offset ? part->begin : offset;
    part->is_seen = false;
    part->is_settled = part->is_settled && !is_settled_behind;
    part->is_new = part->is_new && part->is_settled;
}

void
log_offsets_read(log_offsets *self, int32_t partition, int64_t offset)
{
    LP_ASSERT(offset >= 0);
    size_t i = find(self, partition);
    if (i < self->parts.count) {
        log_offsets_part *part = &self->parts.items[i];
        go_back(part, offset);
        part->begin = part->has_begin ? part->begin : offset;
        part->has_begin = true;
        part->is_known = true;
        part->position = offset + 1;
        part_check(part);
    }
}

void
log_offsets_doubt(log_offsets *self, int32_t partition)
{
    size_t i = find(self, partition);
    if (i < self->parts.count) {
        self->parts.items[i].is_doubted = true;
        self->parts.items[i].is_seen = false;
        self->parts.items[i].is_new = false;
        part_check(&self->parts.items[i]);
    }
}

bool
log_offsets_is_doubted(const log_offsets *self, int32_t partition)
{
    size_t i = find(self, partition);
    return i < self->parts.count && self->parts.items[i].is_doubted;
}

bool
log_offsets_take_doubted(log_offsets *self, size_t *at, int32_t *out_partition, int64_t *out_offset)
{
    while (*at < self->parts.count) {
        log_offsets_part *part = &self->parts.items[(*at)++];
        if (part->is_doubted) {
            *out_partition = part->partition;
            *out_offset = part->is_settled ? part->settled : part->has_begin ? part->begin : -1;
            part->is_known = false;
            part->is_doubted = false;
            return true;
        }
    }
    return false;
}

bool
log_offsets_begin(log_offsets *self)
{
    LP_REQUIRE(!self->has_look, false);
    self->has_look = true;
    for (size_t i = 0; i < self->parts.count; i++) {
        log_offsets_part *part = &self->parts.items[i];
        part->is_seen = part->is_known && !part->is_doubted;
        part->seen = part->position;
        part_check(part);
    }
    return true;
}

void
log_offsets_hold(log_offsets *self, int32_t partition, int64_t offset)
{
    LP_ASSERT(self->has_look);
    size_t i = find(self, partition);
    if (i < self->parts.count && offset < self->parts.items[i].seen) {
        self->parts.items[i].seen = offset;
    }
}

void
log_offsets_settle(log_offsets *self)
{
    LP_ASSERT(self->has_look);
    self->has_look = false;
    for (size_t i = 0; i < self->parts.count; i++) {
        log_offsets_part *part = &self->parts.items[i];
        if (part->is_seen) {
            part->is_new = !part->is_settled || part->settled != part->seen;
            part->is_settled = true;
            part->settled = part->seen;
        }
        part->is_seen = false;
        part_check(part);
    }
}

bool
log_offsets_take(log_offsets *self, int32_t *out_partition, int64_t *out_offset)
{
    for (size_t i = 0; i < self->parts.count; i++) {
        log_offsets_part *part = &self->parts.items[i];
        if (part->is_new) {
            LP_ASSERT(part->is_settled);
            part->is_new = false;
            *out_partition = part->partition;
            *out_offset = part->settled;
            return true;
        }
    }
    return false;
}
