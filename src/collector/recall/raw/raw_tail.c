// SPDX-License-Identifier: Apache-2.0

#include "collector/recall/raw/raw_tail.h"

#include "collector/base/metrics.h"
#include "collector/journal/journal_list.h"
#include "collector/store/catalog/blob_list.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_io.h"
#include "common/base/lp_log.h"
#include "common/base/lp_map.h"
#include "common/base/lp_order.h"
#include "common/base/lp_time.h"
#include "common/base/lp_vec.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

typedef struct raw_file {
    uint32_t ordinal;
    uint64_t bytes;
    int64_t since_wall_ns;
    bool is_other; // another collector has the chunk: sessions_remove kept the journal
} raw_file;

typedef struct raw_session {
    char id[CATALOG_ID_CHARS + 1];
    char *service; // "": unknown
    uint64_t bytes;
    LP_VEC(raw_file) files; // the oldest first
} raw_session;

struct raw_tail {
    raw_tail_config config;
    LP_VEC(raw_session) sessions;
    lp_map by_id; // hash of an id to an index in sessions
    size_t next;  // the session at which the next tick begins
    uint64_t bytes;
    uint64_t oldest_s; // as the metric has it
};

static void
tail_check(const raw_tail *self)
{
    LP_ASSERT(self->config.dir != NULL && self->config.list != NULL && self->config.bytes_max > 0);
    LP_ASSERT(self->by_id.count == self->sessions.count);
}

static data_path
path_of(const raw_tail *self, const raw_session *s, uint32_t ordinal)
{
    return data_dir_at(self->config.dir, DATA_DIR_RAW_JOURNAL, s->id, ordinal);
}

// --- Sessions

// Agents choose the ids, so the hash has a random seed.
static uint64_t
hash_of(const char *session_id)
{
    return lp_hash_text(lp_hash_seed(), session_id);
}

static raw_session *
find_session(raw_tail *self, const char *session_id)
{
    uint32_t index = lp_map_find(&self->by_id, hash_of(session_id));
    LP_ASSERT(index == LP_MAP_NONE || index < self->sessions.count);
    raw_session *s = index == LP_MAP_NONE ? NULL : &self->sessions.items[index];
    return s != NULL && strcmp(s->id, session_id) == 0 ? s : NULL;
}

// add_session returns NULL if memory ran out, or another id has the same hash.
static raw_session *
add_session(raw_tail *self, const char *session_id, const char *service)
{
    LP_ASSERT(find_session(self, session_id) == NULL);
    raw_session made = {.service = strdup(service)};
    (void)snprintf(made.id, sizeof(made.id), "%s", session_id);
    uint64_t hash = hash_of(session_id);
    bool is_free = lp_map_find(&self->by_id, hash) == LP_MAP_NONE;
    if (made.service == NULL || !is_free || !LP_VEC_ROOM(&self->sessions) ||
        lp_map_put(&self->by_id, hash, (uint32_t)self->sessions.count) != LP_OK) {
        free(made.service);
        return NULL;
    }
    self->sessions.items[self->sessions.count] = made;
    return &self->sessions.items[self->sessions.count++];
}

static void
uncount(raw_tail *self, raw_session *s, uint64_t bytes)
{
    LP_ASSERT(bytes <= s->bytes && bytes <= self->bytes);
    s->bytes -= bytes;
    self->bytes -= bytes;
    metrics_sub(METRICS_recall_bytes, bytes);
}

static void
count(raw_tail *self, raw_session *s, uint64_t bytes)
{
    s->bytes += bytes;
    self->bytes += bytes;
    LP_ASSERT(s->bytes <= self->bytes);
    metrics_add(METRICS_recall_bytes, bytes);
}

static void
session_fini(raw_session *s)
{
    free(s->service);
    LP_VEC_FINI(&s->files);
}

