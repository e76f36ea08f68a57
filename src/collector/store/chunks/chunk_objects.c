// SPDX-License-Identifier: Apache-2.0
#include "collector/store/chunks/chunk_objects.h"

#include "collector/store/blob_pack.h"
#include "collector/store/catalog/catalog.h"
#include "collector/store/chunks/chunk_files.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_io.h"
#include "common/base/lp_vec.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define OBJECTS_BEGIN "packs/"
#define OBJECTS_END   ".pack"

enum {
    KEY_BYTES = CATALOG_ID_CHARS + sizeof("/4294967295.jfr.zst"),
    OBJECT_KEY_CHARS = BLOB_OBJECT_CHARS + sizeof(OBJECTS_BEGIN) - 1 + sizeof(OBJECTS_END) - 1,
};
_Static_assert((int)OBJECT_KEY_CHARS < (int)KEY_BYTES, "there is room for both kinds of keys");

typedef enum removal_state {
    REMOVAL_NONE, // a free slot
    REMOVAL_WAITS,
    REMOVAL_RUNS,
    REMOVAL_DONE, // until the caller fetches the result
} removal_state;

typedef struct object_removal {
    removal_state state;
    char key[KEY_BYTES]; // if it ends with a slash, a prefix of keys
    int error;           // 0: deleted
    uint64_t number;     // the lowest is next
} object_removal;

typedef struct chunk_objects {
    chunk_store base;
    s3_client *client;
    int dir_fd;
    bool has_thread;
    pthread_t thread;      // runs the removals
    pthread_mutex_t mutex; // of the fields below
    pthread_cond_t changed;
    bool is_closing;
    uint64_t last_number;
    object_removal removals[CHUNK_OBJECTS_REMOVALS_MAX];
} chunk_objects;

// objects_check returns the driver's object.
static chunk_objects *
objects_check(const chunk_store *store)
{
    chunk_objects *self = (chunk_objects *)(uintptr_t)store; // base is its first member
    LP_ASSERT(self->base.ops != NULL && self->dir_fd >= 0);
    LP_ASSERT(self->client != NULL && self->has_thread);
    return self;
}

// Use .text of a call's result within the same expression.
typedef struct object_key {
    char text[KEY_BYTES];
} object_key;

static object_key
key_of(const char *session_id, uint32_t ordinal)
{
    object_key key;
    (void)snprintf(key.text, sizeof(key.text), "%s/%" PRIu32 ".jfr.zst", session_id, ordinal);
    return key;
}

static object_key
key_of_object(const char *object)
{
    object_key key;
    (void)snprintf(key.text, sizeof(key.text), OBJECTS_BEGIN "%s" OBJECTS_END, object);
    return key;
}

// --- Chunks

static const char *
get_name(const chunk_store *store)
{
    return s3_client_get_url(objects_check(store)->client)->name;
}

static lp_err
check(chunk_store *store)
{
    return s3_client_check(objects_check(store)->client);
}

// map_file maps the first size_bytes of a file, which the caller ends with unmap. Errors: LP_EIO
// with errno
static lp_err
map_file(int fd, uint64_t size_bytes, lp_slice *out_bytes)
{
    const void *bytes = mmap(NULL, (size_t)size_bytes, PROT_READ, MAP_SHARED, fd, 0);
    *out_bytes = (lp_slice){bytes, (size_t)size_bytes};
    return bytes == MAP_FAILED ? LP_EIO : LP_OK;
}

static void
unmap(lp_slice bytes)
{
    int error = errno;
    (void)munmap((void *)(uintptr_t)bytes.ptr, bytes.len);
    errno = error;
}

