// SPDX-License-Identifier: Apache-2.0

// snapshot: the part of a session that is only in journals, compacted on demand for readers without
// changing the session. Also the interface by which readers request a snapshot.
//
// Its chunks are in memory while there is room (snapshot_room), otherwise in a file without a name;
// those of SNAPSHOT_WIDE and SNAPSHOT_OWN_WIDE are always in a file.
// So the memory of all snapshots is limited, however many there are and however slow their readers.
//
// Threads: any thread requests a snapshot. A snapshot that receivers got is shared and immutable.
// Tests:   tests/unit/collector/base/test_snapshot.c, tests/unit/collector/chunks/test_snapshots.c

#pragma once

#include "collector/store/catalog/catalog.h"
#include "collector/store/chunks/blobs.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_vec.h"
#include "common/rollup/rollup.h"

#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

// The part of a session that is not compacted.
typedef struct snapshot_waiting {
    uint32_t chunks;
    uint64_t journal_bytes;
    int64_t duration_ns; // of all these chunks
} snapshot_waiting;

// The memory that all snapshots with a room share for their chunks. {.bytes_max = n} is empty. The
// metric snapshot_chunks_in_files counts the chunks that did not fit.
typedef struct snapshot_room {
    uint64_t bytes_max;
    atomic_uint_least64_t bytes; // taken; orders nothing
} snapshot_room;

// Larger statistics of a chunk (rollup_bytes.h) are left out; snapshot_statistics_left_out counts
// them.
enum { SNAPSHOT_STATISTICS_BYTES_MAX = 256 << 10 };

typedef struct snapshot_chunk {
    lp_buf memory;        // empty: the chunk is in the file
    uint64_t file_offset; // in the file
    uint64_t size_bytes;
    uint64_t content_hash; // blobs_hash of the chunk
    // Of its contexts and requests, from rollup_bytes_encode.
    lp_buf statistics;          // empty: they are in the file
    uint64_t statistics_offset; // in the file
    uint64_t statistics_bytes;  // 0: none
    int64_t start_wall_ns;      // set if there are statistics
    int64_t duration_ns;
    int64_t since_wall_ns; // no context or request in it began earlier; 0: unknown
} snapshot_chunk;

// The answer to a request. Each receiver calls snapshot_unref.
typedef struct snapshot {
    atomic_int owner_count;
    lp_err err;            // LP_ENOENT: no such session. After an error there are no chunks
    uint32_t next_chunk;   // chunks with lower numbers are in the catalog and the blobs
    catalog_totals totals; // of the chunks before next_chunk
    snapshot_waiting waiting;
    LP_VEC(snapshot_chunk) chunks; // next_chunk and later, compacted, in order
    uint64_t size_bytes;           // of all chunks
    snapshot_room *room;           // borrowed; NULL: all chunks are in the file
    int fd;                        // of the file; -1: none
    uint64_t file_bytes;
} snapshot;

// snapshot_create returns an empty snapshot with one owner. NULL if memory ran out.
snapshot *snapshot_create(lp_err err);

// snapshot_ref adds an owner, and returns the snapshot.
snapshot *snapshot_ref(snapshot *snapshot);

// snapshot_unref removes an owner; the last one frees it. NULL is fine.
void snapshot_unref(snapshot *snapshot);

// snapshot_check asserts the invariants before receivers get the snapshot.
void snapshot_check(const snapshot *snapshot);

// snapshot_add_chunk appends a chunk, before the snapshot is shared. If the bytes stay in memory,
// takes ownership of them and empties *chunk; otherwise writes them to a file made by files.
// Errors: LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err snapshot_add_chunk(snapshot *snapshot, blobs *files, lp_buf *chunk);

// snapshot_add_statistics adds the statistics of the last chunk, before the snapshot is shared.
// They are stored in memory or in the file, as chunks are. Errors: LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err snapshot_add_statistics(snapshot *snapshot, blobs *files, int64_t start_wall_ns,
    int64_t duration_ns, const rollup *sums);

// snapshot_fail drops the chunks and sets err, before the snapshot is shared.
void snapshot_fail(snapshot *snapshot, lp_err err);

// snapshot_read_chunk appends the bytes of a chunk to out_bytes. Errors: LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err snapshot_read_chunk(const snapshot *snapshot, size_t index, lp_buf *out_bytes);

// snapshot_read_statistics appends the statistics of a chunk to out_bytes. Errors: LP_EIO,
// LP_ENOMEM
LP_MUST_USE lp_err snapshot_read_statistics(
    const snapshot *snapshot, size_t index, lp_buf *out_bytes);

// snapshot_lend_chunk returns the bytes of a chunk, valid as long as the snapshot; empty if the
// chunk is in the file.
lp_slice snapshot_lend_chunk(const snapshot *snapshot, size_t index);

// snapshot_read reads up to size_max bytes at an offset in the concatenated chunks. Returns the
// number of bytes, 0 only at the end, or -1 with errno.
ssize_t snapshot_read(const snapshot *snapshot, uint64_t offset, char *out, size_t size_max);

typedef enum snapshot_kind {
    SNAPSHOT_TOTALS, // without chunks: nothing is compacted
    SNAPSHOT_JFR,    // a recent one may be shared
    SNAPSHOT_WIDE,   // the same for a query about many sessions; made after all other kinds
    // Only the sessions of this collector: for requests and wide queries of other collectors.
    SNAPSHOT_OWN,
    SNAPSHOT_OWN_WIDE,
    SNAPSHOT_REMOVE, // deletes the recording instead; err is the result. LP_EAGAIN: it has not
                     // ended, or is not completely stored
} snapshot_kind;

typedef void snapshot_receiver(void *arg, snapshot *snapshot);

// The maker of snapshots.
//
// request returns a ticket without waiting. It calls on_snapshot exactly once, with on_arg, on any
// thread, possibly before it returns; on_snapshot must not block. The snapshot is NULL if memory
// ran out, and has LP_ECLOSED while the collector stops.
//
// cancel cancels the request of a ticket; nothing happens if it is answered already. Otherwise
// on_snapshot is called soon, with LP_ECLOSED unless the snapshot is ready first. A snapshot
// without other requests is not made.
//
// Threads: both may be called on any thread.
typedef struct snapshot_source {
    uint64_t (*request)(void *arg, const char *session_id, snapshot_kind kind,
        snapshot_receiver *on_snapshot, void *on_arg);
    void (*cancel)(void *arg, const char *session_id, uint64_t ticket);
    void *arg;
} snapshot_source;
