// SPDX-License-Identifier: Apache-2.0
// catalog_check: whether a catalog is damaged, and how what can be read of one that is gets into a
// new one. Those of earlier versions are checked and read as well; one of a later version is not
// looked at, and counts as sound: who opens it says what it is.
//
// A garbage page costs what is on it: rows are looked for by their keys, so those on other pages
// are found.
//
// Threads: one thread at a time; nobody else has the catalog open.
// Tests:   tests/unit/collector/mend/test_reconcile_catalog.c

#ifndef LP_COLLECTOR_STORE_CATALOG_CHECK_H
#define LP_COLLECTOR_STORE_CATALOG_CHECK_H

#include "collector/store/catalog/blob_list.h"
#include "collector/store/catalog/catalog.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum catalog_check_state {
    CATALOG_CHECK_SOUND,
    CATALOG_CHECK_UNFINISHED, // sound as far as it was looked at within the budget
    CATALOG_CHECK_MISSING,    // there is no file
    CATALOG_CHECK_DAMAGED,
} catalog_check_state;

typedef struct catalog_check_config {
    bool is_thorough;  // also whether indexes have what their tables have
    int64_t budget_ns; // for the tables of statistics, which may be large; 0: any time
    // Asked now and then: the check, or the salvage, ends with LP_ECLOSED once it returns true.
    // NULL is fine.
    bool (*is_ending)(void *arg);
    void *arg;
} catalog_check_config;

// catalog_check reads the database at path, the tables of sessions and chunks first. It changes
// nothing. out_problem says what is damaged, which it is if it is found twice.
// Errors: LP_ECLOSED; LP_EIO, LP_EAGAIN, LP_ENOMEM
LP_MUST_USE lp_err catalog_check(const char *path, const catalog_check_config *config,
    catalog_check_state *out_state, lp_problem *out_problem);

// catalog_move renames the database at path and its log, of which either may be missing. Nothing is
// at the path `to`. Errors: LP_EIO with errno
LP_MUST_USE lp_err catalog_move(const char *path, const char *to);

// catalog_salvage makes a catalog at the path `to` of what can be read in the database at path,
// which is damaged and stays as it is, of the sessions that it lists and of known. It is of the
// same version, so who opens it brings it up to date. Sums of statistics are not in it, nor
// objects, which only a catalog of an object store has. Chunks whose ids are lost are noted as
// covered by nothing (catalog_ids.h). *out_unreadable is how often rows of a session or of a chunk
// could not be read. Errors: LP_ECORRUPT, LP_EVERSION nothing of it can be read, and `to` has no
// tables; LP_ECLOSED;
//         those of a catalog
LP_MUST_USE lp_err catalog_salvage(const char *to, const char *path,
    const catalog_check_config *config, const blob_list_sessions *known, uint64_t *out_unreadable);

#endif // LP_COLLECTOR_STORE_CATALOG_CHECK_H
