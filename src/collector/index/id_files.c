// SPDX-License-Identifier: Apache-2.0
#include "collector/index/id_files.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_ends_with.h"
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
#include <sys/stat.h>
#include <unistd.h>

enum {
    DIR_MODE = 0750,
    FILE_MODE = 0640,
    FILE_NAME_BYTES = ID_FILES_NAME_BYTES + 24,
};

// The suffix of file names of a kind, after the segment's name.
static const char *const suffixes[] = {[ID_FILES_HEADS] = ".head", [ID_FILES_WHOLE] = ""};

// Part of a file's name while it is filled.
static const char temporary_mark[] = ".tmp-";

struct id_file {
    unsigned owners; // guarded by the mutex of id_files
    void *map;
    size_t size;
    id_object_shape shape;
};

typedef struct cached {
    char name[ID_FILES_NAME_BYTES]; // of the segment, with - for /
    uint64_t bytes;
    id_file *file; // NULL: not mapped
} cached;

struct id_files {
    int dir_fd;
    id_files_kind kind;
    uint64_t bytes_max;
    pthread_mutex_t mutex; // guards the rest
    LP_VEC(cached) items;  // by name
    uint64_t bytes;
    uint64_t last_temporary; // number
};

void
id_files_flatten(const char *name, char out_name[ID_FILES_NAME_BYTES])
{
    (void)snprintf(out_name, ID_FILES_NAME_BYTES, "%s", name);
    for (char *at = out_name; (at = strchr(at, '/')) != NULL;) {
        *at = '-';
    }
}

// --- Files

static void
unmap(id_file *file)
{
    (void)munmap(file->map, file->size); // fails if the kernel lacks memory
    free(file);
}

static void
file_check(const id_file *file)
{
    LP_ASSERT(file->map != MAP_FAILED && file->size >= sizeof(id_object_header));
    LP_ASSERT(file->shape.head_bytes <= file->size);
}

// map_file maps and checks a file.
static lp_err
map_file(int fd, id_file **out_file)
{
    struct stat info;
    LP_REQUIRE(fstat(fd, &info) == 0, LP_EIO);
    LP_REQUIRE(info.st_size >= (off_t)sizeof(id_object_header) &&
                   info.st_size <= (off_t)ID_OBJECT_BYTES_MAX,
        LP_ECORRUPT);
    id_file *file = calloc(1, sizeof(*file));
    LP_REQUIRE(file != NULL, LP_ENOMEM);
    file->size = (size_t)info.st_size;
    file->map = mmap(NULL, file->size, PROT_READ, MAP_SHARED, fd, 0);
    if (file->map == MAP_FAILED) {
        free(file);
        return errno == ENOMEM ? LP_ENOMEM : LP_EIO;
    }
    (void)madvise(file->map, file->size, MADV_RANDOM); // searches read single pages
    lp_err err = id_object_find_shape((lp_slice){file->map, file->size}, &file->shape);
    if (err != LP_OK) {
        unmap(file);
        return err;
    }
    file_check(file);
    file->owners = 1;
    *out_file = file;
    return LP_OK;
}

lp_slice
id_file_get(const id_file *file)
{
    file_check(file);
    return (lp_slice){file->map, file->size};
}

id_object_shape
id_file_get_shape(const id_file *file)
{
    return file->shape;
}

// release drops an owner of a file. Call it under the mutex.
static void
release(id_file *file)
{
    LP_ASSERT(file == NULL || file->owners > 0);
    if (file != NULL && --file->owners == 0) {
        unmap(file);
    }
}

void
id_files_give_back(id_files *self, id_file *file)
{
    (void)pthread_mutex_lock(&self->mutex);
    release(file);
    (void)pthread_mutex_unlock(&self->mutex);
}

// files_check is for open files. Call it under the mutex.
static void
files_check(const id_files *self)
{
    LP_ASSERT(self->dir_fd >= 0);
    LP_ASSERT(self->items.count > 0 || self->bytes == 0);
}

// --- Items, under the mutex

// find_place returns the index of the first item whose name is not below a name.
static size_t
find_place(const id_files *self, const char *flat)
{
    return LP_BISECT(self->items.items, 0, self->items.count, strcmp(at->name, flat) < 0);
}

static cached *
find_item(id_files *self, const char *flat)
{
    size_t at = find_place(self, flat);
    bool is_there = at < self->items.count && strcmp(self->items.items[at].name, flat) == 0;
    return is_there ? &self->items.items[at] : NULL;
}

static void
format_file(const id_files *self, const char *flat, char out_path[FILE_NAME_BYTES])
{
    (void)snprintf(out_path, FILE_NAME_BYTES, "%s%s", flat, suffixes[self->kind]);
}

