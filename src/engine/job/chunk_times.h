// SPDX-License-Identifier: Apache-2.0

// chunk_times: where the time of a chunk begins and ends, and by which line its output shows it.
//
// Threads: one thread at a time for each frame.

#ifndef LP_ENGINE_JOB_CHUNK_TIMES_H
#define LP_ENGINE_JOB_CHUNK_TIMES_H

#include "common/jfr/jfr_chunk.h"
#include "engine/frame.h"

enum {
    // How far the line of a session's first chunk may be off where the output of a merge is in its
    // terms: readers that have each chunk by its own line see times that differ by as much.
    COMPACT_MERGE_DRIFT_NS = 1000000,
};

// compact_frame_find_times sets clock, shown, metadata_salt, window and all that follows it. The
// other members of frame but the identities are there.
void compact_frame_find_times(compact_frame *frame);

// compact_frame_find_clock sets clock, shown and metadata_salt, by source, view, and the clock and
// start_wall_ns of carry.
void compact_frame_find_clock(compact_frame *frame);

// compact_frame_merged_line returns the line by which a merge shows the times of a chunk, of a
// session whose first chunk has clock. The output is one line of nanoseconds for the whole file,
// and JDK 25's reader has all of an input by the line of its first chunk: so what is merged has
// that line, unless it is off by over COMPACT_MERGE_DRIFT_NS where the chunk starts.
compact_clock compact_frame_merged_line(const compact_clock *clock, const jfr_chunk_info *info);

// compact_frame_meet_next sets is_met and next_start_ns, by clock and shown: whether the next chunk
// starts at the nanosecond at which this one ends, as the chunks of a JVM do.
void compact_frame_meet_next(compact_frame *frame, const jfr_chunk_info *next);

// compact_frame_known_from returns the known_ticks of a chunk that ends at border. Of frame only
// what is given has to be set.
int64_t compact_frame_known_from(const compact_frame *frame, int64_t border);

// compact_frame_judged returns what context-throttle decides with a chunk that starts at
// start_ticks and ends at border, and moves *end_ns, the wall time up to which the chunk before has
// decided, to the end of it. is_first: there is no chunk before. known_ns: compact_options.
compact_window compact_frame_judged(const compact_clock *clock, bool is_first, int64_t start_ticks,
    int64_t border, int64_t known_ns, int64_t *end_ns);

#endif // LP_ENGINE_JOB_CHUNK_TIMES_H
