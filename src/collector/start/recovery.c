// SPDX-License-Identifier: Apache-2.0

#include "collector/start/recovery.h"

#include "collector/base/metrics.h"
#include "collector/intake/policy_message.h"
#include "collector/journal/damaged_files.h"
#include "collector/journal/journal.h"
#include "collector/journal/journal_list.h"
#include "collector/session/session_note.h"
#include "collector/session/session_settle.h"
#include "collector/store/catalog/catalog_expiry.h"
#include "collector/store/catalog/catalog_owners.h"
#include "collector/store/chunks/removals.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_io.h"
#include "common/base/lp_log.h"
#include "common/base/lp_order.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A session of this node.
typedef struct own_session {
    char id[CATALOG_ID_CHARS + 1];
    uint64_t term;
} own_session;

typedef struct own_list {
    LP_VEC(own_session) items;
    lp_err err; // of the list
} own_list;

typedef struct recovery {
    sessions *sessions;
    const recovery_config *config;
    removal_list leaving; // removed recordings and chunks
    own_list own;         // this node's sessions that have not ended, by id; empty if the catalog
                          // is not shared
    damaged_files aside;  // the files in damaged/ before this start
} recovery;

// note_unread counts a path that cannot be read and is left as it is.
static void
note_unread(const char *path, const char *why)
{
    metrics_add(METRICS_recovery_unread, 1);
    lp_log(LP_LOG_ERROR, "%s cannot be read: %s; it is skipped until the next start", path, why);
}

static bool
is_ending(const recovery *self)
{
    return self->config->is_ending != NULL && self->config->is_ending(self->config->arg);
}

typedef struct saved_piece {
    const journal *of;
    uint64_t offset;
    uint64_t size;
    bool *is_there; // set once the piece is found
} saved_piece;

// is_saved_at returns whether path is a copy that an earlier start made of the piece.
static bool
is_saved_at(const void *arg, const char *path)
{
    const saved_piece *piece = arg;
    *piece->is_there = journal_is_saved(piece->of, piece->offset, piece->size, path);
    return *piece->is_there;
}

// save_piece copies a damaged piece of a journal to damaged/. An earlier copy stays, because its
// age counts (retention.h). Returns false if the copy failed: then the piece must stay in the
// journal, where it is skipped.
static bool
save_piece(sessions *all, const session *s, const session_chunk *chunk, uint64_t offset,
    uint64_t size, const char *what)
{
    bool is_saved = false;
    const saved_piece piece = {chunk->journal, offset, size, &is_saved};
    const data_path path =
        data_dir_damaged_path(all->dir, s->row.id, chunk->ordinal, what, is_saved_at, &piece);
    if (!is_saved) {
        is_saved = journal_save(chunk->journal, offset, size, path.text) == LP_OK;
    }
    if (!is_saved) {
        lp_log(LP_LOG_WARN,
            "session %s: chunk %u: cannot copy a damaged piece of its journal to damaged/: %s",
            s->row.id, chunk->ordinal, strerror(errno));
    }
    return is_saved;
}

// cut_off cuts the end of a journal off after copying it.
static bool
cut_off(sessions *all, const session *s, const session_chunk *chunk, uint64_t offset)
{
    LP_ASSERT(offset <= journal_get_size(chunk->journal));
    return save_piece(all, s, chunk, offset, journal_get_size(chunk->journal) - offset, ".tail") &&
           journal_cut(chunk->journal, offset) == LP_OK;
}

