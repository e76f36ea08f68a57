// SPDX-License-Identifier: Apache-2.0
#include "collector/store/blobs.h"

#include "collector/store/catalog.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_io.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    DIR_MODE = 0750,
    FILE_MODE = 0640,
    NAME_BYTES = CATALOG_ID_CHARS + sizeof("/4294967295.jfr.tmp"),
};

struct blobs {
    int dir_fd;
};

lp_err
blobs_open(const char *dir, blobs **out_blobs, lp_problem *out_problem)
{
    blobs *opened = malloc(sizeof(*opened));
    if (opened == NULL) {
        return lp_problem_set(out_problem, LP_ENOMEM, "%s: out of memory", dir);
    }
    opened->dir_fd = -1;
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
blobs_close(blobs *self)
{
    if (self == NULL) {
        return;
    }
    if (self->dir_fd >= 0) {
        (void)close(self->dir_fd);
    }
    free(self);
}

uint64_t
blobs_hash(lp_slice bytes)
{
    return lp_hash_bytes(LP_HASH_FIXED, bytes);
}

static void
format_name(char name[NAME_BYTES], const char *session_id, uint32_t ordinal, const char *suffix)
{
    (void)snprintf(name, NAME_BYTES, "%s/%" PRIu32 ".jfr%s", session_id, ordinal, suffix);
}

lp_err
blobs_put(blobs *self, const char *session_id, uint32_t ordinal, lp_slice bytes, uint64_t *out_hash)
{
    LP_ASSERT(self->dir_fd >= 0);

    if (!catalog_id_is_valid(session_id)) {
        return LP_ECORRUPT;
    }
    if (mkdirat(self->dir_fd, session_id, DIR_MODE) != 0 && errno != EEXIST) {
        return LP_EIO;
    }
    // The temporary name is always the same, so that what a killed process left is used up by the
    // next try at this chunk.
    char temporary[NAME_BYTES];
    char name[NAME_BYTES];
    format_name(temporary, session_id, ordinal, ".tmp");
    format_name(name, session_id, ordinal, "");
    int fd = openat(
        self->dir_fd, temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, FILE_MODE);
    if (fd < 0) {
        return LP_EIO;
    }
    lp_err err = lp_io_write_all(fd, bytes);
    if (close(fd) != 0) {
        err = LP_EIO;
    }
    if (err == LP_OK && renameat(self->dir_fd, temporary, self->dir_fd, name) != 0) {
        err = LP_EIO;
    }
    if (err != LP_OK) {
        (void)unlinkat(self->dir_fd, temporary, 0);
        return err;
    }
    if (out_hash != NULL) {
        *out_hash = blobs_hash(bytes);
    }
    return LP_OK;
}

lp_err
blobs_open_chunk(blobs *self, const char *session_id, uint32_t ordinal, int *out_fd)
{
    if (!catalog_id_is_valid(session_id)) {
        return LP_ENOENT;
    }
    char name[NAME_BYTES];
    format_name(name, session_id, ordinal, "");
    int fd = openat(self->dir_fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
        return errno == ENOENT ? LP_ENOENT : LP_EIO;
    }
    *out_fd = fd;
    return LP_OK;
}

// read_all reads an open file, which has to have size_bytes.
static lp_err
read_all(int fd, uint64_t size_bytes, lp_buf *out_bytes)
{
    struct stat info;
    if (fstat(fd, &info) != 0) {
        return LP_EIO;
    }
    if ((uint64_t)info.st_size != size_bytes) {
        return LP_ECORRUPT;
    }
    uint8_t *to = lp_buf_extend(out_bytes, (size_t)size_bytes);
    if (to == NULL) {
        return LP_ENOMEM;
    }
    for (size_t left = (size_t)size_bytes; left > 0;) {
        ssize_t done = read(fd, to, left);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            return done == 0 ? LP_ECORRUPT : LP_EIO;
        }
        to += done;
        left -= (size_t)done;
    }
    return LP_OK;
}

lp_err
blobs_read_chunk(blobs *self, const char *session_id, uint32_t ordinal, uint64_t size_bytes,
    uint64_t content_hash, lp_buf *out_bytes)
{
    int fd;
    lp_err err = blobs_open_chunk(self, session_id, ordinal, &fd);
    if (err != LP_OK) {
        return err;
    }
    err = read_all(fd, size_bytes, out_bytes);
    (void)close(fd);
    return err == LP_OK && blobs_hash(lp_buf_slice(out_bytes)) != content_hash ? LP_ECORRUPT : err;
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
