// SPDX-License-Identifier: Apache-2.0

#undef _FORTIFY_SOURCE // its inline functions are those that are defined here

#include "support/disk_log.h"

#include "support/chance.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
    PATH_BYTES = 512,
    NAME_BYTES = 96,
    DIRS_MAX = 256,
    ENTRIES_MAX = 4096,
    FDS_MAX = 4096,
    PAGE_BYTES = 512, // no more than a sector is written at once
    COPY_BYTES = 4096,
    SYNC_US_MAX = 1500,
    NOTHING = -1,
};

typedef enum op_kind {
    OP_BEGIN_SYNC, // its place is what matters
    OP_WRITE,      // of a file: bytes at offset
    OP_SIZE,       // of a file: it has offset bytes
    OP_SYNC_FILE,  // what came before op `begin` is durable
    OP_LINK,       // of a directory: name is file
    OP_RENAME,     // name is called other
    OP_UNLINK,     // name is gone
    OP_MKDIR,
    OP_RMDIR,
    OP_SYNC_DIR, // as OP_SYNC_FILE
    OP_SYNC_ALL, // of all files and directories
} op_kind;

typedef struct op {
    op_kind kind;
    int file;
    int dir;
    char name[NAME_BYTES];
    char other[NAME_BYTES];
    uint64_t offset;
    uint8_t *bytes;
    size_t size;
    size_t begin;
} op;

// A name as it is now.
typedef struct entry {
    int dir;
    char name[NAME_BYTES];
    int file; // NOTHING: it is a directory
} entry;

// What a descriptor is of.
typedef struct tracked {
    int file; // NOTHING: none of these
    int dir;
    ino_t inode; // whether it still is that one: stdio closes behind our back
} tracked;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; // guards all of this
static bool is_logging;
static char root[PATH_BYTES];
static uint64_t chance;
static op *ops;
static size_t op_count;
static size_t op_room;
static char dirs[DIRS_MAX][PATH_BYTES]; // relative to root, which is the first
static int dir_count;
static entry entries[ENTRIES_MAX];
static size_t entry_count;
static int file_count;
static tracked fds[FDS_MAX];

static void
give_up(const char *what)
{
    (void)dprintf(STDERR_FILENO, "disk_log: %s\n", what);
    abort();
}

// --- The log

static op *
add(op_kind kind)
{
    if (op_count == op_room) {
        op_room = op_room == 0 ? 4096 : 2 * op_room;
        ops = realloc(ops, op_room * sizeof(*ops));
        if (ops == NULL) {
            give_up("out of memory");
        }
    }
    ops[op_count] = (op){.kind = kind, .file = NOTHING, .dir = NOTHING};
    return &ops[op_count++];
}

static void
add_write(int file, uint64_t offset, const void *bytes, size_t size)
{
    op *o = add(OP_WRITE);
    o->file = file;
    o->offset = offset;
    o->size = size;
    o->bytes = malloc(size + 1);
    if (o->bytes == NULL) {
        give_up("out of memory");
    }
    memcpy(o->bytes, bytes, size);
}

static void
add_name(op_kind kind, int dir, const char *name, const char *other, int file)
{
    op *o = add(kind);
    o->dir = dir;
    o->file = file;
    (void)snprintf(o->name, sizeof(o->name), "%s", name);
    (void)snprintf(o->other, sizeof(o->other), "%s", other);
}

// --- Names

static int
find_dir(const char *path)
{
    for (int i = 0; i < dir_count; i++) {
        if (strcmp(dirs[i], path) == 0) {
            return i;
        }
    }
    return NOTHING;
}

static int
add_dir(const char *path)
{
    int found = find_dir(path);
    if (found == NOTHING) {
        if (dir_count == DIRS_MAX) {
            give_up("too many directories");
        }
        found = dir_count++;
        (void)snprintf(dirs[found], PATH_BYTES, "%s", path);
    }
    return found;
}

static entry *
find_entry(int dir, const char *name)
{
    for (size_t i = 0; i < entry_count; i++) {
        if (entries[i].dir == dir && strcmp(entries[i].name, name) == 0) {
            return &entries[i];
        }
    }
    return NULL;
}

static void
put_entry(int dir, const char *name, int file)
{
    entry *e = find_entry(dir, name);
    if (e == NULL) {
        if (entry_count == ENTRIES_MAX) {
            give_up("too many names");
        }
        e = &entries[entry_count++];
    }
    *e = (entry){.dir = dir, .file = file};
    (void)snprintf(e->name, sizeof(e->name), "%s", name);
}

