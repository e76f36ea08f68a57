// SPDX-License-Identifier: Apache-2.0
// catalog_rollups: the statistics of contexts (rollup.h): a rollup for each chunk, and sums for
// each service over all its JVMs, by 2 minutes and by hours.
//
// A chunk counts at the time of its middle: most of its contexts began within half a chunk of this
// time. The transaction that adds a chunk updates its sums, so a sum has all stored chunks. It may
// also have deleted chunks, until the last chunk of its service and time is deleted.
//
// A rollup is stored in parts (rollup_bytes.h), so that a reader decodes only the parts that it
// needs. The part with the types' numbers is by far the smallest. Adding all parts to an empty
// rollup restores the whole.
//
// Threads: as the catalog.
// Tests:   tests/unit/collector/store/catalog/test_catalog_rollups.c
// Errors:  as the catalog.

#pragma once

#include "collector/store/catalog/catalog.h"
#include "common/base/lp_slice.h"
#include "common/rollup/rollup.h"

#include <stdbool.h>
#include <stdint.h>

// --- Parts: one thread at a time

typedef enum rollup_part {
    ROLLUP_PART_TYPES,     // all but the parts below
    ROLLUP_PART_EXEMPLARS, // and slices
    ROLLUP_PART_ATTRIBUTES,
    ROLLUP_PARTS,
} rollup_part;

// rollup_parts_add adds parts to total. Empty parts add nothing. Errors: as rollup_bytes_add
LP_MUST_USE lp_err rollup_parts_add(
    rollup *total, const lp_slice parts[ROLLUP_PARTS], const char *recording);

// rollup_parts_read reads the parts of one chunk, including slices, into an empty rollup. Errors:
// as rollup_bytes_add
LP_MUST_USE lp_err rollup_parts_read(
    rollup *chunk, const lp_slice parts[ROLLUP_PARTS], const char *recording);

// --- Rollups

// The lengths of sums; the long one is a multiple of the short one. Sums of 2 minutes suit a day in
// 240 columns, sums of hours a month.
static const int64_t CATALOG_SUM_NS = 120 * (int64_t)1000000000;
static const int64_t CATALOG_LONG_SUM_NS = 3600 * (int64_t)1000000000;

// Selects the rollups of chunks whose middle lies in [from, to). NULL means any.
typedef struct catalog_rollup_query {
    const char *service;
    const char *instance;
    const char *version; // of the service
    const char *session_id;
    int64_t from_wall_ns;
    int64_t to_wall_ns;
    // Chunks of a service whose middles lie in the same [k * step_ns, (k + 1) * step_ns) may be
    // listed as a sum. 0: list each chunk; this is always so with a session, instance or version.
    int64_t step_ns;
    bool has_exemplars; // list exemplars and slices
    bool has_attributes;
    bool has_lengths;    // set length_ns of chunks; sums always have it
    uint64_t chunks_max; // used only with a session, instance or version; 0: unlimited
    // The collector that stored the chunks; NULL: any. Used only if session, instance and version
    // are NULL.
    const char *node;
} catalog_rollup_query;

// A rollup, or a sum of several. Each collector that shares the catalog has its own sums.
typedef struct catalog_rollup {
    const char *service;
    const char *session_id;       // "" for a sum; its exemplars name their recordings
    int64_t wall_ns;              // the middle of the chunk, or the start of the sum
    int64_t length_ns;            // of the sum, or of the chunk with has_lengths; else 0
    lp_slice parts[ROLLUP_PARTS]; // for rollup_parts_add; unselected parts are empty
} catalog_rollup;

// catalog_rollups_list calls on_rollup for each rollup, in no order. The rollup is borrowed until
// on_rollup returns. If on_rollup fails, the list ends and returns the same error. Errors:
// LP_ELIMIT if there are more chunks than chunks_max
LP_MUST_USE lp_err catalog_rollups_list(catalog *catalog, const catalog_rollup_query *query,
    lp_err (*on_rollup)(void *arg, const catalog_rollup *rollup), void *arg);

// catalog_rollups_longest writes the duration of the longest chunk in the query's service and time;
// 0 if there is no chunk. It ignores the query's other fields.
LP_MUST_USE lp_err catalog_rollups_longest(
    catalog *catalog, const catalog_rollup_query *query, int64_t *out_ns);

// catalog_rollups_left_out returns the number of unreadable rollups that were left out of rebuilt
// sums since the catalog was opened. Each is logged, and counted in its sum (chunks_left_out).
uint64_t catalog_rollups_left_out(const catalog *catalog);

// catalog_rollups_put stores or replaces the rollup of a chunk and updates its sums, within the
// transaction of catalog_add_chunk.
LP_MUST_USE lp_err catalog_rollups_put(
    catalog *catalog, const catalog_session *session, const catalog_chunk *chunk);

// catalog_rollups_remake rebuilds all sums from the rollups of chunks, each sum in its own
// transaction. Errors: LP_ECLOSED if is_ending returned true. is_ending may be NULL
LP_MUST_USE lp_err catalog_rollups_remake(
    catalog *catalog, bool (*is_ending)(void *arg), void *arg);

// catalog_rollups_drop deletes the rollup of a chunk, within the transaction of catalog_expire. It
// also deletes the sums of which this was the last rollup.
LP_MUST_USE lp_err catalog_rollups_drop(catalog *catalog, const char *session_id, uint32_t ordinal);
