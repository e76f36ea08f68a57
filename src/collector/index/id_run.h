// SPDX-License-Identifier: Apache-2.0
// id_run: the ids of the chunks that came last, in memory, in no order, and in a file, run-N.log,
// from which they are read again after a restart.
//
// The file is one record for each chunk: 48 bytes (id_run.c), then the hashes. A record that was
// not written whole ends it.
//
// Threads: one thread at a time; any may look into a part that was taken of it (id_run_take).
// Tests:   tests/unit/collector/index/test_id_index.c
// Memory:  8 bytes for each entry and 64 for each chunk, and 16 and 20 while it is written

#ifndef LP_COLLECTOR_INDEX_ID_RUN_H
#define LP_COLLECTOR_INDEX_ID_RUN_H

#include "collector/index/id_segment.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ID_RUN_ENTRIES_MAX = 1 << 18,   // then it is full
    ID_RUN_CHUNK_IDS_MAX = 1 << 24, // of a chunk
};

// A chunk that has contexts with ids. Everything is borrowed.
typedef struct id_run_chunk {
    const char *session_id; // catalog_id_is_valid
    uint32_t ordinal;
    int64_t start_wall_ns;
    const uint64_t *hashes; // of ids (rollup_id.h), each once
    size_t hash_count;      // up to ID_RUN_CHUNK_IDS_MAX
} id_run_chunk;

typedef struct id_run id_run;

// id_run_create makes an empty run and its file, in place of any that is there. Errors: LP_EIO, and
// errno; LP_ENOMEM
LP_MUST_USE lp_err id_run_create(int dir_fd, uint32_t number, id_run **out_run);

// id_run_load reads a run's file as far as it is whole, and cuts off the rest. Errors: as above;
// LP_ENOENT
LP_MUST_USE lp_err id_run_load(int dir_fd, uint32_t number, id_run **out_run, bool *out_was_cut);

// id_run_destroy forgets the run and closes its file; id_run_remove removes the file as well. What
// was taken of it stays until it is put back.
void id_run_destroy(id_run *run);
void id_run_remove(id_run *run, int dir_fd);

// id_run_add adds a chunk. Errors: LP_EIO, LP_ENOMEM, LP_ELIMIT: it is not there then
LP_MUST_USE lp_err id_run_add(id_run *run, const id_run_chunk *chunk);

bool id_run_is_empty(const id_run *run);
bool id_run_is_full(const id_run *run);

uint32_t id_run_number(const id_run *run);
size_t id_run_entry_count(const id_run *run);

// id_run_wall_ns returns when its first chunk started; of a run that is not empty.
int64_t id_run_wall_ns(const id_run *run);

// What a run has at some moment, to be looked into while it grows.
typedef struct id_run_part {
    id_run *run;
    const struct id_run_item *last; // NULL: nothing
} id_run_part;

// id_run_take returns all that a run has. The caller ends it with id_run_put_back.
id_run_part id_run_take(id_run *run);
void id_run_put_back(const id_run_part *part);

// id_run_find calls on_chunk for each chunk of a part that starts in [from, to) and has this hash,
// and returns how many these are. chunk is lent until on_chunk returns.
size_t id_run_find(const id_run_part *part, uint64_t hash, int64_t from_wall_ns, int64_t to_wall_ns,
    void (*on_chunk)(void *arg, const id_segment_chunk *chunk), void *arg);

// id_run_write writes a run that is not empty as a segment.
// Errors: as id_segment_write; LP_ENOMEM
LP_MUST_USE lp_err id_run_write(const id_run *run, int dir_fd, const char *name);

#endif // LP_COLLECTOR_INDEX_ID_RUN_H
