// SPDX-License-Identifier: Apache-2.0

#include "collector/chunks/packs.h"

#include "collector/base/metrics.h"
#include "collector/store/catalog/catalog_rollups.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_io.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time.h"
#include "common/base/lp_time_scale.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/queue.h>
#include <sys/random.h>
#include <unistd.h>

static const int64_t NS_PER_S = 1000000000;

// The uncommitted result of a compaction.
typedef struct result {
    session *session;
    chunk_task task;
    chunk_task_output output;
} result;

// A chunk of a pack.
typedef struct entry {
    object_pack_chunk chunk; // for the footer, which sets its stored_hash
    result *result;          // NULL: dropped, or a move
    catalog_move *move;      // NULL: not a move
} entry;

typedef enum pack_state {
    PACK_OPEN,
    PACK_CLOSED, // waits for its turn or a retry
    PACK_SENDING,
    PACK_STORED, // being committed
} pack_state;

typedef struct pack {
    TAILQ_ENTRY(pack) next;
    packs *owner;
    pack_state state;
    pack_file *file;
    uint64_t begun_ms;
    uint64_t retry_ms; // not before
    uint64_t held_bytes;
    LP_VEC(entry) entries;
    bool has_moves;
    bool is_crowded;                    // has too many chunks of one session
    size_t committed;                   // entries
    size_t dropped;                     // entries
    char object[BLOB_OBJECT_CHARS + 1]; // "": no name yet
    int64_t named_wall_ns;
    uint64_t object_bytes;
    uv_work_t work;
    lp_err err; // of the work
    int error;
} pack;

struct packs {
    packs_config config;
    pack_files *files;
    TAILQ_HEAD(, pack) all; // the oldest first, the open one last
    size_t count;
    uv_idle_t committing; // runs while a pack is being committed
    bool is_stopping;
    bool has_failed; // the last try
    uint64_t run;    // for names
    uint32_t named;  // names so far
};

// A transaction.
typedef struct slice {
    size_t end; // index in the pack's entries
    size_t count;
    chunk_commit made[PACKS_COMMIT_MAX];
    catalog_commit commits[PACKS_COMMIT_MAX];
    entry *entries[PACKS_COMMIT_MAX]; // of the commits
    size_t move_count;
    catalog_move moves[PACKS_COMMIT_MAX];
} slice;

// --- Entries

static void
packs_check(const packs *self)
{
    LP_ASSERT(self->files != NULL);
    LP_ASSERT((self->count == 0) == TAILQ_EMPTY(&self->all));
}

// pack_check is for the loop: a worker that stores the pack does not own these members.
static void
pack_check(const pack *p)
{
    LP_ASSERT(p->file != NULL);
    LP_ASSERT(p->committed <= p->entries.count && p->dropped <= p->entries.count);
    LP_ASSERT(p->committed == 0 || p->state == PACK_STORED);
}

static void
result_destroy(result *r)
{
    if (r != NULL) {
        chunk_task_output_fini(&r->output);
        chunk_task_fini(&r->task);
        free(r);
    }
}

static void
entry_fini(entry *e)
{
    result_destroy(e->result);
    free(e->move);
    e->result = NULL;
    e->move = NULL;
}

static void
pack_destroy(pack *p)
{
    LP_VEC_FINI_EACH(&p->entries, entry_fini(at));
    pack_file_unref(p->file);
    free(p);
}

static void
remove_pack(packs *self, pack *p)
{
    TAILQ_REMOVE(&self->all, p, next);
    self->count--;
    metrics_sub(METRICS_packs_waiting, 1);
    pack_destroy(p);
}

// subtract_told removes the losses that a task's chunk would have reported from those that waiting
// chunks report.
static void
subtract_told(session *s, const chunk_task *task)
{
    for (size_t i = 0; i < CATALOG_LOSS_COUNT; i++) {
        s->packed_told[i] -= task->untold[i];
    }
}

void
packs_drop(packs *self, session *s)
{
    packs_check(self);
    pack *p;
    TAILQ_FOREACH(p, &self->all, next)
    {
        for (size_t i = p->committed; i < p->entries.count; i++) {
            entry *e = &p->entries.items[i];
            if (e->result != NULL && e->result->session == s) {
                subtract_told(s, &e->result->task);
                entry_fini(e);
                p->dropped++;
                metrics_add(METRICS_pack_chunks_dropped, 1);
            }
        }
    }
    s->packed_end = 0;
    s->packed_carry = (lp_slice){0};
}

