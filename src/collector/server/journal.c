// SPDX-License-Identifier: Apache-2.0

#include "collector/server/journal.h"

#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"
#include "common/wire/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <zlib.h>

enum { FILE_MODE = 0640, LENGTH_OFFSET = 4, CRC_OFFSET = 8 };

static const uint8_t magic[4] = {'L', 'P', 'J', '1'};

struct journal {
    char *path;
    int fd;
    unsigned refs; // touched on the loop's thread alone
    uint64_t size_bytes;
    bool has_torn_end; // a failed append could not be cut off yet
};

static void
put_le32(uint8_t *bytes, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)(value >> (8 * i));
    }
}

static uint32_t
get_le32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

// record_crc covers the length field too, so that a wrong length cannot pass by chance.
static uint32_t
record_crc(const uint8_t *length_field, lp_slice message)
{
    uLong crc = crc32(0, length_field, CRC_OFFSET - LENGTH_OFFSET);
    return (uint32_t)crc32(crc, message.ptr, (uInt)message.len);
}

lp_err
journal_open(const char *path, journal **out_journal)
{
    journal *j = calloc(1, sizeof(*j));
    if (j == NULL) {
        return LP_ENOMEM;
    }
    *j = (journal){.path = strdup(path), .fd = -1, .refs = 1};
    lp_err err = LP_ENOMEM;
    if (j->path == NULL) {
        goto fail;
    }
    err = LP_EIO;
    j->fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, FILE_MODE);
    struct stat info;
    if (j->fd < 0 || fstat(j->fd, &info) != 0) {
        goto fail;
    }
    j->size_bytes = (uint64_t)info.st_size;
    metrics_add(METRICS_journal_bytes, j->size_bytes);
    *out_journal = j;
    return LP_OK;

fail:
    journal_unref(j);
    return err;
}

journal *
journal_ref(journal *self)
{
    LP_ASSERT(self->refs > 0);
    self->refs++;
    return self;
}

void
journal_unref(journal *self)
{
    if (self == NULL) {
        return;
    }
    LP_ASSERT(self->refs > 0);
    if (--self->refs > 0) {
        return;
    }
    int saved_errno = errno; // of an open that failed
    metrics_sub(METRICS_journal_bytes, self->size_bytes);
    if (self->fd >= 0) {
        (void)close(self->fd);
    }
    free(self->path);
    free(self);
    errno = saved_errno;
}

const char *
journal_get_path(const journal *self)
{
    return self->path;
}

uint64_t
journal_get_size(const journal *self)
{
    return self->size_bytes;
}

lp_err
journal_append(journal *self, lp_slice message)
{
    LP_ASSERT(self->refs > 0 && self->fd >= 0);
    LP_ASSERT(message.len <= WIRE_MESSAGE_BYTES_MAX);

    if (self->has_torn_end && journal_cut(self, self->size_bytes) != LP_OK) {
        return LP_EIO;
    }
    uint8_t frame[JOURNAL_FRAME_BYTES];
    memcpy(frame, magic, sizeof(magic));
    put_le32(frame + LENGTH_OFFSET, (uint32_t)message.len);
    put_le32(frame + CRC_OFFSET, record_crc(frame + LENGTH_OFFSET, message));

    // iovec has no const; writev does not write to what it points to.
    const union {
        const void *in;
        void *out;
    } body = {.in = message.ptr};
    const struct iovec parts[] = {
        {.iov_base = frame, .iov_len = sizeof(frame)},
        {.iov_base = body.out, .iov_len = message.len},
    };
    size_t want = sizeof(frame) + message.len;
    ssize_t written;
    do {
        written = writev(self->fd, parts, 2);
    } while (written < 0 && errno == EINTR);
    if (written >= 0 && (size_t)written == want) {
        self->size_bytes += want;
        metrics_add(METRICS_journal_bytes, want);
        return LP_OK;
    }
    // A write to a regular file is short only when there is no room for the rest.
    int saved_errno = written < 0 ? errno : ENOSPC;
    // If it cannot be cut off now, it is before the next append.
    self->has_torn_end = journal_cut(self, self->size_bytes) != LP_OK;
    errno = saved_errno;
    return LP_EIO;
}