// forget_session removes a session from the list; the last one moves to its place.
static void
forget_session(raw_tail *self, raw_session *s)
{
    tail_check(self);
    uncount(self, s, s->bytes);
    lp_map_remove(&self->by_id, hash_of(s->id));
    session_fini(s);
    raw_session *last = &self->sessions.items[--self->sessions.count];
    if (s != last) {
        *s = *last;
        lp_err err = lp_map_put(&self->by_id, hash_of(s->id), (uint32_t)(s - self->sessions.items));
        LP_ASSERT(err == LP_OK); // the key is in the map
    }
}

// --- Files

_Static_assert(
    (int)METRICS_recall_dropped_REMOVED - (int)METRICS_recall_dropped_AGE == (int)RAW_LIST_REMOVED,
    "the metrics of reasons are in their order");

static pin_chunk
chunk_of(const raw_session *s, uint32_t ordinal)
{
    pin_chunk chunk = {.ordinal = ordinal};
    memcpy(chunk.session_id, s->id, sizeof(chunk.session_id));
    return chunk;
}

// note_dropped counts a file that is gone.
static void
note_dropped(raw_tail *self, const raw_session *s, uint32_t ordinal, raw_list_why why)
{
    LP_ASSERT(why <= RAW_LIST_REMOVED); // the reasons with a metric
    const pin_chunk chunk = chunk_of(s, ordinal);
    metrics_add(METRICS_recall_dropped_AGE + (metrics_id)why, 1);
    raw_list_drop(self->config.list, &chunk, why);
}

// drop_first deletes the session's oldest file. Returns false if that failed: the file stays.
static bool
drop_first(raw_tail *self, raw_session *s, raw_list_why why)
{
    LP_ASSERT(s->files.count > 0);
    const raw_file file = s->files.items[0];
    if (unlink(path_of(self, s, file.ordinal).text) != 0 && errno != ENOENT) {
        metrics_add(METRICS_removal_errors, 1);
        return false;
    }
    uncount(self, s, file.bytes);
    memmove(s->files.items, s->files.items + 1, --s->files.count * sizeof(file));
    note_dropped(self, s, file.ordinal, why);
    return true;
}

// find_oldest returns the session with the oldest file of those with more than share bytes; NULL if
// there is none.
static raw_session *
find_oldest(raw_tail *self, uint64_t share)
{
    raw_session *found = NULL;
    for (size_t i = 0; i < self->sessions.count; i++) {
        raw_session *s = &self->sessions.items[i];
        bool counts = s->files.count > 0 && s->bytes > share;
        if (counts && (found == NULL ||
                          s->files.items[0].since_wall_ns < found->files.items[0].since_wall_ns)) {
            found = s;
        }
    }
    return found;
}

// forget_file forgets an earlier file of the same chunk, which a rename has replaced.
static void
forget_file(raw_tail *self, raw_session *s, uint32_t ordinal)
{
    raw_file *old = LP_FIND(s->files.items, s->files.count, at->ordinal == ordinal);
    if (old != NULL) {
        uncount(self, s, old->bytes);
        size_t behind = (size_t)(s->files.items + s->files.count - (old + 1));
        LP_ASSERT(behind < s->files.count);
        memmove(old, old + 1, behind * sizeof(*old));
        s->files.count--;
    }
}

// move_here moves a journal. *out_info is the file's.
static lp_err
move_here(const raw_tail *self, const raw_session *s, uint32_t ordinal, struct stat *out_info)
{
    const data_path from = data_dir_at(self->config.dir, DATA_DIR_JOURNAL, s->id, ordinal);
    const data_path to = path_of(self, s, ordinal);
    LP_REQUIRE(stat(from.text, out_info) == 0, LP_EIO);
    LP_TRY(lp_io_make_dir_of(data_dir_at(self->config.dir, DATA_DIR_RAW_SESSION, s->id).text));
    LP_TRY(lp_io_make_dir_of(to.text));
    LP_REQUIRE(rename(from.text, to.text) == 0, LP_EIO);
    (void)utimensat(AT_FDCWD, to.text, NULL, 0); // else its last write counts
    return LP_OK;
}

