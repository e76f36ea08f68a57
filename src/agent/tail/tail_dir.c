// SPDX-License-Identifier: Apache-2.0
#include "agent/tail/tail_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#ifndef STATX_BTIME // musl before 1.2.5
#include <linux/stat.h>
#endif

// The JVM's chunk names have 23 to 26 characters.
enum { NAME_BYTES_MAX = 64 };

typedef struct file_key {
    uint64_t inode;
    int64_t born_s;
    uint32_t born_ns;
} file_key;

// A chunk file that on_file took and that was still in the directory at the last scan.
typedef struct known_file {
    file_key key;
    char name[NAME_BYTES_MAX];
    bool is_here;
} known_file;

struct tail_dir {
    int dir_fd;
    int notify_fd;
    bool is_scan_due; // the last scan failed, or there was none yet
    uint64_t missed_count;
    known_file *known;
    size_t known_count;
    size_t known_capacity;
};

lp_err
tail_dir_open(const char *path, tail_dir **out_dir, lp_problem *out_problem)
{
    tail_dir *dir = calloc(1, sizeof(*dir));
    if (dir == NULL) {
        return LP_ENOMEM;
    }
    dir->is_scan_due = true;
    // The watch comes before the first scan: a file that is created in between is seen twice, not
    // missed.
    dir->notify_fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (dir->notify_fd >= 0 &&
        inotify_add_watch(dir->notify_fd, path, IN_CREATE | IN_MOVED_TO | IN_ONLYDIR) < 0) {
        (void)close(dir->notify_fd);
        dir->notify_fd = -1;
    }
    dir->dir_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir->dir_fd < 0) {
        int error = errno;
        tail_dir_close(dir);
        return lp_problem_set(
            out_problem, LP_EIO, "cannot read the directory %s: %s", path, strerror(error));
    }
    *out_dir = dir;
    return LP_OK;
}

void
tail_dir_close(tail_dir *dir)
{
    if (dir == NULL) {
        return;
    }
    if (dir->notify_fd >= 0) {
        (void)close(dir->notify_fd);
    }
    if (dir->dir_fd >= 0) {
        (void)close(dir->dir_fd);
    }
    free(dir->known);
    free(dir);
}

int
tail_dir_get_fd(const tail_dir *dir)
{
    return dir->notify_fd;
}

uint64_t
tail_dir_get_missed(const tail_dir *dir)
{
    return dir->missed_count;
}

static bool
is_chunk_name(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && length < NAME_BYTES_MAX && strcmp(name + length - 4, ".jfr") == 0;
}

// statx, which musl before 1.2.5 lacks.
static int
read_statx(int dir_fd, const char *name, int flags, unsigned mask, struct statx *out_found)
{
#ifdef __GLIBC__
    return statx(dir_fd, name, flags, mask, out_found);
#else
    return (int)syscall(SYS_statx, dir_fd, name, flags, mask, out_found);
#endif
}

// Reads the key of the file name in dir_fd, or of dir_fd itself if name is "".
static lp_err
stat_key(int dir_fd, const char *name, file_key *out_key)
{
    struct statx found;
    int flags = AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH;
    if (read_statx(dir_fd, name, flags, STATX_TYPE | STATX_INO | STATX_BTIME, &found) != 0 ||
        !S_ISREG(found.stx_mode)) {
        return LP_ENOENT;
    }
    bool has_birth = (found.stx_mask & STATX_BTIME) != 0;
    *out_key = (file_key){
        .inode = found.stx_ino,
        .born_s = has_birth ? found.stx_btime.tv_sec : 0,
        .born_ns = has_birth ? found.stx_btime.tv_nsec : 0,
    };
    return LP_OK;
}

static known_file *
find_by_key(tail_dir *dir, const file_key *key)
{
    for (size_t i = 0; i < dir->known_count; i++) {
        const file_key *known = &dir->known[i].key;
        if (known->inode == key->inode && known->born_s == key->born_s &&
            known->born_ns == key->born_ns) {
            return &dir->known[i];
        }
    }
    return NULL;
}

