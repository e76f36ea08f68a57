// SPDX-License-Identifier: Apache-2.0

#include "collector/journal/data_dir.h"

#include "common/base/lp_io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DIR_MODE = 0750, LOCK_MODE = 0640 };

struct data_dir {
    char *root;
    int lock_fd;
};

char *
data_dir_path(const data_dir *self, const char *format, ...)
{
    char *name = NULL;
    char *path = NULL;
    va_list args;
    va_start(args, format);
    int count = vasprintf(&name, format, args);
    va_end(args);
    if (count < 0) {
        return NULL;
    }
    count = asprintf(&path, "%s/%s", self->root, name);
    free(name);
    return count < 0 ? NULL : path;
}

// make_dir makes a directory of the data directory, or that itself for "".
static lp_err
make_dir(const data_dir *self, const char *name, lp_problem *out_problem)
{
    char *path = data_dir_path(self, "%s", name);
    if (path == NULL) {
        return lp_problem_set(out_problem, LP_ENOMEM, "out of memory");
    }
    lp_err err = LP_OK;
    if (mkdir(path, DIR_MODE) != 0 && errno != EEXIST) {
        err = lp_problem_set(
            out_problem, LP_EIO, "cannot make directory %s: %s", path, strerror(errno));
    }
    free(path);
    return err;
}

static lp_err
take_lock(data_dir *dir, lp_problem *out_problem)
{
    char *path = data_dir_path(dir, DATA_DIR_LOCK);
    if (path == NULL) {
        return lp_problem_set(out_problem, LP_ENOMEM, "out of memory");
    }
    lp_err err = LP_OK;
    dir->lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, LOCK_MODE);
    if (dir->lock_fd < 0) {
        err = lp_problem_set(out_problem, LP_EIO, "cannot open %s: %s", path, strerror(errno));
    } else if (flock(dir->lock_fd, LOCK_EX | LOCK_NB) != 0) {
        err =
            errno == EWOULDBLOCK
                ? lp_problem_set(out_problem, LP_ELIMIT,
                      "another collector is running on the data directory %s", dir->root)
                : lp_problem_set(out_problem, LP_EIO, "cannot lock %s: %s", path, strerror(errno));
    }
    free(path);
    return err;
}

lp_err
data_dir_open(const char *path, data_dir **out_dir, lp_problem *out_problem)
{
    lp_err err = LP_ENOMEM;
    data_dir *dir = calloc(1, sizeof(*dir));
    if (dir == NULL || (dir->lock_fd = -1, dir->root = strdup(path)) == NULL) {
        (void)lp_problem_set(out_problem, err, "out of memory");
        goto fail;
    }
    if ((err = make_dir(dir, "", out_problem)) != LP_OK ||
        (err = take_lock(dir, out_problem)) != LP_OK ||
        (err = make_dir(dir, DATA_DIR_JOURNALS, out_problem)) != LP_OK ||
        (err = make_dir(dir, DATA_DIR_DAMAGED, out_problem)) != LP_OK) {
        goto fail;
    }
    if ((err = lp_io_sync_name(path)) != LP_OK || (err = lp_io_sync_dir(AT_FDCWD, path)) != LP_OK) {
        (void)lp_problem_set(out_problem, err, "cannot sync %s: %s", path, strerror(errno));
        goto fail;
    }
    *out_dir = dir;
    return LP_OK;

fail:
    data_dir_close(dir);
    return err;
}

void
data_dir_close(data_dir *dir)
{
    if (dir == NULL) {
        return;
    }
    if (dir->lock_fd >= 0) {
        (void)close(dir->lock_fd); // releases the lock
    }
    free(dir->root);
    free(dir);
}

char *
data_dir_damaged_path(const data_dir *dir, const char *session_id, uint32_t ordinal,
    const char *what, bool (*is_kept)(const void *arg, const char *path), const void *arg)
{
    char *path = data_dir_path(dir, "damaged/%s-%u%s", session_id, ordinal, what);
    for (unsigned i = 2; path != NULL && access(path, F_OK) == 0; i++) {
        if (is_kept != NULL && is_kept(arg, path)) {
            break;
        }
        free(path);
        path = data_dir_path(dir, "damaged/%s-%u-%u%s", session_id, ordinal, i, what);
    }
    return path;
}

const char *
data_dir_get_path(const data_dir *dir)
{
    return dir->root;
}
