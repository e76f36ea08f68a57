// SPDX-License-Identifier: Apache-2.0

#include "collector/server/sessions.h"

#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_log.h"
#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { JOURNAL_DIR_MODE = 0750 };

struct sessions {
    data_dir *dir;
    catalog *catalog;
    LP_VEC(session *) items; // by place, in no order
    lp_map by_id;            // hash of an id to a place
};

sessions *
sessions_create(data_dir *dir, catalog *db)
{
    sessions *all = calloc(1, sizeof(*all));
    if (all != NULL) {
        all->dir = dir;
        all->catalog = db;
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
        LP_VEC_FINI(&self->items);
        lp_map_fini(&self->by_id);
        free(self);
    }
}

data_dir *
sessions_get_dir(sessions *self)
{
    return self->dir;
}

catalog *
sessions_get_catalog(sessions *self)
{
    return self->catalog;
}

// hash_of returns the hash of an id; agents choose those.
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

    // Two ids with the same 64 bits of hash do not happen in the life of anything. If they did, one
    // session would wait until the other has ended, or for the seed of the next start.
    uint64_t hash = hash_of(row->id);
    if (self->items.count >= SESSIONS_MAX || lp_map_find(&self->by_id, hash) != LP_MAP_NONE) {
        return LP_ELIMIT;
    }
    session *s = LP_VEC_ROOM(&self->items) ? session_create(row) : NULL;
    if (s == NULL) {
        return LP_ENOMEM;
    }
    s->place = (uint32_t)self->items.count;
    if (lp_map_put(&self->by_id, hash, s->place) != LP_OK) {
        session_destroy(s);
        return LP_ENOMEM;
    }
    self->items.items[self->items.count++] = s;
    metrics_add(METRICS_sessions_active, 1);
    *out_session = s;
    return LP_OK;
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
        lp_err err = catalog_find(self->catalog, session_id, load_row, &l);
        if (err != LP_OK) {
            return err;
        }
        if (l.err != LP_OK) {
            return l.err;
        }
        l.session->has_ended = l.session->row.is_ended;
    }
    *out_session = l.session;
    return LP_OK;
}

// take_out removes the session from the table. The last one moves to its place.
static void
take_out(sessions *self, const session *s)
{
    session *last = self->items.items[--self->items.count];
    last->place = s->place;
    self->items.items[s->place] = last;
    lp_err err = lp_map_put(&self->by_id, hash_of(last->row.id), last->place);
    LP_ASSERT(err == LP_OK); // its key is there
    lp_map_remove(&self->by_id, hash_of(s->row.id));
}

void
sessions_drop(sessions *self, session *s)
{
    LP_ASSERT(sessions_find(self, s->row.id) == s && !s->has_job);

    take_out(self, s);
    metrics_sub(METRICS_sessions_active, 1);
    if (s->chunk_count == 0) {
        char *path = data_dir_session_path(self->dir, s->row.id);
        if (path != NULL) {
            (void)rmdir(path); // tidying up only
            free(path);
        }
    }
    session_destroy(s);
}

void
sessions_save(sessions *self, session *s)
{
    if (!s->is_unsaved) {
        return;
    }
    lp_err err = catalog_put_session(self->catalog, &s->row);
    s->is_unsaved = err != LP_OK;
    if (err != LP_OK) {
        lp_log(
            LP_LOG_WARN, "session %s: cannot write the catalog: %s", s->row.id, lp_err_text(err));
    }
}

lp_err
sessions_load_carry(sessions *self, session *s)
{
    if (s->has_carry) {
        return LP_OK;
    }
    uint8_t *bytes;
    size_t size;
    lp_err err = catalog_get_carry(self->catalog, s->row.id, &bytes, &size);
    if (err != LP_OK) {
        return err;
    }
    lp_buf_clear(&s->carry);
    lp_buf_append(&s->carry, bytes, size);
    free(bytes);
    err = lp_buf_check(&s->carry);
    s->has_carry = err == LP_OK;
    return err;
}

// open_journal opens the journal of a chunk, and makes the session's directory when it is missing.
static lp_err
open_journal(sessions *self, const char *session_id, uint32_t ordinal, journal **out_journal)
{
    char *path = data_dir_journal_path(self->dir, session_id, ordinal);
    char *dir = data_dir_session_path(self->dir, session_id);
    lp_err err = LP_ENOMEM;
    if (path != NULL && dir != NULL) {
        err = journal_open(path, out_journal);
        if (err == LP_EIO && errno == ENOENT && mkdir(dir, JOURNAL_DIR_MODE) == 0) {
            err = journal_open(path, out_journal);
        }
    }
    int saved_errno = errno;
    free(path);
    free(dir);
    errno = saved_errno;
    return err;
}

lp_err
sessions_open_chunk(sessions *self, session *s, uint32_t ordinal, session_chunk **out_chunk)
{
    session_chunk *chunk = session_find_chunk(s, ordinal);
    if (chunk == NULL) {
        if (s->chunk_count == SESSION_CHUNKS_MAX) {
            return LP_ELIMIT;
        }
        journal *file;
        lp_err err = open_journal(self, s->row.id, ordinal, &file);
        if (err == LP_OK) {
            err = session_add_chunk(s, ordinal, file);
        }
        if (err != LP_OK) {
            return err;
        }
        chunk = session_find_chunk(s, ordinal);
    }
    *out_chunk = chunk;
    return LP_OK;
}

// put_aside keeps the journal of a damaged chunk for a person to look at.
static lp_err
put_aside(sessions *self, const session *s, const session_chunk *chunk)
{
    char *path = data_dir_damaged_path(self->dir, s->row.id, chunk->ordinal, ".log");
    lp_err err = path == NULL ? LP_ENOMEM : journal_move(chunk->journal, path);
    free(path);
    return err;
}

void
sessions_discard_chunks(sessions *self, session *s, size_t count)
{
    LP_ASSERT(count <= s->chunk_count);

    for (size_t i = 0; i < count; i++) {
        const session_chunk *chunk = &s->chunks[i];
        lp_err err = chunk->is_damaged ? put_aside(self, s, chunk) : journal_remove(chunk->journal);
        if (err != LP_OK) { // the next start of the collector does it
            lp_log(LP_LOG_WARN, "session %s: cannot remove the journal %s: %s", s->row.id,
                journal_get_path(chunk->journal), strerror(errno));
        }
    }
    session_remove_chunks(s, count);
}

void
sessions_each(sessions *self, void (*on_session)(void *arg, session *s), void *arg)
{
    // From the end: where one is dropped, the last takes its place, which has had its turn.
    for (size_t i = self->items.count; i-- > 0;) {
        on_session(arg, self->items.items[i]);
    }
}