static bool
is_name_known(const tail_dir *dir, const char *name)
{
    for (size_t i = 0; i < dir->known_count; i++) {
        if (strcmp(dir->known[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

// Reads all notifications and returns whether there were any. It runs before prune_known, so that a
// deleted file that on_file took is not counted as missed.
static bool
read_notices(tail_dir *dir)
{
    _Alignas(struct inotify_event) char bytes[4096];
    bool has_any = false;
    for (;;) {
        ssize_t count = read(dir->notify_fd, bytes, sizeof(bytes));
        if (count <= 0) {
            return has_any;
        }
        has_any = true;
        const struct inotify_event *notice;
        for (const char *at = bytes; at < bytes + count; at += sizeof(*notice) + notice->len) {
            notice = (const struct inotify_event *)(const void *)at;
            file_key key;
            if (notice->len > 0 && is_chunk_name(notice->name) &&
                !is_name_known(dir, notice->name) &&
                stat_key(dir->dir_fd, notice->name, &key) != LP_OK) {
                dir->missed_count++;
            }
        }
    }
}

static known_file *
push_known(tail_dir *dir)
{
    if (dir->known_count == dir->known_capacity) {
        size_t capacity = dir->known_capacity == 0 ? 32 : dir->known_capacity * 2;
        known_file *grown = realloc(dir->known, capacity * sizeof(*grown));
        if (grown == NULL) {
            return NULL;
        }
        dir->known = grown;
        dir->known_capacity = capacity;
    }
    return &dir->known[dir->known_count++];
}

// Passes the file name to on_file if it is new.
static lp_err
look_at(tail_dir *dir, const char *name, tail_dir_on_file on_file, void *arg)
{
    file_key key;
    if (stat_key(dir->dir_fd, name, &key) != LP_OK) {
        return LP_OK; // deleted since the directory was read, or not a file
    }
    known_file *known = find_by_key(dir, &key);
    if (known != NULL) {
        known->is_here = true;
        return LP_OK;
    }
    int fd = openat(dir->dir_fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) {
        if (errno == ENOENT) {
            dir->missed_count++;
            return LP_OK;
        }
        return LP_EIO;
    }
    // The name may belong to another file by now: use the key of the descriptor.
    if (stat_key(fd, "", &key) != LP_OK || find_by_key(dir, &key) != NULL) {
        (void)close(fd);
        return LP_OK;
    }
    known = push_known(dir);
    if (known == NULL) {
        (void)close(fd);
        return LP_ENOMEM;
    }
    *known = (known_file){.key = key, .is_here = true};
    (void)snprintf(known->name, sizeof(known->name), "%s", name);
    lp_err err = on_file(arg, fd);
    if (err != LP_OK) {
        dir->known_count--;
    }
    return err;
}

static void
prune_known(tail_dir *dir)
{
    size_t kept = 0;
    for (size_t i = 0; i < dir->known_count; i++) {
        if (dir->known[i].is_here) {
            dir->known[kept++] = dir->known[i];
        }
    }
    dir->known_count = kept;
}

lp_err
tail_dir_scan(tail_dir *dir, bool is_forced, tail_dir_on_file on_file, void *arg)
{
    bool has_notices = dir->notify_fd >= 0 && read_notices(dir);
    if (!has_notices && !is_forced && !dir->is_scan_due && dir->notify_fd >= 0) {
        return LP_OK;
    }
    for (size_t i = 0; i < dir->known_count; i++) {
        dir->known[i].is_here = false;
    }
    dir->is_scan_due = true;

    int fd = openat(dir->dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = fd < 0 ? NULL : fdopendir(fd);
    if (entries == NULL) {
        bool is_gone = fd < 0 && errno == ENOENT;
        if (fd >= 0) {
            (void)close(fd);
        }
        if (!is_gone) {
            return LP_EIO;
        }
    }
    lp_err err = LP_OK;
    while (entries != NULL && err == LP_OK) {
        const struct dirent *entry = readdir(entries);
        if (entry == NULL) {
            break;
        }
        if (is_chunk_name(entry->d_name)) {
            err = look_at(dir, entry->d_name, on_file, arg);
        }
    }
    if (entries != NULL) {
        (void)closedir(entries);
    }
    if (err == LP_OK) {
        prune_known(dir);
        dir->is_scan_due = false;
    }
    return err;
}