// --- What is kept

// keep_ns_by returns how long raw data of a service with these limits is kept; 0: not at all.
static int64_t
keep_ns_by(const raw_tail *self, const policy_keep *own)
{
    int64_t keep_ns = own->recall_ns != 0 ? own->recall_ns : self->config.keep_ns;
    int64_t age_ns = own->age_ns != 0 ? own->age_ns : self->config.age_ns;
    LP_REQUIRE(keep_ns != POLICY_KEEP_NO_RECALL, 0);
    return age_ns != 0 && age_ns < keep_ns ? age_ns : keep_ns;
}

static int64_t
keep_ns_of(const raw_tail *self, const char *service)
{
    const policy_keep own = policy_dir_find_keep(self->config.policies, service);
    return keep_ns_by(self, &own);
}

bool
raw_tail_wants_by(const raw_tail *self, const policy_keep *own)
{
    tail_check(self);
    return keep_ns_by(self, own) > 0;
}

bool
raw_tail_wants(const raw_tail *self, const char *service)
{
    tail_check(self);
    return keep_ns_of(self, service) > 0;
}

bool
raw_tail_take(void *tail, const char *session_id, const char *service, uint32_t ordinal)
{
    raw_tail *self = tail;
    pin_chunk chunk = {.ordinal = ordinal};
    (void)snprintf(chunk.session_id, sizeof(chunk.session_id), "%s", session_id);
    if (!raw_tail_wants(self, service)) {
        raw_list_drop(self->config.list, &chunk, RAW_LIST_AGE);
        return false;
    }
    struct stat info;
    raw_session *s = find_session(self, session_id);
    s = s == NULL ? add_session(self, session_id, service) : s;
    lp_err err = s != NULL && LP_VEC_ROOM(&s->files) ? LP_OK : LP_ENOMEM;
    LP_THEN(err, move_here(self, s, ordinal, &info));
    if (err != LP_OK) {
        metrics_add(METRICS_recall_errors, 1);
        raw_list_drop(self->config.list, &chunk, RAW_LIST_FAILED);
        return false;
    }
    raw_list_measure(self->config.list, &chunk, (uint64_t)info.st_size);
    forget_file(self, s, ordinal);
    LP_ASSERT(s->files.count < s->files.capacity); // there is room
    s->files.items[s->files.count++] = (raw_file){
        .ordinal = ordinal, .bytes = (uint64_t)info.st_size, .since_wall_ns = lp_time_now()};
    count(self, s, (uint64_t)info.st_size);
    metrics_add(METRICS_recall_kept, 1);
    return true;
}

// --- What is deleted

// look_at deletes the expired files of a session. Returns false if the session has none left, and
// was forgotten.
static bool
look_at(raw_tail *self, raw_session *s, int64_t now_wall_ns)
{
    const data_path dir = data_dir_at(self->config.dir, DATA_DIR_RAW_SESSION, s->id);
    int64_t keep_ns = keep_ns_of(self, s->service);
    bool is_there = access(dir.text, F_OK) == 0 || errno != ENOENT; // else it was removed
    while (is_there && s->files.count > 0 &&
           now_wall_ns - s->files.items[0].since_wall_ns > keep_ns &&
           drop_first(self, s, RAW_LIST_AGE)) {
    }
    if (is_there && s->files.count > 0) {
        return true;
    }
    for (size_t i = 0; i < s->files.count; i++) {
        note_dropped(self, s, s->files.items[i].ordinal, RAW_LIST_REMOVED);
    }
    (void)rmdir(dir.text);
    forget_session(self, s);
    return false;
}