// cut_tail cuts a journal behind its last whole record.
static void
cut_tail(sessions *all, session *s, session_chunk *chunk, const journal_cursor *cursor)
{
    LP_ASSERT(cursor->offset <= journal_get_size(chunk->journal));
    uint64_t cut = journal_get_size(chunk->journal) - cursor->offset;
    // An unfinished record is copied as well: a damaged length looks the same.
    bool is_cut = cut_off(all, s, chunk, cursor->offset);
    metrics_add(METRICS_journal_cut_bytes, is_cut ? cut : 0);
    const char *became = is_cut ? "is cut off" : "is skipped";
    if (cursor->is_torn) { // never acknowledged, so nothing is lost
        lp_log(LP_LOG_WARN,
            "session %s: chunk %u: its journal ends in an unfinished record of %" PRIu64
            " bytes, which %s",
            s->row.id, chunk->ordinal, cut, became);
    } else if (is_cut) {
        metrics_add(METRICS_chunks_damaged, 1);
        session_lose(s, CATALOG_LOSS_JOURNAL_BYTES_LOST, cut,
            "chunk %u: its journal is damaged from offset %" PRIu64 " on and %s there",
            chunk->ordinal, cursor->offset, became);
        s->lack.journal_bytes += cut;
        session_lack_chunk(s, chunk->ordinal);
    } else {
        chunk->damaged_bytes += cut;
        session_lack_chunk(s, chunk->ordinal);
    }
}

// pass_damage counts the damage before the record that the cursor read last, and copies it. It
// stays in the journal.
static void
pass_damage(sessions *all, session *s, session_chunk *chunk, uint64_t begin, uint64_t size)
{
    session_check(s);
    LP_ASSERT(size > 0);
    char what[32];
    (void)snprintf(what, sizeof(what), ".%" PRIu64 ".piece", begin);
    lp_log(LP_LOG_WARN,
        "session %s: chunk %u: its journal is damaged at offset %" PRIu64 ": %" PRIu64
        " bytes are skipped",
        s->row.id, chunk->ordinal, begin, size);
    chunk->damaged_bytes += size;
    session_lack_chunk(s, chunk->ordinal);
    (void)save_piece(all, s, chunk, begin, size, what);
}

// take_policy sets a chunk's policy to the one in its journal.
static lp_err
take_policy(
    recovery *self, const session *s, session_chunk *chunk, const Loupe__Wire__ChunkPolicy *message)
{
    policy_file *file;
    lp_problem problem;
    lp_err err = policy_message_decode(message, self->config->cache, &file, &problem);
    LP_REQUIRE(err != LP_ENOMEM, err);
    if (err != LP_OK) { // a later version wrote it
        lp_log(LP_LOG_WARN, "session %s: chunk %u: its policy cannot be read: %s", s->row.id,
            chunk->ordinal, problem.text);
        metrics_add(METRICS_own_policies_refused, message->is_own && !chunk->is_own_refused);
        chunk->is_own_refused |= message->is_own;
        file = NULL;
    }
    policy_file_unref(chunk->policy);
    chunk->policy = file; // moves
    chunk->is_policy_own = message->is_own;
    return LP_OK;
}

// read_record handles a record of a journal as if it had just arrived.
static lp_err
read_record(recovery *self, session *s, session_chunk *chunk, const Loupe__Wire__Request *request)
{
    if (request->body_case == LOUPE__WIRE__REQUEST__BODY_BATCH) {
        session_note(s, chunk, request->batch);
    } else if (request->body_case == LOUPE__WIRE__REQUEST__BODY_POLICY) {
        return take_policy(self, s, chunk, request->policy);
    }
    return LP_OK;
}

// read_records reads a chunk's journal. Errors: LP_EIO with errno, LP_ECLOSED, LP_ENOMEM
static lp_err
read_records(recovery *self, session *s, session_chunk *chunk)
{
    session_check(s);
    LP_ASSERT(chunk->journal != NULL);
    journal_cursor cursor;
    const Loupe__Wire__Request *request;
    lp_err err;
    journal_cursor_init(&cursor, chunk->journal, journal_get_size(chunk->journal));
    uint64_t begin = 0;
    while ((err = journal_request_next(&cursor, &request)) == LP_OK) {
        if (cursor.skipped_bytes > 0) {
            pass_damage(self->sessions, s, chunk, begin, cursor.skipped_bytes);
        }
        begin = cursor.offset;
        err = is_ending(self) ? LP_ECLOSED : read_record(self, s, chunk, request);
        if (err != LP_OK) {
            break;
        }
    }
    if (err == LP_ECORRUPT) {
        cut_tail(self->sessions, s, chunk, &cursor);
    }
    int error = errno;
    journal_cursor_fini(&cursor);
    errno = error;
    return err == LP_ECORRUPT || err == LP_EEND ? LP_OK : err;
}

