// SPDX-License-Identifier: Apache-2.0
#include "common/base/lp_io.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { DIR_MODE = 0750 };

bool
lp_io_lacks_descriptors(int error)
{
    return error == EMFILE || error == ENFILE;
}

ssize_t
lp_io_read(int fd, void *out, size_t size_bytes)
{
    ssize_t count;
    do {
        count = read(fd, out, size_bytes);
    } while (count < 0 && errno == EINTR);
    return count;
}

ssize_t
lp_io_pread(int fd, void *out, size_t size_bytes, uint64_t offset)
{
    ssize_t count;
    do {
        count = pread(fd, out, size_bytes, (off_t)offset);
    } while (count < 0 && errno == EINTR);
    return count;
}

// read_regular is lp_io_read_file for a descriptor.
static lp_err
read_regular(int fd, uint8_t *out, size_t size_bytes, size_t *out_size)
{
    struct stat info;
    LP_REQUIRE(fstat(fd, &info) == 0, LP_EIO);
    if (!S_ISREG(info.st_mode)) {
        errno = EINVAL;
        return LP_EIO;
    }
    size_t size = 0;
    ssize_t count;
    while ((count = lp_io_read(fd, out + size, size_bytes - size)) > 0) {
        size += (size_t)count;
    }
    *out_size = size;
    return count == 0 ? LP_OK : LP_EIO;
}

lp_err
lp_io_read_file(const char *path, void *out, size_t size_bytes, size_t *out_size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    LP_REQUIRE(fd >= 0, LP_EIO);
    lp_err err = read_regular(fd, out, size_bytes, out_size);
    lp_io_close(fd);
    return err;
}

lp_err
lp_io_pread_all(int fd, void *out, size_t size_bytes, uint64_t offset)
{
    uint8_t *to = out;
    while (size_bytes > 0) {
        ssize_t count = lp_io_pread(fd, to, size_bytes, offset);
        LP_REQUIRE(count > 0, LP_EIO);
        to += count;
        size_bytes -= (size_t)count;
        offset += (uint64_t)count;
    }
    return LP_OK;
}

enum { PIECES_AT_ONCE = 64 };

// write_some writes the first pieces with one writev(2), without the bytes of the first that are
// already written.
static ssize_t
write_some(int fd, const lp_slice *pieces, size_t count, size_t written)
{
    struct iovec parts[PIECES_AT_ONCE];
    count = count < PIECES_AT_ONCE ? count : PIECES_AT_ONCE;
    for (size_t i = 0; i < count; i++) {
        size_t begin = i == 0 ? written : 0;
        parts[i] = (struct iovec){
            .iov_base = (void *)(uintptr_t)(pieces[i].ptr + begin), // is only read
            .iov_len = pieces[i].len - begin,
        };
    }
    return writev(fd, parts, (int)count);
}

lp_err
lp_io_write_pieces(int fd, const lp_slice *pieces, size_t count)
{
    size_t written = 0; // of the first piece that is left
    while (count > 0) {
        ssize_t more = write_some(fd, pieces, count, written);
        LP_REQUIRE(more >= 0 || errno == EINTR, LP_EIO);
        written += more < 0 ? 0 : (size_t)more;
        for (; count > 0 && written >= pieces->len; count--) {
            written -= pieces->len;
            pieces++;
        }
    }
    return LP_OK;
}

lp_err
lp_io_write_all(int fd, lp_slice bytes)
{
    return lp_io_write_pieces(fd, &bytes, 1);
}

void
lp_io_close(int fd)
{
    int error = errno;
    if (fd >= 0) {
        (void)close(fd);
    }
    errno = error;
}

lp_err
lp_io_sync_dir(int at, const char *path)
{
    int fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    LP_REQUIRE(fd >= 0, LP_EIO);
    lp_err err = fsync(fd) == 0 ? LP_OK : LP_EIO;
    lp_io_close(fd);
    return err;
}

lp_err
lp_io_list(const char *path, lp_err (*on_name)(void *arg, int dir_fd, const char *name), void *arg)
{
    DIR *dir = opendir(path);
    if (dir == NULL) {
        return errno == ENOENT ? LP_OK : errno == ENOMEM ? LP_ENOMEM : LP_EIO;
    }
    lp_err err = LP_OK;
    const struct dirent *entry;
    while (err == LP_OK && (errno = 0, entry = readdir(dir)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            err = on_name(arg, dirfd(dir), entry->d_name);
        }
    }
    int error = errno;
    err = err == LP_OK && error != 0 ? LP_EIO : err;
    (void)closedir(dir);
    errno = error;
    return err;
}

bool
lp_io_is_same_file(const char *path, const char *other)
{
    struct stat one;
    struct stat two;
    return stat(path, &one) == 0 && stat(other, &two) == 0 && one.st_dev == two.st_dev &&
           one.st_ino == two.st_ino;
}

lp_err
lp_io_make_dir_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL) {
        return LP_OK;
    }
    char *dir = strndup(path, (size_t)(slash - path));
    LP_REQUIRE(dir != NULL, LP_ENOMEM);
    bool is_there = mkdir(dir, DIR_MODE) == 0 || errno == EEXIST;
    free(dir);
    return is_there ? LP_OK : LP_EIO;
}

lp_err
lp_io_sync_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *dir = slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path) + 1);
    LP_REQUIRE(dir != NULL, LP_ENOMEM);
    lp_err err = lp_io_sync_dir(AT_FDCWD, dir);
    free(dir);
    return err;
}
