// SPDX-License-Identifier: Apache-2.0
// id_index: which chunks have contexts with an id, in files of a directory of their own:
//
//   run-N.log           what came last, chunk by chunk as it came: read again after a restart
//   YYYYMMDDHH-N.ids    a run that was put in order (id_segment.h)
//   YYYYMMDDHH.ids      those of an hour
//   YYYYMMDD.ids        those of a day
//   whole               it has all chunks that there are; gone once one was left out
//
// A run ends with ID_RUN_ENTRIES_MAX entries, or with its hour, and is then put in order; so
// are the runs of an hour, and the hours of a day, once these are over (by the clock of the chunks,
// in UTC; one that is ahead counts as now). That happens on a thread of the index, while searching
// goes on.
//
// It is an index and nothing else: the chunks have it all. No write waits for the disk; what a
// crash of the machine takes away, or what is damaged, is left out and made again by
// `loupe index --rebuild`. It may name a chunk that is not there, or has no such id.
//
// Threads: any, but for open and close.
// Tests:   tests/unit/collector/index/test_id_index.c
// Memory:  ID_INDEX_RUNS_MAX runs

#ifndef LP_COLLECTOR_INDEX_ID_INDEX_H
#define LP_COLLECTOR_INDEX_ID_INDEX_H

#include "collector/index/id_run.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ID_INDEX_RUNS_MAX = 4, // that grow, or wait to be put in order; then chunks are left out
};

typedef struct id_index id_index;

typedef struct id_index_counts {
    uint64_t segments;
    uint64_t entries;
    uint64_t left_out;   // chunks: too many runs waited, or the disk refused
    uint64_t unreadable; // segments and runs, as a whole or from some place on
} id_index_counts;

// id_index_open makes dir if it is missing (its parent must be there), and reads what there is.
// Errors: LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err id_index_open(const char *dir, id_index **out_index, lp_problem *out_problem);

// id_index_close returns when nothing is put in order any more. NULL is fine.
void id_index_close(id_index *index);

// id_index_add adds a chunk. What cannot be added is counted, and the first of it is in the log.
void id_index_add(id_index *index, const id_run_chunk *chunk);

// id_index_wait returns when all that is due to be put in order has been, or could not be. Who adds
// many chunks at once waits in between, or else some are left out.
void id_index_wait(id_index *index);

// id_index_find calls on_chunk for each chunk that started in [from, to) and has an id with this
// hash, some more perhaps, in no order; one may come twice. It returns how many segments and runs
// were searched. Errors: LP_ENOMEM
LP_MUST_USE lp_err id_index_find(id_index *index, uint64_t hash, int64_t from_wall_ns,
    int64_t to_wall_ns, void (*on_chunk)(void *arg, const char *session_id, uint32_t ordinal),
    void *arg, size_t *out_searched);

// id_index_forget drops what is of chunks alone that started before a time, as a whole hour or day.
void id_index_forget(id_index *index, int64_t wall_ns);

id_index_counts id_index_count(id_index *index);

// id_index_is_whole returns whether the index has all chunks that were ever stored: it was begun
// before the first of them, or made again, and has lost nothing since that it knows of.
bool id_index_is_whole(id_index *index);

// id_index_set_whole says that the index has all chunks.
void id_index_set_whole(id_index *index);

// id_index_set_partial says that it may lack some.
void id_index_set_partial(id_index *index);

// id_index_clear removes all files of the index in dir, which nobody has open. Errors: LP_EIO
LP_MUST_USE lp_err id_index_clear(const char *dir, lp_problem *out_problem);

#endif // LP_COLLECTOR_INDEX_ID_INDEX_H
