// SPDX-License-Identifier: Apache-2.0

#include "collector/journal/journal_files.h"

#include "collector/base/descriptor_plan.h"
#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <unistd.h>

enum { FILE_MODE = 0640 };

void
journal_files_init(journal_files *self)
{
    struct rlimit limit;
    uint64_t all = getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 0;
    *self = (journal_files){.max = (size_t)descriptor_plan_make(all).journals};
    TAILQ_INIT(&self->idle);
}

static void
file_check(const journal_file *file)
{
    LP_ASSERT(file->path != NULL);
    LP_ASSERT(file->fd < 0 || file->files == NULL || file->files->count > 0);
}

static void
begin_idling(journal_file *file)
{
    LP_ASSERT(file->fd >= 0 && file->holds == 0);
    TAILQ_INSERT_TAIL(&file->files->idle, file, place);
}

void
journal_files_close(journal_file *file)
{
    if (file->fd < 0) {
        return;
    }
    file_check(file);
    (void)close(file->fd);
    file->fd = -1;
    metrics_sub(METRICS_journals_open, 1);
    if (file->files != NULL) {
        file->files->count--;
        if (file->holds == 0) {
            TAILQ_REMOVE(&file->files->idle, file, place);
        }
    }
}

// close_idlest closes the least recently used file. Returns false if all are held.
static bool
close_idlest(journal_files *self)
{
    journal_file *idlest = TAILQ_FIRST(&self->idle);
    LP_REQUIRE(idlest != NULL, false);
    LP_ASSERT(idlest->fd >= 0 && idlest->holds == 0);
    journal_files_close(idlest);
    return true;
}

int
journal_files_make(const char *path, int flags)
{
    int fd = open(path, flags | O_CREAT | O_CLOEXEC, FILE_MODE);
    if (fd < 0 && errno == ENOENT && lp_io_make_dir_of(path) == LP_OK) {
        fd = open(path, flags | O_CREAT | O_CLOEXEC, FILE_MODE);
    }
    return fd;
}

// open_now opens the file, and closes idle ones if descriptors run out. Returns -1 with errno if it
// cannot.
static int
open_now(const journal_file *file)
{
    journal_files *files = file->files;
    if (files != NULL && files->count >= files->max && !close_idlest(files)) {
        errno = EMFILE;
        return -1;
    }
    int fd;
    do {
        fd = journal_files_make(file->path, O_RDWR | O_APPEND);
    } while (fd < 0 && lp_io_lacks_descriptors(errno) && files != NULL && close_idlest(files));
    return fd;
}

lp_err
journal_files_open(journal_file *file)
{
    journal_files *files = file->files;
    bool may_idle = files != NULL && file->holds == 0;
    file_check(file);
    if (file->fd >= 0 && may_idle) {
        TAILQ_REMOVE(&files->idle, file, place);
    }
    if (file->fd < 0) {
        file->fd = open_now(file);
        if (file->fd < 0) {
            metrics_add(METRICS_journals_not_opened, lp_io_lacks_descriptors(errno) ? 1 : 0);
            return LP_EIO;
        }
        metrics_add(METRICS_journals_open, 1);
        if (files != NULL) {
            files->count++;
        }
    }
    if (may_idle) {
        begin_idling(file);
    }
    file->used_ms = files == NULL ? 0 : files->now_ms;
    return LP_OK;
}

void
journal_files_hold(journal_file *file)
{
    file_check(file);
    if (file->holds++ == 0 && file->fd >= 0 && file->files != NULL) {
        TAILQ_REMOVE(&file->files->idle, file, place);
    }
}

void
journal_files_release(journal_file *file)
{
    file_check(file);
    LP_ASSERT(file->holds > 0);
    if (--file->holds == 0 && file->fd >= 0 && file->files != NULL) {
        begin_idling(file);
    }
}

void
journal_files_close_idle(journal_files *self, uint64_t now_ms)
{
    self->now_ms = now_ms;
    // A file that was held is behind files that were used after it, so it is closed a little later.
    for (journal_file *file; (file = TAILQ_FIRST(&self->idle)) != NULL &&
                             now_ms - file->used_ms >= JOURNAL_FILES_IDLE_MS;) {
        journal_files_close(file);
    }
}
