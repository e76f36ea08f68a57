// SPDX-License-Identifier: Apache-2.0
#include "policy/policy_text.h"

#include "policy/policy_types.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { READ_BYTES = 64 * 1024 };

// read_all appends the rest of fd. Errors: LP_EIO with errno
static lp_err
read_all(int fd, lp_buf *out)
{
    ssize_t count;
    do {
        size_t before = out->len;
        uint8_t *bytes = lp_buf_extend(out, READ_BYTES);
        LP_REQUIRE(bytes != NULL, LP_ENOMEM);
        do {
            count = read(fd, bytes, READ_BYTES);
        } while (count < 0 && errno == EINTR);
        out->len = before + (count > 0 ? (size_t)count : 0);
        LP_REQUIRE(out->len <= POLICY_FILE_BYTES_MAX, LP_ELIMIT);
    } while (count > 0);
    return count == 0 ? LP_OK : LP_EIO;
}

lp_err
policy_text_load(const char *path, lp_buf *out, lp_problem *out_problem)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return lp_problem_set(
            out_problem, errno == ENOENT ? LP_ENOENT : LP_EIO, "%s: %s", path, strerror(errno));
    }
    lp_err err = read_all(fd, out);
    if (err == LP_ELIMIT) {
        (void)lp_problem_set(
            out_problem, err, "%s: larger than %d bytes", path, POLICY_FILE_BYTES_MAX);
    } else if (err != LP_OK) {
        (void)lp_problem_set(
            out_problem, err, "%s: %s", path, err == LP_EIO ? strerror(errno) : lp_err_text(err));
    }
    (void)close(fd);
    return err;
}
