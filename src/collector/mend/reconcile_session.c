// SPDX-License-Identifier: Apache-2.0
#include "collector/mend/reconcile_session.h"

#include "collector/journal/journal_list.h"
#include "collector/mend/chunk_facts.h"
#include "collector/mend/first_edition.h"
#include "collector/session/hello_file.h"
#include "collector/session/session.h"
#include "collector/store/catalog/blob_list.h"
#include "collector/store/chunks/blob_file.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_find.h"
#include "common/base/lp_time.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef LP_VEC(catalog_chunk) chunk_rows;

// A session while it is checked.
typedef struct examined {
    reconciler *self;
    catalog_session row; // its texts are owned
    bool is_changed;     // row must be written
    bool has_sizes;
    chunk_rows rows;
    blob_list_files files;
    journal_list journals; // read on first use
    bool has_journals;
    lp_err err; // of a callback
} examined;

static void
examined_check(const examined *e)
{
    LP_ASSERT(e->self->catalog != NULL && e->self->blobs != NULL && e->self->blobs_path != NULL);
    LP_ASSERT(e->has_journals || e->journals.count == 0);
}

static void
pass_on(reconciler *self, const finding *found)
{
    LP_ASSERT(found->kind < FINDING_COUNT);
    LP_ASSERT(!found->is_repaired || self->config->is_repairing);
    self->counts->found[found->kind]++;
    if (self->config->on_finding != NULL) {
        self->config->on_finding(self->config->arg, found);
    }
}

void
reconcile_report(reconciler *self, finding_kind kind, const char *session_id, const char *detail,
    bool is_repaired)
{
    pass_on(self,
        &(finding){
            .kind = kind, .session_id = session_id, .detail = detail, .is_repaired = is_repaired});
}

void
reconcile_report_chunk(reconciler *self, finding_kind kind, const char *session_id,
    uint32_t ordinal, const char *detail, bool is_repaired)
{
    pass_on(self, &(finding){.kind = kind,
                      .session_id = session_id,
                      .is_of_chunk = true,
                      .ordinal = ordinal,
                      .detail = detail,
                      .is_repaired = is_repaired});
}

static void
report(examined *e, finding_kind kind, const char *detail, bool is_repaired)
{
    reconcile_report(e->self, kind, e->row.id, detail, is_repaired);
}

static void
report_chunk(examined *e, finding_kind kind, uint32_t ordinal, const char *detail, bool is_repaired)
{
    reconcile_report_chunk(e->self, kind, e->row.id, ordinal, detail, is_repaired);
}

static bool
is_repairing(const examined *e)
{
    return e->self->config->is_repairing;
}

bool
reconcile_is_ending(const reconciler *self)
{
    return self->config->is_ending != NULL && self->config->is_ending(self->config->arg);
}

// --- Chunks that the catalog has

static lp_err
lose(examined *e, uint32_t ordinal, bool is_lost)
{
    examined_check(e);
    if (!is_repairing(e)) {
        return LP_OK;
    }
    bool is_changed = false;
    lp_err err = catalog_lose_chunk(e->self->catalog, e->row.id, ordinal, is_lost, &is_changed);
    uint64_t *lost = &e->row.losses[CATALOG_LOSS_CHUNKS_LOST]; // the catalog's present count
    if (is_changed && is_lost) {
        ++*lost;
    } else if (is_changed && *lost > 0) {
        --*lost;
    }
    return err;
}

static lp_err
verify(const examined *e, const catalog_chunk *row)
{
    const blob_name name = {.session_id = e->row.id,
        .ordinal = row->ordinal,
        .size_bytes = row->size_bytes,
        .content_hash = row->content_hash,
        .place = row->place};
    return blobs_verify(e->self->blobs, &name);
}

// is_out_of_reach returns whether the system failed to read a file, as opposed to a path that is
// not a file.
static bool
is_out_of_reach(lp_err err)
{
    return err == LP_EIO && errno != EISDIR && errno != ELOOP;
}

