// SPDX-License-Identifier: Apache-2.0

// chunk_task: the half of a compaction that runs on a worker thread: it turns journals into
// compacted chunks.
//
// It is made from a session on the loop, is then independent of it (it holds the journals and
// copies the rest), and is destroyed on the loop.
//
// Threads: the loop makes and destroys it; in between one worker thread at a time runs it.
// Tests:   tests/unit/collector/server/test_server.c

#ifndef LP_COLLECTOR_SERVER_CHUNK_TASK_H
#define LP_COLLECTOR_SERVER_CHUNK_TASK_H

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

// How much memory a compaction takes, of the engine and for what it reads: so many times the bytes
// that came, unpacked. Measured (docs/run/durability.md), with some to spare.
enum {
    CHUNK_TASK_BYTES_PER_JFR = 4,    // of the chunk
    CHUNK_TASK_BYTES_PER_RECORD = 5, // of its context records
    CHUNK_TASK_BYTES_PER_MAP = 3,    // of its maps: what came, the engine's copy and its indexes
    CHUNK_TASK_BYTES_PER_BEHIND = 3, // of all this, for each chunk behind it that is read too
    // Of what the chunk before left: a context in it is a few bytes, and a row with values in
    // memory.
    CHUNK_TASK_BYTES_PER_CARRY = 14,
    CHUNK_TASK_BYTES_LEAST = 4 << 20,
    CHUNK_TASK_END_BYTES = 80,      // of a sentence with a time
    CHUNK_TASK_BATCHES_BYTES = 160, // of one with the numbers of batches
};

typedef struct chunk_task {
    char session_id[CATALOG_ID_CHARS + 1];
    policy *policy; // of parts that have none
    assembly_part parts[SESSION_CHUNKS_MAX];
    policy_file *policies[SESSION_CHUNKS_MAX]; // of the parts; NULL: none
    char *own_source; // the source of policies from JVMs; NULL: there are none
    size_t part_count;
    bool has_ended;                         // nothing comes behind the parts
    int64_t context_hold_ns;                // see server_config
    uint64_t untold[CATALOG_LOSS_COUNT];    // of the session, which the first unit tells
    char end_message[CHUNK_TASK_END_BYTES]; // why the end of the session is unknown, which the last
                                            // unit tells; "": it is not
    int large_fd; // the directory of files that have its memory (lp_large.h); -1: it needs none
    lp_buf carry_in;
} chunk_task;

// chunk_task_init takes the waiting chunks of session from begin on: 0, or session_get_begin. rules
// decides those that have no policy of their own, and is borrowed until chunk_task_fini, as is
// large_fd.
// Threads: the loop. Errors: LP_ENOMEM
LP_MUST_USE lp_err chunk_task_init(chunk_task *task, const session *session, size_t begin,
    policy *rules, int64_t context_hold_ns, int large_fd);

// Threads: the loop.
void chunk_task_fini(chunk_task *task);

// chunk_task_estimate returns how many bytes of memory the compaction of the session's first unit
// from begin on will take; chunk_task_estimate_all returns the most that one of all units will.
// Those behind a unit that begin within reach_ns are read with it.
uint64_t chunk_task_estimate(const session *session, size_t begin, int64_t reach_ns);
uint64_t chunk_task_estimate_all(const session *session, int64_t reach_ns);

// chunk_task_unit_end returns the index past the unit that starts at begin; see session_unit_end.
size_t chunk_task_unit_end(const chunk_task *task, size_t begin);

// chunk_task_get_policy returns the policy of the unit that ends at end: that of its JFR bytes,
// which decides all of it. Borrowed until chunk_task_fini; may be NULL.
policy *chunk_task_get_policy(const chunk_task *task, size_t end);

// chunk_task_get_source returns the source of that policy, for messages, if a JVM told it; else
// NULL. Borrowed likewise.
const char *chunk_task_get_source(const chunk_task *task, size_t end);

// The outcome of compacting the first unit.
typedef struct chunk_task_output {
    uint32_t ordinal;  // of the chunk
    size_t part_count; // how many parts it is made of
    uint64_t size_bytes;
    blobs_stored stored;
    pack_piece piece; // where it lies, if it does not have a file or an object of its own
    compact_stats stats;
    rollup contexts; // their statistics
    rollup_ids ids;  // of them, each once
    char *types_json;
    lp_buf carry;
    lp_problem gap;           // empty, or which bytes were missing
    uint64_t gap_bytes;       // how many
    uint64_t over_bytes;      // that were over a limit (unpack_limit_chunk)
    uint64_t damaged_bytes;   // of the journals
    uint64_t unprintable;     // constants that were left out (jfr_printable.h)
    lp_ranges unhealed;       // batches that are still missing: the chunk came again in part
    lp_problem carry_problem; // empty, or why the carry-over of the chunk before could not be read
} chunk_task_output;

// chunk_task_run compacts the first unit, which has JFR bytes, with what it needs of those after
// it, and puts the chunk into blobs; or where packs is not NULL there, and nowhere else yet.
//
// Threads: any one.
// Owns:    on LP_OK the caller ends *out_output with chunk_task_output_fini.
// Errors:  LP_ECORRUPT and LP_EVERSION if the chunk cannot be compacted, now or later; LP_EIO,
//          LP_ENOMEM. out_problem has the reason
LP_MUST_USE lp_err chunk_task_run(const chunk_task *task, blobs *blobs, pack_files *packs,
    chunk_task_output *out_output, lp_problem *out_problem);

// chunk_task_output_fini settles the piece, too. Threads: the loop.
void chunk_task_output_fini(chunk_task_output *output);

// chunk_task_add_totals adds the statistics of a compaction to the totals of its session.
void chunk_task_add_totals(const compact_stats *stats, catalog_totals *totals);

// chunk_task_run_all compacts every unit and adds the chunks to out_snapshot, which has none; files
// has room for them. A chunk that cannot be compacted is left out. Once *is_cancelled it ends
// before the next one.
//
// Threads: any one.
// Errors:  LP_ECLOSED it was cancelled; LP_EIO, LP_ENOMEM. *out_snapshot has some of them then
LP_MUST_USE lp_err chunk_task_run_all(
    chunk_task *task, blobs *files, const atomic_bool *is_cancelled, snapshot *out_snapshot);

#endif // LP_COLLECTOR_SERVER_CHUNK_TASK_H
