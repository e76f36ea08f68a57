// SPDX-License-Identifier: Apache-2.0
// catalog: the sessions and their compacted chunks, in a file of SQLite or in PostgreSQL.
//
// A session is one run of one JVM; the HTTP API calls it a recording. A chunk exists once it has a
// row. The caller first stores the chunk's bytes; then catalog_add_chunk (or catalog_commit_object,
// for several chunks) commits the row and the session's carry-over (the state for the next chunk)
// together.
//
// Durability: a commit survives the end of the process, even by SIGKILL. In PostgreSQL it is on the
// disk when it returns (catalog_is_durable). SQLite's commits do not wait for the disk: a power cut
// or a kernel crash may undo the last ones, but leaves the catalog consistent (WAL,
// synchronous=NORMAL). An fdatasync of catalog_open_log's descriptor brings all earlier commits to
// the disk. When catalog_open returns, everything in the catalog is on the disk.
//
// If PostgreSQL's connection is lost during a commit, a write that fails may have been committed.
// So each write may be repeated with the same values, and then has the same effect.
//
// Threads: one thread at a time. Other threads open their own catalog at the same place: readers
//          and the writer do not block each other.
// Errors:  of every function: LP_EAGAIN if another writer locked the database for too long, or
//          PostgreSQL is unavailable or too slow (catalog_get_failure); LP_ECORRUPT for a damaged
//          database; LP_ENOMEM; LP_EIO with errno.

#pragma once

#include "collector/store/blob.h"
#include "common/base/lp_err.h"
#include "common/base/lp_ranges.h"
#include "common/base/lp_slice.h"
#include "common/rollup/rollup.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CATALOG_ID_CHARS = 32,      // a session id: 16 bytes in lower-case hex
    CATALOG_NODE_ID_CHARS = 32, // the id of a collector that shares a catalog: the same form
};

// catalog_id_is_valid returns whether text is a session id. A valid id is safe as part of a path.
bool catalog_id_is_valid(const char *text);

typedef struct catalog catalog;

// The numbers of reasons to keep and to drop requests. catalog_totals counts requests by reason, in
// the order of engine/request_reasons.def.
enum { CATALOG_REQUESTS_KEPT_BY = 7, CATALOG_REQUESTS_DROPPED_BY = 2 };

// Sums over compactions: amounts before (in) and after (out).
typedef struct catalog_totals {
    uint64_t events_in;
    uint64_t events_out;
    uint64_t contexts_in;
    uint64_t contexts_out;
    uint64_t bytes_in;
    uint64_t bytes_out;
    uint64_t late_events;   // committed before their chunk began
    uint64_t late_contexts; // contextual events without which an earlier chunk was decided
    uint64_t requests_in;   // requests that have ended
    uint64_t requests_out;
    uint64_t requests_kept_by[CATALOG_REQUESTS_KEPT_BY]; // of requests_out
    uint64_t requests_dropped_by[CATALOG_REQUESTS_DROPPED_BY];
} catalog_totals;

// The losses of a recording that the collector counts; losses.def lists them.
typedef enum catalog_loss {
#define LOUPE_LOSS(id, name, help) CATALOG_LOSS_##id,
#include "collector/store/catalog/losses.def"
#undef LOUPE_LOSS
    CATALOG_LOSS_COUNT,
} catalog_loss;

// catalog_loss_name returns the name of a loss in the catalog, JSON and metrics.
const char *catalog_loss_name(catalog_loss loss);

// catalog_loss_take_back subtracts a recovered amount from a loss. If the loss is smaller, as in a
// row that was rebuilt from chunks, it becomes 0.
void catalog_loss_take_back(uint64_t *loss, uint64_t amount);

typedef enum catalog_ended {
    CATALOG_ENDED_UNKNOWN, // how it ended is unknown, or it has not ended
    CATALOG_ENDED_CLOSED,  // the agent ended the session
    CATALOG_ENDED_KILLED,  // the connection closed before the agent ended the session
    CATALOG_ENDED_TIMED_OUT,
} catalog_ended;

