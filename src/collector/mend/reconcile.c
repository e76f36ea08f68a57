// SPDX-License-Identifier: Apache-2.0
#include "collector/mend/reconcile.h"

#include "collector/journal/damaged_files.h"
#include "collector/journal/journal_list.h"
#include "collector/mend/reconcile_session.h"
#include "collector/store/catalog/blob_list.h"
#include "collector/store/catalog/catalog_expiry.h"
#include "collector/store/catalog/catalog_rollups.h"
#include "collector/store/catalog/sqlite/catalog_check.h"
#include "common/base/lp_io.h"
#include "common/base/lp_time.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What a run works on; the paths are owned.
typedef struct run {
    reconciler each;
    char *catalog_path;
    char *blobs_path;
    char *journals_path;
    blob_list_sessions stored;  // sessions with a directory of chunks
    blob_list_sessions waiting; // those with one of journals
    blob_list_sessions known;   // those of the catalog, the latest first
    bool has_misnamed;          // the catalog has a session whose id is none
    lp_err err;                 // of a callback
} run;

static void
report(run *r, finding_kind kind, const char *detail, bool is_repaired)
{
    reconcile_report(
        &r->each, &(finding){.kind = kind, .detail = detail, .is_repaired = is_repaired});
}

// --- The catalog

static catalog_check_config
check_config(const run *r)
{
    const reconcile_config *config = r->each.config;
    return (catalog_check_config){
        .is_thorough = config->is_thorough,
        .budget_ns = config->is_thorough ? 0 : RECONCILE_CATALOG_MS_MAX * (int64_t)1000000,
        .is_ending = config->is_ending,
        .arg = config->arg,
    };
}

// format_aside makes a name that no file has: another catalog may have been put aside this second.
static void
format_aside(const run *r, char out_path[PATH_MAX])
{
    char now[LP_TIME_COMPACT_BYTES];
    lp_time_format_compact(lp_time_now(), now);
    (void)snprintf(out_path, PATH_MAX, "%s.damaged-%s", r->catalog_path, now);
    for (unsigned i = 2; access(out_path, F_OK) == 0; i++) {
        (void)snprintf(out_path, PATH_MAX, "%s.damaged-%s-%u", r->catalog_path, now, i);
    }
}

// format_made makes the name of the catalog that takes the place of a damaged one.
static void
format_made(const run *r, char out_path[PATH_MAX])
{
    (void)snprintf(out_path, PATH_MAX, "%s.new", r->catalog_path);
}

// remove_made removes what a run that was cut short has made.
static void
remove_made(const char *path)
{
    static const char *const suffixes[] = {"", "-wal", "-shm"};
    char name[PATH_MAX];
    for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
        (void)snprintf(name, sizeof(name), "%s%s", path, suffixes[i]);
        (void)unlink(name);
    }
}

// make_catalog makes a new catalog beside the damaged one, of what can be read in that.
static lp_err
make_catalog(run *r, const char *path, lp_problem *out_problem)
{
    const catalog_check_config limits = check_config(r);
    catalog *made;
    lp_err err = catalog_salvage(
        path, r->catalog_path, &limits, &r->stored, &r->each.counts->statistics_unreadable);
    if (err != LP_OK && err != LP_ECORRUPT && err != LP_EVERSION) {
        return err;
    }
    LP_TRY(catalog_open(path, &made, out_problem));
    err = catalog_rollups_remake(made, limits.is_ending, limits.arg);
    LP_THEN(err, catalog_sync(made));
    catalog_close(made);
    return err;
}

// put_in_place puts the damaged catalog, or what is left of it, aside, and the new one there.
static lp_err
put_in_place(run *r, const char *made, lp_problem *out_problem)
{
    char aside[PATH_MAX];
    format_aside(r, aside);
    lp_err err = catalog_move(r->catalog_path, aside);
    LP_THEN(err, catalog_move(made, r->catalog_path));
    return err == LP_OK
               ? LP_OK
               : lp_problem_set(out_problem, err, "cannot rename the damaged catalog %s: %s",
                     r->catalog_path, strerror(errno));
}

// replace_catalog has a new catalog take the place of the damaged one once it is complete: where
// that is cut short, the next run begins again, or finds it complete (finish_replacing).
static lp_err
replace_catalog(run *r, lp_problem *out_problem)
{
    char path[PATH_MAX];
    format_made(r, path);
    remove_made(path);
    lp_err err = make_catalog(r, path, out_problem);
    LP_THEN(err, put_in_place(r, path, out_problem));
    return err == LP_OK ? catalog_open(r->catalog_path, &r->each.catalog, out_problem) : err;
}

// finish_replacing puts the new catalog in place where the damaged one was put aside and no more.
static lp_err
finish_replacing(run *r, lp_problem *out_problem)
{
    char path[PATH_MAX];
    format_made(r, path);
    bool is_between = r->each.config->is_repairing && access(r->catalog_path, F_OK) != 0 &&
                      errno == ENOENT && access(path, F_OK) == 0;
    return is_between ? put_in_place(r, path, out_problem) : LP_OK;
}

