// SPDX-License-Identifier: Apache-2.0

// chunk_times: the ticks at which a chunk begins and ends, and the clock by which its output shows
// them.
//
// Threads: one thread at a time for each frame.

#pragma once

#include "common/jfr/jfr_chunk.h"
#include "engine/frame.h"

enum {
    // The largest error with which a merge shows times by the clock of a session's first chunk.
    // Readers that use each chunk's own clock see times that differ by up to this much.
    COMPACT_MERGE_DRIFT_NS = 1000000,
};

// compact_frame_find_times sets clock, shown, metadata_salt, window, and all members after window.
// The caller has set all other members except identities.
void compact_frame_find_times(compact_frame *frame);

// compact_frame_find_clock sets clock, shown and metadata_salt from source, view, and the clock and
// start_wall_ns of carry.
void compact_frame_find_clock(compact_frame *frame);

// compact_frame_merged_line returns the clock by which a merge shows the times of a chunk. clock is
// the clock of the session's first chunk: JDK 25's reader reads a whole input by it, so a merge
// uses it, too, unless its error at the start of the chunk exceeds COMPACT_MERGE_DRIFT_NS.
compact_clock compact_frame_merged_line(const compact_clock *clock, const jfr_chunk_info *info);

// compact_frame_meet_next sets is_met and next_start_ns: whether the next chunk starts at the
// nanosecond at which this chunk ends, as in a JVM's recordings. The caller has set clock and
// shown.
void compact_frame_meet_next(compact_frame *frame, const jfr_chunk_info *next);

// compact_frame_known_from returns the known_ticks of a chunk that ends at the tick border. It
// reads only the given members of frame.
int64_t compact_frame_known_from(const compact_frame *frame, int64_t border);

// compact_frame_judged returns the ticks that context-throttle decides with a chunk from
// start_ticks to border. *end_ns is the wall time up to which the previous chunk decided; the
// function sets it to the end of the returned ticks. is_first: there is no previous chunk.
// known_ns: see compact_options
compact_window compact_frame_judged(const compact_clock *clock, bool is_first, int64_t start_ticks,
    int64_t border, int64_t known_ns, int64_t *end_ns);
