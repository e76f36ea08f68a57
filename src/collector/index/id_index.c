// SPDX-License-Identifier: Apache-2.0
#include "collector/index/id_index.h"

#include "collector/base/metrics.h"
#include "collector/base/workers.h"
#include "collector/index/id_segments.h"
#include "common/base/lp_log.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DIR_MODE = 0750, FILE_MODE = 0640 };

static const char whole_name[] = "whole";

struct id_index {
    int dir_fd;
    char *dir;
    workers *thread;
    id_segments segments;
    pthread_mutex_t mutex;           // around the rest
    id_run *runs[ID_INDEX_RUNS_MAX]; // the last one grows, the others wait to be put in order
    size_t run_count;
    uint32_t next_run; // number
    uint64_t left_out;
    uint64_t unreadable;
    bool is_whole;
    pthread_cond_t is_settled;
    uint64_t due;     // how often something was to be put in order
    uint64_t settled; // and how often that is done
};

// lose notes that something is missing. Under the mutex, or before anybody else has the index.
static void
lose(id_index *index, uint64_t *count)
{
    (*count)++;
    metrics_add(
        count == &index->left_out ? METRICS_index_chunks_left_out : METRICS_index_files_unreadable,
        1);
    index->is_whole = false;
    (void)unlinkat(index->dir_fd, whole_name, 0);
}

// --- Putting in order, on the index's thread

// find_newest finds the newest hour of all segments and runs.
static void
find_newest(id_index *index, char out_hour[ID_NAME_HOUR_CHARS + 1])
{
    memset(out_hour, 0, ID_NAME_HOUR_CHARS + 1);
    id_segments_find_newest(&index->segments, out_hour);
    (void)pthread_mutex_lock(&index->mutex);
    for (size_t i = 0; i < index->run_count; i++) {
        char hour[ID_NAME_HOUR_CHARS + 1];
        if (!id_run_is_empty(index->runs[i])) {
            id_name_hour(id_run_wall_ns(index->runs[i]), hour);
            if (strcmp(hour, out_hour) > 0) {
                memcpy(out_hour, hour, ID_NAME_HOUR_CHARS);
            }
        }
    }
    (void)pthread_mutex_unlock(&index->mutex);
}

// write_run writes the first run, which does not grow any more, as a segment. Takes the mutex.
static lp_err
write_run(id_index *index, id_run *run)
{
    char name[ID_NAME_BYTES];
    char hour[ID_NAME_HOUR_CHARS + 1];
    lp_err err = LP_OK;
    if (!id_run_is_empty(run)) {
        id_name_hour(id_run_wall_ns(run), hour);
        (void)snprintf(name, sizeof(name), "%s-%" PRIu32 ".ids", hour, id_run_number(run));
        err = id_run_write(run, index->dir_fd, name);
        if (err == LP_OK) {
            err = id_segments_open(&index->segments, name);
        }
        if (err != LP_OK) {
            id_segments_complain(&index->segments, name, "write", err);
            return err;
        }
    }
    (void)pthread_mutex_lock(&index->mutex);
    index->run_count--;
    memmove(index->runs, index->runs + 1, index->run_count * sizeof(index->runs[0]));
    (void)pthread_mutex_unlock(&index->mutex);
    id_run_remove(run, index->dir_fd);
    return LP_OK;
}

// first_run returns the first of the runs if it does not grow any more, or else NULL.
static id_run *
first_run(id_index *index)
{
    (void)pthread_mutex_lock(&index->mutex);
    id_run *run = index->run_count > 1 ? index->runs[0] : NULL;
    (void)pthread_mutex_unlock(&index->mutex);
    return run;
}

