// SPDX-License-Identifier: Apache-2.0
#include "collector/index/id_segments.h"

#include "common/base/lp_log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void
id_segments_init(id_segments *segments, const char *dir, int dir_fd)
{
    *segments = (id_segments){.dir = dir, .dir_fd = dir_fd};
    (void)pthread_mutex_init(&segments->mutex, NULL); // cannot fail on Linux
}

void
id_segments_fini(id_segments *segments)
{
    id_segments_release(&segments->items);
    (void)pthread_mutex_destroy(&segments->mutex);
}

const char *
id_segments_text(lp_err err)
{
    return lp_err_reason(err);
}

void
id_segments_complain(const id_segments *segments, const char *name, const char *what, lp_err err)
{
    lp_log(LP_LOG_WARN, "%s/%s: cannot %s: %s; `loupe index --rebuild` makes the index again",
        segments->dir, name, what, id_segments_text(err));
}

// --- Items

// put adds a segment in place of the one with its name, if there is one.
static lp_err
put(id_segments *segments, const char *name, id_segment *segment)
{
    lp_err err = LP_OK;
    (void)pthread_mutex_lock(&segments->mutex);
    id_named_segment *item = NULL;
    for (size_t i = 0; i < segments->items.count && item == NULL; i++) {
        if (strcmp(segments->items.items[i].name, name) == 0) {
            item = &segments->items.items[i];
        }
    }
    if (item == NULL) {
        item = LP_VEC_PUSH(&segments->items);
    }
    if (item == NULL) {
        err = LP_ENOMEM;
        id_segment_unref(segment);
    } else {
        id_segment_unref(item->segment);
        item->segment = segment;
        (void)snprintf(item->name, sizeof(item->name), "%s", name);
    }
    (void)pthread_mutex_unlock(&segments->mutex);
    return err;
}

lp_err
id_segments_open(id_segments *segments, const char *name)
{
    id_segment *segment;
    lp_err err = id_segment_open(segments->dir_fd, name, &segment);
    return err == LP_OK ? put(segments, name, segment) : err;
}

// drop removes a segment and its file.
static void
drop(id_segments *segments, const char *name)
{
    (void)pthread_mutex_lock(&segments->mutex);
    for (size_t i = 0; i < segments->items.count; i++) {
        id_named_segment *item = &segments->items.items[i];
        if (strcmp(item->name, name) == 0) {
            id_segment_unref(item->segment);
            *item = segments->items.items[--segments->items.count];
            break;
        }
    }
    (void)pthread_mutex_unlock(&segments->mutex);
    (void)unlinkat(segments->dir_fd, name, 0); // one that stays is merged again, which does no harm
}

void
id_segments_forget(id_segments *segments, int64_t wall_ns)
{
    (void)pthread_mutex_lock(&segments->mutex);
    for (size_t i = segments->items.count; i > 0; i--) {
        id_named_segment *item = &segments->items.items[i - 1];
        if (!id_segment_has_time(item->segment, wall_ns, INT64_MAX)) {
            id_segment_unref(item->segment);
            (void)unlinkat(segments->dir_fd, item->name, 0); // one that stays is found next time
            *item = segments->items.items[--segments->items.count];
        }
    }
    (void)pthread_mutex_unlock(&segments->mutex);
}

// hold adds an item to out, with a reference.
static lp_err
hold(const id_named_segment *from, id_named_segments *out)
{
    id_named_segment *item = LP_VEC_PUSH(out);
    if (item == NULL) {
        return LP_ENOMEM;
    }
    *item = *from;
    (void)id_segment_ref(item->segment);
    return LP_OK;
}

lp_err
id_segments_hold(
    id_segments *segments, int64_t from_wall_ns, int64_t to_wall_ns, id_named_segments *out)
{
    lp_err err = LP_OK;
    (void)pthread_mutex_lock(&segments->mutex);
    for (size_t i = 0; i < segments->items.count && err == LP_OK; i++) {
        const id_named_segment *item = &segments->items.items[i];
        if (id_segment_has_time(item->segment, from_wall_ns, to_wall_ns)) {
            err = hold(item, out);
        }
    }
    (void)pthread_mutex_unlock(&segments->mutex);
    return err;
}

void
id_segments_release(id_named_segments *held)
{
    for (size_t i = 0; i < held->count; i++) {
        id_segment_unref(held->items[i].segment);
    }
    LP_VEC_FINI(held);
}

