// SPDX-License-Identifier: Apache-2.0

#include "collector/journal/journal.h"

#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_io.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <zlib.h>

enum {
    FILE_MODE = 0640,
    SECTOR_BYTES = 512,  // the smallest unit that a disk writes
    UNWRITTEN_BYTES = 4, // zeros at the end of a sector that count as never written
    SEARCH_WINDOW_BYTES = 64 << 10,
};

static const uint8_t magic[4] = {'L', 'P', 'J', '1'};

// Before each message; little-endian.
typedef struct record_frame {
    uint8_t magic[4];
    uint32_t length;
    uint32_t crc;
} record_frame;
_Static_assert(sizeof(record_frame) == JOURNAL_FRAME_BYTES, "no padding");

struct journal {
    char *path;
    journal_file file;
    int sync_fd;         // see journal_begin_sync
    uint64_t sync_bytes; // the file's size then
    unsigned refs;       // used on the loop's thread only
    unsigned readers;    // the part of refs from journal_begin_reading
    uint64_t size_bytes;
    bool has_torn_end; // a failed append was not cut off yet
    bool is_removed;
    bool is_to_read; // journal_open_to_read
    int refusal;     // see journal_refuse
    journal_note note;
};

// journal_check is for the loop's thread.
static void
journal_check(const journal *self)
{
    LP_ASSERT(self->refs > 0 && self->readers <= self->refs);
    LP_ASSERT(self->path != NULL && self->path == self->file.path);
}

// record_crc covers the length field too, so that a wrong length does not pass by chance.
static uint32_t
record_crc(const record_frame *frame, lp_slice message)
{
    uLong crc = crc32(0, (const Bytef *)&frame->length, sizeof(frame->length));
    return (uint32_t)crc32(crc, message.ptr, (uInt)message.len);
}

lp_err
journal_open(const char *path, journal **out_journal)
{
    return journal_open_in(NULL, path, out_journal);
}

// open_file opens the file of a journal. Errors: LP_ENOENT if it is only to be read; LP_EIO
static lp_err
open_file(journal *j)
{
    if (!j->is_to_read) {
        return journal_files_open(&j->file);
    }
    j->file.fd = open(j->path, O_RDONLY | O_CLOEXEC);
    LP_REQUIRE(j->file.fd >= 0, errno == ENOENT ? LP_ENOENT : LP_EIO);
    metrics_add(METRICS_journals_open, 1);
    return LP_OK;
}

static lp_err
open_journal(journal_files *files, const char *path, bool is_to_read, journal **out_journal)
{
    journal *j = calloc(1, sizeof(*j));
    LP_REQUIRE(j != NULL, LP_ENOMEM);
    *j = (journal){.path = strdup(path), .sync_fd = -1, .refs = 1, .is_to_read = is_to_read};
    j->file = (journal_file){.files = files, .path = j->path, .fd = -1};
    struct stat info;
    lp_err err = j->path == NULL ? LP_ENOMEM : open_file(j);
    LP_THEN(err, fstat(j->file.fd, &info) != 0 ? LP_EIO : LP_OK);
    if (err != LP_OK) {
        journal_unref(j);
        return err;
    }
    j->size_bytes = (uint64_t)info.st_size;
    metrics_add(METRICS_journal_bytes, j->size_bytes);
    *out_journal = j;
    return LP_OK;
}

lp_err
journal_open_in(journal_files *files, const char *path, journal **out_journal)
{
    return open_journal(files, path, false, out_journal);
}

lp_err
journal_open_to_read(const char *path, journal **out_journal)
{
    return open_journal(NULL, path, true, out_journal);
}

journal *
journal_ref(journal *self)
{
    journal_check(self);
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
    int saved_errno = errno; // of a failed open
    metrics_sub(METRICS_journal_bytes, self->size_bytes);
    journal_files_close(&self->file);
    free(self->path);
    free(self);
    errno = saved_errno;
}

journal *
journal_begin_reading(journal *self)
{
    (void)journal_ref(self);
    self->readers++;
    return self;
}

void
journal_end_reading(journal *self)
{
    if (self != NULL) {
        journal_check(self);
        LP_ASSERT(self->readers > 0);
        self->readers--;
        journal_unref(self);
    }
}

bool
journal_is_being_read(const journal *self)
{
    journal_check(self);
    return self->readers > 0;
}

const char *
journal_get_path(const journal *self)
{
    return self->path;
}

uint64_t
journal_find_inode(const journal *self)
{
    struct stat info;
    return stat(self->path, &info) == 0 ? info.st_ino : 0;
}