// --- Life

packs *
packs_create(const packs_config *config)
{
    packs *self = calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, NULL);
    self->config = *config;
    TAILQ_INIT(&self->all);
    self->files = pack_files_create(config->blobs);
    if (self->files == NULL || getentropy(&self->run, sizeof(self->run)) != 0) {
        pack_files_destroy(self->files);
        free(self);
        return NULL;
    }
    (void)uv_idle_init(config->loop, &self->committing); // cannot fail
    self->committing.data = self;
    return self;
}

void
packs_end(packs *self)
{
    packs_check(self);
    uv_close((uv_handle_t *)&self->committing, NULL);
}

void
packs_destroy(packs *self)
{
    if (self == NULL) {
        return;
    }
    while (!TAILQ_EMPTY(&self->all)) {
        remove_pack(self, TAILQ_FIRST(&self->all));
    }
    pack_files_destroy(self->files);
    free(self);
}

pack_files *
packs_get_files(const packs *self)
{
    return self->files;
}

bool
packs_is_full(const packs *self)
{
    packs_check(self);
    return self->has_failed || self->count > 2; // one being stored, one waiting, one open
}

bool
packs_has_moves(const packs *self)
{
    const pack *p;
    TAILQ_FOREACH(p, &self->all, next)
    {
        if (p->has_moves) {
            return true;
        }
    }
    return false;
}

// --- Storing

// fill_footer makes the footer of a pack with these bytes of chunks.
static lp_err
fill_footer(pack *p, lp_slice bytes, lp_buf *footer)
{
    for (size_t i = 0; i < p->entries.count; i++) {
        object_pack_chunk *chunk = &p->entries.items[i].chunk;
        const lp_slice stored = {bytes.ptr + chunk->offset, (size_t)chunk->stored_bytes};
        chunk->stored_hash = lp_hash_bytes(LP_HASH_FIXED, stored);
        object_pack_append(footer, chunk);
    }
    object_pack_finish(footer, bytes.len);
    return lp_buf_check(footer);
}

static lp_err
write_footer(pack *p, uint64_t chunk_bytes)
{
    int fd = pack_file_get_fd(p->file);
    lp_buf footer = {0};
    void *mapped = mmap(NULL, (size_t)chunk_bytes, PROT_READ, MAP_SHARED, fd, 0);
    LP_REQUIRE(mapped != MAP_FAILED, LP_EIO);
    lp_err err = fill_footer(p, (lp_slice){mapped, (size_t)chunk_bytes}, &footer);
    (void)munmap(mapped, (size_t)chunk_bytes);
    LP_THEN(err, lseek(fd, (off_t)chunk_bytes, SEEK_SET) < 0
                     ? LP_EIO
                     : lp_io_write_all(fd, lp_buf_slice(&footer)));
    p->object_bytes = chunk_bytes + footer.len;
    lp_buf_fini(&footer);
    return err;
}

static void
store(uv_work_t *work)
{
    pack *p = work->data;
    uint64_t chunk_bytes = pack_file_get_bytes(p->file);
    p->err = write_footer(p, chunk_bytes);
    LP_THEN(p->err, blobs_put_object(p->owner->config.blobs, p->object, pack_file_get_fd(p->file),
                        p->object_bytes, chunk_bytes));
    p->error = errno;
}

// name_pack names a pack without a name, or with one that is too old.
static void
name_pack(packs *self, pack *p)
{
    pack_check(p);
    int64_t now = lp_time_now();
    if (p->object[0] == '\0' || now - p->named_wall_ns > PACKS_NAME_S_MAX * NS_PER_S) {
        p->named_wall_ns = now;
        object_pack_format_name(now, self->run, ++self->named, p->object);
    }
}

static void on_stored(uv_work_t *work, int status);
static void on_idle(uv_idle_t *idle);

// drop_empty removes packs from the front whose chunks were all dropped before storing.
static void
drop_empty(packs *self)
{
    pack *p = TAILQ_FIRST(&self->all);
    while (p != NULL && p->state == PACK_CLOSED && pack_file_is_complete(p->file) &&
           p->dropped == p->entries.count) {
        self->has_failed = false; // only this one can have failed
        remove_pack(self, p);
        p = TAILQ_FIRST(&self->all);
    }
}