static void
drop_entry(int dir, const char *name)
{
    entry *e = find_entry(dir, name);
    if (e != NULL) {
        *e = entries[--entry_count];
    }
}

// A path below root: the name in its directory, or the directory itself.
typedef struct place {
    int dir; // NOTHING: it is not below root
    char name[NAME_BYTES];
} place;

static place
find_place(int at, const char *path)
{
    char full[2 * PATH_BYTES];
    place none = {.dir = NOTHING};
    size_t length = strlen(root);
    if (!is_logging) {
        return none;
    }
    if (path[0] == '/') {
        if (strncmp(path, root, length) != 0 || (path[length] != '/' && path[length] != '\0')) {
            return none;
        }
        (void)snprintf(full, sizeof(full), "%s", path + length + (path[length] == '/'));
    } else if (at >= 0 && at < FDS_MAX && fds[at].dir != NOTHING) {
        const char *dir = dirs[fds[at].dir];
        (void)snprintf(full, sizeof(full), "%s%s%s", dir, dir[0] == '\0' ? "" : "/", path);
    } else {
        return none;
    }
    for (size_t end = strlen(full); end > 0 && (full[end - 1] == '/' || full[end - 1] == '.') &&
                                    (end == 1 || full[end - 1] == '/' || full[end - 2] == '/');
         end--) {
        full[end - 1] = '\0';
    }
    char *slash = strrchr(full, '/');
    place found = {.dir = 0};
    (void)snprintf(found.name, sizeof(found.name), "%s", slash == NULL ? full : slash + 1);
    if (slash != NULL) {
        *slash = '\0';
        found.dir = add_dir(full);
    }
    return found;
}

// dir_of returns the directory that a place is, NOTHING if it is none.
static int
dir_of(const place *at)
{
    char path[2 * PATH_BYTES];
    if (at->dir == NOTHING) {
        return NOTHING;
    }
    if (at->name[0] == '\0') {
        return at->dir;
    }
    const entry *e = find_entry(at->dir, at->name);
    if (e == NULL || e->file != NOTHING) {
        return NOTHING;
    }
    const char *dir = dirs[at->dir];
    (void)snprintf(path, sizeof(path), "%s%s%s", dir, dir[0] == '\0' ? "" : "/", at->name);
    return add_dir(path);
}

// --- What the program calls, and its libraries
#pragma GCC visibility push(default)

static void
track(int fd, int file, int dir)
{
    struct stat info;
    if (fd < 0 || fd >= FDS_MAX) {
        return;
    }
    fds[fd] = (tracked){.file = file, .dir = dir};
    if ((file != NOTHING || dir != NOTHING) && fstat(fd, &info) == 0) {
        fds[fd].inode = info.st_ino;
    }
}

// file_of returns the file that a descriptor is of, NOTHING if it is none of the log's.
static int
file_of(int fd)
{
    struct stat info;
    if (!is_logging || fd < 0 || fd >= FDS_MAX || fds[fd].file == NOTHING) {
        return NOTHING;
    }
    return fstat(fd, &info) == 0 && info.st_ino == fds[fd].inode ? fds[fd].file : NOTHING;
}

static int
open_at(int at, const char *path, int flags, mode_t mode)
{
    pthread_mutex_lock(&mutex);
    int fd = (int)syscall(SYS_openat, at, path, flags, mode);
    int saved_errno = errno;
    place p = find_place(at, path);
    bool is_unnamed = (flags & O_TMPFILE) == O_TMPFILE;
    if (fd < 0 || p.dir == NOTHING || is_unnamed) {
        track(fd, NOTHING, NOTHING);
    } else if (dir_of(&p) != NOTHING) {
        track(fd, NOTHING, dir_of(&p));
    } else {
        const entry *e = find_entry(p.dir, p.name);
        int file = e == NULL ? file_count++ : e->file;
        if (e == NULL) {
            put_entry(p.dir, p.name, file);
            add_name(OP_LINK, p.dir, p.name, "", file);
        } else if ((flags & O_TRUNC) != 0) {
            op *o = add(OP_SIZE);
            o->file = file;
        }
        track(fd, file, NOTHING);
    }
    pthread_mutex_unlock(&mutex);
    errno = saved_errno;
    return fd;
}

static mode_t
take_mode(int flags, va_list args)
{
    return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(args, mode_t) : 0;
}