// put_aside moves a journal to damaged/, under a name that ends in suffix, and syncs both
// directories. Failures are logged.
static bool
put_aside(const recovery *self, const session *s, uint32_t ordinal, const char *suffix)
{
    data_dir *dir = self->sessions->dir;
    const data_path from = data_dir_at(dir, DATA_DIR_JOURNAL, s->row.id, ordinal);
    const data_path to = data_dir_damaged_path(dir, s->row.id, ordinal, suffix, NULL, NULL);
    bool is_moved = rename(from.text, to.text) == 0;
    if (!is_moved) {
        note_unread(from.text, strerror(errno));
    } else if (lp_io_sync_name(to.text) != LP_OK || lp_io_sync_name(from.text) != LP_OK) {
        lp_log(LP_LOG_WARN, "%s: cannot sync its directory: %s", to.text, strerror(errno));
    }
    return is_moved;
}

// save_now writes the session's row and syncs the catalog. If the disk refuses, the start
// continues: the row is written later, or the next start counts again.
static void
save_now(const recovery *self, session *s)
{
    session_check(s);
    sessions_save(self->sessions, s);
    lp_err err = catalog_sync(self->sessions->catalog);
    if (err != LP_OK) {
        lp_log(LP_LOG_ERROR, "session %s: cannot write its losses to the disk: %s", s->row.id,
            lp_err_reason(err));
    }
}

// lose_journal counts an unreadable journal and moves it to damaged/. The count is on the disk
// before the journal moves: if the start or the machine stops in between, the next start undoes
// neither without the other.
static void
lose_journal(const recovery *self, session *s, uint32_t ordinal, const char *why)
{
    session_check(s);
    LP_ASSERT(ordinal >= s->row.next_chunk);
    const uint32_t lacking = s->lack.chunk;
    session_lose(s, CATALOG_LOSS_CHUNKS_UNREADABLE, 1,
        "chunk %u: its journal cannot be read and moves to damaged/: %s", ordinal, why);
    s->lack.chunks++;
    session_lack_chunk(s, ordinal);
    save_now(self, s);
    if (!put_aside(self, s, ordinal, DAMAGED_FILES_UNREAD)) { // the next start counts it
        catalog_loss_take_back(&s->row.losses[CATALOG_LOSS_CHUNKS_UNREADABLE], 1);
        s->lack.chunks--;
        s->lack.chunk = lacking;
        s->is_unsaved = true;
        sessions_save(self->sessions, s);
    }
}

// is_shortage returns whether a file could not be opened because memory or descriptors ran out,
// which says nothing about the file.
static bool
is_shortage(lp_err err)
{
    return err == LP_ENOMEM || (err == LP_EIO && lp_io_lacks_descriptors(errno));
}

// open_chunk opens a chunk's journal. After an error of the disk it tries once more.
static lp_err
open_chunk(const recovery *self, session *s, uint32_t ordinal, session_chunk **out_chunk)
{
    lp_err err = sessions_open_chunk(self->sessions, s, ordinal, out_chunk);
    return err == LP_EIO && !is_shortage(err)
               ? sessions_open_chunk(self->sessions, s, ordinal, out_chunk)
               : err;
}