// mend_catalog reports that the catalog is damaged, and makes it again if this is repairing.
static lp_err
mend_catalog(run *r, const char *why, lp_problem *out_problem)
{
    const bool is_repairing = r->each.config->is_repairing;
    lp_err err = is_repairing ? replace_catalog(r, out_problem) : LP_OK;
    report(r, FINDING_CATALOG_DAMAGED, why, is_repairing && err == LP_OK);
    return err;
}

// open_sound opens a catalog that is sound as far as it was looked at. Bringing an older one up to
// date looks at more of it.
static lp_err
open_sound(run *r, lp_problem *out_problem)
{
    if (!r->each.config->is_repairing) {
        return catalog_open_reader(r->catalog_path, &r->each.catalog, out_problem);
    }
    lp_problem why = {.text = ""};
    lp_err err = catalog_open(r->catalog_path, &r->each.catalog, &why);
    if (err == LP_ECORRUPT) {
        return mend_catalog(r, why.text, out_problem);
    }
    *out_problem = why;
    return err;
}

static lp_err
open_catalog(run *r, lp_problem *out_problem)
{
    const catalog_check_config limits = check_config(r);
    catalog_check_state state;
    lp_problem why = {.text = ""};
    LP_TRY(finish_replacing(r, out_problem));
    lp_err err = catalog_check(r->catalog_path, &limits, &state, &why);
    if (err != LP_OK) {
        *out_problem = why;
        return err;
    }
    r->each.counts->is_catalog_unfinished = state == CATALOG_CHECK_UNFINISHED;
    if (state == CATALOG_CHECK_DAMAGED) {
        return mend_catalog(r, why.text, out_problem);
    }
    bool is_empty = r->stored.count == 0 && r->waiting.count == 0;
    if (state == CATALOG_CHECK_MISSING && !is_empty) {
        report(r, FINDING_CATALOG_MISSING, "", r->each.config->is_repairing);
    }
    if (state == CATALOG_CHECK_MISSING && !r->each.config->is_repairing) {
        return LP_OK;
    }
    return open_sound(r, out_problem);
}

// --- Sessions

static void
note_known(void *arg, const catalog_session *row)
{
    run *r = arg;
    if (!catalog_id_is_valid(row->id)) { // it would become part of a path
        r->has_misnamed = true;
        return;
    }
    blob_list_session *item = LP_VEC_PUSH(&r->known);
    if (item == NULL) {
        r->err = LP_ENOMEM;
        return;
    }
    memcpy(item->id, row->id, sizeof(item->id));
}

static lp_err
list_known(run *r)
{
    LP_VEC_FINI(&r->known);
    r->has_misnamed = false;
    lp_err err = catalog_list(r->each.catalog, &(catalog_query){0}, note_known, r);
    LP_THEN(err, r->err);
    r->each.counts->sessions = r->known.count;
    return err;
}

// find_known lists the sessions of the catalog. One with an id that is none has been damaged, and
// nobody knows what else: the catalog is made again.
static lp_err
find_known(run *r, lp_problem *out_problem)
{
    const bool is_repairing = r->each.config->is_repairing;
    lp_err err = list_known(r);
    if (err != LP_OK || !r->has_misnamed) {
        return err;
    }
    if (is_repairing) {
        catalog_close(r->each.catalog);
        r->each.catalog = NULL;
    }
    err = mend_catalog(r, "the id of a recording is none", out_problem);
    return err == LP_OK && is_repairing ? list_known(r) : err;
}

static void
note_progress(const run *r, uint64_t done, uint64_t all)
{
    if (r->each.config->on_progress != NULL) {
        r->each.config->on_progress(r->each.config->arg, done, all);
    }
}

static int
compare_sessions(const void *a, const void *b)
{
    return strcmp(((const blob_list_session *)a)->id, ((const blob_list_session *)b)->id);
}

// is_asked_to_end is looked at between sessions.
static bool
is_asked_to_end(const run *r)
{
    const reconcile_config *config = r->each.config;
    return config->is_ending != NULL && config->is_ending(config->arg);
}

static lp_err
check_known(run *r)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < r->known.count && err == LP_OK; i++) {
        err = is_asked_to_end(r) ? LP_ECLOSED
                                 : reconcile_session_check(&r->each, r->known.items[i].id, true);
        note_progress(r, i + 1, r->known.count);
    }
    return err;
}

// check_others looks at sessions that have files, and no row.
static lp_err
check_others(run *r)
{
    lp_err err = LP_OK;
    if (r->known.count > 0) {
        qsort(r->known.items, r->known.count, sizeof(r->known.items[0]), compare_sessions);
    }
    for (size_t i = 0; i < r->stored.count && err == LP_OK; i++) {
        const char *id = r->stored.items[i].id;
        if (!blob_list_has_session(&r->known, id) &&
            !removals_has(&r->each.leaving, id, CATALOG_REMOVAL_ALL)) {
            err = is_asked_to_end(r) ? LP_ECLOSED : reconcile_session_check(&r->each, id, false);
        }
    }
    return err;
}