// catalog_is_end_unknown returns whether the last batches of a session with this end may be
// missing.
bool catalog_is_end_unknown(catalog_ended how);

// The secret with which a session began (Hello.secret of proto/loupe.proto).
typedef enum catalog_secret {
    CATALOG_SECRET_UNKNOWN, // the row was lost
    CATALOG_SECRET_NONE,    // the session began without a secret
    CATALOG_SECRET_HASHED,
} catalog_secret;

enum {
    CATALOG_SECRET_HASH_BYTES = 32,
    CATALOG_IDENTITY_BYTES_MAX = 64,
};

// The name of a service or an instance whose name was lost.
#define CATALOG_NAME_UNKNOWN "unknown"

// Strings are UTF-8 and never NULL. Rows that the catalog passes to a callback borrow the strings
// and the lp_ranges.
typedef struct catalog_session {
    char id[CATALOG_ID_CHARS + 1];
    char *service;
    char *instance;
    char *jvm_name;
    char *jvm_version;
    char *version; // of the service; "": unknown; may be NULL when written
    uint64_t pid;
    int64_t start_wall_ns;
    int64_t end_wall_ns;   // end of the last chunk; start_wall_ns if it has no chunk
    int64_t heard_wall_ns; // when the last message arrived; 0: unknown
    bool is_ended;         // no more batches will arrive
    catalog_ended ended_how;
    uint32_t next_chunk;    // chunks below it are compacted
    uint64_t next_sequence; // batches below it are in compacted chunks or the journal
    catalog_totals totals;  // over the compacted chunks
    // Totals of the losses that the agent reported.
    uint64_t contexts_dropped;
    uint64_t context_values_cut;
    uint64_t context_bytes_dropped;
    uint64_t chunk_bytes_dropped;
    uint64_t jfr_restarts;
    // Totals of the losses that the collector counted. CATALOG_LOSS_END_UNKNOWN is not stored: it
    // is derived from ended_how when the row is read.
    uint64_t losses[CATALOG_LOSS_COUNT];
    // Expired chunks (catalog_expiry.h), which are no loss.
    uint64_t expired_chunks;
    int64_t kept_wall_ns; // start of the first remaining chunk; if none remains, end of the last
                          // expired chunk; 0: no chunk has expired
    // What became of the batches below next_sequence. A batch that is neither settled nor in a
    // journal is missing. A missing batch counts as lost, unless it is late.
    lp_ranges settled;              // in compacted chunks, resent in new batches, or given up
    lp_ranges lost;                 // counted in losses
    lp_ranges late;                 // came after their chunk was compacted; not lost
    bool is_remade;                 // the row was rebuilt: which batches are settled is unknown
    uint64_t journal_bytes_missing; // damaged bytes in its journals; counted in losses
    uint64_t term; // for writing: the writer's term (catalog_owners.h); 0: not shared
    catalog_secret secret;
    uint8_t secret_hash[CATALOG_SECRET_HASH_BYTES]; // for CATALOG_SECRET_HASHED; else zeros
    // Whose token the session began with; "": tokens were not checked.
    char identity[CATALOG_IDENTITY_BYTES_MAX + 1];
} catalog_session;

// catalog_session_fini frees the lp_ranges of a row, and nothing else.
void catalog_session_fini(catalog_session *session);

// The times of a chunk's events and contexts, from its rollup.
typedef struct catalog_bounds {
    int64_t context_begin_min_ns; // INT64_MAX: no contexts
    int64_t commit_min_ns;        // first commit time of an event, contextual or not
    int64_t commit_max_ns;        // last commit time; below commit_min_ns: no events
} catalog_bounds;

// The ids of a chunk's contexts, for the index (catalog_ids.h); borrowed.
typedef struct catalog_chunk_ids {
    const char *collector; // owner of the row; NULL: no row, the chunk is uncovered
    bool is_left_out;      // too many ids: no row, the chunk is uncovered
    int64_t hour;
    uint64_t number; // higher than in the collector's other rows
    const uint64_t *hashes;
    size_t count;
} catalog_chunk_ids;

