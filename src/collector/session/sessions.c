// SPDX-License-Identifier: Apache-2.0

#include "collector/session/sessions.h"

#include "collector/base/metrics.h"
#include "collector/journal/damaged_files.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_io.h"
#include "common/base/lp_log.h"
#include "common/base/lp_order.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OTHER_MODE = 0440 }; // see note_other

// A journal to remove: its chunk is compacted or discarded.
typedef struct sessions_removal {
    journal *journal;
    uint64_t round; // after which it may be removed
    uint32_t ordinal;
    char *service; // it is kept as raw data of this service; NULL: it is deleted
    char session_id[CATALOG_ID_CHARS + 1];
} removal;

static void
removal_fini(removal *self)
{
    journal_unref(self->journal);
    free(self->service);
}

sessions *
sessions_create(data_dir *dir, catalog *db)
{
    sessions *all = calloc(1, sizeof(*all));
    if (all != NULL) {
        all->dir = dir;
        all->catalog = db;
        all->max = SESSIONS_MAX;
        journal_files_init(&all->files);
        TAILQ_INIT(&all->fresh);
        all->peers = (peers){.held_max = SESSIONS_PEER_MAX,
            .begin_max = SESSIONS_BEGUN_MAX,
            .begin_ms = 1000 / SESSIONS_BEGUN_PER_S};
    }
    return all;
}

static void
drop_one(void *arg, session *s)
{
    sessions_drop(arg, s);
}

void
sessions_destroy(sessions *self)
{
    if (self != NULL) {
        sessions_each(self, drop_one, self);
        LP_VEC_FINI_EACH(&self->removals, removal_fini(at));
        late_journals_fini(&self->late);
        LP_VEC_FINI(&self->items);
        lp_map_fini(&self->by_id);
        peers_fini(&self->peers);
        free(self);
    }
}

bool
sessions_has(const sessions *self, const session *s)
{
    return s->place < self->items.count && self->items.items[s->place] == s;
}

void
sessions_note_connected(sessions *self, session *s, bool is_connected)
{
    LP_ASSERT(sessions_has(self, s));
    if (s->is_connected != is_connected && self->presence != NULL) {
        presence_set(self->presence, s->row.id, is_connected);
    }
    s->is_connected = is_connected;
}

// Agents choose the ids, so the hash has a random seed.
static uint64_t
hash_of(const char *session_id)
{
    return lp_hash_text(lp_hash_seed(), session_id);
}

session *
sessions_find(sessions *self, const char *session_id)
{
    uint32_t place = lp_map_find(&self->by_id, hash_of(session_id));
    session *s = place == LP_MAP_NONE ? NULL : self->items.items[place];
    return s != NULL && strcmp(s->row.id, session_id) == 0 ? s : NULL;
}

lp_err
sessions_add(sessions *self, const catalog_session *row, session **out_session)
{
    LP_ASSERT(sessions_find(self, row->id) == NULL);
    // Two ids with the same 64 bits of hash are not expected in practice. If it happens, one
    // session waits until the other has ended, or until a restart changes the seed.
    uint64_t hash = hash_of(row->id);
    LP_REQUIRE(
        self->items.count < self->max && lp_map_find(&self->by_id, hash) == LP_MAP_NONE, LP_ELIMIT);
    session *s = LP_VEC_ROOM(&self->items) ? session_create(row) : NULL;
    LP_REQUIRE(s != NULL, LP_ENOMEM);
    s->place = (uint32_t)self->items.count;
    s->id_hash = hash;
    if (lp_map_put(&self->by_id, hash, s->place) != LP_OK) {
        session_destroy(s);
        return LP_ENOMEM;
    }
    self->items.items[self->items.count++] = s;
    s->is_fresh = row->next_sequence == 0;
    if (s->is_fresh) {
        TAILQ_INSERT_TAIL(&self->fresh, s, fresh);
    }
    metrics_add(METRICS_sessions_active, 1);
    *out_session = s;
    return LP_OK;
}