#define OPEN(name)                                                                                 \
    int name(const char *path, int flags, ...)                                                     \
    {                                                                                              \
        va_list args;                                                                              \
        va_start(args, flags);                                                                     \
        mode_t mode = take_mode(flags, args);                                                      \
        va_end(args);                                                                              \
        return open_at(AT_FDCWD, path, flags, mode);                                               \
    }
#define OPEN_AT(name)                                                                              \
    int name(int at, const char *path, int flags, ...)                                             \
    {                                                                                              \
        va_list args;                                                                              \
        va_start(args, flags);                                                                     \
        mode_t mode = take_mode(flags, args);                                                      \
        va_end(args);                                                                              \
        return open_at(at, path, flags, mode);                                                     \
    }
int __open_2(const char *path, int flags, ...);
int __open64_2(const char *path, int flags, ...);
int __openat_2(int at, const char *path, int flags, ...);
int __openat64_2(int at, const char *path, int flags, ...);
OPEN(open)
OPEN(open64)
OPEN(__open_2)
OPEN(__open64_2)
OPEN_AT(openat)
OPEN_AT(openat64)
OPEN_AT(__openat_2)
OPEN_AT(__openat64_2)

int
close(int fd)
{
    pthread_mutex_lock(&mutex);
    track(fd, NOTHING, NOTHING);
    int result = (int)syscall(SYS_close, fd);
    pthread_mutex_unlock(&mutex);
    return result;
}

int
dup3(int from, int to, int flags)
{
    pthread_mutex_lock(&mutex);
    int result = (int)syscall(SYS_dup3, from, to, flags);
    if (result >= 0 && from < FDS_MAX && to < FDS_MAX) {
        fds[to] = fds[from];
    }
    pthread_mutex_unlock(&mutex);
    return result;
}

ssize_t
write(int fd, const void *bytes, size_t size)
{
    if (fd >= FDS_MAX || fds[fd].file == NOTHING || !is_logging) { // pipes and sockets may block
        return syscall(SYS_write, fd, bytes, size);
    }
    pthread_mutex_lock(&mutex);
    int file = file_of(fd);
    ssize_t done = syscall(SYS_write, fd, bytes, size);
    if (file != NOTHING && done > 0) {
        add_write(file, (uint64_t)(lseek(fd, 0, SEEK_CUR) - done), bytes, (size_t)done);
    }
    pthread_mutex_unlock(&mutex);
    return done;
}

ssize_t
writev(int fd, const struct iovec *parts, int count)
{
    if (fd >= FDS_MAX || fds[fd].file == NOTHING || !is_logging) {
        return syscall(SYS_writev, fd, parts, count);
    }
    pthread_mutex_lock(&mutex);
    int file = file_of(fd);
    ssize_t done = syscall(SYS_writev, fd, parts, count);
    uint64_t offset = file == NOTHING ? 0 : (uint64_t)(lseek(fd, 0, SEEK_CUR) - done);
    for (size_t left = done > 0 ? (size_t)done : 0; file != NOTHING && left > 0; parts++) {
        size_t size = parts->iov_len < left ? parts->iov_len : left;
        add_write(file, offset, parts->iov_base, size);
        offset += size;
        left -= size;
    }
    pthread_mutex_unlock(&mutex);
    return done;
}

static ssize_t
write_at(int fd, const void *bytes, size_t size, off_t offset)
{
    pthread_mutex_lock(&mutex);
    ssize_t done = syscall(SYS_pwrite64, fd, bytes, size, offset);
    int file = file_of(fd);
    if (file != NOTHING && done > 0) {
        add_write(file, (uint64_t)offset, bytes, (size_t)done);
    }
    pthread_mutex_unlock(&mutex);
    return done;
}

ssize_t
pwrite(int fd, const void *bytes, size_t size, off_t offset)
{
    return write_at(fd, bytes, size, offset);
}

ssize_t
pwrite64(int fd, const void *bytes, size_t size, off_t offset)
{
    return write_at(fd, bytes, size, offset);
}

ssize_t
copy_file_range(int from, off_t *at, int to, off_t *to_at, size_t size, unsigned flags)
{
    (void)to_at; // the end of a new file, wherever this is called
    (void)flags;
    uint8_t bytes[COPY_BYTES];
    ssize_t count = pread(from, bytes, size < sizeof(bytes) ? size : sizeof(bytes), *at);
    ssize_t done = count > 0 ? write(to, bytes, (size_t)count) : count;
    *at += done > 0 ? done : 0;
    return done;
}

