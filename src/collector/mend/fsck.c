// SPDX-License-Identifier: Apache-2.0
#include "collector/mend/fsck.h"

#include "collector/chunks/chunk_place.h"
#include "collector/cluster/data_place.h"
#include "collector/journal/journal.h"
#include "collector/journal/journal_list.h"
#include "collector/mend/fsck_pieces.h"
#include "collector/mend/reconcile.h"
#include "collector/mend/reindex.h"
#include "collector/recall/pin/pin_file.h"
#include "collector/store/catalog/blob_list.h"
#include "common/base/lp_assert.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct fsck {
    const fsck_config *config;
    fsck_counts *counts;
    reconcile_config how;
    reconcile_counts found;
    reconciler each;
    data_path catalog_path;
    data_path blobs_path;
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

// read_records reads a journal to its end. *out_damaged is the number of bytes outside records. The
// unfinished last record of a killed collector does not count.
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

// read_file reads the journal at path. Errors: LP_EIO with errno, LP_ENOMEM
static lp_err
read_file(const char *path, uint64_t *out_damaged)
{
    journal *file;
    LP_TRY(journal_open(path, &file));
    lp_err err = read_records(file, out_damaged);
    journal_unref(file);
    return err;
}

static lp_err
check_journal(fsck *f, const char *session_id, uint32_t ordinal, const char *path)
{
    uint64_t damaged = 0;
    f->counts->journals++;
    lp_err err = read_file(path, &damaged);
    if (err == LP_EIO) {
        reconcile_report_chunk(
            &f->each, FINDING_JOURNAL_UNREADABLE, session_id, ordinal, strerror(errno), false);
        err = LP_OK;
    } else if (err == LP_OK && damaged > 0) {
        char detail[40];
        (void)snprintf(detail, sizeof(detail), "%" PRIu64 " bytes", damaged);
        reconcile_report_chunk(
            &f->each, FINDING_JOURNAL_DAMAGED, session_id, ordinal, detail, false);
    }
    return err;
}

// journal_visitor handles one journal. An error ends the walk.
typedef lp_err journal_visitor(fsck *f, const char *session_id, uint32_t ordinal, const char *path);

static lp_err
check_left(fsck *f, const char *session_id, uint32_t ordinal, const char *path)
{
    return fsck_pieces_check_left(&f->each, session_id, ordinal, path);
}

static lp_err
visit_session(fsck *f, const char *root, const char *session_id, journal_visitor *visit)
{
    char path[PATH_MAX];
    journal_list list;
    (void)snprintf(path, sizeof(path), "%s/%s", root, session_id);
    lp_err err = journal_list_read(path, &list);
    if (err == LP_EIO && visit != check_left) {
        reconcile_report(
            &f->each, FINDING_DIRECTORY_UNREADABLE, session_id, strerror(errno), false);
    }
    for (size_t i = 0; i < list.count && err == LP_OK; i++) {
        char file[PATH_MAX + sizeof("/4294967295.log")];
        (void)snprintf(file, sizeof(file), "%s/%" PRIu32 ".log", path, list.items[i]);
        err = visit(f, session_id, list.items[i], file);
    }
    LP_VEC_FINI(&list);
    return err == LP_EIO ? LP_OK : err;
}

// visit_journals calls visit for each journal of each session in the directory at root. It skips
// unreadable directories, and reports them unless check_journal has done that.
static lp_err
visit_journals(fsck *f, const char *root, journal_visitor *visit)
{
    blob_list_sessions waiting; // its directories are named like those of chunks
    lp_err err = blob_list_read_sessions(root, &waiting);
    if (err == LP_EIO && visit != check_left) {
        reconcile_report(&f->each, FINDING_DIRECTORY_UNREADABLE, NULL, strerror(errno), false);
    }
    for (size_t i = 0; i < waiting.count && err == LP_OK; i++) {
        err = visit_session(f, root, waiting.items[i].id, visit);
    }
    LP_VEC_FINI(&waiting);
    return err == LP_EIO ? LP_OK : err;
}

// --- Raw data

static void
note_known(void *arg, const catalog_session *row)
{
    (void)row;
    *(bool *)arg = true;
}