// continue_first stores or commits the first pack, if it is due.
static void
continue_first(packs *self)
{
    packs_check(self);
    drop_empty(self);
    pack *p = TAILQ_FIRST(&self->all);
    if (p == NULL || uv_now(self->config.loop) < p->retry_ms ||
        (self->is_stopping && self->has_failed)) {
        return;
    }
    if (p->state == PACK_STORED) {
        (void)uv_idle_start(&self->committing, on_idle);
    } else if (p->state == PACK_CLOSED && pack_file_is_complete(p->file)) {
        name_pack(self, p);
        p->state = PACK_SENDING;
        p->work.data = p;
        int failure = uv_queue_work(self->config.loop, &p->work, store, on_stored);
        LP_ASSERT(failure == 0); // it fails only without a callback
    }
}

// note_failure logs a failure of a pack, and delays its next try.
static void
note_failure(packs *self, pack *p, const char *what, const char *why)
{
    pack_check(p);
    self->has_failed = true;
    p->retry_ms = uv_now(self->config.loop) + lp_time_scale_ms(PACKS_RETRY_MS);
    metrics_add(METRICS_pack_failures, 1);
    char next[40] = "the next start stores it";
    if (!self->is_stopping) {
        (void)snprintf(next, sizeof(next), "trying again in %d s", PACKS_RETRY_MS / 1000);
    }
    lp_log(LP_LOG_ERROR, "pack %s of %zu chunks: cannot %s: %s; %s", p->object, p->entries.count,
        what, why, next);
}

// --- Committing

// is_current returns whether a chunk still matches the first waiting chunks of its session.
static bool
is_current(const result *r)
{
    const session *s = r->session;
    size_t count = r->output.part_count;
    return count <= s->chunk_count && s->chunks[count - 1].ordinal == r->output.ordinal &&
           !chunk_commit_is_grown(&r->task, s, 0);
}

static blob_place
place_of(const pack *p, const entry *e)
{
    blob_place place = {.offset = e->chunk.offset};
    memcpy(place.object, p->object, sizeof(place.object));
    return place;
}

static void
add_commit(const pack *p, entry *e, slice *cut)
{
    const blob_place place = place_of(p, e);
    result *r = e->result;
    chunk_commit *made = &cut->made[cut->count];
    chunk_commit_init(made, &p->owner->config.to, r->session, &r->task, &r->output, &place);
    cut->commits[cut->count] = (catalog_commit){
        .session = &made->row, .chunk = &made->chunk, .carry = lp_buf_slice(&r->output.carry)};
    cut->entries[cut->count++] = e;
}

// cut_slice takes the next chunks of a pack, at most one of each session: a session's next row
// depends on the one before.
static void
cut_slice(packs *self, pack *p, slice *out_slice)
{
    pack_check(p);
    slice *made = out_slice;
    made->count = 0;
    made->move_count = 0;
    size_t i = p->committed;
    while (i < p->entries.count && made->count + made->move_count < PACKS_COMMIT_MAX) {
        entry *e = &p->entries.items[i];
        if (e->result != NULL &&
            LP_ANY(made->made, made->count, at->session == e->result->session)) {
            break;
        }
        if (e->result != NULL && !is_current(e->result)) {
            packs_drop(self, e->result->session);
        }
        if (e->result != NULL) {
            add_commit(p, e, made);
        } else if (e->move != NULL) {
            e->move->to = place_of(p, e);
            made->moves[made->move_count++] = *e->move;
        }
        i++;
    }
    made->end = i;
}

// finish_commit ends the commit of a chunk that the catalog has.
static void
finish_commit(packs *self, slice *cut, size_t index)
{
    session *s = cut->made[index].session;
    subtract_told(s, cut->made[index].task);
    chunk_commit_finish(&cut->made[index], &self->config.to);
    if (s->packed_end <= s->row.next_chunk) {
        s->packed_end = 0;
        s->packed_carry = (lp_slice){0};
    }
    entry_fini(cut->entries[index]);
}

// refuse drops a chunk of a session for which another process committed, or that another collector
// owns.
static void
refuse(packs *self, slice *cut, size_t index)
{
    session *s = cut->made[index].session;
    if (cut->commits[index].is_lost) {
        session_note_lost(s);
        packs_drop(self, s);
        return;
    }
    lp_log(LP_LOG_ERROR, "session %s: chunk %u: another process committed a later one", s->row.id,
        cut->made[index].output->ordinal);
    packs_drop(self, s);
    s->retry_ms = uv_now(self->config.loop) + lp_time_scale_ms(PACKS_RETRY_MS);
}