static int
set_size(int fd, off_t size)
{
    pthread_mutex_lock(&mutex);
    int result = (int)syscall(SYS_ftruncate, fd, size);
    int file = file_of(fd);
    if (file != NOTHING && result == 0) {
        op *o = add(OP_SIZE);
        o->file = file;
        o->offset = (uint64_t)size;
    }
    pthread_mutex_unlock(&mutex);
    return result;
}

int
ftruncate(int fd, off_t size)
{
    return set_size(fd, size);
}

int
ftruncate64(int fd, off_t size)
{
    return set_size(fd, size);
}

int
renameat(int at, const char *path, int to_at, const char *to_path)
{
    pthread_mutex_lock(&mutex);
    int result = (int)syscall(SYS_renameat2, at, path, to_at, to_path, 0);
    place from = find_place(at, path);
    place to = find_place(to_at, to_path);
    if (result == 0 && from.dir != NOTHING && to.dir != NOTHING) {
        const entry *e = find_entry(from.dir, from.name);
        if (e == NULL || e->file == NOTHING) {
            give_up("only files are renamed");
        }
        int file = e->file;
        drop_entry(from.dir, from.name);
        put_entry(to.dir, to.name, file);
        if (from.dir == to.dir) {
            add_name(OP_RENAME, to.dir, from.name, to.name, file);
        } else { // the disk may have one of the directories without the other
            add_name(OP_LINK, to.dir, to.name, "", file);
            add_name(OP_UNLINK, from.dir, from.name, "", NOTHING);
        }
    }
    pthread_mutex_unlock(&mutex);
    return result;
}

int
rename(const char *path, const char *to_path)
{
    return renameat(AT_FDCWD, path, AT_FDCWD, to_path);
}

int
link(const char *path, const char *to_path)
{
    pthread_mutex_lock(&mutex);
    int result = (int)syscall(SYS_linkat, AT_FDCWD, path, AT_FDCWD, to_path, 0);
    place from = find_place(AT_FDCWD, path);
    place to = find_place(AT_FDCWD, to_path);
    const entry *e = from.dir == NOTHING ? NULL : find_entry(from.dir, from.name);
    if (result == 0 && e != NULL && to.dir != NOTHING) {
        int file = e->file;
        put_entry(to.dir, to.name, file);
        add_name(OP_LINK, to.dir, to.name, "", file);
    }
    pthread_mutex_unlock(&mutex);
    return result;
}

int
unlinkat(int at, const char *path, int flags)
{
    pthread_mutex_lock(&mutex);
    int result = (int)syscall(SYS_unlinkat, at, path, flags);
    int saved_errno = errno;
    place p = find_place(at, path);
    if (result == 0 && p.dir != NOTHING) {
        drop_entry(p.dir, p.name);
        add_name((flags & AT_REMOVEDIR) != 0 ? OP_RMDIR : OP_UNLINK, p.dir, p.name, "", NOTHING);
    }
    pthread_mutex_unlock(&mutex);
    errno = saved_errno;
    return result;
}

int
unlink(const char *path)
{
    return unlinkat(AT_FDCWD, path, 0);
}

int
rmdir(const char *path)
{
    return unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}

int
remove(const char *path)
{
    int result = unlink(path);
    return result != 0 && errno == EISDIR ? rmdir(path) : result;
}

int
mkdirat(int at, const char *path, mode_t mode)
{
    pthread_mutex_lock(&mutex);
    int result = (int)syscall(SYS_mkdirat, at, path, mode);
    int saved_errno = errno;
    place p = find_place(at, path);
    if (result == 0 && p.dir != NOTHING) {
        put_entry(p.dir, p.name, NOTHING);
        (void)dir_of(&p);
        add_name(OP_MKDIR, p.dir, p.name, "", NOTHING);
    }
    pthread_mutex_unlock(&mutex);
    errno = saved_errno;
    return result;
}

int
mkdir(const char *path, mode_t mode)
{
    return mkdirat(AT_FDCWD, path, mode);
}