static lp_err
read_journal(recovery *self, session *s, uint32_t ordinal)
{
    LP_ASSERT(ordinal >= s->row.next_chunk);
    session_chunk *chunk;
    lp_err err = open_chunk(self, s, ordinal, &chunk);
    if (err != LP_OK && !is_shortage(err)) {
        lose_journal(self, s, ordinal,
            err == LP_ELIMIT ? "too many chunks wait for compaction" : strerror(errno));
        return LP_OK;
    }
    LP_THEN(err, read_records(self, s, chunk));
    if (err == LP_EIO && !is_shortage(err)) {
        const char *why = strerror(errno);
        session_forget_chunk(s, ordinal);
        lose_journal(self, s, ordinal, why);
        err = LP_OK;
    }
    return err;
}

// --- Journals of chunks that are compacted

// The catalog's rows of a session's chunks.
typedef struct known_chunks {
    uint32_t ordinal; // of the chunk to look up
    uint32_t end;     // chunks below are counted in rows
    bool has_row;
    bool is_there; // its file is not lost
    uint64_t rows;
} known_chunks;

static void
note_chunk(void *arg, const catalog_chunk *chunk)
{
    known_chunks *known = arg;
    known->rows += chunk->ordinal < known->end;
    known->has_row |= chunk->ordinal == known->ordinal;
    known->is_there |= chunk->ordinal == known->ordinal && !chunk->is_lost;
}

// look_up reads the catalog's rows of a session's chunks.
static lp_err
look_up(const recovery *self, const session *s, uint32_t ordinal, known_chunks *out_known)
{
    *out_known = (known_chunks){.ordinal = ordinal, .end = s->row.next_chunk};
    return catalog_list_chunks(self->sessions->catalog, s->row.id, note_chunk, out_known);
}

// is_aside returns whether an earlier start moved a file of the session to damaged/ under a name
// that ends in suffix.
static bool
is_aside(const damaged_file *file, const session *s, const char *suffix)
{
    return strcmp(file->session_id, s->row.id) == 0 && file->of.what != NULL &&
           strcmp(file->of.what, suffix) == 0;
}

// has_jfr returns whether a journal has, or may have, JFR bytes of its chunk.
static bool
has_jfr(const char *path, uint32_t ordinal)
{
    journal *file;
    if (journal_open(path, &file) != LP_OK) {
        return true;
    }
    journal_cursor cursor;
    const Loupe__Wire__Request *request;
    lp_err err = LP_OK;
    bool has_bytes = false;
    journal_cursor_init(&cursor, file, journal_get_size(file));
    while (!has_bytes && (err = journal_request_next(&cursor, &request)) == LP_OK) {
        has_bytes = request->body_case == LOUPE__WIRE__REQUEST__BODY_BATCH &&
                    request->batch->chunk == ordinal && request->batch->jfr_size > 0;
    }
    journal_cursor_fini(&cursor);
    journal_unref(file);
    return has_bytes || err != LP_EEND;
}

// count_lost_row counts a chunk whose row the catalog lost, unless an earlier start counted it.
// Expired chunks are no loss. The count is on the disk before the caller moves the journal, so that
// the chunk counts once.
static void
count_lost_row(const recovery *self, session *s, uint32_t ordinal, const known_chunks *known)
{
    LP_ASSERT(ordinal < known->end);
    if (LP_ANY(self->aside.items, self->aside.count,
            is_aside(at, s, DAMAGED_FILES_JOURNAL) && at->of.ordinal == ordinal)) {
        return;
    }
    const uint64_t *unreadable = &s->row.losses[CATALOG_LOSS_CHUNKS_UNREADABLE];
    if (!known->has_row && session_count_missing(s, known->rows) > *unreadable) {
        session_lose(s, CATALOG_LOSS_CHUNKS_UNREADABLE, 1,
            "chunk %" PRIu32 ": the catalog lost its row", ordinal);
        save_now(self, s);
    }
}

