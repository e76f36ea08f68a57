// SPDX-License-Identifier: Apache-2.0

// log_offsets: finds the offset at which the next reader of each partition of the log has to start:
// the lowest offset of a record that is not durable in the catalog, or else the offset after the
// last record that was read. The offset may be too low, because a batch that is read twice is
// dropped by its number. It must never be too high.
//
// A commit to the catalog is durable later, so offsets are found in two steps. A look is
// log_offsets_begin, then log_offsets_hold for each record that waits. When all commits before the
// look are on the disk, log_offsets_settle makes it valid.
//
// Threads: the loop that owns it.
// Tests:   tests/unit/collector/log/test_log_offsets.c

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct log_offsets_part {
    int32_t partition;
    bool is_known;    // position is set
    bool is_seen;     // seen is set
    bool is_settled;  // settled is set
    bool is_new;      // log_offsets_take has not returned this value of settled
    bool is_doubted;  // see log_offsets_doubt
    bool has_begin;   // begin is set
    int64_t begin;    // of the first record that was read
    int64_t position; // after the last record that was read
    int64_t seen;     // the result of the look
    int64_t settled;  // the result of the last settled look
} log_offsets_part;

// Zeroed: no partitions.
typedef struct log_offsets {
    LP_VEC(log_offsets_part) parts;
    bool has_look; // a look was begun and is not settled
} log_offsets;

void log_offsets_fini(log_offsets *all);

// log_offsets_add adds a partition, or resets it. log_offsets_remove removes a partition, if it was
// added. Errors: LP_ENOMEM
LP_MUST_USE lp_err log_offsets_add(log_offsets *all, int32_t partition);
void log_offsets_remove(log_offsets *all, int32_t partition);

bool log_offsets_has(const log_offsets *all, int32_t partition);

// log_offsets_read notes that a record was read. Records of a partition are read in order. If a
// record is not after the previous ones, the topic was recreated or truncated: then the current
// look is discarded, and a settled offset after this record, too. Partitions that were not added
// are ignored.
void log_offsets_read(log_offsets *all, int32_t partition, int64_t offset);

// log_offsets_begin begins a look. Returns false if the previous look is not settled.
bool log_offsets_begin(log_offsets *all);

// log_offsets_hold adds to the look a record that waits for the catalog. Call it for each such
// record.
void log_offsets_hold(log_offsets *all, int32_t partition, int64_t offset);

// log_offsets_doubt notes that records of a partition were read, but dropped before the catalog had
// them: the partition has to be read again. It has no new offsets until log_offsets_take_doubted
// returns it.
//
// log_offsets_take_doubted returns a doubted partition; false if there are no more. *out_offset is
// its settled offset, else the offset of the first record that was read, -1 if none was read. *at
// is 0 before the first call. Between calls, partitions may be doubted again, but neither added nor
// removed.
void log_offsets_doubt(log_offsets *all, int32_t partition);
bool log_offsets_take_doubted(
    log_offsets *all, size_t *at, int32_t *out_partition, int64_t *out_offset);

bool log_offsets_is_doubted(const log_offsets *all, int32_t partition);

// log_offsets_settle makes the look valid.
void log_offsets_settle(log_offsets *all);

// log_offsets_take returns the next partition with a new settled offset; false if there is none.
bool log_offsets_take(log_offsets *all, int32_t *out_partition, int64_t *out_offset);
