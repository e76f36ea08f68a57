// SPDX-License-Identifier: Apache-2.0
#include "collector/mend/fsck_pieces.h"

#include "collector/chunks/chunk_task.h"
#include "collector/intake/policy_message.h"
#include "collector/journal/damaged_files.h"
#include "collector/journal/journal.h"
#include "collector/mend/chunk_facts.h"
#include "collector/session/session.h"
#include "collector/session/session_note.h"
#include "collector/session/session_settle.h"
#include "collector/store/catalog/blob_list.h"
#include "collector/store/chunks/blob_file.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_io.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A file in damaged/, and the catalog's state of its chunk.
typedef struct piece {
    reconciler *self;
    damaged_name of;
    data_path path;
    session *session; // from the catalog; NULL: it has none
    bool has_chunk;   // the catalog has the chunk, and its file is not lost
    bool is_lost;     // the catalog has the chunk, and its file is lost
    uint64_t rows;    // the number of the catalog's chunks below next_chunk
    // Of a journal.
    bool has_records;  // at least one record can be read
    lp_ranges batches; // in it
    lp_err err;        // of a callback
} piece;

static void
piece_check(const piece *p)
{
    LP_ASSERT(p->self->catalog != NULL && p->self->blobs != NULL && p->path.text[0] != '\0');
    LP_ASSERT(!p->has_chunk || !p->is_lost);
}

static void
piece_fini(piece *p)
{
    session_destroy(p->session);
    lp_ranges_fini(&p->batches);
}

static void
note_session(void *arg, const catalog_session *row)
{
    piece *p = arg;
    p->session = session_create(row);
    p->err = p->session == NULL ? LP_ENOMEM : LP_OK;
}

static void
note_chunk(void *arg, const catalog_chunk *chunk)
{
    piece *p = arg;
    p->rows += chunk->ordinal < p->session->row.next_chunk ? 1 : 0;
    if (chunk->ordinal == p->of.ordinal) {
        p->has_chunk = !chunk->is_lost;
        p->is_lost = chunk->is_lost;
    }
}

static lp_err
look_up(piece *p)
{
    catalog *from = p->self->catalog;
    lp_err err = catalog_find(from, p->of.session_id, note_session, p);
    if (err == LP_OK && p->err == LP_OK) {
        err = catalog_list_chunks(from, p->of.session_id, note_chunk, p);
    }
    return err == LP_ENOENT ? LP_OK : err == LP_OK ? p->err : err;
}

static void
report_piece(const piece *p, bool is_repaired)
{
    reconcile_report_chunk(
        p->self, FINDING_PIECE_USABLE, p->of.session_id, p->of.ordinal, p->of.what, is_repaired);
}

// --- Chunks in damaged/

// put_back moves the piece to a path that is free.
static bool
put_back(const piece *p, const char *path)
{
    piece_check(p);
    return p->self->config->is_repairing && access(path, F_OK) != 0 &&
           lp_io_make_dir_of(path) == LP_OK && rename(p->path.text, path) == 0;
}

static lp_err
check_chunk(piece *p, bool *out_is_used)
{
    lp_buf bytes = {0};
    chunk_facts facts = {0};
    lp_err err = blob_file_read_path(p->path.text, &bytes);
    LP_THEN(err, chunk_facts_read(lp_buf_slice(&bytes), &facts, NULL));
    if (err == LP_OK) {
        char path[PATH_MAX];
        (void)snprintf(path, sizeof(path), "%s/%s/%" PRIu32 "%s", p->self->blobs_path,
            p->of.session_id, p->of.ordinal, p->of.what);
        report_piece(p, put_back(p, path));
        *out_is_used = true;
    }
    chunk_facts_fini(&facts);
    lp_buf_fini(&bytes);
    return err == LP_ENOMEM ? err : LP_OK;
}

// --- Journals in damaged/

// is_unread returns whether a piece is a journal that could not be read: its content counts as
// lost.
static bool
is_unread(const piece *p)
{
    return strcmp(p->of.what, DAMAGED_FILES_UNREAD) == 0;
}

static bool
is_journal(const piece *p)
{
    return strcmp(p->of.what, DAMAGED_FILES_JOURNAL) == 0 || is_unread(p);
}

