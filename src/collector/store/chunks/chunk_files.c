// SPDX-License-Identifier: Apache-2.0
#include "collector/store/chunks/chunk_files.h"

#include "collector/store/blob_pack.h"
#include "collector/store/catalog/catalog.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_io.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The suffixes of the editions (blob.h).
static const char *const suffixes[] = {
    ".jfr.zst", ".all.jfr.zst", ".1.jfr.zst", ".2.jfr.zst", ".3.jfr.zst", ".4.jfr.zst"};
static_assert(LP_COUNT(suffixes) == BLOB_EDITIONS, "one for each edition");

enum {
    FILE_NAME_BYTES = sizeof("4294967295.all.jfr.zst.tmp"),
    NAME_BYTES = CATALOG_ID_CHARS + 1 + FILE_NAME_BYTES,
};

typedef struct chunk_files {
    chunk_store base;
    const char *path;
    int dir_fd;
    const bool *is_durable;
} chunk_files;

static const chunk_files *
files_check(const chunk_store *store)
{
    const chunk_files *self = (const chunk_files *)(const void *)store; // base is its first member
    LP_ASSERT(self->base.ops != NULL && self->path != NULL);
    LP_ASSERT(self->dir_fd >= 0 && self->is_durable != NULL);
    return self;
}

static void
format_name(char name[NAME_BYTES], const char *session_id, uint32_t ordinal, uint64_t edition)
{
    const char *suffix = suffixes[edition < BLOB_EDITIONS ? edition : BLOB_EDITION_FIRST];
    (void)snprintf(name, NAME_BYTES, "%s/%" PRIu32 "%s", session_id, ordinal, suffix);
}

// --- Files of a session

lp_err
chunk_files_make(int dir_fd, int *out_fd)
{
    LP_ASSERT(dir_fd >= 0);
    *out_fd = openat(dir_fd, ".", O_RDWR | O_TMPFILE | O_CLOEXEC, CHUNK_FILES_MODE);
    return *out_fd < 0 ? LP_EIO : LP_OK;
}

// write_file writes bytes to a file, packed if out_packed_bytes is not NULL. On LP_OK the bytes are
// on the disk; the name need not be.
static lp_err
write_file(
    int dir_fd, bool is_durable, const char *name, lp_slice bytes, uint64_t *out_packed_bytes)
{
    int fd = openat(
        dir_fd, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, CHUNK_FILES_MODE);
    LP_REQUIRE(fd >= 0, LP_EIO);
    lp_err err = out_packed_bytes == NULL ? lp_io_write_all(fd, bytes)
                                          : blob_pack_write(fd, bytes, out_packed_bytes);
    LP_THEN(err, is_durable && fdatasync(fd) != 0 ? LP_EIO : LP_OK);
    return close(fd) == 0 || err != LP_OK ? err : LP_EIO;
}

// write_named writes a file under a temporary name, and then gives it its name.
static lp_err
write_named(int dir_fd, bool is_durable, const char *session_id, const char *file_name,
    lp_slice bytes, uint64_t *out_packed_bytes)
{
    // The same temporary name each time: the next try overwrites the file of a killed process.
    char temporary[NAME_BYTES];
    char name[NAME_BYTES];
    (void)snprintf(temporary, sizeof(temporary), "%s/%s.tmp", session_id, file_name);
    (void)snprintf(name, sizeof(name), "%s/%s", session_id, file_name);
    LP_REQUIRE(mkdirat(dir_fd, session_id, CHUNK_FILES_DIR_MODE) == 0 || errno == EEXIST, LP_EIO);
    lp_err err = write_file(dir_fd, is_durable, temporary, bytes, out_packed_bytes);
    LP_THEN(err, renameat(dir_fd, temporary, dir_fd, name) != 0 ? LP_EIO : LP_OK);
    if (err != LP_OK) {
        int saved_errno = errno;
        (void)unlinkat(dir_fd, temporary, 0);
        errno = saved_errno;
    }
    return err;
}

// sync_names syncs the session's directory, and its parent: the directory may be an earlier
// process's and its name not yet on the disk.
static lp_err
sync_names(int dir_fd, const char *session_id)
{
    lp_err err = lp_io_sync_dir(dir_fd, session_id);
    return err == LP_OK ? lp_io_sync_dir(dir_fd, ".") : err;
}

lp_err
chunk_files_write(int dir_fd, bool is_durable, const char *session_id, const char *file_name,
    lp_slice bytes, uint64_t *out_packed_bytes)
{
    LP_ASSERT(dir_fd >= 0 && catalog_id_is_valid(session_id));
    LP_TRY(write_named(dir_fd, is_durable, session_id, file_name, bytes, out_packed_bytes));
    return is_durable ? sync_names(dir_fd, session_id) : LP_OK;
}

// empty removes the files of an open directory. It continues after a failure.
static lp_err
empty(DIR *files)
{
    int error = 0;
    for (struct dirent *file; (file = readdir(files)) != NULL;) {
        if (strcmp(file->d_name, ".") != 0 && strcmp(file->d_name, "..") != 0 &&
            unlinkat(dirfd(files), file->d_name, 0) != 0 && errno != ENOENT) {
            error = errno;
        }
    }
    errno = error;
    return error == 0 ? LP_OK : LP_EIO;
}