static lp_err
put(chunk_store *store, const char *session_id, uint32_t ordinal, lp_slice bytes,
    uint64_t *out_stored_bytes)
{
    const chunk_objects *self = objects_check(store);
    int fd;
    lp_slice packed;
    uint64_t stored_bytes;
    LP_TRY(chunk_files_make(self->dir_fd, &fd));
    lp_err err = blob_pack_write(fd, bytes, &stored_bytes);
    LP_THEN(err, map_file(fd, stored_bytes, &packed));
    if (err == LP_OK) {
        err = s3_client_put(self->client, key_of(session_id, ordinal).text, packed);
        unmap(packed);
    }
    lp_io_close(fd);
    if (err == LP_OK) {
        *out_stored_bytes = stored_bytes;
    }
    return err;
}

static lp_err
get_chunk(const chunk_objects *self, const blob_name *name, int to_fd)
{
    const blob_place *place = &name->place;
    return place->object[0] == '\0'
               ? s3_client_get(self->client, key_of(name->session_id, name->ordinal).text, to_fd)
               : s3_client_get_range(self->client, key_of_object(place->object).text, place->offset,
                     name->stored_bytes, to_fd);
}

static lp_err
open_chunk(chunk_store *store, const blob_name *name, int *out_fd)
{
    const chunk_objects *self = objects_check(store);
    int fd;
    lp_err err = chunk_files_make(self->dir_fd, &fd);
    LP_THEN(err, get_chunk(self, name, fd));
    LP_THEN(err, lseek(fd, 0, SEEK_SET) < 0 ? LP_EIO : LP_OK);
    if (err != LP_OK) {
        lp_io_close(fd);
        errno = errno == EIO ? EREMOTEIO : errno; // EIO would blame the chunk
        return err;
    }
    *out_fd = fd;
    return LP_OK;
}

static bool
has(chunk_store *store, const char *session_id, uint32_t ordinal, uint64_t stored_bytes)
{
    (void)store;
    (void)session_id;
    (void)ordinal;
    (void)stored_bytes;
    return true; // finding out needs a wait
}

// --- Removal

typedef LP_VEC(object_key) object_keys; // listed, and deleted after the end of the list

static lp_err
on_key(void *arg, const char *key)
{
    object_keys *keys = arg;
    object_key found;
    int len = snprintf(found.text, sizeof(found.text), "%s", key);
    return len < KEY_BYTES ? LP_VEC_ADD(keys, found) : LP_OK; // a longer one is not ours
}

static lp_err
delete_all(const chunk_objects *self, const char *begin)
{
    object_keys keys = {0};
    lp_err err = s3_client_list(self->client, begin, on_key, &keys);
    for (size_t i = 0; i < keys.count && err == LP_OK; i++) {
        err = s3_client_delete(self->client, keys.items[i].text);
    }
    LP_VEC_FINI(&keys);
    return err;
}

static int
delete_objects(const chunk_objects *self, const char *key)
{
    LP_ASSERT(key[0] != '\0');
    bool is_all = key[strlen(key) - 1] == '/';
    lp_err err = is_all ? delete_all(self, key) : s3_client_delete(self->client, key);
    return err == LP_OK ? 0 : err == LP_EIO ? errno : ENOMEM;
}

// The caller holds the mutex.
static void
removal_check(const object_removal *item)
{
    LP_ASSERT(item->state <= REMOVAL_DONE && memchr(item->key, '\0', sizeof(item->key)) != NULL);
    LP_ASSERT(item->state == REMOVAL_NONE || (item->key[0] != '\0' && item->number > 0));
}

static object_removal *
find_next(chunk_objects *self)
{
    object_removal *next = NULL;
    for (size_t i = 0; i < CHUNK_OBJECTS_REMOVALS_MAX; i++) {
        object_removal *at = &self->removals[i];
        removal_check(at);
        if (at->state == REMOVAL_WAITS && (next == NULL || at->number < next->number)) {
            next = at;
        }
    }
    return next;
}