void
sessions_set_holders(sessions *self, session *s, const uint64_t holders[2])
{
    LP_ASSERT(sessions_has(self, s));
    for (size_t i = 0; i < 2; i++) {
        peers_move(&self->peers, &s->holders[i], holders[i]);
    }
}

bool
sessions_are_full(const sessions *self)
{
    return self->items.count >= self->max;
}

static void
leave_fresh(sessions *self, session *s)
{
    LP_ASSERT(!s->is_fresh || !TAILQ_EMPTY(&self->fresh));
    if (s->is_fresh) {
        TAILQ_REMOVE(&self->fresh, s, fresh);
        s->is_fresh = false;
    }
}

bool
sessions_is_of(const session *s, uint64_t holder)
{
    return holder == PEERS_NONE || s->holders[0] == holder || s->holders[1] == holder;
}

void
sessions_note_begun(sessions *self, session *s, uint64_t now_ms)
{
    LP_ASSERT(sessions_has(self, s));
    s->begun_ms = now_ms;
    if (s->is_fresh) { // keeps the list in order
        TAILQ_REMOVE(&self->fresh, s, fresh);
        TAILQ_INSERT_TAIL(&self->fresh, s, fresh);
    }
}

// has_batches returns whether the session has batches, received here or by the last Hello.
static bool
has_batches(const session *s)
{
    return s->row.next_sequence > 0 || s->chunk_count > 0;
}

// is_idle returns whether no job, pack or snapshot uses the session.
static bool
is_idle(const session *s)
{
    return !s->has_job && s->packed_end == 0 && s->making == NULL && s->making_wide == NULL;
}

session *
sessions_find_empty(sessions *self, uint64_t holder, uint64_t now_ms,
    bool (*is_waiting)(const void *arg, const char *session_id), const void *arg)
{
    session *next = TAILQ_FIRST(&self->fresh);
    for (size_t i = 0; next != NULL && i < SESSIONS_LOOKED_AT_MAX; i++) {
        session *s = next;
        next = TAILQ_NEXT(s, fresh);
        if (has_batches(s)) {
            leave_fresh(self, s);
        } else if (now_ms - s->begun_ms < SESSIONS_EMPTY_MS) {
            return NULL; // the later ones are younger
        } else if (sessions_is_of(s, holder) && is_idle(s) && !is_waiting(arg, s->row.id)) {
            return s;
        }
    }
    return NULL;
}

typedef struct load {
    sessions *sessions;
    session *session;
    lp_err err;
} load;

static void
load_row(void *arg, const catalog_session *row)
{
    load *l = arg;
    l->err = sessions_add(l->sessions, row, &l->session);
}

lp_err
sessions_load(sessions *self, const char *session_id, session **out_session)
{
    load l = {.sessions = self, .session = sessions_find(self, session_id)};
    if (l.session == NULL) {
        LP_TRY(catalog_find(self->catalog, session_id, load_row, &l));
        LP_TRY(l.err);
        if (l.session->row.is_ended) {
            session_enter(l.session, SESSION_ENDED);
        }
    }
    *out_session = l.session;
    return LP_OK;
}

// take_out removes the session from the table. The last session moves to its place.
static void
take_out(sessions *self, const session *s)
{
    LP_ASSERT(lp_map_find(&self->by_id, s->id_hash) == s->place);
    session *last = self->items.items[--self->items.count];
    last->place = s->place;
    self->items.items[s->place] = last;
    lp_err err = lp_map_put(&self->by_id, last->id_hash, last->place);
    LP_ASSERT(err == LP_OK); // replaces the value of a present key
    lp_map_remove(&self->by_id, s->id_hash);
}

// remove_dir removes the session's directory if it has no journals.
static void
remove_dir(sessions *self, const char *session_id)
{
    const data_path path = data_dir_at(self->dir, DATA_DIR_SESSION_JOURNALS, session_id);
    (void)rmdir(path.text); // ENOTEMPTY is fine
}