static void
note_oldest(raw_tail *self, int64_t now_wall_ns)
{
    const raw_session *s = find_oldest(self, 0);
    int64_t age_ns = s == NULL ? 0 : now_wall_ns - s->files.items[0].since_wall_ns;
    uint64_t age_s = age_ns < 0 ? 0 : (uint64_t)age_ns / 1000000000;
    metrics_add(METRICS_recall_oldest_seconds, age_s);
    metrics_sub(METRICS_recall_oldest_seconds, self->oldest_s);
    self->oldest_s = age_s;
}

void
raw_tail_tick(raw_tail *self, int64_t now_wall_ns)
{
    tail_check(self);
    size_t looks = self->sessions.count < RAW_TAIL_LOOKS ? self->sessions.count : RAW_TAIL_LOOKS;
    for (size_t i = 0; i < looks; i++) {
        self->next = self->next < self->sessions.count ? self->next : 0;
        LP_ASSERT(self->next < self->sessions.count); // each look forgets one session at most
        self->next += look_at(self, &self->sessions.items[self->next], now_wall_ns);
    }
    for (size_t i = 0; i < RAW_TAIL_DROPPED && self->bytes > self->config.bytes_max; i++) {
        LP_ASSERT(self->sessions.count > 0); // some session has more than its share
        raw_session *s = find_oldest(self, self->config.bytes_max / self->sessions.count);
        LP_ASSERT(s != NULL); // the shares of all together are the limit
        if (!drop_first(self, s, RAW_LIST_BYTES)) {
            break;
        }
    }
    note_oldest(self, now_wall_ns);
}

bool
raw_tail_relieve(void *tail)
{
    raw_tail *self = tail;
    tail_check(self);
    uint64_t before = self->bytes;
    size_t dropped = 0;
    while (dropped < RAW_TAIL_RELIEF_FILES && before - self->bytes < RAW_TAIL_RELIEF_BYTES) {
        raw_session *s = find_oldest(self, 0);
        if (s == NULL || !drop_first(self, s, RAW_LIST_DISK)) {
            break;
        }
        dropped++;
    }
    return dropped > 0;
}

uint64_t
raw_tail_measure(raw_tail *self, const char *session_id, uint32_t ordinal)
{
    tail_check(self);
    const raw_session *s = find_session(self, session_id);
    const raw_file *file =
        s == NULL ? NULL : LP_FIND(s->files.items, s->files.count, at->ordinal == ordinal);
    if (file != NULL) {
        return file->bytes;
    }
    const data_path waiting = data_dir_at(self->config.dir, DATA_DIR_JOURNAL, session_id, ordinal);
    struct stat info;
    return stat(waiting.text, &info) == 0 ? (uint64_t)info.st_size : 0;
}

uint64_t
raw_tail_get_bytes(const raw_tail *self)
{
    return self->bytes;
}

// --- Life

static void
note_service(void *arg, const catalog_session *row)
{
    *(char **)arg = strdup(row->service);
}

LP_COMPARE(compare_files, raw_file,
    LP_ORDER(one->since_wall_ns, other->since_wall_ns) ?: LP_ORDER(one->ordinal, other->ordinal))

// list_file adds a file that an earlier run kept.
static lp_err
list_file(raw_tail *self, raw_session *s, uint32_t ordinal)
{
    struct stat info;
    LP_REQUIRE(stat(path_of(self, s, ordinal).text, &info) == 0, LP_EIO);
    int64_t since_ns = (int64_t)info.st_mtim.tv_sec * 1000000000 + info.st_mtim.tv_nsec;
    count(self, s, (uint64_t)info.st_size);
    return LP_VEC_ADD(&s->files, (raw_file){.ordinal = ordinal,
                                     .bytes = (uint64_t)info.st_size,
                                     .since_wall_ns = since_ns,
                                     .is_other = (info.st_mode & S_IWUSR) == 0});
}

// The files of a session in the list of chunks.
typedef struct listing {
    raw_tail *self;
    const raw_session *s;
} listing;