static void *
run_removals(void *arg)
{
    chunk_objects *self = arg;
    (void)pthread_mutex_lock(&self->mutex);
    while (!self->is_closing) {
        object_removal *next = find_next(self);
        if (next == NULL) {
            (void)pthread_cond_wait(&self->changed, &self->mutex);
            continue;
        }
        next->state = REMOVAL_RUNS; // its key does not change without the mutex
        (void)pthread_mutex_unlock(&self->mutex);
        int error = delete_objects(self, next->key);
        (void)pthread_mutex_lock(&self->mutex);
        LP_ASSERT(next->state == REMOVAL_RUNS); // only this thread changes that
        next->error = error;
        next->state = REMOVAL_DONE;
    }
    (void)pthread_mutex_unlock(&self->mutex);
    return NULL;
}

// find_place returns the removal of a key, else a free slot, else NULL.
static object_removal *
find_place(chunk_objects *self, const char *key)
{
    object_removal *free_place = NULL;
    for (size_t i = 0; i < CHUNK_OBJECTS_REMOVALS_MAX; i++) {
        object_removal *at = &self->removals[i];
        removal_check(at);
        if (at->state == REMOVAL_NONE) {
            free_place = at;
        } else if (strcmp(at->key, key) == 0) {
            return at;
        }
    }
    return free_place;
}

static lp_err
remove_key(chunk_objects *self, const char *key)
{
    lp_err err = LP_EAGAIN;
    int error = EINPROGRESS;
    LP_ASSERT(self->has_thread && strlen(key) < KEY_BYTES);
    (void)pthread_mutex_lock(&self->mutex);
    object_removal *at = find_place(self, key);
    if (at != NULL && at->state == REMOVAL_NONE) {
        *at = (object_removal){.state = REMOVAL_WAITS, .number = ++self->last_number};
        (void)snprintf(at->key, sizeof(at->key), "%s", key);
        (void)pthread_cond_signal(&self->changed);
    } else if (at != NULL && at->state == REMOVAL_DONE) {
        at->state = REMOVAL_NONE;
        error = at->error;
        err = error == 0 ? LP_OK : LP_EIO;
    }
    (void)pthread_mutex_unlock(&self->mutex);
    errno = error;
    return err;
}

static lp_err
remove_chunk(chunk_store *store, const char *session_id, uint32_t ordinal)
{
    return remove_key(objects_check(store), key_of(session_id, ordinal).text);
}

static lp_err
remove_session(chunk_store *store, const char *session_id)
{
    char key[KEY_BYTES];
    (void)snprintf(key, sizeof(key), "%s/", session_id);
    return remove_key(objects_check(store), key);
}

// --- Objects with several chunks

// check_ours returns LP_OK if the existing object has the footer of bytes: then an earlier try
// stored it, because name and footer together are unique.
static lp_err
check_ours(const chunk_objects *self, const char *key, lp_slice bytes, uint64_t footer_at)
{
    LP_ASSERT(footer_at < bytes.len);
    const lp_slice footer = {bytes.ptr + footer_at, bytes.len - (size_t)footer_at};
    uint8_t *found = malloc(footer.len);
    int fd = -1;
    lp_err err = found == NULL ? LP_ENOMEM : chunk_files_make(self->dir_fd, &fd);
    LP_THEN(err, s3_client_get_range(self->client, key, footer_at, footer.len, fd));
    LP_THEN(err, lp_io_pread_all(fd, found, footer.len, 0));
    bool is_other =
        err == LP_ENOENT || (err == LP_OK && memcmp(found, footer.ptr, footer.len) != 0);
    if (is_other) {
        err = LP_EIO;
        errno = EEXIST;
    }
    free(found);
    lp_io_close(fd);
    return err;
}

static lp_err
put_object(chunk_store *store, const char *object, int fd, uint64_t size_bytes, uint64_t footer_at)
{
    const chunk_objects *self = objects_check(store);
    const object_key key = key_of_object(object);
    lp_slice bytes;
    LP_TRY(map_file(fd, size_bytes, &bytes));
    lp_err err = s3_client_put_new(self->client, key.text, bytes);
    if (err == LP_EIO && errno == EEXIST) {
        err = check_ours(self, key.text, bytes, footer_at);
    }
    unmap(bytes);
    return err;
}