void
sessions_drop(sessions *self, session *s)
{
    LP_ASSERT(sessions_has(self, s));
    LP_ASSERT(!s->has_job);
    sessions_note_connected(self, s, false);
    sessions_set_holders(self, s, (const uint64_t[2]){PEERS_NONE, PEERS_NONE});
    leave_fresh(self, s);
    take_out(self, s);
    metrics_sub(METRICS_sessions_active, 1);
    remove_dir(self, s->row.id);
    session_destroy(s);
}

static void
log_unsaved(const char *first_id, size_t count, const char *reason)
{
    char others[32] = "";
    if (count > 1) {
        (void)snprintf(others, sizeof(others), " and %zu more", count - 1);
    }
    lp_log(LP_LOG_WARN, "session %s%s: cannot write the catalog: %s", first_id, others, reason);
}

// save writes the rows of sessions in one transaction.
static void
save(sessions *self, session **unsaved, size_t count)
{
    LP_ASSERT(count > 0 && count <= SESSIONS_SAVED_AT_ONCE);
    const catalog_session *rows[SESSIONS_SAVED_AT_ONCE] = {NULL};
    for (size_t i = 0; i < count; i++) {
        rows[i] = &unsaved[i]->row;
    }
    bool is_lost[SESSIONS_SAVED_AT_ONCE];
    errno = 0;
    lp_err err = catalog_put_sessions(self->catalog, rows, count, is_lost);
    self->fault = 0;
    if (err != LP_OK) {
        // The catalog has logged already that it is away.
        bool is_away =
            err == LP_EAGAIN && errno != 0 && catalog_get_failure(self->catalog)[0] != '\0';
        self->fault = err == LP_EIO || is_away ? errno : EIO;
        if (!is_away) {
            log_unsaved(unsaved[0]->row.id, count, lp_err_reason(err));
        }
        return;
    }
    for (size_t i = 0; i < count; i++) {
        unsaved[i]->is_unsaved = false;
        if (is_lost[i]) {
            session_note_lost(unsaved[i]);
        }
    }
}

void
sessions_save(sessions *self, session *s)
{
    LP_ASSERT(sessions_has(self, s));
    if (s->is_unsaved && s->standing != SESSION_LEAVING) {
        save(self, &s, 1);
    }
}

void
sessions_hear(sessions *self, session *s, uint64_t connection, uint64_t now_ms)
{
    LP_ASSERT(sessions_has(self, s));
    bool is_back = session_hear(s, now_ms, connection);
    sessions_note_connected(self, s, true);
    if (is_back) {
        sessions_save(self, s);
    }
}

LP_COMPARE(compare_ids, session *const, strcmp((*one)->row.id, (*other)->row.id))

// save_several orders the rows by id, so that all writers of several rows lock them in the same
// order.
static void
save_several(sessions *self, session **unsaved, size_t count)
{
    LP_QSORT(unsaved, count, compare_ids);
    save(self, unsaved, count);
}

void
sessions_save_part(sessions *self, size_t part, size_t part_count)
{
    LP_ASSERT(part < part_count);
    session *unsaved[SESSIONS_SAVED_AT_ONCE];
    size_t count = 0;
    for (size_t i = part; i < self->items.count; i += part_count) {
        if (self->items.items[i]->is_unsaved && self->items.items[i]->standing != SESSION_LEAVING) {
            unsaved[count++] = self->items.items[i];
        }
        if (count == SESSIONS_SAVED_AT_ONCE) {
            save_several(self, unsaved, count);
            count = 0;
        }
    }
    if (count > 0) {
        save_several(self, unsaved, count);
    }
}