size_t
id_segments_count(id_segments *segments, uint64_t *out_entries)
{
    *out_entries = 0;
    (void)pthread_mutex_lock(&segments->mutex);
    size_t count = segments->items.count;
    for (size_t i = 0; i < count; i++) {
        *out_entries += id_segment_entry_count(segments->items.items[i].segment);
    }
    (void)pthread_mutex_unlock(&segments->mutex);
    return count;
}

void
id_segments_find_newest(id_segments *segments, char out_hour[ID_NAME_HOUR_CHARS + 1])
{
    (void)pthread_mutex_lock(&segments->mutex);
    for (size_t i = 0; i < segments->items.count; i++) {
        const char *name = segments->items.items[i].name;
        if (id_name_has_hour(name) && strncmp(name, out_hour, ID_NAME_HOUR_CHARS) > 0) {
            memcpy(out_hour, name, ID_NAME_HOUR_CHARS);
        }
    }
    (void)pthread_mutex_unlock(&segments->mutex);
}

// --- Merging

// A group is the runs of an hour with that hour's segment, or the hours of a day with that day's.
typedef struct group {
    char target[ID_NAME_BYTES];
    id_named_segments items;
} group;

static bool
is_part(const char *name, size_t prefix_chars)
{
    return prefix_chars == ID_NAME_HOUR_CHARS ? id_name_is_run(name) : id_name_is_hour(name);
}

// gather finds a group that is over, before newest; it has no target if there is none.
static lp_err
gather(id_segments *segments, size_t prefix_chars, const char *newest, group *out)
{
    lp_err err = LP_OK;
    *out = (group){0};
    (void)pthread_mutex_lock(&segments->mutex);
    for (size_t i = 0; i < segments->items.count && out->target[0] == '\0'; i++) {
        const char *name = segments->items.items[i].name;
        if (is_part(name, prefix_chars) && strncmp(name, newest, prefix_chars) < 0) {
            (void)snprintf(out->target, sizeof(out->target), "%.*s.ids", (int)prefix_chars, name);
        }
    }
    for (size_t i = 0; i < segments->items.count && out->target[0] != '\0' && err == LP_OK; i++) {
        const id_named_segment *item = &segments->items.items[i];
        bool is_in = strcmp(item->name, out->target) == 0 ||
                     (is_part(item->name, prefix_chars) &&
                         strncmp(item->name, out->target, prefix_chars) == 0);
        if (is_in && out->items.count < ID_SEGMENT_MERGED_MAX) {
            err = hold(item, &out->items);
        }
    }
    (void)pthread_mutex_unlock(&segments->mutex);
    return err;
}

static lp_err
merge_group(id_segments *segments, const group *g)
{
    id_segment **parts = calloc(g->items.count + 1, sizeof(*parts));
    if (parts == NULL) {
        return LP_ENOMEM;
    }
    for (size_t i = 0; i < g->items.count; i++) {
        parts[i] = g->items.items[i].segment;
    }
    lp_err err = id_segment_merge(segments->dir_fd, g->target, parts, g->items.count);
    free(parts);
    if (err == LP_OK) {
        err = id_segments_open(segments, g->target);
    }
    for (size_t i = 0; i < g->items.count && err == LP_OK; i++) {
        if (strcmp(g->items.items[i].name, g->target) != 0) {
            drop(segments, g->items.items[i].name);
        }
    }
    return err;
}

// merge_all merges the groups of hours, or of days, that are over.
static void
merge_all(
    id_segments *segments, size_t prefix_chars, const char *newest, const atomic_bool *is_stopping)
{
    lp_err err = LP_OK;
    bool has_more = true;
    // Orders nothing.
    while (err == LP_OK && has_more && !atomic_load_explicit(is_stopping, memory_order_relaxed)) {
        group g;
        err = gather(segments, prefix_chars, newest, &g);
        has_more = g.target[0] != '\0';
        if (err == LP_OK && has_more) {
            err = merge_group(segments, &g);
        }
        if (err != LP_OK) {
            id_segments_complain(segments, g.target, "merge", err);
        }
        id_segments_release(&g.items);
    }
}

void
id_segments_merge(id_segments *segments, const char *newest, const atomic_bool *is_stopping)
{
    merge_all(segments, ID_NAME_HOUR_CHARS, newest, is_stopping);
    merge_all(segments, ID_NAME_DAY_CHARS, newest, is_stopping);
}
