// SPDX-License-Identifier: Apache-2.0
#include "collector/index/id_objects.h"

#include "collector/base/workers.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_io.h"
#include "common/base/lp_log.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEY_BYTES = sizeof(ID_OBJECTS_FOLDER) + CATALOG_SEGMENT_NAME_BYTES };

_Static_assert((int)ID_CACHE_NAME_BYTES >= (int)CATALOG_SEGMENT_NAME_BYTES, "no name is cut");

lp_err
id_objects_open(
    id_objects *self, const char *dir, const s3_client_config *store, lp_problem *out_problem)
{
    *self = (id_objects){.client = NULL};
    (void)pthread_mutex_init(&self->mutex, NULL); // these cannot fail on Linux
    (void)pthread_cond_init(&self->fetched, NULL);
    self->is_open = true;
    lp_err err = id_cache_open(dir, ID_CACHE_BYTES_MAX, &self->cache, out_problem);
    return err == LP_OK ? s3_client_create(store, &self->client, out_problem) : err;
}

void
id_objects_close(id_objects *self)
{
    s3_client_destroy(self->client);
    id_cache_close(self->cache);
    if (self->is_open) {
        LP_VEC_FINI(&self->fetches);
        (void)pthread_cond_destroy(&self->fetched);
        (void)pthread_mutex_destroy(&self->mutex);
    }
    *self = (id_objects){.client = NULL};
}

static void
format_key(const char *name, char out_key[KEY_BYTES])
{
    (void)snprintf(out_key, KEY_BYTES, "%s%s", ID_OBJECTS_FOLDER, name);
}

static void
close_keeping_errno(int fd)
{
    int error = errno;
    (void)close(fd);
    errno = error;
}

// --- Heads

typedef struct filling {
    id_objects *of;
    const catalog_segment *segment;
    lp_slice bytes; // of the whole object, where they are known
} filling;

static lp_err
fetch_head(void *arg, int fd)
{
    const filling *f = arg;
    char key[KEY_BYTES];
    if (f->segment->head_bytes == 0 || f->segment->head_bytes > ID_OBJECT_HEAD_BYTES_MAX) {
        return LP_ECORRUPT;
    }
    format_key(f->segment->name, key);
    return s3_client_get_range(f->of->client, key, 0, f->segment->head_bytes, fd);
}

static lp_err
copy_head(void *arg, int fd)
{
    const filling *f = arg;
    return lp_io_write_all(fd, (lp_slice){f->bytes.ptr, (size_t)f->segment->head_bytes});
}

// find_fetch returns the place of a segment among those on their way, or NULL. Under the mutex.
static const char **
find_fetch(id_objects *self, const char *name)
{
    for (size_t i = 0; i < self->fetches.count; i++) {
        if (strcmp(self->fetches.items[i], name) == 0) {
            return &self->fetches.items[i];
        }
    }
    return NULL;
}

// begin_fetch waits until nobody else fetches a head, and returns it, if that worked: LP_ENOENT:
// the caller is to fetch it, and ends that with end_fetch.
static lp_err
begin_fetch(id_objects *self, const char *name, id_head **out_head)
{
    (void)pthread_mutex_lock(&self->mutex);
    while (find_fetch(self, name) != NULL) {
        (void)pthread_cond_wait(&self->fetched, &self->mutex);
    }
    lp_err err = id_cache_find(self->cache, name, out_head);
    if (err == LP_ENOENT) {
        const char **item = LP_VEC_PUSH(&self->fetches);
        err = item == NULL ? LP_ENOMEM : err;
        if (item != NULL) {
            *item = name;
        }
    }
    (void)pthread_mutex_unlock(&self->mutex);
    return err;
}

static void
end_fetch(id_objects *self, const char *name)
{
    (void)pthread_mutex_lock(&self->mutex);
    *find_fetch(self, name) = self->fetches.items[self->fetches.count - 1];
    self->fetches.count--;
    (void)pthread_cond_broadcast(&self->fetched);
    (void)pthread_mutex_unlock(&self->mutex);
}

