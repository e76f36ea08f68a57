// SPDX-License-Identifier: Apache-2.0
#include "collector/base/audit_log.h"

#include "collector/base/metrics.h"
#include "collector/base/workers.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_io.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time.h"

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

struct audit_log {
    char *path;
    workers *writer;
    pthread_mutex_t mutex; // guards dropped; lines are stamped and queued under it
    uint64_t dropped;      // since the last queued line

    // Of the writer thread alone.
    int fd;
    dev_t device; // of fd
    ino_t inode;
    uint64_t missing; // lines since the last written one
    bool is_torn;     // the last line of the file has no newline
    bool is_failing;
    bool is_behind; // lines go to the moved file: the path cannot be opened
};

typedef struct line {
    audit_log *log;
    int64_t wall_ns;
    uint64_t dropped; // before it
    char *text;       // an object, owned
} line;

// --- The file

static bool
is_torn(int fd, off_t size)
{
    char last = '\n';
    return size > 0 && pread(fd, &last, 1, size - 1) == 1 && last != '\n';
}

// open_file opens the file at the path and closes the open one. Returns errno; the open one then
// stays.
static int
open_file(audit_log *self)
{
    // O_NONBLOCK: a FIFO would wait for its reader.
    int fd = open(self->path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
        AUDIT_LOG_MODE);
    if (fd < 0) {
        return errno;
    }
    struct stat info;
    int error = fstat(fd, &info) != 0 ? errno : 0;
    if (error == 0 && !S_ISREG(info.st_mode) && !S_ISCHR(info.st_mode)) {
        error = EINVAL;
    }
    if (error != 0) {
        (void)close(fd);
        return error;
    }
    if (self->fd >= 0) {
        (void)close(self->fd);
    }
    self->fd = fd;
    self->device = info.st_dev;
    self->inode = info.st_ino;
    self->is_torn = is_torn(fd, S_ISREG(info.st_mode) ? info.st_size : 0);
    LP_ASSERT(self->fd >= 0);
    return 0;
}

// follow reopens the path if it names another file, or none. If that fails and the open file was
// only moved, lines go on to it. Returns errno if it was deleted, so that lines would be lost.
static int
follow(audit_log *self)
{
    LP_ASSERT(self->fd >= 0);
    struct stat at;
    bool is_same =
        stat(self->path, &at) == 0 && at.st_dev == self->device && at.st_ino == self->inode;
    int error = is_same ? 0 : open_file(self);
    bool is_behind = error != 0 && fstat(self->fd, &at) == 0 && at.st_nlink > 0;
    if (is_behind && !self->is_behind) {
        lp_log(
            LP_LOG_WARN, "audit: %s: %s; lines go to the moved file", self->path, strerror(error));
    }
    self->is_behind = is_behind;
    return is_behind ? 0 : error;
}

// --- The writer

// note_outcome logs the first failed write, and the first successful one after it.
static void
note_outcome(audit_log *self, int error, uint64_t missing)
{
    if (error != 0 && !self->is_failing) {
        lp_log(LP_LOG_ERROR, "audit: %s: %s; lines are dropped until the file is writable",
            self->path, strerror(error));
    } else if (error == 0 && self->is_failing) {
        lp_log(LP_LOG_WARN, "audit: %s: writable again, %" PRIu64 " lines were dropped", self->path,
            missing);
    }
    self->is_failing = error != 0;
}

// format_time writes the first member of a line.
static void
format_time(int64_t wall_ns, char *out, size_t size)
{
    LP_ASSERT(size > LP_TIME_BYTES);
    char text[LP_TIME_BYTES];
    lp_time_format(wall_ns, text);
    (void)snprintf(out, size, "{\"time\":\"%s\",", text);
}

// write_pieces writes a line, after a newline if the last one was cut off. Returns errno.
static int
write_pieces(audit_log *self, const char *time, const char *text)
{
    LP_ASSERT(self->fd >= 0);
    const lp_slice pieces[] = {
        {(const uint8_t *)"\n", self->is_torn ? 1 : 0},
        {(const uint8_t *)time, strlen(time)},
        {(const uint8_t *)text, strlen(text)},
        {(const uint8_t *)"\n", 1},
    };
    if (lp_io_write_pieces(self->fd, pieces, sizeof(pieces) / sizeof(pieces[0])) == LP_OK) {
        self->is_torn = false;
        return 0;
    }
    int error = errno;
    struct stat info;
    self->is_torn =
        fstat(self->fd, &info) == 0 && S_ISREG(info.st_mode) && is_torn(self->fd, info.st_size);
    return error;
}