static void
settle(void *arg, const atomic_bool *is_stopping)
{
    id_index *index = arg;
    char newest[ID_NAME_HOUR_CHARS + 1];
    (void)pthread_mutex_lock(&index->mutex);
    uint64_t due = index->due;
    (void)pthread_mutex_unlock(&index->mutex);
    find_newest(index, newest);
    lp_err err = LP_OK;
    for (id_run *run; err == LP_OK && (run = first_run(index)) != NULL;) {
        err = write_run(index, run);
    }
    id_segments_merge(&index->segments, newest, is_stopping);
    (void)pthread_mutex_lock(&index->mutex);
    index->settled = due;
    (void)pthread_cond_broadcast(&index->is_settled);
    (void)pthread_mutex_unlock(&index->mutex);
}

// --- Adding

// begin_run makes a new run that grows. Under the mutex. Errors: LP_ELIMIT too many wait; as
// id_run_create
static lp_err
begin_run(id_index *index)
{
    if (index->run_count == ID_INDEX_RUNS_MAX) {
        return LP_ELIMIT;
    }
    lp_err err = id_run_create(index->dir_fd, index->next_run, &index->runs[index->run_count]);
    if (err == LP_OK) {
        index->next_run++;
        index->run_count++;
    }
    return err;
}

// is_over returns whether a run does not take a chunk any more.
static bool
is_over(const id_run *run, const id_run_chunk *chunk)
{
    char hour[ID_NAME_HOUR_CHARS + 1];
    char next[ID_NAME_HOUR_CHARS + 1];
    if (id_run_is_empty(run)) {
        return false;
    }
    id_name_hour(id_run_wall_ns(run), hour);
    id_name_hour(chunk->start_wall_ns, next);
    return id_run_is_full(run) || strcmp(next, hour) > 0;
}

// leave_chunk_out counts a chunk that cannot be added, and says so for the first one. Under the
// mutex.
static void
leave_chunk_out(id_index *index, const id_run_chunk *chunk, lp_err err)
{
    if (index->left_out == 0) {
        lp_log(LP_LOG_WARN,
            "%s: the ids of recording %s, chunk %" PRIu32 ", are left out, and more may be: %s; "
            "`loupe index --rebuild` makes the index again",
            index->dir, chunk->session_id, chunk->ordinal, id_segments_text(err));
    }
    lose(index, &index->left_out);
}

void
id_index_add(id_index *index, const id_run_chunk *chunk)
{
    lp_err err = LP_OK;
    (void)pthread_mutex_lock(&index->mutex);
    if (index->run_count == 0 || is_over(index->runs[index->run_count - 1], chunk)) {
        err = begin_run(index);
    }
    if (err == LP_OK) {
        err = id_run_add(index->runs[index->run_count - 1], chunk);
    }
    if (err != LP_OK) {
        leave_chunk_out(index, chunk, err);
    }
    bool is_due = index->run_count > 1;
    index->due += is_due;
    (void)pthread_mutex_unlock(&index->mutex);
    // Where one waits already, that will do.
    if (is_due && workers_push(index->thread, settle, index) != LP_OK) {
        return;
    }
}

void
id_index_wait(id_index *index)
{
    (void)pthread_mutex_lock(&index->mutex);
    for (uint64_t due = index->due; index->settled < due;) {
        (void)pthread_cond_wait(&index->is_settled, &index->mutex);
    }
    (void)pthread_mutex_unlock(&index->mutex);
}

// --- Asking

typedef struct finding {
    void (*on_chunk)(void *arg, const char *session_id, uint32_t ordinal);
    void *arg;
} finding;

static void
on_found(void *arg, const id_segment_chunk *chunk)
{
    const finding *f = arg;
    f->on_chunk(f->arg, id_segment_get_session(chunk).text, chunk->ordinal);
}

