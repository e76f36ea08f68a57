// SPDX-License-Identifier: Apache-2.0
#include "collector/mend/fsck_pieces.h"

#include "collector/chunks/chunk_task.h"
#include "collector/intake/policy_message.h"
#include "collector/journal/damaged_files.h"
#include "collector/journal/journal.h"
#include "collector/journal/journal_list.h"
#include "collector/mend/chunk_facts.h"
#include "collector/session/session.h"
#include "collector/session/session_note.h"
#include "collector/session/session_settle.h"
#include "collector/store/catalog/blob_list.h"
#include "collector/store/chunks/blob_file.h"
#include "common/base/lp_io.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A file in damaged/, and what the catalog knows of its chunk.
typedef struct piece {
    reconciler *self;
    damaged_name of;
    char path[PATH_MAX];
    session *session; // of the catalog; NULL: the catalog does not have it
    bool has_chunk;   // the catalog has the chunk, and its file is not lost
    bool is_lost;     // the catalog has the chunk, and its file is lost
    uint64_t rows;    // the catalog's chunks below those that the session waits for
    // Of a journal
    bool has_records;  // that can be read
    lp_ranges batches; // in it
    lp_err err;        // of a callback
} piece;

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
report(const piece *p, bool is_repaired)
{
    reconcile_report(p->self, &(finding){.kind = FINDING_PIECE_USABLE,
                                  .session_id = p->of.session_id,
                                  .is_of_chunk = true,
                                  .ordinal = p->of.ordinal,
                                  .detail = p->of.what,
                                  .is_repaired = is_repaired});
}

// --- Chunks

// put_back moves the piece to a path, where nothing is.
static bool
put_back(const piece *p, const char *path)
{
    return p->self->config->is_repairing && access(path, F_OK) != 0 &&
           lp_io_make_dir_of(path) == LP_OK && rename(p->path, path) == 0;
}

// check_chunk looks whether a chunk's file can be read now.
static lp_err
check_chunk(piece *p, bool *out_is_used)
{
    lp_buf bytes = {0};
    chunk_facts facts = {0};
    lp_err err = blob_file_read_path(p->path, &bytes);
    LP_THEN(err, chunk_facts_read(lp_buf_slice(&bytes), &facts, NULL));
    if (err == LP_OK) {
        char path[PATH_MAX];
        (void)snprintf(path, sizeof(path), "%s/%s/%" PRIu32 "%s", p->self->blobs_path,
            p->of.session_id, p->of.ordinal, p->of.what);
        report(p, put_back(p, path));
        *out_is_used = true;
    }
    chunk_facts_fini(&facts);
    lp_buf_fini(&bytes);
    return err == LP_ENOMEM ? err : LP_OK;
}

// --- Journals

// is_unread returns whether a piece is a journal that could not be read: what is in it counts as
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

// count_records looks at the records of a journal that can be read.
static lp_err
count_records(piece *p, const journal *file)
{
    journal_cursor cursor;
    Loupe__Wire__Request *request;
    lp_err err;
    journal_cursor_init(&cursor, file, journal_get_size(file));
    while ((err = journal_request_next(&cursor, &request)) == LP_OK) {
        p->has_records = true;
        if (request->body_case == LOUPE__WIRE__REQUEST__BODY_BATCH) {
            uint64_t sequence = request->batch->sequence;
            lp_ranges_add(&p->batches, sequence, sequence + 1);
        }
        journal_request_free(request);
    }
    journal_cursor_fini(&cursor);
    return err == LP_ENOMEM ? err : LP_OK;
}

// find_batches takes back that batches are lost which are in a journal that could not be read.
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

