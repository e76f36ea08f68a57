// SPDX-License-Identifier: Apache-2.0

#include "collector/server/recovery.h"

#include "collector/base/metrics.h"
#include "collector/server/policy_message.h"
#include "common/base/lp_log.h"
#include "common/base/lp_vec.h"
#include "common/wire/wire.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct recovery {
    sessions *sessions;
    policy_message_recent policies;
} recovery;

typedef LP_VEC(uint32_t) ordinals;

static int
compare_ordinals(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a;
    uint32_t right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

// parse_ordinal reads a journal's file name, "7.log".
static bool
parse_ordinal(const char *name, uint32_t *out_ordinal)
{
    char canonical[sizeof("4294967295.log")];
    uint32_t ordinal = (uint32_t)strtoul(name, NULL, 10);
    (void)snprintf(canonical, sizeof(canonical), "%" PRIu32 ".log", ordinal);
    *out_ordinal = ordinal;
    return strcmp(name, canonical) == 0;
}

// list_journals finds the ordinals of a session's journals, sorted. The caller frees
// out_list->items.
static lp_err
list_journals(const char *path, ordinals *out_list)
{
    DIR *dir = opendir(path);
    if (dir == NULL) {
        return LP_EIO;
    }
    lp_err err = LP_OK;
    ordinals list = {0};
    for (const struct dirent *entry; err == LP_OK && (entry = readdir(dir)) != NULL;) {
        uint32_t ordinal;
        if (parse_ordinal(entry->d_name, &ordinal)) {
            err = LP_VEC_ROOM(&list) ? LP_OK : LP_ENOMEM;
            if (err == LP_OK) {
                list.items[list.count++] = ordinal;
            }
        }
    }
    (void)closedir(dir);
    if (err != LP_OK) {
        free(list.items);
        return err;
    }
    if (list.count > 0) {
        qsort(list.items, list.count, sizeof(list.items[0]), compare_ordinals);
    }
    *out_list = list;
    return LP_OK;
}

// cut_damage cuts the journal off at its first damaged record.
static lp_err
cut_damage(
    sessions *all, const session *s, uint32_t ordinal, journal *file, const journal_cursor *cursor)
{
    uint64_t cut = journal_get_size(file) - cursor->offset;
    lp_log(LP_LOG_WARN,
        "session %s: journal %s %s at offset %" PRIu64 ", %" PRIu64 " bytes cut off", s->row.id,
        journal_get_path(file), cursor->is_torn ? "ends in an unfinished record" : "is damaged",
        cursor->offset, cut);
    // The tail is saved even if it looks like an unfinished record: a damaged length looks the
    // same.
    char *path = data_dir_damaged_path(sessions_get_dir(all), s->row.id, ordinal, ".tail");
    lp_err err = path == NULL ? LP_ENOMEM : journal_save_tail(file, cursor->offset, path);
    free(path);
    if (err != LP_OK) {
        return err;
    }
    if (!cursor->is_torn) {
        metrics_add(METRICS_chunks_damaged, 1);
    }
    metrics_add(METRICS_journal_cut_bytes, cut);
    return journal_cut(file, cursor->offset);
}

// take_policy sets a chunk's policy to the one in its journal.
static lp_err
take_policy(
    recovery *self, const session *s, session_chunk *chunk, const Loupe__Wire__ChunkPolicy *message)
{
    policy_file *file;
    lp_problem problem;
    lp_err err = policy_message_decode(message, &self->policies, &file, &problem);
    if (err == LP_ENOMEM) {
        return err;
    }
    if (err != LP_OK) { // a later version wrote it
        lp_log(LP_LOG_WARN, "session %s: chunk %u: its policy cannot be read: %s", s->row.id,
            chunk->ordinal, problem.text);
        return LP_OK;
    }
    policy_file_unref(chunk->policy);
    chunk->policy = file; // moves
    return LP_OK;
}

// read_record notes a record of a chunk's journal as if it had just come.
static lp_err
read_record(recovery *self, session *s, session_chunk *chunk, lp_slice message)
{
    Loupe__Wire__Request *request = loupe__wire__request__unpack(NULL, message.len, message.ptr);
    if (request == NULL) {
        return LP_ENOMEM; // it could be unpacked before it was written
    }
    lp_err err = LP_OK;
    if (request->body_case == LOUPE__WIRE__REQUEST__BODY_BATCH) {
        session_note(s, chunk, request->batch);
    } else if (request->body_case == LOUPE__WIRE__REQUEST__BODY_POLICY) {
        err = take_policy(self, s, chunk, request->policy);
    }
    loupe__wire__request__free_unpacked(request, NULL);
    return err;
}

static lp_err
read_journal(recovery *self, session *s, session_chunk *chunk)
{
    journal_cursor cursor;
    lp_slice message;
    lp_err err;
    journal_cursor_init(&cursor, chunk->journal, journal_get_size(chunk->journal));
    while ((err = journal_cursor_next(&cursor, &message)) == LP_OK) {
        err = read_record(self, s, chunk, message);
        if (err != LP_OK) {
            break;
        }
    }
    if (err == LP_ECORRUPT) {
        err = cut_damage(self->sessions, s, chunk->ordinal, chunk->journal, &cursor);
    } else if (err == LP_EEND) {
        err = LP_OK;
    }
    journal_cursor_fini(&cursor);
    return err;
}

// remove_committed deletes the journal of a chunk that the catalog has: the collector died between
// the two.
static void
remove_committed(sessions *all, const session *s, uint32_t ordinal)
{
    char *path = data_dir_journal_path(sessions_get_dir(all), s->row.id, ordinal);
    if (path != NULL && remove(path) != 0) {
        lp_log(LP_LOG_WARN, "cannot remove %s: %s", path, strerror(errno));
    }
    free(path);
}

static lp_err
read_journals(recovery *self, session *s, const ordinals *list)
{
    // The catalog's row counts until a batch changes it; the commit of a chunk wrote down its
    // batches.
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i] < s->row.next_chunk) {
            remove_committed(self->sessions, s, list->items[i]);
            continue;
        }
        session_chunk *chunk;
        lp_err err = sessions_open_chunk(self->sessions, s, list->items[i], &chunk);
        if (err == LP_OK) {
            err = read_journal(self, s, chunk);
        }
        if (err != LP_OK) {
            return err;
        }
    }
    return LP_OK;
}