// remove_committed deletes the journal of a chunk that the catalog has, or keeps it as raw data:
// the collector stopped between commit and deletion. If the catalog lacks the chunk, or its file is
// lost, a journal with JFR bytes moves to damaged/ instead.
static void
remove_committed(const recovery *self, session *s, uint32_t ordinal)
{
    session_check(s);
    LP_ASSERT(ordinal < s->row.next_chunk);
    known_chunks known;
    const data_path path = data_dir_at(self->sessions->dir, DATA_DIR_JOURNAL, s->row.id, ordinal);
    lp_err err = look_up(self, s, ordinal, &known);
    if ((err != LP_OK || !known.is_there) && has_jfr(path.text, ordinal)) {
        if (err == LP_OK) {
            count_lost_row(self, s, ordinal, &known);
        }
        if (put_aside(self, s, ordinal, DAMAGED_FILES_JOURNAL)) {
            lp_log(LP_LOG_WARN,
                "session %s: chunk %u: its journal moves to damaged/: later chunks are compacted, "
                "and this one has no row in the catalog, or its file is lost",
                s->row.id, ordinal);
        }
    } else if (!sessions_keep_raw(self->sessions, s->row.id, s->row.service, ordinal) &&
               remove(path.text) != 0) {
        lp_log(LP_LOG_WARN, "cannot remove %s: %s", path.text, strerror(errno));
    }
}

// --- What was lost

// recall_unread notes the waiting chunks whose journals an earlier start could not read. They count
// as unreadable until they are resent; if fewer count than are in damaged/, the others were.
static void
recall_unread(const recovery *self, session *s)
{
    session_check(s);
    uint64_t count = 0;
    uint32_t first = UINT32_MAX;
    known_chunks known;
    uint64_t unreadable = s->row.losses[CATALOG_LOSS_CHUNKS_UNREADABLE];
    unreadable -= s->lack.chunks; // those of this start
    for (size_t i = 0; i < self->aside.count && unreadable > 0; i++) {
        const damaged_file *file = &self->aside.items[i];
        if (is_aside(file, s, DAMAGED_FILES_UNREAD) && file->of.ordinal >= s->row.next_chunk) {
            count++;
            first = file->of.ordinal < first ? file->of.ordinal : first;
        }
    }
    if (count == 0 || look_up(self, s, first, &known) != LP_OK) {
        return; // the rest stays counted
    }
    uint64_t compacted = session_count_missing(s, known.rows);
    uint64_t waiting = unreadable > compacted ? unreadable - compacted : 0;
    waiting = waiting < count ? waiting : count;
    if (waiting > 0) {
        s->lack.chunks += waiting;
        session_lack_chunk(s, first);
    }
}

static lp_err
read_journals(recovery *self, session *s, const journal_list *list)
{
    // The row's numbers hold until a batch changes them; each commit of a chunk writes its batches.
    lp_err err = LP_OK;
    for (size_t i = 0; i < list->count && err == LP_OK; i++) {
        if (list->items[i] < s->row.next_chunk) {
            remove_committed(self, s, list->items[i]);
        } else {
            err = read_journal(self, s, list->items[i]);
        }
    }
    return err;
}

// lacks_batches returns whether lost or late batches may be resent.
static bool
lacks_batches(const catalog_session *row)
{
    lp_ranges lacking = lp_ranges_copy(&row->lost);
    lp_ranges_unite(&lacking, &row->late);
    lp_ranges_subtract(&lacking, &row->settled);
    bool lacks_some = !lp_ranges_is_empty(&lacking);
    lp_ranges_fini(&lacking);
    return lacks_some;
}