lp_err
id_objects_get_head(id_objects *self, const catalog_segment *segment, id_head **out_head)
{
    filling f = {.of = self, .segment = segment};
    lp_err err = id_cache_find(self->cache, segment->name, out_head);
    err = err == LP_ENOENT ? begin_fetch(self, segment->name, out_head) : err;
    if (err == LP_ENOENT) {
        err = id_cache_fill(self->cache, segment->name, fetch_head, &f, out_head);
        int error = errno;
        end_fetch(self, segment->name);
        errno = error;
    }
    return err;
}

// Heads that are fetched by several threads.
typedef struct fetching {
    id_objects *of;
    const catalog_segment *segments;
    size_t count;
    atomic_size_t next;   // segment; orders nothing, as is the next one
    atomic_bool is_ended; // one cannot be had
} fetching;

static void
fetch_some(void *arg, const atomic_bool *is_stopping)
{
    (void)is_stopping; // who waits for it stops it at once
    fetching *f = arg;
    for (size_t i; !atomic_load_explicit(&f->is_ended, memory_order_relaxed) &&
                   (i = atomic_fetch_add_explicit(&f->next, 1, memory_order_relaxed)) < f->count;) {
        id_head *head;
        if (id_cache_has(f->of->cache, f->segments[i].name)) {
            continue;
        }
        lp_err err = id_objects_get_head(f->of, &f->segments[i], &head);
        if (err == LP_OK) {
            id_cache_give_back(f->of->cache, head);
        } else if (err == LP_EIO || err == LP_ENOMEM) { // as for the next one, as a rule
            atomic_store_explicit(&f->is_ended, true, memory_order_relaxed);
        }
    }
}

void
id_objects_fetch_heads(id_objects *self, const catalog_segment *segments, size_t count)
{
    fetching f = {.of = self, .segments = segments, .count = count};
    size_t missing = 0;
    for (size_t i = 0; i < count && missing < ID_OBJECTS_AT_ONCE; i++) {
        missing += !id_cache_has(self->cache, segments[i].name);
    }
    workers *threads;
    if (missing < 2 ||
        workers_start("loupe-heads", WORKERS_NORMAL, missing, missing, &threads) != LP_OK) {
        fetch_some(&f, NULL);
        return;
    }
    for (size_t i = 0; i < missing; i++) {
        lp_err ignored = workers_push(threads, fetch_some, &f); // the others do it
        (void)ignored;
    }
    workers_stop(threads);
}

// --- Searching

// read_block reads a block into bytes, which are cleared.
static lp_err
read_block(id_objects *self, const char *name, id_object_place place, lp_buf *bytes)
{
    char key[KEY_BYTES];
    int fd;
    format_key(name, key);
    lp_buf_clear(bytes);
    uint8_t *to = lp_buf_extend(bytes, (size_t)place.size_bytes);
    lp_err err = to == NULL ? LP_ENOMEM : id_cache_make_file(self->cache, &fd);
    if (err != LP_OK) {
        return err;
    }
    err = s3_client_get_range(self->client, key, place.offset, place.size_bytes, fd);
    if (err == LP_OK) {
        ssize_t size = lp_io_pread(fd, to, (size_t)place.size_bytes, 0);
        bool is_whole = size >= 0 && (size_t)size == place.size_bytes;
        err = is_whole ? LP_OK : size < 0 ? LP_EIO : LP_ECORRUPT; // it is cut
    }
    close_keeping_errno(fd);
    return err;
}

