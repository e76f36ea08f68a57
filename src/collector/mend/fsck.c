// SPDX-License-Identifier: Apache-2.0
#include "collector/mend/fsck.h"

#include "collector/chunks/chunk_place.h"
#include "collector/cluster/catalog_place.h"
#include "collector/journal/journal.h"
#include "collector/journal/journal_list.h"
#include "collector/mend/fsck_pieces.h"
#include "collector/mend/reconcile.h"
#include "collector/mend/reindex.h"
#include "collector/store/catalog/blob_list.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct fsck {
    const fsck_config *config;
    fsck_counts *counts;
    reconcile_config how;
    reconcile_counts found;
    reconciler each;
    char *catalog_path;
    char *blobs_path;
    char *journals_path;
    char *ids_path;
    bool has_bad_index;
} fsck;

static void
on_finding(void *arg, const finding *found)
{
    fsck *f = arg;
    f->counts->findings++;
    f->counts->repaired += found->is_repaired ? 1 : 0;
    if (f->config->on_finding != NULL) {
        f->config->on_finding(f->config->arg, found);
    }
}

static void
on_progress(void *arg, uint64_t done, uint64_t all)
{
    const fsck *f = arg;
    if (f->config->on_progress != NULL) {
        f->config->on_progress(f->config->arg, done, all);
    }
}

// --- Journals

static void
report_journal(
    fsck *f, finding_kind kind, const char *session_id, uint32_t ordinal, const char *detail)
{
    reconcile_report(&f->each, &(finding){.kind = kind,
                                   .session_id = session_id,
                                   .is_of_chunk = true,
                                   .ordinal = ordinal,
                                   .detail = detail});
}

// read_records reads a journal to its end. *out_damaged is how many bytes of it no record has, the
// unfinished one of a collector that died left out.
static lp_err
read_records(const journal *file, uint64_t *out_damaged)
{
    journal_cursor cursor;
    lp_slice message;
    lp_err err;
    *out_damaged = 0;
    journal_cursor_init(&cursor, file, journal_get_size(file));
    while ((err = journal_cursor_next(&cursor, &message)) == LP_OK) {
        *out_damaged += cursor.skipped_bytes;
    }
    if (err == LP_ECORRUPT) {
        *out_damaged += cursor.is_torn ? 0 : journal_get_size(file) - cursor.offset;
        err = LP_EEND;
    }
    journal_cursor_fini(&cursor);
    return err == LP_EEND ? LP_OK : err;
}

static lp_err
check_journal(fsck *f, const char *session_id, uint32_t ordinal)
{
    journal *file;
    uint64_t damaged = 0;
    char *path = data_dir_path(f->how.dir, DATA_DIR_JOURNAL, session_id, ordinal);
    lp_err err = path == NULL ? LP_ENOMEM : journal_open(path, &file);
    free(path);
    f->counts->journals++;
    if (err == LP_OK) {
        err = read_records(file, &damaged);
        journal_unref(file);
    }
    if (err == LP_EIO) {
        report_journal(f, FINDING_JOURNAL_UNREADABLE, session_id, ordinal, strerror(errno));
        err = LP_OK;
    } else if (err == LP_OK && damaged > 0) {
        char detail[40];
        (void)snprintf(detail, sizeof(detail), "%" PRIu64 " bytes", damaged);
        report_journal(f, FINDING_JOURNAL_DAMAGED, session_id, ordinal, detail);
    }
    return err;
}

static lp_err
check_waiting(fsck *f, const char *session_id)
{
    journal_list list = {0};
    char *path = data_dir_path(f->how.dir, DATA_DIR_SESSION_JOURNALS, session_id);
    lp_err err = path == NULL ? LP_ENOMEM : journal_list_read(path, &list);
    free(path);
    if (err == LP_EIO) {
        reconcile_report(&f->each, &(finding){.kind = FINDING_DIRECTORY_UNREADABLE,
                                       .session_id = session_id,
                                       .detail = strerror(errno)});
        return LP_OK;
    }
    for (size_t i = 0; i < list.count && err == LP_OK; i++) {
        err = check_journal(f, session_id, list.items[i]);
    }
    LP_VEC_FINI(&list);
    return err;
}

static lp_err
check_journals(fsck *f)
{
    blob_list_sessions waiting = {0}; // its directories have the same names
    lp_err err = blob_list_read_sessions(f->journals_path, &waiting);
    if (err == LP_EIO) {
        reconcile_report(
            &f->each, &(finding){.kind = FINDING_DIRECTORY_UNREADABLE, .detail = strerror(errno)});
        err = LP_OK;
    }
    for (size_t i = 0; i < waiting.count && err == LP_OK; i++) {
        err = check_waiting(f, waiting.items[i].id);
    }
    LP_VEC_FINI(&waiting);
    return err;
}

// --- All