static int
sync_fd(int fd)
{
    pthread_mutex_lock(&mutex);
    int file = file_of(fd);
    int dir = is_logging && fd >= 0 && fd < FDS_MAX ? fds[fd].dir : NOTHING;
    size_t begin = op_count;
    unsigned wait_us = 0;
    if (file != NOTHING || dir != NOTHING) {
        (void)add(OP_BEGIN_SYNC);
        wait_us = (unsigned)chance_below(&chance, SYNC_US_MAX);
    }
    pthread_mutex_unlock(&mutex);
    if (file == NOTHING && dir == NOTHING) {
        return 0;
    }
    (void)usleep(wait_us);
    pthread_mutex_lock(&mutex);
    op *o = add(file != NOTHING ? OP_SYNC_FILE : OP_SYNC_DIR);
    o->file = file;
    o->dir = dir;
    o->begin = begin;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int
fsync(int fd)
{
    return sync_fd(fd);
}

int
fdatasync(int fd)
{
    return sync_fd(fd);
}

int
syncfs(int fd)
{
    (void)fd;
    pthread_mutex_lock(&mutex);
    if (is_logging) {
        op *o = add(OP_SYNC_ALL);
        o->begin = op_count - 1;
    }
    pthread_mutex_unlock(&mutex);
    return 0;
}

#pragma GCC visibility pop

// --- What a test calls

void
disk_log_start(const char *path, uint64_t seed)
{
    pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < op_count; i++) {
        free(ops[i].bytes);
    }
    op_count = 0;
    dir_count = 0;
    entry_count = 0;
    file_count = 0;
    for (size_t i = 0; i < FDS_MAX; i++) {
        fds[i] = (tracked){.file = NOTHING, .dir = NOTHING};
    }
    (void)snprintf(root, sizeof(root), "%s", path);
    (void)add_dir("");
    chance = seed;
    is_logging = true;
    pthread_mutex_unlock(&mutex);
}

void
disk_log_stop(void)
{
    pthread_mutex_lock(&mutex);
    is_logging = false;
    pthread_mutex_unlock(&mutex);
}

size_t
disk_log_count(void)
{
    pthread_mutex_lock(&mutex);
    size_t count = op_count;
    pthread_mutex_unlock(&mutex);
    return count;
}

// A cut while it is made.
typedef struct cut {
    size_t moment;
    uint64_t chance;
    size_t names_until[DIRS_MAX]; // the names of a directory are as of this moment
} cut;

// durable_until returns the moment until which a file or directory is durable.
static size_t
durable_until(const cut *c, int file, int dir)
{
    size_t until = 0;
    for (size_t i = 0; i < c->moment; i++) {
        const op *o = &ops[i];
        bool is_its = o->kind == OP_SYNC_ALL ||
                      (o->kind == OP_SYNC_FILE && o->file == file && file != NOTHING) ||
                      (o->kind == OP_SYNC_DIR && o->dir == dir && dir != NOTHING);
        if (is_its && o->begin > until) {
            until = o->begin;
        }
    }
    return until;
}

static void
choose_names(cut *c)
{
    size_t least = 0;
    for (int d = 0; d < dir_count; d++) {
        c->names_until[d] = durable_until(c, NOTHING, d);
        least = c->names_until[d] > least ? c->names_until[d] : least;
    }
    bool is_journalled = chance_below(&c->chance, 2) == 0;
    size_t common = least + chance_below(&c->chance, c->moment - least + 1);
    for (int d = 0; d < dir_count; d++) {
        size_t own = c->names_until[d];
        own += chance_below(&c->chance, c->moment - own + 1);
        c->names_until[d] = is_journalled ? common : own;
    }
}

typedef struct image {
    uint8_t *bytes;
    size_t size;
    size_t room;
} image;

static void
resize(image *to, size_t size)
{
    if (size > to->room) {
        to->bytes = realloc(to->bytes, 2 * size);
        if (to->bytes == NULL) {
            give_up("out of memory");
        }
        to->room = 2 * size;
    }
    if (size > to->size) {
        memset(to->bytes + to->size, 0, size - to->size);
    }
    to->size = size;
}

static void
apply(image *to, const op *o)
{
    if (o->kind == OP_SIZE) {
        resize(to, o->offset);
        return;
    }
    if (o->offset + o->size > to->size) {
        resize(to, o->offset + o->size);
    }
    memcpy(to->bytes + o->offset, o->bytes, o->size);
}

static bool
changes(const op *o, int file)
{
    return (o->kind == OP_WRITE || o->kind == OP_SIZE) && o->file == file;
}

// A file of which nobody knows how much the disk has: what is durable, and what changed it since.
typedef struct unsure {
    image durable;
    const op **changes;
    size_t count;
} unsure;

static unsure
find_unsure(const cut *c, int file)
{
    unsure u = {0};
    size_t until = durable_until(c, file, NOTHING);
    u.changes = calloc(c->moment + 1, sizeof(*u.changes));
    for (size_t i = 0; i < c->moment; i++) {
        if (changes(&ops[i], file) && i < until) {
            apply(&u.durable, &ops[i]);
        } else if (changes(&ops[i], file)) {
            u.changes[u.count++] = &ops[i];
        }
    }
    return u;
}