// recover_session reads the journals of one session. Its row is missing only when the catalog was
// deleted: then the session gets an empty one, which the agent's next Hello fills.
static lp_err
recover_session(recovery *self, const char *session_id, const char *path)
{
    ordinals list;
    session *s;
    lp_err err = list_journals(path, &list);
    if (err != LP_OK) {
        return err;
    }
    err = sessions_load(self->sessions, session_id, &s);
    if (err == LP_ENOENT) {
        char empty[] = "";
        catalog_session row = {
            .service = empty, .instance = empty, .jvm_name = empty, .jvm_version = empty};
        memcpy(row.id, session_id, sizeof(row.id)); // it is a valid one, so it has this length
        lp_log(LP_LOG_WARN, "session %s: in the journal, but not in the catalog", session_id);
        err = sessions_add(self->sessions, &row, &s);
    }
    if (err == LP_OK) {
        err = read_journals(self, s, &list);
    }
    free(list.items);
    return err;
}

static lp_err
recover_journals(recovery *self, const char *journals_path)
{
    DIR *dir = opendir(journals_path);
    if (dir == NULL) {
        return LP_EIO;
    }
    lp_err err = LP_OK;
    for (const struct dirent *entry; err == LP_OK && (entry = readdir(dir)) != NULL;) {
        if (!catalog_id_is_valid(entry->d_name)) {
            continue;
        }
        char *path = data_dir_session_path(sessions_get_dir(self->sessions), entry->d_name);
        err = path == NULL ? LP_ENOMEM : recover_session(self, entry->d_name, path);
        free(path);
    }
    (void)closedir(dir);
    return err;
}

static void
load_running(void *arg, const catalog_session *row)
{
    session *s;
    if (!row->is_ended && sessions_find(arg, row->id) == NULL &&
        sessions_add(arg, row, &s) != LP_OK) {
        lp_log(LP_LOG_WARN, "session %s: no room for it until its agent says hello", row->id);
    }
}

lp_err
recovery_run(sessions *all, lp_problem *out_problem)
{
    // Journals first: a session that has one must have its place.
    char *path = data_dir_journals_path(sessions_get_dir(all));
    recovery run = {.sessions = all};
    lp_err err = path == NULL ? LP_ENOMEM : recover_journals(&run, path);
    policy_message_recent_fini(&run.policies);
    if (err != LP_OK) {
        (void)lp_problem_set(out_problem, err, "cannot read the journals in %s: %s", path,
            err == LP_EIO ? strerror(errno) : lp_err_text(err));
    }
    free(path);
    if (err != LP_OK) {
        return err;
    }
    const catalog_query any = {0};
    err = catalog_list(sessions_get_catalog(all), &any, load_running, all);
    if (err != LP_OK) {
        return lp_problem_set(out_problem, err, "cannot read the catalog: %s", lp_err_text(err));
    }
    return LP_OK;
}