uint64_t
journal_get_size(const journal *self)
{
    return self->size_bytes;
}

// write_record appends a record to a file with one system call. Errors: LP_EIO with errno; a part
// of the record may be written
static lp_err
write_record(int fd, lp_slice message)
{
    LP_ASSERT(fd >= 0 && message.len <= WIRE_MESSAGE_BYTES_MAX);

    record_frame frame = {.length = htole32((uint32_t)message.len)};
    memcpy(frame.magic, magic, sizeof(magic));
    frame.crc = htole32(record_crc(&frame, message));

    // iovec has no const, though writev only reads.
    const union {
        const void *in;
        void *out;
    } body = {.in = message.ptr};
    const struct iovec parts[] = {
        {.iov_base = &frame, .iov_len = sizeof(frame)},
        {.iov_base = body.out, .iov_len = message.len},
    };
    ssize_t written;
    do {
        written = writev(fd, parts, 2);
    } while (written < 0 && errno == EINTR);
    if (written >= 0 && (size_t)written == sizeof(frame) + message.len) {
        return LP_OK;
    }
    // A write to a regular file is short only when the disk is full.
    errno = written < 0 ? errno : ENOSPC;
    return LP_EIO;
}

lp_err
journal_append(journal *self, lp_slice message)
{
    journal_check(self);
    LP_ASSERT(message.len <= WIRE_MESSAGE_BYTES_MAX);

    if (self->refusal != 0) {
        errno = self->refusal;
        return LP_EIO;
    }
    if (journal_files_open(&self->file) != LP_OK ||
        (self->has_torn_end && journal_cut(self, self->size_bytes) != LP_OK)) {
        return LP_EIO;
    }
    if (write_record(self->file.fd, message) == LP_OK) {
        self->size_bytes += JOURNAL_FRAME_BYTES + message.len;
        metrics_add(METRICS_journal_bytes, JOURNAL_FRAME_BYTES + message.len);
        return LP_OK;
    }
    int saved_errno = errno;
    // If this fails, the next append cuts it off.
    self->has_torn_end = journal_cut(self, self->size_bytes) != LP_OK;
    errno = saved_errno;
    return LP_EIO;
}

lp_err
journal_cut(journal *self, uint64_t size_bytes)
{
    journal_check(self);
    LP_ASSERT(size_bytes <= self->size_bytes); // a hole would read as damage

    if (journal_files_open(&self->file) != LP_OK ||
        ftruncate(self->file.fd, (off_t)size_bytes) != 0) {
        return LP_EIO;
    }
    metrics_sub(METRICS_journal_bytes, self->size_bytes - size_bytes);
    self->size_bytes = size_bytes;
    self->has_torn_end = false;
    return LP_OK;
}

// open_to_read returns a descriptor that the caller closes, or -1 with errno.
static int
open_to_read(const journal *self)
{
    return open(self->path, O_RDONLY | O_CLOEXEC);
}

lp_err
journal_save(const journal *self, uint64_t offset, uint64_t size, const char *path)
{
    LP_ASSERT(offset <= self->size_bytes && size <= self->size_bytes - offset);

    int source = open_to_read(self);
    int fd = source < 0 ? -1 : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, FILE_MODE);
    off_t from = (off_t)offset;
    ssize_t count = fd < 0 ? 0 : 1;
    while (size > 0 && count > 0) {
        count = copy_file_range(source, &from, fd, NULL, size, 0);
        size -= count > 0 ? (uint64_t)count : 0;
    }
    lp_io_close(source);
    bool is_saved = fd >= 0 && close(fd) == 0 && size == 0;
    if (fd >= 0 && !is_saved) {
        int error = errno;
        (void)unlink(path);
        errno = error;
    }
    return is_saved ? LP_OK : LP_EIO;
}

void
journal_hold(journal *self)
{
    journal_check(self);
    journal_files_hold(&self->file);
}

void
journal_release(journal *self)
{
    journal_check(self);
    journal_files_release(&self->file);
}

void
journal_begin_sync(journal *self)
{
    journal_check(self);
    LP_ASSERT(self->file.fd < 0 || self->file.holds > 0);

    self->sync_fd = self->file.fd;
    self->sync_bytes = self->size_bytes;
}

void
journal_write_out(const journal *self)
{
    // If it fails, journal_sync returns the error.
    if (self->sync_fd >= 0) {
        (void)sync_file_range(self->sync_fd, 0, 0, SYNC_FILE_RANGE_WRITE);
    }
}