// check_raw checks a journal of raw data (raw_tail.h). Without a catalog that can be read, only its
// records are checked.
static lp_err
check_raw(fsck *f, const char *session_id, uint32_t ordinal, const char *path)
{
    uint64_t damaged = 0;
    bool is_known = f->each.catalog == NULL;
    lp_err err = read_file(path, &damaged);
    LP_REQUIRE(err == LP_OK || err == LP_EIO, err);
    damaged += err == LP_EIO;
    err = is_known ? LP_OK : catalog_find(f->each.catalog, session_id, note_known, &is_known);
    is_known = is_known || err != LP_ENOENT;
    if (damaged > 0 || !is_known) {
        bool is_gone = f->config->is_repairing && unlink(path) == 0;
        reconcile_report_chunk(&f->each, is_known ? FINDING_RAW_DAMAGED : FINDING_RAW_LEFT,
            session_id, ordinal, "", is_gone);
    }
    return LP_OK;
}

// --- All

static lp_err
open_all(fsck *f, lp_problem *out_problem)
{
    LP_ASSERT(f->each.catalog == NULL && f->each.blobs == NULL);
    lp_err err = f->config->is_repairing
                     ? catalog_open(f->catalog_path.text, &f->each.catalog, out_problem)
                     : catalog_open_reader(f->catalog_path.text, &f->each.catalog, out_problem);
    LP_THEN(err, blobs_open(f->blobs_path.text, &f->each.blobs, out_problem));
    return err;
}

// has_catalog returns whether the catalog can be read: without a repair nothing has rebuilt a
// damaged one.
static bool
has_catalog(const fsck *f)
{
    bool is_bad =
        f->found.found[FINDING_CATALOG_DAMAGED] + f->found.found[FINDING_CATALOG_MISSING] > 0;
    return (f->config->is_repairing || !is_bad) && access(f->catalog_path.text, F_OK) == 0;
}

static lp_err
check_rest(fsck *f, lp_problem *out_problem)
{
    f->each = (reconciler){.config = &f->how,
        .counts = &f->found,
        .blobs_path = f->blobs_path.text,
        .ids = id_rows_make_nobody()};
    const data_path journals = data_dir_at(f->how.dir, DATA_DIR_JOURNALS);
    const data_path raw = data_dir_at(f->how.dir, DATA_DIR_RAW);
    lp_err err = visit_journals(f, journals.text, check_journal);
    if (err != LP_OK || !has_catalog(f)) {
        return err == LP_OK ? visit_journals(f, raw.text, check_raw) : err;
    }
    err = open_all(f, out_problem);
    LP_THEN(err, fsck_pieces_check(&f->each, &f->counts->kept));
    LP_THEN(err, visit_journals(f, journals.text, check_left));
    LP_THEN(err, visit_journals(f, raw.text, check_raw));
    return err == LP_OK ? reindex_check(f->each.catalog, data_dir_at(f->how.dir, DATA_DIR_IDS).text,
                              &f->has_bad_index, out_problem)
                        : err;
}

// check_pins checks the list of pins.
static lp_err
check_pins(fsck *f)
{
    const data_path path = data_dir_at(f->how.dir, DATA_DIR_PINS);
    lp_problem problem;
    lp_err err = pin_file_check(path.text, &problem);
    if (err == LP_ECORRUPT) {
        bool is_repaired = f->config->is_repairing && pin_file_mend(path.text) == LP_OK;
        on_finding(f,
            &(finding){
                .kind = FINDING_PINS_DAMAGED, .detail = problem.text, .is_repaired = is_repaired});
    }
    return err == LP_ENOMEM ? err : LP_OK;
}

static lp_err
check_all(fsck *f, lp_problem *out_problem)
{
    const data_dir *dir = f->how.dir;
    f->catalog_path = data_dir_at(dir, DATA_DIR_CATALOG);
    f->blobs_path = data_dir_at(dir, DATA_DIR_CHUNKS);
    lp_err err = chunk_place_check(dir, NULL, out_problem);
    LP_THEN(err, data_place_check_catalog(dir, NULL, out_problem));
    LP_THEN(err, reconcile_run(&f->how, &f->found, out_problem));
    f->counts->sessions = f->found.sessions;
    f->counts->chunks = f->found.chunks;
    LP_THEN(err, check_pins(f));
    return err == LP_OK ? check_rest(f, out_problem) : err;
}

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

// is_data_dir returns whether a collector has used the directory. Opening another one would create
// folders in it.
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
    LP_REQUIRE(is_data_dir(config->data_dir),
        lp_problem_set(
            out_problem, LP_ENOENT, "%s: not a data directory of a collector", config->data_dir));
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
    blobs_close(f.each.blobs);
    catalog_close(f.each.catalog);
    data_dir_close(dir);
    LP_THEN(err, f.has_bad_index ? mend_index(&f, out_problem) : LP_OK);
    if (err != LP_OK && out_problem->text[0] == '\0') {
        (void)lp_problem_set(out_problem, err, "%s: %s", config->data_dir, lp_err_text(err));
    }
    return err;
}