// report_unread reports a chunk that the system failed to read. That is no damage, because the disk
// may recover: the chunk stays as it is.
static void
report_unread(examined *e, uint32_t ordinal)
{
    report_chunk(e, FINDING_CHUNK_UNREAD, ordinal, strerror(errno), false);
}

// restore goes back to the first edition of a chunk, if the file of a later one is missing or
// damaged.
static lp_err
restore(const examined *e, const catalog_chunk *row, bool *out_is_back)
{
    const first_edition_place place = {.catalog = e->self->catalog,
        .blobs_path = e->self->blobs_path,
        .session_id = e->row.id,
        .files = &e->files};
    *out_is_back = false;
    return is_repairing(e) ? first_edition_restore(&place, row, out_is_back) : LP_OK;
}

// report_gone reports a chunk whose file is missing or damaged.
static lp_err
report_gone(examined *e, const catalog_chunk *row, finding_kind kind, const char *detail)
{
    bool is_back;
    LP_TRY(restore(e, row, &is_back));
    lp_err err = is_back ? LP_OK : lose(e, row->ordinal, true);
    report_chunk(e, kind, row->ordinal,
        is_back ? "its first edition, without what pins wanted, counts again" : detail,
        is_repairing(e));
    return err;
}

// measure returns the size of a file, also if sizes were not listed; 0: unknown.
static uint64_t
measure(const examined *e, const blob_list_file *file)
{
    char path[PATH_MAX];
    struct stat info;
    blob_list_path(e->self->blobs_path, e->row.id, file, path);
    return stat(path, &info) == 0 ? (uint64_t)info.st_size : 0;
}

// correct_size corrects the size in the catalog of a file with the right content: downloads treat
// another size as damage.
static lp_err
correct_size(const examined *e, const catalog_chunk *row, uint64_t file_bytes)
{
    return is_repairing(e) && file_bytes != row->stored_bytes
               ? catalog_size_chunk(e->self->catalog, e->row.id, row->ordinal, file_bytes)
               : LP_OK;
}

static lp_err
check_lost(examined *e, const catalog_chunk *row, const blob_list_file *file)
{
    LP_ASSERT(row->is_lost);
    bool is_same = file != NULL && verify(e, row) == LP_OK;
    bool is_back = is_same;
    LP_TRY(is_same ? LP_OK : restore(e, row, &is_back));
    if (!is_back) {
        return LP_OK;
    }
    lp_err err = is_same ? correct_size(e, row, measure(e, file)) : LP_OK;
    LP_THEN(err, lose(e, row->ordinal, false));
    report_chunk(e, FINDING_CHUNK_FOUND, row->ordinal, "", is_repairing(e));
    return err;
}

// check_content reads a chunk. Its file's size may differ from the catalog's, which may be wrong:
// with the right content the chunk is not damaged.
static lp_err
check_content(examined *e, const catalog_chunk *row, uint64_t file_bytes)
{
    char detail[80] = "its content changed";
    lp_err err = verify(e, row);
    if (is_out_of_reach(err)) {
        report_unread(e, row->ordinal);
        return LP_OK;
    }
    if (err == LP_OK || err == LP_ENOMEM) {
        return err == LP_OK ? correct_size(e, row, file_bytes) : err;
    }
    if (file_bytes != row->stored_bytes) {
        (void)snprintf(detail, sizeof(detail), "%" PRIu64 " bytes instead of %" PRIu64, file_bytes,
            row->stored_bytes);
    }
    return report_gone(e, row, FINDING_CHUNK_DAMAGED, detail);
}

// find_file returns the file of the edition that a row names.
static const blob_list_file *
find_file(const examined *e, const catalog_chunk *row)
{
    bool is_edition = row->place.offset < BLOB_EDITIONS;
    blob_list_kind kind = is_edition ? (blob_list_kind)row->place.offset : BLOB_LIST_CHUNK;
    return blob_list_find(&e->files, kind, row->ordinal);
}