// write_missing writes the number of missing lines, if there are any. Returns errno.
static int
write_missing(audit_log *self, const char *time)
{
    char text[96];
    if (self->missing == 0) {
        return 0;
    }
    (void)snprintf(
        text, sizeof(text), "\"event\":\"dropped\",\"lines\":%" PRIu64 "}", self->missing);
    int error = write_pieces(self, time, text);
    self->missing = error == 0 ? 0 : self->missing;
    return error;
}

// write_text writes the number of missing lines and a line. text: an object; NULL: no line.
static void
write_text(audit_log *self, int64_t wall_ns, const char *text)
{
    LP_ASSERT(text == NULL || text[0] == '{');
    char time[64];
    uint64_t missing = self->missing;
    format_time(wall_ns, time, sizeof(time));
    int error = follow(self);
    error = error == 0 ? write_missing(self, time) : error;
    error = error == 0 && text != NULL ? write_pieces(self, time, text + 1) : error;
    note_outcome(self, error, missing);
    if (text != NULL) {
        self->missing += error == 0 ? 0 : 1;
        metrics_add(error == 0 ? METRICS_audit_lines : METRICS_audit_lines_dropped_file, 1);
    }
}

static void
write_line(void *arg, const atomic_bool *is_stopping)
{
    (void)is_stopping; // queued lines are always written
    line *next = arg;
    LP_ASSERT(next->log != NULL && next->text != NULL);
    next->log->missing += next->dropped;
    write_text(next->log, next->wall_ns, next->text);
    free(next->text);
    free(next);
}

static void
look_for_file(void *arg, const atomic_bool *is_stopping)
{
    (void)is_stopping;
    (void)follow(arg); // after a failure the next line tries again, and logs it
}

// --- Pushing

void
audit_log_push(audit_log *self, json_t *entry)
{
    LP_ASSERT(self->writer != NULL);
    char *text = entry == NULL ? NULL : json_dumps(entry, JSON_COMPACT);
    line *next = text == NULL ? NULL : malloc(sizeof(*next));
    json_decref(entry);
    (void)pthread_mutex_lock(&self->mutex);
    bool is_queued = false;
    if (next != NULL) {
        *next =
            (line){.log = self, .wall_ns = lp_time_now(), .dropped = self->dropped, .text = text};
        is_queued = workers_push(self->writer, write_line, next) == LP_OK;
    }
    self->dropped = is_queued ? 0 : self->dropped + 1;
    (void)pthread_mutex_unlock(&self->mutex);
    if (!is_queued) {
        metrics_add(METRICS_audit_lines_dropped_queue, 1);
        free(text);
        free(next);
    }
}

void
audit_log_reopen(audit_log *self)
{
    LP_ASSERT(self->writer != NULL);
    if (workers_push(self->writer, look_for_file, self) != LP_OK) {
        return; // the queued lines reopen it
    }
}

// --- Life

lp_err
audit_log_open(const char *path, audit_log **out_log, lp_problem *out_problem)
{
    audit_log *self = calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, lp_problem_set(out_problem, LP_ENOMEM, "%s: out of memory", path));
    self->fd = -1;
    (void)pthread_mutex_init(&self->mutex, NULL); // Linux's cannot fail
    self->path = strdup(path);
    int error = self->path == NULL ? ENOMEM : open_file(self);
    lp_err err = LP_OK;
    if (error != 0) {
        err = lp_problem_set(out_problem, error == ENOMEM ? LP_ENOMEM : LP_EIO, "%s: %s", path,
            error == EINVAL ? "not a file" : strerror(error));
    } else if (workers_start("loupe-audit", WORKERS_NORMAL, 1, AUDIT_LOG_WAITING_MAX,
                   &self->writer) != LP_OK) {
        err = lp_problem_set(out_problem, LP_ENOMEM, "%s: out of memory", path);
    }
    if (err != LP_OK) {
        audit_log_close(self);
        return err;
    }
    LP_ASSERT(self->fd >= 0 && self->writer != NULL);
    *out_log = self;
    return LP_OK;
}

void
audit_log_close(audit_log *self)
{
    if (self == NULL) {
        return;
    }
    workers_stop(self->writer);
    self->missing += self->dropped;
    if (self->missing > 0) {
        write_text(self, lp_time_now(), NULL);
    }
    if (self->fd >= 0) {
        (void)close(self->fd);
    }
    (void)pthread_mutex_destroy(&self->mutex);
    free(self->path);
    free(self);
}
