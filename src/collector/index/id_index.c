// SPDX-License-Identifier: Apache-2.0
#include "collector/index/id_index.h"

#include "collector/base/metrics.h"
#include "collector/base/workers.h"
#include "collector/index/id_filter.h"
#include "collector/index/id_gather.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_io.h"
#include "common/base/lp_large.h"
#include "common/base/lp_log.h"
#include "common/base/lp_order.h"
#include "common/base/lp_time_scale.h"
#include "common/base/lp_vec.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { FILE_MODE = 0640 };

typedef struct segment_name {
    char text[CATALOG_SEGMENT_NAME_BYTES];
} segment_name;

typedef LP_VEC(segment_name) segment_names;

static lp_err
add_name(segment_names *names, const char *name)
{
    segment_name item;
    (void)snprintf(item.text, sizeof(item.text), "%s", name);
    return LP_VEC_ADD(names, item);
}

struct id_index {
    id_segments segments;
    id_filter *eliminated;
    char *catalog_place;
    workers *thread;
    // Of the loop
    id_rows rows;          // the collector's name stays as it is
    uint64_t look_mono_ms; // of the next look

    pthread_mutex_t mutex; // of is_looking
    bool is_looking;       // while it is set the thread uses the rest, else the loop
    int64_t looking_hour;  // at the start of the look; earlier hours have ended
    // Of the last look, for the loop to commit
    LP_VEC(id_gathered) gathered;
    segment_names deleted; // segments with deleted objects
    segment_names expired; // segments without chunks
};

static void
index_check(const id_index *self)
{
    LP_ASSERT(self->catalog_place != NULL && self->eliminated != NULL);
}

// --- Looking, on the index's thread

// A look for work.
typedef struct look {
    id_index *self;
    int64_t hour;
    LP_VEC(id_gather_group) groups;
    LP_VEC(catalog_segment) segments;
    segment_names leaving;
    segment_names flat;    // file names of both
    int64_t first_wall_ns; // start of the first chunk
    lp_err err;            // of a callback
} look;

static void
note_group(void *arg, const catalog_ids_group *group)
{
    look *l = arg;
    bool is_own = strcmp(group->collector, l->self->rows.collector) == 0;
    bool is_over = group->hour < l->hour - (is_own ? 0 : ID_INDEX_ADOPT_HOURS);
    bool is_large = is_own && id_gather_is_large(&l->self->segments, group->id_count);
    if ((!is_over && !is_large) || strlen(group->collector) != ID_GATHER_COLLECTOR_CHARS) {
        return;
    }
    id_gather_group item = {.hour = group->hour, .id_count = group->id_count};
    memcpy(item.collector, group->collector, sizeof(item.collector));
    LP_THEN(l->err, LP_VEC_ADD(&l->groups, item));
}

static void
note_segment(void *arg, const catalog_segment *segment)
{
    look *l = arg;
    LP_THEN(l->err, LP_VEC_ADD(&l->segments, *segment));
}

static void
note_leaving(void *arg, const char *name)
{
    look *l = arg;
    LP_THEN(l->err, add_name(&l->leaving, name));
}

// read_catalog reads the input of a look. It reads segments before the first chunk, so it misses
// the segments of chunks that are added in between.
static lp_err
read_catalog(look *l, catalog *from)
{
    lp_err err = catalog_ids_list_groups(from, note_group, l);
    LP_THEN(err, catalog_segments_list(from, INT64_MIN, INT64_MAX, note_segment, l));
    LP_THEN(err, catalog_segments_list_leaving(from, note_leaving, l));
    LP_THEN(err, catalog_ids_first_start(from, &l->first_wall_ns));
    if (err == LP_ENOENT) { // nothing is kept
        l->first_wall_ns = INT64_MAX;
        err = LP_OK;
    }
    return err == LP_OK ? l->err : err;
}

static bool
is_stopped(const atomic_bool *is_stopping)
{
    return atomic_load_explicit(is_stopping, memory_order_relaxed); // orders nothing
}

static void
note_gathered(id_index *self, const id_gathered *gathered)
{
    metrics_add(METRICS_index_segments_written, 1);
    (void)LP_VEC_ADD(&self->gathered, *gathered); // without memory, the next time
}