// size_after returns the size of the file after so many of the changes.
static size_t
size_after(const unsure *u, size_t count)
{
    size_t size = u->durable.size;
    for (size_t i = 0; i < count; i++) {
        const op *o = u->changes[i];
        size_t end = o->offset + o->size;
        size = o->kind == OP_SIZE ? o->offset : end > size ? end : size;
    }
    return size;
}

// make_part writes the bytes [begin, end) as they are after so many of the changes.
static void
make_part(const unsure *u, size_t count, size_t begin, size_t end, uint8_t *out)
{
    for (size_t at = begin; at < end; at++) {
        out[at] = at < u->durable.size ? u->durable.bytes[at] : 0;
    }
    for (size_t i = 0; i < count; i++) {
        const op *o = u->changes[i];
        if (o->kind == OP_SIZE && o->offset < end) {
            size_t from = o->offset > begin ? o->offset : begin;
            memset(out + from, 0, end - from);
        } else if (o->kind == OP_WRITE && o->offset < end && o->offset + o->size > begin) {
            size_t from = o->offset > begin ? o->offset : begin;
            size_t to = o->offset + o->size < end ? o->offset + o->size : end;
            memcpy(out + from, o->bytes + (from - o->offset), to - from);
        }
    }
}

static image
choose_content(cut *c, int file)
{
    unsure u = find_unsure(c, file);
    image made = {0};
    uint64_t style = chance_below(&c->chance, 4); // 0: nothing, 1: all, else some of it
    size_t all = style == 0 ? 0 : style == 1 ? u.count : chance_below(&c->chance, u.count + 1);
    resize(&made, size_after(&u, all));
    for (size_t page = 0; page < made.size; page += PAGE_BYTES) {
        size_t end = page + PAGE_BYTES < made.size ? page + PAGE_BYTES : made.size;
        size_t first = style < 2 ? all : chance_below(&c->chance, u.count + 1);
        make_part(&u, first, page, end, made.bytes);
    }
    free(u.durable.bytes);
    free(u.changes);
    return made;
}

static void
make_file(cut *c, int file, const char *path)
{
    size_t length = strlen(path);
    if (length > 4 && strcmp(path + length - 4, "-shm") == 0) {
        return;
    }
    image content = choose_content(c, file);
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (fd < 0 || syscall(SYS_write, fd, content.bytes, content.size) != (long)content.size) {
        give_up(path);
    }
    (void)syscall(SYS_close, fd);
    free(content.bytes);
}

// list_names lists the names of a directory as the cut has them.
static size_t
list_names(const cut *c, int dir, entry *names)
{
    size_t count = 0;
    for (size_t i = 0; i < c->names_until[dir]; i++) {
        const op *o = &ops[i];
        if (o->dir != dir || o->kind == OP_SYNC_DIR) {
            continue;
        }
        const char *gone = o->kind == OP_RENAME ? o->other : o->name;
        for (size_t k = 0; k < count; k++) { // what has this name, or the old one
            if (strcmp(names[k].name, gone) == 0 || strcmp(names[k].name, o->name) == 0) {
                names[k--] = names[--count];
            }
        }
        if (o->kind == OP_LINK || o->kind == OP_RENAME || o->kind == OP_MKDIR) {
            names[count] = (entry){.file = o->file};
            (void)snprintf(names[count++].name, NAME_BYTES, "%s", gone);
        }
    }
    return count;
}

static void
make_dir(cut *c, int dir, const char *to)
{
    entry *names = calloc(ENTRIES_MAX, sizeof(*names));
    size_t count = list_names(c, dir, names);
    for (size_t i = 0; i < count; i++) {
        char path[3 * PATH_BYTES];
        (void)snprintf(path, sizeof(path), "%s/%s", to, names[i].name);
        if (names[i].file != NOTHING) {
            make_file(c, names[i].file, path);
            continue;
        }
        char below[2 * PATH_BYTES];
        (void)snprintf(
            below, sizeof(below), "%s%s%s", dirs[dir], dir == 0 ? "" : "/", names[i].name);
        (void)syscall(SYS_mkdirat, AT_FDCWD, path, 0700);
        make_dir(c, find_dir(below), path);
    }
    free(names);
}

void
disk_log_cut(size_t moment, uint64_t seed, const char *to)
{
    cut c = {.moment = moment, .chance = seed};
    choose_names(&c);
    make_dir(&c, 0, to);
}