static lp_err
check_row(examined *e, const catalog_chunk *row)
{
    const blob_list_file *file = find_file(e, row);
    e->self->counts->chunks++;
    if (row->is_lost) {
        return check_lost(e, row, file);
    }
    if (file == NULL) {
        return report_gone(e, row, FINDING_CHUNK_MISSING, "");
    }
    uint64_t file_bytes = e->has_sizes ? file->file_bytes : row->stored_bytes;
    return file_bytes != row->stored_bytes || e->self->config->is_thorough
               ? check_content(e, row, file_bytes)
               : LP_OK;
}

// --- Chunks that it does not have

static lp_err
read_journals(examined *e)
{
    examined_check(e);
    lp_err err = LP_OK;
    if (!e->has_journals) {
        err = journal_list_read(
            data_dir_at(e->self->config->dir, DATA_DIR_SESSION_JOURNALS, e->row.id).text,
            &e->journals);
        e->has_journals = err == LP_OK;
    }
    return err == LP_EIO ? LP_OK : err; // recovery reports it
}

static const catalog_chunk *
find_row(const examined *e, uint32_t ordinal)
{
    return LP_FIND(e->rows.items, e->rows.count, at->ordinal == ordinal);
}

// waits_before returns whether an earlier chunk waits in a journal, without a row and a file.
static bool
waits_before(const examined *e, uint32_t ordinal)
{
    return LP_ANY(e->journals.items, e->journals.count,
        *at >= e->row.next_chunk && *at < ordinal && find_row(e, *at) == NULL &&
            blob_list_find(&e->files, BLOB_LIST_CHUNK, *at) == NULL);
}

// add_totals adds all numbers of from.
static void
add_totals(catalog_totals *to, const catalog_totals *from)
{
    enum { NUMBERS = sizeof(*to) / sizeof(uint64_t) };
    uint64_t sums[NUMBERS];
    uint64_t more[NUMBERS];
    memcpy(sums, to, sizeof(sums));
    memcpy(more, from, sizeof(more));
    for (size_t i = 0; i < NUMBERS; i++) {
        sums[i] += more[i];
    }
    memcpy(to, sums, sizeof(sums));
}

static void
note_adopted(examined *e, uint32_t ordinal, const chunk_facts *facts)
{
    int64_t end_wall_ns;
    add_totals(&e->row.totals, &facts->totals);
    e->row.losses[CATALOG_LOSS_STATISTICS_LOST]++;
    if (__builtin_add_overflow(facts->start_wall_ns, facts->duration_ns, &end_wall_ns)) {
        end_wall_ns = facts->start_wall_ns; // no JVM wrote this header
    }
    if (end_wall_ns > e->row.end_wall_ns) {
        e->row.end_wall_ns = end_wall_ns;
    }
    if (facts->start_wall_ns < e->row.start_wall_ns || e->row.start_wall_ns == 0) {
        e->row.start_wall_ns = facts->start_wall_ns;
    }
    if (ordinal >= e->row.next_chunk && !waits_before(e, ordinal)) {
        e->row.next_chunk = ordinal + 1;
        e->row.is_remade = true; // a chunk does not contain its batches
    }
}

// take_carry returns the carry-over if it is still that of the chunk before next_chunk.
static lp_err
take_carry(examined *e, uint32_t ordinal, uint8_t **out_carry, size_t *out_size)
{
    examined_check(e);
    *out_carry = NULL;
    *out_size = 0;
    if (ordinal >= e->row.next_chunk) {
        e->row.losses[CATALOG_LOSS_CARRIES_LOST]++;
        return LP_OK;
    }
    return catalog_get_carry(e->self->catalog, e->row.id, out_carry, out_size);
}