static lp_err
count_records(piece *p, const journal *file)
{
    journal_cursor cursor;
    const Loupe__Wire__Request *request;
    lp_err err;
    journal_cursor_init(&cursor, file, journal_get_size(file));
    while ((err = journal_request_next(&cursor, &request)) == LP_OK) {
        p->has_records = true;
        if (request->body_case == LOUPE__WIRE__REQUEST__BODY_BATCH) {
            uint64_t sequence = request->batch->sequence;
            lp_ranges_add(&p->batches, sequence, sequence + 1);
        }
    }
    journal_cursor_fini(&cursor);
    return err == LP_ENOMEM ? err : LP_OK;
}

// find_batches takes back the losses of batches in a journal that could not be read.
static void
find_batches(const piece *p, catalog_session *row)
{
    if (is_unread(p)) {
        uint64_t lost = lp_ranges_count(&row->lost);
        lp_ranges_subtract(&row->lost, &p->batches);
        catalog_loss_take_back(
            &row->losses[CATALOG_LOSS_BATCHES_LOST], lost - lp_ranges_count(&row->lost));
    }
}

// count_chunk adds a compacted chunk to the session's row. A lost chunk is in the totals and losses
// already. Another one may or may not count as unreadable: the row never counts more unreadable
// chunks than are still missing.
static lp_err
count_chunk(piece *p, const chunk_task_output *output, catalog_session *row)
{
    LP_ASSERT(p->session != NULL && !p->has_chunk);
    if (p->is_lost) {
        bool is_changed;
        catalog_loss_take_back(&row->losses[CATALOG_LOSS_CHUNKS_LOST], 1);
        return catalog_lose_chunk(
            p->self->catalog, p->of.session_id, p->of.ordinal, false, &is_changed);
    }
    uint64_t missing = session_count_missing(p->session, p->rows); // with this one
    uint64_t *unreadable = &row->losses[CATALOG_LOSS_CHUNKS_UNREADABLE];
    *unreadable = missing > 0 && *unreadable >= missing ? missing - 1 : *unreadable;
    find_batches(p, row);
    chunk_task_add_totals(&output->stats, &row->totals);
    row->losses[CATALOG_LOSS_GAP_BYTES] += output->gap_bytes;
    row->losses[CATALOG_LOSS_JOURNAL_BYTES_LOST] += output->damaged_bytes;
    return LP_OK;
}

static lp_err
add_row(piece *p, const chunk_task_output *output)
{
    piece_check(p);
    LP_ASSERT(p->self->config->is_repairing);
    catalog_session row = p->session->row; // shares all but lost
    uint8_t *carry;
    size_t carry_size;
    row.lost = lp_ranges_copy(&p->session->row.lost);
    lp_err err = count_chunk(p, output, &row);
    LP_THEN(err, catalog_get_carry(p->self->catalog, p->of.session_id, &carry, &carry_size));
    if (err != LP_OK) {
        lp_ranges_fini(&row.lost);
        return err;
    }
    const catalog_chunk chunk = {
        .ordinal = p->of.ordinal,
        .start_wall_ns = output->stats.start_wall_ns,
        .duration_ns = output->stats.duration_ns,
        .size_bytes = output->size_bytes,
        .stored_bytes = output->stored.stored_bytes,
        .content_hash = output->stored.content_hash,
        .types_json = output->types_json,
        .rollup = &output->contexts,
        .ids = id_rows_make(&p->self->ids, output->ids.kept.items, output->ids.kept.count),
    };
    err = catalog_add_chunk(p->self->catalog, &row, &chunk, (lp_slice){carry, carry_size});
    free(carry);
    lp_ranges_fini(&row.lost);
    return err;
}

static bool
is_linked(const void *arg, const char *path)
{
    return lp_io_is_same_file(arg, path);
}

// keep_file links a file of the chunk into damaged/.
static lp_err
keep_file(const piece *p, const blob_list_file *file)
{
    char path[PATH_MAX];
    blob_list_path(p->self->blobs_path, p->of.session_id, file, path);
    const data_path to = data_dir_damaged_path(
        p->self->config->dir, p->of.session_id, p->of.ordinal, file->suffix, is_linked, path);
    bool is_kept = link(path, to.text) == 0 || errno == EEXIST;
    return is_kept ? lp_io_sync_name(to.text) : LP_EIO;
}

