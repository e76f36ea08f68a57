// SPDX-License-Identifier: Apache-2.0
// catalog_rollups: the statistics of contexts (rollup.h) in a catalog: one rollup of each chunk,
// and for each service the sums of those of all its JVMs, by 2 minutes and by hours.
//
// A chunk belongs to the time in which its middle lies: most of its contexts began in that or less
// than half a chunk away from it. A sum is written in the transaction that adds the
// chunk, so it is always that of the chunks that are there, and who reads one reads what reading
// the chunks would come to.
//
// Each is stored in parts (rollup_parts.h), of which the numbers of types are the smallest by far.
//
// Threads: as the catalog.
// Tests:   tests/unit/collector/store/catalog/test_catalog_rollups.c
// Errors:  as the catalog's.

#ifndef LP_COLLECTOR_STORE_CATALOG_ROLLUPS_H
#define LP_COLLECTOR_STORE_CATALOG_ROLLUPS_H

#include "collector/store/catalog/catalog.h"
#include "collector/store/catalog/rollup_parts.h"

#include <stdbool.h>
#include <stdint.h>

// The lengths of time that sums are over; the later is a multiple of the first. Those of 2 minutes
// serve a day in 240 columns, those of hours a month.
static const int64_t CATALOG_SUM_NS = 120 * (int64_t)1000000000;
static const int64_t CATALOG_LONG_SUM_NS = 3600 * (int64_t)1000000000;

// Which rollups: of chunks whose middle lies in [from, to). NULL means any.
typedef struct catalog_rollup_query {
    const char *service;
    const char *instance;
    const char *version; // of the service
    const char *session_id;
    int64_t from_wall_ns;
    int64_t to_wall_ns;
    // Chunks of a service with middles in the same [k * step_ns, (k + 1) * step_ns) may come as
    // sums. 0: each comes by itself. They also do where one session, instance or version is asked
    // for.
    int64_t step_ns;
    bool has_exemplars; // and slices; else this part is left out
    bool has_attributes;
    bool has_lengths; // of chunks; sums have theirs
    // Of one session, instance or version no more chunks are listed, which come one by one; 0: all.
    uint64_t chunks_max;
    const char *node; // of chunks of a service: which collector stored them; NULL: any
} catalog_rollup_query;

// A rollup, or a sum of several. Of collectors that share the catalog each has sums of its own.
typedef struct catalog_rollup {
    const char *service;
    const char *session_id;       // "" for a sum, whose exemplars say of which recordings they are
    int64_t wall_ns;              // the middle of the chunk, or the start of the time of a sum
    int64_t length_ns;            // of the chunk, 0 if not asked for, or of the time of a sum
    lp_slice parts[ROLLUP_PARTS]; // for rollup_parts_add; empty are those that were not asked for
} catalog_rollup;

// catalog_rollups_list calls on_rollup for each, in no order. What rollup points to is lent until
// on_rollup returns, which returns LP_OK or ends the list with what it returns. Errors: LP_ELIMIT
// there are more than chunks_max
LP_MUST_USE lp_err catalog_rollups_list(catalog *catalog, const catalog_rollup_query *query,
    lp_err (*on_rollup)(void *arg, const catalog_rollup *rollup), void *arg);

// catalog_rollups_longest sets *out_ns to the duration of the longest chunk that a query is about,
// 0 if there is none. Of the query it takes the service and the time: with a session or an
// instance, that of the chunks of others counts as well.
LP_MUST_USE lp_err catalog_rollups_longest(
    catalog *catalog, const catalog_rollup_query *query, int64_t *out_ns);

// catalog_rollups_left_out returns how often the rollup of a chunk was left out of a sum that was
// made anew, as it could not be read, since the catalog was opened. Each is in the log, and the sum
// knows of it (chunks_left_out).
uint64_t catalog_rollups_left_out(const catalog *catalog);

// catalog_rollups_put stores the rollup of a chunk, in place of an earlier one, and brings the sums
// up to date. It is a part of catalog_add_chunk, within its transaction.
LP_MUST_USE lp_err catalog_rollups_put(
    catalog *catalog, const catalog_session *session, const catalog_chunk *chunk);

// catalog_rollups_remake makes all sums anew from the rollups of chunks, each in a transaction of
// its own, until is_ending (NULL: never) returns true. Errors: LP_ECLOSED
LP_MUST_USE lp_err catalog_rollups_remake(
    catalog *catalog, bool (*is_ending)(void *arg), void *arg);

// catalog_rollups_drop removes the rollup of a chunk, and the sums of its service and time if it
// was the last one in them. It is a part of catalog_expire, within its transaction.
LP_MUST_USE lp_err catalog_rollups_drop(catalog *catalog, const char *session_id, uint32_t ordinal);

#endif // LP_COLLECTOR_STORE_CATALOG_ROLLUPS_H
