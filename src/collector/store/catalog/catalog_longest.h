// SPDX-License-Identifier: Apache-2.0
// catalog_longest: the stored chunks of a selection, in the order of the longest context or request
// in each.
//
// The row of a chunk has the duration of the longest kept context of which the chunk has an event
// or a part, and of the longest kept request of which it has an event (rollup.h). The duration
// counts up to the end of that part or event: for the chunk in which a context ends it is the whole
// duration. So no context or request whose last event is in the chunk is longer. A chunk without
// statistics has CATALOG_LONGEST_UNKNOWN, and comes first.
//
// Indexes have the rows of a service in this order, so the first ones are found without reading the
// others.
//
// Threads: as the catalog.
// Tests:   tests/unit/collector/store/catalog/test_catalog_longest.c
// Errors:  as the catalog.

#pragma once

#include "collector/store/catalog/catalog.h"

static const int64_t CATALOG_LONGEST_UNKNOWN = INT64_MAX;

enum {
    CATALOG_LONGEST_COUNT_MAX = 100000, // more chunks are not counted
    CATALOG_LONGEST_REACH_S = 3600,     // see catalog_longest_query
};

// Selects the chunks of a service or of a session that may have contexts, or requests, that began
// in [from, to) and lasted at least longest_min_ns. Chunks that begin CATALOG_LONGEST_REACH_S
// before `from` or after `to` are not selected.
typedef struct catalog_longest_query {
    rollup_unit unit;
    const char *service;    // if session_id is NULL
    const char *version;    // of the service; NULL: any
    const char *session_id; // NULL: all sessions of the service
    int64_t from_wall_ns;   // INT64_MIN: any
    int64_t to_wall_ns;     // INT64_MAX: any
    int64_t longest_min_ns;
    size_t count_max; // of listed chunks
} catalog_longest_query;

typedef struct catalog_longest {
    char session_id[CATALOG_ID_CHARS + 1];
    uint32_t ordinal;
    int64_t longest_ns;
} catalog_longest;

// catalog_longest_list calls on_chunk for the first count_max selected chunks: the longest first,
// of equal ones the latest first. Writes the number of all selected chunks, at most
// CATALOG_LONGEST_COUNT_MAX.
// Cost: reads CATALOG_LONGEST_COUNT_MAX entries of an index at most to count, and as many to find
//       the first chunks of fewer; of more, only those up to the last listed one.
LP_MUST_USE lp_err catalog_longest_list(catalog *catalog, const catalog_longest_query *query,
    void (*on_chunk)(void *arg, const catalog_longest *chunk), void *arg, uint64_t *out_count);

// catalog_longest_services calls on_service for each service that has chunks, by name. Cost: does
// not read the rows of chunks.
LP_MUST_USE lp_err catalog_longest_services(
    catalog *catalog, void (*on_service)(void *arg, const char *service), void *arg);