typedef struct catalog_chunk {
    uint32_t ordinal; // of the session, from 0
    int64_t start_wall_ns;
    int64_t duration_ns;
    uint64_t size_bytes;
    uint64_t stored_bytes; // of its file, or in an object
    blob_place place;
    uint64_t content_hash; // as blobs_put returned it
    // For reading only.
    bool is_lost;    // its file is missing or damaged
    bool has_bounds; // it was stored with a rollup
    catalog_bounds bounds;
    bool knows_period; // false: the row was rebuilt from its file
    bool has_period;   // the chunk has a setting of the period of samples
    // For writing only.
    const rollup *rollup; // the statistics of its contexts (catalog_rollups_list); NULL: none
    catalog_chunk_ids ids;
    // For each event type (catalog_list_types, catalog_list_dropped):
    // {"name":{"in":..,"out":..,"bytes_in":..,"bytes_out":..,"dropped":{reason:..}}}
    const char *types_json;
} catalog_chunk;

// Sums of an event type over chunks.
typedef struct catalog_type {
    const char *name;
    uint64_t events_in;
    uint64_t events_out;
    uint64_t bytes_in;
    uint64_t bytes_out;
} catalog_type;

// The events of a type that were dropped for one reason.
typedef struct catalog_dropped {
    const char *type_name;
    const char *reason; // "unknown": the chunk does not record it
    uint64_t events;
} catalog_dropped;

// catalog_is_file returns whether a place is the path of an SQLite file, not a URI of PostgreSQL
// (postgres://, postgresql://).
bool catalog_is_file(const char *place);

// catalog_format_name writes the identity of a PostgreSQL place, without user and password. Errors:
// LP_ECORRUPT if the place is no URI of PostgreSQL
LP_MUST_USE lp_err catalog_format_name(const char *place, char *out_name, size_t name_bytes);

// catalog_open opens the catalog at a place for writing and reading, and creates it if it is
// missing. Errors: LP_EVERSION if a later version of this program wrote it; LP_ELIMIT if another
// collector has it open (PostgreSQL)
LP_MUST_USE lp_err catalog_open(const char *place, catalog **out_catalog, lp_problem *out_problem);

// catalog_open_shared opens a catalog that several collectors share, for the node with this id.
// Sessions then have owners (catalog_owners.h). Errors: as catalog_open; LP_ELIMIT if a collector
// has it open unshared
LP_MUST_USE lp_err catalog_open_shared(
    const char *place, const char *node, catalog **out_catalog, lp_problem *out_problem);

// catalog_open_reader opens an existing catalog for reading only. Errors: LP_ENOENT, LP_EVERSION;
// LP_ELIMIT if CATALOG_POSTGRES_READERS_MAX readers are open
LP_MUST_USE lp_err catalog_open_reader(
    const char *place, catalog **out_catalog, lp_problem *out_problem);

// catalog_is_shared returns whether catalog_open_shared opened the catalog. catalog_get_node
// returns the id of its node; "" if it is not shared.
bool catalog_is_shared(const catalog *catalog);
const char *catalog_get_node(const catalog *catalog);

// catalog_hurry sets the short time limit for a catalog whose calls other threads wait for. Without
// it, a longer limit applies to all calls of a reader, and to a writer's calls that read all rows.
void catalog_hurry(catalog *catalog);

// catalog_is_durable returns whether each commit is on the disk when its call returns. A durable
// catalog has no log, and catalog_sync does nothing.
bool catalog_is_durable(const catalog *catalog);

// catalog_open_log opens the log (SQLite's WAL), so that any thread can sync it. The catalog must
// not be durable, and must be open for writing. The log stays the same while the catalog is open.
// The caller closes *out_fd. Errors: LP_EIO with errno
LP_MUST_USE lp_err catalog_open_log(catalog *catalog, int *out_fd);

// catalog_sync waits until all commits are on the disk. Errors: LP_EIO with errno
LP_MUST_USE lp_err catalog_sync(catalog *catalog);

// catalog_count_changes returns a number that changes with each commit by this catalog.
unsigned catalog_count_changes(catalog *catalog);