lp_err
journal_cut(journal *self, uint64_t size_bytes)
{
    LP_ASSERT(size_bytes <= self->size_bytes); // a hole would read as damage

    if (ftruncate(self->fd, (off_t)size_bytes) != 0) {
        return LP_EIO;
    }
    metrics_sub(METRICS_journal_bytes, self->size_bytes - size_bytes);
    self->size_bytes = size_bytes;
    self->has_torn_end = false;
    return LP_OK;
}

lp_err
journal_save_tail(const journal *self, uint64_t offset, const char *path)
{
    LP_ASSERT(offset <= self->size_bytes);

    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, FILE_MODE);
    if (fd < 0) {
        return LP_EIO;
    }
    off_t from = (off_t)offset;
    ssize_t count;
    do {
        count = copy_file_range(self->fd, &from, fd, NULL, self->size_bytes, 0);
    } while (count > 0);
    return close(fd) == 0 && count == 0 ? LP_OK : LP_EIO;
}

lp_err
journal_remove(journal *self)
{
    return unlink(self->path) == 0 || errno == ENOENT ? LP_OK : LP_EIO;
}

lp_err
journal_move(journal *self, const char *path)
{
    return rename(self->path, path) == 0 ? LP_OK : LP_EIO;
}

void
journal_cursor_init(journal_cursor *cursor, const journal *self, uint64_t end_bytes)
{
    *cursor = (journal_cursor){.journal = self, .end_bytes = end_bytes};
}

void
journal_cursor_fini(journal_cursor *cursor)
{
    lp_buf_fini(&cursor->message);
}

// read_all fills bytes from offset. Errors: LP_ECORRUPT if the file is shorter than it was; LP_EIO
static lp_err
read_all(int fd, uint8_t *bytes, size_t count, uint64_t offset)
{
    while (count > 0) {
        ssize_t got = pread(fd, bytes, count, (off_t)offset);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return got == 0 ? LP_ECORRUPT : LP_EIO;
        }
        bytes += got;
        count -= (size_t)got;
        offset += (uint64_t)got;
    }
    return LP_OK;
}

lp_err
journal_cursor_next(journal_cursor *cursor, lp_slice *out_message)
{
    LP_ASSERT(cursor->offset <= cursor->end_bytes);

    uint64_t rest = cursor->end_bytes - cursor->offset;
    if (rest == 0) {
        return LP_EEND;
    }
    cursor->is_torn = rest < JOURNAL_FRAME_BYTES;
    if (cursor->is_torn) {
        return LP_ECORRUPT;
    }
    uint8_t frame[JOURNAL_FRAME_BYTES];
    lp_err err = read_all(cursor->journal->fd, frame, sizeof(frame), cursor->offset);
    if (err != LP_OK) {
        return err;
    }
    uint32_t length = get_le32(frame + LENGTH_OFFSET);
    if (memcmp(frame, magic, sizeof(magic)) != 0 || length > WIRE_MESSAGE_BYTES_MAX) {
        return LP_ECORRUPT;
    }
    cursor->is_torn = length > rest - JOURNAL_FRAME_BYTES;
    if (cursor->is_torn) {
        return LP_ECORRUPT;
    }
    lp_buf_clear(&cursor->message);
    uint8_t *bytes = lp_buf_extend(&cursor->message, length);
    if (bytes == NULL) {
        return LP_ENOMEM;
    }
    err = read_all(cursor->journal->fd, bytes, length, cursor->offset + JOURNAL_FRAME_BYTES);
    if (err != LP_OK) {
        return err;
    }
    lp_slice message = lp_buf_slice(&cursor->message);
    if (record_crc(frame + LENGTH_OFFSET, message) != get_le32(frame + CRC_OFFSET)) {
        return LP_ECORRUPT;
    }
    cursor->offset += JOURNAL_FRAME_BYTES + length;
    *out_message = message;
    return LP_OK;
}