static lp_err
check_sessions(run *r)
{
    if (!r->each.config->is_thorough) {
        r->each.sizes_end_ns = lp_time_mono_ns() + RECONCILE_SIZES_MS_MAX * (int64_t)1000000;
    }
    lp_err err = check_known(r);
    return err == LP_OK ? check_others(r) : err;
}

// --- All

static lp_err
list_sessions(run *r)
{
    lp_err err = blob_list_read_sessions(r->blobs_path, &r->stored);
    if (err == LP_EIO) {
        report(r, FINDING_DIRECTORY_UNREADABLE, strerror(errno), false);
        err = LP_OK;
    }
    LP_THEN(err, blob_list_read_sessions(r->journals_path, &r->waiting));
    return err == LP_EIO ? LP_OK : err; // recovery reports it
}

// report_left reports the files that could not be removed.
static void
report_left(run *r, const char *why)
{
    for (size_t i = 0; i < r->each.leaving.count; i++) {
        const removal *left = &r->each.leaving.items[i];
        bool is_of_chunk = left->ordinal != CATALOG_REMOVAL_ALL;
        reconcile_report(&r->each, &(finding){.kind = FINDING_FILE_UNREMOVED,
                                       .session_id = left->session_id,
                                       .is_of_chunk = is_of_chunk,
                                       .ordinal = is_of_chunk ? (uint32_t)left->ordinal : 0,
                                       .detail = why});
    }
}

// remove_rest removes what a session has besides its chunks, for good: a process that ended before
// this one may have removed it, and not waited for the disk.
static lp_err
remove_rest(void *arg, const char *session_id)
{
    const run *r = arg;
    lp_err err = damaged_files_remove_of(r->each.config->dir, session_id);
    LP_THEN(err, journal_list_remove(r->each.config->dir, session_id));
    return err == LP_OK ? lp_io_sync_dir(AT_FDCWD, r->journals_path) : err;
}

// finish_removals removes the files that were to go when the collector ended: they are no chunks
// without rows. What cannot be removed the collector tries again.
static lp_err
finish_removals(run *r)
{
    if (!r->each.config->is_repairing) {
        return removals_list(r->each.catalog, &r->each.leaving);
    }
    int error = 0;
    const removals_rest rest = {.remove = remove_rest, .arg = r};
    LP_TRY(removals_finish(r->each.catalog, r->each.blobs, rest, &r->each.leaving, &error));
    report_left(r, strerror(error));
    LP_VEC_FINI(&r->stored);
    lp_err err = blob_list_read_sessions(r->blobs_path, &r->stored);
    return err == LP_EIO ? LP_OK : err;
}

static lp_err
do_run(run *r, lp_problem *out_problem)
{
    const data_dir *dir = r->each.config->dir;
    r->catalog_path = data_dir_path(dir, DATA_DIR_CATALOG);
    r->blobs_path = data_dir_path(dir, DATA_DIR_CHUNKS);
    r->journals_path = data_dir_path(dir, DATA_DIR_JOURNALS);
    r->each.blobs_path = r->blobs_path;
    if (r->catalog_path == NULL || r->blobs_path == NULL || r->journals_path == NULL) {
        return lp_problem_set(out_problem, LP_ENOMEM, "out of memory");
    }
    lp_err err = list_sessions(r);
    LP_THEN(err, open_catalog(r, out_problem));
    if (err != LP_OK || r->each.catalog == NULL) { // then there is nothing to compare with
        return err;
    }
    err = find_known(r, out_problem);
    LP_THEN(err, blobs_open(r->blobs_path, &r->each.blobs, out_problem));
    LP_THEN(err, finish_removals(r));
    return err == LP_OK ? check_sessions(r) : err;
}

lp_err
reconcile_run(const reconcile_config *config, reconcile_counts *out_counts, lp_problem *out_problem)
{
    *out_counts = (reconcile_counts){0};
    *out_problem = (lp_problem){.text = ""};
    run r = {.each = {.config = config, .counts = out_counts, .ids = id_rows_make_nobody()}};
    lp_err err = do_run(&r, out_problem);
    if (err != LP_OK && out_problem->text[0] == '\0') {
        (void)lp_problem_set(
            out_problem, err, "cannot compare the catalog with the files: %s", lp_err_text(err));
    }
    blobs_close(r.each.blobs);
    catalog_close(r.each.catalog);
    LP_VEC_FINI(&r.each.leaving);
    LP_VEC_FINI(&r.stored);
    LP_VEC_FINI(&r.waiting);
    LP_VEC_FINI(&r.known);
    free(r.catalog_path);
    free(r.blobs_path);
    free(r.journals_path);
    return err;
}