static void
finish_slice(packs *self, pack *p, slice *cut)
{
    pack_check(p);
    p->committed = cut->end;
    for (size_t i = 0; i < cut->count; i++) {
        if (cut->commits[i].is_refused || cut->commits[i].is_lost) {
            // It counts as committed already, so packs_drop does not find it.
            subtract_told(cut->made[i].session, cut->made[i].task);
            refuse(self, cut, i);
            chunk_commit_fini(&cut->made[i]);
            entry_fini(cut->entries[i]);
        } else {
            finish_commit(self, cut, i);
        }
    }
    for (size_t i = 0; i < cut->count; i++) { // may drop the session
        self->config.on_session(self->config.arg, cut->made[i].session);
    }
}

static lp_err
commit_slice(packs *self, pack *p, slice *cut)
{
    pack_check(p);
    catalog *to = self->config.to.sessions->catalog;
    catalog_object object = {
        .bytes = pack_file_get_bytes(p->file), .is_settled = cut->end == p->entries.count};
    memcpy(object.name, p->object, sizeof(object.name));
    uint64_t left_out = catalog_rollups_left_out(to);
    lp_err err =
        catalog_commit_object(to, &object, cut->commits, cut->count, cut->moves, cut->move_count);
    if (err == LP_OK) {
        metrics_add(METRICS_rollups_left_out, catalog_rollups_left_out(to) - left_out);
    }
    for (size_t i = 0; i < cut->count && err != LP_OK; i++) {
        chunk_commit_fini(&cut->made[i]);
    }
    return err;
}

// is_overdue returns whether the name of a pack without committed chunks is too old: a sweep may
// take the object for an orphan.
static bool
is_overdue(const pack *p)
{
    pack_check(p);
    return p->committed == 0 && lp_time_now() - p->named_wall_ns > PACKS_NAME_S_MAX * NS_PER_S;
}

static void
on_idle(uv_idle_t *idle)
{
    packs *self = idle->data;
    pack *p = TAILQ_FIRST(&self->all);
    slice *cut = NULL;
    lp_err err = LP_OK;
    bool is_stored = p != NULL && p->state == PACK_STORED;
    if (is_stored && is_overdue(p)) {
        p->state = PACK_CLOSED;
        is_stored = false;
    }
    if (is_stored) {
        cut = malloc(sizeof(*cut));
        err = cut == NULL ? LP_ENOMEM : LP_OK;
    }
    if (is_stored && err == LP_OK) {
        cut_slice(self, p, cut);
        err = commit_slice(self, p, cut);
    }
    if (err != LP_OK) {
        note_failure(self, p, "write the catalog", lp_err_reason(err));
    } else if (is_stored) {
        self->has_failed = false;
        finish_slice(self, p, cut);
        if (p->committed == p->entries.count) {
            remove_pack(self, p);
        }
    }
    free(cut);
    if (err != LP_OK || !is_stored || TAILQ_FIRST(&self->all) != p) {
        (void)uv_idle_stop(&self->committing);
        continue_first(self);
    }
}

static void
on_stored(uv_work_t *work, int status)
{
    (void)status; // never cancelled
    pack *p = work->data;
    packs *self = p->owner;
    pack_check(p);
    LP_ASSERT(p->state == PACK_SENDING);
    if (p->err != LP_OK) {
        p->state = PACK_CLOSED;
        errno = p->error;
        note_failure(self, p, "store it", lp_err_reason(p->err));
        if (p->err == LP_EIO && p->error == EEXIST) {
            p->object[0] = '\0'; // another process used the name; should never happen
        }
        return;
    }
    self->has_failed = false;
    p->state = PACK_STORED;
    metrics_add(METRICS_packs_stored, 1);
    metrics_add(METRICS_pack_chunks_stored, p->entries.count);
    metrics_add(METRICS_pack_bytes_stored, p->object_bytes);
    (void)uv_idle_start(&self->committing, on_idle);
}

// --- Gathering

static void
close_pack(packs *self, pack *p)
{
    pack_check(p);
    if (p->state == PACK_OPEN) {
        p->state = PACK_CLOSED;
        pack_files_close(self->files, p->file);
    }
}