// gather stores segments for the loop to commit. A segment whose object this look deletes is stored
// by a later look, when the catalog has forgotten it.
static void
gather(look *l, catalog *from, const atomic_bool *is_stopping)
{
    id_index *self = l->self;
    lp_err err = LP_OK;
    for (size_t i = 0; i < l->groups.count && err == LP_OK && !is_stopped(is_stopping); i++) {
        id_gathered gathered;
        err = id_gather_put(&self->segments, from, &l->groups.items[i], &gathered);
        if (err == LP_OK && !LP_ANY(l->leaving.items, l->leaving.count,
                                strcmp(at->text, gathered.segment.name) == 0)) {
            note_gathered(self, &gathered);
        } else if (err != LP_OK && err != LP_ENOENT) {
            lp_log(LP_LOG_WARN,
                "the ids of an hour cannot be put into a segment: %s; trying again in %d s",
                lp_err_reason(err), ID_INDEX_LOOK_MS / 1000);
        } else {
            err = LP_OK;
        }
    }
}

static void
delete_leaving(look *l, const atomic_bool *is_stopping)
{
    id_index *self = l->self;
    lp_err err = LP_OK;
    size_t count = l->leaving.count < ID_INDEX_GOING_MAX ? l->leaving.count : ID_INDEX_GOING_MAX;
    for (size_t i = 0; i < count && err == LP_OK && !is_stopped(is_stopping); i++) {
        err = id_segments_delete(&self->segments, l->leaving.items[i].text);
        if (err == LP_OK) { // without memory the next look does it
            (void)add_name(&self->deleted, l->leaving.items[i].text);
        }
    }
}

// find_expired finds the segments of which all chunks were deleted, for the loop to mark as
// leaving.
static void
find_expired(look *l)
{
    id_index *self = l->self;
    for (size_t i = 0; i < l->segments.count && self->expired.count < ID_INDEX_GOING_MAX; i++) {
        if (l->segments.items[i].to_wall_ns < l->first_wall_ns) {
            (void)add_name(&self->expired, l->segments.items[i].name); // or the next look
        }
    }
}

LP_COMPARE(compare_names, segment_name, strcmp(one->text, other->text))

static bool
is_of_catalog(const void *arg, const char *flat_name)
{
    const look *l = arg;
    segment_name key;
    (void)snprintf(key.text, sizeof(key.text), "%s", flat_name);
    return l->flat.count > 0 &&
           bsearch(&key, l->flat.items, l->flat.count, sizeof(key), compare_names) != NULL;
}

// note_flat adds the file name of a segment.
static void
note_flat(look *l, const char *name)
{
    char flat[ID_FILES_NAME_BYTES];
    id_files_flatten(name, flat);
    LP_THEN(l->err, add_name(&l->flat, flat));
}

// drop_unknown removes the files of segments that the catalog does not have. It runs before this
// look makes any; earlier segments are committed or refused.
static void
drop_unknown(look *l)
{
    for (size_t i = 0; i < l->segments.count; i++) {
        note_flat(l, l->segments.items[i].name);
    }
    for (size_t i = 0; i < l->leaving.count; i++) {
        note_flat(l, l->leaving.items[i].text);
    }
    LP_QSORT(l->flat.items, l->flat.count, compare_names);
    if (l->err == LP_OK) {
        id_segments_keep(&l->self->segments, is_of_catalog, l);
    }
}

// fetch_heads fetches the newest missing heads that fit the cache. One more would be dropped at
// once, and fetched by each look.
static void
fetch_heads(look *l, const atomic_bool *is_stopping)
{
    uint64_t bytes = 0;
    size_t count = l->segments.count;
    size_t first = count;
    while (first > 0 && count - first < ID_FILES_FILES_MAX &&
           bytes + l->segments.items[first - 1].head_bytes <= ID_FILES_BYTES_MAX) {
        bytes += l->segments.items[--first].head_bytes;
    }
    id_segments_fetch_heads(
        &l->self->segments, l->segments.items + first, count - first, is_stopping);
}

