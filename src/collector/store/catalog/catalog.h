// SPDX-License-Identifier: Apache-2.0
// catalog: the sessions and their compacted chunks, in a file of SQLite or in PostgreSQL.
//
// A recording of the HTTP API is a session: one run of one JVM. A chunk is there once its row is:
// the blob is written first, then catalog_add_chunk (catalog_commit_object, of many) commits the
// row together with the session's carry-over, so after a crash both are there or neither.
//
// Durability: a commit survives the end of the process, SIGKILL included. In PostgreSQL it is on
// the disk when it returns (catalog_is_durable). In SQLite commits do not wait for the disk: a
// power cut or a crash of the kernel may undo the last of them, and leaves the catalog consistent
// (WAL, synchronous=NORMAL). Once fdatasync of catalog_open_log's descriptor has returned, what was
// committed before stays. What a catalog has when catalog_open returns is on the disk.
//
// A function that writes and fails may have written all of it, where the connection was lost while
// PostgreSQL committed. So each may be called again with the same values: it has the same effect.
//
// Threads: one thread at a time. Others open their own at the same place: readers do not block the
//          writer, nor the writer readers.
// Errors:  of every function: LP_EAGAIN when another writer kept the database locked for too long,
//          or PostgreSQL is away or late (catalog_get_failure); LP_ECORRUPT for a damaged database,
//          LP_ENOMEM, LP_EIO with errno.

#ifndef LP_COLLECTOR_STORE_CATALOG_H
#define LP_COLLECTOR_STORE_CATALOG_H

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
    CATALOG_NODE_ID_CHARS = 32, // the same of a collector, of several that share a catalog
};

// catalog_id_is_valid returns whether text is a session id. Nothing else may become part of a path.
bool catalog_id_is_valid(const char *text);

typedef struct catalog catalog;

// Why requests were kept, and why not: how many reasons there are, in the order of
// engine/request_reasons.def, which is also that of the columns.
enum { CATALOG_REQUESTS_KEPT_BY = 7, CATALOG_REQUESTS_DROPPED_BY = 2 };

// Sums of compaction: in and out.
typedef struct catalog_totals {
    uint64_t events_in;
    uint64_t events_out;
    uint64_t contexts_in;
    uint64_t contexts_out;
    uint64_t bytes_in;
    uint64_t bytes_out;
    uint64_t late_events;
    uint64_t late_contexts;
    uint64_t requests_in; // that are over
    uint64_t requests_out;
    uint64_t requests_kept_by[CATALOG_REQUESTS_KEPT_BY]; // of requests_out
    uint64_t requests_dropped_by[CATALOG_REQUESTS_DROPPED_BY];
} catalog_totals;

// What a recording lacks, as the collector counts it; losses.def says what each is.
typedef enum catalog_loss {
#define LOUPE_LOSS(id, name, help) CATALOG_LOSS_##id,
#include "collector/store/catalog/losses.def"
#undef LOUPE_LOSS
    CATALOG_LOSS_COUNT,
} catalog_loss;

// catalog_loss_name returns the name of a loss in the catalog, JSON and metrics.
const char *catalog_loss_name(catalog_loss loss);

// catalog_loss_take_back takes an amount back of a loss that was made good. The loss may be less
// where the row was made again of chunks.
void catalog_loss_take_back(uint64_t *loss, uint64_t amount);

typedef enum catalog_ended {
    CATALOG_ENDED_UNKNOWN, // or not ended
    CATALOG_ENDED_CLOSED,  // its agent said so
    CATALOG_ENDED_KILLED,  // its connection closed without one
    CATALOG_ENDED_TIMED_OUT,
} catalog_ended;

// catalog_is_end_unknown returns whether a session ended so that what it recorded last may not have
// come.
bool catalog_is_end_unknown(catalog_ended how);

// What is known of the secret with which a session began (Hello.secret of proto/loupe.proto).
typedef enum catalog_secret {
    CATALOG_SECRET_UNKNOWN, // nothing: the row was lost
    CATALOG_SECRET_NONE,    // it began without one
    CATALOG_SECRET_HASHED,
} catalog_secret;

enum {
    CATALOG_SECRET_HASH_BYTES = 32,
    CATALOG_IDENTITY_BYTES_MAX = 64,
};

// The name of a service or an instance that nobody knows any more.
#define CATALOG_NAME_UNKNOWN "unknown"