// sync_file syncs the file, and fails if somebody has deleted or truncated it.
static lp_err
sync_file(const journal *self, int fd)
{
    struct stat info;
    LP_REQUIRE(fdatasync(fd) == 0 && fstat(fd, &info) == 0, LP_EIO);
    bool is_whole = info.st_nlink > 0 && (uint64_t)info.st_size >= self->sync_bytes;
    if (!is_whole) {
        errno = ENOENT;
    }
    return is_whole ? LP_OK : LP_EIO;
}

lp_err
journal_sync(const journal *self)
{
    if (self->sync_fd >= 0) {
        return sync_file(self, self->sync_fd);
    }
    int fd = open_to_read(self);
    lp_err err = fd < 0 ? LP_EIO : sync_file(self, fd);
    lp_io_close(fd);
    return err;
}

lp_err
journal_sync_name(const journal *self)
{
    return lp_io_sync_name(self->path);
}

void
journal_refuse(journal *self, int error)
{
    journal_check(self);
    self->refusal = error;
}

// copy_record appends the record that the cursor read last to the new file, at the same offset.
static lp_err
copy_record(const journal_cursor *cursor, int fd, lp_slice message)
{
    LP_ASSERT(cursor->offset >= JOURNAL_FRAME_BYTES + message.len);

    uint64_t begin = cursor->offset - JOURNAL_FRAME_BYTES - message.len;
    bool has_hole = cursor->skipped_bytes > 0;
    return has_hole && ftruncate(fd, (off_t)begin) != 0 ? LP_EIO : write_record(fd, message);
}

static lp_err
copy_into(const journal *self, int fd, uint64_t *out_damaged_bytes)
{
    journal_cursor cursor;
    lp_slice message;
    lp_err err;
    *out_damaged_bytes = 0;
    journal_cursor_init(&cursor, self, self->size_bytes);
    if (self->sync_fd >= 0) { // it has the data even if somebody deleted the file
        cursor.fd = fcntl(self->sync_fd, F_DUPFD_CLOEXEC, 0);
        LP_REQUIRE(cursor.fd >= 0, LP_EIO);
    }
    while ((err = journal_cursor_next(&cursor, &message)) == LP_OK) {
        *out_damaged_bytes += cursor.skipped_bytes;
        err = copy_record(&cursor, fd, message);
        if (err != LP_OK) {
            break;
        }
    }
    if (err == LP_ECORRUPT) {
        *out_damaged_bytes += self->size_bytes - cursor.offset;
        err = ftruncate(fd, (off_t)self->size_bytes) == 0 ? LP_EEND : LP_EIO;
    }
    journal_cursor_fini(&cursor);
    return err != LP_EEND ? err : fdatasync(fd) == 0 ? LP_OK : LP_EIO;
}

// sync_names syncs the file's name, and that of its directory, which journal_files_make may have
// created again.
static lp_err
sync_names(const journal *self)
{
    lp_err err = journal_sync_name(self);
    char *dir = err == LP_OK ? strdup(self->path) : NULL;
    LP_REQUIRE(err == LP_OK && dir != NULL, err == LP_OK ? LP_ENOMEM : err);
    char *end = strrchr(dir, '/');
    if (end != NULL) {
        *end = '\0';
        err = lp_io_sync_name(dir);
    }
    free(dir);
    return err;
}

lp_err
journal_copy(const journal *self, uint64_t *out_damaged_bytes)
{
    char *path = NULL;
    LP_REQUIRE(asprintf(&path, "%s.copy", self->path) >= 0, LP_ENOMEM);
    int fd = journal_files_make(path, O_RDWR | O_TRUNC | O_APPEND);
    lp_err err = fd < 0 ? LP_EIO : copy_into(self, fd, out_damaged_bytes);
    LP_THEN(err, rename(path, self->path) != 0 ? LP_EIO : LP_OK);
    // Atomic, for concurrent readers. Both files have the same records.
    LP_THEN(err, self->sync_fd >= 0 && dup3(fd, self->sync_fd, O_CLOEXEC) < 0 ? LP_EIO : LP_OK);
    lp_io_close(fd);
    int saved_errno = errno;
    if (err != LP_OK) {
        (void)unlink(path);
    }
    free(path);
    errno = saved_errno;
    return err == LP_OK ? sync_names(self) : err;
}

journal_note *
journal_get_note(journal *self)
{
    journal_check(self);
    return &self->note;
}

bool
journal_is_removed(const journal *self)
{
    journal_check(self);
    return self->is_removed;
}

lp_err
journal_remove(journal *self)
{
    journal_check(self);

    self->is_removed = unlink(self->path) == 0 || errno == ENOENT;
    return self->is_removed ? LP_OK : LP_EIO;
}