static void
drop_item(id_files *self, cached *item)
{
    files_check(self);
    LP_ASSERT(item >= self->items.items && item < self->items.items + self->items.count);
    LP_ASSERT(self->bytes >= item->bytes);
    char path[FILE_NAME_BYTES];
    format_file(self, item->name, path);
    (void)unlinkat(self->dir_fd, path, 0); // the next start finds a remaining one
    release(item->file);
    self->bytes -= item->bytes;
    size_t behind = self->items.count - (size_t)(item - self->items.items) - 1;
    memmove(item, item + 1, behind * sizeof(*item));
    self->items.count--;
}

// make_room removes heads of the oldest hours until the rest is within the limits; the last one
// stays.
static void
make_room(id_files *self)
{
    files_check(self);
    while (self->kind == ID_FILES_HEADS && self->items.count > 1 &&
           (self->bytes > self->bytes_max || self->items.count > ID_FILES_FILES_MAX)) {
        drop_item(self, &self->items.items[0]);
    }
}

// insert_item inserts an item at its place. NULL if memory ran out.
static cached *
insert_item(id_files *self, const char *flat)
{
    size_t at = find_place(self, flat);
    LP_REQUIRE(LP_VEC_PUSH(&self->items) != NULL, NULL);
    cached *item = &self->items.items[at];
    memmove(item + 1, item, (self->items.count - 1 - at) * sizeof(*item));
    return item;
}

// add_item adds a named file, or replaces its item. Takes file, which may be NULL.
static lp_err
add_item(id_files *self, const char *flat, uint64_t bytes, id_file *file)
{
    files_check(self);
    cached *item = find_item(self, flat);
    if (item != NULL) {
        release(item->file);
        self->bytes -= item->bytes;
    } else if ((item = insert_item(self, flat)) == NULL) {
        release(file);
        return LP_ENOMEM;
    }
    *item = (cached){.bytes = bytes, .file = file};
    (void)snprintf(item->name, sizeof(item->name), "%s", flat);
    self->bytes += bytes;
    return LP_OK;
}

// --- Life

// note_file adds an item for a file of the directory. It removes unfinished files of a killed
// process.
static lp_err
note_file(void *arg, int dir_fd, const char *path)
{
    id_files *self = arg;
    const char *suffix = self->kind == ID_FILES_HEADS ? ".ids.head" : ID_OBJECT_SUFFIX;
    size_t len = strlen(path);
    size_t end = strlen(suffixes[self->kind]);
    struct stat info;
    if (strstr(path, temporary_mark) != NULL) {
        (void)unlinkat(dir_fd, path, 0);
        return LP_OK;
    }
    if (len <= strlen(suffix) || len - end >= ID_FILES_NAME_BYTES ||
        !lp_ends_with(path, len, suffix) ||
        fstatat(dir_fd, path, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(info.st_mode)) {
        return LP_OK; // a foreign file
    }
    char flat[ID_FILES_NAME_BYTES];
    (void)snprintf(flat, sizeof(flat), "%.*s", (int)(len - end), path);
    return add_item(self, flat, (uint64_t)info.st_size, NULL);
}

lp_err
id_files_open(const char *dir, id_files_kind kind, uint64_t bytes_max, id_files **out_files,
    lp_problem *out_problem)
{
    id_files *self = calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, lp_problem_set(out_problem, LP_ENOMEM, "out of memory"));
    self->kind = kind;
    self->bytes_max = bytes_max;
    (void)pthread_mutex_init(&self->mutex, NULL);
    bool is_there = mkdir(dir, DIR_MODE) == 0 || errno == EEXIST;
    self->dir_fd = is_there ? open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    lp_err err = self->dir_fd < 0 ? LP_EIO : lp_io_list(dir, note_file, self);
    if (err != LP_OK) {
        (void)lp_problem_set(out_problem, err, "%s: %s", dir, lp_err_reason(err));
        id_files_close(self);
        return err;
    }
    make_room(self);
    *out_files = self;
    return LP_OK;
}

void
id_files_close(id_files *self)
{
    if (self == NULL) {
        return;
    }
    for (size_t i = 0; i < self->items.count; i++) {
        id_file *file = self->items.items[i].file;
        LP_ASSERT(file == NULL || file->owners == 1); // all were returned
        release(file);
    }
    LP_VEC_FINI(&self->items);
    if (self->dir_fd >= 0) {
        (void)close(self->dir_fd);
    }
    (void)pthread_mutex_destroy(&self->mutex);
    free(self);
}

// --- Finding

// lock_item locks the mutex, and returns the item of a segment. NULL if there is none.
static cached *
lock_item(id_files *self, const char *name)
{
    char flat[ID_FILES_NAME_BYTES];
    id_files_flatten(name, flat);
    (void)pthread_mutex_lock(&self->mutex);
    files_check(self);
    return find_item(self, flat);
}