lp_err
chunk_files_remove_session(int dir_fd, const char *session_id)
{
    LP_ASSERT(dir_fd >= 0 && catalog_id_is_valid(session_id));
    int fd = openat(dir_fd, session_id, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
        return errno == ENOENT ? LP_OK : LP_EIO;
    }
    DIR *files = fdopendir(fd);
    if (files == NULL) {
        lp_io_close(fd);
        return LP_EIO;
    }
    lp_err err = empty(files);
    int error = errno;
    (void)closedir(files);
    errno = error;
    bool is_gone = err == LP_OK && unlinkat(dir_fd, session_id, AT_REMOVEDIR) == 0;
    return is_gone ? LP_OK : LP_EIO;
}

// --- The driver

static const char *
get_name(const chunk_store *store)
{
    return files_check(store)->path;
}

static void
format_file(char file_name[FILE_NAME_BYTES], uint32_t ordinal, uint64_t edition)
{
    LP_ASSERT(edition < BLOB_EDITIONS);
    (void)snprintf(file_name, FILE_NAME_BYTES, "%" PRIu32 "%s", ordinal, suffixes[edition]);
}

static lp_err
put(chunk_store *store, const char *session_id, uint32_t ordinal, lp_slice bytes,
    uint64_t *out_stored_bytes)
{
    const chunk_files *self = files_check(store);
    char file_name[FILE_NAME_BYTES];
    format_file(file_name, ordinal, BLOB_EDITION_FIRST);
    return chunk_files_write(
        self->dir_fd, *self->is_durable, session_id, file_name, bytes, out_stored_bytes);
}

// sync_file syncs a file that has its name.
static lp_err
sync_file(int dir_fd, const char *session_id, const char *file_name)
{
    char name[NAME_BYTES];
    (void)snprintf(name, sizeof(name), "%s/%s", session_id, file_name);
    int fd = openat(dir_fd, name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
    LP_REQUIRE(fd >= 0, LP_EIO);
    lp_err err = fsync(fd) == 0 ? LP_OK : LP_EIO;
    lp_io_close(fd);
    return err;
}

// put_edition writes a file that no row of the catalog names yet, in a directory that is on the
// disk. So it is synced once it has its name: file systems with a journal then write both at once.
static lp_err
put_edition(chunk_store *store, const char *session_id, uint32_t ordinal, uint64_t edition,
    lp_slice bytes, uint64_t *out_stored_bytes)
{
    const chunk_files *self = files_check(store);
    char file_name[FILE_NAME_BYTES];
    format_file(file_name, ordinal, edition);
    LP_TRY(write_named(self->dir_fd, false, session_id, file_name, bytes, out_stored_bytes));
    LP_REQUIRE(*self->is_durable, LP_OK);
    lp_err err = sync_file(self->dir_fd, session_id, file_name);
    LP_THEN(err, lp_io_sync_dir(self->dir_fd, session_id));
    if (err != LP_OK) {
        char name[NAME_BYTES];
        int saved_errno = errno;
        format_name(name, session_id, ordinal, edition);
        (void)unlinkat(self->dir_fd, name, 0);
        errno = saved_errno;
    }
    return err;
}

static lp_err
open_chunk(chunk_store *store, const blob_name *of, int *out_fd)
{
    const chunk_files *self = files_check(store);
    char name[NAME_BYTES];
    format_name(name, of->session_id, of->ordinal, of->place.offset);
    int fd = openat(self->dir_fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    LP_REQUIRE(fd >= 0, errno == ENOENT ? LP_ENOENT : LP_EIO);
    *out_fd = fd;
    return LP_OK;
}

static bool
has(chunk_store *store, const char *session_id, uint32_t ordinal, uint64_t stored_bytes)
{
    const chunk_files *self = files_check(store);
    char name[NAME_BYTES];
    struct stat info;
    bool is_there = false;
    for (size_t i = 0; i < LP_COUNT(suffixes) && !is_there; i++) {
        format_name(name, session_id, ordinal, i);
        bool is_known = fstatat(self->dir_fd, name, &info, AT_SYMLINK_NOFOLLOW) == 0;
        is_there = is_known ? !S_ISREG(info.st_mode) || (uint64_t)info.st_size == stored_bytes
                            : errno != ENOENT;
    }
    return is_there;
}

static lp_err
remove_chunk(chunk_store *store, const char *session_id, uint32_t ordinal)
{
    const chunk_files *self = files_check(store);
    lp_err err = LP_OK;
    for (size_t i = 0; i < LP_COUNT(suffixes) && err == LP_OK; i++) {
        char name[NAME_BYTES];
        format_name(name, session_id, ordinal, i);
        err = unlinkat(self->dir_fd, name, 0) == 0 || errno == ENOENT ? LP_OK : LP_EIO;
    }
    return err;
}

static lp_err
remove_session(chunk_store *store, const char *session_id)
{
    return chunk_files_remove_session(files_check(store)->dir_fd, session_id);
}

static void
close_store(chunk_store *store)
{
    free(store);
}

chunk_store *
chunk_files_open(const char *path, int dir_fd, const bool *is_durable)
{
    static const chunk_store_ops ops = {
        .is_remote = false,
        .get_name = get_name,
        .put = put,
        .put_edition = put_edition,
        .open = open_chunk,
        .has = has,
        .remove = remove_chunk,
        .remove_session = remove_session,
        .close = close_store,
    };
    LP_ASSERT(dir_fd >= 0);
    chunk_files *self = malloc(sizeof(*self));
    LP_REQUIRE(self != NULL, NULL);
    *self = (chunk_files){
        .base = {.ops = &ops}, .path = path, .dir_fd = dir_fd, .is_durable = is_durable};
    return &self->base;
}