lp_err
journal_link(const journal *self, const char *path)
{
    journal_check(self);
    return link(self->path, path) == 0 || errno == EEXIST ? LP_OK : LP_EIO;
}

void
journal_cursor_init(journal_cursor *cursor, const journal *self, uint64_t end_bytes)
{
    LP_ASSERT(self != NULL);
    *cursor = (journal_cursor){.journal = self, .fd = -1, .end_bytes = end_bytes};
}

static void
free_request(journal_cursor *cursor)
{
    loupe__wire__request__free_unpacked(cursor->request, NULL); // NULL is fine
    cursor->request = NULL;
}

void
journal_cursor_fini(journal_cursor *cursor)
{
    free_request(cursor);
    lp_io_close(cursor->fd);
    cursor->fd = -1;
    lp_buf_fini(&cursor->message);
}

// open_cursor opens the file if it is not open. Errors: LP_ECORRUPT if it was deleted; LP_EIO
static lp_err
open_cursor(journal_cursor *cursor)
{
    const journal *of = cursor->journal;
    if (cursor->fd < 0) {
        cursor->fd = of->is_to_read ? fcntl(of->file.fd, F_DUPFD_CLOEXEC, 0) : open_to_read(of);
    }
    return cursor->fd >= 0 ? LP_OK : errno == ENOENT ? LP_ECORRUPT : LP_EIO;
}

// read_all fills bytes from offset. It retries an error once: an error of the disk may pass.
// Errors: LP_ECORRUPT if the file ends before; LP_EIO
static lp_err
read_all(int fd, void *bytes, size_t count, uint64_t offset)
{
    for (size_t done = 0; done < count;) {
        uint8_t *to = (uint8_t *)bytes + done;
        ssize_t got = lp_io_pread(fd, to, count - done, offset + done);
        got = got < 0 ? lp_io_pread(fd, to, count - done, offset + done) : got;
        if (got <= 0) {
            return got == 0 ? LP_ECORRUPT : LP_EIO;
        }
        done += (size_t)got;
    }
    return LP_OK;
}

// read_record reads the record at offset. Errors: LP_ECORRUPT if there is none, with *out_is_torn
// if it reaches past the end; LP_EIO, LP_ENOMEM
static lp_err
read_record(journal_cursor *cursor, uint64_t offset, bool *out_is_torn)
{
    LP_ASSERT(cursor->fd >= 0 && offset <= cursor->end_bytes);

    uint64_t rest = cursor->end_bytes - offset;
    lp_buf_clear(&cursor->message);
    *out_is_torn = rest < JOURNAL_FRAME_BYTES;
    LP_REQUIRE(!*out_is_torn, LP_ECORRUPT);
    record_frame frame;
    LP_TRY(read_all(cursor->fd, &frame, sizeof(frame), offset));
    uint32_t length = le32toh(frame.length);
    LP_REQUIRE(memcmp(frame.magic, magic, sizeof(magic)) == 0 && length <= WIRE_MESSAGE_BYTES_MAX,
        LP_ECORRUPT);
    *out_is_torn = length > rest - JOURNAL_FRAME_BYTES;
    LP_REQUIRE(!*out_is_torn, LP_ECORRUPT);
    uint8_t *bytes = lp_buf_extend(&cursor->message, length);
    LP_REQUIRE(bytes != NULL, LP_ENOMEM);
    LP_TRY(read_all(cursor->fd, bytes, length, offset + JOURNAL_FRAME_BYTES));
    bool is_whole = record_crc(&frame, lp_buf_slice(&cursor->message)) == le32toh(frame.crc);
    return is_whole ? LP_OK : LP_ECORRUPT;
}

bool
journal_is_unwritten(const journal *self, uint64_t begin, uint64_t end)
{
    LP_ASSERT(begin <= end);

    static const uint8_t zeros[UNWRITTEN_BYTES];
    uint8_t bytes[UNWRITTEN_BYTES];
    bool is_unwritten = false;
    int fd = open_to_read(self);
    while (begin < end && !is_unwritten && fd >= 0) {
        uint64_t next = begin - begin % SECTOR_BYTES + SECTOR_BYTES;
        next = next < end ? next : end;
        size_t count = next - begin < sizeof(bytes) ? (size_t)(next - begin) : sizeof(bytes);
        is_unwritten =
            read_all(fd, bytes, count, next - count) == LP_OK && memcmp(bytes, zeros, count) == 0;
        begin = next;
    }
    lp_io_close(fd);
    return is_unwritten;
}