// count_chunk has the session's row count a chunk that was compacted. One that was lost is in the
// totals already, and what it lacked in the losses. Of another one nobody may have counted that it
// could not be read; but no more chunks are unreadable than are missing now.
static lp_err
count_chunk(piece *p, const chunk_task_output *output, catalog_session *row)
{
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

// add_row adds a chunk that was compacted to the catalog. What its session has behind it stays.
static lp_err
add_row(piece *p, const chunk_task_output *output)
{
    catalog_session row = p->session->row; // shares all but what it counts as lost
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

// keep_file gives the damaged file of a chunk another name, in damaged/, before a new one takes its
// place. One that is not there is fine.
static lp_err
keep_file(const piece *p)
{
    char path[PATH_MAX];
    (void)snprintf(path, sizeof(path), "%s/%s/%" PRIu32 ".jfr.zst", p->self->blobs_path,
        p->of.session_id, p->of.ordinal);
    if (access(path, F_OK) != 0) {
        return errno == ENOENT ? LP_OK : LP_EIO;
    }
    char *to = data_dir_damaged_path(
        p->self->config->dir, p->of.session_id, p->of.ordinal, ".jfr.zst", is_linked, path);
    lp_err err = to == NULL ? LP_ENOMEM : LP_OK;
    if (err == LP_OK && link(path, to) != 0 && errno != EEXIST) {
        err = LP_EIO;
    }
    LP_THEN(err, lp_io_sync_name(to));
    free(to);
    return err;
}

// make_chunk compacts the journal and stores the chunk.
static lp_err
make_chunk(piece *p, const chunk_task *task, chunk_task_output *out_output)
{
    lp_problem problem;
    lp_err err = p->is_lost ? keep_file(p) : LP_OK;
    return err == LP_OK ? chunk_task_run(task, p->self->blobs, NULL, out_output, &problem) : err;
}

// compact compacts the journal alone, and stores the chunk if this is repairing. The journal goes
// once the chunk's row is on the disk, unless some of it is damaged, which is nowhere else.
static lp_err
compact(piece *p, const chunk_task *task, bool *out_is_used)
{
    if (!p->self->config->is_repairing) {
        *out_is_used = true; // as far as anybody knows before it is tried
        report(p, false);
        return LP_OK;
    }
    chunk_task_output output;
    lp_err err = make_chunk(p, task, &output);
    if (err != LP_OK) {
        return err == LP_ENOMEM ? err : LP_OK; // it stays as it is
    }
    bool is_whole = output.damaged_bytes == 0;
    err = add_row(p, &output);
    chunk_task_output_fini(&output);
    LP_THEN(err, catalog_sync(p->self->catalog));
    *out_is_used = err == LP_OK;
    if (err == LP_OK) {
        report(p, !is_whole || unlink(p->path) == 0);
    }
    return err;
}

// note_record notes a record of a chunk's journal as if it had just come. A policy that a later
// version wrote decides nothing: all is kept.
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

// note_records notes all records of a chunk's journal. Errors: LP_EIO with errno, LP_ENOMEM
static lp_err
note_records(session *alone, session_chunk *chunk)
{
    journal_cursor cursor;
    Loupe__Wire__Request *request;
    lp_err err;
    journal_cursor_init(&cursor, chunk->journal, journal_get_size(chunk->journal));
    while ((err = journal_request_next(&cursor, &request)) == LP_OK) {
        err = note_record(alone, chunk, request);
        journal_request_free(request);
        if (err != LP_OK) {
            break;
        }
    }
    journal_cursor_fini(&cursor);
    return err == LP_EEND || err == LP_ECORRUPT ? LP_OK : err;
}

// compact_alone makes a session of the journal and nothing else, and compacts that if the journal
// has bytes of its chunk.
static lp_err
compact_alone(piece *p, journal *file, bool *out_is_used)
{
    catalog_session row = p->session->row;
    row.next_chunk = p->of.ordinal;
    row.settled = (lp_ranges){0};
    row.is_remade = true; // what came before is not looked at
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
        alone->has_carry = true; // none: that of the chunk before is gone
        err = chunk_task_init(&task, alone, 0, NULL, 0, -1);
        if (err == LP_OK) {
            err = compact(p, &task, out_is_used);
            chunk_task_fini(&task);
        }
    }
    session_destroy(alone);
    return err;
}

// take_back takes back what of a journal that is put back counts as lost: the next start counts
// what is missing then.
static lp_err
take_back(piece *p)
{
    catalog_session *row = &p->session->row;
    catalog_loss_take_back(&row->losses[CATALOG_LOSS_CHUNKS_UNREADABLE], 1);
    find_batches(p, row);
    return catalog_put_session(p->self->catalog, row);
}

// return_journal puts a journal back for the next start, where there is none.
static lp_err
return_journal(piece *p, bool *out_is_used)
{
    char *path =
        data_dir_path(p->self->config->dir, DATA_DIR_JOURNAL, p->of.session_id, p->of.ordinal);
    lp_err err = path == NULL ? LP_ENOMEM : LP_OK;
    if (err == LP_OK && access(path, F_OK) != 0) {
        bool is_back = put_back(p, path);
        err = is_back && is_unread(p) ? take_back(p) : LP_OK;
        report(p, is_back);
        *out_is_used = true;
    }
    free(path);
    return err;
}

static lp_err
check_journal(piece *p, bool *out_is_used)
{
    journal *file;
    if (journal_open(p->path, &file) != LP_OK) {
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

// --- All

static bool
is_chunk(const piece *p)
{
    return strcmp(p->of.what, ".jfr.zst") == 0;
}

static lp_err
check_piece(piece *p, uint64_t *kept)
{
    bool is_used = false;
    lp_err err = look_up(p);
    if (err == LP_OK && p->session != NULL && !p->has_chunk) {
        if (is_chunk(p) && !p->is_lost) {
            err = check_chunk(p, &is_used);
        } else if (is_journal(p)) {
            err = check_journal(p, &is_used);
        }
    }
    piece_fini(p);
    *kept += is_used ? 0 : 1;
    return err;
}

// check_left looks at a journal that a collector left where it was: the next start puts it aside if
// the chunk is not there, as that is compacted no more by itself.
static lp_err
check_left(reconciler *self, const char *session_id, uint32_t ordinal)
{
    piece p = {.self = self, .of = {.ordinal = ordinal, .what = DAMAGED_FILES_JOURNAL}};
    bool is_used;
    char *path = data_dir_path(self->config->dir, DATA_DIR_JOURNAL, session_id, ordinal);
    (void)snprintf(p.of.session_id, sizeof(p.of.session_id), "%s", session_id);
    (void)snprintf(p.path, sizeof(p.path), "%s", path == NULL ? "" : path);
    lp_err err = path == NULL ? LP_ENOMEM : look_up(&p);
    free(path);
    if (err == LP_OK && p.session != NULL && !p.has_chunk && ordinal < p.session->row.next_chunk) {
        err = check_journal(&p, &is_used);
    }
    piece_fini(&p);
    return err;
}

static lp_err
check_left_of(reconciler *self, const char *session_id)
{
    journal_list list = {0};
    char *path = data_dir_path(self->config->dir, DATA_DIR_SESSION_JOURNALS, session_id);
    lp_err err = path == NULL ? LP_ENOMEM : journal_list_read(path, &list);
    for (size_t i = 0; i < list.count && err == LP_OK; i++) {
        err = check_left(self, session_id, list.items[i]);
    }
    LP_VEC_FINI(&list);
    free(path);
    return err == LP_EIO ? LP_OK : err; // reported already
}

static lp_err
check_all_left(reconciler *self)
{
    blob_list_sessions waiting = {0}; // its directories have the same names
    char *path = data_dir_path(self->config->dir, DATA_DIR_JOURNALS);
    lp_err err = path == NULL ? LP_ENOMEM : blob_list_read_sessions(path, &waiting);
    free(path);
    for (size_t i = 0; i < waiting.count && err == LP_OK; i++) {
        err = check_left_of(self, waiting.items[i].id);
    }
    LP_VEC_FINI(&waiting);
    return err == LP_EIO ? LP_OK : err; // reported already
}

typedef LP_VEC(char *) names;

// list_pieces lists the names in a directory, which changes while they are looked at. The caller
// frees each. Errors: LP_ENOMEM; LP_EIO with errno
static lp_err
list_pieces(const char *path, names *out_names)
{
    DIR *dir = opendir(path);
    if (dir == NULL) {
        return errno == ENOENT ? LP_OK : LP_EIO;
    }
    lp_err err = LP_OK;
    const struct dirent *entry;
    while (err == LP_OK && (errno = 0, entry = readdir(dir)) != NULL) {
        if (entry->d_name[0] == '.') {
            continue;
        }
        char *copy = strdup(entry->d_name);
        char **item = copy == NULL ? NULL : LP_VEC_PUSH(out_names);
        if (item == NULL) {
            free(copy);
            err = LP_ENOMEM;
        } else {
            *item = copy;
        }
    }
    int error = errno;
    err = err == LP_OK && error != 0 ? LP_EIO : err;
    (void)closedir(dir);
    errno = error;
    return err;
}

lp_err
fsck_pieces_check(reconciler *self, uint64_t *out_kept)
{
    const reconcile_config *config = self->config;
    names all = {0};
    char *dir = data_dir_path(config->dir, DATA_DIR_DAMAGED);
    lp_err err = dir == NULL ? LP_ENOMEM : list_pieces(dir, &all);
    *out_kept = 0;
    for (size_t i = 0; i < all.count; i++) {
        piece p = {.self = self};
        if (err == LP_OK && config->is_ending != NULL && config->is_ending(config->arg)) {
            err = LP_ECLOSED;
        }
        if (err == LP_OK && damaged_files_parse_name(all.items[i], &p.of)) {
            (void)snprintf(p.path, sizeof(p.path), "%s/%s", dir, all.items[i]);
            err = check_piece(&p, out_kept);
        } else if (err == LP_OK) {
            ++*out_kept;
        }
        free(all.items[i]);
    }
    LP_VEC_FINI(&all);
    free(dir);
    return err == LP_OK ? check_all_left(self) : err;
}