// note_chunk adds a chunk that has a file to raw_list.h.
static void
note_chunk(void *arg, const catalog_chunk *chunk)
{
    const listing *l = arg;
    const raw_file *file =
        LP_FIND(l->s->files.items, l->s->files.count, at->ordinal == chunk->ordinal);
    if (file != NULL && !file->is_other) {
        const pin_stored stored = {.chunk = chunk_of(l->s, chunk->ordinal),
            .service = l->s->service,
            .start_wall_ns = chunk->start_wall_ns,
            .end_wall_ns = pins_stored_end(chunk->start_wall_ns, chunk->duration_ns)};
        raw_list_add(l->self->config.list, &stored, (lp_slice){0});
        raw_list_measure(l->self->config.list, &stored.chunk, file->bytes);
    }
}

// list_session lists a session's files. The service of a session that the catalog does not have, or
// cannot find now, is unknown.
static lp_err
list_session(raw_tail *self, const char *session_id)
{
    char *service = NULL;
    journal_list found;
    (void)!catalog_find(self->config.catalog, session_id, note_service, &service);
    raw_session *s = add_session(self, session_id, service == NULL ? "" : service);
    free(service);
    LP_REQUIRE(s != NULL, LP_ENOMEM);
    lp_err err =
        journal_list_read(data_dir_at(self->config.dir, DATA_DIR_RAW_SESSION, s->id).text, &found);
    for (size_t i = 0; i < found.count && err == LP_OK; i++) {
        err = list_file(self, s, found.items[i]);
    }
    LP_VEC_FINI(&found);
    LP_QSORT(s->files.items, s->files.count, compare_files);
    listing listed = {self, s};
    (void)!catalog_list_chunks(self->config.catalog, session_id, note_chunk, &listed);
    return err;
}

// list_all lists the files of all sessions, and skips what cannot be read.
static lp_err
list_all(raw_tail *self)
{
    const data_path root = data_dir_at(self->config.dir, DATA_DIR_RAW);
    blob_list_sessions found; // its directories are named like those of chunks
    lp_err err = blob_list_read_sessions(root.text, &found);
    for (size_t i = 0; i < found.count && (err == LP_OK || err == LP_EIO); i++) {
        lp_err failed = list_session(self, found.items[i].id);
        err = failed == LP_OK ? err : failed;
    }
    LP_VEC_FINI(&found);
    if (err == LP_EIO) {
        lp_log(LP_LOG_WARN, "%s: raw data cannot be listed: %s", root.text, strerror(errno));
        err = LP_OK;
    }
    return err;
}

// choose_bytes returns a limit for a disk with its present free space.
static uint64_t
choose_bytes(const data_dir *dir)
{
    struct statvfs info;
    LP_REQUIRE(statvfs(data_dir_get_path(dir), &info) == 0, RAW_TAIL_BYTES_MAX);
    uint64_t part = (uint64_t)info.f_bavail * info.f_frsize / RAW_TAIL_FREE_SHARE;
    part = part < RAW_TAIL_BYTES_MAX ? part : RAW_TAIL_BYTES_MAX;
    return part == 0 ? 1 : part;
}

lp_err
raw_tail_open(const raw_tail_config *config, raw_tail **out_tail)
{
    raw_tail *self = calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, LP_ENOMEM);
    self->config = *config;
    if (self->config.bytes_max == 0) {
        self->config.bytes_max = choose_bytes(config->dir);
    }
    tail_check(self);
    lp_err err = list_all(self);
    if (err != LP_OK) {
        raw_tail_close(self);
        return err;
    }
    *out_tail = self;
    return LP_OK;
}

void
raw_tail_close(raw_tail *self)
{
    if (self != NULL) {
        tail_check(self);
        metrics_sub(METRICS_recall_bytes, self->bytes);
        metrics_sub(METRICS_recall_oldest_seconds, self->oldest_s);
        LP_VEC_FINI_EACH(&self->sessions, session_fini(at));
        lp_map_fini(&self->by_id);
        free(self);
    }
}
