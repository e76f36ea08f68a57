// SPDX-License-Identifier: Apache-2.0
#include "collector/mend/mend.h"

#include "collector/base/metrics.h"
#include "collector/chunks/chunk_place.h"
#include "collector/cluster/data_place.h"
#include "collector/journal/data_dir.h"
#include "collector/mend/reconcile.h"
#include "common/base/lp_log.h"

#include <inttypes.h>

enum { FINDINGS_LOGGED_MAX = 20 }; // of each kind; all are counted

typedef struct mending {
    const server_config *config;
    uint64_t found[FINDING_COUNT];
} mending;

static bool
is_ending(void *arg)
{
    const server_config *config = ((const mending *)arg)->config;
    return config->is_ending != NULL && config->is_ending(config->arg);
}

static void
on_finding(void *arg, const finding *found)
{
    mending *m = arg;
    metrics_add(METRICS_findings_CATALOG_DAMAGED + (metrics_id)found->kind, 1);
    if (++m->found[found->kind] <= FINDINGS_LOGGED_MAX) {
        char text[FINDING_TEXT_BYTES];
        finding_format(found, text);
        lp_log(LP_LOG_WARN, "%s: %s", text,
            found->is_repaired ? finding_get_words(found->kind)->repair : "it is left as it is");
    }
}

static void
log_counts(const mending *m, const reconcile_counts *counts)
{
    for (finding_kind kind = 0; kind < FINDING_COUNT; kind++) {
        if (m->found[kind] > FINDINGS_LOGGED_MAX) {
            lp_log(LP_LOG_WARN, "%s: %" PRIu64 " times in all", finding_get_words(kind)->name,
                m->found[kind]);
        }
    }
    if (counts->statistics_unreadable > 0) {
        lp_log(LP_LOG_WARN, "%" PRIu64 " reads of rows of the damaged catalog failed",
            counts->statistics_unreadable);
    }
    if (counts->sessions_unsized > 0 || counts->is_catalog_unfinished) {
        lp_log(LP_LOG_INFO,
            "too much for a start: it skips the sizes of the chunks of %" PRIu64
            " recordings%s; `loupe fsck` checks all",
            counts->sessions_unsized,
            counts->is_catalog_unfinished ? " and a part of the catalog" : "");
    }
}

// is_compared returns whether a comparison saw all that it needs. Files that the disk does not
// return must be compared again.
static bool
is_compared(const reconcile_counts *counts)
{
    return counts->found[FINDING_CHUNK_UNREAD] == 0 &&
           counts->found[FINDING_DIRECTORY_UNREADABLE] == 0;
}

lp_err
mend_run(const server_config *config, bool *out_is_compared, lp_problem *out_problem)
{
    data_dir *dir;
    *out_is_compared = false;
    LP_TRY(data_dir_open(config->data_dir, &dir, out_problem));
    lp_err err = chunk_place_check(dir, config->store, out_problem);
    LP_THEN(err, data_place_check_catalog(dir, config->catalog, out_problem));
    // Objects of a store are not compared, and a catalog in PostgreSQL is not rebuilt.
    if (err != LP_OK || config->store != NULL || config->catalog != NULL) {
        data_dir_close(dir);
        return err;
    }
    mending m = {.config = config};
    const reconcile_config how = {.dir = dir,
        .is_repairing = true,
        .is_ending = is_ending,
        .on_finding = on_finding,
        .arg = &m};
    reconcile_counts counts;
    err = reconcile_run(&how, &counts, out_problem);
    data_dir_close(dir);
    log_counts(&m, &counts);
    *out_is_compared = err == LP_OK && is_compared(&counts);
    if (err != LP_OK && err != LP_ECLOSED && err != LP_EVERSION && err != LP_ENOMEM) {
        lp_log(LP_LOG_ERROR, "%s", out_problem->text);
        return LP_OK; // the server reports what keeps it from starting
    }
    return err;
}