lp_err
id_index_find(id_index *index, uint64_t hash, int64_t from_wall_ns, int64_t to_wall_ns,
    void (*on_chunk)(void *arg, const char *session_id, uint32_t ordinal), void *arg,
    size_t *out_searched)
{
    finding f = {on_chunk, arg};
    id_run_part runs[ID_INDEX_RUNS_MAX];
    id_named_segments held = {0};
    (void)pthread_mutex_lock(&index->mutex);
    size_t run_count = index->run_count;
    for (size_t i = 0; i < run_count; i++) {
        runs[i] = id_run_take(index->runs[i]);
    }
    (void)pthread_mutex_unlock(&index->mutex);
    for (size_t i = 0; i < run_count; i++) {
        (void)id_run_find(&runs[i], hash, from_wall_ns, to_wall_ns, on_found, &f);
        id_run_put_back(&runs[i]);
    }
    // Behind the runs: one that was put in order meanwhile is among the segments.
    lp_err err = id_segments_hold(&index->segments, from_wall_ns, to_wall_ns, &held);
    for (size_t i = 0; i < held.count && err == LP_OK; i++) {
        (void)id_segment_find(held.items[i].segment, hash, on_found, &f);
    }
    *out_searched = run_count + held.count;
    id_segments_release(&held);
    return err;
}

void
id_index_forget(id_index *index, int64_t wall_ns)
{
    id_segments_forget(&index->segments, wall_ns);
}

id_index_counts
id_index_count(id_index *index)
{
    uint64_t entries;
    size_t segments = id_segments_count(&index->segments, &entries);
    (void)pthread_mutex_lock(&index->mutex);
    id_index_counts counts = {
        .segments = segments,
        .entries = entries,
        .left_out = index->left_out,
        .unreadable = index->unreadable,
    };
    for (size_t i = 0; i < index->run_count; i++) {
        counts.entries += id_run_entry_count(index->runs[i]);
    }
    (void)pthread_mutex_unlock(&index->mutex);
    return counts;
}

bool
id_index_is_whole(id_index *index)
{
    (void)pthread_mutex_lock(&index->mutex);
    bool is_whole = index->is_whole;
    (void)pthread_mutex_unlock(&index->mutex);
    return is_whole;
}

void
id_index_set_partial(id_index *index)
{
    pthread_mutex_lock(&index->mutex);
    index->is_whole = false;
    (void)unlinkat(index->dir_fd, whole_name, 0);
    pthread_mutex_unlock(&index->mutex);
}

void
id_index_set_whole(id_index *index)
{
    (void)pthread_mutex_lock(&index->mutex);
    int fd = openat(index->dir_fd, whole_name, O_WRONLY | O_CREAT | O_CLOEXEC, FILE_MODE);
    index->is_whole = fd >= 0;
    if (fd >= 0) {
        (void)close(fd);
    }
    (void)pthread_mutex_unlock(&index->mutex);
}

// --- Opening

