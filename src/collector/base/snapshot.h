// SPDX-License-Identifier: Apache-2.0

// snapshot: the part of a session that is in the journal but not compacted yet, compacted on demand
// for readers, without disturbing the session; and how a reader asks for one without knowing the
// server.
//
// Its chunks are in memory while there is room for them (snapshot_room), and else in a file without
// a name: so snapshots take no more memory than that, however many there are and however slowly
// they are read.
//
// Threads: any thread asks. A snapshot that was passed on is shared, and nobody changes it.
// Tests:   tests/unit/collector/base/test_snapshot.c, tests/unit/collector/chunks/test_snapshots.c

#ifndef LP_COLLECTOR_BASE_SNAPSHOT_H
#define LP_COLLECTOR_BASE_SNAPSHOT_H

#include "collector/store/catalog/catalog.h"
#include "collector/store/chunks/blobs.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_vec.h"
#include "common/rollup/rollup.h"

#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

// What waits to be compacted.
typedef struct snapshot_waiting {
    uint32_t chunks;
    uint64_t journal_bytes;
    int64_t duration_ns; // of all of them
} snapshot_waiting;

// The memory that chunks of snapshots may take together. {.bytes_max = n} is an empty one. The
// metric snapshot_chunks_in_files counts the chunks for which there was none.
typedef struct snapshot_room {
    uint64_t bytes_max;
    atomic_uint_least64_t bytes; // that are taken; orders nothing
} snapshot_room;

// Statistics of a chunk (rollup_bytes.h) may be as large; larger ones are left out, and counted by
// snapshot_statistics_left_out.
enum { SNAPSHOT_STATISTICS_BYTES_MAX = 256 << 10 };

typedef struct snapshot_chunk {
    lp_buf memory;        // NULL where the chunk is in the file
    uint64_t file_offset; // else
    uint64_t size_bytes;
    uint64_t content_hash; // as of blobs_put
    // Of its contexts and requests, as rollup_bytes_encode makes them.
    lp_buf statistics;          // NULL where they are in the file
    uint64_t statistics_offset; // else
    uint64_t statistics_bytes;  // 0: there are none
    int64_t start_wall_ns;      // where there are some
    int64_t duration_ns;
} snapshot_chunk;

// The answer to a request. Each receiver ends its share with snapshot_unref.
typedef struct snapshot {
    atomic_int owner_count;
    lp_err err;            // LP_ENOENT: no such session. After any error there are no chunks
    uint32_t next_chunk;   // chunks below it are in the catalog and the blobs
    catalog_totals totals; // of those
    snapshot_waiting waiting;
    LP_VEC(snapshot_chunk) chunks; // those after these, compacted, in their order
    uint64_t size_bytes;           // of all of them
    snapshot_room *room;           // for them, borrowed; NULL: all are in the file
    int fd;                        // of the file; -1: none
    uint64_t file_bytes;
} snapshot;

// snapshot_create makes an empty one with one owner. NULL if memory ran out.
snapshot *snapshot_create(lp_err err);

// snapshot_ref adds an owner, and returns the snapshot.
snapshot *snapshot_ref(snapshot *snapshot);

// snapshot_unref ends the share of an owner. NULL is fine.
void snapshot_unref(snapshot *snapshot);

// snapshot_check asserts on its way to its receivers that a failed snapshot is empty.
void snapshot_check(const snapshot *snapshot);

// snapshot_add_chunk appends a chunk, before the snapshot is shared, and takes its bytes where they
// stay in memory: then *chunk is empty. files has room for all others.
// Errors: LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err snapshot_add_chunk(snapshot *snapshot, blobs *files, lp_buf *chunk);

// snapshot_add_statistics adds those of the chunk that was added last, before the snapshot is
// shared. They take room as chunks do. Errors: LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err snapshot_add_statistics(snapshot *snapshot, blobs *files, int64_t start_wall_ns,
    int64_t duration_ns, const rollup *sums);

// snapshot_fail makes a snapshot one that failed, before it is shared.
void snapshot_fail(snapshot *snapshot, lp_err err);

// snapshot_read_chunk appends the bytes of a chunk to out_bytes. Errors: LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err snapshot_read_chunk(const snapshot *snapshot, size_t index, lp_buf *out_bytes);

// snapshot_read_statistics appends those of a chunk to out_bytes. Errors: LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err snapshot_read_statistics(
    const snapshot *snapshot, size_t index, lp_buf *out_bytes);

// snapshot_lend_chunk returns the bytes of a chunk as long as the snapshot is there; none where it
// is in the file.
lp_slice snapshot_lend_chunk(const snapshot *snapshot, size_t index);

// snapshot_read reads up to size_max bytes of all chunks, one behind the other, from an offset on,
// and returns how many, 0 only behind the end; -1 with errno.
ssize_t snapshot_read(const snapshot *snapshot, uint64_t offset, char *out, size_t size_max);

typedef enum snapshot_kind {
    SNAPSHOT_TOTALS, // chunks are left out: nothing is compacted for it
    SNAPSHOT_JFR,    // one that was made a short time ago may be passed on again
    SNAPSHOT_WIDE,   // the same, of one of many sessions: all others are made before it
    // Of what this collector has in memory alone: for another one that asks, and for such a wide
    // question.
    SNAPSHOT_OWN,
    SNAPSHOT_OWN_WIDE,
    SNAPSHOT_REMOVE, // removes the recording instead: err is how that went. LP_EAGAIN: it has not
                     // ended, or not all of it is stored
} snapshot_kind;

typedef void snapshot_receiver(void *arg, snapshot *snapshot);

// The maker of snapshots. request returns at once; on_snapshot is called exactly once, with on_arg,
// on any thread, possibly before request returns. It must not block. Its snapshot is NULL if memory
// ran out, and has LP_ECLOSED while the collector stops. request returns a ticket, by which cancel
// takes the request back: it is answered soon then, with LP_ECLOSED unless the snapshot was there
// before, and what nobody waits for any more is not made. A ticket that was answered is fine.
//
// Threads: both may be called on any thread.
typedef struct snapshot_source {
    uint64_t (*request)(void *arg, const char *session_id, snapshot_kind kind,
        snapshot_receiver *on_snapshot, void *on_arg);
    void (*cancel)(void *arg, const char *session_id, uint64_t ticket);
    void *arg;
} snapshot_source;

#endif // LP_COLLECTOR_BASE_SNAPSHOT_H