// cut_tail_of cuts a session's journals at the first missing batch, after a power cut that kept
// batches which were never acknowledged. The row may know more batches than the journals; those
// were not acknowledged either. If batches were lost before, nothing is cut.
static lp_err
cut_tail_of(const recovery *self, session *s, const journal_list *list)
{
    session_check(s);
    size_t first = 0;
    while (first < list->count && list->items[first] < s->row.next_chunk) {
        first++;
    }
    if (!self->config->has_tails || lacks_batches(&s->row)) {
        return LP_OK;
    }
    lp_err err = journal_list_cut(self->sessions->dir, s->row.id, list->items + first,
        list->count - first, s->row.is_remade ? NULL : &s->row.settled, &s->row.next_sequence);
    if (err == LP_EIO) { // the readable part is used
        lp_log(LP_LOG_ERROR, "session %s: cannot cut its journals at the first missing batch: %s",
            s->row.id, strerror(errno));
        err = LP_OK;
    }
    return err;
}

// --- Owners

static bool
is_shared(const recovery *self)
{
    return catalog_is_shared(self->sessions->catalog);
}

static void
note_own(void *arg, const char *session_id, uint64_t term)
{
    own_list *own = arg;
    own_session item = {.term = term};
    (void)snprintf(item.id, sizeof(item.id), "%s", session_id);
    LP_THEN(own->err, LP_VEC_ADD(&own->items, item));
}

LP_COMPARE(compare_ids, own_session, strcmp(one->id, other->id))

static lp_err
list_own(recovery *self, lp_problem *out_problem)
{
    if (!is_shared(self)) {
        return LP_OK;
    }
    lp_err err = catalog_owners_list_own(self->sessions->catalog, note_own, &self->own);
    LP_THEN(err, self->own.err);
    LP_REQUIRE(
        err == LP_OK, lp_problem_set(out_problem, err,
                          "cannot read the catalog's list of owners: %s", lp_err_reason(err)));
    LP_QSORT(self->own.items.items, self->own.items.count, compare_ids);
    return LP_OK;
}

// find_term returns the term of a session that this node owns; 0: not this node's, or the catalog
// is not shared.
static uint64_t
find_term(const recovery *self, const char *session_id)
{
    own_session key = {.term = 0};
    (void)snprintf(key.id, sizeof(key.id), "%s", session_id);
    const own_session *found =
        self->own.items.count == 0
            ? NULL
            : bsearch(&key, self->own.items.items, self->own.items.count, sizeof(key), compare_ids);
    return found == NULL ? 0 : found->term;
}

// is_of_others sets *out_is if another node owns a session by now, and deletes its journals here,
// which are worthless then. *out_term is the term of this node's session.
static lp_err
is_of_others(recovery *self, const char *session_id, bool *out_is, uint64_t *out_term)
{
    LP_ASSERT(session_id[0] != '\0');
    catalog *of = self->sessions->catalog;
    catalog_owner owner = {.node = ""};
    *out_term = 0;
    *out_is = false;
    if (!is_shared(self)) {
        return LP_OK;
    }
    lp_err err = catalog_owners_find(of, session_id, &owner);
    if (err == LP_ENOENT && owner.is_known) { // it began before the catalog was shared
        return catalog_owners_take(of, session_id, out_term);
    }
    *out_term = owner.term;
    // A session without a row was removed, and a shared catalog does not get it back from journals.
    *out_is = err == LP_ENOENT || (err == LP_OK && strcmp(owner.node, catalog_get_node(of)) != 0);
    if (!*out_is) {
        return err;
    }
    metrics_add(METRICS_sessions_lost, 1);
    lp_log(LP_LOG_WARN,
        "session %s: another collector owns it, or it was removed: deleting its journals",
        session_id);
    return journal_list_remove(self->sessions->dir, session_id);
}

// --- Sessions

// load loads a session. If the catalog lost its row and has no chunk of it, the session gets an
// empty row, which the agent's next Hello fills.
static lp_err
load(recovery *self, const char *session_id, session **out_session)
{
    LP_ASSERT(strlen(session_id) == CATALOG_ID_CHARS);
    lp_err err = sessions_load(self->sessions, session_id, out_session);
    LP_REQUIRE(err == LP_ENOENT, err);
    char empty[] = "";
    catalog_session row = {.service = empty,
        .instance = empty,
        .jvm_name = empty,
        .jvm_version = empty,
        .version = empty,
        .is_remade = true};
    memcpy(row.id, session_id, sizeof(row.id)); // its length is valid
    lp_log(LP_LOG_WARN, "session %s: it has journals, but no row in the catalog", session_id);
    return sessions_add(self->sessions, &row, out_session);
}

