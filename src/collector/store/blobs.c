// SPDX-License-Identifier: Apache-2.0
#include "collector/store/blobs.h"

#include "collector/store/blob_pack.h"
#include "collector/store/catalog.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_io.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    DIR_MODE = 0750,
    FILE_MODE = 0640,
    NAME_BYTES = CATALOG_ID_CHARS + sizeof("/4294967295.jfr.zst.tmp"),
};

static_assert(BLOBS_SESSION_ID_CHARS == (int)CATALOG_ID_CHARS, "a reader has room for an id");

struct blobs {
    char *dir;
    int dir_fd;
    bool is_durable; // blobs_put waits for the disk
    void (*on_lost)(void *arg, const char *session_id, uint32_t ordinal); // NULL: nobody
    void *arg;
    pthread_mutex_t mutex; // of what follows
    blobs_reader *readers;
    uint64_t moment;
};

lp_err
blobs_open(const char *dir, blobs **out_blobs, lp_problem *out_problem)
{
    blobs *opened = malloc(sizeof(*opened));
    if (opened == NULL) {
        return lp_problem_set(out_problem, LP_ENOMEM, "%s: out of memory", dir);
    }
    *opened = (blobs){.dir = strdup(dir), .dir_fd = -1, .is_durable = true};
    (void)pthread_mutex_init(&opened->mutex, NULL); // Linux's cannot fail
    if (opened->dir == NULL) {
        blobs_close(opened);
        return lp_problem_set(out_problem, LP_ENOMEM, "%s: out of memory", dir);
    }
    if (mkdir(dir, DIR_MODE) != 0 && errno != EEXIST) {
        goto fail;
    }
    opened->dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened->dir_fd < 0) {
        goto fail;
    }
    *out_blobs = opened;
    return LP_OK;

fail:
    (void)lp_problem_set(out_problem, LP_EIO, "%s: %s", dir, strerror(errno));
    blobs_close(opened);
    return LP_EIO;
}

void
blobs_set_durable(blobs *self, bool is_durable)
{
    self->is_durable = is_durable;
}

void
blobs_close(blobs *self)
{
    if (self == NULL) {
        return;
    }
    LP_ASSERT(self->readers == NULL);
    if (self->dir_fd >= 0) {
        (void)close(self->dir_fd);
    }
    (void)pthread_mutex_destroy(&self->mutex);
    free(self->dir);
    free(self);
}

void
blobs_set_on_lost(
    blobs *self, void (*on_lost)(void *arg, const char *session_id, uint32_t ordinal), void *arg)
{
    self->on_lost = on_lost;
    self->arg = arg;
}

uint64_t
blobs_hash(lp_slice bytes)
{
    return lp_hash_bytes(LP_HASH_FIXED, bytes);
}

static const char packed_suffix[] = ".jfr.zst";
static const char plain_suffix[] = ".jfr"; // of versions before
// The packed one is the later one. It may take the place of a plain one in between.
static const char *const suffixes[] = {packed_suffix, plain_suffix, packed_suffix};

static void
format_name(char name[NAME_BYTES], const char *session_id, uint32_t ordinal, const char *suffix)
{
    (void)snprintf(name, NAME_BYTES, "%s/%" PRIu32 "%s", session_id, ordinal, suffix);
}

// write_file makes a file of bytes, packed where out_packed_bytes is not NULL. They are on the disk
// on LP_OK; its name need not be.
static lp_err
write_file(const blobs *self, const char *name, lp_slice bytes, uint64_t *out_packed_bytes)
{
    int fd = openat(
        self->dir_fd, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, FILE_MODE);
    if (fd < 0) {
        return LP_EIO;
    }
    lp_err err = out_packed_bytes == NULL ? lp_io_write_all(fd, bytes)
                                          : blob_pack_write(fd, bytes, out_packed_bytes);
    if (err == LP_OK && self->is_durable && fdatasync(fd) != 0) {
        err = LP_EIO;
    }
    return close(fd) == 0 || err != LP_OK ? err : LP_EIO;
}

// sync_names makes the names in the session's directory durable, and its own. That may be older
// than this process, and nobody knows whether it is on the disk.
static lp_err
sync_names(const blobs *self, const char *session_id)
{
    lp_err err = lp_io_sync_dir(self->dir_fd, session_id);
    return err == LP_OK ? lp_io_sync_dir(self->dir_fd, ".") : err;
}

// put writes a file of the session's directory as write_file, first under the name temporary.
static lp_err
put(const blobs *self, const char *session_id, const char *temporary, const char *name,
    lp_slice bytes, uint64_t *out_packed_bytes)
{
    if (mkdirat(self->dir_fd, session_id, DIR_MODE) != 0 && errno != EEXIST) {
        return LP_EIO;
    }
    lp_err err = write_file(self, temporary, bytes, out_packed_bytes);
    if (err == LP_OK && renameat(self->dir_fd, temporary, self->dir_fd, name) != 0) {
        err = LP_EIO;
    }
    if (err != LP_OK) {
        int saved_errno = errno;
        (void)unlinkat(self->dir_fd, temporary, 0);
        errno = saved_errno;
        return err;
    }
    return self->is_durable ? sync_names(self, session_id) : LP_OK;
}

