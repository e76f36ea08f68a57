// SPDX-License-Identifier: Apache-2.0
#include "cli/serve/bearer.h"

#include "common/base/lp_io.h"
#include "common/base/lp_printable.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool
bearer_is_url(const char *text)
{
    return strncmp(text, "http://", 7) == 0 || strncmp(text, "https://", 8) == 0;
}

bool
bearer_read(const char *program, const char *path, char out_header[BEARER_BYTES])
{
    char text[BEARER_TOKEN_BYTES_MAX + 64];
    size_t size = 0;
    if (lp_io_read_file(path, text, sizeof(text) - 1, &size) != LP_OK) {
        lp_printable_line(stderr, "%s: %s: %s", program, path, strerror(errno));
        return false;
    }
    text[size] = '\0';
    const char *begin = text + strspn(text, " \t\r\n");
    size_t len = strcspn(begin, " \t\r\n");
    if (len == 0 || len > BEARER_TOKEN_BYTES_MAX ||
        begin[len + strspn(begin + len, " \t\r\n")] != '\0') {
        lp_printable_line(stderr, "%s: %s: not a token", program, path);
        return false;
    }
    (void)snprintf(out_header, BEARER_BYTES, "Bearer %.*s", (int)len, begin);
    return true;
}

char *
bearer_make_url(const char *url, const char *path)
{
    size_t len = strlen(url);
    char *whole;
    const char *slash = len > 0 && url[len - 1] == '/' ? "" : "/";
    return asprintf(&whole, "%s%s%s", url, slash, path) < 0 ? NULL : whole;
}