// Strings are UTF-8 and never NULL. They and the sets of a row that the catalog passes are
// borrowed.
typedef struct catalog_session {
    char id[CATALOG_ID_CHARS + 1];
    char *service;
    char *instance;
    char *jvm_name;
    char *jvm_version;
    char *version; // of the service; "": not known; who writes it may have NULL
    uint64_t pid;
    int64_t start_wall_ns;
    int64_t end_wall_ns;   // of the last chunk, or when the session was last heard of
    int64_t heard_wall_ns; // when something came of it last; 0: unknown
    bool is_ended;         // nothing more will come
    catalog_ended ended_how;
    uint32_t next_chunk;    // chunks below it are compacted
    uint64_t next_sequence; // batches below it are in compacted chunks or the journal
    catalog_totals totals;  // over the compacted chunks
    // Losses that the agent reported, totals.
    uint64_t contexts_dropped;
    uint64_t context_values_cut;
    uint64_t context_bytes_dropped;
    uint64_t chunk_bytes_dropped;
    uint64_t jfr_restarts;
    // Those that the collector counted, totals. CATALOG_LOSS_END_UNKNOWN is not stored: it follows
    // from ended_how when the row is read.
    uint64_t losses[CATALOG_LOSS_COUNT];
    // What is not kept any longer (catalog_expiry.h), which is no loss.
    uint64_t expired_chunks;
    int64_t kept_wall_ns; // when the first chunk started that is kept, or the last one ended that
                          // is not; 0: all are
    // What became of the batches below next_sequence. Those that are not settled and in no journal
    // are missing: they count as lost, but those that are late.
    lp_ranges settled; // they are in compacted chunks, or came again, or do not come any more
    lp_ranges lost;    // they count in losses
    lp_ranges late;    // they were of chunks that had been compacted: no batches are lost
    bool is_remade;    // the row was made again: nobody knows which batches are settled
    uint64_t journal_bytes_missing; // that count in losses, and still are to be seen in journals
    uint64_t term; // for which it is written (catalog_owners.h). For writing alone; 0: a collector
                   // has the catalog for itself
    catalog_secret secret;
    uint8_t secret_hash[CATALOG_SECRET_HASH_BYTES]; // of CATALOG_SECRET_HASHED; else zeros
    char identity[CATALOG_IDENTITY_BYTES_MAX + 1];  // that began it; "": it was not asked
} catalog_session;

// catalog_session_fini ends the sets of a row, and nothing else.
void catalog_session_fini(catalog_session *session);

// When the events and contexts of a chunk were, in wall time, as its rollup has it.
typedef struct catalog_bounds {
    int64_t context_begin_min_ns; // of its contexts; INT64_MAX: it has none
    int64_t commit_min_ns;        // of its events, contextual ones included; min is above max where
    int64_t commit_max_ns;        // there are none
} catalog_bounds;

// The ids of a chunk's contexts, for the index (catalog_ids.h); borrowed.
typedef struct catalog_chunk_ids {
    const char *collector; // whose row they are; NULL: none, and nothing covers the chunk
    bool is_left_out;      // there are too many: as if there was none
    int64_t hour;
    uint64_t number; // above that of each row of the collector that is still there
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
    bool is_lost;          // for reading alone: its file is missing or damaged
    // For reading alone. Those of its rollup; false where it was stored without one.
    bool has_bounds;
    catalog_bounds bounds;
    // Likewise: whether the chunk has a setting of the period of samples. That is not known of a
    // row that was made again of its file.
    bool knows_period;
    bool has_period;
    // The statistics of its contexts; NULL: there are none. For writing alone,
    // catalog_rollups_list reads them.
    const rollup *rollup;
    catalog_chunk_ids ids; // for writing alone
    // Per event type
    // {"name":{"in":..,"out":..,"bytes_in":..,"bytes_out":..,"dropped":{reason:..}}}; for writing
    // alone, catalog_list_types and catalog_list_dropped read it.
    const char *types_json;
} catalog_chunk;

// The share of an event type in chunks.
typedef struct catalog_type {
    const char *name;
    uint64_t events_in;
    uint64_t events_out;
    uint64_t bytes_in;
    uint64_t bytes_out;
} catalog_type;

// How many events of a type were dropped for one reason.
typedef struct catalog_dropped {
    const char *type_name;
    const char *reason; // "unknown": the chunk does not say why
    uint64_t events;
} catalog_dropped;

// catalog_is_file returns whether a place is a path, of a file of SQLite's, rather than a URI of
// PostgreSQL's (postgres://, postgresql://).
bool catalog_is_file(const char *place);