// keep_files links the files of all editions of a lost chunk into damaged/, before a new first
// edition replaces them.
static lp_err
keep_files(const piece *p)
{
    LP_ASSERT(p->is_lost && p->self->config->is_repairing);
    blob_list_files files;
    lp_err err = blob_list_read_files(p->self->blobs_path, p->of.session_id, false, &files);
    LP_REQUIRE(err == LP_OK, err);
    for (size_t i = 0; i < files.count && err == LP_OK; i++) {
        const blob_list_file *file = &files.items[i];
        bool is_edition = file->ordinal == p->of.ordinal && file->kind != BLOB_LIST_TEMPORARY;
        err = is_edition ? keep_file(p, file) : LP_OK;
    }
    LP_VEC_FINI(&files);
    return err;
}

// compact compacts the journal alone and stores the chunk, if this is repairing. It deletes the
// journal once the chunk's row is on the disk, unless the journal is damaged: its damaged part
// exists nowhere else.
static lp_err
compact(piece *p, const chunk_task *task, bool *out_is_used)
{
    piece_check(p);
    if (!p->self->config->is_repairing) {
        *out_is_used = true; // expected; only a repair tries it
        report_piece(p, false);
        return LP_OK;
    }
    chunk_task_output output;
    lp_problem problem;
    lp_err err = p->is_lost ? keep_files(p) : LP_OK;
    LP_THEN(err, chunk_task_run(task, p->self->blobs, NULL, &output, &problem));
    if (err != LP_OK) {
        return err == LP_ENOMEM ? err : LP_OK; // it stays as it is
    }
    bool is_whole = output.damaged_bytes == 0;
    err = add_row(p, &output);
    chunk_task_output_fini(&output);
    LP_THEN(err, catalog_sync(p->self->catalog));
    *out_is_used = err == LP_OK;
    if (err == LP_OK) {
        report_piece(p, !is_whole || unlink(p->path.text) == 0);
    }
    return err;
}

// note_record handles a record of a journal as if it had just arrived. The policy of a later
// version is ignored: everything is kept.
static lp_err
note_record(session *alone, session_chunk *chunk, const Loupe__Wire__Request *request)
{
    lp_err err = LP_OK;
    if (request->body_case == LOUPE__WIRE__REQUEST__BODY_BATCH) {
        session_note(alone, chunk, request->batch);
    } else if (request->body_case == LOUPE__WIRE__REQUEST__BODY_POLICY) {
        policy_file *file = NULL;
        lp_problem problem;
        err = policy_message_decode(request->policy, NULL, &file, &problem);
        policy_file_unref(chunk->policy);
        chunk->policy = err == LP_OK ? file : NULL; // moves
    }
    return err == LP_ENOMEM ? err : LP_OK;
}

// note_records reads a chunk's journal. Errors: LP_EIO with errno, LP_ENOMEM
static lp_err
note_records(session *alone, session_chunk *chunk)
{
    journal_cursor cursor;
    const Loupe__Wire__Request *request;
    lp_err err;
    journal_cursor_init(&cursor, chunk->journal, journal_get_size(chunk->journal));
    do {
        err = journal_request_next(&cursor, &request);
        LP_THEN(err, note_record(alone, chunk, request));
    } while (err == LP_OK);
    journal_cursor_fini(&cursor);
    return err == LP_EEND || err == LP_ECORRUPT ? LP_OK : err;
}

// compact_alone creates a session of the journal alone, and compacts it if the journal has JFR
// bytes of its chunk.
static lp_err
compact_alone(piece *p, journal *file, bool *out_is_used)
{
    piece_check(p);
    LP_ASSERT(p->of.ordinal < p->session->row.next_chunk);
    catalog_session row = p->session->row;
    row.next_chunk = p->of.ordinal;
    row.settled = (lp_ranges){0};
    row.is_remade = true; // earlier batches are not checked
    session *alone = session_create(&row);
    lp_err err =
        alone == NULL ? LP_ENOMEM : session_add_chunk(alone, p->of.ordinal, journal_ref(file));
    bool is_read = false;
    if (err == LP_OK) {
        err = note_records(alone, &alone->chunks[0]);
        is_read = err == LP_OK;
        err = err == LP_EIO ? LP_OK : err; // it stays as it is
    }
    if (is_read && alone->chunks[0].has_jfr) {
        chunk_task task;
        session_settle_unknown(alone);
        alone->has_carry = true; // none: the earlier chunk's carry-over is lost
        err = chunk_task_init(&task, alone, 0, NULL, 0, -1);
        if (err == LP_OK) {
            err = compact(p, &task, out_is_used);
            chunk_task_fini(&task);
        }
    }
    session_destroy(alone);
    return err;
}

