// SPDX-License-Identifier: Apache-2.0
// Tests: tests/unit/agent/ship/test_ship_token.c

#include "agent/ship/link/ship_window.h"
#include "common/base/lp_io.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

enum { FILE_BYTES_MAX = 4096 };

static bool
is_blank(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

// Writes bytes, without surrounding blanks, to *out_token.
static lp_err
take(const char *name, lp_slice bytes, ship_token *out_token, lp_problem *out_problem)
{
    while (bytes.len > 0 && is_blank(bytes.ptr[bytes.len - 1])) {
        bytes.len--;
    }
    while (bytes.len > 0 && is_blank(bytes.ptr[0])) {
        bytes.ptr++;
        bytes.len--;
    }
    LP_REQUIRE(bytes.len != 0,
        lp_problem_set(out_problem, LP_ECORRUPT, "token %s: the file is empty", name));
    LP_REQUIRE(bytes.len <= SHIP_TOKEN_BYTES_MAX,
        lp_problem_set(
            out_problem, LP_ELIMIT, "token %s: longer than %d bytes", name, SHIP_TOKEN_BYTES_MAX));
    out_token->len = bytes.len;
    memcpy(out_token->bytes, bytes.ptr, bytes.len);
    return LP_OK;
}

lp_err
ship_token_read(const char *option, ship_token *out_token, lp_problem *out_problem)
{
    uint8_t bytes[FILE_BYTES_MAX];
    size_t size;
    if (option[0] == '\0') {
        out_token->len = 0;
        return LP_OK;
    }
    if (option[0] != '@') {
        return take("of the option", (lp_slice){(const uint8_t *)option, strlen(option)}, out_token,
            out_problem);
    }
    const char *path = option + 1;
    if (lp_io_read_file(path, bytes, sizeof(bytes), &size) != LP_OK) {
        const char *reason = errno == EINVAL ? "not a file" : strerror(errno);
        return lp_problem_set(out_problem, LP_EIO, "token %s: %s", path, reason);
    }
    return take(path, (lp_slice){bytes, size}, out_token, out_problem);
}
