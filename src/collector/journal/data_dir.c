// SPDX-License-Identifier: Apache-2.0

#include "collector/journal/data_dir.h"

#include "common/base/lp_assert.h"
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

data_path
data_dir_at(const data_dir *self, const char *format, ...)
{
    data_path path;
    va_list args;
    int count = snprintf(path.text, sizeof(path.text), "%s/", self->root);
    LP_ASSERT(count > 0 && count <= PATH_MAX - DATA_DIR_NAME_BYTES); // data_dir_open
    va_start(args, format);
    (void)vsnprintf(path.text + count, sizeof(path.text) - (size_t)count, format, args);
    va_end(args);
    return path;
}

// make_dir makes a directory of the data directory, or that itself for "".
static lp_err
make_dir(const data_dir *self, const char *name, lp_problem *out_problem)
{
    const data_path path = data_dir_at(self, "%s", name);
    return mkdir(path.text, DIR_MODE) == 0 || errno == EEXIST
               ? LP_OK
               : lp_problem_set(out_problem, LP_EIO, "cannot make directory %s: %s", path.text,
                     strerror(errno));
}

static lp_err
take_lock(data_dir *dir, lp_problem *out_problem)
{
    const data_path path = data_dir_at(dir, DATA_DIR_LOCK);
    dir->lock_fd = open(path.text, O_RDWR | O_CREAT | O_CLOEXEC, LOCK_MODE);
    LP_REQUIRE(dir->lock_fd >= 0,
        lp_problem_set(out_problem, LP_EIO, "cannot open %s: %s", path.text, strerror(errno)));
    if (flock(dir->lock_fd, LOCK_EX | LOCK_NB) == 0) {
        return LP_OK;
    }
    return errno == EWOULDBLOCK
               ? lp_problem_set(out_problem, LP_ELIMIT,
                     "another collector is running on the data directory %s", dir->root)
               : lp_problem_set(
                     out_problem, LP_EIO, "cannot lock %s: %s", path.text, strerror(errno));
}

static lp_err
sync_new(const char *path, lp_problem *out_problem)
{
    lp_err err = lp_io_sync_name(path);
    LP_THEN(err, lp_io_sync_dir(AT_FDCWD, path));
    return err == LP_OK
               ? LP_OK
               : lp_problem_set(out_problem, err, "cannot sync %s: %s", path, strerror(errno));
}

lp_err
data_dir_open(const char *path, data_dir **out_dir, lp_problem *out_problem)
{
    const size_t chars_max = PATH_MAX - DATA_DIR_NAME_BYTES - 1;
    if (strlen(path) > chars_max) {
        errno = ENAMETOOLONG;
        return lp_problem_set(out_problem, LP_EIO,
            "the path of the data directory has %zu characters, more than %zu", strlen(path),
            chars_max);
    }
    data_dir *dir = malloc(sizeof(*dir));
    if (dir == NULL || (*dir = (data_dir){strdup(path), -1}).root == NULL) {
        free(dir);
        return lp_problem_set(out_problem, LP_ENOMEM, "out of memory");
    }
    lp_err err = make_dir(dir, "", out_problem);
    LP_THEN(err, take_lock(dir, out_problem));
    LP_THEN(err, make_dir(dir, DATA_DIR_JOURNALS, out_problem));
    LP_THEN(err, make_dir(dir, DATA_DIR_DAMAGED, out_problem));
    LP_THEN(err, sync_new(path, out_problem));
    if (err != LP_OK) {
        data_dir_close(dir);
        return err;
    }
    *out_dir = dir;
    return LP_OK;
}

void
data_dir_close(data_dir *dir)
{
    if (dir == NULL) {
        return;
    }
    lp_io_close(dir->lock_fd); // releases the lock
    free(dir->root);
    free(dir);
}

data_path
data_dir_damaged_path(const data_dir *dir, const char *session_id, uint32_t ordinal,
    const char *what, bool (*is_kept)(const void *arg, const char *path), const void *arg)
{
    data_path path = data_dir_at(dir, "damaged/%s-%u%s", session_id, ordinal, what);
    for (unsigned i = 2; access(path.text, F_OK) == 0; i++) {
        if (is_kept != NULL && is_kept(arg, path.text)) {
            break;
        }
        path = data_dir_at(dir, "damaged/%s-%u-%u%s", session_id, ordinal, i, what);
    }
    return path;
}

const char *
data_dir_get_path(const data_dir *dir)
{
    return dir->root;
}