// recover_session reads the journals of one session. Unreadable ones do not stop the start.
// Errors: LP_ECLOSED, LP_ENOMEM; LP_EIO no file can be opened; LP_EAGAIN the catalog is away:
//         without it the session would continue without its journals
static lp_err
recover_session(recovery *self, const char *session_id, const char *path)
{
    LP_ASSERT(catalog_id_is_valid(session_id));
    journal_list list;
    session *s;
    if (removals_has(&self->leaving, session_id, CATALOG_REMOVAL_ALL)) {
        return LP_OK; // retention deletes them (leaving_files.h)
    }
    bool is_gone;
    uint64_t term;
    lp_err err = is_of_others(self, session_id, &is_gone, &term);
    if (err != LP_OK || is_gone) {
        return err; // without a known owner none of it may be used
    }
    err = journal_list_read(path, &list);
    if (err == LP_EIO && !is_shortage(err)) {
        note_unread(path, strerror(errno));
        return LP_OK;
    }
    LP_TRY(err);
    err = load(self, session_id, &s);
    if (err == LP_OK) {
        s->row.term = term;
        err = cut_tail_of(self, s, &list);
    }
    if (err == LP_OK) {
        err = read_journals(self, s, &list);
    } else if (err != LP_ENOMEM && err != LP_EAGAIN) { // too many sessions, or its row cannot be
                                                       // read
        note_unread(path, lp_err_text(err));
        err = LP_OK;
    }
    free(list.items);
    return err;
}

static lp_err
recover_journals(recovery *self, const char *journals_path)
{
    DIR *dir = opendir(journals_path);
    if (dir == NULL) {
        note_unread(journals_path, strerror(errno));
        return LP_OK;
    }
    lp_err err = LP_OK;
    const struct dirent *entry;
    while (err == LP_OK && (errno = 0, entry = readdir(dir)) != NULL) {
        if (!catalog_id_is_valid(entry->d_name)) {
            continue;
        }
        const data_path path =
            data_dir_at(self->sessions->dir, DATA_DIR_SESSION_JOURNALS, entry->d_name);
        err = recover_session(self, entry->d_name, path.text);
        LP_THEN(err, is_ending(self) ? LP_ECLOSED : LP_OK);
    }
    if (err == LP_OK && errno != 0) {
        note_unread(journals_path, strerror(errno));
    }
    int error = errno;
    (void)closedir(dir);
    errno = error;
    return err;
}

static void
load_running(void *arg, const catalog_session *row)
{
    recovery *self = arg;
    session *s;
    const journal_list none = {0};
    uint64_t term = find_term(self, row->id);
    bool is_own = term != 0 || !is_shared(self);
    if (!is_own || !catalog_id_is_valid(row->id) ||
        sessions_find(self->sessions, row->id) != NULL) {
        return;
    }
    lp_err err = sessions_add(self->sessions, row, &s);
    if (err == LP_OK) {
        s->row.term = term;
        err = cut_tail_of(self, s, &none);
    }
    if (err != LP_OK) {
        lp_log(LP_LOG_WARN,
            "session %s: too many sessions; it is loaded when its agent sends a Hello", row->id);
    }
}

// ask_for_all requests all batches that are not stored, if a power cut took some of them, from the
// agent, which still has them. The journals alone would suggest that batches missing before a
// resent chunk came with it. before: the batches that counted as lost earlier.
static void
ask_for_all(session *s, const lp_ranges *before)
{
    LP_ASSERT(s->row.term != 0);
    lp_ranges fresh = lp_ranges_copy(&s->row.lost);
    lp_ranges_subtract(&fresh, before);
    if (!lp_ranges_is_empty(&fresh)) {
        session_lack_batches(s, s->row.next_chunk, &fresh);
    }
    lp_ranges_fini(&fresh);
}

