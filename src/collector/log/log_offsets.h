// SPDX-License-Identifier: Apache-2.0

// log_offsets: from where on each partition of the log has to be read again, if whoever reads it
// ends: the lowest offset of a record that is not in the catalog for good, or behind the last one
// that was read. It is a hint where to start, and may be too low but never too high: a batch that
// is read twice is dropped by its number.
//
// What is in the catalog at one moment is on its disk some time later. So a look is taken
// (log_offsets_begin, then log_offsets_hold for each record that still waits), and counts once all
// that was committed before it is on the disk (log_offsets_settle).
//
// Threads: the loop that owns it.
// Tests:   tests/unit/collector/log/test_log_offsets.c

#ifndef LP_COLLECTOR_SERVER_LOG_OFFSETS_H
#define LP_COLLECTOR_SERVER_LOG_OFFSETS_H

#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct log_offsets_part {
    int32_t partition;
    bool is_known;    // something of it was read
    bool is_seen;     // by the look
    bool is_settled;  // settled is set
    bool is_new;      // and was not taken
    bool is_doubted;  // what was read may not be here any more
    bool has_begin;   // begin is set
    int64_t begin;    // where reading began first
    int64_t position; // behind what was read last
    int64_t seen;     // the lowest that waits, by the look
    int64_t settled;  // that counts
} log_offsets_part;

// {0} has none.
typedef struct log_offsets {
    LP_VEC(log_offsets_part) parts;
    bool has_look; // that has not been settled
} log_offsets;

void log_offsets_fini(log_offsets *all);

// log_offsets_add begins with a partition of which nothing was read, and log_offsets_remove forgets
// it; one that is not there is fine. Errors: LP_ENOMEM
LP_MUST_USE lp_err log_offsets_add(log_offsets *all, int32_t partition);
void log_offsets_remove(log_offsets *all, int32_t partition);

// log_offsets_has returns whether a partition was added, and not removed.
bool log_offsets_has(const log_offsets *all, int32_t partition);

// log_offsets_read notes that a record was read, whether it waits for the catalog or not. Those of
// a partition are read in order. Where one is not behind those before it, its topic was made again
// or cut off: the look under way says nothing of it, nor does an offset that counted and is behind.
// Of a partition that could not be added nothing is ever committed.
void log_offsets_read(log_offsets *all, int32_t partition, int64_t offset);

// log_offsets_begin begins a look, where none is under way. False: one is.
bool log_offsets_begin(log_offsets *all);

// log_offsets_hold is for each record that waits for the catalog, during the look.
void log_offsets_hold(log_offsets *all, int32_t partition, int64_t offset);

// log_offsets_doubt is for a partition of which something that was read is not here any more, and
// was not committed to the catalog: it has to be read again. Nothing is said of it until
// log_offsets_take_doubted, which returns whether there is one: it counts as not read from then on.
// *out_offset is the last that counted, else that of the first record that was read; -1: none was.
void log_offsets_doubt(log_offsets *all, int32_t partition);
bool log_offsets_take_doubted(log_offsets *all, int32_t *out_partition, int64_t *out_offset);

// log_offsets_is_doubted returns whether a partition waits for log_offsets_take_doubted.
bool log_offsets_is_doubted(const log_offsets *all, int32_t partition);

// log_offsets_settle has the look count.
void log_offsets_settle(log_offsets *all);

// log_offsets_take returns whether there is an offset that counts since the last call, of any
// partition.
bool log_offsets_take(log_offsets *all, int32_t *out_partition, int64_t *out_offset);

#endif // LP_COLLECTOR_SERVER_LOG_OFFSETS_H
