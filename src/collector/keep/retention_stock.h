// SPDX-License-Identifier: Apache-2.0

// retention_stock: what is stored, and which of it expires: the bytes of each service, the files
// that were put aside as damaged (damaged_files.h), and the candidates to expire.
//
// A file that was put aside counts among the bytes of its session's service, "" if that is unknown.
//
// Threads: the loop that owns the catalog.
// Tests:   tests/unit/collector/keep/test_retention.c, test_retention_aside.c,
//          tests/unit/collector/keep/test_retention_decide.c
// Memory:  some 50 bytes for each service, and for each candidate

#pragma once

#include "collector/journal/damaged_files.h"
#include "collector/journal/data_dir.h"
#include "collector/journal/late_journals.h"
#include "collector/store/catalog/catalog_expiry.h"
#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"
#include "policy/policy_dir.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct kept_service {
    char *name;
    uint64_t bytes;
    uint64_t aside_bytes; // of these, of files that were put aside
    int64_t age_ns_max;   // from which due_wall_ns was derived
    int64_t due_wall_ns;  // no chunk expires by its age before
} kept_service;

// A chunk, or a file that was put aside, that may expire.
typedef struct retention_candidate {
    size_t service; // index in services
    int64_t start_wall_ns;
    int64_t end_wall_ns;
    uint64_t bytes;
    bool has_more; // its service has later chunks that are no candidates
    bool is_aside;
    size_t source; // only for the caller: index of the chunk or file
    size_t number; // set by the caller: orders equal starts
    bool goes;     // the decision: it expires
} retention_candidate;

typedef struct retention_service {
    uint64_t bytes;     // of all its chunks; after the decision, of the remaining ones
    int64_t age_ns_max; // INT64_MAX: any
    uint64_t bytes_max; // UINT64_MAX: any
} retention_service;

// Set keep and what is borrowed; all other members are 0 at first.
typedef struct retention_stock {
    policy_keep keep; // the default age, and the total of bytes; 0: unlimited
    // Borrowed
    policy_dir *policies; // limits of services, which override the default age; NULL: none
    const data_dir *dir;
    catalog *catalog;
    late_journals *late;

    LP_VEC(kept_service) services; // never removed, so that their indexes stay
    uint64_t bytes;                // of all
    damaged_files aside;           // of the last retention_stock_look_aside
    LP_VEC(size_t) aside_services; // of each of them, an index
    // Of the last retention_stock_choose
    LP_VEC(retention_candidate) candidates; // the earliest start first
    LP_VEC(catalog_old_chunk) chunks;       // of the candidates
    LP_VEC(retention_service) limits;       // of each service
    lp_err err;                             // of a callback
} retention_stock;

void retention_stock_fini(retention_stock *stock);

// retention_stock_find finds or adds a service. NULL: memory ran out. Valid until the next call.
kept_service *retention_stock_find(retention_stock *stock, const char *name);

// retention_stock_add counts bytes of chunks. retention_stock_take subtracts bytes, those that are
// known: a chunk may not have been counted.
void retention_stock_add(retention_stock *stock, kept_service *service, uint64_t bytes);
void retention_stock_take(retention_stock *stock, kept_service *service, uint64_t bytes);

// retention_stock_look_aside lists the files that were put aside, and counts them anew. After an
// error there are none. Errors: LP_EIO with errno; LP_ENOMEM; as the catalog's
LP_MUST_USE lp_err retention_stock_look_aside(retention_stock *stock);

// retention_stock_remove_aside removes such a file, which no longer counts. A failure is logged;
// the next look finds the file again. Errors: LP_EIO with errno
LP_MUST_USE lp_err retention_stock_remove_aside(retention_stock *stock, size_t index);

// retention_stock_remove_aside_of removes all such files of a session. Errors: as above
LP_MUST_USE lp_err retention_stock_remove_aside_of(retention_stock *stock, const char *session_id);

// retention_stock_choose lists up to count_max chunks of each service that is over a limit, and
// files that were put aside, and decides which of them go. *out_gone is their number. Errors:
// LP_ENOMEM; as the catalog's
LP_MUST_USE lp_err retention_stock_choose(
    retention_stock *stock, size_t count_max, int64_t now_wall_ns, size_t *out_gone);

// retention_stock_decide sets `goes` of each candidate. The candidates are sorted by start, and a
// service's candidates are its first chunks. bytes_max limits all services together. Returns the
// number of candidates that expire.
size_t retention_stock_decide(retention_candidate *candidates, size_t count,
    retention_service *services, size_t service_count, uint64_t bytes_max, int64_t now_wall_ns);

// retention_stock_find_due sets when the next chunk of each chosen service expires by its age, once
// all that go are removed.
void retention_stock_find_due(retention_stock *stock);