bool
id_files_has(id_files *self, const char *name)
{
    bool has = lock_item(self, name) != NULL;
    (void)pthread_mutex_unlock(&self->mutex);
    return has;
}

// map_item maps the file of an item. Call it under the mutex.
static lp_err
map_item(const id_files *self, cached *item)
{
    char path[FILE_NAME_BYTES];
    format_file(self, item->name, path);
    int fd = openat(self->dir_fd, path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    LP_REQUIRE(fd >= 0, errno == ENOENT ? LP_ENOENT : LP_EIO);
    lp_err err = map_file(fd, &item->file);
    lp_io_close(fd);
    return err;
}

lp_err
id_files_find(id_files *self, const char *name, id_file **out_file)
{
    cached *item = lock_item(self, name);
    lp_err err = item == NULL ? LP_ENOENT : item->file == NULL ? map_item(self, item) : LP_OK;
    if (err == LP_OK) {
        item->file->owners++;
        *out_file = item->file;
    } else if (item != NULL && self->kind == ID_FILES_HEADS && err != LP_ENOMEM && err != LP_EIO) {
        drop_item(self, item);
        err = LP_ENOENT;
    }
    (void)pthread_mutex_unlock(&self->mutex);
    return err;
}

void
id_files_drop(id_files *self, const char *name)
{
    cached *item = lock_item(self, name);
    if (item != NULL) {
        drop_item(self, item);
    }
    (void)pthread_mutex_unlock(&self->mutex);
}

void
id_files_keep(
    id_files *self, bool (*is_kept)(const void *arg, const char *flat_name), const void *arg)
{
    (void)pthread_mutex_lock(&self->mutex);
    files_check(self);
    for (size_t i = self->items.count; i > 0; i--) {
        if (!is_kept(arg, self->items.items[i - 1].name)) {
            drop_item(self, &self->items.items[i - 1]);
        }
    }
    (void)pthread_mutex_unlock(&self->mutex);
}

// --- Filling

// settle syncs a whole segment, which cannot be fetched again.
static lp_err
settle(const id_files *self, int fd)
{
    return self->kind == ID_FILES_HEADS || fdatasync(fd) == 0 ? LP_OK : LP_EIO;
}

// keep_file names a filled file, and adds it.
static lp_err
keep_file(id_files *self, const char *flat, const char *temporary, id_file *file)
{
    char path[FILE_NAME_BYTES];
    format_file(self, flat, path);
    LP_REQUIRE(renameat(self->dir_fd, temporary, self->dir_fd, path) == 0 &&
                   settle(self, self->dir_fd) == LP_OK,
        LP_EIO);
    LP_ASSERT(file->owners == 1);
    (void)pthread_mutex_lock(&self->mutex);
    file->owners++; // for the item
    lp_err err = add_item(self, flat, file->size, file);
    make_room(self);
    (void)pthread_mutex_unlock(&self->mutex);
    return err;
}

lp_err
id_files_fill(id_files *self, const char *name, lp_err (*fill)(void *arg, int fd), void *arg,
    id_file **out_file)
{
    char flat[ID_FILES_NAME_BYTES];
    char temporary[FILE_NAME_BYTES];
    id_file *file = NULL;
    id_files_flatten(name, flat);
    (void)pthread_mutex_lock(&self->mutex);
    uint64_t number = ++self->last_temporary;
    (void)pthread_mutex_unlock(&self->mutex);
    (void)snprintf(temporary, sizeof(temporary), "%.64s%s%" PRIu64, flat, temporary_mark, number);
    int fd = openat(self->dir_fd, temporary, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, FILE_MODE);
    LP_REQUIRE(fd >= 0, LP_EIO);
    lp_err err = fill(arg, fd);
    LP_THEN(err, settle(self, fd));
    LP_THEN(err, map_file(fd, &file));
    LP_THEN(err, keep_file(self, flat, temporary, file));
    int error = errno;
    lp_io_close(fd);
    if (err != LP_OK) {
        (void)unlinkat(self->dir_fd, temporary, 0);
    }
    if (file != NULL && (err != LP_OK || out_file == NULL)) {
        id_files_give_back(self, file);
    } else if (file != NULL) {
        *out_file = file;
    }
    errno = error;
    return err;
}

uint64_t
id_files_count_bytes(id_files *self)
{
    (void)pthread_mutex_lock(&self->mutex);
    files_check(self);
    uint64_t bytes = self->bytes;
    (void)pthread_mutex_unlock(&self->mutex);
    return bytes;
}

lp_err
id_files_make_file(const id_files *self, int *out_fd)
{
    *out_fd = openat(self->dir_fd, ".", O_RDWR | O_TMPFILE | O_CLOEXEC, FILE_MODE);
    return *out_fd < 0 ? LP_EIO : LP_OK;
}

int
id_files_get_directory(const id_files *self)
{
    return self->dir_fd;
}