lp_err
blobs_put(
    blobs *self, const char *session_id, uint32_t ordinal, lp_slice bytes, blobs_stored *out_stored)
{
    LP_ASSERT(self->dir_fd >= 0);

    if (!catalog_id_is_valid(session_id)) {
        return LP_ECORRUPT;
    }
    // The temporary name is always the same, so that what a killed process left is used up by the
    // next try at this chunk.
    char temporary[NAME_BYTES];
    char name[NAME_BYTES];
    char plain[NAME_BYTES];
    format_name(temporary, session_id, ordinal, ".jfr.zst.tmp");
    format_name(name, session_id, ordinal, packed_suffix);
    format_name(plain, session_id, ordinal, plain_suffix);
    uint64_t stored_bytes;
    lp_err err = put(self, session_id, temporary, name, bytes, &stored_bytes);
    if (err != LP_OK) {
        return err;
    }
    (void)unlinkat(self->dir_fd, plain, 0); // as a rule there is none
    if (out_stored != NULL) {
        *out_stored = (blobs_stored){blobs_hash(bytes), stored_bytes};
    }
    return LP_OK;
}

lp_err
blobs_put_hello(blobs *self, const char *session_id, lp_slice hello)
{
    if (!catalog_id_is_valid(session_id)) {
        return LP_ECORRUPT;
    }
    char temporary[NAME_BYTES];
    char name[NAME_BYTES];
    (void)snprintf(temporary, sizeof(temporary), "%s/session.pb.tmp", session_id);
    (void)snprintf(name, sizeof(name), "%s/session.pb", session_id);
    return put(self, session_id, temporary, name, hello, NULL);
}

// open_file opens the file of a chunk; -1 and errno where it cannot.
static int
open_file(const blobs *self, const blob_name *chunk, const char *suffix)
{
    char name[NAME_BYTES];
    format_name(name, chunk->session_id, chunk->ordinal, suffix);
    return openat(self->dir_fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
}

bool
blobs_has_chunk(blobs *self, const char *session_id, uint32_t ordinal, uint64_t stored_bytes)
{
    char name[NAME_BYTES];
    struct stat info;
    for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
        format_name(name, session_id, ordinal, suffixes[i]);
        if (fstatat(self->dir_fd, name, &info, AT_SYMLINK_NOFOLLOW) == 0) {
            return !S_ISREG(info.st_mode) || (uint64_t)info.st_size == stored_bytes;
        }
        if (errno != ENOENT) {
            return true;
        }
    }
    return false;
}

static lp_err
open_chunk(const blobs *self, const blob_name *name, blob **out_blob)
{
    if (!catalog_id_is_valid(name->session_id)) {
        return LP_ENOENT;
    }
    for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
        int fd = open_file(self, name, suffixes[i]);
        if (fd >= 0) {
            return blob_open(fd, suffixes[i] == packed_suffix, name, out_blob);
        }
        if (errno != ENOENT) {
            return LP_EIO;
        }
    }
    return LP_ENOENT;
}

lp_err
blobs_verify(const blobs *self, const blob_name *name)
{
    enum { BLOCK_BYTES = 1 << 14 };
    uint8_t block[BLOCK_BYTES];
    blob *chunk;
    lp_err err = open_chunk(self, name, &chunk);
    if (err != LP_OK) {
        return err;
    }
    for (uint64_t at = 0; at < name->size_bytes && err == LP_OK;) {
        uint64_t left = name->size_bytes - at;
        size_t count = left < BLOCK_BYTES ? (size_t)left : BLOCK_BYTES;
        err = blob_read(chunk, at, block, count);
        at += count;
    }
    int error = errno;
    blob_close(chunk);
    errno = error;
    return err;
}

// is_of_file returns whether a chunk that cannot be read has its file, or the disk, to blame. EIO
// is the disk's; any other reason of the system is none of theirs, nor is memory.
static bool
is_of_file(lp_err err)
{
    return err == LP_ENOENT || err == LP_ECORRUPT || (err == LP_EIO && errno == EIO);
}

void
blobs_note_failure(blobs *self, const blob_name *name, lp_err err)
{
    int error = errno;
    // A disk may fail to read once.
    bool is_lost = err == LP_ENOENT || (is_of_file(err) && is_of_file(blobs_verify(self, name)));
    if (is_lost && self->on_lost != NULL) {
        self->on_lost(self->arg, name->session_id, name->ordinal);
    }
    errno = error;
}

lp_err
blobs_open_chunk(blobs *self, const blob_name *name, blob **out_blob)
{
    lp_err err = open_chunk(self, name, out_blob);
    blobs_note_failure(self, name, err);
    return err;
}