static lp_err
open_all(fsck *f, lp_problem *out_problem)
{
    lp_err err = f->config->is_repairing
                     ? catalog_open(f->catalog_path, &f->each.catalog, out_problem)
                     : catalog_open_reader(f->catalog_path, &f->each.catalog, out_problem);
    LP_THEN(err, blobs_open(f->blobs_path, &f->each.blobs, out_problem));
    return err;
}

// has_catalog returns whether the catalog can be read: nothing has made it again where nothing is
// repaired.
static bool
has_catalog(const fsck *f)
{
    bool is_bad =
        f->found.found[FINDING_CATALOG_DAMAGED] + f->found.found[FINDING_CATALOG_MISSING] > 0;
    return (f->config->is_repairing || !is_bad) && access(f->catalog_path, F_OK) == 0;
}

static lp_err
check_rest(fsck *f, lp_problem *out_problem)
{
    f->each = (reconciler){.config = &f->how,
        .counts = &f->found,
        .blobs_path = f->blobs_path,
        .ids = id_rows_make_nobody()};
    lp_err err = check_journals(f);
    if (err != LP_OK || !has_catalog(f)) {
        return err;
    }
    err = open_all(f, out_problem);
    LP_THEN(err, fsck_pieces_check(&f->each, &f->counts->kept));
    return err == LP_OK
               ? reindex_check(f->each.catalog, f->ids_path, &f->has_bad_index, out_problem)
               : err;
}

static lp_err
check_all(fsck *f, lp_problem *out_problem)
{
    const data_dir *dir = f->how.dir;
    f->catalog_path = data_dir_path(dir, DATA_DIR_CATALOG);
    f->blobs_path = data_dir_path(dir, DATA_DIR_CHUNKS);
    f->journals_path = data_dir_path(dir, DATA_DIR_JOURNALS);
    f->ids_path = data_dir_path(dir, DATA_DIR_IDS);
    if (f->catalog_path == NULL || f->blobs_path == NULL || f->journals_path == NULL ||
        f->ids_path == NULL) {
        return LP_ENOMEM;
    }
    lp_err err = chunk_place_check(dir, NULL, out_problem);
    LP_THEN(err, catalog_place_check(dir, NULL, out_problem));
    LP_THEN(err, reconcile_run(&f->how, &f->found, out_problem));
    f->counts->sessions = f->found.sessions;
    f->counts->chunks = f->found.chunks;
    return err == LP_OK ? check_rest(f, out_problem) : err;
}

static void
close_all(fsck *f)
{
    blobs_close(f->each.blobs);
    catalog_close(f->each.catalog);
    free(f->catalog_path);
    free(f->blobs_path);
    free(f->journals_path);
    free(f->ids_path);
}

// mend_index reports the index, and makes it again if this is repairing.
static lp_err
mend_index(fsck *f, lp_problem *out_problem)
{
    bool is_repaired = false;
    lp_err err = LP_OK;
    if (f->config->is_repairing) {
        const reindex_config again = {.data_dir = f->config->data_dir};
        reindex_counts counts;
        err = reindex_run(&again, &counts, out_problem);
        is_repaired = err == LP_OK && counts.unreadable == 0;
    }
    on_finding(
        f, &(finding){.kind = FINDING_INDEX_DAMAGED, .detail = "", .is_repaired = is_repaired});
    return err;
}

// is_data_dir returns whether a collector has used a directory, in which folders are made else.
static bool
is_data_dir(const char *path)
{
    static const char *const names[] = {DATA_DIR_CATALOG, DATA_DIR_CHUNKS, DATA_DIR_JOURNALS};
    char inside[PATH_MAX];
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        (void)snprintf(inside, sizeof(inside), "%s/%s", path, names[i]);
        if (access(inside, F_OK) == 0) {
            return true;
        }
    }
    return false;
}

lp_err
fsck_run(const fsck_config *config, fsck_counts *out_counts, lp_problem *out_problem)
{
    *out_counts = (fsck_counts){0};
    *out_problem = (lp_problem){.text = ""};
    if (!is_data_dir(config->data_dir)) {
        return lp_problem_set(
            out_problem, LP_ENOENT, "%s: no data directory of a collector", config->data_dir);
    }
    data_dir *dir;
    LP_TRY(data_dir_open(config->data_dir, &dir, out_problem));
    fsck f = {.config = config, .counts = out_counts};
    f.how = (reconcile_config){.dir = dir,
        .is_repairing = config->is_repairing,
        .is_thorough = true,
        .on_finding = on_finding,
        .on_progress = on_progress,
        .arg = &f};
    lp_err err = check_all(&f, out_problem);
    close_all(&f);
    data_dir_close(dir);
    if (err == LP_OK && f.has_bad_index) {
        err = mend_index(&f, out_problem);
    }
    if (err != LP_OK && out_problem->text[0] == '\0') {
        (void)lp_problem_set(out_problem, err, "%s: %s", config->data_dir, lp_err_text(err));
    }
    return err;
}