lp_err
sessions_load_carry(sessions *self, session *s)
{
    LP_ASSERT(sessions_has(self, s));
    if (s->has_carry) {
        return LP_OK;
    }
    uint8_t *bytes;
    size_t size;
    LP_TRY(catalog_get_carry(self->catalog, s->row.id, &bytes, &size));
    lp_buf_clear(&s->carry);
    lp_buf_append(&s->carry, bytes, size);
    free(bytes);
    lp_err err = lp_buf_check(&s->carry);
    s->has_carry = err == LP_OK;
    return err;
}

// remove_now deletes a journal. If that fails, the next start does it.
static void
remove_now(const char *session_id, journal *removed)
{
    if (journal_remove(removed) != LP_OK) {
        lp_log(LP_LOG_WARN, "session %s: cannot remove the journal %s: %s", session_id,
            journal_get_path(removed), strerror(errno));
    }
}

bool
sessions_keep_raw(sessions *self, const char *session_id, const char *service, uint32_t ordinal)
{
    return self->raw.take != NULL && self->raw.take(self->raw.arg, session_id, service, ordinal);
}

// retire keeps a journal as raw data, or deletes it.
static void
retire(sessions *self, const removal *old)
{
    if (old->service != NULL) {
        (void)sessions_keep_raw(self, old->session_id, old->service, old->ordinal);
    }
    remove_now(old->session_id, old->journal); // there is nothing to delete if it was moved
}

// forget_removed removes the journal at path if it waits for that: a session that had ended
// continues in the same chunk. Errors: LP_EIO with EBUSY, it is being read
static lp_err
forget_removed(sessions *self, const char *path)
{
    for (size_t i = 0; i < self->removals.count; i++) {
        removal *old = &self->removals.items[i];
        if (!journal_is_removed(old->journal) &&
            strcmp(journal_get_path(old->journal), path) == 0) {
            if (journal_is_being_read(old->journal)) {
                errno = EBUSY;
                return LP_EIO;
            }
            retire(self, old);
        }
    }
    return LP_OK;
}

static lp_err
open_journal(sessions *self, const char *session_id, uint32_t ordinal, journal **out_journal)
{
    const data_path path = data_dir_at(self->dir, DATA_DIR_JOURNAL, session_id, ordinal);
    LP_TRY(forget_removed(self, path.text));
    return journal_open_in(&self->files, path.text, out_journal);
}

lp_err
sessions_open_chunk(sessions *self, session *s, uint32_t ordinal, session_chunk **out_chunk)
{
    LP_ASSERT(sessions_has(self, s));
    session_chunk *chunk = session_find_chunk(s, ordinal);
    if (chunk == NULL) {
        LP_REQUIRE(s->chunk_count != SESSION_CHUNKS_MAX, LP_ELIMIT);
        journal *file;
        lp_err err = open_journal(self, s->row.id, ordinal, &file);
        LP_THEN(err, session_add_chunk(s, ordinal, file));
        LP_TRY(err);
        chunk = session_find_chunk(s, ordinal);
        leave_fresh(self, s);
    }
    *out_chunk = chunk;
    return LP_OK;
}

// is_linked returns whether path is another name of the journal: it was put aside before.
static bool
is_linked(const void *arg, const char *path)
{
    return journal_is_at(arg, path);
}

// put_aside links the journal of a damaged chunk into damaged/, for a person to look at.
static lp_err
put_aside(sessions *self, const session *s, const session_chunk *chunk)
{
    const data_path path = data_dir_damaged_path(
        self->dir, s->row.id, chunk->ordinal, DAMAGED_FILES_JOURNAL, is_linked, chunk->journal);
    LP_TRY(journal_link(chunk->journal, path.text));
    return lp_io_sync_name(path.text); // before the other name is removed
}

// note_other marks the journal of a chunk that another collector will compact, before it is kept as
// raw data: the compaction of an earlier chunk, whose raw data is here, may have read it.
static void
note_other(const session_chunk *chunk)
{
    (void)chmod(journal_get_path(chunk->journal), OTHER_MODE);
}

