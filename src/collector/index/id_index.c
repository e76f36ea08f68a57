// SPDX-License-Identifier: Apache-2.0
#include "collector/index/id_index.h"

#include "collector/base/metrics.h"
#include "collector/base/workers.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time.h"
#include "common/base/lp_vec.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    DIR_MODE = 0750,
    FILE_MODE = 0640,
    NAME_BYTES = 32,
    DAY_CHARS = sizeof("YYYYMMDD") - 1,
    HOUR_CHARS = sizeof("YYYYMMDDHH") - 1,
};

static const int64_t NS_PER_S = 1000000000;
static const char whole_name[] = "whole";

// A segment by its name: a run has an hour and a number, the segment of an hour or a day no number.
typedef struct named_segment {
    char name[NAME_BYTES];
    id_segment *segment;
} named_segment;

typedef LP_VEC(named_segment) segment_list;

struct id_index {
    int dir_fd;
    char *dir;
    workers *thread;
    pthread_mutex_t mutex; // around the rest
    segment_list segments;
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

// --- Names

// format_hour writes the hour of a time, YYYYMMDDHH. A time that is yet to come counts as now: all
// other hours and days would be over by a clock that is ahead, and merged again with each run.
static void
format_hour(int64_t wall_ns, char out_text[HOUR_CHARS + 1])
{
    const int64_t now_wall_ns = lp_time_now();
    wall_ns = wall_ns > now_wall_ns ? now_wall_ns : wall_ns;
    time_t s = (time_t)(wall_ns / NS_PER_S);
    struct tm utc;
    if (wall_ns < 0 || gmtime_r(&s, &utc) == NULL ||
        strftime(out_text, HOUR_CHARS + 1, "%Y%m%d%H", &utc) != HOUR_CHARS) {
        memset(out_text, '0', HOUR_CHARS); // before 1970: with the oldest
        out_text[HOUR_CHARS] = '\0';
    }
}

static size_t
stem_of(const char *name)
{
    return strcspn(name, ".");
}

static bool
is_run(const char *name)
{
    return name[HOUR_CHARS] == '-';
}

static bool
is_hour(const char *name)
{
    return stem_of(name) == HOUR_CHARS;
}

// is_segment returns whether a file is one of the index's segments by its name.
static bool
is_segment(const char *name)
{
    size_t digits = strspn(name, "0123456789");
    const char *rest = name + digits;
    if (digits == HOUR_CHARS && rest[0] == '-') {
        rest += 1 + strspn(rest + 1, "0123456789");
    } else if (digits != HOUR_CHARS && digits != DAY_CHARS) {
        return false;
    }
    return strcmp(rest, ".ids") == 0 && strlen(name) < NAME_BYTES;
}

// run_number returns the number of a run's file, or -1 for any other.
static int64_t
run_number(const char *name)
{
    static const char prefix[] = "run-";
    if (strncmp(name, prefix, sizeof(prefix) - 1) != 0) {
        return -1;
    }
    const char *number = name + sizeof(prefix) - 1;
    size_t digits = strspn(number, "0123456789");
    bool is_log = digits > 0 && digits < 10 && strcmp(number + digits, ".log") == 0;
    return is_log ? strtol(number, NULL, 10) : -1;
}

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

// --- Segments

static const char *
text_of(lp_err err)
{
    return err == LP_EIO ? strerror(errno) : lp_err_text(err);
}

static void
complain(const id_index *index, const char *name, const char *what, lp_err err)
{
    lp_log(LP_LOG_WARN, "%s/%s: cannot %s: %s; `loupe index --rebuild` makes the index again",
        index->dir, name, what, text_of(err));
}

// put adds a segment in place of the one with its name, if there is one. Takes the mutex.
static lp_err
put(id_index *index, const char *name, id_segment *segment)
{
    lp_err err = LP_OK;
    (void)pthread_mutex_lock(&index->mutex);
    named_segment *item = NULL;
    for (size_t i = 0; i < index->segments.count && item == NULL; i++) {
        if (strcmp(index->segments.items[i].name, name) == 0) {
            item = &index->segments.items[i];
        }
    }
    if (item == NULL) {
        item = LP_VEC_PUSH(&index->segments);
    }
    if (item == NULL) {
        err = LP_ENOMEM;
        id_segment_unref(segment);
    } else {
        id_segment_unref(item->segment);
        item->segment = segment;
        (void)snprintf(item->name, sizeof(item->name), "%s", name);
    }
    (void)pthread_mutex_unlock(&index->mutex);
    return err;
}

static lp_err
open_segment(id_index *index, const char *name)
{
    id_segment *segment;
    lp_err err = id_segment_open(index->dir_fd, name, &segment);
    return err == LP_OK ? put(index, name, segment) : err;
}

// drop removes a segment and its file. Takes the mutex.
static void
drop(id_index *index, const char *name)
{
    (void)pthread_mutex_lock(&index->mutex);
    for (size_t i = 0; i < index->segments.count; i++) {
        named_segment *item = &index->segments.items[i];
        if (strcmp(item->name, name) == 0) {
            id_segment_unref(item->segment);
            *item = index->segments.items[--index->segments.count];
            break;
        }
    }
    (void)pthread_mutex_unlock(&index->mutex);
    (void)unlinkat(index->dir_fd, name, 0); // one that stays is merged again, which does no harm
}

// --- Putting in order, on the index's thread

// find_newest finds the newest hour of all segments and runs.
static void
find_newest(id_index *index, char out_hour[HOUR_CHARS + 1])
{
    memset(out_hour, 0, HOUR_CHARS + 1);
    (void)pthread_mutex_lock(&index->mutex);
    for (size_t i = 0; i < index->segments.count; i++) {
        const char *name = index->segments.items[i].name;
        if (stem_of(name) > DAY_CHARS && strncmp(name, out_hour, HOUR_CHARS) > 0) {
            memcpy(out_hour, name, HOUR_CHARS);
        }
    }
    for (size_t i = 0; i < index->run_count; i++) {
        char hour[HOUR_CHARS + 1];
        if (!id_run_is_empty(index->runs[i])) {
            format_hour(id_run_wall_ns(index->runs[i]), hour);
            if (strcmp(hour, out_hour) > 0) {
                memcpy(out_hour, hour, HOUR_CHARS);
            }
        }
    }
    (void)pthread_mutex_unlock(&index->mutex);
}

// A group is the runs of an hour with that hour's segment, or the hours of a day with that day's.
typedef struct group {
    char target[NAME_BYTES];
    size_t prefix_chars; // of target
    segment_list items;
} group;

static bool
is_part(const char *name, size_t prefix_chars)
{
    return prefix_chars == HOUR_CHARS ? is_run(name) : is_hour(name);
}

// gather finds a group that is over, before newest: its items have a reference each. Returns
// whether there is one. Takes the mutex.
static lp_err
gather(id_index *index, size_t prefix_chars, const char *newest, group *out)
{
    lp_err err = LP_OK;
    *out = (group){.prefix_chars = prefix_chars};
    (void)pthread_mutex_lock(&index->mutex);
    for (size_t i = 0; i < index->segments.count && out->target[0] == '\0'; i++) {
        const char *name = index->segments.items[i].name;
        if (is_part(name, prefix_chars) && strncmp(name, newest, prefix_chars) < 0) {
            (void)snprintf(out->target, sizeof(out->target), "%.*s.ids", (int)prefix_chars, name);
        }
    }
    for (size_t i = 0; i < index->segments.count && out->target[0] != '\0' && err == LP_OK; i++) {
        const named_segment *from = &index->segments.items[i];
        bool is_in = strcmp(from->name, out->target) == 0 ||
                     (is_part(from->name, prefix_chars) &&
                         strncmp(from->name, out->target, prefix_chars) == 0);
        if (is_in && out->items.count < ID_SEGMENT_MERGED_MAX) {
            named_segment *item = LP_VEC_PUSH(&out->items);
            err = item == NULL ? LP_ENOMEM : LP_OK;
            if (item != NULL) {
                *item = *from;
                (void)id_segment_ref(item->segment);
            }
        }
    }
    (void)pthread_mutex_unlock(&index->mutex);
    return err;
}

static void
group_fini(group *g)
{
    for (size_t i = 0; i < g->items.count; i++) {
        id_segment_unref(g->items.items[i].segment);
    }
    LP_VEC_FINI(&g->items);
}

static lp_err
merge_group(id_index *index, const group *g)
{
    id_segment **segments = calloc(g->items.count + 1, sizeof(*segments));
    if (segments == NULL) {
        return LP_ENOMEM;
    }
    for (size_t i = 0; i < g->items.count; i++) {
        segments[i] = g->items.items[i].segment;
    }
    lp_err err = id_segment_merge(index->dir_fd, g->target, segments, g->items.count);
    free(segments);
    if (err == LP_OK) {
        err = open_segment(index, g->target);
    }
    for (size_t i = 0; i < g->items.count && err == LP_OK; i++) {
        if (strcmp(g->items.items[i].name, g->target) != 0) {
            drop(index, g->items.items[i].name);
        }
    }
    return err;
}

// merge_all merges the groups that are over.
static void
merge_all(id_index *index, size_t prefix_chars, const char *newest, const atomic_bool *is_stopping)
{
    lp_err err = LP_OK;
    bool has_more = true;
    // Orders nothing.
    while (err == LP_OK && has_more && !atomic_load_explicit(is_stopping, memory_order_relaxed)) {
        group g;
        err = gather(index, prefix_chars, newest, &g);
        has_more = g.target[0] != '\0';
        if (err == LP_OK && has_more) {
            err = merge_group(index, &g);
        }
        if (err != LP_OK) {
            complain(index, g.target, "merge", err);
        }
        group_fini(&g);
    }
}

// write_run writes the first run, which does not grow any more, as a segment. Takes the mutex.
static lp_err
write_run(id_index *index, id_run *run)
{
    char name[NAME_BYTES];
    char hour[HOUR_CHARS + 1];
    lp_err err = LP_OK;
    if (!id_run_is_empty(run)) {
        format_hour(id_run_wall_ns(run), hour);
        (void)snprintf(name, sizeof(name), "%s-%" PRIu32 ".ids", hour, id_run_number(run));
        err = id_run_write(run, index->dir_fd, name);
        if (err == LP_OK) {
            err = open_segment(index, name);
        }
        if (err != LP_OK) {
            complain(index, name, "write", err);
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
    char newest[HOUR_CHARS + 1];
    (void)pthread_mutex_lock(&index->mutex);
    uint64_t due = index->due;
    (void)pthread_mutex_unlock(&index->mutex);
    find_newest(index, newest);
    lp_err err = LP_OK;
    for (id_run *run; err == LP_OK && (run = first_run(index)) != NULL;) {
        err = write_run(index, run);
    }
    merge_all(index, HOUR_CHARS, newest, is_stopping);
    merge_all(index, DAY_CHARS, newest, is_stopping);
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
    char hour[HOUR_CHARS + 1];
    char next[HOUR_CHARS + 1];
    if (id_run_is_empty(run)) {
        return false;
    }
    format_hour(id_run_wall_ns(run), hour);
    format_hour(chunk->start_wall_ns, next);
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
            index->dir, chunk->session_id, chunk->ordinal, text_of(err));
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
    static const char digits[] = "0123456789abcdef";
    const finding *f = arg;
    char id[2 * ID_SEGMENT_SESSION_BYTES + 1];
    for (size_t i = 0; i < ID_SEGMENT_SESSION_BYTES; i++) {
        id[2 * i] = digits[chunk->session[i] >> 4];
        id[2 * i + 1] = digits[chunk->session[i] & 15];
    }
    id[sizeof(id) - 1] = '\0';
    f->on_chunk(f->arg, id, chunk->ordinal);
}

lp_err
id_index_find(id_index *index, uint64_t hash, int64_t from_wall_ns, int64_t to_wall_ns,
    void (*on_chunk)(void *arg, const char *session_id, uint32_t ordinal), void *arg,
    size_t *out_searched)
{
    finding f = {on_chunk, arg};
    LP_VEC(id_segment *) held = {0};
    lp_err err = LP_OK;
    size_t searched = 0;
    (void)pthread_mutex_lock(&index->mutex);
    for (size_t i = 0; i < index->run_count; i++, searched++) {
        (void)id_run_find(index->runs[i], hash, from_wall_ns, to_wall_ns, on_found, &f);
    }
    for (size_t i = 0; i < index->segments.count && err == LP_OK; i++) {
        id_segment *segment = index->segments.items[i].segment;
        if (id_segment_has_time(segment, from_wall_ns, to_wall_ns)) {
            id_segment **item = LP_VEC_PUSH(&held);
            err = item == NULL ? LP_ENOMEM : LP_OK;
            if (item != NULL) {
                *item = id_segment_ref(segment);
            }
        }
    }
    (void)pthread_mutex_unlock(&index->mutex);
    for (size_t i = 0; i < held.count; i++, searched++) {
        (void)id_segment_find(held.items[i], hash, on_found, &f);
        id_segment_unref(held.items[i]);
    }
    LP_VEC_FINI(&held);
    *out_searched = searched;
    return err;
}

id_index_counts
id_index_count(id_index *index)
{
    (void)pthread_mutex_lock(&index->mutex);
    id_index_counts counts = {
        .segments = index->segments.count,
        .left_out = index->left_out,
        .unreadable = index->unreadable,
    };
    for (size_t i = 0; i < index->segments.count; i++) {
        counts.entries += id_segment_entry_count(index->segments.items[i].segment);
    }
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
    for (struct dirent *entry; err == LP_OK && (entry = readdir(dir)) != NULL;) {
        err = on_file(index, entry->d_name);
    }
    (void)closedir(dir);
    return err;
}

// leave_out says that a file is damaged, and leaves it for the rebuilding to remove.
static lp_err
leave_out(id_index *index, const char *name, lp_err err)
{
    if (err == LP_ENOMEM) {
        return err;
    }
    if (err != LP_OK) {
        lose(index, &index->unreadable);
        complain(index, name, "read", err);
    }
    return LP_OK;
}

static lp_err
open_file(id_index *index, const char *name)
{
    if (!is_segment(name)) {
        return LP_OK;
    }
    if (is_run(name)) { // the next run must not replace it
        unsigned long number = strtoul(name + HOUR_CHARS + 1, NULL, 10);
        index->next_run = number >= index->next_run ? (uint32_t)number + 1 : index->next_run;
    }
    return leave_out(index, name, open_segment(index, name));
}

static lp_err
open_run(id_index *index, const char *name)
{
    int64_t number = run_number(name);
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
    bool is_ours = is_segment(name) || run_number(name) >= 0 || strcmp(name, whole_name) == 0 ||
                   strstr(name, ".ids.tmp") != NULL;
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
    if (err == LP_OK && mkdir(dir, DIR_MODE) != 0 && errno != EEXIST) {
        err = LP_EIO;
    }
    if (err == LP_OK) {
        index->dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
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
    return lp_problem_set(out_problem, err, "%s: %s", dir, text_of(err));
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
        err = workers_start("loupe-index", 1, 1, &index->thread);
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
    for (size_t i = 0; i < index->segments.count; i++) {
        id_segment_unref(index->segments.items[i].segment);
    }
    LP_VEC_FINI(&index->segments);
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