// catalog_format_name writes what tells a place in PostgreSQL from others, which is not the user or
// the password. Errors: LP_ECORRUPT it is no such place
LP_MUST_USE lp_err catalog_format_name(const char *place, char *out_name, size_t name_bytes);

// catalog_open opens the catalog at a place for writing and reading, and makes it if it is missing.
// Errors: LP_EVERSION for one that a later version of this program wrote; LP_ELIMIT another
// collector has it (in PostgreSQL)
LP_MUST_USE lp_err catalog_open(const char *place, catalog **out_catalog, lp_problem *out_problem);

// catalog_open_shared opens it for one of several collectors, the node with this id: then sessions
// have owners. Errors: those of catalog_open; LP_ELIMIT a collector has it for itself
LP_MUST_USE lp_err catalog_open_shared(
    const char *place, const char *node, catalog **out_catalog, lp_problem *out_problem);

// catalog_open_reader opens a catalog that is there, for reading alone. Errors: LP_ENOENT,
// LP_EVERSION, LP_ELIMIT there are CATALOG_POSTGRES_READERS_MAX
LP_MUST_USE lp_err catalog_open_reader(
    const char *place, catalog **out_catalog, lp_problem *out_problem);

// catalog_is_shared returns whether other collectors write the catalog (catalog_open_shared);
// catalog_get_node returns the id of this one then, else "".
bool catalog_is_shared(const catalog *catalog);
const char *catalog_get_node(const catalog *catalog);

// catalog_hurry has a reader give up a server that does not answer after a few seconds, as the
// writer does: for a thread that others wait for. Of a writer, which may list all there is for
// longer than that at its start, it ends the start.
void catalog_hurry(catalog *catalog);

// catalog_is_durable returns whether a commit is on the disk when it returns. Then there is no log
// to be synced, and catalog_sync has nothing to do.
bool catalog_is_durable(const catalog *catalog);

// catalog_open_log opens the log of a catalog that is not durable by itself and was opened for
// writing, to be synced on any thread; the caller closes *out_fd. It is the log for as long as the
// catalog is open. Errors: LP_EIO with errno
LP_MUST_USE lp_err catalog_open_log(catalog *catalog, int *out_fd);

// catalog_sync waits until the disk has all that was committed. Errors: LP_EIO with errno
LP_MUST_USE lp_err catalog_sync(catalog *catalog);

// catalog_count_changes returns a number that is another one after a commit of this catalog's.
unsigned catalog_count_changes(catalog *catalog);

// catalog_probe finds out whether the catalog is there, which it may not be in PostgreSQL: it asks
// the server if that has not answered for a while.
LP_MUST_USE lp_err catalog_probe(catalog *catalog);

// catalog_get_failure returns which server it is and what that said last of a failure; "" if
// nothing. Lent until the next call.
const char *catalog_get_failure(const catalog *catalog);

// What all catalogs of this process have counted. Threads: any thread.
typedef struct catalog_counts {
    uint64_t errors;     // statements that failed
    uint64_t reconnects; // connections that were made in place of one that was lost
} catalog_counts;

catalog_counts catalog_get_counts(void);

void catalog_close(catalog *catalog);

// --- Writing: the collector's loop thread alone. Where collectors share the catalog, what writes a
// session is LP_ECLOSED, and changes nothing, once that has another term.

// catalog_put_session inserts the session or replaces its row, with its losses; its chunks and
// carry-over stay. A row whose next_chunk is behind that of the catalog changes nothing: the commit
// of the chunk between was done, and whoever wrote it does not know.
LP_MUST_USE lp_err catalog_put_session(catalog *catalog, const catalog_session *session);

// catalog_put_sessions does that for count sessions in one transaction: for all or none, but those
// that have another term, for which it sets out_is_lost.
LP_MUST_USE lp_err catalog_put_sessions(
    catalog *catalog, const catalog_session *const *sessions, size_t count, bool *out_is_lost);

// catalog_add_chunk records a compacted chunk, the session's new totals and its carry-over in one
// transaction. Adding an ordinal again replaces it.
LP_MUST_USE lp_err catalog_add_chunk(
    catalog *catalog, const catalog_session *session, const catalog_chunk *chunk, lp_slice carry);

// catalog_lose_chunk notes that a chunk is lost, or there again, and counts it in the session's
// losses. Its row stays. *out_changed is false where that was known, or there is no such chunk.
LP_MUST_USE lp_err catalog_lose_chunk(
    catalog *catalog, const char *session_id, uint32_t ordinal, bool is_lost, bool *out_changed);