static void
look_around(void *arg, const atomic_bool *is_stopping)
{
    id_index *self = arg;
    catalog *from;
    look l = {.self = self, .hour = self->looking_hour};
    LP_ASSERT(
        self->gathered.count + self->deleted.count + self->expired.count == 0); // all is committed
    lp_large_begin(id_files_get_directory(self->segments.files), LP_LARGE_BYTES);
    lp_err err = catalog_open_reader(self->catalog_place, &from, NULL);
    if (err == LP_OK) {
        err = read_catalog(&l, from);
        if (err == LP_OK) {
            drop_unknown(&l);
            gather(&l, from, is_stopping);
        }
        catalog_close(from);
    }
    if (err == LP_OK) {
        find_expired(&l);
        delete_leaving(&l, is_stopping);
        fetch_heads(&l, is_stopping);
    }
    LP_VEC_FINI(&l.groups);
    LP_VEC_FINI(&l.segments);
    LP_VEC_FINI(&l.leaving);
    LP_VEC_FINI(&l.flat);
    lp_large_end();
    (void)pthread_mutex_lock(&self->mutex);
    self->is_looking = false;
    (void)pthread_mutex_unlock(&self->mutex);
}

// --- Committing, on the loop

// commit_gathered commits the segments of the last look. Returns whether there were any.
static bool
commit_gathered(id_index *self, catalog *to)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < self->gathered.count && err == LP_OK; i++) {
        err = id_gather_commit(to, &self->gathered.items[i]);
    }
    if (err != LP_OK) { // the same objects are found there the next time
        lp_log(LP_LOG_WARN,
            "a segment of the index cannot be written to the catalog: %s; trying again in %d s",
            lp_err_reason(err), ID_INDEX_LOOK_MS / 1000);
    }
    bool is_done = err == LP_OK && self->gathered.count > 0;
    self->gathered.count = 0;
    return is_done;
}

// commit_removals drops segments with deleted objects from the catalog, and marks expired ones as
// leaving.
static void
commit_removals(id_index *self, catalog *to)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < self->deleted.count && err == LP_OK; i++) {
        err = catalog_segments_drop(to, self->deleted.items[i].text);
    }
    for (size_t i = 0; i < self->expired.count && err == LP_OK; i++) {
        err = catalog_segments_leave(to, self->expired.items[i].text);
    }
    self->deleted.count = 0;
    self->expired.count = 0;
    if (err != LP_OK) {
        lp_log(LP_LOG_WARN, "segments of the index cannot be removed from the catalog: %s",
            lp_err_reason(err)); // the next look finds them again
    }
}

catalog_chunk_ids
id_index_note(id_index *self, int64_t start_wall_ns, const rollup_ids *noted, int64_t now_wall_ns)
{
    index_check(self);
    for (size_t i = 0; i < noted->dropped.count; i++) {
        id_filter_add(self->eliminated, noted->dropped.items[i], start_wall_ns);
    }
    id_rows_pass_hour(&self->rows, now_wall_ns);
    return id_rows_make(&self->rows, noted->kept.items, noted->kept.count);
}

void
id_index_tick(id_index *self, catalog *to, int64_t now_wall_ns, uint64_t now_mono_ms)
{
    index_check(self);
    bool is_due = now_mono_ms >= self->look_mono_ms;
    (void)pthread_mutex_lock(&self->mutex);
    bool is_looking = self->is_looking;
    if (!is_looking) {
        is_due = commit_gathered(self, to) || is_due; // there may be more of them
        commit_removals(self, to);
    }
    if (is_due && !is_looking) {
        id_rows_pass_hour(&self->rows, now_wall_ns);
        self->looking_hour = self->rows.hour;
        self->is_looking = true;
    }
    (void)pthread_mutex_unlock(&self->mutex);
    if (is_due && !is_looking) {
        self->look_mono_ms = now_mono_ms + lp_time_scale_ms(ID_INDEX_LOOK_MS);
        lp_err err = workers_push(self->thread, look_around, self);
        LP_ASSERT(err == LP_OK); // there is one at a time
    }
}

// --- Searching

