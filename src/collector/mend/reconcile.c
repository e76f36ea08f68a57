// SPDX-License-Identifier: Apache-2.0
#include "collector/mend/reconcile.h"

#include "collector/journal/damaged_files.h"
#include "collector/journal/journal_list.h"
#include "collector/journal/run_mark.h"
#include "collector/store/catalog/blob_list.h"
#include "collector/store/catalog/catalog_expiry.h"
#include "collector/store/catalog/catalog_rollups.h"
#include "collector/store/catalog/sqlite/catalog_check.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_io.h"
#include "common/base/lp_time.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct run {
    reconciler each;
    data_path catalog_path;
    data_path blobs_path;
    data_path journals_path;
    blob_list_sessions stored;  // sessions with a directory of chunks
    blob_list_sessions waiting; // sessions with a directory of journals
    blob_list_sessions known;   // sessions of the catalog, the latest first
    blob_list_sessions losers;  // of these, with lost chunks, which may be found again; sorted
    bool has_misnamed;          // the catalog has a session with an invalid id
    int64_t since_ns; // until then all sessions agreed with the catalog, which is unchanged; 0:
                      // unknown
    lp_err err;       // of a callback
} run;

static void
run_check(const run *r)
{
    LP_ASSERT(r->each.config != NULL && r->each.counts != NULL);
    LP_ASSERT(r->each.blobs_path == r->blobs_path.text && r->catalog_path.text[0] != '\0');
}