lp_err
blobs_read_chunk(blobs *self, const blob_name *name, lp_buf *out_bytes)
{
    blob *chunk;
    lp_err err = blobs_open_chunk(self, name, &chunk);
    if (err != LP_OK) {
        return err;
    }
    uint8_t *to = lp_buf_extend(out_bytes, (size_t)name->size_bytes);
    err = to == NULL ? LP_ENOMEM : LP_OK;
    if (err == LP_OK && name->size_bytes > 0) {
        err = blob_read(chunk, 0, to, (size_t)name->size_bytes);
        blobs_note_failure(self, name, err);
    }
    blob_close(chunk);
    return err;
}

int
blobs_get_directory(const blobs *self)
{
    return self->dir_fd;
}

const char *
blobs_get_path(const blobs *self)
{
    return self->dir;
}

// --- Readers and removal

void
blobs_reader_begin(blobs_reader *reader, blobs *self, const char *session_id)
{
    LP_ASSERT(reader->of == NULL);
    *reader = (blobs_reader){.of = self};
    (void)snprintf(
        reader->session_id, sizeof(reader->session_id), "%s", session_id == NULL ? "" : session_id);
    (void)pthread_mutex_lock(&self->mutex);
    reader->number = self->moment++;
    reader->next = self->readers;
    self->readers = reader;
    (void)pthread_mutex_unlock(&self->mutex);
}

void
blobs_reader_end(blobs_reader *reader)
{
    blobs *self = reader->of;
    if (self == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&self->mutex);
    blobs_reader **place = &self->readers;
    while (*place != reader) {
        place = &(*place)->next;
    }
    *place = reader->next;
    (void)pthread_mutex_unlock(&self->mutex);
    *reader = (blobs_reader){0};
}

uint64_t
blobs_get_moment(blobs *self)
{
    (void)pthread_mutex_lock(&self->mutex);
    uint64_t moment = self->moment;
    (void)pthread_mutex_unlock(&self->mutex);
    return moment;
}

bool
blobs_is_read(blobs *self, const char *session_id, uint64_t moment)
{
    bool is_read = false;
    (void)pthread_mutex_lock(&self->mutex);
    for (const blobs_reader *r = self->readers; r != NULL && !is_read; r = r->next) {
        is_read = r->number < moment &&
                  (r->session_id[0] == '\0' || strcmp(r->session_id, session_id) == 0);
    }
    (void)pthread_mutex_unlock(&self->mutex);
    return is_read;
}

// remove_file removes a file. One that is not there is fine.
static lp_err
remove_file(const blobs *self, const char *name)
{
    return unlinkat(self->dir_fd, name, 0) == 0 || errno == ENOENT ? LP_OK : LP_EIO;
}

lp_err
blobs_remove(blobs *self, const char *session_id, uint32_t ordinal)
{
    if (!catalog_id_is_valid(session_id)) {
        return LP_OK;
    }
    char packed[NAME_BYTES];
    char plain[NAME_BYTES];
    format_name(packed, session_id, ordinal, packed_suffix);
    format_name(plain, session_id, ordinal, plain_suffix);
    lp_err err = remove_file(self, packed);
    return err == LP_OK ? remove_file(self, plain) : err;
}

// empty removes the files of an open directory, also behind one that cannot be removed.
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
blobs_remove_session(blobs *self, const char *session_id)
{
    if (!catalog_id_is_valid(session_id)) {
        return LP_OK;
    }
    int fd = openat(self->dir_fd, session_id, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *files = fd < 0 ? NULL : fdopendir(fd);
    if (files == NULL) {
        lp_err err = fd < 0 && errno == ENOENT ? LP_OK : LP_EIO;
        if (fd >= 0) {
            (void)close(fd);
        }
        return err;
    }
    lp_err err = empty(files);
    int error = errno;
    (void)closedir(files);
    errno = error;
    bool is_gone = err == LP_OK && unlinkat(self->dir_fd, session_id, AT_REMOVEDIR) == 0;
    return is_gone ? LP_OK : LP_EIO;
}

lp_err
blobs_sync_names(blobs *self, const char *session_id)
{
    lp_err err = catalog_id_is_valid(session_id) ? lp_io_sync_dir(self->dir_fd, session_id) : LP_OK;
    return err == LP_OK || errno == ENOENT ? lp_io_sync_dir(self->dir_fd, ".") : err;
}

lp_err
blobs_spill(blobs *self, lp_slice bytes, int *out_fd)
{
    int fd = openat(self->dir_fd, ".", O_RDWR | O_TMPFILE | O_CLOEXEC, FILE_MODE);
    if (fd < 0) {
        return LP_EIO;
    }
    lp_err err = lp_io_write_all(fd, bytes);
    if (err != LP_OK) {
        (void)close(fd);
        return err;
    }
    *out_fd = fd;
    return LP_OK;
}