// catalog_size_chunk writes how many bytes a chunk's file has. One without a row is fine.
LP_MUST_USE lp_err catalog_size_chunk(
    catalog *catalog, const char *session_id, uint32_t ordinal, uint64_t stored_bytes);

// --- Reading: any catalog. A callback must not call the catalog it is called from.

// catalog_get_carry copies the carry-over that the last chunk left into *out_carry (malloc, caller
// frees; NULL and 0 if there is none yet).
LP_MUST_USE lp_err catalog_get_carry(
    catalog *catalog, const char *session_id, uint8_t **out_carry, size_t *out_size);

// Which sessions; NULL and 0 mean any. from/to select sessions that overlap [from, to): started
// before `to` and not ended before `from`. A session that is not ended goes on until `now`.
typedef struct catalog_query {
    const char *service;
    const char *instance;
    const char *version;
    int64_t from_wall_ns;
    int64_t to_wall_ns;
    int64_t now_wall_ns; // only looked at with from_wall_ns
    uint32_t count_max;  // of sessions; 0: any number
} catalog_query;

// catalog_list calls on_session for each match, newest start first (then by id). What session
// points to is lent until on_session returns.
LP_MUST_USE lp_err catalog_list(catalog *catalog, const catalog_query *query,
    void (*on_session)(void *arg, const catalog_session *session), void *arg);

// catalog_list_services calls on_service for the services of these matches, with the number of each
// one's; that with the newest start first. The query's service, instance and version are not looked
// at.
LP_MUST_USE lp_err catalog_list_services(catalog *catalog, const catalog_query *query,
    void (*on_service)(void *arg, const char *service, uint64_t count), void *arg);

// A version of a service.
typedef struct catalog_version {
    const char *service;
    const char *version;
    uint64_t sessions;
    int64_t end_wall_ns; // of the last chunk of these that is stored
} catalog_version;

// catalog_list_versions calls on_version for the versions of the service, or of all, in these
// matches, so many of each service (count_max); that with the newest start first. What it points to
// is lent until on_version returns. The query's instance and version are not looked at.
LP_MUST_USE lp_err catalog_list_versions(catalog *catalog, const catalog_query *query,
    void (*on_version)(void *arg, const catalog_version *version), void *arg);

// catalog_list_empty does so for those that have ended and have no chunks, in no order.
LP_MUST_USE lp_err catalog_list_empty(
    catalog *catalog, void (*on_session)(void *arg, const catalog_session *session), void *arg);

// catalog_find calls on_session for the session with this id. Errors: LP_ENOENT
LP_MUST_USE lp_err catalog_find(catalog *catalog, const char *session_id,
    void (*on_session)(void *arg, const catalog_session *session), void *arg);

// catalog_first_start returns when the session started that did so first. Errors: LP_ENOENT
LP_MUST_USE lp_err catalog_first_start(catalog *catalog, int64_t *out_wall_ns);

// catalog_list_chunks calls on_chunk for each compacted chunk of the session, in order. What chunk
// points to is lent until on_chunk returns.
LP_MUST_USE lp_err catalog_list_chunks(catalog *catalog, const char *session_id,
    void (*on_chunk)(void *arg, const catalog_chunk *chunk), void *arg);

// catalog_find_end returns when the last of the session's chunks ended. Errors: LP_ENOENT it has
// none
LP_MUST_USE lp_err catalog_find_end(catalog *catalog, const char *session_id, int64_t *out_wall_ns);

// Which chunks of a session: those below chunk_end whose middle lies in [from, to).
typedef struct catalog_chunk_range {
    const char *session_id;
    uint32_t chunk_end;
    int64_t from_wall_ns;
    int64_t to_wall_ns;
} catalog_chunk_range;

// catalog_list_types calls on_type for each event type of compacted chunks, by name, with the sums
// over them. What type points to is lent until on_type returns.
LP_MUST_USE lp_err catalog_list_types(catalog *catalog, const catalog_chunk_range *chunks,
    void (*on_type)(void *arg, const catalog_type *type), void *arg);

// catalog_list_dropped does the same with each reason for which events of each type were dropped.
LP_MUST_USE lp_err catalog_list_dropped(catalog *catalog, const catalog_chunk_range *chunks,
    void (*on_dropped)(void *arg, const catalog_dropped *dropped), void *arg);

#endif // LP_COLLECTOR_STORE_CATALOG_H