// find_pack returns the pack of a file, which it creates if necessary. NULL if memory ran out.
static pack *
find_pack(packs *self, pack_file *file)
{
    packs_check(self);
    pack *p;
    TAILQ_FOREACH(p, &self->all, next)
    {
        if (p->file == file) {
            return p;
        }
    }
    p = calloc(1, sizeof(*p));
    if (p != NULL) {
        p->owner = self;
        p->file = pack_file_ref(file);
        p->begun_ms = uv_now(self->config.loop);
        TAILQ_INSERT_TAIL(&self->all, p, next);
        self->count++;
        metrics_add(METRICS_packs_waiting, 1);
    }
    return p;
}

// is_due returns whether an open pack must be closed.
static bool
is_due(const packs *self, const pack *p)
{
    return self->is_stopping || p->is_crowded || pack_file_get_bytes(p->file) >= PACKS_BYTES_MAX ||
           p->entries.count >= PACKS_CHUNKS_MAX || p->held_bytes >= PACKS_HELD_BYTES_MAX ||
           uv_now(self->config.loop) - p->begun_ms >= self->config.wait_ms;
}

static void
close_due(packs *self)
{
    pack *p;
    TAILQ_FOREACH(p, &self->all, next)
    {
        if (p->state == PACK_OPEN && is_due(self, p)) {
            close_pack(self, p);
        }
    }
}

void
packs_tick(packs *self)
{
    packs_check(self);
    close_due(self);
    continue_first(self);
}

void
packs_stop(packs *self)
{
    packs_check(self);
    self->is_stopping = true;
    packs_tick(self);
}

static object_pack_chunk
chunk_of(const session *s, const chunk_task_output *output)
{
    object_pack_chunk chunk = {
        .ordinal = output->ordinal,
        .offset = output->piece.offset,
        .stored_bytes = output->piece.stored_bytes,
        .size_bytes = output->size_bytes,
        .content_hash = output->stored.content_hash,
    };
    memcpy(chunk.session_id, s->row.id, sizeof(chunk.session_id));
    return chunk;
}

// note_packed updates the session's fields for its chunks in packs.
static void
note_packed(session *s, const result *r)
{
    s->packed_end = r->output.ordinal + 1;
    s->packed_carry = lp_buf_slice(&r->output.carry);
    for (size_t i = 0; i < CATALOG_LOSS_COUNT; i++) {
        s->packed_told[i] += r->task.untold[i];
    }
}

lp_err
packs_add(packs *self, session *s, chunk_task *task, chunk_task_output *output)
{
    result *r = calloc(1, sizeof(*r));
    pack *p = r == NULL ? NULL : find_pack(self, output->piece.file);
    entry *e = p == NULL ? NULL : LP_VEC_PUSH(&p->entries);
    if (e == NULL) {
        free(r);
        return LP_ENOMEM;
    }
    if (!chunk_seal_wants(&self->config.to.seal, s)) {
        lp_buf_fini(&task->carry_in); // it has been used
    }
    pack_files_settle(&output->piece);
    *r = (result){.session = s, .task = *task, .output = *output}; // moves
    *task = (chunk_task){0};
    *output = (chunk_task_output){0};
    *e = (entry){.chunk = chunk_of(s, &r->output), .result = r};
    pack_check(p);
    p->held_bytes += r->output.carry.len + strlen(r->output.types_json) +
                     r->output.ids.kept.count * sizeof(r->output.ids.kept.items[0]);
    note_packed(s, r);
    p->is_crowded = p->is_crowded || session_get_begin(s) >= PACKS_SESSION_CHUNKS_MAX;
    return LP_OK;
}

lp_err
packs_add_move(
    packs *self, const catalog_move *move, const object_pack_chunk *chunk, pack_piece *piece)
{
    catalog_move *copy = malloc(sizeof(*copy));
    pack *p = copy == NULL ? NULL : find_pack(self, piece->file);
    entry *e = p == NULL ? NULL : LP_VEC_PUSH(&p->entries);
    pack_files_settle(piece);
    if (e == NULL) {
        free(copy);
        return LP_ENOMEM;
    }
    *copy = *move;
    p->has_moves = true;
    *e = (entry){.chunk = *chunk, .move = copy};
    e->chunk.offset = piece->offset;
    return LP_OK;
}
