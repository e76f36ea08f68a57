// SPDX-License-Identifier: Apache-2.0
#include "offline/output_file.h"

#include "common/base/lp_assert.h"
#include "offline/lost_input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
is_standard_output(const struct stat *st)
{
    struct stat own;
    return fstat(STDOUT_FILENO, &own) == 0 && own.st_dev == st->st_dev &&
           own.st_ino == st->st_ino && !S_ISCHR(st->st_mode);
}

static lp_err
open_beside(output_file *file, lp_problem *problem)
{
    LP_REQUIRE(asprintf(&file->temporary, "%s.XXXXXX", file->path) >= 0,
        lp_problem_set(problem, LP_ENOMEM, "%s", lp_err_text(LP_ENOMEM)));
    file->fd = mkostemp(file->temporary, O_CLOEXEC);
    if (file->fd < 0) {
        free(file->temporary);
        return lp_problem_set(problem, LP_EIO, "%s", strerror(errno));
    }
    lost_input_set_output(file->temporary);
    return LP_OK;
}

static lp_err
open_in_place(output_file *file, lp_problem *problem)
{
    file->fd = file->is_standard_output ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
                                        : open(file->path, O_WRONLY | O_CLOEXEC);
    return file->fd >= 0 ? LP_OK : lp_problem_set(problem, LP_EIO, "%s", strerror(errno));
}

lp_err
output_file_open(const char *path, output_file *out_file, lp_problem *out_problem)
{
    struct stat st;
    bool is_there = stat(path, &st) == 0;
    output_file file = {.path = path, .is_standard_output = is_there && is_standard_output(&st)};
    bool is_in_place = file.is_standard_output || (is_there && !S_ISREG(st.st_mode));
    lp_err err = is_in_place ? open_in_place(&file, out_problem) : open_beside(&file, out_problem);
    if (err == LP_OK) {
        *out_file = file;
    }
    return err;
}

lp_err
output_file_commit(output_file *file, lp_problem *out_problem)
{
    LP_ASSERT(file->path != NULL);
    if (file->temporary == NULL) {
        return LP_OK;
    }
    lost_input_set_output(NULL);
    mode_t mask = umask(0); // mkostemp makes it private; a recording is an ordinary file
    (void)umask(mask);
    LP_REQUIRE(fchmod(file->fd, 0666 & ~mask) == 0 && rename(file->temporary, file->path) == 0,
        lp_problem_set(out_problem, LP_EIO, "%s", strerror(errno)));
    free(file->temporary);
    file->temporary = NULL;
    return LP_OK;
}

void
output_file_close(output_file *file)
{
    if (file->path != NULL) {
        (void)close(file->fd); // every write was checked
    }
    if (file->temporary != NULL) {
        lost_input_set_output(NULL);
        (void)unlink(file->temporary);
        free(file->temporary);
    }
    *file = (output_file){0};
}