// take_back takes back the losses of a journal that is put back. The next start counts the batches
// that are still missing.
static lp_err
take_back(piece *p)
{
    piece_check(p);
    LP_ASSERT(p->session != NULL && p->self->config->is_repairing);
    catalog_session *row = &p->session->row;
    catalog_loss_take_back(&row->losses[CATALOG_LOSS_CHUNKS_UNREADABLE], 1);
    find_batches(p, row);
    return catalog_put_session(p->self->catalog, row);
}

// return_journal puts a journal back for the next start, unless there is one.
static lp_err
return_journal(piece *p, bool *out_is_used)
{
    piece_check(p);
    LP_ASSERT(p->of.ordinal >= p->session->row.next_chunk);
    const data_path path =
        data_dir_at(p->self->config->dir, DATA_DIR_JOURNAL, p->of.session_id, p->of.ordinal);
    if (access(path.text, F_OK) == 0) {
        return LP_OK;
    }
    bool is_back = put_back(p, path.text);
    lp_err err = is_back && is_unread(p) ? take_back(p) : LP_OK;
    report_piece(p, is_back);
    *out_is_used = true;
    return err;
}

static lp_err
check_piece_journal(piece *p, bool *out_is_used)
{
    piece_check(p);
    LP_ASSERT(p->session != NULL && !p->has_chunk);
    journal *file;
    if (journal_open(p->path.text, &file) != LP_OK) {
        return LP_OK;
    }
    lp_err err = count_records(p, file);
    if (err == LP_OK && p->has_records) {
        err = p->of.ordinal < p->session->row.next_chunk ? compact_alone(p, file, out_is_used)
                                                         : return_journal(p, out_is_used);
    }
    journal_unref(file);
    return err;
}

// --- All pieces

static bool
is_chunk(const piece *p)
{
    return strcmp(p->of.what, ".jfr.zst") == 0;
}

static lp_err
check_piece(piece *p, uint64_t *kept)
{
    piece_check(p);
    bool is_used = false;
    lp_err err = look_up(p);
    if (err == LP_OK && p->session != NULL && !p->has_chunk) {
        if (is_chunk(p) && !p->is_lost) {
            err = check_chunk(p, &is_used);
        } else if (is_journal(p)) {
            err = check_piece_journal(p, &is_used);
        }
    }
    piece_fini(p);
    *kept += is_used ? 0 : 1;
    return err;
}

lp_err
fsck_pieces_check_left(reconciler *self, const char *session_id, uint32_t ordinal, const char *path)
{
    piece p = {.self = self, .of = {.ordinal = ordinal, .what = DAMAGED_FILES_JOURNAL}};
    bool is_used;
    (void)snprintf(p.path.text, sizeof(p.path.text), "%s", path);
    (void)snprintf(p.of.session_id, sizeof(p.of.session_id), "%s", session_id);
    lp_err err = look_up(&p);
    if (err == LP_OK && p.session != NULL && !p.has_chunk && ordinal < p.session->row.next_chunk) {
        err = check_piece_journal(&p, &is_used);
    }
    piece_fini(&p);
    return err;
}

// The list of the files in damaged/ also has replaced catalogs.
lp_err
fsck_pieces_check(reconciler *self, uint64_t *out_kept)
{
    damaged_files all = {0};
    lp_err err = damaged_files_list(self->config->dir, &all);
    *out_kept = 0;
    for (size_t i = 0; i < all.count && err == LP_OK; i++) {
        const damaged_file *file = &all.items[i];
        piece p = {
            .self = self, .of = file->of, .path = data_dir_at(self->config->dir, "%s", file->name)};
        if (file->of.what != NULL) {
            err = check_piece(&p, out_kept);
        } else if (strchr(file->name, '/') != NULL) {
            ++*out_kept;
        }
    }
    damaged_files_fini(&all);
    return err;
}
