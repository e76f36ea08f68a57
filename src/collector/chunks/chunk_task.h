// SPDX-License-Identifier: Apache-2.0

// chunk_task: compacts journals into chunks on a worker thread.
//
// The loop makes a task from a session. The task is independent of the session then: it holds the
// journals and copies the rest.
//
// Threads: the loop creates and destroys a task; in between one worker thread at a time runs it.
// Tests:   tests/unit/collector/server/test_server.c

#pragma once

#include "collector/base/snapshot.h"
#include "collector/chunks/assembly.h"
#include "collector/chunks/pack_files.h"
#include "collector/session/session.h"
#include "collector/store/chunks/blobs.h"
#include "engine/compact.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The memory that a compaction takes, with its input, as multiples of the unpacked input. Measured,
// plus a margin.
enum {
    CHUNK_TASK_BYTES_PER_JFR = 4,    // of the chunk
    CHUNK_TASK_BYTES_PER_RECORD = 5, // of its context records
    CHUNK_TASK_BYTES_PER_MAP = 3,    // of its maps: input, the engine's copy, its indexes
    CHUNK_TASK_BYTES_PER_BEHIND = 3, // of the whole input of each later chunk that is read too
    // Of the previous chunk's carry-over, in which a context takes a few bytes; in memory it is a
    // row.
    CHUNK_TASK_BYTES_PER_CARRY = 14,
    CHUNK_TASK_BYTES_LEAST = 4 << 20,
    CHUNK_TASK_END_BYTES = 80,      // of a sentence with a time
    CHUNK_TASK_BATCHES_BYTES = 160, // of a sentence with numbers of batches
};

typedef struct chunk_task {
    char session_id[CATALOG_ID_CHARS + 1];
    policy *policy; // of parts without their own
    assembly_part parts[SESSION_CHUNKS_MAX];
    policy_file *policies[SESSION_CHUNKS_MAX]; // of the parts; each may be NULL
    char *own_source; // the source of policies from JVMs; NULL: no such policy
    size_t part_count;
    bool has_ended;                         // no chunks follow the parts
    int64_t context_hold_ns;                // see server_config
    uint64_t untold[CATALOG_LOSS_COUNT];    // unreported losses, for the first unit
    char end_message[CHUNK_TASK_END_BYTES]; // why the end of the session is unknown; the
                                            // last unit reports it; "": it is known
    bool wants_traces;                      // the ids list those of traces
    const compact_also *also;               // what is kept besides; NULL: nothing. Borrowed
    int large_fd; // the directory of files for its memory (lp_large.h); -1: it fits in memory
    lp_buf carry_in;
} chunk_task;

// chunk_task_init takes the waiting chunks of a session from begin on. begin is 0 or the result of
// session_get_begin. rules: the policy of chunks without one of their own. rules and large_fd are
// borrowed until chunk_task_fini.
// Threads: the loop. Errors: LP_ENOMEM
LP_MUST_USE lp_err chunk_task_init(chunk_task *task, const session *session, size_t begin,
    policy *rules, int64_t context_hold_ns, int large_fd);

// Threads: the loop.
void chunk_task_fini(chunk_task *task);

// chunk_task_estimate returns the bytes of memory that the compaction of a unit of the session
// takes; chunk_task_estimate_all returns the most that any unit takes. Both include
// the later units that begin within reach_ns behind the unit, because they are read with it.
uint64_t chunk_task_estimate(const session *session, session_unit unit, int64_t reach_ns);
uint64_t chunk_task_estimate_all(const session *session, int64_t reach_ns);

// chunk_task_unit_end returns the end of the unit that starts at begin; see session_unit.
size_t chunk_task_unit_end(const chunk_task *task, size_t begin);

// chunk_task_get_policy returns the policy of the unit that ends at end: the policy of its JFR
// bytes. Borrowed until chunk_task_fini; may be NULL.
policy *chunk_task_get_policy(const chunk_task *task, size_t end);

// chunk_task_get_source returns the source, for messages, of the policy of chunk_task_get_policy if
// a JVM sent that policy, else NULL. Borrowed until chunk_task_fini.
const char *chunk_task_get_source(const chunk_task *task, size_t end);

// The result of compacting the first unit.
typedef struct chunk_task_output {
    uint32_t ordinal;  // of the chunk
    size_t part_count; // of the chunk
    uint64_t size_bytes;
    blobs_stored stored;
    pack_piece piece; // in a pack; else {0}
    compact_stats stats;
    rollup contexts; // statistics of the contexts
    rollup_ids ids;  // of the contexts, each once; without traces, unless the task wants them
    char *types_json;
    lp_buf carry;
    lp_problem gap;              // empty, or the first gap
    uint64_t gap_bytes;          // missing
    uint64_t over_bytes;         // over a limit (unpack_limit_chunk)
    uint64_t damaged_bytes;      // of the journals
    uint64_t read_damaged_bytes; // of these, and of later journals that were read
    uint64_t unprintable;        // constants left out (jfr_printable.h)
    lp_ranges unhealed;          // batches still missing: the agent resent only a part
    lp_problem carry_problem;    // empty, or why the carry-over could not be read
} chunk_task_output;

// chunk_task_compact compacts the first unit, which has JFR bytes, and reads the later units that
// it needs. Nothing is stored: out_output lacks what says where the chunk is.
//
// Threads: any.
// Owns:    on LP_OK the caller ends *out_output with chunk_task_output_fini, and *out_jfr.
// Errors:  LP_ECORRUPT and LP_EVERSION: the chunk can never be compacted; LP_EIO, LP_ENOMEM.
//          out_problem has the reason
LP_MUST_USE lp_err chunk_task_compact(const chunk_task *task, chunk_task_output *out_output,
    lp_buf *out_jfr, lp_problem *out_problem);

// chunk_task_run is chunk_task_compact, and stores the chunk in packs if packs is not NULL, else in
// blobs.
//
// Threads: any.
// Owns:    on LP_OK the caller ends *out_output with chunk_task_output_fini.
// Errors:  as chunk_task_compact; LP_EIO it cannot be stored
LP_MUST_USE lp_err chunk_task_run(const chunk_task *task, blobs *blobs, pack_files *packs,
    chunk_task_output *out_output, lp_problem *out_problem);

// chunk_task_output_fini also settles the piece. Threads: the loop.
void chunk_task_output_fini(chunk_task_output *output);

// chunk_task_add_totals adds the statistics of a compaction to its session's totals.
void chunk_task_add_totals(const compact_stats *stats, catalog_totals *totals);

// chunk_task_run_all compacts every unit and adds the chunks to out_snapshot, which is empty; files
// makes the file of chunks without room in memory. It skips chunks that cannot be compacted. Once
// *is_cancelled is true, it ends before the next unit.
//
// Threads: any.
// Errors:  LP_ECLOSED it was cancelled; LP_EIO, LP_ENOMEM. *out_snapshot may have some chunks then
LP_MUST_USE lp_err chunk_task_run_all(
    chunk_task *task, blobs *files, const atomic_bool *is_cancelled, snapshot *out_snapshot);