static lp_err
add_row(examined *e, const blob_list_file *file, lp_slice bytes, const chunk_facts *facts)
{
    examined_check(e);
    LP_ASSERT(is_repairing(e) && find_row(e, file->ordinal) == NULL);
    uint8_t *carry;
    size_t carry_size;
    LP_TRY(take_carry(e, file->ordinal, &carry, &carry_size));
    note_adopted(e, file->ordinal, facts);
    const catalog_chunk row = {
        .ordinal = file->ordinal,
        .start_wall_ns = facts->start_wall_ns,
        .duration_ns = facts->duration_ns,
        .size_bytes = bytes.len,
        .stored_bytes = measure(e, file),
        .place.offset = file->kind,
        .content_hash = blobs_hash(bytes),
        .types_json = facts->types_json,
        .ids = id_rows_make(&e->self->ids, facts->ids.kept.items, facts->ids.kept.count),
    };
    lp_err err = catalog_add_chunk(e->self->catalog, &e->row, &row, (lp_slice){carry, carry_size});
    free(carry);
    return err;
}

static bool
put_aside(const examined *e, const blob_list_file *file)
{
    LP_ASSERT(is_repairing(e));
    char from[PATH_MAX];
    const data_path to = data_dir_damaged_path(
        e->self->config->dir, e->row.id, file->ordinal, file->suffix, NULL, NULL);
    blob_list_path(e->self->blobs_path, e->row.id, file, from);
    return rename(from, to.text) == 0;
}

// adopt adds a chunk that exists only as a file to the catalog.
static lp_err
adopt(examined *e, const blob_list_file *file)
{
    examined_check(e);
    LP_ASSERT(find_row(e, file->ordinal) == NULL);
    lp_buf bytes = {0};
    chunk_facts facts = {0};
    lp_problem problem = {.text = ""};
    lp_err err = blob_file_read(e->self->blobs_path, e->row.id, file, &bytes);
    if (err == LP_OK) {
        err = chunk_facts_read(lp_buf_slice(&bytes), &facts, &problem);
    } else if (err != LP_ENOMEM && !is_out_of_reach(err)) {
        (void)lp_problem_set(&problem, err, "%s", lp_err_text(err));
    }
    if (is_out_of_reach(err)) {
        report_unread(e, file->ordinal);
        err = LP_OK;
    } else if (err == LP_OK) {
        err = is_repairing(e) ? add_row(e, file, lp_buf_slice(&bytes), &facts) : LP_OK;
        report_chunk(e, FINDING_CHUNK_UNKNOWN, file->ordinal, "", is_repairing(e) && err == LP_OK);
    } else if (err != LP_ENOMEM) {
        bool is_moved = is_repairing(e) && put_aside(e, file);
        e->row.losses[CATALOG_LOSS_CHUNKS_UNREADABLE] += is_moved;
        e->is_changed = e->is_changed || is_moved;
        report_chunk(e, FINDING_CHUNK_UNREADABLE, file->ordinal, problem.text, is_moved);
        err = LP_OK;
    }
    chunk_facts_fini(&facts);
    lp_buf_fini(&bytes);
    return err;
}

static lp_err
check_left(examined *e, const blob_list_file *file)
{
    char path[PATH_MAX];
    blob_list_path(e->self->blobs_path, e->row.id, file, path);
    bool is_removed = is_repairing(e) && unlink(path) == 0;
    report_chunk(e, FINDING_FILE_LEFT, file->ordinal, "", is_removed);
    return LP_OK;
}

// has_better returns whether another edition of a chunk has all that a file has, and more.
static bool
has_better(const examined *e, const blob_list_file *file)
{
    return LP_ANY(e->files.items, e->files.count,
        at->ordinal == file->ordinal && at->kind != BLOB_LIST_TEMPORARY &&
            blob_edition_has_more(at->kind, file->kind));
}

// check_file checks a file without a row. If the chunk's journal is there, the collector stopped
// between writing the file and the row, and compacts it again.
static lp_err
check_file(examined *e, const blob_list_file *file)
{
    examined_check(e);
    const catalog_chunk *row = find_row(e, file->ordinal);
    bool is_unnamed =
        row != NULL && file->kind != BLOB_LIST_TEMPORARY &&
        blob_edition_has_more(file->kind, row->place.offset); // its row was not written
    if (file->kind == BLOB_LIST_TEMPORARY || is_unnamed) {
        return check_left(e, file);
    }
    if (row != NULL || has_better(e, file) || file->ordinal == UINT32_MAX ||
        removals_has(&e->self->leaving, e->row.id, file->ordinal)) {
        return LP_OK;
    }
    LP_TRY(read_journals(e));
    bool is_waiting =
        file->ordinal >= e->row.next_chunk && journal_list_has(&e->journals, file->ordinal);
    return is_waiting ? LP_OK : adopt(e, file);
}