// remove_later queues a journal for removal after the coming round.
static void
remove_later(sessions *self, const session *s, const session_chunk *chunk)
{
    LP_ASSERT(self->rounds != NULL);
    removal *later = LP_VEC_PUSH(&self->removals);
    if (later == NULL) {
        return; // the next start removes it
    }
    bool is_kept = self->raw.take != NULL && s->standing != SESSION_LOST;
    if (is_kept && s->standing == SESSION_LEAVING) {
        note_other(chunk);
    }
    later->journal = journal_ref(chunk->journal);
    later->round = sync_rounds_get_coming(self->rounds);
    later->ordinal = chunk->ordinal;
    later->service = is_kept ? strdup(s->row.service) : NULL;
    memcpy(later->session_id, s->row.id, sizeof(later->session_id));
}

void
sessions_discard_chunks(sessions *self, session *s, size_t count)
{
    LP_ASSERT(sessions_has(self, s));
    LP_ASSERT(count <= s->chunk_count);
    for (size_t i = 0; i < count; i++) {
        const session_chunk *chunk = &s->chunks[i];
        if (chunk->is_damaged && put_aside(self, s, chunk) != LP_OK) {
            lp_log(LP_LOG_WARN, "session %s: cannot put aside the journal %s: %s", s->row.id,
                journal_get_path(chunk->journal), strerror(errno));
        } else if (self->rounds != NULL) {
            remove_later(self, s, chunk);
        } else {
            remove_now(s->row.id, chunk->journal);
        }
    }
    session_remove_chunks(s, count);
    if (self->rounds != NULL) {
        sessions_remove_journals(self);
    }
}

void
sessions_leave(sessions *self, session *s)
{
    LP_ASSERT(s->standing == SESSION_LEAVING || s->row.is_ended);
    LP_ASSERT(sessions_has(self, s));
    sessions_discard_chunks(self, s, s->chunk_count);
    sessions_drop(self, s);
}

void
sessions_remove_journals(sessions *self)
{
    size_t kept = 0;
    for (size_t i = 0; i < self->removals.count; i++) {
        removal *next = &self->removals.items[i];
        if (!sync_rounds_is_committed(self->rounds, next->round) ||
            journal_is_being_read(next->journal)) {
            self->removals.items[kept++] = *next;
            continue;
        }
        if (!journal_is_removed(next->journal)) {
            retire(self, next);
        }
        if (sessions_find(self, next->session_id) == NULL) {
            remove_dir(self, next->session_id);
        }
        removal_fini(next);
    }
    self->removals.count = kept;
}

static bool
is_being_read(const session *s)
{
    return LP_ANY(s->chunks, s->chunk_count, journal_is_being_read(at->journal));
}

bool
sessions_remove(sessions *self, session *s)
{
    LP_ASSERT(sessions_has(self, s));
    LP_ASSERT(s->standing != SESSION_OURS);
    if (s->has_job || s->packed_end != 0 || is_being_read(s)) {
        return false;
    }
    for (size_t i = 0; i < s->chunk_count; i++) {
        if (s->standing == SESSION_LOST) {
            note_other(&s->chunks[i]);
            (void)sessions_keep_raw(self, s->row.id, s->row.service, s->chunks[i].ordinal);
        }
        remove_now(s->row.id, s->chunks[i].journal); // there is nothing to delete if it was moved
    }
    sessions_drop(self, s);
    return true;
}

void
sessions_tidy(sessions *self, uint64_t now_ms)
{
    LP_ASSERT(self->rounds != NULL);
    peers_forget(&self->peers, now_ms);
    journal_files_close_idle(&self->files, now_ms);
    late_journals_tidy(&self->late, self->rounds);
    sessions_remove_journals(self);
}

void
sessions_each(sessions *self, void (*on_session)(void *arg, session *s), void *arg)
{
    // From the end: if one is dropped, the last session, which had its turn, takes its place.
    for (size_t i = self->items.count; i-- > 0;) {
        on_session(arg, self->items.items[i]);
    }
}
