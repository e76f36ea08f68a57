// SPDX-License-Identifier: Apache-2.0
#include "offline/temp_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// open_in returns the descriptor, or -1 and errno.
static int
open_in(const char *directory)
{
    int fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR)) {
        return fd;
    }
    char *path; // a file system without O_TMPFILE
    if (asprintf(&path, "%s/loupe-XXXXXX", directory) < 0) {
        errno = ENOMEM;
        return -1;
    }
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0) {
        (void)unlink(path);
    }
    free(path);
    return fd;
}

// find_wanted returns the place that the user wants, or NULL.
static const char *
find_wanted(void)
{
    const char *wanted = getenv("TMPDIR");
    return wanted == NULL || wanted[0] == '\0' ? NULL : wanted;
}

lp_err
temp_file_open(int *out_fd, const char **out_directory, lp_problem *out_problem)
{
    const char *wanted = find_wanted();
    const char *directory = wanted == NULL ? "/var/tmp" : wanted;
    int fd = open_in(directory);
    if (fd < 0 && directory != wanted) {
        directory = "/tmp";
        fd = open_in(directory);
    }
    if (fd < 0) {
        return lp_problem_set(
            out_problem, LP_EIO, "no temporary file in %s: %s", directory, strerror(errno));
    }
    *out_fd = fd;
    *out_directory = directory;
    return LP_OK;
}

static bool
make_in(const char *directory, char out_path[TEMP_FILE_PATH_BYTES])
{
    int length = snprintf(out_path, TEMP_FILE_PATH_BYTES, "%s/loupe-XXXXXX", directory);
    errno = ENAMETOOLONG;
    return length < TEMP_FILE_PATH_BYTES && mkdtemp(out_path) != NULL;
}

lp_err
temp_file_make_directory(char out_path[TEMP_FILE_PATH_BYTES], lp_problem *out_problem)
{
    const char *wanted = find_wanted();
    const char *directory = wanted == NULL ? "/var/tmp" : wanted;
    bool is_made = make_in(directory, out_path);
    if (!is_made && wanted == NULL) {
        directory = "/tmp";
        is_made = make_in(directory, out_path);
    }
    return is_made ? LP_OK
                   : lp_problem_set(out_problem, LP_EIO, "no temporary directory in %s: %s",
                         directory, strerror(errno));
}