static lp_err
get_object(chunk_store *store, const char *object, int to_fd)
{
    lp_err err = s3_client_get(objects_check(store)->client, key_of_object(object).text, to_fd);
    errno = err == LP_EIO && errno == EIO ? EREMOTEIO : errno;
    return err;
}

typedef struct object_listing {
    lp_err (*on_object)(void *arg, const char *object);
    void *arg;
} object_listing;

static lp_err
on_object_key(void *arg, const char *key)
{
    const object_listing *l = arg;
    const char *begin = key + sizeof(OBJECTS_BEGIN) - 1;
    char object[BLOB_OBJECT_CHARS + 1];
    if (strlen(key) != OBJECT_KEY_CHARS || strcmp(begin + BLOB_OBJECT_CHARS, OBJECTS_END) != 0) {
        return LP_OK; // not ours
    }
    (void)snprintf(object, sizeof(object), "%s", begin);
    return l->on_object(l->arg, object);
}

static lp_err
list_objects(chunk_store *store, lp_err (*on_object)(void *arg, const char *object), void *arg)
{
    object_listing l = {on_object, arg};
    return s3_client_list(objects_check(store)->client, OBJECTS_BEGIN, on_object_key, &l);
}

static lp_err
remove_object(chunk_store *store, const char *object)
{
    return remove_key(objects_check(store), key_of_object(object).text);
}

// --- Life

static void
interrupt(chunk_store *store)
{
    s3_client_interrupt(objects_check(store)->client, CHUNK_STORE_END_MS);
}

static void
destroy(chunk_objects *self)
{
    LP_ASSERT(!self->is_closing);
    if (self->has_thread) {
        s3_client_interrupt(self->client, CHUNK_STORE_END_MS);
        (void)pthread_mutex_lock(&self->mutex);
        self->is_closing = true;
        (void)pthread_cond_signal(&self->changed);
        (void)pthread_mutex_unlock(&self->mutex);
        (void)pthread_join(self->thread, NULL);
    }
    s3_client_destroy(self->client);
    (void)pthread_cond_destroy(&self->changed);
    (void)pthread_mutex_destroy(&self->mutex);
    free(self);
}

static void
close_store(chunk_store *store)
{
    destroy(objects_check(store));
}

lp_err
chunk_objects_open(
    const s3_client_config *config, int dir_fd, chunk_store **out_store, lp_problem *out_problem)
{
    static const chunk_store_objects objects = {
        .put = put_object,
        .get = get_object,
        .list = list_objects,
        .remove = remove_object,
    };
    static const chunk_store_ops ops = {
        .objects = &objects,
        .is_remote = true,
        .get_name = get_name,
        .check = check,
        .put = put,
        .open = open_chunk,
        .has = has,
        .remove = remove_chunk,
        .remove_session = remove_session,
        .interrupt = interrupt,
        .close = close_store,
    };
    chunk_objects *self = calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, lp_problem_set(out_problem, LP_ENOMEM, "out of memory"));
    self->base.ops = &ops;
    self->dir_fd = dir_fd;
    (void)pthread_mutex_init(&self->mutex, NULL);
    (void)pthread_cond_init(&self->changed, NULL);
    lp_err err = s3_client_create(config, &self->client, out_problem);
    if (err == LP_OK) {
        self->has_thread = pthread_create(&self->thread, NULL, run_removals, self) == 0;
        err = self->has_thread ? LP_OK
                               : lp_problem_set(out_problem, LP_ENOMEM, "cannot start a thread");
    }
    if (err != LP_OK) {
        destroy(self);
        return err;
    }
    *out_store = &self->base;
    return LP_OK;
}
