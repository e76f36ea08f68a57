// SPDX-License-Identifier: Apache-2.0
// id_segments: the segments (id_segment.h) of an index of ids by the names of their files
// (id_name.h), and their merging: the runs of an hour that is over become that hour's segment, the
// hours of a day that is over that day's.
//
// Threads: any, but for init and fini; one at a time merges.
// Tests:   tests/unit/collector/index/test_id_index.c
// Memory:  one item for each file, and the segments, which are mapped

#ifndef LP_COLLECTOR_INDEX_ID_SEGMENTS_H
#define LP_COLLECTOR_INDEX_ID_SEGMENTS_H

#include "collector/index/id_name.h"
#include "collector/index/id_segment.h"
#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct id_named_segment {
    char name[ID_NAME_BYTES];
    id_segment *segment;
} id_named_segment;

typedef LP_VEC(id_named_segment) id_named_segments;

typedef struct id_segments {
    const char *dir; // for the log
    int dir_fd;
    pthread_mutex_t mutex; // around items
    id_named_segments items;
} id_segments;

// id_segments_init makes an empty set of the files in a directory, of which both are borrowed.
void id_segments_init(id_segments *segments, const char *dir, int dir_fd);
void id_segments_fini(id_segments *segments);

// id_segments_open adds the segment in a file, in place of the one with its name, if there is one.
// Errors: as id_segment_open
LP_MUST_USE lp_err id_segments_open(id_segments *segments, const char *name);

// id_segments_hold adds those to out in which a chunk may start in [from, to). The caller ends it
// with id_segments_release, also after an error. Errors: LP_ENOMEM
LP_MUST_USE lp_err id_segments_hold(
    id_segments *segments, int64_t from_wall_ns, int64_t to_wall_ns, id_named_segments *out);
void id_segments_release(id_named_segments *held);

// id_segments_forget drops those in which no chunk started at or after a time, and their files.
void id_segments_forget(id_segments *segments, int64_t wall_ns);

// id_segments_count returns how many there are, and *out_entries how many entries they have.
size_t id_segments_count(id_segments *segments, uint64_t *out_entries);

// id_segments_find_newest sets *out_hour to the newest hour of all but days, if that is newer.
void id_segments_find_newest(id_segments *segments, char out_hour[ID_NAME_HOUR_CHARS + 1]);

// id_segments_merge merges what is over: before the newest hour, and its day. What cannot be merged
// is in the log.
void id_segments_merge(id_segments *segments, const char *newest, const atomic_bool *is_stopping);

// id_segments_complain logs what cannot be done with a file, and what to do about it.
void id_segments_complain(
    const id_segments *segments, const char *name, const char *what, lp_err err);

// id_segments_text returns the text of an error: of LP_EIO, that of errno.
const char *id_segments_text(lp_err err);

#endif // LP_COLLECTOR_INDEX_ID_SEGMENTS_H