// catalog_probe checks that the catalog is available. If a PostgreSQL server has not answered for a
// while, it sends a query.
LP_MUST_USE lp_err catalog_probe(catalog *catalog);

// catalog_get_failure returns a text with the server and its last error message; "" if there is
// none. Borrowed until the next call.
const char *catalog_get_failure(const catalog *catalog);

// Counts over all catalogs of this process. Threads: any thread.
typedef struct catalog_counts {
    uint64_t errors;     // failed statements
    uint64_t reconnects; // after a lost connection
} catalog_counts;

catalog_counts catalog_get_counts(void);

void catalog_close(catalog *catalog);

// --- Writing: only on the thread of the collector's loop. In a shared catalog, a write to a
// session that has another owner or term returns LP_ECLOSED and changes nothing.

// catalog_put_session inserts or replaces the session's row and its losses. Chunks and carry-over
// stay. If the existing row has a higher next_chunk, nothing changes: then the commit of a later
// chunk had succeeded, and only its answer was lost.
LP_MUST_USE lp_err catalog_put_session(catalog *catalog, const catalog_session *session);

// catalog_put_sessions does the same for count sessions in one transaction. It skips sessions with
// another owner or term. It sets out_is_lost[i] to whether it skipped sessions[i].
LP_MUST_USE lp_err catalog_put_sessions(
    catalog *catalog, const catalog_session *const *sessions, size_t count, bool *out_is_lost);

// catalog_add_chunk adds or replaces a compacted chunk, with the session's row and carry-over, in
// one transaction.
LP_MUST_USE lp_err catalog_add_chunk(
    catalog *catalog, const catalog_session *session, const catalog_chunk *chunk, lp_slice carry);

// catalog_lose_chunk marks a chunk as lost or found, and updates the session's losses. The chunk's
// row stays. *out_changed is false if the chunk already had this mark, or has no row.
LP_MUST_USE lp_err catalog_lose_chunk(
    catalog *catalog, const char *session_id, uint32_t ordinal, bool is_lost, bool *out_changed);

// What another edition of a chunk (blob.h) changes.
typedef struct catalog_edition {
    uint32_t ordinal;
    // The row that it replaces: content_hash of the first edition, or the number of a later one.
    uint64_t before_hash;
    uint64_t before_edition;
    // size_bytes, stored_bytes, content_hash, place, types_json, the rollup for its bounds and
    // longest ones, and ids: questions find chunks by these. An object of place has this chunk
    // alone.
    const catalog_chunk *to;
    // To add to the session's totals.
    int64_t events_out;
    int64_t contexts_out;
    int64_t bytes_out;
} catalog_edition;

// catalog_put_edition replaces the edition of a chunk, in one transaction. The statistics of its
// contexts stay. *out_changed is false if the row is another one or gone; the new edition's object
// then has no live bytes (catalog_objects.h).
LP_MUST_USE lp_err catalog_put_edition(
    catalog *catalog, const char *session_id, const catalog_edition *edition, bool *out_changed);

// catalog_size_chunk updates the stored_bytes of a chunk. It ignores a chunk without a row.
LP_MUST_USE lp_err catalog_size_chunk(
    catalog *catalog, const char *session_id, uint32_t ordinal, uint64_t stored_bytes);

// --- Reading: any catalog. A callback must not use the catalog that calls it. The callback's
// arguments are borrowed until it returns.

// catalog_get_carry copies the carry-over of the last chunk to *out_carry, which the caller frees.
// Sets NULL and 0 if there is none.
LP_MUST_USE lp_err catalog_get_carry(
    catalog *catalog, const char *session_id, uint8_t **out_carry, size_t *out_size);

// Selects sessions. NULL and 0 mean any. The times select sessions that started before `to` and did
// not end before `from`; a running session counts as ending at `now`.
typedef struct catalog_query {
    const char *service;
    const char *instance;
    const char *version;
    int64_t from_wall_ns;
    int64_t to_wall_ns;
    int64_t now_wall_ns; // used only with from_wall_ns
    uint32_t count_max;  // of sessions, or of a service's versions; 0: any number
} catalog_query;