lp_err
id_objects_search(id_objects *self, const catalog_segment *segment, uint64_t hash,
    void (*on_chunk)(void *arg, const id_segment_chunk *chunk), void *arg)
{
    id_head *head;
    lp_buf bytes = {0};
    lp_err err = id_objects_get_head(self, segment, &head);
    if (err != LP_OK) {
        return err;
    }
    const id_object *object = id_head_get(head);
    if (id_object_may_have(object, hash)) {
        uint32_t count;
        uint32_t first = id_object_find(object, hash, &count);
        for (uint32_t i = first; i < first + count && err == LP_OK; i++) {
            err = read_block(self, segment->name, id_object_get_place(object, i), &bytes);
            if (err == LP_OK) {
                err = id_object_search(object, i, lp_buf_slice(&bytes), hash, on_chunk, arg);
            }
        }
    }
    int error = errno;
    lp_buf_fini(&bytes);
    id_cache_give_back(self->cache, head);
    errno = error;
    return err;
}

void
id_objects_complain(id_objects *self, const catalog_segment *segment, lp_err why)
{
    uint64_t name = lp_hash_text(LP_HASH_FIXED, segment->name);
    if (atomic_exchange_explicit(&self->complained, name, memory_order_relaxed) != name) {
        lp_log(LP_LOG_WARN,
            "%s%s: cannot read: %s; searches read its chunks instead; `loupe index --rebuild` "
            "makes it again",
            ID_OBJECTS_FOLDER, segment->name, lp_err_text(why));
    }
}

// --- Objects

lp_err
id_objects_put(id_objects *self, const catalog_segment *segment, lp_slice bytes)
{
    char key[KEY_BYTES];
    format_key(segment->name, key);
    lp_err err = s3_client_put_new(self->client, key, bytes);
    err = err == LP_EIO && errno == EEXIST ? LP_OK : err; // its name is that of its content
    if (err == LP_OK) {                                   // without it, it is fetched
        filling f = {.of = self, .segment = segment, .bytes = bytes};
        lp_err ignored = id_cache_fill(self->cache, segment->name, copy_head, &f, NULL);
        (void)ignored;
    }
    return err;
}

static void
ignore_chunk(void *arg, const id_segment_chunk *chunk)
{
    (void)arg;
    (void)chunk;
}

// check_bytes checks a whole object.
static lp_err
check_bytes(const catalog_segment *segment, lp_slice bytes)
{
    id_object object;
    if (bytes.len != segment->size_bytes || segment->head_bytes > bytes.len) {
        return LP_ECORRUPT;
    }
    lp_err err = id_object_open((lp_slice){bytes.ptr, (size_t)segment->head_bytes}, &object);
    for (uint32_t i = 0; err == LP_OK && i < object.header->block_count; i++) {
        const id_object_place place = id_object_get_place(&object, i);
        bool is_there = place.offset + place.size_bytes <= bytes.len;
        const lp_slice block = {bytes.ptr + place.offset, (size_t)place.size_bytes};
        err = is_there ? id_object_search(&object, i, block, 0, ignore_chunk, NULL) : LP_ECORRUPT;
    }
    return err;
}

static lp_err
check_file(const catalog_segment *segment, int fd)
{
    struct stat info;
    if (fstat(fd, &info) != 0) {
        return LP_EIO;
    }
    if ((uint64_t)info.st_size != segment->size_bytes || info.st_size == 0) {
        return LP_ECORRUPT;
    }
    void *map = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED) {
        return errno == ENOMEM ? LP_ENOMEM : LP_EIO;
    }
    lp_err err = check_bytes(segment, (lp_slice){map, (size_t)info.st_size});
    (void)munmap(map, (size_t)info.st_size);
    return err;
}

lp_err
id_objects_check(id_objects *self, const catalog_segment *segment)
{
    char key[KEY_BYTES];
    int fd;
    format_key(segment->name, key);
    lp_err err = id_cache_make_file(self->cache, &fd);
    if (err != LP_OK) {
        return err;
    }
    err = s3_client_get(self->client, key, fd);
    err = err == LP_OK ? check_file(segment, fd) : err;
    close_keeping_errno(fd);
    return err;
}

lp_err
id_objects_delete(id_objects *self, const char *name)
{
    char key[KEY_BYTES];
    format_key(name, key);
    return s3_client_delete(self->client, key);
}
