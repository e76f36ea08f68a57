// SPDX-License-Identifier: Apache-2.0

#include "collector/journal/place_mark.h"

#include "common/base/lp_io.h"
#include "common/base/lp_slice.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILE_MODE = 0640 };

lp_err
place_mark_read(const char *path, char out_name[PLACE_MARK_BYTES])
{
    size_t count = 0;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    out_name[0] = '\0';
    if (fd < 0) {
        return errno == ENOENT ? LP_OK : LP_EIO;
    }
    ssize_t more;
    while ((more = lp_io_read(fd, out_name + count, PLACE_MARK_BYTES - 1 - count)) > 0) {
        count += (size_t)more;
    }
    lp_io_close(fd);
    out_name[count] = '\0';
    out_name[strcspn(out_name, "\n")] = '\0';
    return more < 0 ? LP_EIO : LP_OK;
}

lp_err
place_mark_write(const char *path, const char *name)
{
    char *temporary = NULL;
    char *line = NULL;
    int line_chars = asprintf(&line, "%s\n", name);
    lp_err err = line_chars < 0 || asprintf(&temporary, "%s.tmp", path) < 0 ? LP_ENOMEM : LP_OK;
    if (err == LP_OK) {
        int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, FILE_MODE);
        err = fd < 0 ? LP_EIO
                     : lp_io_write_all(fd, (lp_slice){(const uint8_t *)line, (size_t)line_chars});
        err = err == LP_OK && fdatasync(fd) != 0 ? LP_EIO : err;
        err = (fd >= 0 && close(fd) != 0) || err != LP_OK ? LP_EIO : LP_OK;
        err = err == LP_OK && rename(temporary, path) != 0 ? LP_EIO : err;
        LP_THEN(err, lp_io_sync_name(path));
    }
    free(line_chars < 0 ? NULL : line);
    free(temporary);
    return err;
}