// --- The session

static void
note_row(void *arg, const catalog_chunk *chunk)
{
    examined *e = arg;
    LP_THEN(e->err, LP_VEC_ADD(&e->rows, *chunk));
}

static void
note_session(void *arg, const catalog_session *row)
{
    examined *e = arg;
    e->row = *row;
    e->err = session_own_row(&e->row);
}

// make_session creates the row of a session that the catalog does not have, from its Hello if there
// is one.
static lp_err
make_session(examined *e, const char *session_id)
{
    examined_check(e);
    char name[] = CATALOG_NAME_UNKNOWN;
    char unknown_version[] = "";
    Loupe__Wire__Hello *hello = NULL;
    lp_err err = hello_file_read(
        data_dir_at(e->self->config->dir, DATA_DIR_HELLO, session_id).text, session_id, &hello);
    LP_REQUIRE(err != LP_ENOMEM, err);
    e->row = (catalog_session){
        .service = hello == NULL ? name : hello->service,
        .instance = hello == NULL ? name : hello->instance,
        .jvm_name = hello == NULL ? name : hello->jvm_name,
        .jvm_version = hello == NULL ? name : hello->jvm_version,
        .version = hello == NULL ? unknown_version : hello->version,
        .pid = hello == NULL ? 0 : hello->pid,
        .start_wall_ns = hello == NULL ? 0 : hello->start_wall_ns,
        .end_wall_ns = hello == NULL ? 0 : hello->start_wall_ns,
        .is_ended = true, // until its agent sends something, or a journal is read
        .is_remade = true,
    };
    (void)snprintf(e->row.id, sizeof(e->row.id), "%s", session_id);
    if (hello != NULL) {
        hello_file_get_owner(hello, &e->row);
    }
    err = session_own_row(&e->row);
    LP_THEN(err, is_repairing(e) ? catalog_put_session(e->self->catalog, &e->row) : LP_OK);
    report(e, FINDING_SESSION_UNKNOWN, hello == NULL ? "its names are unknown" : "",
        is_repairing(e) && err == LP_OK);
    if (hello != NULL) {
        loupe__wire__hello__free_unpacked(hello, NULL);
    }
    return err;
}

static lp_err
read_rows(examined *e, const char *session_id, bool has_row)
{
    lp_err err = has_row ? catalog_find(e->self->catalog, session_id, note_session, e)
                         : make_session(e, session_id);
    LP_THEN(err, e->err);
    LP_THEN(err, catalog_list_chunks(e->self->catalog, session_id, note_row, e));
    return err == LP_OK ? e->err : err;
}

static void
note_type(void *arg, const catalog_type *type)
{
    catalog_totals *totals = arg;
    totals->events_in += type->events_in;
    totals->events_out += type->events_out;
    totals->bytes_in += type->bytes_in;
    totals->bytes_out += type->bytes_out;
}

// add_facts adds to the totals the contexts and requests, which rows of chunks lack, from the
// files. check_row finds unreadable files later.
static lp_err
add_facts(const examined *e, catalog_totals *totals)
{
    examined_check(e);
    LP_ASSERT(is_repairing(e));
    lp_err err = LP_OK;
    for (size_t i = 0; i < e->rows.count && err == LP_OK; i++) {
        const blob_list_file *file = find_file(e, &e->rows.items[i]);
        lp_buf bytes = {0};
        chunk_facts facts = {0};
        if (file == NULL) {
            continue;
        }
        err = reconcile_is_ending(e->self)
                  ? LP_ECLOSED
                  : blob_file_read(e->self->blobs_path, e->row.id, file, &bytes);
        LP_THEN(err, chunk_facts_read(lp_buf_slice(&bytes), &facts, NULL));
        if (err == LP_OK) {
            facts.totals.events_in = 0; // the rows have these
            facts.totals.events_out = 0;
            facts.totals.bytes_in = 0;
            facts.totals.bytes_out = 0;
            add_totals(totals, &facts.totals);
        }
        err = err == LP_ENOMEM || err == LP_ECLOSED ? err : LP_OK;
        chunk_facts_fini(&facts);
        lp_buf_fini(&bytes);
    }
    return err;
}