static void
count_recovered(void *arg, session *s)
{
    session_check(s);
    const recovery *self = arg;
    lp_ranges lost_before = lp_ranges_copy(&s->row.lost);
    bool has_ended = session_has_ended(s);
    recall_unread(self, s);
    if (self->config->was_cut) {
        session_enter(s, SESSION_RUNNING);
    }
    session_count_recovered(s);
    if (self->config->was_cut && s->row.term != 0) {
        ask_for_all(s, &lost_before);
    }
    lp_ranges_fini(&lost_before);
    // If its last batch arrived and an earlier one did not, the agent may not know either, and
    // resend: it is not ended.
    if (has_ended && s->lack.chunk == 0) {
        session_enter(s, SESSION_ENDED);
    }
    session_note_stored(s);
    sessions_save(self->sessions, s);
}

// set_away sets the problem that the catalog is away, and returns LP_EAGAIN.
static lp_err
set_away(const recovery *self, lp_problem *out_problem)
{
    const char *failure = catalog_get_failure(self->sessions->catalog);
    return lp_problem_set(out_problem, LP_EAGAIN,
        "cannot reach the catalog, which has the owners of the journals: %s; start again when it "
        "answers",
        failure[0] == '\0' ? lp_err_reason(LP_EAGAIN) : failure);
}

// recover_all loads the sessions with journals first, because they must have a place, then the
// others that run.
static lp_err
recover_all(recovery *self, lp_problem *out_problem)
{
    const data_path path = data_dir_at(self->sessions->dir, DATA_DIR_JOURNALS);
    lp_err err = recover_journals(self, path.text);
    if (err == LP_EAGAIN) {
        (void)set_away(self, out_problem);
    } else if (err != LP_OK) {
        (void)lp_problem_set(
            out_problem, err, "cannot read the journals in %s: %s", path.text, lp_err_reason(err));
    }
    LP_TRY(err);
    err = catalog_list_running(self->sessions->catalog, NULL, load_running, self);
    // Without the catalog, sessions without agents would never end.
    LP_REQUIRE(err != LP_EAGAIN, set_away(self, out_problem));
    if (err != LP_OK) { // the others are loaded by their agents' Hello
        note_unread("the catalog's list of sessions", lp_err_reason(err));
    }
    sessions_each(self->sessions, count_recovered, self);
    return LP_OK;
}

// look_around lists the removals and the files in damaged/.
static lp_err
look_around(recovery *self, lp_problem *out_problem)
{
    lp_err err = removals_list(self->sessions->catalog, &self->leaving);
    LP_REQUIRE(err == LP_OK, // else a removed recording might return
        lp_problem_set(out_problem, err, "cannot read the catalog's list of removals: %s",
            lp_err_reason(err)));
    err = damaged_files_list(self->sessions->dir, &self->aside);
    if (err == LP_EIO && !is_shortage(err)) { // resent chunks may stay counted as lost
        note_unread("damaged/", strerror(errno));
        return LP_OK;
    }
    return err == LP_OK
               ? LP_OK
               : lp_problem_set(out_problem, err, "cannot list damaged/: %s", lp_err_reason(err));
}

lp_err
recovery_run(sessions *all, const recovery_config *config, lp_problem *out_problem)
{
    LP_ASSERT(all != NULL && config != NULL);
    recovery run = {.sessions = all, .config = config};
    lp_err err = look_around(&run, out_problem);
    LP_THEN(err, list_own(&run, out_problem));
    LP_THEN(err, recover_all(&run, out_problem));
    LP_VEC_FINI(&run.leaving);
    LP_VEC_FINI(&run.own.items);
    damaged_files_fini(&run.aside);
    return err;
}