static void
report(run *r, finding_kind kind, const char *detail, bool is_repaired)
{
    reconcile_report(&r->each, kind, NULL, detail, is_repaired);
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

// find_aside returns a path that no file has: another catalog may have been renamed in the same
// second.
static data_path
find_aside(const data_dir *dir)
{
    char now[LP_TIME_COMPACT_BYTES];
    lp_time_format_compact(lp_time_now(), now);
    data_path path = data_dir_at(dir, DATA_DIR_DAMAGED_CATALOG "%s", now);
    for (unsigned i = 2; access(path.text, F_OK) == 0; i++) {
        path = data_dir_at(dir, DATA_DIR_DAMAGED_CATALOG "%s-%u", now, i);
    }
    return path;
}

// remove_made deletes the unfinished catalog of an earlier run.
static void
remove_made(const data_dir *dir)
{
    static const char *const suffixes[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
        (void)unlink(data_dir_at(dir, DATA_DIR_NEW_CATALOG "%s", suffixes[i]).text);
    }
}

// make_catalog builds a new catalog beside the damaged one, from its readable rows.
static lp_err
make_catalog(run *r, const char *path, lp_problem *out_problem)
{
    run_check(r);
    LP_ASSERT(r->each.config->is_repairing);
    const catalog_check_config limits = check_config(r);
    catalog *made;
    lp_err err = catalog_salvage(
        path, r->catalog_path.text, &limits, &r->stored, &r->each.counts->statistics_unreadable);
    LP_REQUIRE(err == LP_OK || err == LP_ECORRUPT || err == LP_EVERSION, err);
    LP_TRY(catalog_open(path, &made, out_problem));
    err = catalog_rollups_remake(made, limits.is_ending, limits.arg);
    LP_THEN(err, catalog_sync(made));
    catalog_close(made);
    return err;
}

// put_in_place renames the damaged catalog, if it is still there, and then the new one to its path.
static lp_err
put_in_place(run *r, const char *made, lp_problem *out_problem)
{
    run_check(r);
    LP_ASSERT(r->each.config->is_repairing);
    lp_err err = catalog_move(r->catalog_path.text, find_aside(r->each.config->dir).text);
    LP_THEN(err, catalog_move(made, r->catalog_path.text));
    return err == LP_OK
               ? LP_OK
               : lp_problem_set(out_problem, err, "cannot rename the damaged catalog %s: %s",
                     r->catalog_path.text, strerror(errno));
}

// replace_catalog replaces the damaged catalog by a new one that is complete. If a run stops before
// that, the next one starts over; if it stops between the two renames, finish_replacing finishes.
static lp_err
replace_catalog(run *r, lp_problem *out_problem)
{
    run_check(r);
    LP_ASSERT(r->each.config->is_repairing && r->each.catalog == NULL);
    const data_path path = data_dir_at(r->each.config->dir, DATA_DIR_NEW_CATALOG);
    remove_made(r->each.config->dir);
    LP_TRY(make_catalog(r, path.text, out_problem));
    LP_TRY(put_in_place(r, path.text, out_problem));
    return catalog_open(r->catalog_path.text, &r->each.catalog, out_problem);
}

// finish_replacing moves the new catalog to its path if an earlier run renamed the damaged one and
// stopped.
static lp_err
finish_replacing(run *r, lp_problem *out_problem)
{
    run_check(r);
    LP_ASSERT(r->each.catalog == NULL);
    const data_path path = data_dir_at(r->each.config->dir, DATA_DIR_NEW_CATALOG);
    bool is_between = r->each.config->is_repairing && access(r->catalog_path.text, F_OK) != 0 &&
                      errno == ENOENT && access(path.text, F_OK) == 0;
    return is_between ? put_in_place(r, path.text, out_problem) : LP_OK;
}

static lp_err
mend_catalog(run *r, const char *why, lp_problem *out_problem)
{
    const bool is_repairing = r->each.config->is_repairing;
    lp_err err = is_repairing ? replace_catalog(r, out_problem) : LP_OK;
    report(r, FINDING_CATALOG_DAMAGED, why, is_repairing && err == LP_OK);
    return err;
}

// open_sound opens a catalog that passed the check. Upgrading an older catalog reads further rows,
// and may still find damage.
static lp_err
open_sound(run *r, lp_problem *out_problem)
{
    run_check(r);
    LP_ASSERT(r->each.catalog == NULL);
    if (!r->each.config->is_repairing) {
        return catalog_open_reader(r->catalog_path.text, &r->each.catalog, out_problem);
    }
    lp_problem why = {.text = ""};
    lp_err err = catalog_open(r->catalog_path.text, &r->each.catalog, &why);
    if (err == LP_ECORRUPT) {
        return mend_catalog(r, why.text, out_problem);
    }
    *out_problem = why;
    return err;
}

static lp_err
open_catalog(run *r, lp_problem *out_problem)
{
    run_check(r);
    const catalog_check_config limits = check_config(r);
    catalog_check_state state;
    lp_problem why = {.text = ""};
    LP_TRY(finish_replacing(r, out_problem));
    lp_err err = catalog_check(r->catalog_path.text, &limits, &state, &why);
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
note_known(void *arg, const char *id, bool has_lost)
{
    run *r = arg;
    blob_list_session session;
    if (!catalog_id_is_valid(id)) { // it would become part of a path
        r->has_misnamed = true;
        return;
    }
    memcpy(session.id, id, sizeof(session.id));
    LP_THEN(r->err, LP_VEC_ADD(&r->known, session));
    LP_THEN(r->err, has_lost ? LP_VEC_ADD(&r->losers, session) : LP_OK);
}

static lp_err
list_known(run *r)
{
    LP_VEC_FINI(&r->known);
    LP_VEC_FINI(&r->losers);
    r->has_misnamed = false;
    lp_err err = catalog_list_ids(r->each.catalog, note_known, r);
    LP_THEN(err, r->err);
    blob_list_sort(&r->losers);
    r->each.counts->sessions = r->known.count;
    return err;
}

// find_known lists the sessions of the catalog. An invalid id shows damage of unknown extent: the
// catalog is rebuilt.
static lp_err
find_known(run *r, lp_problem *out_problem)
{
    run_check(r);
    const bool is_repairing = r->each.config->is_repairing;
    lp_err err = list_known(r);
    if (err != LP_OK || !r->has_misnamed) {
        return err;
    }
    if (is_repairing) {
        catalog_close(r->each.catalog);
        r->each.catalog = NULL;
    }
    err = mend_catalog(r, "a recording has an invalid id", out_problem);
    return err == LP_OK && is_repairing ? list_known(r) : err;
}

// is_unchanged returns whether no file was added to a session's directory, or removed from it,
// since the last run.
static bool
is_unchanged(const run *r, const char *id)
{
    struct stat info;
    const data_path path = data_dir_at(r->each.config->dir, DATA_DIR_CHUNKS "/%s", id);
    return r->since_ns > 0 && !blob_list_has_session(&r->losers, id) &&
           stat(path.text, &info) == 0 && lp_io_changed_ns(&info) < r->since_ns;
}

static lp_err
check_known(run *r)
{
    const reconcile_config *config = r->each.config;
    LP_ASSERT(r->each.catalog != NULL && r->each.blobs != NULL);
    for (size_t i = 0; i < r->known.count; i++) {
        const char *id = r->known.items[i].id;
        lp_err err = is_unchanged(r, id) ? LP_OK : reconcile_session_check(&r->each, id, true);
        LP_TRY(reconcile_is_ending(&r->each) ? LP_ECLOSED : err);
        if (config->on_progress != NULL) {
            config->on_progress(config->arg, i + 1, r->known.count);
        }
    }
    return LP_OK;
}

static lp_err
check_others(run *r)
{
    lp_err err = LP_OK;
    blob_list_sort(&r->known);
    for (size_t i = 0; i < r->stored.count && err == LP_OK; i++) {
        const char *id = r->stored.items[i].id;
        if (!blob_list_has_session(&r->known, id) &&
            !removals_has(&r->each.leaving, id, CATALOG_REMOVAL_ALL)) {
            err = reconcile_is_ending(&r->each) ? LP_ECLOSED
                                                : reconcile_session_check(&r->each, id, false);
        }
    }
    return err;
}

static lp_err
check_sessions(run *r)
{
    if (!r->each.config->is_thorough) {
        reconcile_limit_sizes(&r->each, RECONCILE_SIZES_MS_MAX);
    }
    lp_err err = check_known(r);
    return err == LP_OK ? check_others(r) : err;
}

// --- All

static lp_err
list_sessions(run *r)
{
    run_check(r);
    lp_err err = blob_list_read_sessions(r->blobs_path.text, &r->stored);
    if (err == LP_EIO) {
        report(r, FINDING_DIRECTORY_UNREADABLE, strerror(errno), false);
        err = LP_OK;
    }
    LP_THEN(err, blob_list_read_sessions(r->journals_path.text, &r->waiting));
    return err == LP_EIO ? LP_OK : err; // recovery reports it
}

static void
report_left(run *r, const char *why)
{
    run_check(r);
    for (size_t i = 0; i < r->each.leaving.count; i++) {
        const removal *left = &r->each.leaving.items[i];
        if (left->ordinal == CATALOG_REMOVAL_ALL) {
            reconcile_report(&r->each, FINDING_FILE_UNREMOVED, left->session_id, why, false);
        } else {
            reconcile_report_chunk(&r->each, FINDING_FILE_UNREMOVED, left->session_id,
                (uint32_t)left->ordinal, why, false);
        }
    }
}

// remove_rest deletes a session's other files, and syncs: an earlier process may have deleted them
// without syncing.
static lp_err
remove_rest(void *arg, const char *session_id)
{
    const run *r = arg;
    LP_ASSERT(r->each.config->is_repairing);
    LP_TRY(damaged_files_remove_of(r->each.config->dir, session_id));
    LP_TRY(journal_list_remove(r->each.config->dir, session_id));
    LP_TRY(journal_list_remove_raw(r->each.config->dir, session_id));
    return lp_io_sync_dir(AT_FDCWD, r->journals_path.text);
}

// finish_removals finishes the deletions that the last run did not, before their files look like
// chunks without rows. The collector retries the failed ones.
static lp_err
finish_removals(run *r)
{
    run_check(r);
    LP_ASSERT(r->each.catalog != NULL && r->each.blobs != NULL);
    if (!r->each.config->is_repairing) {
        return removals_list(r->each.catalog, &r->each.leaving);
    }
    int error = 0;
    const removals_rest rest = {.remove = remove_rest, .arg = r};
    LP_TRY(removals_finish(r->each.catalog, r->each.blobs, rest, &r->each.leaving, &error));
    report_left(r, strerror(error));
    LP_VEC_FINI(&r->stored);
    lp_err err = blob_list_read_sessions(r->blobs_path.text, &r->stored);
    return err == LP_EIO ? LP_OK : err;
}

// find_since returns when the last run ended, if it ended cleanly and the catalog did not change
// since; 0 otherwise.
static int64_t
find_since(const run *r)
{
    const data_dir *dir = r->each.config->dir;
    int64_t ended_ns = run_mark_find_end(
        data_dir_at(dir, DATA_DIR_RUNNING).text, data_dir_at(dir, DATA_DIR_CHUNKS_ENDED).text);
    struct stat info;
    bool has_log = access(data_dir_at(dir, DATA_DIR_CATALOG "-wal").text, F_OK) == 0;
    bool is_same =
        !has_log && stat(r->catalog_path.text, &info) == 0 && lp_io_changed_ns(&info) < ended_ns;
    return is_same && !r->each.config->is_thorough ? ended_ns : 0;
}

static lp_err
do_run(run *r, lp_problem *out_problem)
{
    const data_dir *dir = r->each.config->dir;
    r->catalog_path = data_dir_at(dir, DATA_DIR_CATALOG);
    r->since_ns = find_since(r);
    r->blobs_path = data_dir_at(dir, DATA_DIR_CHUNKS);
    r->journals_path = data_dir_at(dir, DATA_DIR_JOURNALS);
    r->each.blobs_path = r->blobs_path.text;
    lp_err err = list_sessions(r);
    LP_THEN(err, open_catalog(r, out_problem));
    if (err != LP_OK || r->each.catalog == NULL) { // then there is nothing to compare with
        return err;
    }
    err = find_known(r, out_problem);
    LP_THEN(err, blobs_open(r->blobs_path.text, &r->each.blobs, out_problem));
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
    LP_VEC_FINI(&r.losers);
    return err;
}