// for_each_file calls on_file for each file of the directory; it may remove it.
static lp_err
for_each_file(id_index *index, lp_err (*on_file)(id_index *index, const char *name))
{
    lp_err err = LP_OK;
    int fd = openat(index->dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (dir == NULL) {
        if (fd >= 0) {
            (void)close(fd);
        }
        return LP_EIO;
    }
    const struct dirent *entry;
    while (err == LP_OK && (errno = 0, entry = readdir(dir)) != NULL) {
        err = on_file(index, entry->d_name);
    }
    int error = errno;
    err = err == LP_OK && error != 0 ? LP_EIO : err;
    (void)closedir(dir);
    errno = error;
    return err;
}

// leave_out says that a file cannot be read, and leaves it: one that is damaged for the rebuilding
// to remove, any other for the next one who opens the index.
static lp_err
leave_out(id_index *index, const char *name, lp_err err)
{
    if (err == LP_ENOMEM) {
        return err;
    }
    if (err == LP_EIO) {
        index->is_whole = false;
        index->unreadable++;
        metrics_add(METRICS_index_files_unreadable, 1);
    } else if (err != LP_OK) {
        lose(index, &index->unreadable);
    }
    if (err != LP_OK) {
        id_segments_complain(&index->segments, name, "read", err);
    }
    return LP_OK;
}

static lp_err
open_file(id_index *index, const char *name)
{
    if (!id_name_is_segment(name)) {
        return LP_OK;
    }
    if (id_name_is_run(name)) { // the next run must not replace it
        uint32_t number = id_name_segment_number(name);
        index->next_run = number >= index->next_run ? number + 1 : index->next_run;
    }
    return leave_out(index, name, id_segments_open(&index->segments, name));
}

static lp_err
open_run(id_index *index, const char *name)
{
    int64_t number = id_name_run_number(name);
    bool was_cut = false;
    if (number < 0) {
        return LP_OK;
    }
    index->next_run = number >= index->next_run ? (uint32_t)number + 1 : index->next_run;
    lp_err err = LP_ELIMIT;
    if (index->run_count < ID_INDEX_RUNS_MAX) {
        err =
            id_run_load(index->dir_fd, (uint32_t)number, &index->runs[index->run_count], &was_cut);
        index->run_count += err == LP_OK;
        err = err == LP_OK && was_cut ? LP_ECORRUPT : err;
    }
    return leave_out(index, name, err);
}

static lp_err
remove_file(id_index *index, const char *name)
{
    bool is_ours = id_name_is_segment(name) || id_name_run_number(name) >= 0 ||
                   strcmp(name, whole_name) == 0 || strstr(name, ".ids.tmp") != NULL;
    return !is_ours || unlinkat(index->dir_fd, name, 0) == 0 ? LP_OK : LP_EIO;
}

// open_dir makes an index without a thread, of which nothing was read.
static lp_err
open_dir(const char *dir, id_index **out_index)
{
    id_index *index = calloc(1, sizeof(*index));
    if (index == NULL) {
        return LP_ENOMEM;
    }
    (void)pthread_mutex_init(&index->mutex, NULL); // these cannot fail on Linux
    (void)pthread_cond_init(&index->is_settled, NULL);
    index->dir_fd = -1;
    index->dir = strdup(dir);
    lp_err err = index->dir == NULL ? LP_ENOMEM : LP_OK;
    id_segments_init(&index->segments, index->dir, -1);
    if (err == LP_OK && mkdir(dir, DIR_MODE) != 0 && errno != EEXIST) {
        err = LP_EIO;
    }
    if (err == LP_OK) {
        index->dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        index->segments.dir_fd = index->dir_fd;
        err = index->dir_fd < 0 ? LP_EIO : LP_OK;
    }
    if (err != LP_OK) {
        id_index_close(index);
        return err;
    }
    *out_index = index;
    return LP_OK;
}

static lp_err
explain(const char *dir, lp_err err, lp_problem *out_problem)
{
    return lp_problem_set(out_problem, err, "%s: %s", dir, id_segments_text(err));
}

lp_err
id_index_open(const char *dir, id_index **out_index, lp_problem *out_problem)
{
    id_index *index;
    lp_err err = open_dir(dir, &index);
    if (err != LP_OK) {
        return explain(dir, err, out_problem);
    }
    index->is_whole = faccessat(index->dir_fd, whole_name, F_OK, 0) == 0;
    err = for_each_file(index, open_file);
    if (err == LP_OK) {
        err = for_each_file(index, open_run);
    }
    if (err == LP_OK) {
        err = workers_start("loupe-index", WORKERS_NORMAL, 1, 1, &index->thread);
    }
    if (err != LP_OK) {
        (void)explain(dir, err, out_problem);
        id_index_close(index);
        return err;
    }
    *out_index = index;
    return LP_OK;
}

void
id_index_close(id_index *index)
{
    if (index == NULL) {
        return;
    }
    workers_stop(index->thread);
    for (size_t i = 0; i < index->run_count; i++) {
        id_run_destroy(index->runs[i]);
    }
    id_segments_fini(&index->segments);
    if (index->dir_fd >= 0) {
        (void)close(index->dir_fd);
    }
    (void)pthread_cond_destroy(&index->is_settled);
    (void)pthread_mutex_destroy(&index->mutex);
    free(index->dir);
    free(index);
}

lp_err
id_index_clear(const char *dir, lp_problem *out_problem)
{
    id_index *index;
    lp_err err = open_dir(dir, &index);
    if (err == LP_OK) {
        err = for_each_file(index, remove_file);
        id_index_close(index);
    }
    return err == LP_OK ? LP_OK : explain(dir, err, out_problem);
}