// check_next finds out whether the session waits for a chunk that has a row: the catalog lost the
// session's row, but no row of its chunks.
static lp_err
check_next(examined *e)
{
    examined_check(e);
    const catalog_chunk *last = e->rows.count == 0 ? NULL : &e->rows.items[e->rows.count - 1];
    if (last == NULL || last->ordinal < e->row.next_chunk) {
        return LP_OK;
    }
    lp_err err = read_journals(e);
    if (err != LP_OK || waits_before(e, last->ordinal)) {
        return err;
    }
    const catalog_chunk_range all = {
        .session_id = e->row.id, .chunk_end = UINT32_MAX, .to_wall_ns = INT64_MAX};
    catalog_totals totals = {0};
    err = catalog_list_types(e->self->catalog, &all, note_type, &totals);
    err = err == LP_OK && is_repairing(e) ? add_facts(e, &totals) : err;
    LP_TRY(err);
    e->row.totals = totals;
    e->row.next_chunk = last->ordinal + 1;
    e->row.end_wall_ns = last->start_wall_ns + last->duration_ns;
    e->is_changed = is_repairing(e);
    report(e, FINDING_SESSION_BEHIND, "", is_repairing(e));
    return err;
}

void
reconcile_limit_sizes(reconciler *self, int64_t ms)
{
    self->sizes_end_ns = lp_time_mono_ns() + ms * 1000000;
}

// read_files lists the session's files. *out_is_read is false if that failed: then nothing is known
// about them.
static lp_err
read_files(examined *e, bool *out_is_read)
{
    const reconciler *self = e->self;
    e->has_sizes = self->sizes_end_ns == 0 || lp_time_mono_ns() < self->sizes_end_ns;
    self->counts->sessions_unsized += e->has_sizes ? 0 : 1;
    lp_err err = blob_list_read_files(self->blobs_path, e->row.id, e->has_sizes, &e->files);
    *out_is_read = err == LP_OK;
    if (err == LP_EIO) {
        report(e, FINDING_DIRECTORY_UNREADABLE, strerror(errno), false);
        err = LP_OK;
    }
    return err;
}

static lp_err
check_all(examined *e)
{
    examined_check(e);
    lp_err err = check_next(e);
    for (size_t i = 0; i < e->rows.count && err == LP_OK; i++) {
        err = reconcile_is_ending(e->self) ? LP_ECLOSED : check_row(e, &e->rows.items[i]);
    }
    for (size_t i = 0; i < e->files.count && err == LP_OK; i++) {
        err = reconcile_is_ending(e->self) ? LP_ECLOSED : check_file(e, &e->files.items[i]);
    }
    return err;
}

lp_err
reconcile_session_check(reconciler *self, const char *session_id, bool has_row)
{
    LP_ASSERT(catalog_id_is_valid(session_id) && self->catalog != NULL);
    examined e = {.self = self};
    bool is_read = false;
    lp_err err = read_rows(&e, session_id, has_row);
    LP_THEN(err, read_files(&e, &is_read));
    LP_THEN(err, is_read ? check_all(&e) : LP_OK);
    if (e.is_changed && (err == LP_OK || err == LP_ECLOSED)) {
        lp_err saved = catalog_put_session(self->catalog, &e.row);
        LP_THEN(err, saved);
    }
    session_free_row(&e.row);
    LP_VEC_FINI(&e.rows);
    LP_VEC_FINI(&e.files);
    LP_VEC_FINI(&e.journals);
    return err;
}
