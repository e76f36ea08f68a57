// SPDX-License-Identifier: Apache-2.0

#include "collector/server/readiness.h"

#include "collector/base/disk_reason.h"
#include "collector/store/catalog/catalog_waits.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_io.h"
#include "common/base/lp_time.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILE_MODE = 0600, TRIED_BYTES = 4096 };

struct readiness {
    char *path;
    pthread_mutex_t mutex; // guards the rest
    char fault[320];       // of the loop; empty: none
    char reason[100];      // why the last write failed; empty: it succeeded
    uint64_t tried_ms;     // monotonic; 0: never
    catalog_waits_pace pace;
};

readiness *
readiness_create(const char *path)
{
    readiness *self = calloc(1, sizeof(*self));
    if (self == NULL || (self->path = strdup(path)) == NULL) {
        free(self);
        return NULL;
    }
    (void)pthread_mutex_init(&self->mutex, NULL); // Linux's cannot fail
    return self;
}

void
readiness_destroy(readiness *self)
{
    if (self != NULL) {
        (void)pthread_mutex_destroy(&self->mutex);
        free(self->path);
        free(self);
    }
}

static uint64_t
read_clock_ms(void)
{
    return (uint64_t)lp_time_mono_ms() + 1; // never 0
}

void
readiness_set_fault(readiness *self, const char *fault)
{
    LP_ASSERT(self != NULL);
    (void)pthread_mutex_lock(&self->mutex);
    (void)snprintf(self->fault, sizeof(self->fault), "%s", fault == NULL ? "" : fault);
    const catalog_waits waits = catalog_waits_get();
    catalog_waits_note(&self->pace, read_clock_ms(), &waits);
    (void)pthread_mutex_unlock(&self->mutex);
}

// try_to_write returns 0, or an errno.
static int
try_to_write(const char *path)
{
    static const uint8_t bytes[TRIED_BYTES] = {0};
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, FILE_MODE);
    LP_REQUIRE(fd >= 0, errno);
    int error = lp_io_write_all(fd, (lp_slice){bytes, sizeof(bytes)}) == LP_OK ? 0 : errno;
    (void)unlink(path);
    // Some file systems report a full disk only here.
    return close(fd) == 0 || error != 0 ? error : errno;
}

static void
try_again(readiness *self)
{
    LP_ASSERT(self->path != NULL);
    char directory[PATH_MAX];
    const char *slash = strrchr(self->path, '/');
    int length = slash == NULL ? 0 : (int)(slash - self->path);
    (void)snprintf(directory, sizeof(directory), "%.*s", length, self->path);
    errno = try_to_write(self->path);
    const char *reason = errno == 0 ? "" : disk_reason(directory, LP_EIO);
    (void)snprintf(self->reason, sizeof(self->reason), "%s", reason);
}

static lp_err
check_pace(const readiness *self, uint64_t now_ms, lp_problem *out_problem)
{
    char text[200];
    const catalog_waits waits = catalog_waits_get();
    return catalog_waits_explain(&self->pace, now_ms, &waits, text, sizeof(text))
               ? lp_problem_set(out_problem, LP_EIO, "%s", text)
               : LP_OK;
}

lp_err
readiness_check(readiness *self, lp_problem *out_problem)
{
    lp_err err = LP_OK;
    (void)pthread_mutex_lock(&self->mutex);
    uint64_t now_ms = read_clock_ms();
    if (self->tried_ms == 0 || now_ms - self->tried_ms >= READINESS_TRY_MS) {
        try_again(self);
        self->tried_ms = now_ms;
    }
    if (self->reason[0] != '\0') {
        err = lp_problem_set(out_problem, LP_EIO, "cannot write journals: %s", self->reason);
    } else if (self->fault[0] != '\0') {
        err = lp_problem_set(out_problem, LP_EIO, "%s", self->fault);
    } else {
        err = check_pace(self, now_ms, out_problem);
    }
    (void)pthread_mutex_unlock(&self->mutex);
    return err;
}
