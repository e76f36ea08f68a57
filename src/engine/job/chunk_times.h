// SPDX-License-Identifier: Apache-2.0

// chunk_times: where the time of a chunk begins and ends, and by which clock its output shows it.
//
// Threads: one thread at a time for each frame.

#pragma once

#include "common/jfr/jfr_chunk.h"
#include "engine/frame.h"

enum {
    // A merge shows times by the clock of a session's first chunk, if it is off by at most this.
    // Readers that use each chunk's own clock see times that differ by as much.
    COMPACT_MERGE_DRIFT_NS = 1000000,
};

// compact_frame_find_times sets clock, shown, metadata_salt, and window and all members after it.
// All other members except the identities are set.
void compact_frame_find_times(compact_frame *frame);

// compact_frame_find_clock sets clock, shown and metadata_salt from source, view, and the clock and
// start_wall_ns of carry.
void compact_frame_find_clock(compact_frame *frame);

// compact_frame_merged_line returns the clock by which a merge shows the times of a chunk; clock is
// that of the session's first chunk. JDK 25's reader reads a whole input by the clock of its first
// chunk, so a merge uses that clock, unless it is off by over COMPACT_MERGE_DRIFT_NS where the
// chunk starts.
compact_clock compact_frame_merged_line(const compact_clock *clock, const jfr_chunk_info *info);

// compact_frame_meet_next sets is_met and next_start_ns: whether the next chunk starts at the
// nanosecond at which this one ends, as the chunks of a JVM do. clock and shown are set.
void compact_frame_meet_next(compact_frame *frame, const jfr_chunk_info *next);

// compact_frame_known_from returns the known_ticks of a chunk that ends at border. Only the given
// members of frame have to be set.
int64_t compact_frame_known_from(const compact_frame *frame, int64_t border);

// compact_frame_judged returns the ticks that context-throttle decides with a chunk that starts at
// start_ticks and ends at border. It moves *end_ns, the wall time up to which the previous chunk
// decided, to their end. is_first: there is no previous chunk. known_ns: see compact_options
compact_window compact_frame_judged(const compact_clock *clock, bool is_first, int64_t start_ticks,
    int64_t border, int64_t known_ns, int64_t *end_ns);