lp_err
id_index_find(id_index *self, catalog *from, const id_search *search, id_search_seen *seen,
    id_search_counts *out_counts)
{
    index_check(self);
    return id_search_run(&self->segments, from, search, seen, out_counts);
}

bool
id_index_is_eliminated(id_index *self, uint64_t hash, int64_t *out_since_wall_ns)
{
    index_check(self);
    *out_since_wall_ns = id_filter_since_ns(self->eliminated);
    return id_filter_has(self->eliminated, hash);
}

// --- Life

// make_name creates and writes the collector's name.
static lp_err
make_name(id_index *self, int dir_fd)
{
    uint64_t random;
    LP_REQUIRE(getrandom(&random, sizeof(random), 0) == (ssize_t)sizeof(random), LP_EIO);
    (void)snprintf(self->rows.collector, sizeof(self->rows.collector), "%016" PRIx64, random);
    int fd = openat(dir_fd, "collector", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, FILE_MODE);
    LP_REQUIRE(fd >= 0, LP_EIO);
    const lp_slice text = {(const uint8_t *)self->rows.collector, ID_GATHER_COLLECTOR_CHARS};
    lp_err err = lp_io_write_all(fd, text);
    lp_io_close(fd);
    return err;
}

// read_name reads the collector's name. If it is missing or cut, it makes another one, which does
// no harm.
static lp_err
read_name(id_index *self, bool *out_is_new)
{
    int dir_fd = id_files_get_directory(self->segments.files);
    char text[ID_GATHER_COLLECTOR_CHARS + 1] = "";
    int fd = openat(dir_fd, "collector", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    LP_REQUIRE(fd >= 0 || errno == ENOENT, LP_EIO);
    ssize_t size = fd < 0 ? 0 : lp_io_read(fd, text, ID_GATHER_COLLECTOR_CHARS);
    lp_io_close(fd);
    bool is_name = size == ID_GATHER_COLLECTOR_CHARS &&
                   strspn(text, "0123456789abcdef") == ID_GATHER_COLLECTOR_CHARS;
    *out_is_new = !is_name;
    if (!is_name) {
        return make_name(self, dir_fd);
    }
    memcpy(self->rows.collector, text, sizeof(text));
    return LP_OK;
}

lp_err
id_index_open(
    const id_index_config *config, id_index **out_index, bool *out_is_new, lp_problem *out_problem)
{
    LP_ASSERT(config->dir != NULL && config->catalog_place != NULL);
    id_index *self = calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, lp_problem_set(out_problem, LP_ENOMEM, "out of memory"));
    (void)pthread_mutex_init(&self->mutex, NULL); // cannot fail on Linux
    self->catalog_place = strdup(config->catalog_place);
    self->eliminated = id_filter_create();
    lp_err err = self->catalog_place == NULL || self->eliminated == NULL
                     ? lp_problem_set(out_problem, LP_ENOMEM, "out of memory")
                     : id_segments_open(&self->segments, config->dir, config->store, out_problem);
    if (err == LP_OK) {
        err = read_name(self, out_is_new);
        LP_THEN(err, workers_start("loupe-index", WORKERS_BEHIND, 1, 1, &self->thread));
        if (err != LP_OK) {
            (void)lp_problem_set(out_problem, err, "%s: %s", config->dir, lp_err_reason(err));
        }
    }
    if (err != LP_OK) {
        id_index_close(self);
        return err;
    }
    *out_index = self;
    return LP_OK;
}

void
id_index_interrupt(id_index *self)
{
    if (id_segments_is_remote(&self->segments)) {
        s3_client_interrupt(self->segments.client, ID_INDEX_END_MS);
    }
}

void
id_index_close(id_index *self)
{
    if (self == NULL) {
        return;
    }
    workers_stop(self->thread);
    LP_VEC_FINI(&self->gathered);
    LP_VEC_FINI(&self->deleted);
    LP_VEC_FINI(&self->expired);
    id_segments_close(&self->segments);
    id_filter_destroy(self->eliminated);
    free(self->catalog_place);
    (void)pthread_mutex_destroy(&self->mutex);
    free(self);
}