// catalog_list calls on_session for each selected session, latest start first, then by id.
LP_MUST_USE lp_err catalog_list(catalog *catalog, const catalog_query *query,
    void (*on_session)(void *arg, const catalog_session *session), void *arg);

// catalog_list_ids calls on_id for the id of each session, latest start first; has_lost: some of
// its chunks are lost. Cost: does not read the sessions' rows.
LP_MUST_USE lp_err catalog_list_ids(
    catalog *catalog, void (*on_id)(void *arg, const char *session_id, bool has_lost), void *arg);

// catalog_list_services calls on_service for each service of the selected sessions, with the number
// of its selected sessions. The service whose session started last comes first. It ignores the
// query's service, instance and version.
LP_MUST_USE lp_err catalog_list_services(catalog *catalog, const catalog_query *query,
    void (*on_service)(void *arg, const char *service, uint64_t count), void *arg);

// A version of a service.
typedef struct catalog_version {
    const char *service;
    const char *version;
    uint64_t sessions;
    int64_t end_wall_ns; // the latest end_wall_ns of these sessions
} catalog_version;

// catalog_list_versions calls on_version for each version of the selected sessions, at most
// count_max for each service. The version whose session started last comes first. It ignores the
// query's instance and version.
LP_MUST_USE lp_err catalog_list_versions(catalog *catalog, const catalog_query *query,
    void (*on_version)(void *arg, const catalog_version *version), void *arg);

// catalog_list_running calls on_session for each session of a service (NULL: of all) that has not
// ended, in no order. Cost: does not read the rows of ended sessions.
LP_MUST_USE lp_err catalog_list_running(catalog *catalog, const char *service,
    void (*on_session)(void *arg, const catalog_session *session), void *arg);

// catalog_list_empty calls on_session for each ended session without chunks, in no order.
LP_MUST_USE lp_err catalog_list_empty(
    catalog *catalog, void (*on_session)(void *arg, const catalog_session *session), void *arg);

// catalog_find calls on_session for the session with this id. Errors: LP_ENOENT
LP_MUST_USE lp_err catalog_find(catalog *catalog, const char *session_id,
    void (*on_session)(void *arg, const catalog_session *session), void *arg);

// catalog_first_start writes the earliest start of any session. Errors: LP_ENOENT
LP_MUST_USE lp_err catalog_first_start(catalog *catalog, int64_t *out_wall_ns);

// catalog_list_chunks calls on_chunk for each compacted chunk of the session, in order.
LP_MUST_USE lp_err catalog_list_chunks(catalog *catalog, const char *session_id,
    void (*on_chunk)(void *arg, const catalog_chunk *chunk), void *arg);

// catalog_list_chunks_back calls on_chunk for the last count_max compacted chunks below chunk_end,
// the last first, until it returns false.
LP_MUST_USE lp_err catalog_list_chunks_back(catalog *catalog, const char *session_id,
    uint32_t chunk_end, uint32_t count_max, bool (*on_chunk)(void *arg, const catalog_chunk *chunk),
    void *arg);

// catalog_find_end writes the end of the session's last chunk. Errors: LP_ENOENT if it has no
// chunks
LP_MUST_USE lp_err catalog_find_end(catalog *catalog, const char *session_id, int64_t *out_wall_ns);

// Selects the chunks of a session below chunk_end whose middle lies in [from, to).
typedef struct catalog_chunk_range {
    const char *session_id;
    uint32_t chunk_end;
    int64_t from_wall_ns;
    int64_t to_wall_ns;
} catalog_chunk_range;

// catalog_list_types calls on_type for each event type in the selected chunks, by name, with its
// sums.
LP_MUST_USE lp_err catalog_list_types(catalog *catalog, const catalog_chunk_range *chunks,
    void (*on_type)(void *arg, const catalog_type *type), void *arg);

// catalog_list_dropped calls on_dropped for each event type and reason, by name.
LP_MUST_USE lp_err catalog_list_dropped(catalog *catalog, const catalog_chunk_range *chunks,
    void (*on_dropped)(void *arg, const catalog_dropped *dropped), void *arg);