bool
journal_is_at(const journal *self, const char *path)
{
    return lp_io_is_same_file(self->path, path);
}

static bool
is_equal(int fd, uint64_t offset, uint64_t size, int other)
{
    enum { BLOCK_BYTES = 1 << 14 };
    uint8_t bytes[BLOCK_BYTES];
    uint8_t others[BLOCK_BYTES];
    bool is_same = true;
    for (uint64_t at = 0; at < size && is_same; at += BLOCK_BYTES) {
        size_t count = size - at < BLOCK_BYTES ? (size_t)(size - at) : BLOCK_BYTES;
        is_same = read_all(fd, bytes, count, offset + at) == LP_OK &&
                  read_all(other, others, count, at) == LP_OK && memcmp(bytes, others, count) == 0;
    }
    return is_same;
}

bool
journal_is_saved(const journal *self, uint64_t offset, uint64_t size, const char *path)
{
    struct stat info;
    int fd = open_to_read(self);
    int other = fd < 0 ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    bool is_same = other >= 0 && fstat(other, &info) == 0 && (uint64_t)info.st_size == size &&
                   is_equal(fd, offset, size, other);
    lp_io_close(other);
    lp_io_close(fd);
    return is_same;
}

// search_window reads the first whole record that begins in [from, from + size). Errors:
// LP_ECORRUPT if there is none; LP_EIO, LP_ENOMEM
static lp_err
search_window(journal_cursor *cursor, uint64_t from, size_t size, uint64_t *out_offset)
{
    LP_ASSERT(size <= SEARCH_WINDOW_BYTES);

    uint8_t window[SEARCH_WINDOW_BYTES];
    lp_err err = read_all(cursor->fd, window, size, from);
    for (size_t at = 0; err == LP_OK && cursor->searched_bytes < JOURNAL_SEARCH_BYTES_MAX; at++) {
        const uint8_t *found = memmem(window + at, size - at, magic, sizeof(magic));
        LP_REQUIRE(found != NULL, LP_ECORRUPT);
        at = (size_t)(found - window);
        bool is_torn;
        err = read_record(cursor, from + at, &is_torn);
        if (err != LP_ECORRUPT) {
            *out_offset = from + at;
            return err;
        }
        cursor->searched_bytes += cursor->message.len;
        err = LP_OK;
    }
    return err == LP_OK ? LP_ECORRUPT : err;
}

// search reads the first whole record behind the damaged one at cursor->offset. Errors: as above
static lp_err
search(journal_cursor *cursor, uint64_t *out_offset)
{
    lp_err err = LP_ECORRUPT;
    uint64_t at = cursor->offset + 1;
    while (err == LP_ECORRUPT && cursor->end_bytes - at >= JOURNAL_FRAME_BYTES &&
           cursor->searched_bytes < JOURNAL_SEARCH_BYTES_MAX) {
        uint64_t left = cursor->end_bytes - at;
        size_t size = left < SEARCH_WINDOW_BYTES ? (size_t)left : SEARCH_WINDOW_BYTES;
        err = search_window(cursor, at, size, out_offset);
        cursor->searched_bytes += size;
        at += size - (sizeof(magic) - 1); // a magic may lie across the end of the window
    }
    return err;
}

lp_err
journal_cursor_next(journal_cursor *cursor, lp_slice *out_message)
{
    LP_ASSERT(cursor->offset <= cursor->end_bytes);

    cursor->skipped_bytes = 0;
    LP_REQUIRE(cursor->offset != cursor->end_bytes, LP_EEND);
    uint64_t found = cursor->offset;
    LP_TRY(open_cursor(cursor));
    lp_err err = read_record(cursor, found, &cursor->is_torn);
    if (err == LP_ECORRUPT) {
        err = search(cursor, &found);
    }
    LP_REQUIRE(err == LP_OK, err);
    *out_message = lp_buf_slice(&cursor->message);
    cursor->skipped_bytes = found - cursor->offset;
    cursor->offset = found + JOURNAL_FRAME_BYTES + out_message->len;
    return LP_OK;
}

lp_err
journal_request_next(journal_cursor *cursor, const Loupe__Wire__Request **out_request)
{
    lp_slice message;
    free_request(cursor);
    LP_TRY(journal_cursor_next(cursor, &message));
    cursor->request = loupe__wire__request__unpack(NULL, message.len, message.ptr);
    *out_request = cursor->request;
    // The agent protocol unpacked it before it was appended.
    return cursor->request == NULL ? LP_ENOMEM : LP_OK;
}
